//! What a front end draws: all that changes while a dialog is answered.

use std::{ops::Range, time::Instant};

use serde::Serialize;

use super::{
    Action, AsideKind, Button, CountdownView, Focus, Hint, MAX_TEXT, Session, answer_error, cards,
    draft::{Draft, typed},
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
    /// The word for how it ended.
    #[cfg_attr(feature = "types", ts(type = "Word | null"))]
    pub farewell: Option<&'static str>,
    /// Keys and clicks act.
    pub armed: bool,
    /// Text boxes take text.
    pub open: bool,
    /// The current question; one past the last is the review.
    pub step: usize,
    pub questions: Vec<QuestionView>,
    /// How far each page is: what its tab shows.
    pub pages: Vec<Progress>,
    /// The decline can still be taken back.
    pub undo: bool,
    /// The buttons beside the main one, in their order.
    pub buttons: Vec<Button>,
    /// The main button: it goes on, or sends. A decision has verbs instead.
    pub primary: Option<Button>,
    /// The main button has something to send or to go on with.
    pub ready: bool,
    /// Enter does what the main button does.
    pub enter: bool,
    pub focus: Focus,
    /// Changes when the front end must move the keyboard to `focus`.
    pub focus_turn: u32,
    /// Changes when texts were given elsewhere, and must be taken over even where one is typing.
    pub text_turn: u32,
    pub aside: Option<AsideView>,
    /// The card of the current question whose preview is shown, if any card has one.
    pub previewed: Option<usize>,
    /// What is to be said about the dialog as a whole.
    pub notice: Option<Notice>,
    pub countdown: Option<CountdownView>,
    /// The keys that work now.
    pub hints: Vec<Hint>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Notice {
    #[serde(flatten)]
    pub phrase: Phrase,
    pub tone: Tone,
    /// If it asks something: the answers to that.
    pub buttons: Vec<Button>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// Good to know; nothing is wrong.
    Information,
    /// Something would be lost, or does not work.
    Warning,
}

impl Notice {
    fn new(phrase: Phrase) -> Self {
        let tone = match phrase.word {
            "caller_left" | "choose_first" | "enter_again" => Tone::Information,
            _ => Tone::Warning,
        };
        Self { phrase, tone, buttons: Vec::new() }
    }
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
    /// After a dialog has ended so, here or at another front end.
    pub fn of(outcome: &Outcome, elsewhere: bool) -> Self {
        match outcome {
            Outcome::Answered { .. } if elsewhere => Self::AnsweredElsewhere,
            Outcome::Declined { .. } | Outcome::Clarify { .. } | Outcome::Dismissed
                if elsewhere =>
            {
                Self::EndedElsewhere
            }
            Outcome::Answered { .. } => Self::Sent,
            Outcome::Declined { .. } => Self::Declined,
            Outcome::Clarify { .. } => Self::ClarifySent,
            Outcome::TimedOut { .. } => Self::TimedOut,
            Outcome::Withdrawn => Self::Withdrawn,
            Outcome::Dismissed => Self::Over,
        }
    }

    /// A key into the words for how it ended, if there is something to say.
    pub fn farewell(self) -> Option<&'static str> {
        match self {
            Self::Asking | Self::Over => None,
            Self::Sent => Some("sent"),
            Self::Declined => Some("declined"),
            Self::ClarifySent => Some("clarify_sent"),
            Self::TimedOut => Some("timed_out"),
            Self::Withdrawn => Some("withdrawn"),
            Self::AnsweredElsewhere => Some("answered_elsewhere"),
            Self::EndedElsewhere => Some("ended_elsewhere"),
        }
    }

    /// Whether it ended without the doing of the person in front of it.
    pub fn is_unexpected(self) -> bool {
        use Phase::{AnsweredElsewhere, EndedElsewhere, TimedOut, Withdrawn};
        matches!(self, TimedOut | Withdrawn | AnsweredElsewhere | EndedElsewhere)
    }
}

