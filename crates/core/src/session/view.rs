//! What a front end draws: all that changes while a dialog is answered.

use std::time::Instant;

use serde::Serialize;

use super::{
    AsideKind, Closing, Focus, Hint, MAX_TEXT, Session, answer_error, cards, draft::Draft,
    other_card,
};
use crate::{
    dialog::{Kind, Question},
    diff,
    outcome::Outcome,
    words::Phrase,
};

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct View {
    /// Greater than that of every earlier view.
    pub turn: u64,
    pub phase: Phase,
    /// Keys and clicks act.
    pub armed: bool,
    /// Text boxes take text.
    pub open: bool,
    /// The current question; one past the last is the review.
    pub step: usize,
    pub questions: Vec<QuestionView>,
    pub complete: bool,
    /// Nobody waits for the answer now; it will be kept.
    pub caller_left: bool,
    /// Closing sets the dialog aside instead of ending it.
    pub sets_aside: bool,
    /// The decline can still be taken back.
    pub undo: bool,
    pub primary: Primary,
    pub focus: Focus,
    /// Changes when the front end must move the keyboard to `focus`.
    pub focus_turn: u32,
    /// Changes when texts were given elsewhere, and must be taken over even where one is typing.
    pub text_turn: u32,
    pub aside: Option<AsideView>,
    /// Closing was asked for and would lose typed text.
    pub closing: bool,
    pub error: Option<Phrase>,
    pub countdown: Option<CountdownView>,
    /// The keys that work now.
    pub hints: Vec<Hint>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Asking,
    Sent,
    Declined,
    ClarifySent,
    TimedOut,
    /// The caller took the question back.
    Withdrawn,
    /// The person answered at another front end.
    AnsweredElsewhere,
    /// The person ended it otherwise at another front end.
    EndedElsewhere,
    /// Closed: there is nothing more to show.
    Over,
}

impl Phase {
    /// Whether it ended without the doing of the person in front of it.
    pub fn is_unexpected(self) -> bool {
        use Phase::{AnsweredElsewhere, EndedElsewhere, TimedOut, Withdrawn};
        matches!(self, TimedOut | Withdrawn | AnsweredElsewhere | EndedElsewhere)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct QuestionView {
    pub answered: bool,
    /// The chosen cards, Other's included.
    pub chosen: Vec<usize>,
    pub other: String,
    pub text: String,
    pub note: String,
    pub note_open: bool,
    /// What its options are filtered by.
    pub filter: String,
    /// The cards that do not match it.
    pub hidden: Vec<usize>,
    pub error: Option<Phrase>,
    /// What the review says, a line each.
    pub summary: Vec<SummaryLine>,
    /// How full the fullest text box is, once that is worth knowing: bytes of [`MAX_TEXT`].
    pub fullness: Option<usize>,
}

/// A line of the review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SummaryLine {
    Card {
        index: usize,
    },
    Text {
        text: String,
    },
    /// How something that stood in the box was changed.
    Changes {
        lines: Vec<diff::Line>,
    },
    /// Something that must not be read over the person's shoulder.
    Secret,
}

/// What the main button does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Primary {
    Next,
    Review,
    Send,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct AsideView {
    pub kind: AsideKind,
    pub text: String,
    pub error: Option<Phrase>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct CountdownView {
    pub seconds: u64,
    pub paused: bool,
}

impl Session {
    pub fn view(&mut self, now: Instant) -> View {
        self.turn += 1;
        View {
            phase: self.phase(),
            turn: self.turn,
            armed: self.arming.tell(now),
            open: self.arming.is_open(),
            step: self.step,
            questions: (0..self.drafts.len()).map(|step| self.question_view(step)).collect(),
            complete: self.is_complete(),
            caller_left: self.caller_left,
            sets_aside: self.settings.closing == Closing::SetsAside,
            undo: self.declining.is_some(),
            primary: self.primary(),
            focus: self.focus,
            focus_turn: self.focus_turn,
            text_turn: self.text_turn,
            aside: self.aside.map(|kind| AsideView {
                kind,
                text: self.aside_texts.of(kind).clone(),
                error: self.aside_error.clone(),
            }),
            closing: self.closing,
            error: self.notice.clone().or_else(|| {
                let (_, error) = self.form_error.as_ref().filter(|(blamed, _)| blamed.is_none())?;
                Some(error.clone())
            }),
            countdown: self.countdown.as_ref().filter(|_| !self.caller_left).map(|countdown| {
                CountdownView {
                    seconds: countdown
                        .left(now)
                        .as_millis()
                        .div_ceil(1000)
                        .try_into()
                        .unwrap_or(u64::MAX),
                    paused: countdown.is_paused(now),
                }
            }),
            hints: self.hints(),
        }
    }

    fn question_view(&self, step: usize) -> QuestionView {
        let (question, draft) = (&self.dialog.questions[step], &self.drafts[step]);
        let error = self.error_of(step);
        let other = other_card(question).filter(|_| draft.other_chosen);
        let fullest = [&draft.other, &draft.text, &draft.note].into_iter().map(String::len).max();
        QuestionView {
            answered: self.fits(step) && !draft.is_empty(question) && !draft.is_default(question),
            chosen: draft.chosen.iter().copied().chain(other).collect(),
            other: draft.other.clone(),
            text: draft.text.clone(),
            note: draft.note.clone(),
            note_open: draft.note_open,
            filter: self.filters[step].clone(),
            hidden: self.hidden_cards(step),
            error: error
                .filter(|error| draft.tried || answer_error::is_too_much_text(error))
                .cloned(),
            summary: summary(question, draft),
            fullness: fullest.filter(|&bytes| bytes > MAX_TEXT * 4 / 5),
        }
    }

    fn phase(&self) -> Phase {
        match &self.outcome {
            None if self.declining.is_some() => Phase::Declined,
            None => Phase::Asking,
            Some(Outcome::Answered { .. }) if self.elsewhere => Phase::AnsweredElsewhere,
            Some(Outcome::Declined { .. } | Outcome::Clarify { .. } | Outcome::Dismissed)
                if self.elsewhere =>
            {
                Phase::EndedElsewhere
            }
            Some(Outcome::Answered { .. }) => Phase::Sent,
            Some(Outcome::Declined { .. }) => Phase::Declined,
            Some(Outcome::Clarify { .. }) => Phase::ClarifySent,
            Some(Outcome::TimedOut { .. }) => Phase::TimedOut,
            Some(Outcome::Withdrawn) => Phase::Withdrawn,
            Some(Outcome::Dismissed) => Phase::Over,
        }
    }

    pub(super) fn primary(&self) -> Primary {
        if !self.has_review() || self.is_review() {
            Primary::Send
        } else if self.page_of(self.step).end == self.dialog.questions.len() {
            Primary::Review
        } else {
            Primary::Next
        }
    }
}

fn summary(question: &Question, draft: &Draft) -> Vec<SummaryLine> {
    if draft.is_empty(question) {
        return Vec::new();
    }
    if cards(question) == 0 {
        let text = || SummaryLine::Text { text: draft.text.trim().to_owned() };
        return vec![match draft.changes(question) {
            Some(lines) => SummaryLine::Changes { lines },
            None if matches!(question.kind, Kind::Secret) => SummaryLine::Secret,
            None => text(),
        }];
    }
    let chosen = draft.chosen.iter().map(|&index| SummaryLine::Card { index });
    let other =
        draft.has_other().then(|| SummaryLine::Text { text: draft.other.trim().to_owned() });
    chosen.chain(other).collect()
}
