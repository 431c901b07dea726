//! One question of the askdeck dialect.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::{
    dialect::fields::{Field, Fields, has},
    dialog::Kind,
    payload::{PayloadKind, PayloadOption, PayloadQuestion},
    problem::Fault,
};

/// The names of a question's text, ours first; in a list, where there is no dialog that could have
/// a message of its own, also `message`.
pub(super) const TEXT: [&str; 3] = ["question", "text", "prompt"];
pub(super) const TEXT_OR_MESSAGE: [&str; 4] = ["question", "text", "prompt", "message"];

const OPTIONS: [&str; 3] = ["options", "choices", "follow_up"];
const MULTI: [&str; 6] =
    ["multi", "multiSelect", "multi_select", "multiple", "allowMultiple", "allow_multiple"];
const OTHER: [&str; 5] = ["other", "allowOther", "allow_other", "allow_custom", "custom"];
const DETAILS: [&str; 2] = ["details", "description"];
const MIN_LENGTH: [&str; 2] = ["min_length", "minLength"];
const MAX_LENGTH: [&str; 2] = ["max_length", "maxLength"];
const FORMATS: [&str; 7] = ["email", "uri", "date", "date-time", "time", "uuid", "hostname"];

static EXPECTED_FORMAT: LazyLock<String> = LazyLock::new(|| one_of(FORMATS));
static EXPECTED_TYPE: LazyLock<String> =
    LazyLock::new(|| one_of(Type::NAMES.map(|(name, _)| name)));

/// Fields that some kinds of question have and others do not.
const OF_A_KIND: [&str; 13] = [
    "placeholder",
    "multiline",
    "min",
    "max",
    "min_length",
    "minLength",
    "max_length",
    "maxLength",
    "pattern",
    "format",
    "yes",
    "no",
    "default",
];

/// Whether a question in a list has a field or an option that only this dialect reads.
pub(super) fn is_ours(question: &Value) -> bool {
    const FIELDS: [&str; 9] =
        ["text", "prompt", "type", "id", "details", "required", "consent", "default", "choices"];
    let options = question.get("options").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    FIELDS.iter().chain(&OF_A_KIND).chain(&OTHER).any(|name| has(question, name))
        || options.iter().any(|option| {
            has(option, "value") || has(option, "recommended") || has(option, "refuses")
        })
        || (!options.is_empty() && options.iter().all(Value::is_string))
}

#[derive(Clone, Copy, PartialEq)]
enum Type {
    Single,
    Multi,
    Text,
    Confirm,
    Number,
    Integer,
    Boolean,
    Secret,
    Json,
}

impl Type {
    const NAMES: [(&str, Type); 9] = [
        ("single", Self::Single),
        ("multi", Self::Multi),
        ("text", Self::Text),
        ("confirm", Self::Confirm),
        ("number", Self::Number),
        ("integer", Self::Integer),
        ("boolean", Self::Boolean),
        ("secret", Self::Secret),
        ("json", Self::Json),
    ];

    fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, listed)| *listed == self).map_or("", |(name, _)| name)
    }
}

