//! The controlling terminal: found, taken over while a dialog is on it, and given back as it was,
//! whatever happens.
//!
//! Everything goes to it directly, so that standard output stays the caller's.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Write},
    os::fd::{AsFd, BorrowedFd},
    panic,
    sync::{Mutex, Once},
};

use askdeck_desk::paths;
use ratatui::{Terminal, TerminalOptions, Viewport, backend::CrosstermBackend, layout::Rect};
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetpgrp,
    tcgetwinsize, tcsetattr,
};
use thiserror::Error;

/// Another screen, on which a paste tells that it is one.
const ENTER: &str = "\x1b[?1049h\x1b[?2004h\x1b[2J\x1b[H";
const LEAVE: &str = "\x1b[0m\x1b[?25h\x1b[?2004l\x1b[?1049l";
/// Shift+Enter and others differ from Enter. All terminals but one take or ignore it.
const MORE_KEYS: &str = "\x1b[>1u";
const USUAL_KEYS: &str = "\x1b[<u";

pub(super) type Canvas = Terminal<CrosstermBackend<BufWriter<File>>>;

/// What a terminal has that does not know its size, such as a serial line.
const USUAL_SIZE: Rect = Rect { x: 0, y: 0, width: 80, height: 24 };

pub struct Tty {
    file: File,
}

/// Why there is no terminal to ask on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoTty {
    #[error("this program has no terminal")]
    None,
    #[error("TERM says that the terminal cannot draw")]
    CannotDraw,
    #[error("this program runs in the background of its terminal")]
    Background,
    /// Keys would go now to the one and now to the other.
    #[error("another program is using the terminal")]
    InUse,
}

impl Tty {
    pub fn find() -> Result<Self, NoTty> {
        paths::terminal().ok_or(NoTty::CannotDraw)?;
        let file =
            File::options().read(true).write(true).open("/dev/tty").map_err(|_| NoTty::None)?;
        let in_front = tcgetpgrp(&file).map_err(|_| NoTty::None)?;
        if in_front != rustix::process::getpgrp() {
            return Err(NoTty::Background);
        }
        // A shell that waits for a program leaves the terminal to it line by line. An agent that
        // draws on it, and runs this command meanwhile, does not.
        let modes = tcgetattr(&file).map_err(|_| NoTty::None)?.local_modes;
        if !modes.contains(LocalModes::ICANON) {
            return Err(NoTty::InUse);
        }
        Ok(Self { file })
    }

    /// Takes the terminal over.
    pub(super) fn take(&self) -> io::Result<Taken> {
        give_back_in_a_panic();
        self.prepare()?;
        Ok(Taken { canvas: self.canvas().inspect_err(|_| give_back())? })
    }

    fn canvas(&self) -> io::Result<Canvas> {
        let backend = CrosstermBackend::new(BufWriter::new(self.file.try_clone()?));
        let size = tcgetwinsize(&self.file)?;
        let viewport = match (size.ws_col, size.ws_row) {
            (0, _) | (_, 0) => Viewport::Fixed(USUAL_SIZE),
            _ => Viewport::Fullscreen,
        };
        Terminal::with_options(backend, TerminalOptions { viewport })
    }

    /// What was typed before that was meant for something else, and is thrown away.
    fn prepare(&self) -> io::Result<()> {
        let before = tcgetattr(&self.file)?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(&self.file, OptionalActions::Flush, &raw)?;
        *TAKEN.lock().expect("nothing panics under this lock") =
            Some((self.file.try_clone()?, before));
        let keys = if knows_keys() { MORE_KEYS } else { "" };
        (&self.file).write_all(format!("{ENTER}{keys}").as_bytes())
    }

    /// Writes lines that stay on the screen.
    pub(super) fn say(&self, lines: &[String]) {
        for line in lines {
            // A terminal that is gone shows nothing any more.
            let _ = writeln!(&self.file, "{line}");
        }
    }

    /// What was typed, as far as it has come.
    pub(super) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        (&self.file).read(buffer)
    }

    /// Forgets what was typed and not read.
    pub(super) fn forget_typed(&self) {
        // A terminal that is gone has nothing to forget.
        let _ = tcflush(&self.file, QueueSelector::IFlush);
    }
}

impl AsFd for Tty {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

/// A terminal that is taken over, for as long as this lives.
pub(super) struct Taken {
    pub(super) canvas: Canvas,
}

impl Taken {
    /// Gives it back for as long as this takes.
    pub(super) fn lend(&mut self, tty: &Tty, while_away: impl FnOnce()) -> io::Result<()> {
        give_back();
        while_away();
        tty.prepare()?;
        // Nothing of what was drawn is there any more.
        self.canvas = tty.canvas()?;
        Ok(())
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        give_back();
    }
}

/// How the terminal was before it was taken over.
static TAKEN: Mutex<Option<(File, Termios)>> = Mutex::new(None);

fn give_back() {
    let Some((mut file, before)) = TAKEN.lock().ok().and_then(|mut taken| taken.take()) else {
        return;
    };
    let keys = if knows_keys() { USUAL_KEYS } else { "" };
    // A terminal that is gone needs nothing any more.
    let _ = file.write_all(format!("{keys}{LEAVE}").as_bytes());
    let _ = tcsetattr(&file, OptionalActions::Drain, &before);
}

/// The Linux console would write what it does not know.
fn knows_keys() -> bool {
    paths::terminal().is_some_and(|kind| kind != "linux")
}

fn give_back_in_a_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            give_back();
            tell(panic);
        }));
    });
}
