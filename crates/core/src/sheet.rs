//! All of a dialog that does not change while it is answered, as every front end draws it: cleaned,
//! and in the person's language.

use std::ops::Range;

use serde::Serialize;

use crate::{
    dialog::{Caller, Choice, Dialog, Kind, Layout, Question, host},
    session::{TextField, can_filter, words_box},
    text,
    words::{self, Words},
};

/// How a front end shows what a caller wrote as Markdown.
pub trait Render {
    type Text;

    /// The text of a question.
    fn question(&self, markdown: &str) -> Self::Text;
    /// The message of a dialog, or the details of a question.
    fn prose(&self, markdown: &str) -> Self::Text;
    /// The preview of an option.
    fn preview(&self, text: &str) -> Self::Text;
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(concrete(T = String)))]
pub struct DialogSheet<T> {
    /// Who asks, as a sentence.
    pub asks: String,
    /// Set when the question comes from another machine.
    pub host: Option<String>,
    pub title: Option<String>,
    pub message: Option<T>,
    pub layout: Layout,
    pub pages: Vec<Page>,
    pub questions: Vec<QuestionSheet<T>>,
    /// The agent can be told nothing but that the person declined.
    pub no_reason: bool,
}

/// The questions that stand on one page: from the first one to before the last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Page {
    /// On its tab.
    pub name: String,
    /// It has no name of its own: `name` says where it stands among the others.
    pub numbered: bool,
    pub start: usize,
    pub end: usize,
}

/// The box beside the verbs of a decision.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct WordsBox {
    pub field: TextField,
    pub placeholder: String,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(concrete(T = String)))]
pub struct QuestionSheet<T> {
    /// On the tab, and in the review.
    pub name: String,
    pub header: Option<String>,
    pub text: T,
    pub details: Option<T>,
    /// How it is to be answered.
    pub hint: Option<String>,
    pub notes: bool,
    /// Where the dialog is a decision.
    pub words_box: Option<WordsBox>,
    #[serde(flatten)]
    pub control: Control<T>,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(concrete(T = String)))]
#[serde(tag = "control", rename_all = "snake_case")]
pub enum Control<T> {
    Cards {
        multi: bool,
        cards: Vec<Card<T>>,
        /// There is one more card, with a box for an answer of the person's own.
        other: bool,
        /// There is a box that filters the cards.
        filter: bool,
    },
    Box {
        takes: Takes,
        multiline: bool,
        placeholder: Option<String>,
    },
}

/// What a box takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Takes {
    Text,
    Number,
    Json,
    Secret,
}

#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(concrete(T = String)))]
pub struct Card<T> {
    pub label: String,
    pub description: Option<String>,
    pub preview: Option<T>,
    pub recommended: bool,
    /// It says no.
    pub refuses: bool,
}

impl<T> DialogSheet<T> {
    pub fn new(dialog: &Dialog, words: &Words, render: &impl Render<Text = T>) -> Self {
        let dialog = dialog.in_words(words);
        let layout = dialog.layout();
        let questions = dialog.questions.iter().enumerate();
        let questions: Vec<_> = questions
            .map(|(index, question)| {
                let mut sheet = QuestionSheet::new(index, question, words, render);
                if layout == Layout::Decide {
                    sheet.words_box = WordsBox::new(question, &dialog.caller, words);
                }
                sheet
            })
            .collect();
        Self {
            host: dialog.caller.host.as_deref().map(text::clean_line),
            title: dialog.title.as_deref().map(text::clean_line),
            message: dialog.message.as_deref().map(|message| render.prose(message)),
            layout,
            pages: Page::all(&dialog.pages(), &questions, words),
            questions,
            asks: dialog.caller.name().asks().say(words),
            no_reason: dialog.no_reason,
        }
    }
}

impl Page {
    /// A page of one question is named after it. Several fields have no name in common.
    fn all<T>(pages: &[Range<usize>], questions: &[QuestionSheet<T>], words: &Words) -> Vec<Self> {
        let page = |(index, page): (usize, &Range<usize>)| {
            let numbers = [("n", (index + 1).to_string()), ("total", pages.len().to_string())];
            let numbered = page.len() > 1;
            let name = if numbered {
                words::say(words, "form_step", numbers)
            } else {
                questions[page.start].name.clone()
            };
            Self { name, numbered, start: page.start, end: page.end }
        };
        pages.iter().enumerate().map(page).collect()
    }
}

impl WordsBox {
    fn new(question: &Question, caller: &Caller, words: &Words) -> Option<Self> {
        let field = words_box(question)?;
        let placeholder = if field == TextField::Other && question.can_refuse() {
            caller.name().tell_instead().say(words)
        } else if field == TextField::Other {
            words["other_placeholder"].clone()
        } else {
            words["note_placeholder"].clone()
        };
        Some(Self { field, placeholder })
    }
}

