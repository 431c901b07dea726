//! What persons, callers and clocks do, as bytes name it. Letters and digits come first, so that a
//! seed can be read.

use std::{sync::LazyLock, time::Duration};

use askdeck_core::{
    asking,
    dialog::{Caller, Dialog, Kind},
    outcome::{Answer, Outcome},
    protocol::Ask,
    session::{Action, AsideKind, Direction, Event, Focus, Key, TextField},
};
use serde_json::{Value, json};

/// All that is ever typed where a secret is asked for, and is nowhere else: the fuzzer finds out what
/// it is looked for with.
pub const SECRET: char = '🔑';

pub struct Script<'a>(&'a [u8]);

impl<'a> Script<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return b'0' };
        self.0 = rest;
        *first
    }

    /// The letter of what happens next: from `a`, one of so many.
    pub fn letter(&mut self, of: u8) -> u8 {
        b'a' + self.byte().wrapping_sub(b'a') % of
    }

    /// A digit, and more behind it: less than so many.
    pub fn digit(&mut self, of: usize) -> usize {
        usize::from(self.byte().wrapping_sub(b'0')) % of
    }

    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.digit(all.len())]
    }

    pub fn yes(&mut self) -> bool {
        self.digit(2) == 1
    }

    /// Mostly one that may be meant.
    fn number(&mut self) -> u64 {
        self.one_of(&[0, 1, 2, 3, 4, 5, 7, 60, 400, u64::from(u32::MAX), 1 << 62, u64::MAX])
    }

    fn index(&mut self) -> usize {
        usize::try_from(self.number()).unwrap_or(usize::MAX)
    }

    fn text(&mut self) -> String {
        match self.digit(64) {
            63 => "more than fits ".repeat(3000),
            length => {
                let (text, rest) = self.0.split_at(length.min(self.0.len()));
                self.0 = rest;
                String::from_utf8_lossy(text).replace(SECRET, "")
            }
        }
    }

    /// How far the clock goes, and whether backwards.
    pub fn time(&mut self) -> (Duration, bool) {
        let time = self.one_of(&[0, 1, 100, 400, 1000, 16_000, 61_000, 3_600_000, 1 << 40]);
        (Duration::from_millis(time), self.yes())
    }

    /// Any duration that fits into a message.
    pub fn duration(&mut self) -> Duration {
        Duration::from_millis(self.number())
    }

    pub fn dialog(&mut self) -> &'static Dialog {
        &DIALOGS[self.digit(DIALOGS.len())]
    }

    /// A draft as it may lie in a damaged file: any JSON, or none.
    pub fn draft(&mut self, dialog: &Dialog) -> String {
        if self.yes() {
            let read = serde_json::from_str::<Value>(&self.text());
            return read.map(|any| any.to_string().replace(SECRET, "")).unwrap_or_default();
        }
        let drafts = if self.yes() { dialog.questions.len() } else { self.digit(4) };
        let drafts: Vec<Value> = (0..drafts).map(|_| self.draft_of_one()).collect();
        let asides = json!({ "decline": self.text(), "clarify": self.text() });
        let spent = json!({ "secs": self.number(), "nanos": self.number() % 1_000_000_000 });
        let draft = json!({
            "step": self.number(), "drafts": drafts, "asides": asides, "spent": spent,
        });
        draft.to_string()
    }

    fn draft_of_one(&mut self) -> Value {
        let chosen: Vec<u64> = (0..self.digit(4)).map(|_| self.number()).collect();
        json!({
            "chosen": chosen, "other_chosen": self.yes(), "other": self.text(),
            "text": self.text(), "note": self.text(), "note_open": self.yes(),
            "tried": self.yes(),
        })
    }

    pub fn outcome(&mut self, dialog: &Dialog) -> Outcome {
        match self.digit(6) {
            0 => Outcome::Answered { answers: self.answers(dialog) },
            1 => Outcome::Declined { reason: Some(self.text()), partial: self.answers(dialog) },
            2 => Outcome::Clarify { text: self.text(), partial: self.answers(dialog) },
            3 => Outcome::TimedOut { partial: self.answers(dialog) },
            4 => Outcome::Withdrawn,
            _ => Outcome::Dismissed,
        }
    }

    pub fn answers(&mut self, dialog: &Dialog) -> Vec<Answer> {
        let answers = if self.yes() { dialog.questions.len() } else { self.digit(4) };
        (0..answers).map(|_| self.answer()).collect()
    }

    fn answer(&mut self) -> Answer {
        Answer {
            selected: (0..self.digit(3)).map(|_| self.index()).collect(),
            other: self.yes().then(|| self.text()),
            note: self.yes().then(|| self.text()),
            value: match self.digit(5) {
                0 => None,
                1 => Some(self.yes().into()),
                2 => Some(self.number().into()),
                3 => Some(self.text().into()),
                _ => Some(json!({ "a": [self.number()] })),
            },
            skipped: self.yes(),
            withheld: self.yes(),
        }
    }

    pub fn event(&mut self, dialog: &Dialog) -> Event {
        match self.letter(14) {
            b'a' => Event::Shown,
            b'b' => Event::WindowFocused,
            b'c' => Event::Press,
            b'd' => Event::Key(self.key()),
            b'e' => Event::Do { action: self.action(), pointer: self.yes() },
            b'f' => self.typing(dialog),
            b'g' => Event::Moved { focus: self.focus() },
            b'h' => Event::Stirred,
            b'i' => Event::CloseButton,
            b'j' => Event::Tick,
            b'k' => Event::Withdrawn,
            b'l' => Event::CallerLeft,
            b'm' => Event::CallerBack,
            _ => Event::Interrupt,
        }
    }

    pub fn key(&mut self) -> Key {
        let key = self.one_of(&[
            "Enter",
            "1",
            "2",
            "3",
            " ",
            "Escape",
            "ArrowUp",
            "ArrowDown",
            "ArrowLeft",
            "ArrowRight",
            "Tab",
            "9",
            "n",
            "z",
            "é",
            "",
        ]);
        let held = self.digit(16);
        // As the page sends it.
        let key = json!({
            "key": key, "ctrl": held & 1 != 0, "shift": held & 2 != 0, "repeat": held & 4 != 0,
            "composing": held & 8 != 0, "age_ms": self.number(),
        });
        serde_json::from_value(key).expect("it is a key")
    }

    fn typing(&mut self, dialog: &Dialog) -> Event {
        let question = self.index();
        let fields = [
            TextField::Text,
            TextField::Other,
            TextField::Note,
            TextField::Decline,
            TextField::Clarify,
        ];
        let field = self.one_of(&fields);
        let asked = dialog.questions.get(question);
        let secret = asked.is_some_and(|asked| matches!(asked.kind, Kind::Secret));
        let text = if secret && field == TextField::Text { SECRET.into() } else { self.text() };
        Event::Text { question, field, text }
    }

    fn direction(&mut self) -> Direction {
        self.one_of(&[Direction::Forward, Direction::Backward])
    }

    fn action(&mut self) -> Action {
        match self.letter(14) {
            b'a' => Action::Choose { card: self.index() },
            b'b' => Action::Move { direction: self.direction() },
            b'c' => Action::ChooseHereAndGoOn,
            b'd' => Action::Go { step: self.index() },
            b'e' => Action::Turn { direction: self.direction() },
            b'f' => Action::GoOn,
            b'g' => Action::SendNow,
            b'h' => Action::LeaveText,
            b'i' => Action::OpenNote,
            b'j' => {
                Action::OpenAside { aside: self.one_of(&[AsideKind::Decline, AsideKind::Clarify]) }
            }
            b'k' => Action::CloseAside,
            b'l' => Action::SendAside,
            b'm' => Action::Undo,
            _ => Action::Close,
        }
    }

    fn focus(&mut self) -> Focus {
        match self.digit(10) {
            0 => Focus::Card { index: self.index() },
            1 => Focus::Other,
            2 => Focus::Text,
            3 => Focus::Note,
            4 => Focus::Aside,
            5 => Focus::Tab { step: self.index() },
            6 => Focus::Row { index: self.index() },
            7 => Focus::Primary,
            8 => Focus::Button,
            _ => Focus::Panel,
        }
    }
}

