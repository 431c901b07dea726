//! What the person has set: `config.toml`, every line of it optional.

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::Deserialize;

use crate::files;

/// Far more than all its lines with a comment each.
const LARGEST: u64 = 1024 * 1024;

/// 0 turns the delay off; with more than this, people would wait.
const ARMING_LIMITS: std::ops::RangeInclusive<u64> = 0..=5_000;

/// In days. At least one, so that people can look back at what they have just answered.
const HISTORY_LIMITS: std::ops::RangeInclusive<u64> = 1..=36_500;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Whether the window takes the keyboard when it appears.
    pub focus: FocusPolicy,
    /// How long keys and clicks do nothing after that.
    pub arming_ms: u64,
    /// Whether a new question is to be heard.
    pub sound: bool,
    /// For how long an answer that reached nobody is given to the next caller that asks the same.
    pub reuse_minutes: u64,
    /// Whether other programs may answer in the person's place.
    pub answers_over_socket: bool,
    /// For how many days past dialogs are kept; for ever if absent.
    pub history_days: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FocusPolicy {
    Never,
    /// Only from hands that rest.
    Idle,
    Always,
}

/// A file that cannot be used.
#[derive(Debug)]
pub struct Unusable {
    pub file: PathBuf,
    /// One short clause.
    pub problem: String,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            focus: FocusPolicy::Idle,
            arming_ms: 400,
            sound: false,
            reuse_minutes: 15,
            answers_over_socket: false,
            history_days: None,
        }
    }
}

impl Config {
    /// Reads the file. One that cannot be used is reported, and ignored.
    pub fn read(file: Option<&Path>) -> (Self, Option<Unusable>) {
        let Some(file) = file else { return (Self::default(), None) };
        let read = match files::read(file, LARGEST) {
            Ok(text) => Self::parse(&text),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error.to_string()),
        };
        match read {
            Ok(config) => (config, None),
            Err(problem) => (Self::default(), Some(Unusable { file: file.to_owned(), problem })),
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        let config: Self = toml::from_str(text).map_err(|error| {
            let line = error.span().map(|at| 1 + text[..at.start].matches('\n').count());
            let line = line.map(|line| format!("line {line}: ")).unwrap_or_default();
            // Some of its messages have several lines.
            format!("{line}{}", error.message().lines().collect::<Vec<_>>().join(", "))
        })?;
        if !ARMING_LIMITS.contains(&config.arming_ms) {
            return Err(format!("arming_ms: {}, but 0 to 5000 are allowed", config.arming_ms));
        }
        if let Some(days) = config.history_days.filter(|days| !HISTORY_LIMITS.contains(days)) {
            return Err(format!("history_days: {days}, but 1 to 36500 are allowed"));
        }
        Ok(config)
    }

    pub fn arming(&self) -> Duration {
        Duration::from_millis(self.arming_ms)
    }

    pub fn reuse(&self) -> Duration {
        Duration::from_secs(self.reuse_minutes.saturating_mul(60))
    }

    /// How long past dialogs are kept, if not for ever.
    pub fn history(&self) -> Option<Duration> {
        self.history_days.map(|days| Duration::from_secs(days * 24 * 60 * 60))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_optional() {
        assert_eq!(Config::parse("").unwrap(), Config::default());
        let set = Config::parse("focus = \"never\"\nsound = true").unwrap();
        assert_eq!((set.focus, set.sound, set.arming_ms), (FocusPolicy::Never, true, 400));
    }

    #[test]
    fn a_mistake_is_named() {
        let problem = |text: &str| Config::parse(text).unwrap_err();
        assert!(problem("focus = \"sometimes\"").contains("sometimes"));
        assert!(
            problem("sound = true\nfocsu = \"never\"").starts_with("line 2: unknown field `focsu`")
        );
        assert_eq!(
            problem("arming_ms = 1\nsound ="),
            "line 2: string values must be quoted, expected literal string"
        );
        assert_eq!(problem("arming_ms = 9000"), "arming_ms: 9000, but 0 to 5000 are allowed");
        for days in ["0", "36501"] {
            let told = format!("history_days: {days}, but 1 to 36500 are allowed");
            assert_eq!(problem(&format!("history_days = {days}")), told);
        }
    }

    #[test]
    fn history_is_kept_for_ever_unless_the_person_says_otherwise() {
        assert_eq!(Config::default().history(), None);
        let month = Config::parse("history_days = 30").unwrap().history();
        assert_eq!(month, Some(Duration::from_secs(30 * 86_400)));
    }
}
