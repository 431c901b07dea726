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

impl Quiet {
    /// For how long; `None` if until they say so.
    pub fn time(self) -> Option<Duration> {
        match self {
            Self::Off => Some(Duration::ZERO),
            Self::UntilISay => None,
            Self::OneHour => Some(HOUR),
        }
    }
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

    /// Goes on as the person wanted it when the app last ran: for that much of an hour, or until
    /// they say so.
    pub fn stay_quiet(&mut self, left: Option<Duration>, now: Instant) {
        self.quiet = if left.is_some() { Quiet::OneHour } else { Quiet::UntilISay };
        self.quiet_until = left.map(|left| now + left.min(HOUR));
    }

    pub fn quiet(&self) -> Quiet {
        self.quiet
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.quiet != Quiet::Off
    }
}
