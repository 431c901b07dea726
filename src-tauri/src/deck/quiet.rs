//! When the person does not want to be disturbed.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::{Deck, Effect};

const HOUR: Duration = Duration::from_secs(60 * 60);

/// Do not disturb.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Quiet {
    #[default]
    Off,
    UntilISay,
    OneHour,
}

impl Deck {
    /// Whether the person wants to be left alone, and for how long.
    pub fn set_quiet(&mut self, quiet: Quiet, now: Instant) -> Vec<Effect> {
        self.quiet = quiet;
        self.quiet_until = (quiet == Quiet::OneHour).then_some(now + HOUR);
        let mut effects = vec![Effect::List];
        if !self.is_quiet() && self.is_stage_empty() {
            self.bring_next(&mut effects);
        }
        effects
    }

    pub fn quiet(&self) -> Quiet {
        self.quiet
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.quiet != Quiet::Off
    }
}
