//! What follows from what happened in the deck.

use std::sync::Arc;

use crate::{
    claim::Claim,
    dialog::Dialog,
    key::QuestionKey,
    outcome::{Outcome, PublicOutcome, Through},
    protocol::News,
    record::{Millis, OpenDialog},
    session::{Checks, Saved, View},
};

use super::{FrontEndId, Waiter};

#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Keep the new dialog.
    Insert { dialog: Arc<Dialog>, key: QuestionKey, asked_at: Millis },
    /// Keep that another caller has a claim to the dialog.
    AddClaim { ticket: String, claim: Arc<Claim> },
    /// Keep that a caller has taken the question back, while others have not.
    WithdrawClaim { ticket: String, claim: Arc<Claim> },
    /// Keep what has been given so far.
    SaveDraft { ticket: String, draft: Saved },
    /// Keep how the dialog ended.
    End { ended: OpenDialog, outcome: Outcome, through: Option<Through> },
    /// Tell a caller that waits.
    Reply { waiter: Waiter, claim: Arc<Claim>, dialog: Arc<Dialog>, outcome: Outcome },
    /// Tell one whose claim was taken back that the question is withdrawn; it is open for others.
    LetGo { waiter: Waiter, claim: Arc<Claim>, dialog: Arc<Dialog> },
    /// Run them where nobody waits, and give the deck the verdicts in any case.
    Check { ticket: String, checks: Checks },
    /// The person agreed to it: open it in the browser.
    Open { address: String },
    /// Tell a front end that takes part.
    Tell { front_end: FrontEndId, news: News },
    /// Tell the subscribers, and keep it with the dialog.
    Happened { event: DialogEvent, dialog: Arc<Dialog> },
    /// A new question: get the person's attention.
    Announce { dialog: Arc<Dialog> },
    /// Another dialog, or none, is to be drawn.
    Stage,
    /// The dialog on the stage has changed without the page's doing.
    View { ticket: String, view: Box<View> },
    /// The list of open dialogs has changed.
    List,
}

impl Effect {
    /// Takes out what there is to check, to run it at once.
    pub fn take_checks(effects: &mut Vec<Self>) -> Option<Checks> {
        let mut taken = effects.extract_if(.., |effect| matches!(effect, Self::Check { .. }));
        match taken.next() {
            Some(Self::Check { checks, .. }) => Some(checks),
            _ => None,
        }
    }
}

/// Something that happened to a dialog.
#[derive(Debug, Clone, PartialEq)]
pub enum DialogEvent {
    Asked,
    /// Asked by a caller that does not wait for the answer.
    Submitted,
    AskedAgain,
    Shown,
    SetAside,
    CallerLeft,
    /// Its answer was given to one who asked the same later.
    Reused,
    Ended {
        outcome: PublicOutcome,
    },
    /// The first caller has got the outcome.
    Delivered {
        answered: bool,
    },
}

impl DialogEvent {
    /// The name that it has in the store and in the protocol.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Submitted => "submitted",
            Self::AskedAgain => "asked_again",
            Self::Shown => "shown",
            Self::SetAside => "set_aside",
            Self::CallerLeft => "caller_left",
            Self::Reused => "reused",
            Self::Ended { outcome } => outcome.name(),
            Self::Delivered { .. } => "delivered",
        }
    }
}
