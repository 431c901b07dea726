//! What is asked, checked: nothing after this module has to look for mistakes again.

use std::time::Duration;

use crate::{
    origin::Origin,
    outcome::{Answer, Outcome},
    text,
    words::Words,
};
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

mod check;
mod layout;
mod looks;
pub mod schema;
mod schemas;

pub use layout::Layout;
pub use schemas::Schemas;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dialog {
    pub id: String,
    /// The dialect in which the answer goes back.
    pub dialect: String,
    pub caller: Caller,
    pub title: Option<String>,
    pub message: Option<String>,
    /// Never empty.
    pub questions: Vec<Question>,
    /// How long the person has, not counting the time in which they are active.
    pub timeout: Option<Duration>,
    /// The caller can be told neither why the person declined nor what they want to know.
    #[serde(default, alias = "wordless", skip_serializing_if = "std::ops::Not::not")]
    pub no_reason: bool,
    pub form: Option<Form>,
    /// Its questions are the fields of a form, though no schema holds them together.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fill: bool,
    /// What the dialect's `write` needs to find again; never shown.
    pub metadata: Value,
    #[serde(skip)]
    pub(crate) schemas: schemas::Kept,
}

/// Who asks; always in sight.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Caller {
    pub agent: String,
    pub session: Option<String>,
    pub cwd: Option<String>,
    /// Set when the question comes from another machine.
    pub host: Option<String>,
    pub pid: Option<u32>,
    pub program: Option<String>,
    /// Set by the app that runs, and known to it alone.
    #[serde(skip)]
    pub origin: Origin,
}

/// The JSON Schema that all answers together must satisfy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "of", content = "schema", rename_all = "snake_case")]
pub enum Form {
    /// An object with a member for each question, by the question's id.
    Object(Value),
    /// The value of the only question.
    Value(Value),
}