impl<T> QuestionSheet<T> {
    fn new(
        index: usize,
        question: &Question,
        words: &Words,
        render: &impl Render<Text = T>,
    ) -> Self {
        let header = question.header.as_deref().map(text::clean_line);
        let header = header.filter(|header| !header.is_empty());
        let hints = [
            question.is_multi().then(|| words["choose_many"].as_str()),
            (!question.required).then(|| words["optional"].as_str()),
        ];
        let hint = hints.into_iter().flatten().collect::<Vec<_>>().join(" · ");
        Self {
            name: header.clone().unwrap_or_else(|| (index + 1).to_string()),
            header,
            text: render.question(&question.text),
            details: question.details.as_deref().map(|details| render.prose(details)),
            hint: Some(hint).filter(|hint| !hint.is_empty()),
            notes: question.notes,
            words_box: None,
            control: Control::new(question, words, render),
        }
    }

    /// The label of a card.
    pub fn label(&self, index: usize) -> &str {
        match &self.control {
            Control::Cards { cards, .. } => cards.get(index).map_or("", |card| &card.label),
            Control::Box { .. } => "",
        }
    }
}

impl<T> Control<T> {
    fn new(question: &Question, words: &Words, render: &impl Render<Text = T>) -> Self {
        let kind = &question.kind;
        let cards = |options: &[Choice]| options.iter().map(|it| Card::new(it, render)).collect();
        let filter = can_filter(question);
        let two = |[yes, no]: [Card<T>; 2]| {
            let cards = vec![yes, Card { refuses: true, ..no }];
            Self::Cards { multi: false, cards, other: false, filter }
        };
        let label = |own: Option<&str>, word: &str| {
            Card::plain(own.map_or_else(|| words[word].clone(), text::clean_line))
        };
        let boxed = |takes| Self::Box {
            takes,
            multiline: kind.takes_lines(),
            placeholder: kind.placeholder(words),
        };
        match kind {
            Kind::Single { options, other, .. } => {
                Self::Cards { multi: false, cards: cards(options), other: *other, filter }
            }
            Kind::Multi { options, other, .. } => {
                Self::Cards { multi: true, cards: cards(options), other: *other, filter }
            }
            Kind::Confirm { yes, no, .. } => {
                two([label(yes.as_deref(), "true"), label(no.as_deref(), "false")])
            }
            Kind::Boolean { .. } => two([label(None, "true"), label(None, "false")]),
            Kind::Link { address } => {
                let host = host(address).unwrap_or_default().to_owned();
                let open = Card::plain(words::say(words, "open_address", [("host", host)]));
                // The whole address is seen before it is opened.
                let open = Card { description: Some(address.clone()), ..open };
                two([open, label(None, "do_not_open")])
            }
            Kind::Text { .. } => boxed(Takes::Text),
            Kind::Number { .. } => boxed(Takes::Number),
            Kind::Json { .. } => boxed(Takes::Json),
            Kind::Secret => boxed(Takes::Secret),
        }
    }
}

impl<T> Card<T> {
    fn new(option: &Choice, render: &impl Render<Text = T>) -> Self {
        let description = option.description.as_deref().map(|text| text::clean(text).into_owned());
        Self {
            label: text::clean_line(option.shown()),
            description: description.filter(|text| !text.trim().is_empty()),
            preview: option.preview.as_deref().map(|preview| render.preview(preview)),
            recommended: option.recommended,
            refuses: option.refuses,
        }
    }

    fn plain(label: String) -> Self {
        Self { label, description: None, preview: None, recommended: false, refuses: false }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{asking, protocol::Ask, words::Language};

    struct Plain;

    impl Render for Plain {
        type Text = String;

        fn question(&self, markdown: &str) -> String {
            markdown.into()
        }

        fn prose(&self, markdown: &str) -> String {
            markdown.into()
        }

        fn preview(&self, text: &str) -> String {
            text.into()
        }
    }

    /// The names of the pages of a form with these fields, and whether they are numbers.
    fn pages(fields: &[Value], language: Language) -> Vec<(String, bool)> {
        let names = (0..fields.len()).map(|index| format!("f{index:02}"));
        let properties: serde_json::Map<_, _> = names.zip(fields.iter().cloned()).collect();
        let schema = json!({ "type": "object", "properties": properties });
        let payload = json!({ "message": "Before I go on", "requestedSchema": schema });
        let ask = Ask { payload, ..Ask::default() };
        let dialog = asking::check(&ask, "t".into(), |_, _| Caller::default()).unwrap().dialog;
        let sheet = DialogSheet::new(&dialog, language.words(), &Plain);
        sheet.pages.into_iter().map(|page| (page.name, page.numbered)).collect()
    }

    #[test]
    fn a_page_of_several_fields_is_numbered_and_one_of_a_single_field_has_its_title() {
        let mut fields = vec![json!({ "type": "string" }); 16];
        fields.push(json!({ "type": "object", "title": "Limits" }));
        let [english, portuguese, chinese] = Language::ALL.map(|language| pages(&fields, language));
        let named = |name: &str, numbered| (name.to_owned(), numbered);
        let steps =
            |one: &str, two: &str| vec![named(one, true), named(two, true), named("Limits", false)];
        assert_eq!(english, steps("Step 1 of 3", "Step 2 of 3"));
        assert_eq!(portuguese, steps("Etapa 1 de 3", "Etapa 2 de 3"));
        assert_eq!(chinese, steps("第 1 步，共 3 步", "第 2 步，共 3 步"));
    }
}
