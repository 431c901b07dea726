//! A person at a terminal: a real pseudo-terminal, a program at the front of it, and what an
//! emulator makes of what the program draws.

use std::{
    fmt,
    fs::File,
    io::{PipeWriter, Read, Write, pipe},
    num::NonZero,
    os::fd::OwnedFd,
    process::Child,
    sync::{Arc, Mutex, MutexGuard},
    thread::{self, JoinHandle},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt},
    termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize},
};

use super::{Ended, Home, Run, run::Files, try_signal, until};

pub(crate) struct Terminal {
    /// The person's side: keys go in, what is drawn comes out.
    person: Arc<File>,
    /// The program's side.
    program: OwnedFd,
    seen: Arc<Mutex<Seen>>,
    watching: Option<(PipeWriter, JoinHandle<()>)>,
    shell: Child,
    files: Files,
}

struct Seen {
    emulator: vt100::Parser,
    /// Every byte that has come.
    bytes: Vec<u8>,
}

/// What a test waits for, told with what is there instead.
struct Wanted<'a>(&'a str, &'a Terminal);

impl fmt::Display for Wanted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}; on the screen is\n{}", self.0, self.1.screen())
    }
}

impl Terminal {
    /// Starts the program at the front of a terminal of this many columns and rows. Its standard
    /// input, output and error are files, as for every other run.
    #[track_caller]
    pub(crate) fn start(run: Run, home: &Home, columns: u16, rows: u16) -> Self {
        // What other programs inherit would keep the terminal open.
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let person = openpt(flags).expect("Linux has them");
        grantpt(&person).and_then(|()| unlockpt(&person)).expect("it is ours");
        let program = ioctl_tiocgptpeer(&person, flags).expect("it was just opened");
        tcsetwinsize(&person, size(columns, rows)).expect("it is a terminal");
        let emulator = vt100::Parser::new(some(rows), some(columns), 0);
        let seen = Arc::new(Mutex::new(Seen { emulator, bytes: Vec::new() }));
        let person = Arc::new(File::from(person));
        let watching = Some(watch(Arc::clone(&person), Arc::clone(&seen)));
        let (shell, files) = run.start_in(home, program.try_clone().expect("a file"));
        Self { person, program, seen, watching, shell, files }
    }

