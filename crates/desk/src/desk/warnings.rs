//! What the person should know about their files, the most important first.

use std::path::PathBuf;

use askdeck_core::protocol::Warning;

use crate::{
    config::Unusable,
    paths,
    store::{StoreError, StoreNotice},
};

/// Each has a place of its own, so that none hides another for good.
#[derive(Default)]
pub(super) struct Warnings {
    /// Why what is given now is not kept.
    not_kept: Option<StoreError>,
    /// Where a damaged file is now.
    damaged: Option<PathBuf>,
    newer_dialogs: bool,
    config: Option<Unusable>,
}

impl Warnings {
    pub(super) fn new(config: Option<Unusable>, notice: Option<StoreNotice>) -> Self {
        let mut warnings = Self { config, ..Self::default() };
        if let Some(notice) = notice {
            warnings.add(notice);
        }
        warnings
    }

    /// Whether it is news. Of several reasons why nothing is kept the first stays: the others may
    /// follow from it.
    pub(super) fn add(&mut self, notice: StoreNotice) -> bool {
        match notice {
            StoreNotice::Damaged { file } => self.damaged = Some(file),
            StoreNotice::NotKept { .. } if self.not_kept.is_some() => return false,
            StoreNotice::NotKept { why } => self.not_kept = Some(why),
            StoreNotice::NewerDialogs => self.newer_dialogs = true,
        }
        true
    }

    /// Everything is kept again. Whether it was not.
    pub(super) fn end_not_kept(&mut self) -> bool {
        self.not_kept.take().is_some()
    }

    /// Whether nothing is kept because another program has locked the file.
    pub(super) fn is_locked(&self) -> bool {
        self.not_kept == Some(StoreError::Busy)
    }

    /// What there is to say first.
    pub(super) fn first(&self) -> Option<Warning> {
        if self.is_locked() {
            return Some(Warning::new("not_kept_yet", []));
        }
        if let Some(why) = &self.not_kept {
            let why = why.in_words(paths::language().words());
            return Some(Warning::new("not_kept", [("why", why)]));
        }
        if let Some(file) = &self.damaged {
            let file = file.display().to_string();
            return Some(Warning::new("store_damaged", [("file", file)]));
        }
        if self.newer_dialogs {
            return Some(Warning::new("store_newer", []));
        }
        let Unusable { file, problem } = self.config.as_ref()?;
        let values = [("problem", problem.clone()), ("file", file.display().to_string())];
        Some(Warning::new("config_wrong", values))
    }

    /// Where a damaged file is now.
    pub(super) fn damaged(&self) -> Option<String> {
        self.damaged.as_ref().map(|file| file.display().to_string())
    }

    /// Why questions are not kept, if they are not; for programs, which are told in English.
    pub(super) fn why_not_kept(&self) -> Option<String> {
        self.not_kept.as_ref().map(ToString::to_string)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_important_is_said_first_and_none_is_lost() {
        let config = Unusable { file: "config.toml".into(), problem: "line 1".into() };
        let mut warnings = Warnings::new(Some(config), None);
        let said =
            |warnings: &Warnings| serde_json::to_value(warnings.first()).unwrap()["word"].clone();
        assert_eq!(said(&warnings), "config_wrong");
        assert!(warnings.add(StoreNotice::NewerDialogs));
        assert_eq!(said(&warnings), "store_newer");
        assert!(warnings.add(StoreNotice::Damaged { file: "aside".into() }));
        assert_eq!(said(&warnings), "store_damaged");
        assert!(warnings.add(StoreNotice::NotKept { why: StoreError::Full }));
        assert!(!warnings.add(StoreNotice::NotKept { why: StoreError::NotThere }));
        assert_eq!(said(&warnings), "not_kept");
        assert_eq!(warnings.why_not_kept().as_deref(), Some("the disk is full; make room on it"));
        assert!(warnings.end_not_kept());
        assert!(!warnings.end_not_kept());
        assert_eq!(said(&warnings), "store_damaged");
    }
}
