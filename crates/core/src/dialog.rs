//! What is asked, checked: nothing after this module has to look for mistakes again.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use crate::{
    outcome::{Answer, Outcome},
    text,
    words::{self, Language, Words},
};
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

mod caller;
mod check;
mod layout;
mod lookalikes;
pub mod schema;
mod schemas;

pub use caller::{Caller, CallerName, name_of_all};
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
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_reason: bool,
    pub form: Option<Form>,
    /// Its questions are the fields of a form, though no schema holds them together.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fill: bool,
    /// What the dialect's `write` needs to find again; never shown.
    pub metadata: Value,
    /// The texts that are not the agent's but the dialect's. They stand here in English, in which they also go back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wordings: Vec<Wording>,
    #[serde(skip)]
    pub(crate) schemas: schemas::Kept,
}

/// A text that is ours and not the agent's: the key of its words, and what goes into them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wording {
    pub word: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, String>,
}

impl Wording {
    pub fn new<const N: usize>(word: &str, values: [(&str, String); N]) -> Self {
        let values = values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { word: word.to_owned(), values }
    }

    pub fn say(&self, words: &Words) -> String {
        words::say(
            words,
            &self.word,
            self.values.iter().map(|(name, value)| (&**name, value.clone())),
        )
    }
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

    /// What a decision is about, on one line: the command that would run, the file that would change
    /// or the address that would be opened.
    pub fn subject(&self) -> Option<String> {
        let question = self.questions.first().filter(|question| question.asks_consent())?;
        if let Kind::Link { address } = &question.kind {
            return Some(text::clean_line(address));
        }
        let content = self.message.as_deref().or(question.details.as_deref())?;
        let (language, code) = text::leading_block(content)?;
        let tells = text::is_shell(language) || language.is_empty() && text::is_path(&code);
        let lines = code.lines().map(text::clean_line).filter(|line| !line.is_empty());
        tells.then(|| lines.collect::<Vec<_>>().join(" ⏎ "))
    }

    /// How to say a text in any language, if it is one of ours.
    pub fn wording(&self, english: &str) -> Option<&Wording> {
        let words = Language::ENGLISH.words();
        self.wordings.iter().find(|wording| wording.say(words) == english)
    }

    /// The dialog as it is drawn: our own texts in the person's language. What goes back is written
    /// from the dialog itself, so that no answer depends on the language.
    pub fn in_words(&self, words: &Words) -> Cow<'_, Self> {
        if self.wordings.is_empty() {
            return Cow::Borrowed(self);
        }
        let english = Language::ENGLISH.words();
        let ours = self.wordings.iter().map(|wording| (wording.say(english), wording.say(words)));
        let ours: HashMap<String, String> = ours.collect();
        let mut dialog = self.clone();
        dialog.questions.iter_mut().for_each(|question| question.translate(&ours));
        Cow::Owned(dialog)
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
    fn translate(&mut self, ours: &HashMap<String, String>) {
        let say = |text: &mut String| {
            if let Some(said) = ours.get(text) {
                text.clone_from(said);
            }
        };
        say(&mut self.text);
        self.header.iter_mut().for_each(say);
        if let Some(details) = &mut self.details {
            let paragraphs = details.split("\n\n").map(|text| ours.get(text).map_or(text, |it| it));
            *details = paragraphs.collect::<Vec<_>>().join("\n\n");
        }
        match &mut self.kind {
            Kind::Single { options, .. } | Kind::Multi { options, .. } => {
                // Beside labels of the agent, one of ours could come to look like one of them.
                let all_ours = options.iter().all(|option| ours.contains_key(&option.label));
                for option in options {
                    option.description.iter_mut().for_each(say);
                    if all_ours {
                        say(&mut option.label);
                    }
                }
            }
            Kind::Confirm { yes, no, .. } => yes.iter_mut().chain(no).for_each(say),
            _ => {}
        }
    }

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
    use serde_json::json;

    use super::*;
    use crate::{asking, protocol::Ask};

    fn asked(payload: Value) -> Dialog {
        let ask = Ask { payload, ..Ask::default() };
        asking::check(&ask, "t".into(), |_, _| Caller::default()).unwrap().dialog
    }

    fn labels(question: &Question) -> Vec<&str> {
        question.options().iter().map(|option| &*option.label).collect()
    }

    #[test]
    fn our_own_texts_are_drawn_in_any_language_and_go_back_in_english() {
        let decisions = ["approve", "reject", "respond"];
        let dialog = asked(json!({
            "action_requests": [{ "name": "deploy", "args": { "to": "It runs" } }],
            "review_configs": [{ "action_name": "deploy", "allowed_decisions": decisions }],
        }));
        assert_eq!(labels(&dialog.questions[0]), ["Approve", "Reject"]);
        assert_eq!(*dialog.in_words(Language::ENGLISH.words()), dialog);
        let drawn = dialog.in_words(Language::of_locale("pt_BR").words());
        let question = &drawn.questions[0];
        assert_eq!(question.text, "Executar `deploy`?");
        assert_eq!(labels(question), ["Aprovar", "Rejeitar"]);
        assert_eq!(question.options()[0].description.as_deref(), Some("É executada"));
        let details = question.details.as_deref().unwrap();
        assert!(details.starts_with("```json\n{\n  \"to\": \"It runs\"\n}\n```\n\n"), "{details}");
        assert!(details.ends_with("\n\nOutra: o que você escrever vai para o agente como resultado da ferramenta; a ferramenta não é executada."), "{details}");
    }

    #[test]
    fn an_agent_s_labels_are_never_translated_to_look_like_each_other() {
        let options =
            json!([{ "label": "Yes", "description": "" }, { "label": "Sim", "description": "" }]);
        let dialog = asked(json!({ "questions": [
            { "question": "Go?", "header": "Go", "type": "yesno" },
            { "question": "Which?", "header": "Word", "type": "choice", "options": options },
        ]}));
        let drawn = dialog.in_words(Language::of_locale("pt_BR").words());
        assert_eq!(labels(&drawn.questions[0]), ["Sim", "Não"]);
        assert_eq!(labels(&drawn.questions[1]), ["Yes", "Sim"]);
    }

    #[test]
    fn a_decision_names_the_command_file_or_address() {
        let decision = |message: &str| {
            let question = json!({ "question": "Go?", "options": ["Yes", "No"], "consent": true });
            asked(json!({ "message": message, "questions": [question] })).subject()
        };
        let cases = [
            ("```sh\nmake &&\n\n  make install\n```\n\n> Installs", Some("make && ⏎ make install")),
            ("```\n/srv/a.rs\n```\n\n```diff\n-a\n+b\n```", Some("/srv/a.rs")),
            ("```json\n{}\n```", None),
            ("# Plan\n\n```sh\nmake\n```", None),
        ];
        for (message, expected) in cases {
            assert_eq!(decision(message).as_deref(), expected, "{message}");
        }
        let url = "https://a.example/x";
        let link = json!({ "mode": "url", "url": url, "message": "Sign in", "elicitationId": "1" });
        assert_eq!(asked(link).subject().as_deref(), Some(url));
        // A question that decides nothing may begin with code, too.
        let asks = json!({ "message": "```sh\nmake\n```", "question": "Why?" });
        assert_eq!(asked(asks).subject(), None);
    }

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
