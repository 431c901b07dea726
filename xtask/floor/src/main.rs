//! What the bench compares the app with: a bare WebKitGTK window that shows a text.
//!
//! `askdeck-floor TEXT` shows the text once its page is loaded. `askdeck-floor --resident` stays
//! hidden, prints `ready`, and shows each line that it reads, until its input ends; an empty line
//! hides it again. Tabs in a text separate its lines.

use std::{
    env,
    io::{self, Write},
    os::fd::AsRawFd,
    process::ExitCode,
};

use gtk::{
    Window, WindowType,
    gio::Cancellable,
    glib::{self, ControlFlow, IOCondition},
    prelude::{ContainerExt, GtkWindowExt, WidgetExt},
};
use webkit2gtk::{LoadEvent, WebContext, WebContextExt, WebView, WebViewExt};

#[path = "../../../src-tauri/src/renderer.rs"]
mod renderer;

const PAGE: &str = r#"<!doctype html>
<meta charset="utf-8" />
<p id="text" style="font: 16px/2 monospace; white-space: pre-line"></p>
<script>
  const show = (text) => {
    document.title = 'shown';
    document.getElementById('text').textContent = text;
  };
  // Hidden sooner, the window could come back with this text still in its last frame.
  const empty = () => {
    document.getElementById('text').textContent = '';
    requestAnimationFrame(() => requestAnimationFrame(() => { document.title = 'empty'; }));
  };
</script>"#;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let [arg] = args.as_slice() else { return ExitCode::from(2) };
    let text = (arg != "--resident").then(|| arg.clone());

    renderer::choose();
    if gtk::init().is_err() {
        return ExitCode::FAILURE;
    }
    // As Tauri sets up a page that leaves nothing behind.
    let context = WebContext::new_ephemeral();
    context.set_use_system_appearance_for_scrollbars(false);
    let view = WebView::with_context(&context);
    let window = Window::new(WindowType::Toplevel);
    window.set_default_size(640, 480);
    window.add(&view);

    let hidden = window.clone();
    view.connect_title_notify(move |view| {
        if view.title().is_some_and(|title| title == "empty") {
            hidden.hide();
        }
    });
    view.connect_load_changed(move |view, event| {
        if event == LoadEvent::Finished {
            match &text {
                Some(text) => show(&window, view, text),
                None => take_lines(&window, view),
            }
        }
    });
    view.load_html(PAGE, None);
    gtk::main();
    ExitCode::SUCCESS
}

fn take_lines(window: &Window, view: &WebView) {
    let (window, view) = (window.clone(), view.clone());
    let input = io::stdin().as_raw_fd();
    glib::unix_fd_add_local(input, IOCondition::IN | IOCondition::HUP, move |_, _| {
        let mut line = String::new();
        if !io::stdin().read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
            gtk::main_quit();
            return ControlFlow::Break;
        }
        match line.trim_end() {
            "" => run(&view, "empty()"),
            text => show(&window, &view, text),
        }
        ControlFlow::Continue
    });
    let mut stdout = io::stdout();
    // The bench would notice that nothing was said.
    let _ = writeln!(stdout, "ready").and_then(|()| stdout.flush());
}

fn show(window: &Window, view: &WebView, text: &str) {
    // What Rust escapes in a string, JavaScript reads alike.
    run(view, &format!("show({:?})", text.replace('\t', "\n")));
    window.show_all();
    window.present();
}

fn run(view: &WebView, script: &str) {
    view.evaluate_javascript(script, None, None, Cancellable::NONE, |_| {});
}
