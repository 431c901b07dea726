//! Finds the origin and the terminal of a process of this machine.

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

/// Whether a process has the keyboard of a terminal.
pub fn is_at_terminal(pid: u32) -> bool {
    Process::of(pid).is_some_and(|process| process.is_in_front)
}

struct Process {
    pid: u32,
    parent: u32,
    session: u32,
    has_terminal: bool,
    /// Its terminal takes keys for it.
    is_in_front: bool,
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
        let fields: Vec<&str> = rest.split(' ').collect();
        let [_state, parent, group, session, terminal, front, ..] = fields[..] else { return None };
        let (parent, session) = (parent.parse().ok()?, session.parse().ok()?);
        let has_terminal = terminal != "0";
        let is_in_front = has_terminal && group == front;
        let is_manager = pid == 1 || name.ends_with("(systemd");
        Some(Self { pid, parent, session, has_terminal, is_in_front, user, is_manager })
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
    fn a_terminal_is_one_that_the_process_is_at_the_front_of() {
        let is_in_front = |stat: &str| Process::read(7, 0, stat).is_some_and(|it| it.is_in_front);
        assert!(is_in_front("7 (a) b) S 1 7 7 34816 7 0"));
        assert!(!is_in_front("7 (a) S 1 7 7 34816 9 0"), "in the background");
        assert!(!is_in_front("7 (a) S 1 7 7 0 -1 0"), "without a terminal");
        assert!(!is_in_front(""));
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
