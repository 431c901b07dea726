//! What can befall the programs and what they stand on: each can be done, and undone.

use std::{
    fmt::{self, Display},
    fs::{self, OpenOptions},
    io::Write,
    os::unix::fs::FileExt,
    path::Path,
    time::{Duration, Instant},
};

use askdeck_testkit::{
    Host, Running, Wire,
    process::{on_path, signal},
    within,
};

use super::{
    agent::{KILLED, NO_APP, NO_DISPLAY},
    chance::Chance,
    ledger::Ledger,
    stage::Stage,
    trial,
};
use crate::Result;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    AppKilled,
    CommandKilled,
    WebProcessKilled,
    AppStopped,
    CommandStopped,
    WebProcessStopped,
    SocketRemoved,
    DiskFull,
    ReadOnly,
    Damage,
    ClockJump,
    ServerRestart,
    BusGone,
    BusHangs,
    NotifierGone,
    NotifierHangs,
    TrayGone,
    TrayHangs,
    HalfMessage,
    TerminalCloses,
    DescriptionLies,
    FileLocked,
    SchemaBomb,
}

/// `1 MiB` is among the questions themselves.
pub(super) const ALL: [Fault; 23] = [
    Fault::AppKilled,
    Fault::CommandKilled,
    Fault::WebProcessKilled,
    Fault::AppStopped,
    Fault::CommandStopped,
    Fault::WebProcessStopped,
    Fault::SocketRemoved,
    Fault::DiskFull,
    Fault::ReadOnly,
    Fault::Damage,
    Fault::ClockJump,
    Fault::ServerRestart,
    Fault::BusGone,
    Fault::BusHangs,
    Fault::NotifierGone,
    Fault::NotifierHangs,
    Fault::TrayGone,
    Fault::TrayHangs,
    Fault::HalfMessage,
    Fault::TerminalCloses,
    Fault::DescriptionLies,
    Fault::FileLocked,
    Fault::SchemaBomb,
];

/// What may come on top of another one.
pub(super) const BLOWS: [Fault; 3] =
    [Fault::AppKilled, Fault::CommandKilled, Fault::WebProcessKilled];

/// What has to be put back.
pub(super) enum Healing {
    Nothing,
    Continue(u32),
    Empty(Box<Path>),
    Writable,
    /// Where the file was changed.
    Reopened {
        damaged: String,
    },
    RightClock,
    Server,
    Bus,
    Notifier,
    Tray,
    /// It goes when it is dropped.
    Ends {
        _program: Running,
    },
    HangsUp {
        _wire: Wire,
    },
    /// It goes, and so does the question that it asked in this folder.
    Withdrawn {
        program: Option<Running>,
        folder: &'static str,
    },
}

