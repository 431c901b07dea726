//! Where the person sees the desk.

use std::io;

use askdeck_core::{
    deck::Staged,
    dialog::Dialog,
    protocol::{Open, Warning},
    session::View,
};

/// A window, or what takes its place. The desk's own thread calls it, so nothing here may wait: not
/// for another thread, not for another program. By default it is a desk that nobody can look at.
pub trait Screen: Send {
    /// Draws another dialog, or none; so many are open.
    fn stage(&mut self, _staged: Option<Staged>, _open: usize) {}

    /// Draws what has changed in the dialog on the stage.
    fn view(&mut self, _dialog: &Dialog, _view: Box<View>) {}

    /// Whether so many open dialogs can be listed now. If not, they are asked for later, with
    /// [`Desk::list_again`](super::Desk::list_again).
    fn takes_list(&mut self, _open: usize) -> bool {
        false
    }

    fn list(&mut self, _open: Vec<Open>, _warning: Option<Warning>) {}

    /// A dialog is painted. Whether a list that had to wait for it can be drawn now.
    fn painted(&mut self, _ticket: &str) -> bool {
        false
    }

    /// Whether it shows what it should, be it nothing.
    fn is_ready(&self) -> bool {
        true
    }

    /// What it shows beside the window has changed: how many are open, or whether it is quiet.
    fn changed(&mut self) {}

    /// A dialog waits that is not on the stage.
    fn announce(&mut self, _dialog: &Dialog) {}

    /// The person has put the dialog away, and nothing else is on the stage.
    fn set_aside(&mut self, _dialog: &Dialog) {}

    /// Tells the person something about a dialog, in place of what was told before.
    fn notify(&mut self, _dialog: &Dialog, _what: Notify) {}

    /// The dialog has ended, and with it what was told about it.
    fn forget(&mut self, _ticket: &str) {}

    /// The person wants to see what comes on the stage next: it gets the keyboard.
    fn want(&mut self) {}

    /// Nothing is on the stage any more, and nothing of it can be seen.
    fn hide(&mut self) {}

    /// Opens an address to which the person has agreed.
    fn open(&mut self, _address: String) {}

    /// Shows what was answered, with the keyboard if the person wants it. Tells whether it can.
    fn history(&mut self, _wanted: bool, done: Box<dyn FnOnce(bool) + Send>) {
        done(false);
    }

    /// From now on the desk stays when nothing is open.
    fn stay(&mut self) {}

    /// Whether it is needed though nothing is open.
    fn is_in_use(&self) -> bool {
        false
    }

    fn start_at_login(&mut self, _on: bool) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "there is no desktop to start it"))
    }

    /// What draws it, and its version. Nothing if there is no window.
    fn web_view(&self) -> Option<String> {
        None
    }

    /// Tells whether there is a place for a tray, if that can be known.
    fn tray_host(&self, done: Box<dyn FnOnce(Option<bool>) + Send>) {
        done(None);
    }

    fn exit(&mut self, exit: Exit);
}

/// Nothing to look at: only terminals take part. Calls this when there is nothing left to do.
pub struct NoScreen<F>(pub F);

impl<F: FnMut() + Send> Screen for NoScreen<F> {
    fn exit(&mut self, _: Exit) {
        (self.0)();
    }
}

/// What there is to tell about a dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notify {
    /// Somebody asks.
    Asked,
    /// An answer that the person gave earlier has gone to a caller that asked the same again.
    Reused,
    /// The window went, and nothing on the screen tells where to.
    SetAside,
}

/// When to end the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Now,
    /// As soon as the person can see what they were told.
    OnceTold,
}
