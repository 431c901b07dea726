//! Whoever answers in a test.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{
    dialect::{Dialect, askdeck},
    dialog::{Caller, Dialog},
    session::{Action, Closing, Event, Focus, Key, Numbers, Session, Settings, TextField, View},
};

/// As in an app that was started for one question.
pub(super) const ONCE: Settings = Settings {
    arming: Duration::from_millis(400),
    closing: Closing::Dismisses,
    undo: Duration::ZERO,
    numbers: Numbers::Point,
};

/// A person at a dialog: each step takes a second, long after the arming delay.
pub(super) struct Person {
    session: Session,
    now: Instant,
    pub(super) view: View,
}

impl Person {
    /// Sits before the questions of a payload of our own dialect.
    pub(super) fn at(questions: Value) -> Self {
        Self::at_dialog(dialog(questions))
    }

    pub(super) fn at_dialog(dialog: Dialog) -> Self {
        Self::with(dialog, ONCE)
    }

    /// The same in a language that writes a decimal comma.
    pub(super) fn at_in_portuguese(questions: Value) -> Self {
        Self::with(dialog(questions), Settings { numbers: Numbers::Comma, ..ONCE })
    }

    fn with(dialog: Dialog, settings: Settings) -> Self {
        let now = Instant::now();
        let mut session = Session::new(dialog, settings, now);
        let view = session.view(now);
        Self { session, now, view }.does(Event::Shown)
    }

    pub(super) fn event(mut self, event: Event) -> Self {
        self.now += Duration::from_secs(1);
        self.does(event)
    }

    /// All checks are run at once.
    fn does(mut self, event: Event) -> Self {
        let applied = self.session.apply(event, self.now);
        self.view = self.session.settle(self.now).unwrap_or(applied);
        self
    }

    /// Presses keys: `2`, `Enter`, `ctrl+Enter`.
    pub(super) fn press(self, keys: &[&str]) -> Self {
        keys.iter().fold(self, |person, name| {
            let (modifiers, name) = name.rsplit_once('+').unwrap_or(("", name));
            person.event(Event::Key(Key {
                key: name.into(),
                ctrl: modifiers.contains("ctrl"),
                shift: modifiers.contains("shift"),
                repeat: modifiers.contains("held"),
                composing: modifiers.contains("composing"),
                age_ms: 0,
            }))
        })
    }

    pub(super) fn types(self, field: TextField, text: &str) -> Self {
        let question = self.view.step;
        self.event(Event::Text { question, field, text: text.into() })
    }

    pub(super) fn clicks(self, action: Action) -> Self {
        self.event(Event::Press).event(Event::Do { action, pointer: true })
    }

    pub(super) fn waits(mut self, time: Duration) -> Self {
        let until = self.now + time;
        while self.now < until {
            self = self.event(Event::Tick);
        }
        self
    }

    #[track_caller]
    pub(super) fn ends_with(self, outcome: Value) {
        let ended = self.session.outcome().map(|outcome| serde_json::to_value(outcome).unwrap());
        assert_eq!(ended, Some(outcome));
    }

    #[track_caller]
    pub(super) fn goes_on(self) -> Self {
        assert_eq!(self.session.outcome(), None);
        self
    }

    #[track_caller]
    pub(super) fn rests_at(self, focus: Focus) -> Self {
        assert_eq!(self.view.focus, focus);
        self
    }

    #[track_caller]
    pub(super) fn hears(self, word: &str) -> Self {
        let error =
            self.view.questions.get(self.view.step).and_then(|question| question.error.as_ref());
        let notice = self.view.notice.as_ref().map(|notice| &notice.phrase);
        assert_eq!(error.or(notice).map(|said| said.word), Some(word));
        self
    }
}

pub(super) fn dialog(questions: Value) -> Dialog {
    read(&askdeck::DIALECT, &json!({ "askdeck": 1, "questions": questions }))
}

pub(super) fn read(dialect: &Dialect, payload: &Value) -> Dialog {
    let payload = (dialect.read)(payload);
    let caller = Caller { agent: "test".into(), ..Caller::default() };
    Dialog::check(payload, &dialect.rules, "d".into(), dialect.name, caller)
        .expect("a test asks proper questions")
}
