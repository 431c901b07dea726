//! What follows from what happened in the deck.

use std::sync::Arc;

use super::{Seat, Waiter};
use crate::{
    dialog::Dialog,
    outcome::{Outcome, Through},
    protocol::News,
    session::{Saved, View},
    store::Millis,
};

#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Keep the new dialog.
    Insert { dialog: Arc<Dialog>, key: String, asked_at: Millis },
    /// Keep that the dialog has a further ticket.
    AddTicket { ticket: String, further: String },
    /// Keep what has been given so far.
    SaveDraft { ticket: String, draft: Saved },
    /// Keep how the dialog ended.
    End {
        dialog: Arc<Dialog>,
        key: String,
        asked_at: Millis,
        further_tickets: Vec<String>,
        draft: Saved,
        outcome: Outcome,
        through: Option<Through>,
    },
    /// Tell who waits.
    Reply { waiter: Waiter, dialog: Arc<Dialog>, outcome: Outcome },
    /// Tell one who takes a question back that it is withdrawn; others still wait for it.
    LetGo { waiter: Waiter, dialog: Arc<Dialog> },
    /// The person agreed to it: open it in the browser.
    Open { address: String },
    /// Tell a front end that takes part.
    Tell { seat: Seat, news: News },
    /// Tell whoever listens, and keep it with the dialog.
    Happened { what: What, dialog: Arc<Dialog> },
    /// A new question: get the person's attention.
    Announce { dialog: Arc<Dialog> },
    /// Another dialog, or none, is to be drawn.
    Stage,
    /// The dialog on the stage has changed without the page's doing.
    View { ticket: String, view: Box<View> },
    /// The list of open dialogs has changed.
    List,
}

/// What can be said to have happened to a dialog.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    Asked,
    /// Asked by one who does not wait for the answer.
    Submitted,
    AskedAgain,
    Shown,
    SetAside,
    CallerLeft,
    Ended {
        outcome: Outcome,
    },
    /// The first caller has got the outcome.
    Delivered {
        outcome: Outcome,
    },
}
