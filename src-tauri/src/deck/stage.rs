//! What the window shows: one dialog at a time, or how the last one ended.

use std::{sync::Arc, time::Instant};

use super::{Deck, Effect, Entry};
use crate::{dialog::Dialog, session::View};

/// What the window shows.
pub(super) enum Stage {
    Nothing,
    Dialog(String),
    /// How a dialog ended.
    Farewell {
        dialog: Arc<Dialog>,
        view: Box<View>,
        until: Instant,
    },
}

impl Deck {
    pub(super) fn waits_for_the_person(&self) -> bool {
        self.entries.iter().any(Entry::is_in_line)
    }

    pub(super) fn end_farewell(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.stage = Stage::Nothing;
        self.bring_next(&mut effects);
        effects
    }

    pub(super) fn clear_stage(&mut self, ticket: &str, effects: &mut Vec<Effect>) {
        if self.is_on_stage(ticket) {
            self.stage = Stage::Nothing;
            self.bring_next(effects);
        }
    }

    /// First come, first served; whoever asked too much is served as well, now that the person is
    /// at the window anyway.
    pub(super) fn bring_next(&mut self, effects: &mut Vec<Effect>) {
        let next = self.entries.iter().find(|entry| entry.is_in_line() && !self.is_quiet());
        match next.map(|entry| entry.ticket().to_owned()) {
            Some(ticket) => self.put_on_stage(&ticket, effects),
            None => effects.push(Effect::Stage),
        }
    }

    pub(super) fn is_on_stage(&self, ticket: &str) -> bool {
        match &self.stage {
            Stage::Nothing => false,
            Stage::Dialog(staged) => staged == ticket,
            Stage::Farewell { dialog, .. } => dialog.id == ticket,
        }
    }

    pub(super) fn farewell_of(&self, ended: &str) -> Option<&View> {
        match &self.stage {
            Stage::Farewell { dialog, view, .. } if dialog.id == ended => Some(view),
            _ => None,
        }
    }
}
