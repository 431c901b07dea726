//! What the tests stand on: private displays, a WebDriver, and a person with real keys.

mod accessible;
mod driver;
mod editor;
mod home;
mod kept;
mod notifications;
mod person;
mod run;
mod screen;
mod terminal;
mod tray_host;
mod wait;
mod window;
mod wire;

pub(crate) use accessible::{Accessible, Role, State};
pub(crate) use editor::{Editor, Typing};
pub(crate) use home::Home;
pub(crate) use kept::Kept;
pub(crate) use notifications::{Heard, Notifications};
pub(crate) use person::Person;
pub(crate) use run::{Ended, Run, Running, signal};
pub(crate) use screen::Screen;
pub(crate) use terminal::Terminal;
pub(crate) use tray_host::{TrayHost, TrayItem};
pub(crate) use wait::until;
pub(crate) use window::Window;
pub(crate) use wire::{Wire, socket};
