//! What a screen reader finds: objects on the accessibility bus (AT-SPI).

use std::collections::HashMap;

use serde::{Serialize, de::DeserializeOwned};
use zbus::{
    blocking::{Connection, connection::Builder},
    zvariant::{DynamicType, OwnedObjectPath, OwnedValue, Type},
};

use super::Screen;

#[derive(Clone)]
pub(crate) struct Accessible {
    bus: Connection,
    at: Reference,
}

/// An object, by its process and its path there.
type Reference = (String, OwnedObjectPath);

/// Roles, by their number in AT-SPI.
#[derive(Clone, Copy)]
pub(crate) enum Role {
    CheckBox = 7,
    ListItem = 32,
    PageTab = 37,
    PageTabList = 38,
    PasswordText = 40,
    PushButton = 43,
    RadioButton = 44,
    Text = 61,
    Entry = 79,
    Notification = 101,
}

/// States, by their number in AT-SPI.
#[derive(Clone, Copy)]
pub(crate) enum State {
    Checked = 4,
    Focused = 12,
    Selected = 23,
    Showing = 25,
    Invalid = 36,
}

const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";
/// The relation of a control to what describes it.
const DESCRIBED_BY: u32 = 18;

impl Accessible {
    /// All that is on the screen.
    pub(crate) fn desktop(screen: &Screen) -> Self {
        Self::of_session(&screen.bus)
    }

    /// All that is there in the session that has this bus.
    pub(super) fn of_session(bus: &str) -> Self {
        let session = connect(bus);
        let bus = (Some("org.a11y.Bus"), "/org/a11y/bus");
        let reply = session.call_method(bus.0, bus.1, bus.0, "GetAddress", &());
        let address: String = reply
            .expect("at-spi2-core is installed")
            .body()
            .deserialize()
            .expect("an address is a text");
        let root = OwnedObjectPath::try_from("/org/a11y/atspi/accessible/root").expect("a path");
        Self { bus: connect(&address), at: ("org.a11y.atspi.Registry".into(), root) }
    }

    /// All objects below this one that have the role and can be seen.
    pub(crate) fn all(&self, role: Role) -> Vec<Self> {
        let mut found = Vec::new();
        for child in self.children() {
            if child.role() == Some(role as u32) && child.is(State::Showing) {
                found.push(child.clone());
            }
            found.extend(child.all(role));
        }
        found
    }

    pub(crate) fn name(&self) -> String {
        self.property("Name")
    }

    /// What stands in it.
    pub(crate) fn text(&self) -> String {
        self.call("org.a11y.atspi.Text", "GetText", &(0, -1)).unwrap_or_default()
    }

    /// What describes it, when it was first looked at.
    pub(crate) fn description(&self) -> String {
        self.property("Description")
    }

    /// The text of what describes it, now.
    pub(crate) fn described_by(&self) -> String {
        let relations: Vec<(u32, Vec<Reference>)> = self.ask("GetRelationSet").unwrap_or_default();
        let describing = relations.into_iter().filter(|(kind, _)| *kind == DESCRIBED_BY);
        describing.flat_map(|(_, objects)| objects).map(|at| self.other(at).text()).collect()
    }

    pub(crate) fn is(&self, state: State) -> bool {
        let bits: Vec<u32> = self.ask("GetState").unwrap_or_default();
        let number = state as usize;
        bits.get(number / 32).is_some_and(|word| word >> (number % 32) & 1 == 1)
    }

    /// The middle of it, on the screen.
    pub(crate) fn middle(&self) -> Option<(i32, i32)> {
        self.middle_from(0)
    }

    /// The middle of it, in its window: Wayland does not tell where that is.
    pub(crate) fn middle_in_window(&self) -> Option<(i32, i32)> {
        self.middle_from(1)
    }

    /// `origin` by its number in AT-SPI.
    fn middle_from(&self, origin: u32) -> Option<(i32, i32)> {
        let extents = self.call("org.a11y.atspi.Component", "GetExtents", &origin);
        let (x, y, width, height): (i32, i32, i32, i32) = extents?;
        Some((x + width / 2, y + height / 2))
    }

    /// Where it stands among its like, such as `2 of 3`.
    pub(crate) fn position(&self) -> String {
        let all: HashMap<String, String> = self.ask("GetAttributes").unwrap_or_default();
        let attribute = |name| all.get(name).map_or("?", String::as_str);
        format!("{} of {}", attribute("posinset"), attribute("setsize"))
    }

    fn role(&self) -> Option<u32> {
        self.ask("GetRole")
    }

    fn children(&self) -> Vec<Self> {
        let count: i32 = self.property("ChildCount");
        // GTK's list of all children leaves out the page, which lives in another process.
        let child = |index| self.call(ACCESSIBLE, "GetChildAtIndex", &index);
        (0..count).filter_map(child).map(|at| self.other(at)).collect()
    }

    fn other(&self, at: Reference) -> Self {
        Self { bus: self.bus.clone(), at }
    }

    fn ask<T: DeserializeOwned + Type>(&self, method: &str) -> Option<T> {
        self.call(ACCESSIBLE, method, &())
    }

    fn property<T: TryFrom<OwnedValue> + Default>(&self, name: &str) -> T {
        let value =
            self.call::<OwnedValue>("org.freedesktop.DBus.Properties", "Get", &(ACCESSIBLE, name));
        value.and_then(|value| value.try_into().ok()).unwrap_or_default()
    }

    /// `None` if the object is gone.
    fn call<T: DeserializeOwned + Type>(
        &self,
        interface: &str,
        method: &str,
        body: &(impl Serialize + DynamicType),
    ) -> Option<T> {
        let (name, path) = &self.at;
        let reply = self.bus.call_method(Some(name.as_str()), path, Some(interface), method, body);
        reply.ok()?.body().deserialize().ok()
    }
}

pub(super) fn connect(address: &str) -> Connection {
    Builder::address(address)
        .and_then(Builder::build)
        .expect("the bus belongs to this test and runs")
}
