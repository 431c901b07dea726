//! Showing the window: with the keyboard, or in sight without it.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    rc::Rc,
    time::Duration,
};

use gdkx11::{X11Window, functions::x11_get_server_time};
use gtk::{
    ApplicationWindow,
    gdk::WindowState,
    glib::{self, Cast, ObjectExt, Propagation},
    prelude::{ApplicationWindowExt, GtkWindowExt, WidgetExt, WidgetExtManual},
};
use tauri::WebviewWindow;

use super::x_server;

/// How long a window manager may take to decide who gets the keyboard.
const SETTLED: Duration = Duration::from_millis(500);

/// To be called once for a window.
pub(super) fn prepare(window: &WebviewWindow) -> tauri::Result<()> {
    on_main_thread(window, |window| {
        // It has been seen: from now on it is a window like all others.
        window.connect_focus_in_event(|window, _| {
            window.set_urgency_hint(false);
            window.set_keep_above(false);
            Propagation::Proceed
        });
    })?;
    let shown = window.clone();
    window.with_webview(move |webview| {
        webview.inner().connect_button_press_event(move |_, press| {
            if let Ok(window) = shown.gtk_window() {
                give_keyboard(&window, press.time());
            }
            Propagation::Proceed
        });
    })
}

/// Shows the window in front of all others and gives it the keyboard.
pub(super) fn in_front(window: &WebviewWindow) -> tauri::Result<()> {
    on_main_thread(window, |window| {
        let was_visible = window.is_visible();
        window.set_focus_on_map(true);
        window.set_accept_focus(true);
        window.realize();
        let now = x11(window).map_or(0, |window| {
            let now = x11_get_server_time(&window);
            // The keyboard goes to what the person used last: by this, that is the window.
            window.set_user_time(now);
            now
        });
        window.show_all();
        window.present_with_time(now);
        if was_visible {
            once_settled(window, move |window| give_keyboard(window, now));
        }
    })
}

/// Shows the window above the others, and leaves the keyboard where it is.
pub(super) fn quietly(window: &WebviewWindow) -> tauri::Result<()> {
    on_main_thread(window, |window| {
        // A person who is at it already needs no sign. (Hidden just now, it may not know yet that it is.)
        if window.is_visible() && window.is_active() {
            return;
        }
        window.set_focus_on_map(false);
        window.realize();
        if let Some(window) = x11(window) {
            // Never used by anyone: that is how it tells that it does not want the keyboard.
            window.set_user_time(0);
        }
        // Tiling window managers give it to every new window, unless that cannot take it.
        window.set_accept_focus(false);
        once_settled(window, |window| window.set_accept_focus(true));
        window.set_urgency_hint(true);
        // Only to be raised would not do: some take that for a wish for the keyboard.
        window.set_keep_above(true);
        window.show_all();
        if window.window().is_some_and(|window| window.state().contains(WindowState::ICONIFIED)) {
            window.deiconify();
        }
    })
}

/// Acts when the window manager has put the window on the screen; to be told before it is shown.
pub(super) fn once_in_sight(
    window: &WebviewWindow,
    act: impl Fn() + Send + 'static,
) -> tauri::Result<()> {
    on_main_thread(window, |window| {
        let handler = Rc::new(Cell::new(None));
        let this = Rc::clone(&handler);
        handler.set(Some(window.connect_map_event(move |window, _| {
            act();
            if let Some(handler) = this.take() {
                window.disconnect(handler);
            }
            Propagation::Proceed
        })));
    })
}

/// Acts when the window manager has decided, unless the window is shown anew before that.
fn once_settled(window: &ApplicationWindow, act: impl FnOnce(&ApplicationWindow) + 'static) {
    thread_local! {
        /// Counts the times that there was something to decide, for each window.
        static TIMES: RefCell<HashMap<u32, u32>> = RefCell::default();
    }
    let times = |window: &ApplicationWindow, more: u32| {
        TIMES.with_borrow_mut(|times| {
            let times = times.entry(window.id()).or_default();
            *times += more;
            *times
        })
    };
    let this = times(window, 1);
    let window = window.clone();
    glib::timeout_add_local_once(SETTLED, move || {
        if times(&window, 0) == this {
            act(&window);
        }
    });
}

/// For a window manager that thinks that the window has it already, and so never gives it.
fn give_keyboard(window: &ApplicationWindow, time: u32) {
    let id = x11(window).and_then(|window| window.xid().try_into().ok());
    if let Some(id) = id.filter(|_| !window.is_active()) {
        x_server::give_keyboard(id, time);
    }
}

/// `None` on Wayland, where the compositor decides all of this.
fn x11(window: &ApplicationWindow) -> Option<X11Window> {
    window.window()?.downcast().ok()
}

fn on_main_thread(
    window: &WebviewWindow,
    act: impl FnOnce(&ApplicationWindow) + Send + 'static,
) -> tauri::Result<()> {
    let shown = window.clone();
    window.run_on_main_thread(move || {
        // A window that is gone needs nothing any more.
        if let Ok(window) = shown.gtk_window() {
            act(&window);
        }
    })
}
