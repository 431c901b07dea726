//! A dialog being answered: events in, view out.
//!
//! Tabs, cursor, selection, review, completeness, arming and what each key means live here, so
//! that the window and the terminal only draw a [`View`] and send [`Event`]s and cannot disagree.
//! No I/O and no clock: the caller says what time it is.

use std::{
    ops::Range,
    sync::Arc,
    time::{Duration, Instant},
};

use crate::{
    dialog::{Dialog, Kind, Layout, Question},
    outcome::{Answer, Outcome},
    words::Phrase,
};

mod answer_error;
mod arming;
mod burst;
mod buttons;
mod checked_outcome;
mod checks;
mod countdown;
mod decide;
mod draft;
mod ending;
mod event;
mod filter;
mod hints;
mod keys;
mod numbers;
mod pages;
mod saved;
mod steps;
mod update;
mod view;

#[cfg(test)]
mod tests;

pub use answer_error::FormError;
pub use buttons::Button;
pub use checked_outcome::CheckedOutcome;
pub use checks::{Checks, Verdicts};
pub use countdown::CountdownView;
pub use decide::words_box;
pub use event::{Action, AsideKind, Direction, Event, Focus, Key, TextField};
pub use filter::can_filter;
pub use hints::Hint;
pub use numbers::Numbers;
pub use saved::Saved;
pub use update::Update;
pub use view::{AsideView, Notice, Phase, Progress, QuestionView, SummaryLine, Tone, View};

use arming::Arming;
use burst::Burst;
use checks::{Intent, Validity};
use countdown::Countdown;
use draft::Draft;
use ending::AsideTexts;

/// The most bytes that a text box may hold.
pub const MAX_TEXT: usize = 32 * 1024;

/// How a session behaves, whatever the dialog.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// How long keys and clicks do nothing after the window appeared or took the keyboard.
    pub arming: Duration,
    pub closing: Closing,
    /// How long a decline can be taken back before anybody hears of it.
    pub undo: Duration,
    pub numbers: Numbers,
}

/// What closing the window, or Esc, does to the dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// There is nowhere to come back to: it ends with [`Outcome::Dismissed`].
    Dismisses,
    /// It stays pending, out of sight.
    SetsAside,
}

pub struct Session {
    dialog: Arc<Dialog>,
    settings: Settings,
    drafts: Vec<Draft>,
    /// What is known about each of them.
    validity: Vec<Validity>,
    /// Counts the changes of the drafts, so that a verdict about earlier ones can be told.
    answers_turn: u64,
    /// Checks were handed out, and their verdicts have not come back.
    checking: bool,
    /// What the person wants to do as soon as they have.
    intent: Option<Intent>,
    /// What the answers together have wrong, until something is changed.
    form_error: Option<FormError>,
    layout: Layout,
    pages: Vec<Range<usize>>,
    /// What the options of each question are filtered by.
    filters: Vec<String>,
    /// The verb that was taken though it cannot carry the words that were typed: the next time it is
    /// sent without them.
    overruled: Option<usize>,
    /// The current question; one past the last is the review.
    step: usize,
    /// The card of each question whose preview was shown last.
    previewed: Vec<usize>,
    /// Where the keyboard is.
    focus: Focus,
    /// Where the current step is answered, or was before the person turned to something else.
    answer_focus: Focus,
    /// Counts the times that the session, not the person, moved the keyboard focus.
    focus_turn: u32,
    /// Counts the times that drafts of another front end were taken over.
    text_turn: u32,
    /// The person does something else than answering: they decline, or ask a question of their own.
    aside: Option<AsideKind>,
    /// What was typed there; it stays when the person goes back to answering.
    aside_texts: AsideTexts,
    aside_error: Option<Phrase>,
    /// The decline that nobody has heard of yet, and until when.
    declining: Option<(Outcome, Instant)>,
    /// Set once closing was asked for and would lose typed text: the next time closes.
    closing: bool,
    /// The person put the dialog out of sight, and nobody has taken note of it yet.
    set_aside: bool,
    /// Nobody waits for the answer now; it will be kept.
    caller_left: bool,
    /// Counts the views, so that a front end can tell the newest.
    turn: u64,
    arming: Arming,
    burst: Burst,
    /// Why the last key did nothing, where the person should know.
    notice: Option<Phrase>,
    countdown: Option<Countdown>,
    outcome: Option<Outcome>,
    /// It ended at another front end.
    elsewhere: bool,
}