impl Fault {
    /// Why it cannot be done here.
    pub(super) fn left_out(self, stage: &Stage) -> Option<&'static str> {
        match self {
            Self::DiskFull | Self::ReadOnly if !stage.has_disk => {
                Some("it needs a disk of its own, and nothing may be mounted here")
            }
            Self::ClockJump if !stage.clock.can_jump() => {
                Some("it needs libfaketime, which is not installed")
            }
            Self::TrayGone | Self::TrayHangs if !on_path("dbus-test-tool") => {
                Some("it needs dbus-test-tool, which is not installed")
            }
            Self::FileLocked if !on_path("python3") => {
                Some("it needs python3, which is not installed")
            }
            Self::TerminalCloses if !on_path("xev") => Some("it needs xev, which is not installed"),
            _ => None,
        }
    }

    /// Whether it can come between a key and the draft.
    pub(super) fn interrupts_typing(self) -> bool {
        matches!(
            self,
            Self::AppKilled
                | Self::WebProcessKilled
                | Self::AppStopped
                | Self::WebProcessStopped
                | Self::DiskFull
                | Self::ReadOnly
                | Self::Damage
                | Self::ServerRestart
                | Self::BusGone
                | Self::TerminalCloses
                | Self::FileLocked
        )
    }

    /// Whether it is over as soon as it is done.
    pub(super) fn is_kill(self) -> bool {
        BLOWS.contains(&self)
    }

    /// Whether callers may end with this code by it, or with minus the signal.
    pub(super) fn can_end_callers_with(self, code: i32) -> bool {
        match code {
            NO_DISPLAY => self == Self::ServerRestart,
            NO_APP => matches!(
                self,
                Self::AppKilled
                    | Self::SocketRemoved
                    | Self::DiskFull
                    | Self::ReadOnly
                    | Self::Damage
                    | Self::ServerRestart
                    | Self::BusGone
                    | Self::FileLocked
            ),
            KILLED => self == Self::CommandKilled,
            _ => false,
        }
    }

    /// Whether it is best done in the moment in which an answer is sent.
    pub(super) fn strikes_who_sends(self) -> bool {
        matches!(
            self,
            Self::AppKilled
                | Self::CommandKilled
                | Self::WebProcessKilled
                | Self::AppStopped
                | Self::SocketRemoved
                | Self::Damage
                | Self::ServerRestart
        )
    }

    /// Nothing if there is nothing to do it to.
    pub(super) fn inject(
        self,
        stage: &Stage,
        ledger: &Ledger,
        chance: &mut Chance,
    ) -> Result<Option<Healing>> {
        let mut any = |processes: Vec<u32>| chance.pick(&processes).copied();
        let stopped = |process: u32| {
            signal("STOP", process);
            Healing::Continue(process)
        };
        let killed = |process: u32| {
            signal("KILL", process);
            Healing::Nothing
        };
        Ok(match self {
            Self::AppKilled => any(stage.apps()).map(killed),
            Self::CommandKilled => any(stage.commands()).map(killed),
            Self::WebProcessKilled => any(stage.web_processes()).map(killed),
            Self::AppStopped => any(stage.apps()).map(stopped),
            Self::CommandStopped => any(stage.commands()).map(stopped),
            Self::WebProcessStopped => any(stage.web_processes()).map(stopped),
            Self::SocketRemoved => fs::remove_file(stage.socket()).ok().map(|()| Healing::Nothing),
            Self::DiskFull => Some(fill(&stage.data())),
            Self::ReadOnly => {
                // A disk on which a file is being written cannot be made so.
                stage.kill_apps();
                let done = within(Duration::from_secs(1), "the disk to be free", || {
                    Ok(stage.set_read_only(true).then_some(()))
                });
                done.ok().map(|()| Healing::Writable)
            }
            Self::Damage => {
                // The last writes lie beside the file.
                let name = if chance.once_in(2) { "askdeck.sqlite" } else { "askdeck.sqlite-wal" };
                damage(&stage.data().join(name), chance)
                    .map(|at| Healing::Reopened { damaged: format!("byte {at} of {name}") })
            }
            Self::ClockJump => {
                let hours = i64::try_from(chance.of(1..100)).unwrap_or(1);
                let back = chance.once_in(2);
                stage.clock.be_wrong_by(hours * if back { -3600 } else { 3600 })?;
                Some(Healing::RightClock)
            }
            Self::ServerRestart => {
                stage.stop_server();
                Some(Healing::Server)
            }
            Self::BusGone => {
                stage.stop_bus();
                Some(Healing::Bus)
            }
            Self::BusHangs => stage.bus().map(stopped),
            Self::NotifierGone => {
                stage.stop_notifier();
                Some(Healing::Notifier)
            }
            Self::NotifierHangs => stage.notifier().map(stopped),
            Self::TrayGone => stage.tray_host().map(|_| {
                stage.stop_tray_host();
                Healing::Tray
            }),
            Self::TrayHangs => match stage.tray_host() {
                Some(host) => Some(stopped(host)),
                None => Some(Healing::Ends { _program: stage.run_tray_host("black-hole")? }),
            },
            Self::HalfMessage => {
                half_a_message(&stage.socket(), chance).map(|wire| Healing::HangsUp { _wire: wire })
            }
            Self::TerminalCloses => trial::close_terminal(stage, ledger, chance)?,
            Self::DescriptionLies => trial::lie(stage, ledger, chance)?,
            Self::FileLocked => trial::lock_file(stage, ledger)?,
            Self::SchemaBomb => trial::bomb(stage, ledger),
        })
    }
}

