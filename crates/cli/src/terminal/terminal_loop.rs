//! One dialog at the terminal, from the first time that it is drawn until it ends there.

use std::time::{Duration, Instant};

use askdeck_core::{
    outcome::Outcome,
    protocol::Warning,
    session::{Event, Settings},
};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
};
use signal_hook::consts::SIGTSTP;

use super::{
    TerminalError,
    connection::{Connection, Ending, Told},
    draw, farewell,
    keys::{Decoder, Input},
    signals::Signals,
    terminal_view::TerminalView,
    tty::{Taken, Tty},
    wrap::Block,
};

/// How long an Esc may be the beginning of something longer.
const ESC_WAIT: Duration = Duration::from_millis(100);
/// A person who typed this recently may be typing still.
const TYPING: Duration = Duration::from_secs(3);
/// A key that came longer ago has been told of.
const STIRRED: Duration = Duration::from_millis(500);
/// A person who has not typed for this long has seen that the dialog is gone.
const PAUSE: Duration = Duration::from_secs(1);

pub(super) struct TerminalLoop<'a, 'b> {
    tty: &'a Tty,
    pub(super) taken: Taken,
    pub(super) terminal: TerminalView,
    connection: &'a mut Connection<'b>,
    signals: &'a mut Signals,
    decoder: Decoder,
    settings: Settings,
    /// When bytes came last, and when a key did.
    came: Instant,
    typed: Option<Instant>,
    /// How it ended, if that was not here.
    elsewhere: Option<Outcome>,
}

/// Why the dialog is on the terminal no longer.
pub(super) enum End {
    Ended {
        outcome: Outcome,
        elsewhere: bool,
        /// What the person should know of how it was kept.
        warning: Option<Warning>,
    },
    SetAside,
    /// A signal wants the program to end.
    Signal(i32),
}

/// What there is to attend to.
#[derive(Default)]
struct Ready {
    signals: bool,
    tty: bool,
    connection: bool,
}

impl<'a, 'b> TerminalLoop<'a, 'b> {
    pub(super) fn begin(
        tty: &'a Tty,
        terminal: TerminalView,
        connection: &'a mut Connection<'b>,
        signals: &'a mut Signals,
        settings: Settings,
    ) -> Result<Self, TerminalError> {
        let (taken, decoder) = (tty.take()?, Decoder::default());
        Ok(Self {
            tty,
            taken,
            terminal,
            connection,
            signals,
            decoder,
            settings,
            came: Instant::now(),
            typed: None,
            elsewhere: None,
        })
    }

    pub(super) fn run(&mut self) -> Result<End, TerminalError> {
        self.draw()?;
        self.terminal.apply(Event::Shown, Instant::now());
        loop {
            self.draw()?;
            let ready = self.wait()?;
            if ready.signals
                && let Some(signal) = self.signals.take()
            {
                if signal != SIGTSTP {
                    return Ok(End::Signal(signal));
                }
                self.stop()?;
            }
            if ready.tty {
                self.read()?;
            } else if self.escape_wait().is_some_and(|wait| wait.is_zero())
                && let Some(escape) = self.decoder.stop_waiting()
            {
                self.input(escape);
            }
            if ready.connection {
                let told = self.connection.hear();
                self.take_in(told);
            }
            let now = Instant::now();
            self.terminal.apply(Event::Tick, now);
            let kept =
                self.connection.keep(&self.terminal.session().save(), self.is_stirring(), now);
            self.take_in(kept);
            if let Some(end) = self.end()? {
                return Ok(end);
            }
        }
    }

    /// Whether the desk should know that the person is there: a deadline waits for
    /// them.
    fn is_stirring(&self) -> bool {
        let typed = self.typed.is_some_and(|typed| typed.elapsed() < STIRRED);
        typed && self.terminal.view.countdown.is_some()
    }

    fn end(&mut self) -> Result<Option<End>, TerminalError> {
        if self.terminal.session().take_set_aside() {
            self.connection.set_aside();
            return Ok(Some(End::SetAside));
        }
        let outcome = self.terminal.session().outcome().cloned();
        let mut warning = None;
        if let (None, Some(outcome)) = (&self.elsewhere, &outcome) {
            let dialog = self.terminal.session().dialog().clone();
            match self.connection.end(&dialog, outcome) {
                Ending::First => {}
                Ending::NotKept(why) => warning = Some(why),
                Ending::TooLate(other) => self.elsewhere = Some(other),
            }
        }
        if let Some(outcome) = self.elsewhere.take() {
            self.linger(&outcome)?;
            return Ok(Some(End::Ended { outcome, elsewhere: true, warning }));
        }
        Ok(outcome.map(|outcome| End::Ended { outcome, elsewhere: false, warning }))
    }

