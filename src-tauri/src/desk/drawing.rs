//! What the person gets to see of the deck: in the window, in notifications and in the tray.

use std::{mem, sync::Arc, thread, time::Instant};

use askdeck_core::{
    deck::{Quiet, Staged},
    dialog::Dialog,
    protocol::Open,
    session::View,
};
use gtk::glib;
use tauri::Manager;

use super::{Desk, State};
use crate::{
    page::{PageMessage, Staging},
    tray::{self, TrayState},
    window,
};

/// More open dialogs than these take longer to list than a question may wait for them.
const FEW: usize = 20;

/// How far the page is with drawing the open dialogs. A thousand of them take it a while, and it
/// must not be sent more lists than it can draw.
#[derive(PartialEq)]
pub(super) enum List {
    Drawn,
    BeingDrawn,
    /// It is drawing one that is not the last any more.
    Outdated,
    /// It is long, and the dialog on the stage is not painted yet.
    AwaitsPaint,
}

impl Desk {
    pub(super) fn draw_stage(&self, state: &mut State) {
        let staged = state.deck.staged(Instant::now());
        if let Some(staged) = &staged {
            self.retitle(state, &staged.view);
        }
        state.send_stage(staged);
    }

    pub(super) fn retitle(&self, state: &mut State, view: &View) {
        let Some(dialog) = state.deck.on_stage() else { return };
        let title = window::title(dialog, view);
        if title != state.title {
            window::set_title(&self.app, title.clone());
            state.title = title;
        }
    }

    /// Once it has ended, or the person went on to another, the title is that one's.
    pub(super) fn retitle_if_staged(&self, state: &mut State, ticket: &str, view: Option<&View>) {
        let is_staged = state.deck.on_stage().is_some_and(|staged| staged.id == ticket);
        if let Some(view) = view.filter(|_| is_staged) {
            self.retitle(state, view);
        }
    }

    /// A dialog that is about to be on the stage is announced by the window itself.
    pub(super) fn announce(&self, state: &State, dialog: Arc<Dialog>) {
        if state.deck.on_stage().is_some_and(|staged| staged.id == dialog.id) {
            return;
        }
        let app = self.app.clone();
        // Later even if this is the main thread: the deck is locked now.
        glib::idle_add_once(move || {
            if !window::is_focused(&app) {
                app.state::<Arc<Self>>().notify(&dialog);
            }
        });
    }

    /// A notification about a dialog, unless it has ended meanwhile. Were it to end after a look at
    /// the deck, its notification would stay: so the deck is kept locked.
    pub(super) fn notify(&self, dialog: &Dialog) {
        let state = self.lock();
        if state.deck.is_open(&dialog.id) {
            self.attention.notify(dialog);
        }
    }

    /// An answer that the person gave earlier was used. Who does not want to be disturbed finds it in
    /// the history.
    pub(super) fn tell_reused(&self, state: &State, dialog: &Dialog) {
        if state.deck.quiet() == Quiet::Off {
            self.attention.tell_reused(dialog);
        }
    }

    /// Without a tray, nothing on the screen tells that the app is still there.
    pub(super) fn tell_where_it_went(&self, dialog: Arc<Dialog>) {
        let app = self.app.clone();
        // The bus may take its time, in which the dialog may end.
        thread::spawn(move || {
            if window::has_tray_host() {
                return;
            }
            let desk = app.state::<Arc<Self>>();
            let state = desk.lock();
            if state.deck.is_open(&dialog.id) {
                desk.attention.tell_where_it_went(&dialog);
            }
        });
    }

    pub(super) fn draw_tray(&self) {
        let Some(tray) = self.tray.get() else { return };
        let app = self.app.clone();
        tray.draw_soon(&self.app, move || app.state::<Arc<Self>>().tray_state());
    }

    fn tray_state(&self) -> TrayState {
        // It reads files, for which nobody else should have to wait.
        let starts_at_login = tray::starts_at_login();
        let state = self.lock();
        let label = |open: Open| (open.ticket, format!("{}: {}", open.agent, open.about));
        TrayState {
            waiting: state.deck.list().into_iter().map(label).collect(),
            quiet: state.deck.quiet(),
            starts_at_login,
        }
    }
}

impl State {
    pub(super) fn send(&self, message: PageMessage) {
        if let Some(page) = &self.page {
            // A page that is being reloaded binds anew, and is then told everything.
            let _reloading = page.send(message);
        }
    }

