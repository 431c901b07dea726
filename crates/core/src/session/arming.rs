//! The delay in which keys and clicks do nothing.
//!
//! A key or click that was already under way when the window appeared, or when it took the
//! keyboard, was meant for something else. So is every key that follows such a key without a pause.

use std::time::{Duration, Instant};

use super::burst::PAUSE;

/// How long nothing counts after a letter that no text box takes: its writer thinks that one does.
const AFTER_A_LETTER: Duration = Duration::from_millis(800);

pub(super) struct Arming {
    delay: Duration,
    /// `None` until the dialog is painted.
    armed_at: Option<Instant>,
    /// The first delay is over: text boxes take text from now on.
    open: bool,
    /// The mouse button that is down, or was last, went down when the dialog was armed.
    good_press: bool,
    /// The front end knows that the dialog is armed.
    told: bool,
    /// When a dialog that is not painted was first to be closed.
    close_asked: Option<Instant>,
}

impl Arming {
    pub(super) fn new(delay: Duration) -> Self {
        Self {
            delay,
            armed_at: None,
            open: false,
            good_press: false,
            told: false,
            close_asked: None,
        }
    }

    pub(super) fn shown(&mut self, now: Instant) {
        self.armed_at = self.armed_at.max(Some(now + self.delay));
        // The press may have come before the focus that it brought.
        self.good_press = false;
    }

    pub(super) fn focused(&mut self, now: Instant) {
        if self.armed_at.is_some() {
            self.shown(now);
        }
    }

    pub(super) fn pressed(&mut self, now: Instant) {
        self.good_press = self.is_armed(now);
    }

    /// A key came before the dialog was armed: what follows it without a pause is not meant for the
    /// dialog either.
    pub(super) fn too_early(&mut self, at: Instant) {
        self.focused(at);
        self.armed_at = self.armed_at.map(|armed_at| armed_at.max(at + PAUSE));
    }

    /// A letter came that no text box takes.
    pub(super) fn begin_anew(&mut self, at: Instant) {
        self.armed_at = self.armed_at.max(Some(at + self.delay.max(AFTER_A_LETTER)));
    }

    pub(super) fn is_armed(&mut self, now: Instant) -> bool {
        let armed = self.armed_at.is_some_and(|at| now >= at);
        self.open |= armed;
        armed
    }

    /// Whether a control may act; if `pointer`, it was used by a click of the mouse.
    pub(super) fn accepts(&mut self, now: Instant, pointer: bool) -> bool {
        self.is_armed(now) && (!pointer || self.good_press)
    }

    /// Whether the window may be closed.
    pub(super) fn lets_close(&mut self, now: Instant) -> bool {
        if self.armed_at.is_none() {
            // Perhaps it never will be painted, and nobody may be locked in: asking again closes it.
            return now >= *self.close_asked.get_or_insert(now) + self.delay;
        }
        let armed = self.is_armed(now);
        if !armed {
            self.too_early(now);
        }
        armed
    }

    /// Whether text boxes take text.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// The same as [`Self::is_armed`], for a front end that will know it from then on.
    pub(super) fn tell(&mut self, now: Instant) -> bool {
        self.told = self.is_armed(now);
        self.told
    }

    /// When the front end has to be told that the delay is over.
    pub(super) fn ends(&self) -> Option<Instant> {
        self.armed_at.filter(|_| !self.told)
    }
}