    /// Waits for the person to stop typing: what they type must not go into the shell.
    fn linger(&mut self, outcome: &Outcome) -> Result<(), TerminalError> {
        let said = self.terminal.say(farewell::elsewhere(outcome));
        let is_typing = self.typed.is_some_and(|typed| typed.elapsed() < TYPING);
        let mut until = is_typing.then(|| Instant::now() + PAUSE);
        while let Some(quiet) = until {
            self.taken.canvas.draw(|frame| {
                let area = frame.area();
                let rows = Block::new(said.clone()).rows(usize::from(area.width).max(1));
                draw::draw_rows(frame, area, rows);
            })?;
            let left = quiet.saturating_duration_since(Instant::now());
            let mut files = [PollFd::new(self.tty, PollFlags::IN)];
            let came = poll(&mut files, timespec(Some(left)).as_ref()).unwrap_or(0);
            until = (came > 0 && self.tty.read(&mut [0; 1024]).is_ok_and(|length| length > 0))
                .then(|| Instant::now() + PAUSE);
        }
        self.tty.forget_typed();
        Ok(())
    }

    fn draw(&mut self) -> Result<(), TerminalError> {
        let terminal = &mut self.terminal;
        self.taken.canvas.draw(|frame| draw::draw(frame, terminal))?;
        Ok(())
    }

    /// Gives the terminal back for as long as the program is stopped.
    fn stop(&mut self) -> Result<(), TerminalError> {
        self.taken.lend(self.tty, Signals::stop)?;
        self.terminal.apply(Event::WindowFocused, Instant::now());
        Ok(())
    }

    /// Waits until there is something to attend to, or the session wants to know the time.
    fn wait(&mut self) -> Result<Ready, TerminalError> {
        let now = Instant::now();
        let tick = self.terminal.session().next_tick().map(|at| at.saturating_duration_since(now));
        let again = self.connection.next_try().map(|at| at.saturating_duration_since(now));
        let escape = self.escape_wait();
        let heard = self.connection.has_heard();
        let patience = [tick, again, escape].into_iter().flatten().min();
        let patience = if heard { Some(Duration::ZERO) } else { patience };
        let file = self.connection.file();
        let mut files =
            vec![PollFd::new(self.tty, PollFlags::IN), PollFd::new(&*self.signals, PollFlags::IN)];
        files.extend(file.map(|file| PollFd::from_borrowed_fd(file, PollFlags::IN)));
        match poll(&mut files, timespec(patience).as_ref()) {
            Ok(_) => {}
            // The signal's own file tells more, now or the next time.
            Err(Errno::INTR) => return Ok(Ready { signals: true, ..Ready::default() }),
            Err(error) => return Err(std::io::Error::from(error).into()),
        }
        let is_ready =
            |index: usize| files.get(index).is_some_and(|file| !file.revents().is_empty());
        Ok(Ready { tty: is_ready(0), signals: is_ready(1), connection: heard || is_ready(2) })
    }

    /// How much longer what is held back may be the beginning of something.
    fn escape_wait(&self) -> Option<Duration> {
        let wait = || ESC_WAIT.saturating_sub(self.came.elapsed());
        self.decoder.holds_back().then(wait)
    }

    fn read(&mut self) -> Result<(), TerminalError> {
        self.came = Instant::now();
        let mut buffer = [0; 4096];
        match self.tty.read(&mut buffer) {
            Ok(0) => return Err(TerminalError::Gone),
            Ok(length) => self.decoder.feed(&buffer[..length]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return Err(TerminalError::Gone),
        }
        while let Some(input) = self.decoder.next() {
            self.input(input);
        }
        Ok(())
    }

    fn input(&mut self, input: Input) {
        let now = Instant::now();
        self.typed = Some(now);
        // A question that cannot be seen cannot be answered.
        if !self.terminal.hidden || input.is_interrupt() {
            self.terminal.input(input, now);
        }
    }

    fn take_in(&mut self, told: impl IntoIterator<Item = Told>) {
        let now = Instant::now();
        for told in told {
            match told {
                Told::Draft(news) => {
                    let here = self.terminal.session().save();
                    let news = self.connection.reconcile(news, &here);
                    self.terminal.adopt(&news, now);
                }
                Told::Ended(outcome) => self.elsewhere = Some(outcome),
                Told::CallerLeft => self.terminal.apply(Event::CallerLeft, now),
                Told::CallerBack(left) => {
                    self.terminal.session().set_limit(left, now);
                    self.terminal.apply(Event::CallerBack, now);
                }
                Told::Moved(closing) => {
                    self.settings.closing = closing;
                    self.terminal.session().set_settings(self.settings);
                }
                Told::Warning(warning) => {
                    let said = warning.map(|warning| self.terminal.say_warning(&warning));
                    self.terminal.warning = said;
                }
            }
        }
    }
}

fn timespec(patience: Option<Duration>) -> Option<Timespec> {
    patience.and_then(|patience| Timespec::try_from(patience).ok())
}
