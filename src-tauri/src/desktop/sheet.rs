//! What the page draws once: all of a dialog that does not change while it is answered.

use serde::Serialize;

use super::markdown;
use crate::{
    dialog::{Choice, Dialog, Kind, Question, host},
    folder::Folder,
    paths,
    session::MAX_TEXT,
    text,
    words::{self, Words},
};

#[derive(Clone, Serialize)]
pub(super) struct Sheet {
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
#[serde(tag = "control", rename_all = "snake_case")]
enum Control {
    Cards {
        multi: bool,
        cards: Vec<Card>,
        /// The last card is the Other box.
        other: bool,
    },
    Box {
        /// What the box takes: `text`, `number`, `json` or `secret`.
        takes: &'static str,
        multiline: bool,
        placeholder: Option<String>,
    },
}

#[derive(Clone, Serialize)]
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
    pub(super) fn new(dialog: &Dialog) -> Self {
        let words = paths::language().words();
        Self {
            title: dialog.title.as_deref().map(text::clean_line),
            message_html: dialog.message.as_deref().map(markdown::to_html),
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
        match kind {
            Kind::Single { options, other, .. } => Self::cards(false, options, *other),
            Kind::Multi { options, other, .. } => Self::cards(true, options, *other),
            Kind::Confirm { yes, no, .. } => Self::yes_or_no(words, yes.as_deref(), no.as_deref()),
            Kind::Boolean { .. } => Self::yes_or_no(words, None, None),
            Kind::Link { address } => Self::link(words, address),
            Kind::Text { .. } => boxed("text"),
            Kind::Number { .. } => boxed("number"),
            Kind::Json { .. } => boxed("json"),
            Kind::Secret => boxed("secret"),
        }
    }

    fn cards(multi: bool, options: &[Choice], other: bool) -> Self {
        let cards = options.iter().map(|option| Card {
            label: text::clean_line(option.shown()),
            description: option
                .description
                .as_deref()
                .map(|text| text::clean(text).into_owned())
                .filter(|text| !text.is_empty()),
            preview_html: option.preview.as_deref().map(markdown::preview_to_html),
            recommended: option.recommended,
        });
        Self::Cards { multi, cards: cards.collect(), other }
    }

    /// The whole address is seen before it is opened.
    fn link(words: &Words, address: &str) -> Self {
        let host = host(address).unwrap_or_default().to_owned();
        let open = Card::new(words::say(words, "open_address", [("host", host)]));
        let cards = vec![
            Card { description: Some(address.into()), ..open },
            Card::new(words["do_not_open"].clone()),
        ];
        Self::Cards { multi: false, cards, other: false }
    }

    fn yes_or_no(words: &Words, yes: Option<&str>, no: Option<&str>) -> Self {
        let card = |label: Option<&str>, word: &str| {
            Card::new(label.map_or_else(|| words[word].clone(), text::clean_line))
        };
        Self::Cards {
            multi: false,
            cards: vec![card(yes, "true"), card(no, "false")],
            other: false,
        }
    }
}
