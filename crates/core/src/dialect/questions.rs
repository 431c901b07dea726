//! The list of questions as Claude Code writes it, which many agents took over: question, header,
//! options with label and description, multiSelect. They differ in names, and in what may be
//! absent.

use serde_json::Value;

use super::{
    askdeck,
    fields::{Field, Fields, has},
};
use crate::{
    dialog::Kind,
    payload::{Payload, PayloadKind, PayloadOption, PayloadQuestion},
    problem::Fault,
    text,
};

/// How a dialect takes the list.
pub(super) struct Style {
    /// The field with the question's text.
    pub(super) text: &'static str,
    pub(super) header: Need,
    /// The header's length over which the sender is advised; no limit.
    pub(super) short_header: usize,
    /// Where a question may have no options, it is a text then.
    pub(super) options: Need,
    pub(super) description: Need,
    /// What says that several options may be chosen: its names. None where only one ever may.
    pub(super) multi: &'static [&'static str],
    pub(super) multi_select: Need,
    /// What says whether there is an Other box: its name, and what it says if there is one.
    pub(super) other: Option<(&'static str, bool)>,
    /// The field of an option that stands for it in the answer, where that is not the label.
    pub(super) value: Option<&'static str>,
    /// Whether options may have a preview.
    pub(super) previews: bool,
    /// Whether a field of the option recommends it.
    pub(super) recommends: bool,
    /// Whether the answer can carry a note.
    pub(super) notes: bool,
    /// What a question asks for that is no choice, where a field of it says so.
    pub(super) plain: fn(&Fields) -> Option<Kind>,
    /// Fields of questions and options that are known, and mean nothing to the person.
    pub(super) unused: &'static [&'static str],
}

/// What an absent field is to a dialect.
#[derive(Clone, Copy)]
pub(super) enum Need {
    Must,
    Should,
    May,
}

impl Need {
    fn of<'a>(
        self,
        fields: &Fields<'a>,
        names: &[&'static str],
        expected: &'static str,
    ) -> Option<Field<'a>> {
        if let Self::Must = self {
            return fields.need_any(names, expected);
        }
        let field = fields.any(names);
        if let (Self::Should, None, [name, ..]) = (self, &field, names) {
            fields.findings.advise(fields.at(name), Fault::Missing { expected });
        }
        field
    }
}

/// As Claude Code itself has it, where a dialect does not say otherwise.
pub(super) const CLAUDE: Style = Style {
    text: "question",
    header: Need::Must,
    short_header: 12,
    options: Need::Must,
    description: Need::Should,
    multi: &["multiSelect"],
    multi_select: Need::May,
    other: None,
    value: None,
    previews: false,
    recommends: false,
    notes: false,
    plain: |_| None,
    unused: &[],
};

/// A format that demands every field.
pub(super) const STRICT: Style = Style {
    description: Need::Must,
    multi_select: Need::Must,
    // Longer ones are refused by the rules.
    short_header: usize::MAX,
    ..CLAUDE
};

/// Puts the questions into the payload; `None` is a list that is already among the problems.
pub(super) fn read(payload: &mut Payload, list: Option<Field>, style: &Style) {
    read_each(payload, list, style, |_, _| {});
}

/// The same; `complete` reads what only this dialect has.
pub(super) fn read_each(
    payload: &mut Payload,
    list: Option<Field>,
    style: &Style,
    complete: impl Fn(&Fields, &mut PayloadQuestion),
) {
    let Some(list) = list else { return };
    let at = list.at.clone();
    let Some(items) = list.list() else { return };
    payload.questions_at = Some(at);
    payload.question_count = items.len();
    let question = |item: Field| {
        let fields = item.object()?;
        let mut question = question(&fields, style);
        complete(&fields, &mut question);
        fields.advise_unknown();
        Some(question)
    };
    payload.questions = items.into_iter().filter_map(question).collect();
}

/// Shows what the sender says about the Other box, which has a label and a placeholder of its own.
pub(super) fn explain_other<const N: usize>(
    fields: &Fields,
    question: &mut PayloadQuestion,
    said: [Option<String>; N],
) {
    /// As many characters of it are shown.
    const LONGEST: usize = 200;
    let said: Vec<_> = said.into_iter().flatten().map(|said| text::clean_line(&said)).collect();
    let means = said.into_iter().filter(|said| !said.is_empty()).collect::<Vec<_>>().join(" – ");
    if means.is_empty() || matches!(question.kind, PayloadKind::Choice { other: false, .. }) {
        return;
    }
    let means = text::shortened(&means, LONGEST).into_owned();
    let explained = fields.findings.say("other_means", [("means", means)]);
    question.details = Some(match question.details.take() {
        Some(details) => format!("{details}\n\n{explained}"),
        None => explained,
    });
}