pub(super) fn read(fields: &Fields, text_names: &[&'static str]) -> PayloadQuestion {
    let text = fields.need_any(text_names, "a string");
    let text_at = text.as_ref().map_or_else(|| fields.at("question"), |text| text.at.clone());
    let options = fields.any(&OPTIONS);
    let kind_of_question = kind_of(fields, options.as_ref());
    let mut schema = Map::new();
    let question = PayloadQuestion {
        path: fields.at.clone(),
        id: fields.get("id").and_then(Field::name),
        header: fields.text("header"),
        text: text.and_then(Field::text),
        text_at,
        details: fields.any(&DETAILS).and_then(Field::text),
        kind: kind(fields, kind_of_question, options, &mut schema),
        required: fields.flag("required").unwrap_or(true),
        notes: fields.flag("notes").unwrap_or(true),
        consent: fields.flag("consent").unwrap_or(false),
        schema: (!schema.is_empty()).then_some(schema.into()),
        schema_at: fields.at("pattern"),
    };
    // Whether Other is offered may be said of any question, options or not.
    fields.ignore(&OTHER);
    for field in fields.remaining(&OF_A_KIND) {
        field.refuse(Fault::Rule(format!(
            "not allowed for a question of type `{}`",
            kind_of_question.name()
        )));
    }
    question
}

/// The type that was named; else that of a choice where there are options, and of a text where
/// there are none.
fn kind_of(fields: &Fields, options: Option<&Field>) -> Type {
    let multi = fields.any(&MULTI).and_then(Field::flag);
    let has_options =
        options.is_some_and(|options| options.value.as_array().is_none_or(|list| !list.is_empty()));
    let guessed = match (has_options, multi) {
        (true, Some(true)) => Type::Multi,
        (true, _) => Type::Single,
        (false, _) => Type::Text,
    };
    let Some(field) = fields.get("type") else { return guessed };
    let Some(name) = field.clone().text() else { return guessed };
    match Type::NAMES.iter().find(|(listed, _)| *listed == name) {
        Some((_, Type::Single)) if multi == Some(true) => {
            field.refuse(Fault::Rule("`single`, but several options may be chosen".into()));
            guessed
        }
        Some((_, named)) => *named,
        None => {
            field.refuse(Fault::UnknownValue { found: name, expected: &EXPECTED_TYPE });
            guessed
        }
    }
}

fn kind(
    fields: &Fields,
    named: Type,
    options: Option<Field>,
    schema: &mut Map<String, Value>,
) -> PayloadKind {
    if !matches!(named, Type::Single | Type::Multi)
        && let Some(options) = options
            .as_ref()
            .filter(|options| options.value.as_array().is_none_or(|list| !list.is_empty()))
    {
        options
            .refuse(Fault::Rule(format!("not allowed for a question of type `{}`", named.name())));
    }
    match named {
        Type::Single | Type::Multi => choice(fields, named, options, schema),
        Type::Text => {
            limits(
                fields,
                schema,
                "string",
                [("minLength", &MIN_LENGTH), ("maxLength", &MAX_LENGTH)],
            );
            written(fields, schema);
            PayloadKind::Plain(Kind::Text {
                multiline: fields.flag("multiline").unwrap_or(schema.is_empty()),
                placeholder: fields.text("placeholder"),
                default: fields.text("default"),
            })
        }
        Type::Confirm => PayloadKind::Plain(Kind::Confirm {
            yes: fields.text("yes"),
            no: fields.text("no"),
            default: fields.flag("default"),
        }),
        Type::Number | Type::Integer => {
            limits(fields, schema, named.name(), [("minimum", &["min"]), ("maximum", &["max"])]);
            let default = fields.get("default").and_then(Field::number);
            PayloadKind::Plain(Kind::Number { integer: named == Type::Integer, default })
        }
        Type::Boolean => PayloadKind::Plain(Kind::Boolean { default: fields.flag("default") }),
        Type::Json => PayloadKind::Plain(Kind::Json {
            default: fields.get("default").map(|field| field.value.clone()),
        }),
        Type::Secret => PayloadKind::Plain(Kind::Secret),
    }
}

fn choice(
    fields: &Fields,
    named: Type,
    options: Option<Field>,
    schema: &mut Map<String, Value>,
) -> PayloadKind {
    if named == Type::Multi {
        limits(fields, schema, "array", [("minItems", &["min"]), ("maxItems", &["max"])]);
    }
    let options_at =
        options.as_ref().map_or_else(|| fields.at("options"), |options| options.at.clone());
    let list = match options {
        Some(options) => options.list(),
        None => Some(Vec::new()),
    };
    let options_at = list.is_some().then_some(options_at);
    let list = list.unwrap_or_default();
    let option_count = list.len();
    let options: Vec<_> = list.into_iter().map(option).collect();
    let default = fields.get("default").and_then(|field| {
        let place = match field.value {
            Value::String(text) => {
                options.iter().position(|option| option.label.as_ref() == Some(text))
            }
            value => value
                .as_u64()
                .and_then(|index| index.try_into().ok())
                .filter(|index| *index < options.len()),
        };
        if place.is_none() {
            let expected = "the label of an option, or its place from 0";
            field.refuse(Fault::UnknownValue { found: field.value.to_string(), expected });
        }
        place
    });
    let other = fields.any(&OTHER).and_then(Field::flag).unwrap_or(true);
    PayloadKind::Choice {
        options,
        options_at,
        option_count,
        multi: named == Type::Multi,
        other,
        default,
    }
}

fn option(field: Field) -> PayloadOption {
    if let Value::String(label) = field.value {
        return PayloadOption {
            label: Some(label.clone()),
            label_at: field.at,
            ..PayloadOption::default()
        };
    }
    let Some(fields) = field.object() else { return PayloadOption::default() };
    let option = PayloadOption {
        label: fields.need_text("label"),
        label_at: fields.at("label"),
        description: fields.text("description"),
        description_at: fields.at("description"),
        preview: fields.text("preview"),
        value: fields.get("value").map(|value| value.value.clone()),
        recommended: fields.flag("recommended").unwrap_or(false),
        refuses: fields.flag("refuses").unwrap_or(false),
    };
    fields.refuse_unknown();
    option
}

/// Puts a least and a most, of whatever the type counts, into the schema.
fn limits<const N: usize>(
    fields: &Fields,
    schema: &mut Map<String, Value>,
    of: &str,
    keywords: [(&str, &[&'static str; N]); 2],
) {
    let counts = of == "string" || of == "array";
    let [least, most] = keywords.map(|(keyword, names)| {
        let field = fields.any(names)?;
        let at = field.at.clone();
        let limit: Value = if counts { field.size()?.into() } else { field.number()?.into() };
        schema.insert("type".into(), of.into());
        schema.insert(keyword.into(), limit.clone());
        Some((at, limit.as_f64()?))
    });
    if let (Some((at, least)), Some((_, most))) = (least, most)
        && least > most
    {
        fields
            .findings
            .refuse(at, Fault::Rule(format!("{least} is more than the maximum, {most}")));
    }
}

/// Puts what a text must look like into the schema.
fn written(fields: &Fields, schema: &mut Map<String, Value>) {
    let format = fields.get("format").and_then(|field| {
        let name = field.clone().text()?;
        if !FORMATS.contains(&name.as_str()) {
            field.refuse(Fault::UnknownValue { found: name.clone(), expected: &EXPECTED_FORMAT });
        }
        Some(name)
    });
    for (keyword, value) in [("pattern", fields.text("pattern")), ("format", format)] {
        if let Some(value) = value {
            schema.insert("type".into(), "string".into());
            schema.insert(keyword.into(), value.into());
        }
    }
}

/// The names, as a problem lists them.
fn one_of<const N: usize>(names: [&str; N]) -> String {
    let names = names.map(|name| format!("`{name}`"));
    let [first @ .., last] = names.as_slice() else { return String::new() };
    format!("{} or {last}", first.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_knows_every_type_and_format() {
        let schema: Value =
            serde_json::from_str(include_str!("../askdeck.schema.json")).expect("it is JSON");
        let allowed =
            |field: &str| schema["$defs"]["question"]["properties"][field]["enum"].clone();
        assert_eq!(allowed("type"), Value::from_iter(Type::NAMES.map(|(name, _)| name)));
        assert_eq!(allowed("format"), Value::from_iter(FORMATS));
    }

    #[test]
    fn names_are_listed_as_one_says_them() {
        assert_eq!(one_of(["a", "b", "c"]), "`a`, `b` or `c`");
    }
}
