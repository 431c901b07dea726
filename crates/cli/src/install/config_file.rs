//! A file that connects a client, and what is to be changed in it.

use std::path::{Path, PathBuf};

use super::{
    Change, InstallError,
    change::Backup,
    file,
    format::{Format, FormatError},
};

#[derive(Debug)]
pub struct ConfigFile {
    pub(super) path: PathBuf,
    pub(super) format: Format,
}

impl ConfigFile {
    /// What a project tells agents: in the file that has our paragraph already, else in AGENTS.md,
    /// or in CLAUDE.md if only that is there.
    pub fn in_project(file: Option<PathBuf>) -> Self {
        let named = |path| Self { path, format: Format::Paragraph };
        let candidates = || ["AGENTS.md", "CLAUDE.md"].into_iter().map(|name| named(name.into()));
        let has_us = |file: &Self| file.programs().is_ok_and(|programs| !programs.is_empty());
        file.map(named)
            .or_else(|| candidates().find(has_us))
            .or_else(|| candidates().find(|file| file.path.exists()))
            .unwrap_or_else(|| named("AGENTS.md".into()))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is to be done so that `program` is in the file; `None` if it is.
    pub fn install(&self, program: &str) -> Result<Option<Change>, InstallError> {
        let before = file::read(&self.path)?;
        let text = before.as_deref().unwrap_or_default();
        let after = self.format.insert(text, program).map_err(|error| self.broken(&error))?;
        if before.as_deref() == Some(&after) {
            return Ok(None);
        }
        let backup = match &before {
            _ if !self.format.keeps_backup() => Backup::Leave,
            // An older one must not be taken for what was here.
            None => Backup::Remove,
            Some(_) if self.is_in(text) && file::backup(&self.path).exists() => Backup::Leave,
            Some(_) => Backup::Make,
        };
        Ok(Some(Change { path: self.path.clone(), before, after: Some(after), backup }))
    }

    /// What is to be done so that we are not in the file; `None` if we are not.
    pub fn uninstall(&self) -> Result<Option<Change>, InstallError> {
        let Some(text) = file::read(&self.path)? else { return Ok(None) };
        let programs = self.format.programs(&text).map_err(|error| self.broken(&error))?;
        let Some(program) = programs.first() else { return Ok(None) };
        let kept = file::read_backup(&self.path)?.filter(|kept| !self.is_in(kept));
        let is_made_from = |text: &str, from: &str| {
            self.format.insert(from, program).is_ok_and(|made| made == text)
        };
        let after = match &kept {
            _ if self.format.is_all_ours() => None,
            // Nobody has changed it since.
            Some(kept) if is_made_from(&text, kept) => Some(kept.clone()),
            None if is_made_from(&text, "") => None,
            _ => {
                let without = self.format.remove(&text, kept.as_deref());
                Some(without.map_err(|error| self.broken(&error))?)
            }
        };
        let backup = if self.format.keeps_backup() { Backup::Remove } else { Backup::Leave };
        Ok(Some(Change { path: self.path.clone(), before: Some(text), after, backup }))
    }

    /// Which of our programs the file starts; none if we are not in it.
    pub fn programs(&self) -> Result<Vec<String>, InstallError> {
        let text = file::read(&self.path)?.unwrap_or_default();
        self.format.programs(&text).map_err(|error| self.broken(&error))
    }

    fn is_in(&self, text: &str) -> bool {
        self.format.programs(text).is_ok_and(|programs| !programs.is_empty())
    }

    fn broken(&self, error: &FormatError) -> InstallError {
        InstallError::Broken { path: self.path.clone(), why: error.to_string() }
    }
}
