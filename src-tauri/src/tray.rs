//! The tray: how many questions wait, a way to each of them, and what can be switched.
//!
//! It draws a [`TrayState`] and reports a [`TrayChoice`]; what follows from a choice is decided
//! elsewhere.

use std::{
    fs,
    io::{self, ErrorKind},
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use askdeck_core::deck::Quiet;
use askdeck_desk::paths;
use gtk::glib;
use serde::{Deserialize, Serialize};
use tauri::{
    AppHandle,
    image::Image,
    include_image,
    tray::{TrayIcon, TrayIconBuilder},
};

mod badge;
mod library;
mod login;
mod menu;

use badge::Badge;
pub(super) use login::{set_start_at_login, starts_at_login};

/// Twice as large as a panel is high, for those with small pixels.
const ICON: Image = include_image!("icons/tray@2x.png");

/// How long a change may take to be seen in the tray.
const LATER: Duration = Duration::from_millis(100);

/// What the tray shows.
#[derive(Clone, Default, PartialEq)]
pub(super) struct TrayState {
    /// The waiting questions, oldest first: ticket and label.
    pub(super) waiting: Vec<(String, String)>,
    pub(super) quiet: Quiet,
    pub(super) starts_at_login: bool,
}

/// What the person chose in its menu.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum TrayChoice {
    ShowDeck,
    Show { ticket: String },
    Quiet(Quiet),
    StartAtLogin(bool),
    History,
    Quit,
}

pub(super) struct Tray(Arc<Shown>);

struct Shown {
    icon: TrayIcon,
    state: Mutex<TrayState>,
    /// It will be drawn soon anyway.
    due: AtomicBool,
    /// The one in the picture: making another writes a file.
    badge: Mutex<Badge>,
}

impl Tray {
    /// Fails where the system has no library for trays. One without a panel for it is no failure:
    /// the icon appears when a panel does.
    pub(super) fn create(
        app: &AppHandle,
        chosen: impl Fn(&AppHandle, TrayChoice) + Send + Sync + 'static,
    ) -> tauri::Result<Self> {
        if !library::is_there() {
            return Err(io::Error::new(ErrorKind::NotFound, library::MISSING).into());
        }
        // Some panels show it while the pointer rests on the icon.
        glib::set_application_name("Askdeck");
        let state = TrayState::default();
        let badge = Badge::of(&state);
        let builder = TrayIconBuilder::with_id("askdeck")
            .icon(badge.draw_on(&ICON))
            .tooltip(menu::summary(&state))
            .menu(&menu::build(app, &state)?);
        let icon = builder.temp_dir_path(fresh_folder()).build(app)?;
        let shown = Arc::new(Shown {
            icon,
            state: Mutex::new(state),
            due: AtomicBool::new(false),
            badge: Mutex::new(badge),
        });
        let clicked = Arc::clone(&shown);
        shown.icon.on_menu_event(move |app, event| {
            let Some(choice) = menu::choice(event.id()) else { return };
            // A clicked entry has moved its own check mark, and that is not for it to decide.
            clicked.paint(app);
            chosen(app, choice);
        });
        Ok(Self(shown))
    }

    /// Draws it anew soon; from any thread, and as often as it is told. `look` finds out what there is
    /// to show then, and hands it to what draws it.
    pub(super) fn draw_soon(
        &self,
        app: &AppHandle,
        look: impl FnOnce(Box<dyn FnOnce(TrayState) + Send>) + Send + 'static,
    ) {
        if self.0.due.swap(true, Ordering::Relaxed) {
            return;
        }
        let shown = Arc::clone(&self.0);
        let handle = app.clone();
        // An app that is ending has nothing to draw any more. One that has something to show does
        // that first: drawing the tray takes the main thread a while.
        let _ = app.run_on_main_thread(move || {
            glib::timeout_add_local_once(LATER, move || {
                shown.due.store(false, Ordering::Relaxed);
                look(Box::new(move |state| {
                    let app = handle.clone();
                    let _ = handle.run_on_main_thread(move || shown.show(&app, state));
                }));
            });
        });
    }
}

impl Shown {
    fn show(&self, app: &AppHandle, state: TrayState) {
        if *self.state() != state {
            *self.state() = state;
            self.paint(app);
        }
    }

    /// On the main thread.
    fn paint(&self, app: &AppHandle) {
        let state = self.state().clone();
        // What cannot be drawn now is drawn with the next change.
        let _ = self.try_paint(app, &state);
    }

    fn try_paint(&self, app: &AppHandle, state: &TrayState) -> tauri::Result<()> {
        self.icon.set_menu(Some(menu::build(app, state)?))?;
        self.icon.set_tooltip(Some(menu::summary(state)))?;
        let badge = Badge::of(state);
        if badge != *self.badge() {
            self.icon.set_icon(Some(badge.draw_on(&ICON)))?;
            *self.badge() = badge;
        }
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, TrayState> {
        self.state.lock().expect("nothing panics under this lock")
    }

    fn badge(&self) -> MutexGuard<'_, Badge> {
        self.badge.lock().expect("nothing panics under this lock")
    }
}

/// Panels read the picture from a file. What a former app left there goes.
fn fresh_folder() -> PathBuf {
    let folder = paths::runtime_dir().join("tray");
    // There may be nothing to remove.
    let _ = fs::remove_dir_all(&folder);
    folder
}