/// How far a question is, or a page of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// There is something left to do.
    Open,
    Answered,
    /// Optional, and passed over without an answer.
    Skipped,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct QuestionView {
    pub progress: Progress,
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
    /// How full the fullest text box is, once that is worth knowing.
    pub fullness: Option<Phrase>,
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
    /// Nothing, though an answer is needed.
    NotAnswered,
    /// Nothing, and nothing is needed.
    Skipped,
    Note {
        text: String,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct AsideView {
    pub kind: AsideKind,
    /// What it covers, or whom it goes to.
    pub title: Phrase,
    pub text: String,
    pub error: Option<Phrase>,
}

impl Session {
    pub fn view(&mut self, now: Instant) -> View {
        self.turn += 1;
        View {
            phase: self.phase(),
            farewell: self.phase().farewell(),
            turn: self.turn,
            armed: self.arming.tell(now),
            open: self.arming.is_open(),
            step: self.step,
            questions: (0..self.drafts.len()).map(|step| self.question_view(step)).collect(),
            pages: self.pages.iter().map(|page| self.progress_of_page(page.clone())).collect(),
            undo: self.declining.is_some(),
            buttons: self.buttons(),
            primary: self.primary(),
            ready: self.is_ready(),
            enter: self.enter_goes_on(),
            focus: self.focus,
            focus_turn: self.focus_turn,
            text_turn: self.text_turn,
            aside: self.aside.map(|kind| AsideView {
                kind,
                title: self.aside_title(kind),
                text: self.aside_texts.of(kind).clone(),
                error: self.aside_error.clone(),
            }),
            previewed: self.previewed(),
            notice: self.notice(),
            countdown: self.countdown.as_ref().filter(|_| !self.caller_left).map(|it| it.view(now)),
            hints: self.hints(),
        }
    }

    fn question_view(&self, step: usize) -> QuestionView {
        let (question, draft) = (&self.dialog.questions[step], &self.drafts[step]);
        let error = self.error_of(step);
        QuestionView {
            progress: self.progress(step),
            chosen: draft.chosen(question).collect(),
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
            fullness: fullness(draft),
        }
    }

    fn progress(&self, step: usize) -> Progress {
        let (question, draft) = (&self.dialog.questions[step], &self.drafts[step]);
        if draft.is_empty(question) {
            let is_skipped = draft.tried && !question.required;
            return if is_skipped { Progress::Skipped } else { Progress::Open };
        }
        let is_answered = self.fits(step) && !draft.is_default(question);
        if is_answered { Progress::Answered } else { Progress::Open }
    }

    /// Fields that were skipped leave nothing to do on a page whose others are answered.
    fn progress_of_page(&self, mut page: Range<usize>) -> Progress {
        let is = |progress| move |step| self.progress(step) == progress;
        if page.clone().any(is(Progress::Open)) {
            Progress::Open
        } else if page.any(is(Progress::Answered)) {
            Progress::Answered
        } else {
            Progress::Skipped
        }
    }

    pub(super) fn phase(&self) -> Phase {
        match &self.outcome {
            None if self.declining.is_some() => Phase::Declined,
            None => Phase::Asking,
            Some(outcome) => Phase::of(outcome, self.elsewhere),
        }
    }

    fn notice(&self) -> Option<Notice> {
        if self.closing {
            let buttons = vec![
                Button::new("go_back", Action::KeepAnswering),
                Button::new("close", Action::Close),
            ];
            return Some(Notice { buttons, ..Notice::new(Phrase::new("close_loses")) });
        }
        let form_error = self.form_error.as_ref().filter(|(question, _)| question.is_none());
        let form_error = form_error.map(|(_, error)| error);
        // What was just done is more than what has been so for a while.
        let said = self.notice.as_ref().or(form_error).cloned().or_else(|| {
            let left = self.caller_left && self.phase() == Phase::Asking;
            left.then(|| Phrase::new("caller_left"))
        });
        said.map(Notice::new)
    }

    /// The card under the cursor, else the first chosen one, else the last that was previewed.
    fn previewed(&mut self) -> Option<usize> {
        let question = self.dialog.questions.get(self.step).filter(|_| self.aside.is_none())?;
        question.options().iter().find(|option| option.preview.is_some())?;
        let card = &mut self.previewed[self.step];
        let chosen = self.drafts[self.step].chosen(question).next();
        *card = match self.focus {
            Focus::Card { index } => index,
            _ => chosen.unwrap_or(*card),
        };
        Some(*card)
    }
}

fn fullness(draft: &Draft) -> Option<Phrase> {
    let fullest = [&draft.other, &draft.text, &draft.note].into_iter().map(String::len).max();
    let bytes = fullest.filter(|&bytes| bytes > MAX_TEXT * 4 / 5)?;
    let tenths = bytes * 10 / 1024;
    let used = format!("{}.{}", tenths / 10, tenths % 10);
    Some(Phrase::with("limit", [("used", used), ("limit", (MAX_TEXT / 1024).to_string())]))
}

fn summary(question: &Question, draft: &Draft) -> Vec<SummaryLine> {
    let mut lines = answer_lines(question, draft);
    if lines.is_empty() {
        lines.push(if question.required { SummaryLine::NotAnswered } else { SummaryLine::Skipped });
    }
    lines.extend(typed(&draft.note).map(|text| SummaryLine::Note { text }));
    lines
}

fn answer_lines(question: &Question, draft: &Draft) -> Vec<SummaryLine> {
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
