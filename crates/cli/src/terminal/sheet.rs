//! All of a dialog that does not change while it is answered, cleaned and in the person's language.

use askdeck_core::{
    dialog::{Choice, Dialog, Kind, Question, host},
    protocol::Warning,
    session::Trouble,
    text,
    words::{self, Words},
};
use askdeck_desk::folder::Folder;
use ratatui::style::Style;

use super::{
    markdown,
    palette::{Palette, STRONG},
    wrap::Block,
};

pub(super) struct Sheet {
    words: &'static Words,
    pub(super) palette: Palette,
    /// Who asks, and from where.
    pub(super) caller: Vec<String>,
    pub(super) title: Option<String>,
    pub(super) message: Vec<Block>,
    pub(super) questions: Vec<QuestionSheet>,
    /// The caller takes no reason, and cannot be asked back.
    pub(super) wordless: bool,
}

pub(super) struct QuestionSheet {
    /// On the tab, and in the review.
    pub(super) name: String,
    pub(super) header: Option<String>,
    pub(super) text: Vec<Block>,
    /// The text on one line.
    pub(super) headline: String,
    pub(super) details: Vec<Block>,
    /// How it is to be answered.
    pub(super) hint: Option<String>,
    pub(super) required: bool,
    pub(super) notes: bool,
    pub(super) control: Control,
}

pub(super) enum Control {
    Cards {
        multi: bool,
        cards: Vec<Card>,
        /// The last card is the Other box.
        other: bool,
    },
    Box {
        secret: bool,
        placeholder: String,
    },
}

pub(super) struct Card {
    pub(super) label: String,
    pub(super) description: Vec<Block>,
    pub(super) preview: Option<Vec<Block>>,
    pub(super) recommended: bool,
}

impl Card {
    fn new(label: String) -> Self {
        Self { label, description: Vec::new(), preview: None, recommended: false }
    }
}

impl Sheet {
    pub(super) fn new(dialog: &Dialog, words: &'static Words, palette: Palette) -> Self {
        let dialog = dialog.in_words(words);
        let agent = text::clean_line(&dialog.caller.agent);
        let host = dialog.caller.host.as_deref().map(text::clean_line);
        let caller = [
            Some(words::say(words, "agent_asks", [("agent", agent)])),
            Folder::of(&dialog.caller).map(|folder| folder.short),
            host.map(|host| words::say(words, "from_host", [("host", host)])),
        ];
        let question = |(index, question)| QuestionSheet::new(index, question, words, &palette);
        Self {
            caller: caller.into_iter().flatten().collect(),
            title: dialog.title.as_deref().map(text::clean_line),
            message: prose(dialog.message.as_deref(), &palette),
            questions: dialog.questions.iter().enumerate().map(question).collect(),
            wordless: dialog.wordless,
            palette,
            words,
        }
    }

    /// The words of `key`.
    pub(super) fn say(&self, key: &str) -> String {
        self.say_with(key, [])
    }

    pub(super) fn say_warning(&self, Warning { word, values }: &Warning) -> String {
        self.say_with(word, values.iter().map(|(name, value)| (name.as_str(), value.clone())))
    }

    pub(super) fn say_with<'a>(
        &self,
        key: &str,
        values: impl IntoIterator<Item = (&'a str, String)>,
    ) -> String {
        text::clean_line(&words::say(self.words, key, values))
    }

    pub(super) fn say_trouble(&self, Trouble { word, values }: &Trouble) -> String {
        self.say_with(word, values.iter().map(|(name, value)| (*name, value.clone())))
    }
}

impl QuestionSheet {
    fn new(index: usize, question: &Question, words: &Words, palette: &Palette) -> Self {
        let header = question.header.as_deref().map(text::clean_line);
        let header = header.filter(|header| !header.is_empty());
        let hints = [
            question.is_multi().then(|| words["choose_many"].clone()),
            (!question.required).then(|| words["optional"].clone()),
        ];
        let hints: Vec<_> = hints.into_iter().flatten().collect();
        Self {
            name: header.clone().unwrap_or_else(|| (index + 1).to_string()),
            header,
            text: markdown::blocks(&question.text, STRONG, palette),
            headline: markdown::headline(&question.text),
            details: prose(question.details.as_deref(), palette),
            hint: (!hints.is_empty()).then(|| hints.join(" · ")),
            required: question.required,
            notes: question.notes,
            control: Control::new(&question.kind, words, palette),
        }
    }

    /// The label of a card.
    pub(super) fn label(&self, index: usize) -> &str {
        match &self.control {
            Control::Cards { cards, .. } => cards.get(index).map_or("", |card| &card.label),
            Control::Box { .. } => "",
        }
    }
}

impl Control {
    fn new(kind: &Kind, words: &Words, palette: &Palette) -> Self {
        match kind {
            Kind::Single { options, other, .. } => Self::cards(false, options, *other, palette),
            Kind::Multi { options, other, .. } => Self::cards(true, options, *other, palette),
            Kind::Confirm { yes, no, .. } => Self::yes_or_no(words, yes.as_deref(), no.as_deref()),
            Kind::Boolean { .. } => Self::yes_or_no(words, None, None),
            Kind::Link { address } => Self::link(words, address, palette),
            Kind::Text { .. } | Kind::Number { .. } | Kind::Json { .. } | Kind::Secret => {
                Self::Box {
                    secret: matches!(kind, Kind::Secret),
                    placeholder: kind.placeholder(words).unwrap_or_default(),
                }
            }
        }
    }

    fn cards(multi: bool, options: &[Choice], other: bool, palette: &Palette) -> Self {
        let card = |option: &Choice| {
            let description = text::clean(option.description.as_deref().unwrap_or_default());
            Card {
                label: text::clean_line(option.shown()),
                description: match description.trim() {
                    "" => Vec::new(),
                    description => markdown::plain(description, palette.secondary),
                },
                preview: option.preview.as_deref().map(|text| markdown::preview(text, palette)),
                recommended: option.recommended,
            }
        };
        Self::Cards { multi, cards: options.iter().map(card).collect(), other }
    }

    fn yes_or_no(words: &Words, yes: Option<&str>, no: Option<&str>) -> Self {
        let card = |label: Option<&str>, word: &str| {
            Card::new(label.map_or_else(|| words[word].clone(), text::clean_line))
        };
        let cards = vec![card(yes, "true"), card(no, "false")];
        Self::Cards { multi: false, cards, other: false }
    }

    /// The whole address is seen before it is opened.
    fn link(words: &Words, address: &str, palette: &Palette) -> Self {
        let host = host(address).unwrap_or_default().to_owned();
        let open = Card::new(words::say(words, "open_address", [("host", host)]));
        let cards = vec![
            Card { description: markdown::plain(address, palette.secondary), ..open },
            Card::new(words["do_not_open"].clone()),
        ];
        Self::Cards { multi: false, cards, other: false }
    }
}

fn prose(markdown: Option<&str>, palette: &Palette) -> Vec<Block> {
    markdown.map(|text| markdown::blocks(text, Style::new(), palette)).unwrap_or_default()
}
