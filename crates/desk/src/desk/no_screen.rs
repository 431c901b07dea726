//! A desk that nobody can look at: only terminals take part.

use std::io;

use askdeck_core::{deck::Staged, dialog::Dialog, protocol::Warning, session::View};

use super::{Exit, Listed, Notify, Screen};

/// Calls this when there is nothing left to do.
pub struct NoScreen<F>(pub F);

impl<F: FnMut() + Send> Screen for NoScreen<F> {
    fn stage(&mut self, _: Option<Staged>, _: usize) {}

    fn view(&mut self, _: &Dialog, _: Box<View>) {}

    fn takes_list(&mut self, _: usize) -> bool {
        false
    }

    fn list(&mut self, _: Vec<Listed>, _: Option<Warning>) {}

    fn painted(&mut self, _: &str) -> bool {
        false
    }

    /// It shows what it should: nothing.
    fn is_ready(&self) -> bool {
        true
    }

    fn changed(&mut self) {}

    fn announce(&mut self, _: &Dialog) {}

    fn set_aside(&mut self, _: &Dialog) {}

    fn notify(&mut self, _: &Dialog, _: Notify) {}

    fn forget(&mut self, _: &str) {}

    fn want(&mut self) {}

    fn hide(&mut self) {}

    fn open(&mut self, _: String) {}

    fn history(&mut self, _: bool, done: Box<dyn FnOnce(bool) + Send>) {
        done(false);
    }

    fn stay(&mut self) {}

    fn is_in_use(&self) -> bool {
        false
    }

    fn start_at_login(&mut self, _: bool) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "there is no desktop to start it"))
    }

    fn web_view(&self) -> Option<String> {
        None
    }

    fn tray_host(&self, done: Box<dyn FnOnce(Option<bool>) + Send>) {
        done(None);
    }

    fn exit(&mut self, _: Exit) {
        (self.0)();
    }
}