    #[track_caller]
    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        self.seen().emulator.screen_mut().set_size(some(rows), some(columns));
        tcsetwinsize(&self.person, size(columns, rows)).expect("it is a terminal");
    }

    /// Types these bytes: `\r` is Enter, `\x1b[A` is an arrow up.
    #[track_caller]
    pub(crate) fn press(&self, keys: &str) {
        (&*self.person).write_all(keys.as_bytes()).expect("the terminal is there");
    }

    /// Waits until the program has read every key.
    #[track_caller]
    pub(crate) fn await_read(&self) {
        until("the keys to be read", || {
            // Bytes on their way to the terminal are counted by `poll` alone.
            let mut files = [PollFd::new(&self.program, PollFlags::IN)];
            let unread = poll(&mut files, Some(&Timespec::default())).expect("it is a terminal");
            (unread == 0).then_some(())
        });
    }

    /// What is on the screen, line by line.
    pub(crate) fn screen(&self) -> String {
        self.seen().emulator.screen().contents()
    }

    #[track_caller]
    pub(crate) fn await_text(&self, text: &str) {
        until(Wanted(&format!("`{text}`"), self), || self.screen().contains(text).then_some(()));
    }

    /// Waits until the dialog takes keys: before that it names none.
    #[track_caller]
    pub(crate) fn await_armed(&self) {
        self.await_text("Tab buttons");
    }

    /// Waits until the keyboard is on this, which is then drawn the other way round.
    #[track_caller]
    pub(crate) fn await_current(&self, text: &str) {
        let what = format!("the keyboard on `{text}`");
        until(Wanted(&what, self), || self.current().contains(text).then_some(()));
    }

    /// Goes from control to control until the keyboard is on this one.
    #[track_caller]
    pub(crate) fn tab_to(&self, text: &str) {
        for _ in 0..9 {
            if self.current().contains(text) {
                return;
            }
            let before = (self.current(), self.cursor());
            self.press("\t");
            until(Wanted("Tab to move", self), || {
                let now = (self.current(), self.cursor());
                // Half a frame shows neither.
                (now != before && (!now.0.is_empty() || now.1.is_some())).then_some(())
            });
        }
        panic!("Tab does not come to `{text}`:\n{}", self.screen());
    }

    fn current(&self) -> String {
        let seen = self.seen();
        let screen = seen.emulator.screen();
        let (rows, columns) = screen.size();
        let cells =
            (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |column| (row, column)));
        let cells = cells.filter_map(|(row, column)| screen.cell(row, column));
        cells.filter(|cell| cell.inverse()).map(vt100::Cell::contents).collect()
    }

    /// Where the cursor is, as column and row, if it can be seen.
    pub(crate) fn cursor(&self) -> Option<(u16, u16)> {
        let seen = self.seen();
        let (row, column) = seen.emulator.screen().cursor_position();
        (!seen.emulator.screen().hide_cursor()).then_some((column, row))
    }

    /// All that was ever drawn.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.seen().bytes.clone()
    }

    /// Whether the terminal is as a shell needs it: it shows what is typed, line by line.
    pub(crate) fn is_given_back(&self) -> bool {
        let modes = tcgetattr(&self.program).expect("it is a terminal").local_modes;
        let seen = self.seen();
        let screen = seen.emulator.screen();
        modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
            && !screen.alternate_screen()
            && !screen.bracketed_paste()
            && !screen.hide_cursor()
    }

    /// The process of the program.
    pub(crate) fn process(&self) -> u32 {
        until("the program to start", || self.files.process())
    }

    /// Closes the terminal, as its window is closed: the kernel hangs up.
    #[track_caller]
    pub(crate) fn close(mut self) {
        let process = self.process();
        if let Some((stop, watching)) = self.watching.take() {
            drop(stop);
            watching.join().expect("it only reads");
        }
        self.person = Arc::new(File::open("/dev/null").expect("Linux has it"));
        until("the program to end", || {
            (!std::path::Path::new(&format!("/proc/{process}/exe")).exists()).then_some(())
        });
    }

    pub(crate) fn is_over(&self) -> bool {
        self.files.is_over()
    }

    /// Waits for the end of the program. It must leave the terminal as it was.
    #[track_caller]
    pub(crate) fn ends(&self) -> Ended {
        until(Wanted("the program to end", self), || self.is_over().then_some(()));
        until(Wanted("a terminal as before", self), || self.is_given_back().then_some(()));
        self.files.await_end()
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().expect("nothing panics under this lock")
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A test that failed leaves nothing behind.
        if let Some(process) = self.files.process() {
            try_signal("KILL", process);
        }
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}

/// Reads what is drawn until the other end of the pipe is closed.
fn watch(person: Arc<File>, seen: Arc<Mutex<Seen>>) -> (PipeWriter, JoinHandle<()>) {
    let (stopped, stop) = pipe().expect("Linux has them");
    let watching = thread::spawn(move || {
        let mut buffer = [0; 4096];
        loop {
            let files = [&*person as &dyn std::os::fd::AsFd, &stopped];
            let mut files = files.map(|file| PollFd::from_borrowed_fd(file.as_fd(), PollFlags::IN));
            if poll(&mut files, None).is_err() || !files[1].revents().is_empty() {
                break;
            }
            let Ok(length @ 1..) = (&*person).read(&mut buffer) else { break };
            let mut seen = seen.lock().expect("nothing panics under this lock");
            seen.bytes.extend_from_slice(&buffer[..length]);
            seen.emulator.process(&buffer[..length]);
        }
    });
    (stop, watching)
}

fn some(count: u16) -> NonZero<u16> {
    count.try_into().expect("a terminal has a size")
}

fn size(columns: u16, rows: u16) -> Winsize {
    Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}
