//! What the page draws once: all of a dialog that does not change while it is answered.

use askdeck_core::{
    dialog::{Choice, Dialog, Kind, Question, host},
    session::MAX_TEXT,
    text,
    words::{self, Words},
};
use askdeck_desk::{folder::Folder, paths};
use serde::Serialize;

use super::markdown;

#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Sheet {
    title: Option<String>,
    message_html: Option<String>,
    agent: String,
    folder: Option<Folder>,
    host: Option<String>,
    questions: Vec<QuestionSheet>,
    /// The agent can be told nothing but that the person declined.
    wordless: bool,
    /// Bytes that a text box may hold.
    max_text: usize,
}

#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct QuestionSheet {
    header: Option<String>,
    text_html: String,
    details_html: Option<String>,
    required: bool,
    notes: bool,
    #[serde(flatten)]
    control: Control,
}

#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "control", rename_all = "snake_case")]
enum Control {
    Cards {
        multi: bool,
        cards: Vec<Card>,
        /// The last card is the Other box.
        other: bool,
    },
    Box {
        takes: Takes,
        multiline: bool,
        placeholder: Option<String>,
    },
}

/// What a box takes.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
enum Takes {
    Text,
    Number,
    Json,
    Secret,
}

#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Card {
    label: String,
    description: Option<String>,
    preview_html: Option<String>,
    recommended: bool,
}

impl Card {
    fn new(label: String) -> Self {
        Self { label, description: None, preview_html: None, recommended: false }
    }
}

impl Sheet {
    pub fn new(dialog: &Dialog) -> Self {
        let words = paths::language().words();
        let message = dialog.message.as_deref();
        Self {
            title: dialog.title.as_deref().map(text::clean_line),
            message_html: message
                .map(|text| markdown::to_html_in(dialog.caller.cwd.as_deref(), text)),
            agent: text::clean_line(&dialog.caller.agent),
            folder: Folder::of(&dialog.caller),
            host: dialog.caller.host.as_deref().map(text::clean_line),
            questions: dialog
                .questions
                .iter()
                .map(|question| QuestionSheet::new(question, &words))
                .collect(),
            wordless: dialog.wordless,
            max_text: MAX_TEXT,
        }
    }
}

impl QuestionSheet {
    fn new(question: &Question, words: &Words) -> Self {
        Self {
            header: question
                .header
                .as_deref()
                .map(text::clean_line)
                .filter(|header| !header.is_empty()),
            text_html: markdown::to_html(&question.text),
            details_html: question.details.as_deref().map(markdown::to_html),
            required: question.required,
            notes: question.notes,
            control: Control::new(&question.kind, words),
        }
    }
}

impl Control {
    fn new(kind: &Kind, words: &Words) -> Self {
        let boxed = |takes| Self::Box {
            takes,
            multiline: kind.takes_lines(),
            placeholder: kind.placeholder(words),
        };
        let one_of = |cards| Self::Cards { multi: false, cards, other: false };
        match kind {
            Kind::Single { options, other, .. } => {
                Self::Cards { multi: false, cards: cards(options), other: *other }
            }
            Kind::Multi { options, other, .. } => {
                Self::Cards { multi: true, cards: cards(options), other: *other }
            }
            Kind::Confirm { yes, no, .. } => {
                let label = |own: &Option<String>, word: &str| {
                    own.as_deref().map_or_else(|| words[word].clone(), text::clean_line)
                };
                one_of([label(yes, "true"), label(no, "false")].map(Card::new).into())
            }
            Kind::Boolean { .. } => {
                one_of(["true", "false"].map(|word| Card::new(words[word].clone())).into())
            }
            Kind::Link { address } => one_of(to_open(address, words)),
            Kind::Text { .. } => boxed(Takes::Text),
            Kind::Number { .. } => boxed(Takes::Number),
            Kind::Json { .. } => boxed(Takes::Json),
            Kind::Secret => boxed(Takes::Secret),
        }
    }
}

fn cards(options: &[Choice]) -> Vec<Card> {
    let card = |option: &Choice| Card {
        label: text::clean_line(option.shown()),
        description: option
            .description
            .as_deref()
            .map(|text| text::clean(text).into_owned())
            .filter(|text| !text.is_empty()),
        preview_html: option.preview.as_deref().map(markdown::preview_to_html),
        recommended: option.recommended,
    };
    options.iter().map(card).collect()
}

/// The whole address is seen before it is opened.
fn to_open(address: &str, words: &Words) -> Vec<Card> {
    let host = host(address).unwrap_or_default().to_owned();
    let open = Card::new(words::say(words, "open_address", [("host", host)]));
    vec![
        Card { description: Some(address.into()), ..open },
        Card::new(words["do_not_open"].clone()),
    ]
}