/// Whether the payload has a list in which a question is like this, as dialects are told apart.
pub(super) fn any(payload: &Value, is_so: impl Fn(&Value) -> bool) -> bool {
    payload.get("questions").and_then(Value::as_array).is_some_and(|list| list.iter().any(is_so))
}

/// Whether a question in the payload's list has this field.
pub(super) fn have(payload: &Value, name: &str) -> bool {
    any(payload, |question| has(question, name))
}

/// Whether these are questions of the smallest shape, which several agents send: a text and options,
/// and nothing that tells whose they are.
pub(super) fn lack_headers(payload: &Value) -> bool {
    let is_option = |option: &Value| has(option, "label") && !has(option, "id");
    let is_one = |question: &Value| {
        let options = question.get("options").and_then(Value::as_array);
        has(question, "question")
            && !has(question, "header")
            && !has(question, "multi_select")
            && options.is_some_and(|list| !list.is_empty() && list.iter().all(is_option))
    };
    let questions = payload.get("questions").and_then(Value::as_array);
    questions.is_some_and(|list| !list.is_empty() && list.iter().all(is_one))
        && !askdeck::is_ours(payload)
}

fn question(fields: &Fields, style: &Style) -> PayloadQuestion {
    fields.ignore(style.unused);
    let text = fields.need_text(style.text);
    let header = style.header.of(fields, &["header"], "a string").and_then(Field::text);
    // Who may leave it out may as well leave it empty.
    let header = header.filter(|header| matches!(style.header, Need::Must) || !header.is_empty());
    if let Some(found) = header.as_ref().map(|header| header.chars().count())
        && found > style.short_header
    {
        let fault = Fault::Length { found, allowed: 0..=style.short_header };
        fields.findings.advise(fields.at("header"), fault);
    }
    PayloadQuestion {
        path: fields.at.clone(),
        id: None,
        header,
        text,
        text_at: fields.at(style.text),
        details: None,
        kind: kind(fields, style),
        required: true,
        notes: style.notes,
        consent: false,
        schema: None,
        schema_at: String::new(),
    }
}

fn kind(fields: &Fields, style: &Style) -> PayloadKind {
    if let Some(kind) = (style.plain)(fields) {
        return PayloadKind::Plain(kind);
    }
    let multi = style.multi_select.of(fields, style.multi, "a boolean").and_then(Field::flag);
    let other = style.other.map(|(name, if_so)| (fields.flag(name), if_so));
    let other = other.and_then(|(said, if_so)| Some(said? == if_so)).unwrap_or(true);
    let list = style.options.of(fields, &["options"], "an array").and_then(Field::list);
    let options_at = list.is_some().then(|| fields.at("options"));
    let list = list.unwrap_or_default();
    let option_count = list.len();
    if matches!(style.options, Need::May) && option_count == 0 {
        return PayloadKind::Plain(ANY_TEXT);
    }
    let options =
        list.into_iter().filter_map(|item| Some(option(&item.object()?, style))).collect();
    PayloadKind::Choice {
        options,
        options_at,
        option_count,
        multi: multi.unwrap_or(false),
        other,
        default: None,
    }
}

/// The kind of a question that has no options.
pub(super) const ANY_TEXT: Kind = Kind::Text { multiline: true, placeholder: None, default: None };

fn option(fields: &Fields, style: &Style) -> PayloadOption {
    fields.ignore(style.unused);
    let option = PayloadOption {
        label: fields.need_text("label"),
        label_at: fields.at("label"),
        description: style
            .description
            .of(fields, &["description"], "a string")
            .and_then(Field::text),
        description_at: fields.at("description"),
        preview: if style.previews { fields.text("preview") } else { None },
        value: style.value.and_then(|name| fields.need(name, "a string")?.name()).map(Value::from),
        recommended: style.recommends && fields.flag("recommended").unwrap_or(false),
        ..PayloadOption::default()
    };
    fields.advise_unknown();
    option
}
