//! What the person has set: `config.toml`, every line of it optional.

use std::{fs, io::ErrorKind, path::Path, time::Duration};

use serde::Deserialize;

/// Shorter, and a key on its way to another window would act here; longer, and people would wait.
const ARMING_LIMITS: std::ops::RangeInclusive<u64> = 0..=5_000;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Whether the window takes the keyboard when it appears.
    pub focus: Focus,
    /// How long keys and clicks do nothing after that.
    pub arming_ms: u64,
    /// Whether a new question is to be heard.
    pub sound: bool,
    /// For how long an answer that reached nobody is given to whoever asks the same again.
    pub reuse_minutes: u64,
    /// Whether other programs may answer in the person's place.
    pub answers_over_socket: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Focus {
    Never,
    /// Only from hands that rest.
    Idle,
    Always,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            focus: Focus::Idle,
            arming_ms: 400,
            sound: false,
            reuse_minutes: 15,
            answers_over_socket: false,
        }
    }
}

impl Config {
    /// What the file says. One that cannot be used is told of, and counts as absent.
    pub fn read(file: Option<&Path>) -> (Self, Option<String>) {
        let text = match file.map(fs::read_to_string) {
            None => return Self::default_with(None),
            Some(Ok(text)) => text,
            Some(Err(error)) if error.kind() == ErrorKind::NotFound => {
                return Self::default_with(None);
            }
            Some(Err(error)) => return Self::default_with(Some(error.to_string())),
        };
        match Self::parse(&text) {
            Ok(config) => (config, None),
            Err(problem) => Self::default_with(Some(problem)),
        }
    }

    fn default_with(problem: Option<String>) -> (Self, Option<String>) {
        (Self::default(), problem)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let config: Self = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        if !ARMING_LIMITS.contains(&config.arming_ms) {
            return Err(format!("arming_ms: {}, but 0 to 5000 are allowed", config.arming_ms));
        }
        Ok(config)
    }

    pub fn arming(&self) -> Duration {
        Duration::from_millis(self.arming_ms)
    }

    pub fn reuse(&self) -> Duration {
        Duration::from_secs(self.reuse_minutes.saturating_mul(60))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_optional() {
        assert_eq!(Config::parse("").unwrap(), Config::default());
        let set = Config::parse("focus = \"never\"\nsound = true").unwrap();
        assert_eq!((set.focus, set.sound, set.arming_ms), (Focus::Never, true, 400));
    }

    #[test]
    fn a_mistake_is_named() {
        let problem = |text| Config::parse(text).unwrap_err();
        assert!(problem("focus = \"sometimes\"").contains("sometimes"));
        assert!(problem("focsu = \"never\"").contains("focsu"));
        assert_eq!(problem("arming_ms = 9000"), "arming_ms: 9000, but 0 to 5000 are allowed");
    }
}
