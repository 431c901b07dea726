//! What was changed between two drafts. Front ends tell each other this and not whole drafts, so
//! that what is typed into one box never takes the place of what is typed into another at the same
//! moment. For one box the last that was written counts.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Saved, draft::Draft, ending::AsideTexts};

/// What is absent was not changed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Update {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) step: Option<usize>,
    /// One for each question, or none at all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) drafts: Vec<DraftUpdate>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) asides: AsidesUpdate,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct DraftUpdate {
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<BTreeSet<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other_chosen: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note_open: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tried: Option<bool>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct AsidesUpdate {
    #[serde(skip_serializing_if = "Option::is_none")]
    decline: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clarify: Option<String>,
}

impl Saved {
    /// What was changed since an earlier draft of the same dialog; all of it if there was none.
    pub fn since(&self, earlier: Option<&Self>) -> Update {
        let before = |step| earlier.and_then(|earlier| earlier.drafts.get(step));
        let drafts = self.drafts.iter().enumerate();
        let drafts: Vec<_> = drafts.map(|(step, draft)| draft.since(before(step))).collect();
        Update {
            step: changed(&self.step, earlier.map(|earlier| &earlier.step)),
            drafts: if drafts.iter().all(is_default) { Vec::new() } else { drafts },
            asides: self.asides.since(earlier.map(|earlier| &earlier.asides)),
        }
    }

    pub fn take(&mut self, update: &Update) {
        set(&mut self.step, update.step.as_ref());
        for (draft, update) in self.drafts.iter_mut().zip(&update.drafts) {
            draft.take(update);
        }
        self.asides.take(&update.asides);
    }
}

impl Update {
    pub fn is_empty(&self) -> bool {
        is_default(self)
    }

    /// Leaves out what another one changes, too.
    pub fn leave_out(&mut self, other: &Self) {
        clear(&mut self.step, other.step.as_ref());
        for (draft, other) in self.drafts.iter_mut().zip(&other.drafts) {
            draft.leave_out(other);
        }
        clear(&mut self.asides.decline, other.asides.decline.as_ref());
        clear(&mut self.asides.clarify, other.asides.clarify.as_ref());
    }

    /// Goes on with what a later one changes, too: its texts are added, and its choices count.
    pub fn come_before(&mut self, later: &Self) {
        let mut texts = later.clone();
        for (draft, later) in self.drafts.iter_mut().zip(&mut texts.drafts) {
            add(&mut draft.text, &mut later.text);
            add(&mut draft.other, &mut later.other);
            add(&mut draft.note, &mut later.note);
        }
        add(&mut self.asides.decline, &mut texts.asides.decline);
        add(&mut self.asides.clarify, &mut texts.asides.clarify);
        self.leave_out(&texts);
    }
}

impl Draft {
    fn since(&self, earlier: Option<&Self>) -> DraftUpdate {
        // One choice: what is chosen and whether Other is make sense only together.
        let choice = |draft: &Self| (draft.chosen.clone(), draft.other_chosen);
        let choice = changed(&choice(self), earlier.map(choice).as_ref());
        let (chosen, other_chosen) = choice.unzip();
        DraftUpdate {
            chosen,
            other_chosen,
            other: changed(&self.other, earlier.map(|earlier| &earlier.other)),
            text: changed(&self.text, earlier.map(|earlier| &earlier.text)),
            note: changed(&self.note, earlier.map(|earlier| &earlier.note)),
            note_open: changed(&self.note_open, earlier.map(|earlier| &earlier.note_open)),
            tried: changed(&self.tried, earlier.map(|earlier| &earlier.tried)),
        }
    }

    pub(super) fn take(&mut self, update: &DraftUpdate) {
        set(&mut self.chosen, update.chosen.as_ref());
        set(&mut self.other_chosen, update.other_chosen.as_ref());
        set(&mut self.other, update.other.as_ref());
        set(&mut self.text, update.text.as_ref());
        set(&mut self.note, update.note.as_ref());
        set(&mut self.note_open, update.note_open.as_ref());
        set(&mut self.tried, update.tried.as_ref());
    }
}

impl DraftUpdate {
    fn leave_out(&mut self, other: &Self) {
        clear(&mut self.chosen, other.chosen.as_ref());
        clear(&mut self.other_chosen, other.other_chosen.as_ref());
        clear(&mut self.other, other.other.as_ref());
        clear(&mut self.text, other.text.as_ref());
        clear(&mut self.note, other.note.as_ref());
        clear(&mut self.note_open, other.note_open.as_ref());
        clear(&mut self.tried, other.tried.as_ref());
    }
}

impl AsideTexts {
    fn since(&self, earlier: Option<&Self>) -> AsidesUpdate {
        AsidesUpdate {
            decline: changed(&self.decline, earlier.map(|earlier| &earlier.decline)),
            clarify: changed(&self.clarify, earlier.map(|earlier| &earlier.clarify)),
        }
    }

    pub(super) fn take(&mut self, update: &AsidesUpdate) {
        set(&mut self.decline, update.decline.as_ref());
        set(&mut self.clarify, update.clarify.as_ref());
    }
}

fn changed<T: Clone + PartialEq>(now: &T, before: Option<&T>) -> Option<T> {
    (Some(now) != before).then(|| now.clone())
}

fn set<T: Clone>(place: &mut T, value: Option<&T>) {
    if let Some(value) = value {
        place.clone_from(value);
    }
}

fn clear<T>(place: &mut Option<T>, other: Option<&T>) {
    if other.is_some() {
        *place = None;
    }
}

/// Adds a later text to one that is there, and takes it from where it was.
fn add(place: &mut Option<String>, later: &mut Option<String>) {
    let Some(text) = place.as_mut().filter(|text| !text.is_empty()) else { return };
    match later.take() {
        Some(later) if !later.is_empty() => *text = format!("{text} {later}"),
        _ => {}
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
