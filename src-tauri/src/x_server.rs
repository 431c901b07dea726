//! What GTK has no call for: asked of the X server over a connection of our own.

use std::{sync::OnceLock, time::Duration};

use x11rb::{
    connection::Connection,
    errors::ReplyError,
    protocol::{
        screensaver::ConnectionExt as _,
        xproto::{ConnectionExt as _, InputFocus, Timestamp, Window},
    },
    rust_connection::RustConnection,
};

/// How long the person has touched neither keyboard nor mouse, whatever window has them.
///
/// `None` where the X server does not know it: on Wayland, or without its screen saver extension.
pub(super) fn idle_for() -> Option<Duration> {
    Server::get()?.idle_for().ok()
}

/// Gives a window the keyboard, unless the person has given it to another since that time.
pub(super) fn give_keyboard(window: Window, time: Timestamp) {
    if let Some(server) = Server::get() {
        // A window that nobody can see cannot have it.
        let _ = server.give_keyboard(window, time);
    }
}

struct Server {
    connection: RustConnection,
    root: Window,
}

impl Server {
    fn get() -> Option<&'static Self> {
        static SERVER: OnceLock<Option<Server>> = OnceLock::new();
        SERVER.get_or_init(Self::connect).as_ref()
    }

    fn connect() -> Option<Self> {
        let (connection, screen) = x11rb::connect(None).ok()?;
        // Under Wayland there is a server, too, but it sees only what X11's own windows are told.
        let wayland = connection.query_extension(b"XWAYLAND").ok()?.reply().ok()?;
        let root = connection.setup().roots.get(screen)?.root;
        (!wayland.present).then_some(Self { connection, root })
    }

    fn idle_for(&self) -> Result<Duration, ReplyError> {
        let info = self.connection.screensaver_query_info(self.root)?.reply()?;
        Ok(Duration::from_millis(info.ms_since_user_input.into()))
    }

    fn give_keyboard(&self, window: Window, time: Timestamp) -> Result<(), ReplyError> {
        self.connection.set_input_focus(InputFocus::PARENT, window, time)?.check()
    }
}