impl Session {
    pub fn new(dialog: impl Into<Arc<Dialog>>, settings: Settings, now: Instant) -> Self {
        let dialog = dialog.into();
        let mut session = Self {
            settings,
            drafts: dialog.questions.iter().map(Draft::new).collect(),
            validity: dialog.questions.iter().map(|_| Validity::Valid).collect(),
            answers_turn: 0,
            checking: false,
            intent: None,
            form_error: None,
            layout: dialog.layout(),
            pages: dialog.pages(),
            filters: vec![String::new(); dialog.questions.len()],
            overruled: None,
            step: 0,
            previewed: vec![0; dialog.questions.len()],
            focus: Focus::Button,
            answer_focus: Focus::Button,
            focus_turn: 0,
            text_turn: 0,
            aside: None,
            aside_texts: AsideTexts::default(),
            aside_error: None,
            declining: None,
            closing: false,
            set_aside: false,
            caller_left: false,
            turn: 0,
            arming: Arming::new(settings.arming),
            burst: Burst::default(),
            notice: None,
            countdown: dialog.timeout.map(|limit| Countdown::new(limit, now)),
            outcome: None,
            elsewhere: false,
            dialog,
        };
        session.recheck_all();
        session.enter_step(0);
        session
    }

    pub fn dialog(&self) -> &Arc<Dialog> {
        &self.dialog
    }

    /// How the dialog ended, once it has.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// Whether the person has just put the dialog out of sight.
    pub fn take_set_aside(&mut self) -> bool {
        std::mem::take(&mut self.set_aside)
    }

    /// When the session wants its next [`Event::Tick`] while the person sees it.
    pub fn next_tick(&self) -> Option<Instant> {
        self.next(Countdown::next_sight)
    }

    /// The same while nobody sees it.
    pub fn next_tick_unseen(&self) -> Option<Instant> {
        self.next(Countdown::deadline)
    }

    fn next(&self, of_countdown: impl Fn(&Countdown) -> Option<Instant>) -> Option<Instant> {
        if self.outcome.is_some() {
            return None;
        }
        let last = match &self.declining {
            // Until it is taken back, the deadline ends nothing.
            Some((_, until)) => Some(*until),
            None if self.is_being_sent() => None,
            None => self.countdown.as_ref().and_then(of_countdown),
        };
        [self.arming.ends(), last].into_iter().flatten().min()
    }

    /// How long the person has from now on; for ever if there is no limit.
    pub fn set_limit(&mut self, limit: Option<Duration>, now: Instant) {
        Arc::make_mut(&mut self.dialog).timeout = limit;
        self.countdown = limit.map(|limit| Countdown::new(limit, now));
    }

    /// How much time the person has left, if it is limited.
    pub fn time_left(&self, now: Instant) -> Option<Duration> {
        Some(self.countdown.as_ref()?.left(now))
    }

    /// Whether keys do something now.
    pub fn is_armed(&mut self, now: Instant) -> bool {
        self.arming.is_armed(now)
    }

    pub fn apply(&mut self, event: Event, now: Instant) -> View {
        if self.outcome.is_none() {
            self.handle(event, now);
        }
        self.view(now)
    }

    fn handle(&mut self, event: Event, now: Instant) {
        if event.is_of_the_person()
            && let Some(countdown) = &mut self.countdown
        {
            countdown.touch(now);
        }
        match event {
            Event::Shown => self.arming.shown(now),
            Event::WindowFocused => self.arming.focused(now),
            Event::Press => self.arming.pressed(now),
            Event::Key(key) => self.press(&key, now),
            Event::Do { action, pointer } => {
                self.notice = None;
                if !pointer && self.is_straying(now) {
                    self.say_how_to_send();
                } else if self.arming.accepts(now, pointer) {
                    self.act(action, now);
                }
            }
            Event::Text { question, field, text } => self.write(question, field, text),
            Event::Moved { focus } => self.rest_at(focus),
            Event::Field { question } => self.enter_field(question),
            // That it came is all it says.
            Event::Stirred => {}
            Event::CloseButton => {
                self.hear(now);
                if self.arming.lets_close(now) && !self.is_straying(now) {
                    self.close();
                }
            }
            Event::Interrupt => self.close(),
            Event::Tick => self.tick(now),
            Event::Withdrawn => self.outcome = Some(Outcome::Withdrawn),
            Event::CallerLeft => self.set_caller_left(true, now),
            Event::CallerBack => self.set_caller_left(false, now),
        }
    }

    fn set_caller_left(&mut self, left: bool, now: Instant) {
        self.caller_left = left;
        if let Some(countdown) = &mut self.countdown {
            countdown.stop(left, now);
        }
    }

    fn act(&mut self, action: Action, now: Instant) {
        if self.declining.is_some() {
            return self.act_on_decline(action);
        }
        self.closing &= action == Action::Close;
        match action {
            Action::Choose { card } if self.is_decision() => self.decide(card, now),
            Action::Choose { card } => self.choose(card),
            Action::ChooseAndGoOn { card } => self.choose_and_go_on(card, now),
            Action::MoveTo { card } => self.move_focus(Focus::Card { index: card }),
            Action::Move { direction } => self.move_cursor(direction),
            Action::ChooseHereAndGoOn => self.choose_here_and_go_on(now),
            Action::Go { step } => self.go(step),
            Action::Turn { direction } => self.turn(direction),
            Action::GoOn => self.go_on(now),
            Action::NextField => self.next_field(),
            Action::SendNow => self.send(),
            Action::LeaveText => self.leave_text(),
            Action::OpenNote => self.open_note(),
            Action::OpenAside { aside } => self.open_aside(aside),
            Action::CloseAside => self.close_aside(),
            Action::SendAside => self.send_aside(now),
            // Only a decline can be taken back.
            Action::Undo => {}
            Action::KeepAnswering => self.return_to_answer(),
            Action::Close => self.close(),
        }
    }

