//! The window: hidden until the page knows its size, then on the monitor where the pointer is.

use std::{cell::RefCell, time::Instant};

use askdeck_core::{
    dialog::Dialog,
    session::{Phase, View},
    text, words,
};
use askdeck_desk::paths;
use gdkx11::X11Window;
use gtk::{gio, glib::ObjectExt, prelude::WidgetExt};
use tauri::{
    AppHandle, LogicalPosition, LogicalSize, Manager, Monitor, PhysicalPosition, PhysicalSize,
    WebviewUrl, WebviewWindow, WebviewWindowBuilder, Wry, webview::NewWindowResponse,
};
use webkit2gtk::WebViewExt;

use super::{crashes::Crashes, show};

pub(super) const LABEL: &str = "deck";
const MIN_SIZE: (f64, f64) = (420.0, 200.0);
/// How much of the monitor's height a window may take by itself.
const MOST_OF_HEIGHT: f64 = 0.85;

pub(super) fn create(app: &AppHandle) -> tauri::Result<()> {
    let window =
        builder(app, LABEL, "index.html").title("Askdeck").inner_size(640.0, 480.0).build()?;
    show::prepare(&window)?;
    let app = app.clone();
    let crashes = RefCell::new(Crashes::default());
    window.with_webview(move |webview| {
        // The session lives on this side, so a page that crashed goes on where it was; unless it
        // crashes again and again.
        webview.inner().connect_web_process_terminated(move |view, _| {
            if crashes.borrow_mut().again(Instant::now()) {
                view.reload();
            } else {
                app.exit(4);
            }
        });
    })
}

/// A window of ours, to be shown once its page is drawn.
pub(super) fn builder<'a>(
    app: &'a AppHandle,
    label: &str,
    page: &str,
) -> WebviewWindowBuilder<'a, Wry, AppHandle> {
    let builder = WebviewWindowBuilder::new(app, label, WebviewUrl::App(page.into()))
        .visible(false)
        .min_inner_size(MIN_SIZE.0, MIN_SIZE.1)
        .incognito(!paths::is_driven())
        .zoom_hotkeys_enabled(true)
        .general_autofill_enabled(false)
        .disable_drag_drop_handler()
        // Nothing but our own page is ever loaded.
        .on_navigation(|url| url.scheme() == "tauri")
        .on_new_window(|_, _| NewWindowResponse::Deny);
    if paths::is_driven() {
        return builder;
    }
    // WebKit lays out a storage that the page does not use: not in the person's home, which may not
    // even be there. Of windows that share a folder, Tauri tells only the first where its page is.
    builder.data_directory(paths::runtime_dir().join(label))
}

pub(super) fn get(app: &AppHandle) -> Option<WebviewWindow> {
    app.get_webview_window(LABEL)
}

/// Whether the person is at it.
pub(super) fn is_focused(app: &AppHandle) -> bool {
    get(app).is_some_and(|window| window.is_focused().unwrap_or(false))
}

/// Gives the window the size that its page asks for. One that is there already only grows: what the
/// person looks at must not jump.
pub(super) fn fit(window: &WebviewWindow, width: f64, height: f64) {
    let size = LogicalSize::new(width.max(MIN_SIZE.0), height.max(MIN_SIZE.1));
    // A window manager that will not move or size it still shows it.
    let _ =
        if window.is_visible().unwrap_or(false) { grow(window, size) } else { place(window, size) };
}

/// Makes the window wider on its left, so that the rest of it stays where it is on the screen. Whether
/// there was room for that.
pub(super) fn widen(app: &AppHandle, by: f64) -> bool {
    get(app).is_some_and(|window| widen_left(&window, by).unwrap_or(false))
}

fn widen_left(window: &WebviewWindow, by: f64) -> tauri::Result<bool> {
    // Only the X server lets a program say where its window is.
    let frame = window.gtk_window()?.window().filter(ObjectExt::is::<X11Window>);
    let (Some(monitor), Some(frame)) = (window.current_monitor()?, frame) else { return Ok(false) };
    let scale = monitor.scale_factor();
    let corner: LogicalPosition<i32> = window.outer_position()?.to_logical(scale);
    let edge: LogicalPosition<i32> = monitor.work_area().position.to_logical(scale);
    let size: LogicalSize<i32> = window.inner_size()?.to_logical(scale);
    #[expect(clippy::cast_possible_truncation, reason = "a width on a screen")]
    let by = by as i32;
    let fits = corner.x - by >= edge.x;
    if fits {
        // In one step: between two, a click would hit what is not there.
        frame.move_resize(corner.x - by, corner.y, size.width + by, size.height);
    }
    Ok(fits)
}

