//! What is to become of a file: to look at first, then to be done.

use std::path::{Path, PathBuf};

use similar::TextDiff;

use super::{InstallError, file};

#[derive(Debug)]
pub struct Change {
    pub(super) path: PathBuf,
    /// `None` if there is no file.
    pub(super) before: Option<String>,
    /// `None` if there is to be none.
    pub(super) after: Option<String>,
    pub(super) backup: Backup,
}

/// What becomes of the copy beside the file: how it was before Askdeck came.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Backup {
    Make,
    Leave,
    Remove,
}

impl Change {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder that must be made for it.
    pub fn new_folder(&self) -> Option<&Path> {
        self.path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists())
    }

    /// A unified diff, which `patch` could apply.
    pub fn diff(&self) -> String {
        let name = |text: &Option<String>| match text {
            Some(_) => self.path.display().to_string(),
            None => "/dev/null".into(),
        };
        let [before, after] = [&self.before, &self.after].map(|text| text.as_deref().unwrap_or(""));
        TextDiff::from_lines(before, after)
            .unified_diff()
            .header(&name(&self.before), &name(&self.after))
            .to_string()
    }

    /// Does it, and says what was done.
    pub fn make(&self) -> Result<String, InstallError> {
        // Whoever looked at the difference has agreed to that one alone.
        if file::read(&self.path)? != self.before {
            return Err(InstallError::Changed(self.path.clone()));
        }
        let backup = file::backup(&self.path);
        if let (Backup::Make, Some(before)) = (&self.backup, &self.before) {
            file::keep(&self.path, before)?;
        }
        let done = self.replace();
        // Nobody needs a copy of what is there.
        if let (Backup::Make, Err(_)) | (Backup::Remove, Ok(())) = (&self.backup, &done) {
            file::remove_backup(&self.path)?;
        }
        done?;
        let path = self.path.display();
        Ok(match (&self.after, &self.backup) {
            (None, _) => format!("removed `{path}`"),
            (Some(_), Backup::Make) => {
                format!("wrote `{path}`; backup: `{}`", backup.display())
            }
            (Some(_), _) => format!("wrote `{path}`"),
        })
    }

    fn replace(&self) -> Result<(), InstallError> {
        match &self.after {
            Some(after) => file::write(&self.path, after),
            None => file::remove(&self.path),
        }
    }
}
