//! What is noted of a dialog while it is open, and after.

/// What the journal of a dialog says beside that it was asked, how it ended, and whom that reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happening {
    /// Nobody waits for its answer: it was asked for a ticket.
    Submitted,
    AskedAgain,
    Shown,
    SetAside,
    CallerLeft,
    /// Its answer was given to one who asked the same later.
    Reused,
}

impl Happening {
    /// As the file has it, and the statements that look for it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Submitted => "submitted",
            Self::AskedAgain => "asked_again",
            Self::Shown => "shown",
            Self::SetAside => "set_aside",
            Self::CallerLeft => "caller_left",
            Self::Reused => "reused",
        }
    }
}