/// Whether it is one by which a person sends.
pub fn sends(event: &Event) -> bool {
    match event {
        Event::Key(Key { key, repeat: false, composing: false, .. }) => {
            key == "Enter" || key == " "
        }
        Event::Do { action, .. } => {
            matches!(action, Action::GoOn | Action::SendNow | Action::ChooseHereAndGoOn)
        }
        _ => false,
    }
}

/// Every kind of question, alone and with others, with and without a limit.
static DIALOGS: LazyLock<Vec<Dialog>> = LazyLock::new(|| {
    let kinds = json!([
        { "question": "One?", "options": ["a", "b", "c"], "required": false },
        { "question": "Many?", "type": "multi", "options": ["a", "b"] },
        { "question": "Text?", "type": "text", "default": "d", "max_length": 9 },
        { "question": "Number?", "type": "number", "default": 3, "min": 1, "max": 9 },
        { "question": "Whole?", "type": "integer", "required": false },
        { "question": "Yes?", "type": "boolean", "default": true },
        { "question": "Sure?", "type": "confirm" },
        { "question": "Token?", "type": "secret" },
        { "question": "What?", "type": "json", "default": { "a": 1 } },
    ]);
    let token = json!({ "question": "Token?", "type": "secret", "required": false });
    let form = json!({ "message": "Form", "requestedSchema": {
        "type": "object", "required": ["name"], "properties": {
            "name": { "type": "string", "minLength": 2 },
            "tags": { "type": "array", "maxItems": 1,
                      "items": { "type": "string", "enum": ["a", "b"] } },
        },
    }});
    [
        json!({ "questions": [{ "question": "One?", "options": ["a", "b"] }] }),
        json!({ "timeout": 60, "questions": [
            { "question": "Many?", "type": "multi", "options": ["a", "b"], "other": false },
            token,
        ]}),
        json!({ "questions": kinds }),
        json!({ "timeout": 5, "questions": [{ "question": "Sure?", "type": "confirm" }] }),
        json!({ "questions": [{ "question": "Token?", "type": "secret" }] }),
        form,
        json!({ "mode": "url", "message": "Go", "url": "https://a.example/", "elicitationId": "e" }),
    ]
    .into_iter()
    .map(|payload| {
        let caller = Caller { agent: "a".into(), ..Caller::default() };
        let ask = Ask { payload, caller: Some(caller), ..Ask::default() };
        let asked = asking::check(&ask, "ticket".into(), |_, _| Caller::default());
        asked.expect("it can be asked").dialog
    })
    .collect()
});
