//! What the window shows: one dialog at a time, or how the last one ended.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::{Deck, DialogEvent, Effect, Entry};
use crate::{
    dialog::Dialog,
    protocol::Ui,
    session::{Event, Phase, View},
};

/// How long the last state stays in sight when the person brought it about.
pub(super) const FAREWELL: Duration = Duration::from_millis(700);
/// How long it says that the question is gone when they did not.
pub(super) const UNEXPECTED: Duration = Duration::from_secs(3);

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

/// What is to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Staged {
    pub dialog: Arc<Dialog>,
    pub view: View,
}

impl Deck {
    /// The person wants to see a dialog, or any.
    pub fn show(&mut self, ticket: Option<&str>) -> Vec<Effect> {
        let mut effects = Vec::new();
        let chosen = match (ticket, &self.stage) {
            (Some(ticket), _) => self.entries.get(ticket),
            (None, Stage::Dialog(_)) => None,
            (None, _) => {
                let waiting = self.entries.iter().find(|entry| !entry.kept.set_aside);
                waiting.or_else(|| self.entries.iter().next())
            }
        };
        if let Some(ticket) = chosen.map(|entry| entry.ticket().to_owned()) {
            if let Some(entry) = self.entries.get_mut(&ticket) {
                // What was set aside is seen anew.
                entry.shown &= !std::mem::take(&mut entry.kept.set_aside);
            }
            self.put_on_stage(&ticket, &mut effects);
            effects.push(Effect::List);
        } else if matches!(self.stage, Stage::Dialog(_)) {
            effects.push(Effect::Stage);
        }
        effects
    }

    /// The window's own close button.
    pub fn close(&mut self, now: Instant) -> Vec<Effect> {
        match &self.stage {
            Stage::Nothing => Vec::new(),
            Stage::Dialog(ticket) => self.tell(&ticket.clone(), Event::CloseButton, now),
            Stage::Farewell { .. } => self.end_farewell(),
        }
    }

    /// The page has painted the dialog.
    pub fn shown(&mut self, ticket: &str) -> Vec<Effect> {
        let Some(entry) = self.entries.get_mut(ticket) else { return Vec::new() };
        if std::mem::replace(&mut entry.shown, true) {
            return Vec::new();
        }
        let dialog = Arc::clone(entry.session.dialog());
        vec![Effect::Happened { event: DialogEvent::Shown, dialog }, Effect::List]
    }

    /// What is to be drawn now.
    pub fn staged(&mut self, now: Instant) -> Option<Staged> {
        let Stage::Dialog(ticket) = &self.stage else { return None };
        let entry = self.entries.get_mut(ticket)?;
        let dialog = Arc::clone(entry.session.dialog());
        Some(Staged { dialog, view: entry.session.view(now) })
    }

    /// The dialog on the stage.
    pub fn on_stage(&self) -> Option<&Arc<Dialog>> {
        match &self.stage {
            Stage::Nothing => None,
            Stage::Dialog(ticket) => {
                let entry = self.entries.get(ticket)?;
                Some(entry.session.dialog())
            }
            Stage::Farewell { dialog, .. } => Some(dialog),
        }
    }

    /// Whether the page has painted what is on the stage.
    pub fn is_stage_painted(&self) -> bool {
        let Stage::Dialog(ticket) = &self.stage else { return true };
        self.entries.get(ticket).is_some_and(|entry| entry.shown)
    }

    /// Whether the window has nothing to show.
    pub fn is_stage_empty(&self) -> bool {
        matches!(self.stage, Stage::Nothing)
    }

    /// Shows a new dialog if the stage is free for it, and lists it in any case.
    pub(super) fn appear(&mut self, ticket: &str, ui: Ui, effects: &mut Vec<Effect>) {
        if self.may_come(ticket, ui) && self.is_stage_free_for(ticket) {
            self.put_on_stage(ticket, effects);
        }
        self.announce(ticket, ui, effects);
    }

    /// Tells of a dialog without showing it.
    pub(super) fn announce(&self, ticket: &str, ui: Ui, effects: &mut Vec<Effect>) {
        effects.push(Effect::List);
        if self.may_come(ticket, ui)
            && let Some(entry) = self.entries.get(ticket)
        {
            effects.push(Effect::Announce { dialog: Arc::clone(entry.session.dialog()) });
        }
    }

    /// Whether the person may be disturbed with it.
    fn may_come(&self, ticket: &str, ui: Ui) -> bool {
        // Without a tray, what is not on the stage when nothing else is would be nowhere.
        let can_wait = self.resident || !self.is_stage_empty();
        let is_hidden = |entry: &Entry| entry.unobtrusive && can_wait || entry.muted;
        let hidden = self.entries.get(ticket).is_none_or(is_hidden);
        !self.is_quiet() && !hidden && ui != Ui::Terminal
    }

    /// Whether nothing is to be seen but a farewell that tells the person nothing new, and nobody
    /// has waited longer.
    fn is_stage_free_for(&self, ticket: &str) -> bool {
        match &self.stage {
            Stage::Nothing => true,
            Stage::Dialog(_) => false,
            Stage::Farewell { view, .. } => {
                let mut others = self.entries.iter().filter(|entry| entry.ticket() != ticket);
                !view.phase.is_unexpected() && !others.any(Entry::is_in_line)
            }
        }
    }

    /// Shows how a dialog ended, if it is on the stage.
    pub(super) fn bid_farewell(
        &mut self,
        dialog: Arc<Dialog>,
        view: View,
        now: Instant,
        effects: &mut Vec<Effect>,
    ) {
        if !self.is_on_stage(&dialog.id) {
            return;
        }
        let unexpected = view.phase.is_unexpected();
        let has_more = self.entries.iter().any(Entry::is_in_line);
        // Nobody needs to be told that one is done while the next one waits.
        if view.phase == Phase::Over || has_more && !unexpected {
            self.clear_stage(&dialog.id, effects);
        } else {
            let until = now + if unexpected { UNEXPECTED } else { FAREWELL };
            self.stage = Stage::Farewell { dialog, view: Box::new(view), until };
        }
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

    pub(super) fn put_on_stage(&mut self, ticket: &str, effects: &mut Vec<Effect>) {
        if self.has_window {
            self.stage = Stage::Dialog(ticket.into());
            effects.push(Effect::Stage);
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
