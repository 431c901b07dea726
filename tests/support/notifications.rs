//! The desktop's notifications: dunst shows them, and what it is asked for is written down.

use std::{
    process::Stdio,
    sync::{Arc, Mutex},
    thread,
};

use askdeck_testkit::{Host, Running};
use zbus::{blocking::MessageIterator, message::Type};

use super::{Home, Screen, accessible::connect, signal, until};

pub(crate) struct Notifications<'a> {
    home: &'a Home,
    daemon: Running,
    heard: Arc<Mutex<Vec<Heard>>>,
}

/// What a program asked the daemon for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Heard {
    Shows {
        /// The number of the one that it takes the place of, or 0.
        replaces: u32,
        title: String,
        body: String,
    },
    Closes(u32),
}

const NAME: &str = "org.freedesktop.Notifications";
const BUS: &str = "org.freedesktop.DBus";

impl<'a> Notifications<'a> {
    pub(crate) fn start(screen: &'a Screen) -> Self {
        Self::of_session(screen, &screen.bus)
    }

    /// Those of the session that has this bus.
    pub(super) fn of_session(home: &'a Home, bus: &str) -> Self {
        let mut dunst = home.bound("dunst".as_ref());
        let daemon = Running::start(dunst.stdout(Stdio::null()).stderr(Stdio::null()));
        let daemon = daemon.expect("dunst is installed");
        let heard = listen(bus);
        let bus = connect(bus);
        until("dunst to be on the bus", || {
            let path = "/org/freedesktop/DBus";
            let reply = bus.call_method(Some(BUS), path, Some(BUS), "NameHasOwner", &NAME).ok()?;
            reply.body().deserialize::<bool>().ok()?.then_some(())
        });
        Self { home, daemon, heard }
    }

    pub(crate) fn heard(&self) -> Vec<Heard> {
        self.heard.lock().expect("the listener only adds").clone()
    }

    /// How many can be seen.
    pub(crate) fn count(&self) -> usize {
        let count = self.control(["count", "displayed"]);
        count.and_then(|count| count.trim().parse().ok()).expect("dunst counts them")
    }

    #[track_caller]
    pub(crate) fn await_count(&self, count: usize) {
        until(format!("{count} notifications"), || (self.count() == count).then_some(()));
    }

    /// Clicks the newest one.
    #[track_caller]
    pub(crate) fn click(&self) {
        assert!(self.control(["action", "0"]).is_some(), "dunst takes no click");
    }

    /// From now on the daemon takes everything and replies to nothing.
    pub(crate) fn hang(&self) {
        signal("STOP", self.daemon.id());
    }

    pub(crate) fn go_on(&self) {
        signal("CONT", self.daemon.id());
    }

    /// What dunst says to this; `None` if it cannot.
    fn control(&self, args: [&str; 2]) -> Option<String> {
        let control = self.home.command("dunstctl").args(args).output();
        let output = control.expect("it comes with dunst");
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// Writes down what programs say to the daemon, for as long as the bus is there.
fn listen(bus: &str) -> Arc<Mutex<Vec<Heard>>> {
    let bus = connect(bus);
    let rules = [format!("type='method_call',interface='{NAME}'")];
    let monitoring = "org.freedesktop.DBus.Monitoring";
    let path = "/org/freedesktop/DBus";
    bus.call_method(Some(BUS), path, Some(monitoring), "BecomeMonitor", &(&rules[..], 0u32))
        .expect("a test may watch its own bus");
    let heard = Arc::new(Mutex::new(Vec::new()));
    let told = heard.clone();
    thread::spawn(move || {
        let calls = MessageIterator::from(bus).map_while(Result::ok);
        for call in calls.filter(|message| message.message_type() == Type::MethodCall) {
            told.lock().expect("the test only reads").extend(read(&call));
        }
    });
    heard
}

fn read(call: &zbus::Message) -> Option<Heard> {
    let (header, body) = (call.header(), call.body());
    match header.member()?.as_str() {
        "Notify" => {
            let fields = body.deserialize::<zbus::zvariant::Structure>().ok()?;
            let fields = fields.fields();
            Some(Heard::Shows {
                replaces: fields.get(1)?.try_into().ok()?,
                title: fields.get(3)?.try_into().ok()?,
                body: fields.get(4)?.try_into().ok()?,
            })
        }
        "CloseNotification" => Some(Heard::Closes(body.deserialize().ok()?)),
        _ => None,
    }
}
