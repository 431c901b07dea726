//! The desktop's notification daemon, as the freedesktop.org specification has it.

use std::collections::HashMap;

use askdeck_core::words;
use askdeck_desk::paths;
use gtk::{
    gio::{DBusCallFlags, DBusConnection, DBusSignalFlags},
    glib::{self, Error, ToVariant, Variant},
};

use super::slot::{Notice, Shown, Step};

/// Both the daemon's name on the bus and its interface.
const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";
/// The bus tells when the daemon ends, and one that only hangs may still wake up.
const NO_TIMEOUT: i32 = i32::MAX;
/// The urgency that interrupts nobody and is not left out either.
const NORMAL: u8 = 1;
/// How long a notification stays.
const DAEMON_DECIDES: i32 = -1;

/// What the daemon does by itself.
#[derive(Clone, Copy)]
pub(super) enum Signal {
    Clicked(u32),
    Closed(u32),
    /// It ended, or another one took its place.
    Replaced,
}

/// Calls `tell` for every signal, on the main thread.
pub(super) fn listen(bus: &DBusConnection, tell: impl Fn(Signal) + Clone + 'static) {
    let told = tell.clone();
    let flags = DBusSignalFlags::NONE;
    bus.signal_subscribe(
        Some(NAME),
        Some(NAME),
        None,
        Some(PATH),
        None,
        flags,
        move |_, _, _, _, signal, args| match signal {
            "ActionInvoked" => {
                if let Some((id, _action)) = args.get::<(u32, String)>() {
                    told(Signal::Clicked(id));
                }
            }
            "NotificationClosed" => {
                if let Some((id, _reason)) = args.get::<(u32, u32)>() {
                    told(Signal::Closed(id));
                }
            }
            _ => {}
        },
    );
    bus.signal_subscribe(
        Some("org.freedesktop.DBus"),
        Some("org.freedesktop.DBus"),
        Some("NameOwnerChanged"),
        Some("/org/freedesktop/DBus"),
        Some(NAME),
        flags,
        move |_, _, _, _, _, _| tell(Signal::Replaced),
    );
}

/// What is shown afterwards.
pub(super) async fn take(bus: &DBusConnection, step: Step) -> Option<Shown> {
    match step {
        Step::Show { notice, replaces } => show(bus, notice, replaces).await.ok().flatten(),
        Step::Close { id } => {
            // One that is gone already is what is wanted.
            let _ = call(bus, "CloseNotification", Some((id,).to_variant())).await;
            None
        }
    }
}

async fn show(bus: &DBusConnection, notice: Notice, replaces: u32) -> Result<Option<Shown>, Error> {
    let able = call(bus, "GetCapabilities", None).await?;
    let (able,) = able.get::<(Vec<String>,)>().unwrap_or_default();
    let open = words::say(paths::language().words(), "open", []);
    let reply = call(bus, "Notify", Some(arguments(&notice, replaces, &able, &open))).await?;
    Ok(reply.get::<(u32,)>().map(|(id,)| Shown { id, ticket: notice.ticket }))
}

fn arguments(notice: &Notice, replaces: u32, able: &[String], open: &str) -> Variant {
    let able = |what| able.iter().any(|able| able == what);
    let body = if able("body-markup") {
        glib::markup_escape_text(&notice.body).to_string()
    } else {
        notice.body.clone()
    };
    // A daemon without actions may show a dialog with buttons instead.
    let actions = if able("actions") { vec!["default", open] } else { Vec::new() };
    let hints = HashMap::from([
        // The package's menu entry.
        ("desktop-entry", "askdeck-desktop".to_variant()),
        ("urgency", NORMAL.to_variant()),
    ]);
    let (name, icon) = ("Askdeck", "askdeck-desktop");
    (name, replaces, icon, &notice.title, &body, actions, hints, DAEMON_DECIDES).to_variant()
}

async fn call(bus: &DBusConnection, method: &str, args: Option<Variant>) -> Result<Variant, Error> {
    let flags = DBusCallFlags::NONE;
    bus.call_future(Some(NAME), PATH, NAME, method, args.as_ref(), None, flags, NO_TIMEOUT).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(able: &[&str], body: &str, actions: &[&str]) {
        let notice = Notice {
            ticket: "a".into(),
            title: "<Tester> asks".into(),
            body: "Keep <b>all</b> & go?".into(),
        };
        let able: Vec<_> = able.iter().map(ToString::to_string).collect();
        let arguments = arguments(&notice, 7, &able, "Open");
        assert_eq!(arguments.type_().as_str(), "(susssasa{sv}i)");
        let text = |index| arguments.child_get::<String>(index);
        assert_eq!(arguments.child_get::<u32>(1), 7);
        assert_eq!(text(3), "<Tester> asks", "a title is never markup");
        assert_eq!(text(4), body);
        assert_eq!(arguments.child_get::<Vec<String>>(5), actions);
    }

    #[test]
    fn notification_body_fits_the_daemon() {
        case(
            &["actions", "body", "body-markup"],
            "Keep &lt;b&gt;all&lt;/b&gt; &amp; go?",
            &["default", "Open"],
        );
        case(&["body"], "Keep <b>all</b> & go?", &[]);
    }
}