    fn send_stage(&mut self, staged: Option<Staged>) {
        let staged = staged.map(Staging::new).map(Box::new);
        self.is_painting = staged.is_some();
        self.send(PageMessage::Stage { staged, open: self.deck.len() });
    }

    /// Lists what is open beside the dialog on the stage. With none there, nobody sees a list, and
    /// it comes with the next dialog.
    pub(super) fn draw_list(&mut self) {
        if self.page.is_none() || self.deck.is_stage_empty() {
            return;
        }
        if let List::BeingDrawn | List::Outdated = self.list {
            self.list = List::Outdated;
            return;
        }
        if self.is_painting && self.deck.len() > FEW {
            self.list = List::AwaitsPaint;
            return;
        }
        self.list = List::BeingDrawn;
        let now = Instant::now();
        let is_muted = |ticket: &str| self.deck.is_muted(ticket, now);
        let message = PageMessage::list(self.deck.list(), is_muted, self.warnings.first());
        self.send(message);
    }

    /// The page has drawn the open dialogs.
    pub(super) fn listed(&mut self) {
        if mem::replace(&mut self.list, List::Drawn) == List::Outdated {
            self.draw_list();
        }
    }

    /// The page has painted a dialog. If that is the one on the stage, there is time for what waited.
    pub(super) fn painted(&mut self, ticket: &str) {
        if self.deck.on_stage().is_none_or(|staged| staged.id != ticket) {
            return;
        }
        self.is_painting = false;
        if self.list == List::AwaitsPaint {
            self.draw_list();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{Mutex, PoisonError},
        time::Duration,
    };

    use tauri::ipc::{Channel, InvokeResponseBody};

    use super::*;
    use crate::warnings::Warnings;
    use askdeck_core::{
        asking,
        dialog::Caller,
        key::QuestionKey,
        protocol::{Ask, Ui},
    };
    use askdeck_desk::store::Store;

    /// A state with so many open dialogs, and the kinds of messages that its page was sent.
    fn asked(count: usize) -> (State, Arc<Mutex<Vec<String>>>) {
        let sent = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&sent);
        let mut state = State::new(Duration::ZERO, Store::open(None).0, Warnings::default());
        state.page = Some(Channel::new(move |message| {
            let InvokeResponseBody::Json(message) = message else { panic!("it is JSON") };
            let message: serde_json::Value = serde_json::from_str(&message)?;
            let kind = message["type"].as_str().expect("it has a type").to_owned();
            heard.lock().unwrap_or_else(PoisonError::into_inner).push(kind);
            Ok(())
        }));
        for n in 0..count {
            let payload = serde_json::json!({ "question": format!("Which, {n}?") });
            let ask = Ask { payload, ..Ask::default() };
            let asked = asking::check(&ask, n.to_string(), |_, _| Caller::default());
            let dialog = asked.expect("it is well formed").dialog;
            let key = QuestionKey::given(&n.to_string());
            state.deck.ask(dialog, key, Ui::Window, None, 1, Instant::now()).unwrap();
        }
        (state, sent)
    }

    fn stage(state: &mut State) {
        let staged = state.deck.staged(Instant::now());
        state.send_stage(staged);
        state.draw_list();
    }

    #[test]
    fn a_short_list_comes_with_the_question() {
        let (mut state, sent) = asked(FEW);
        stage(&mut state);
        assert_eq!(*sent.lock().unwrap(), ["stage", "list"]);
    }

    #[test]
    fn a_long_list_comes_once_the_question_is_painted() {
        let (mut state, sent) = asked(FEW + 1);
        stage(&mut state);
        state.draw_list();
        assert_eq!(*sent.lock().unwrap(), ["stage"]);
        state.painted("another");
        assert_eq!(*sent.lock().unwrap(), ["stage"]);
        state.painted("0");
        assert_eq!(*sent.lock().unwrap(), ["stage", "list"]);
    }

    #[test]
    fn a_list_that_is_being_drawn_does_not_bring_another_before_the_paint() {
        let (mut state, sent) = asked(FEW + 1);
        stage(&mut state);
        state.painted("0");
        stage(&mut state);
        assert_eq!(*sent.lock().unwrap(), ["stage", "list", "stage"]);
        state.listed();
        assert_eq!(*sent.lock().unwrap(), ["stage", "list", "stage"]);
        state.painted("0");
        assert_eq!(*sent.lock().unwrap(), ["stage", "list", "stage", "list"]);
    }
}
