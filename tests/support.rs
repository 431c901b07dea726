//! What the tests stand on: private displays, a WebDriver, and a person with real keys.

mod accessible;
mod browser;
mod claude;
mod compositor;
mod deciding;
mod driver;
mod editor;
pub(crate) mod foreign;
mod home;
mod kept;
mod mcp_client;
mod model;
mod mouse;
mod notifications;
mod pixels;
mod programs;
mod prompt;
mod run;
mod screen;
mod server;
mod terminal;
mod tmux;
mod tray_host;
mod window;
mod wire;

pub(crate) use askdeck_testkit::{
    Person, press_at_most, press_once,
    process::{signal as try_signal, stop},
    until, until_started,
};

pub(crate) use accessible::{Accessible, Role, State};
pub(crate) use browser::Browser;
pub(crate) use claude::Claude;
pub(crate) use compositor::Compositor;
pub(crate) use deciding::Deciding;
pub(crate) use editor::{Editor, Typing};
pub(crate) use home::Home;
pub(crate) use kept::Kept;
pub(crate) use mcp_client::McpClient;
pub(crate) use model::Model;
pub(crate) use notifications::{Heard, Notifications};
pub(crate) use programs::{APP, askdeck};
pub(crate) use prompt::Prompt;
pub(crate) use run::{Ended, Run, Running, signal};
pub(crate) use screen::Screen;
pub(crate) use server::Server;
pub(crate) use terminal::Terminal;
pub(crate) use tmux::Tmux;
pub(crate) use tray_host::{TrayHost, TrayItem};
pub(crate) use window::Window;
pub(crate) use wire::{Wire, socket};