fn grow(window: &WebviewWindow, wanted: LogicalSize<f64>) -> tauri::Result<()> {
    let Some(monitor) = window.current_monitor()? else { return Ok(()) };
    let scale = monitor.scale_factor();
    let size: LogicalSize<f64> = window.inner_size()?.to_logical(scale);
    let corner: LogicalPosition<f64> = window.inner_position()?.to_logical(scale);
    let area = monitor.work_area();
    let end: LogicalPosition<f64> = area.position.to_logical(scale);
    let room: LogicalSize<f64> = area.size.to_logical(scale);
    let most = LogicalSize::new(
        end.x + room.width - corner.x,
        (end.y + room.height - corner.y).min(room.height * MOST_OF_HEIGHT),
    );
    let fits = wanted.width <= most.width;
    let width = if fits { wanted.width.max(size.width) } else { size.width };
    let height = wanted.height.min(most.height).max(size.height);
    if (width, height) != (size.width, size.height) {
        window.set_size(LogicalSize::new(width, height))?;
    }
    Ok(())
}

fn place(window: &WebviewWindow, size: LogicalSize<f64>) -> tauri::Result<()> {
    let Some(monitor) = monitor_of_pointer(window)? else { return window.set_size(size) };
    let scale = monitor.scale_factor();
    let area = monitor.work_area();
    let room: LogicalSize<f64> = area.size.to_logical(scale);
    let size =
        LogicalSize::new(size.width.min(room.width), size.height.min(room.height * MOST_OF_HEIGHT));
    window.set_size(size)?;
    let taken: PhysicalSize<i32> = size.to_physical(scale);
    let free = |room: u32, taken: i32| {
        i32::try_from(room).unwrap_or(i32::MAX).saturating_sub(taken).max(0)
    };
    // A little above the middle, where the eyes are.
    window.set_position(PhysicalPosition::new(
        area.position.x + free(area.size.width, taken.width) / 2,
        area.position.y + free(area.size.height, taken.height) * 2 / 5,
    ))
}

fn monitor_of_pointer(window: &WebviewWindow) -> tauri::Result<Option<Monitor>> {
    let pointer = window.cursor_position()?;
    match window.monitor_from_point(pointer.x, pointer.y)? {
        Some(monitor) => Ok(Some(monitor)),
        None => window.primary_monitor(),
    }
}

/// Says where the person is: for task lists and for screen readers.
pub(super) fn title(dialog: &Dialog, view: &View) -> String {
    let words = paths::language().words();
    let total = dialog.questions.len();
    let step = match view.phase {
        Phase::Sent => Some(words::say(words, "sent", [])),
        _ if total == 1 => None,
        _ if view.step == total => Some(words::say(words, "review", [])),
        _ => {
            let position = [("n", (view.step + 1).to_string()), ("total", total.to_string())];
            Some(words::say(words, "question_of", position))
        }
    };
    let about = dialog.title.as_deref().map(text::clean_line);
    let about = about.unwrap_or_else(|| dialog.caller.name().say(words));
    step.into_iter().chain([about]).collect::<Vec<_>>().join(" · ") + " — Askdeck"
}

pub(super) fn set_title(app: &AppHandle, title: String) {
    on_main_thread(app, move |window| window.set_title(&title));
}

pub(super) fn hide(app: &AppHandle) {
    on_main_thread(app, WebviewWindow::hide);
}

/// Does it in its turn, without waiting for it. With the window gone there is nothing to do.
fn on_main_thread(
    app: &AppHandle,
    act: impl FnOnce(&WebviewWindow) -> tauri::Result<()> + Send + 'static,
) {
    let handle = app.clone();
    // An app that is ending has no window to act on.
    let _ = app.run_on_main_thread(move || {
        if let Some(window) = get(&handle) {
            let _ = act(&window);
        }
    });
}

/// Whether something on the desktop shows tray icons.
pub(super) fn has_tray_host() -> bool {
    let owned = |bus: &gio::DBusConnection| {
        bus.call_sync(
            Some("org.freedesktop.DBus"),
            "/org/freedesktop/DBus",
            "org.freedesktop.DBus",
            "NameHasOwner",
            Some(&("org.kde.StatusNotifierWatcher",).into()),
            None,
            gio::DBusCallFlags::NONE,
            1000,
            gio::Cancellable::NONE,
        )
    };
    gio::bus_get_sync(gio::BusType::Session, gio::Cancellable::NONE)
        .and_then(|bus| owned(&bus))
        .is_ok_and(|reply| reply.get::<(bool,)>() == Some((true,)))
}