    /// The current question, unless this is the review.
    fn question(&self) -> Option<&Question> {
        self.dialog.questions.get(self.step)
    }

    fn choose(&mut self, card: usize) {
        let Some(question) = self.dialog.questions.get(self.step) else { return };
        if card >= cards(question) {
            return;
        }
        let draft = &mut self.drafts[self.step];
        draft.choose(question, card);
        let opens_other = other_card(question) == Some(card) && draft.other_chosen;
        self.recheck(self.step);
        self.move_focus(if opens_other { Focus::Other } else { Focus::Card { index: card } });
    }

    /// Looks for what is wrong with an answer that has changed. What the person wanted to do with
    /// the one before it is no longer wanted.
    fn recheck(&mut self, step: usize) {
        self.form_error = None;
        self.intent = None;
        self.answers_turn += 1;
        let question = &self.dialog.questions[step];
        self.validity[step] = self.drafts[step].validity(question, self.settings.numbers);
    }

    fn recheck_all(&mut self) {
        (0..self.drafts.len()).for_each(|step| self.recheck(step));
    }

    /// A double click answers a question that takes one option.
    fn choose_and_go_on(&mut self, card: usize, now: Instant) {
        let Some(question) = self.question() else { return };
        if question.is_multi() || card >= question.options().len() {
            return;
        }
        if !self.drafts[self.step].is_chosen(question, card) {
            self.choose(card);
        }
        self.go_on(now);
    }

    fn choose_here_and_go_on(&mut self, now: Instant) {
        if let (Focus::Card { index }, Some(question)) = (self.focus, self.question()) {
            if self.is_decision() {
                return self.decide(index, now);
            }
            let draft = &self.drafts[self.step];
            if other_card(question) == Some(index) && !draft.has_other() {
                let open = draft.other_chosen;
                return if open { self.move_focus(Focus::Other) } else { self.choose(index) };
            }
            // In a multiple choice Enter confirms the selection, and selects only if there is none.
            let selects = !question.is_multi() || draft.is_empty(question);
            if selects && !draft.is_chosen(question, index) {
                self.choose(index);
            }
        } else if self.needs_choice() {
            return self.say_how_to_send();
        }
        if self.is_form() {
            return self.next_field();
        }
        self.go_on(now);
    }

    fn write(&mut self, step: usize, field: TextField, text: String) {
        self.closing = false;
        self.notice = None;
        self.overruled = None;
        self.aside_error = None;
        match field {
            TextField::Decline => self.aside_texts.decline = text,
            TextField::Clarify => self.aside_texts.clarify = text,
            TextField::Filter => {
                if let Some(filter) = self.filters.get_mut(step) {
                    *filter = text;
                }
            }
            TextField::Other | TextField::Text | TextField::Note => {
                let Some(draft) = self.drafts.get_mut(step) else { return };
                match field {
                    TextField::Other => draft.write_other(&self.dialog.questions[step], text),
                    TextField::Note => draft.note = text,
                    _ => draft.text = text,
                }
                self.recheck(step);
            }
        }
    }

    fn open_note(&mut self) {
        if self.question().is_some_and(|question| question.notes) {
            self.drafts[self.step].note_open = true;
            self.move_focus(Focus::Note);
        }
    }

    fn answers(&self) -> Vec<Answer> {
        self.dialog
            .questions
            .iter()
            .zip(&self.drafts)
            .map(|(question, draft)| draft.answer(question))
            .collect()
    }

    fn error_of(&self, step: usize) -> Option<&Phrase> {
        match &self.validity[step] {
            Validity::Invalid(error) => Some(error),
            Validity::Valid | Validity::Unknown(_) => {
                let of_form = self.form_error.as_ref().filter(|(at, _)| *at == Some(step));
                of_form.map(|(_, error)| error)
            }
        }
    }

    /// Whether it is known that nothing is wrong with the answer.
    fn fits(&self, step: usize) -> bool {
        matches!(self.validity[step], Validity::Valid) && self.error_of(step).is_none()
    }

    fn is_complete(&self) -> bool {
        (0..self.drafts.len()).all(|step| self.fits(step))
    }
}

/// How many cards the question shows, the one for Other included.
fn cards(question: &Question) -> usize {
    match question.kind {
        Kind::Single { .. } | Kind::Multi { .. } => {
            question.options().len() + usize::from(question.has_other())
        }
        Kind::Confirm { .. } | Kind::Boolean { .. } | Kind::Link { .. } => 2,
        Kind::Text { .. } | Kind::Number { .. } | Kind::Json { .. } | Kind::Secret => 0,
    }
}

/// The card for Other: always the last.
fn other_card(question: &Question) -> Option<usize> {
    question.has_other().then(|| question.options().len())
}