impl Healing {
    pub(super) fn heal(self, stage: &Stage) -> Result<()> {
        match self {
            Self::Nothing | Self::Ends { .. } | Self::HangsUp { .. } => {}
            Self::Continue(process) => {
                signal("CONT", process);
            }
            Self::Empty(file) => {
                fs::remove_file(&file).map_err(|e| format!("cannot empty the disk: {e}"))?;
            }
            Self::Writable => {
                if !stage.set_read_only(false) {
                    return Err("cannot make the disk writable again".into());
                }
            }
            Self::Reopened { .. } => {
                // An app that has the file open writes on after what was changed, and cannot know
                // that nobody will be able to read it. The next one does.
                stage.kill_apps();
            }
            Self::RightClock => stage.clock.be_wrong_by(0)?,
            Self::Server => stage.start_server()?,
            Self::Bus => {
                stage.start_bus()?;
                stage.stop_notifier();
                stage.start_notifier()?;
                if stage.tray_host().is_some() {
                    stage.start_tray_host()?;
                }
            }
            Self::Withdrawn { program, folder } => {
                drop(program);
                trial::withdraw(stage, folder)?;
            }
            Self::Notifier => stage.start_notifier()?,
            Self::Tray => stage.start_tray_host()?,
        }
        Ok(())
    }
}

impl Display for Fault {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        to.pad(match self {
            Self::AppKilled => "app killed",
            Self::CommandKilled => "command killed",
            Self::WebProcessKilled => "web process killed",
            Self::AppStopped => "app stopped",
            Self::CommandStopped => "command stopped",
            Self::WebProcessStopped => "web process stopped",
            Self::SocketRemoved => "socket removed",
            Self::DiskFull => "disk full",
            Self::ReadOnly => "disk read-only",
            Self::Damage => "file damaged",
            Self::ClockJump => "clock jumps",
            Self::ServerRestart => "X server restarted",
            Self::BusGone => "D-Bus gone",
            Self::BusHangs => "D-Bus hangs",
            Self::NotifierGone => "notification daemon gone",
            Self::NotifierHangs => "notification daemon hangs",
            Self::TrayGone => "tray host gone",
            Self::TrayHangs => "tray host hangs",
            Self::HalfMessage => "half a message",
            Self::TerminalCloses => "terminal closes",
            Self::DescriptionLies => "description lies",
            Self::FileLocked => "file locked",
            Self::SchemaBomb => "schema bomb",
        })
    }
}

/// Writes until nothing more fits.
fn fill(folder: &Path) -> Healing {
    let file = folder.join("filling");
    let begun = Instant::now();
    if let Ok(mut filling) = fs::File::create(&file) {
        let block = [0; 4096];
        while begun.elapsed() < Duration::from_secs(10) && filling.write_all(&block).is_ok() {}
    }
    Healing::Empty(file.into())
}

/// Changes one byte, wherever it falls, and tells where.
fn damage(file: &Path, chance: &mut Chance) -> Option<u64> {
    let length = fs::metadata(file).ok()?.len();
    if length == 0 {
        return None;
    }
    let file = OpenOptions::new().read(true).write(true).open(file).ok()?;
    let at = chance.of(0..length);
    let mut byte = [0];
    file.read_exact_at(&mut byte, at).ok()?;
    byte[0] ^= u8::try_from(chance.of(1..256)).unwrap_or(1);
    file.write_all_at(&byte, at).ok().map(|()| at)
}

/// A caller that begins to say something, and then only waits.
fn half_a_message(socket: &Path, chance: &mut Chance) -> Option<Wire> {
    let whole = r#"{"jsonrpc":"2.0","id":1,"method":"ask","params":{"payload":{"agent":"Half","question":"Half?","type":"text"}}}"#;
    let length = usize::try_from(chance.of(1..whole.len() as u64)).unwrap_or(1);
    let mut wire = Wire::connect(socket).ok()?;
    wire.say(&whole.as_bytes()[..length]).ok()?;
    Some(wire)
}
