//! Finds the origin of a process of this machine.

use std::{fs, os::unix::fs::MetadataExt};

use askdeck_core::origin::Origin;

/// More parents than any process has.
const DEEPEST: usize = 100;

/// Agents start a new process for each question, and often a
/// session without a terminal for each command: what counts is the terminal that they were
/// started in, or else the first program of this user.
pub fn of_process(pid: u32) -> Origin {
    let Some(mut process) = Process::of(pid) else { return Origin::Unknown };
    for _ in 0..DEEPEST {
        if process.has_terminal {
            return Origin::Terminal(process.session);
        }
        match Process::of(process.parent) {
            Some(parent) if parent.user == process.user && !parent.is_manager => {
                process = parent;
            }
            _ => break,
        }
    }
    Origin::Program(process.pid)
}

struct Process {
    pid: u32,
    parent: u32,
    session: u32,
    has_terminal: bool,
    user: u32,
    /// It starts all programs of the user, which have nothing else to do with each other.
    is_manager: bool,
}

impl Process {
    fn of(pid: u32) -> Option<Self> {
        let user = fs::metadata(format!("/proc/{pid}")).ok()?.uid();
        Self::read(pid, user, &fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    fn read(pid: u32, user: u32, stat: &str) -> Option<Self> {
        // Its name stands in parentheses, and may have any in it.
        let (name, rest) = stat.rsplit_once(") ")?;
        let mut fields = rest.split(' ').skip(1);
        let parent = fields.next()?.parse().ok()?;
        let session = fields.nth(1)?.parse().ok()?;
        let has_terminal = fields.next()? != "0";
        let is_manager = pid == 1 || name.ends_with("(systemd");
        Some(Self { pid, parent, session, has_terminal, user, is_manager })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_whatever_its_name_is() {
        let read = |stat: &str| {
            let it = Process::read(7, 0, stat)?;
            Some((it.parent, it.session, it.has_terminal, it.is_manager))
        };
        assert_eq!(read("7 (a) b) S 3 7 5 34816 7 0"), Some((3, 5, true, false)));
        assert_eq!(read("7 (systemd) S 1 7 7 0 -1 0"), Some((1, 7, false, true)));
        assert_eq!(read("7 (a) S 1"), None);
        assert_eq!(read(""), None);
    }

    #[test]
    fn a_process_comes_from_where_its_parent_does() {
        let mut child = std::process::Command::new("setsid").args(["sleep", "60"]).spawn().unwrap();
        let origins = (of_process(child.id()), of_process(std::process::id()));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(origins.0, origins.1);
        assert_ne!(origins.0, Origin::Unknown);
    }
}
