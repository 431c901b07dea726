//! A mock of the panel that shows tray icons, for there is none on a test's screen: it speaks the
//! panel's side of `StatusNotifierItem` and of its menus, and shows nothing.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use zbus::{
    blocking::{Connection, Proxy, connection::Builder},
    interface,
    message::Header,
    zvariant::{DynamicType, OwnedObjectPath, OwnedValue, Type, Value},
};

use super::{Screen, until};

pub(crate) struct TrayHost {
    bus: Connection,
    items: Items,
}

/// Those who registered, in this order: process and path there.
type Items = Arc<Mutex<Vec<(String, OwnedObjectPath)>>>;

/// An icon in the tray.
pub(crate) struct TrayItem {
    bus: Connection,
    process: String,
    path: OwnedObjectPath,
}

const WATCHER: &str = "org.kde.StatusNotifierWatcher";
const ITEM: &str = "org.kde.StatusNotifierItem";
const MENU: &str = "com.canonical.dbusmenu";

impl TrayHost {
    pub(crate) fn start(screen: &Screen) -> Self {
        let items = Items::default();
        let watcher = Watcher { items: Arc::clone(&items) };
        let bus = Builder::address(screen.bus.as_str())
            .and_then(|bus| bus.serve_at("/StatusNotifierWatcher", watcher))
            .and_then(|bus| bus.name(WATCHER))
            .and_then(Builder::build)
            .expect("the bus belongs to this test and runs");
        Self { bus, items }
    }

    #[track_caller]
    pub(crate) fn await_item(&self) -> TrayItem {
        let items = || self.items.lock().expect("no test panics under this lock");
        let (process, path) = until("an icon in the tray", || items().last().cloned());
        TrayItem { bus: self.bus.clone(), process, path }
    }
}

struct Watcher {
    items: Items,
}

#[expect(clippy::needless_pass_by_value, clippy::unused_self, reason = "zbus calls them so")]
#[interface(name = "org.kde.StatusNotifierWatcher")]
impl Watcher {
    /// `service` is a path in the process that calls, or else a process with the usual path.
    fn register_status_notifier_item(&self, service: &str, #[zbus(header)] call: Header<'_>) {
        let (process, path) = if service.starts_with('/') {
            (call.sender().expect("the bus names the sender").as_str(), service)
        } else {
            (service, "/StatusNotifierItem")
        };
        let path = OwnedObjectPath::try_from(path).expect("an item has a path");
        self.items.lock().expect("no test panics under this lock").push((process.into(), path));
    }

    #[zbus(property)]
    fn is_status_notifier_host_registered(&self) -> bool {
        true
    }
}

impl TrayItem {
    /// A property of the icon, such as `IconName`; nothing if it has no such property.
    pub(crate) fn property<T: TryFrom<OwnedValue> + Default>(&self, name: &str) -> T {
        let value: Option<OwnedValue> =
            self.call(self.path.as_str(), "org.freedesktop.DBus.Properties", "Get", &(ITEM, name));
        value.and_then(|value| value.try_into().ok()).unwrap_or_default()
    }

    /// Whether both are the icon of the same process.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.process == other.process
    }

    /// The menu, a line for each entry: `(cannot be chosen)`, `[x] checked`, `---`; what is below
    /// an entry is indented.
    #[track_caller]
    pub(crate) fn menu(&self) -> Vec<String> {
        let mut lines = Vec::new();
        self.layout().write(&mut lines, "");
        lines
    }

    #[track_caller]
    pub(crate) fn await_menu(&self, expected: &[&str]) {
        until(format!("the menu {expected:#?}"), || (self.menu() == expected).then_some(()));
    }

    /// The line with these words, once there is one.
    #[track_caller]
    pub(crate) fn await_line(&self, words: &str) -> String {
        until(format!("an entry with `{words}`"), || {
            self.menu().into_iter().find(|line| line.contains(words)).map(|line| line.trim().into())
        })
    }

    /// Chooses the entry with this line, once it is there. No word comes back: an app that quits may
    /// be gone before it has said that it heard. An entry with a mark moves that by itself, whatever
    /// the app makes of it, so there the menu is awaited that the app draws when it has heard.
    #[track_caller]
    pub(crate) fn choose(&self, line: &str) {
        let id = until(format!("the entry `{line}`"), || self.layout().find(line));
        let click = (id, "clicked", Value::from(0), 0_u32);
        Proxy::new(&self.bus, self.process.as_str(), self.menu_path(), MENU)
            .and_then(|menu| menu.call_noreply("Event", &click))
            .expect("the bus takes the click");
        if line.starts_with('[') {
            let is_anew = || (!self.layout().holds(id)).then_some(());
            until(format!("the menu after `{line}`"), is_anew);
        }
    }

    #[track_caller]
    fn layout(&self) -> Layout {
        let all = (0, -1, Vec::<&str>::new());
        // Between two menus there is none.
        until("the icon to have a menu", || {
            let layout: Option<(u32, Layout)> =
                self.call(&self.menu_path(), MENU, "GetLayout", &all);
            layout.map(|(_, layout)| layout)
        })
    }

    fn menu_path(&self) -> String {
        self.property::<OwnedObjectPath>("Menu").to_string()
    }

    /// `None` if the icon is gone, or knows no such thing.
    fn call<T: DeserializeOwned + Type>(
        &self,
        path: &str,
        interface: &str,
        method: &str,
        body: &(impl Serialize + DynamicType),
    ) -> Option<T> {
        let to = Some(self.process.as_str());
        let reply = self.bus.call_method(to, path, Some(interface), method, body);
        reply.ok()?.body().deserialize().ok()
    }
}

/// An entry of a menu, with those below it.
#[derive(Type, Deserialize, OwnedValue)]
struct Layout {
    id: i32,
    properties: HashMap<String, OwnedValue>,
    children: Vec<OwnedValue>,
}

impl Layout {
    fn write(&self, lines: &mut Vec<String>, indent: &str) {
        for entry in self.entries() {
            lines.push(format!("{indent}{}", entry.line()));
            entry.write(lines, &format!("{indent}  "));
        }
    }

    fn find(&self, line: &str) -> Option<i32> {
        self.entries()
            .find_map(|entry| if entry.line() == line { Some(entry.id) } else { entry.find(line) })
    }

    fn holds(&self, id: i32) -> bool {
        self.entries().any(|entry| entry.id == id || entry.holds(id))
    }

    fn entries(&self) -> impl Iterator<Item = Self> {
        let entry = |child: &OwnedValue| child.try_clone().ok()?.try_into().ok();
        self.children.iter().filter_map(entry)
    }

    fn line(&self) -> String {
        if self.property("type") == Some("separator".to_owned()) {
            return "---".into();
        }
        // An underline marks the key of an entry; two are one that is meant.
        let label: String = self.property("label").unwrap_or_default();
        let label = label.replace("__", "\0").replace('_', "").replace('\0', "_");
        match self.property::<i32>("toggle-state") {
            _ if self.property("enabled") == Some(false) => format!("({label})"),
            Some(0) => format!("[ ] {label}"),
            Some(1) => format!("[x] {label}"),
            _ => label,
        }
    }

    fn property<T: TryFrom<OwnedValue>>(&self, name: &str) -> Option<T> {
        self.properties.get(name)?.try_clone().ok()?.try_into().ok()
    }
}
