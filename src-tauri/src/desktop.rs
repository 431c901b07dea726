//! What the person sees of the desk: the window, notifications, the tray.

use std::{
    io,
    sync::{Arc, Mutex, MutexGuard, OnceLock},
    thread,
};

use askdeck_core::{
    deck::Staged,
    dialog::Dialog,
    protocol::{Open, Warning},
    session::View,
};
use askdeck_desk::{
    config::Config,
    desk::{Desk, Exit, Notify, Screen},
    paths,
};
use gtk::glib::MainContext;
use tauri::AppHandle;

use super::{
    attention::Attention,
    canvas::Canvas,
    commands,
    history_window::{self, HistoryState},
    page::PageMessage,
    tray::{self, Tray, TrayState},
    tray_choices, window,
};

pub(super) struct Desktop {
    app: AppHandle,
    pub(super) desk: Desk,
    pub(super) attention: Attention,
    canvas: Mutex<Canvas>,
    pub(super) history: HistoryState,
    /// Once the app stays.
    tray: OnceLock<Tray>,
}

impl Desktop {
    pub(super) fn new(app: AppHandle, desk: Desk, config: Config) -> Self {
        let clicked = desk.clone();
        let attention = Attention::new(config, move |ticket| clicked.clicked(ticket));
        let (canvas, history) = (Mutex::default(), HistoryState::default());
        Self { app, desk, attention, canvas, history, tray: OnceLock::new() }
    }

    /// Nobody waits for anything while it is locked.
    pub(super) fn canvas(&self) -> MutexGuard<'_, Canvas> {
        self.canvas.lock().expect("nothing panics under this lock")
    }

    /// The page is ready to be seen.
    pub(super) fn show_window(&self, width: f64, height: f64) {
        let Some(window) = window::get(&self.app) else { return };
        let Some(dialog) = self.canvas().staged().cloned() else { return };
        window::fit(&window, width, height);
        // What cannot be shown now waits in the list.
        if self.attention.show(&window).unwrap_or(false) {
            self.desk.notify(dialog.id.clone(), Notify::Asked);
        }
    }

    pub(super) fn retitle(&self, ticket: &str, view: &View) {
        let title = self.canvas().retitle(ticket, view);
        if let Some(title) = title {
            window::set_title(&self.app, title);
        }
    }

    pub(super) fn draw_tray(&self) {
        let Some(tray) = self.tray.get() else { return };
        let desk = self.desk.clone();
        tray.draw_soon(&self.app, move |draw| {
            let starts_at_login = tray::starts_at_login();
            desk.describe(move |open, quiet| {
                let words = paths::language().words();
                let label = |open: Open| {
                    let label = format!("{}: {}", open.name().say(words), open.about_in(words));
                    (open.ticket, label)
                };
                let waiting = open.into_iter().map(label).collect();
                draw(TrayState { waiting, quiet, starts_at_login });
            });
        });
    }

    fn create_tray(&self) {
        if self.tray.get().is_some() {
            return;
        }
        // Where trays cannot be had, `askdeck show` and a second launch bring the window back.
        if let Ok(tray) = Tray::create(&self.app, tray_choices::take) {
            let _ = self.tray.set(tray);
            self.draw_tray();
        }
    }
}

/// The desktop, as the desk's thread sees it.
pub(super) struct OnDesktop(pub(super) Arc<Desktop>);

impl OnDesktop {
    /// Acts on the main thread, which also hears who has the keyboard, in the order of the calls.
    fn post(&self, act: impl FnOnce(&Desktop) + Send + 'static) {
        let desktop = Arc::clone(&self.0);
        MainContext::default().invoke(move || act(&desktop));
    }
}

impl Screen for OnDesktop {
    fn stage(&mut self, staged: Option<Staged>, open: usize) {
        let seen = staged.as_ref().map(|Staged { dialog, view }| (dialog.id.clone(), view.clone()));
        self.0.canvas().send_stage(staged, open);
        if let Some((ticket, view)) = seen {
            self.0.retitle(&ticket, &view);
        }
    }

    fn view(&mut self, dialog: &Dialog, view: Box<View>) {
        self.0.retitle(&dialog.id, &view);
        self.0.canvas().send(PageMessage::View { ticket: dialog.id.clone(), view });
    }

    fn takes_list(&mut self, open: usize) -> bool {
        self.0.canvas().takes_list(open)
    }

    fn list(&mut self, open: Vec<Open>, warning: Option<Warning>) {
        self.0.canvas().send(PageMessage::list(open, warning));
    }

    fn painted(&mut self, ticket: &str) -> bool {
        self.0.canvas().painted(ticket)
    }

    fn is_ready(&self) -> bool {
        self.0.canvas().is_bound()
    }

    fn changed(&mut self) {
        self.0.draw_tray();
    }

    fn announce(&mut self, dialog: &Dialog) {
        self.notify(dialog, Notify::Asked);
    }

    /// Without a tray, nothing on the screen tells that the app is still there.
    fn set_aside(&mut self, dialog: &Dialog) {
        let (desk, ticket) = (self.0.desk.clone(), dialog.id.clone());
        // The bus may take its time.
        thread::spawn(move || {
            if !window::has_tray_host() {
                desk.notify(ticket, Notify::SetAside);
            }
        });
    }

    fn notify(&mut self, dialog: &Dialog, what: Notify) {
        let notice = self.0.attention.notice(dialog, what);
        self.post(move |desktop| {
            // A compositor may have given the window the keyboard by itself: the question is seen.
            if what != Notify::Asked || !window::is_focused(&desktop.app) {
                desktop.attention.notify(notice);
            }
        });
    }

    fn forget(&mut self, ticket: &str) {
        let ticket = ticket.to_owned();
        self.post(move |desktop| desktop.attention.forget(&ticket));
    }

    fn want(&mut self) {
        self.0.attention.want();
    }

    fn hide(&mut self) {
        window::hide(&self.0.app);
    }

    fn open(&mut self, address: String) {
        // A browser may take its time to start.
        thread::spawn(move || commands::open_link(&address));
    }

    fn history(&mut self, wanted: bool, done: Box<dyn FnOnce(bool) + Send>) {
        let app = self.0.app.clone();
        // The main thread makes the window, and may have something else to do.
        thread::spawn(move || {
            done(if wanted { history_window::open(&app) } else { history_window::bring(&app) });
        });
    }

    fn stay(&mut self) {
        let desktop = Arc::clone(&self.0);
        // An app that is ending needs no tray any more.
        let _ = self.0.app.run_on_main_thread(move || desktop.create_tray());
    }

    fn is_in_use(&self) -> bool {
        self.0.history.is_open()
    }

    fn start_at_login(&mut self, on: bool) -> io::Result<()> {
        tray::set_start_at_login(on)
    }

    fn web_view(&self) -> Option<String> {
        Some(format!("WebKitGTK {}", tauri::webview_version().unwrap_or_default()))
    }

    fn tray_host(&self, done: Box<dyn FnOnce(Option<bool>) + Send>) {
        // The bus may take its time.
        thread::spawn(move || done(Some(window::has_tray_host())));
    }

    fn exit(&mut self, exit: Exit) {
        let app = self.0.app.clone();
        match exit {
            Exit::Now => app.exit(0),
            Exit::OnceTold => {
                self.post(move |desktop| desktop.attention.once_told(move || app.exit(0)));
            }
        }
    }
}