impl Form {
    pub fn schema(&self) -> &Value {
        let (Self::Object(schema) | Self::Value(schema)) = self;
        schema
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Unique in the dialog.
    pub id: String,
    /// The short name on the tab, as it was sent.
    pub header: Option<String>,
    pub text: String,
    pub details: Option<String>,
    pub kind: Kind,
    pub required: bool,
    pub notes: bool,
    /// An answer allows, approves or confirms something.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub consent: bool,
    pub schema: Option<Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Kind {
    /// `default` is where the cursor starts; it is never an answer by itself.
    Single {
        options: Vec<Choice>,
        other: bool,
        default: Option<usize>,
    },
    Multi {
        options: Vec<Choice>,
        other: bool,
        default: Option<usize>,
    },
    /// `default` stands in the box when the dialog opens.
    Text {
        multiline: bool,
        placeholder: Option<String>,
        default: Option<String>,
    },
    Confirm {
        yes: Option<String>,
        no: Option<String>,
        default: Option<bool>,
    },
    Number {
        integer: bool,
        default: Option<Number>,
    },
    Boolean {
        default: Option<bool>,
    },
    Json {
        default: Option<Value>,
    },
    Secret,
    /// A yes or no; yes opens the address in the browser.
    Link {
        address: String,
    },
}

impl Kind {
    /// Whether a person who reads the address knows where it leads: nothing in it looks like
    /// something else, or hides the host.
    pub fn can_open(address: &str) -> bool {
        host(address).is_some_and(|host| !host.is_empty() && !host.contains('@'))
            && address.chars().all(|c| c.is_ascii_graphic() && c != '\\')
    }

    /// Whether its box holds more than one line.
    pub fn takes_lines(&self) -> bool {
        matches!(self, Self::Text { multiline: true, .. } | Self::Json { .. })
    }

    /// What its box shows as long as it is empty.
    pub fn placeholder(&self, words: &Words) -> Option<String> {
        match self {
            Self::Text { placeholder: Some(sent), .. } => Some(text::clean_line(sent)),
            Self::Text { placeholder: None, .. } => Some(words["text_placeholder"].clone()),
            Self::Json { .. } => Some(r#"{ "key": "value" }"#.into()),
            _ => None,
        }
    }
}

/// The host of an address of the web, with its port.
pub fn host(address: &str) -> Option<&str> {
    let rest = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"))?;
    rest.split(['/', '?', '#']).next()
}

/// An option of a question. Its label goes back exactly as it came.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    pub label: String,
    pub description: Option<String>,
    pub preview: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub value: Option<Value>,
    pub recommended: bool,
    /// It says no to what is to be allowed, approved or confirmed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refuses: bool,
}

/// Tells a value that is null from one that is absent, which serde by itself does not.
pub(crate) fn present<'de, D: serde::Deserializer<'de>>(
    from: D,
) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

impl Dialog {
    /// Whether the person sees the same in both, who asks and where included, and can answer the same. What callers call their
    /// questions does not count, unless the answers are checked by it.
    pub fn asks_the_same(&self, other: &Self) -> bool {
        let shown =
            |Caller { agent, cwd, host, .. }: &Caller| (agent.clone(), cwd.clone(), host.clone());
        let Self { caller, title, message, questions, form, fill, no_reason, .. } = self;
        let same_names = || {
            let same = |(one, other): (&Question, &Question)| one.id == other.id;
            questions.iter().zip(&other.questions).all(same)
        };
        (title, message, form, fill, no_reason)
            == (&other.title, &other.message, &other.form, &other.fill, &other.no_reason)
            && questions.len() == other.questions.len()
            && questions.iter().zip(&other.questions).all(|(one, other)| one.asks_the_same(other))
            && (form.is_none() || same_names())
            && shown(caller) == shown(&other.caller)
    }

    /// What it is about, in one text: its title, or its first question.
    pub fn about(&self) -> &str {
        let question = || self.questions.first().map(|question| question.text.as_str());
        self.title.as_deref().or_else(question).unwrap_or_default()
    }

    /// The addresses that the person agreed to open.
    pub fn agreed<'a>(&'a self, outcome: &'a Outcome) -> impl Iterator<Item = &'a str> {
        let answered = matches!(outcome, Outcome::Answered { .. });
        let answers = outcome.answers().iter().filter(move |_| answered);
        self.questions.iter().zip(answers).filter_map(|(question, answer)| match question.kind {
            Kind::Link { ref address } if answer.value == Some(true.into()) => Some(&**address),
            _ => None,
        })
    }
}

impl Question {
    fn asks_the_same(&self, other: &Self) -> bool {
        let Self { id: _, header, text, details, kind, required, consent, notes, schema } = self;
        (header, text, details, kind) == (&other.header, &other.text, &other.details, &other.kind)
            && (required, notes, schema) == (&other.required, &other.notes, &other.schema)
            && consent == &other.consent
    }

    /// The options of a single or multiple choice.
    pub fn options(&self) -> &[Choice] {
        match &self.kind {
            Kind::Single { options, .. } | Kind::Multi { options, .. } => options,
            _ => &[],
        }
    }

    /// Whether an answer allows, approves or confirms something: no card is the obvious one then.
    pub fn asks_consent(&self) -> bool {
        self.consent || matches!(self.kind, Kind::Confirm { .. } | Kind::Link { .. })
    }

    pub fn is_multi(&self) -> bool {
        matches!(self.kind, Kind::Multi { .. })
    }

    /// Whether own words may stand in the place of an option.
    pub fn has_other(&self) -> bool {
        matches!(self.kind, Kind::Single { other: true, .. } | Kind::Multi { other: true, .. })
    }

    /// The labels that were chosen, as they were sent, in the order of the options.
    pub fn labels<'a>(&'a self, answer: &'a Answer) -> impl Iterator<Item = &'a str> {
        answer
            .selected
            .iter()
            .filter_map(|&index| self.options().get(index))
            .map(|option| option.label.as_str())
    }

    /// The labels that were chosen, and the free text in place of a label.
    pub fn labels_and_other<'a>(&'a self, answer: &'a Answer) -> impl Iterator<Item = &'a str> {
        self.labels(answer).chain(answer.other.as_deref())
    }

    /// The answer as a JSON value; `None` if the question was left open.
    pub fn value(&self, answer: &Answer) -> Option<Value> {
        let mut chosen = answer
            .selected
            .iter()
            .filter_map(|&index| self.options().get(index))
            .map(|option| option.value.clone().unwrap_or_else(|| option.label.clone().into()))
            .chain(answer.other.clone().map(Value::from));
        match self.kind {
            Kind::Single { .. } => chosen.next(),
            Kind::Multi { .. } if answer.skipped => None,
            Kind::Multi { .. } => Some(chosen.collect()),
            _ => answer.value.clone(),
        }
    }
}

impl Choice {
    /// The label without its "(Recommended)", which the badge says.
    pub fn shown(&self) -> &str {
        recommendation(&self.label).unwrap_or(&self.label)
    }
}

/// The label without the mark by which agents recommend an option, if it has one.
fn recommendation(label: &str) -> Option<&str> {
    const MARKS: [&str; 6] = [
        "(recommended)",
        "(recomendado)",
        "(recomendada)",
        "(推荐)",
        "（推荐）",
        "（recommended）",
    ];
    let label = label.trim_end();
    let bare = MARKS.iter().find_map(|mark| {
        let start = label.len().checked_sub(mark.len())?;
        let tail = label.get(start..)?;
        tail.eq_ignore_ascii_case(mark).then(|| label[..start].trim_end())
    })?;
    (!bare.is_empty()).then_some(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_opened_only_if_it_is_what_it_seems() {
        for (address, open) in [
            ("https://a.example/x?y=1#z", true),
            ("http://localhost:8080", true),
            ("https://a.example/@name", true),
            ("https://bank.example@evil.example/", false),
            ("https://", false),
            ("https:///etc", false),
            ("https://bаnk.example/", false),
            ("https://a.example/ x", false),
            ("https://a.example\\@evil.example", false),
            ("javascript:alert(1)", false),
            ("file:///etc/passwd", false),
            ("", false),
        ] {
            assert_eq!(Kind::can_open(address), open, "{address}");
        }
        assert_eq!(host("https://a.example:1/x"), Some("a.example:1"));
    }
}
