//! Programs in the background that never outlive this one.

use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Child, Command, ExitStatus, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{Result, until};

/// A program that is stopped when this value goes.
pub struct Running {
    child: Option<Child>,
    name: String,
}

impl Running {
    pub fn start(command: &mut Command) -> Result<Self> {
        let name = command.get_program().display().to_string();
        let child = command.spawn().map_err(|e| format!("cannot start {name}: {e}"))?;
        Ok(Self { child: Some(child), name })
    }

    pub fn child(&mut self) -> &mut Child {
        self.child.as_mut().expect("it is taken only by `output`, which consumes self")
    }

    pub fn id(&self) -> u32 {
        self.child.as_ref().expect("it is taken only by `output`, which consumes self").id()
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Result<Option<ExitStatus>> {
        let name = self.name.clone();
        self.child().try_wait().map_err(|e| format!("cannot watch {name}: {e}"))
    }

    /// The line with which it says that it is ready, and perhaps where it can be reached. Its
    /// output must be piped.
    pub fn first_line(&mut self, name: &str) -> Result<String> {
        let pipe = self.child().stdout.take().expect("its output is piped");
        let mut line = String::new();
        BufReader::new(pipe)
            .read_line(&mut line)
            .map_err(|e| format!("cannot read what {name} says: {e}"))?;
        let line = line.trim();
        if line.is_empty() { Err(format!("{name} did not start")) } else { Ok(line.to_owned()) }
    }

    /// What it wrote, once it has ended.
    pub fn output(mut self) -> Result<Output> {
        let child = self.child.take().expect("it is taken only here");
        child.wait_with_output().map_err(|e| format!("cannot read what {} wrote: {e}", self.name))
    }

    /// Asks it to end, so that it can remove its lock files, and insists after a while.
    pub fn stop(&mut self) {
        self.end("TERM");
    }

    /// Ends it as Ctrl+C does: Askdeck's command then closes its window first.
    pub fn interrupt(&mut self) {
        self.end("INT");
    }

    fn end(&mut self, signal: &str) {
        const PATIENCE: Duration = Duration::from_secs(3);
        let Some(child) = &mut self.child else { return };
        // The number of a process that has ended may already belong to another one.
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        self::signal(signal, child.id());
        // One that was stopped hears nothing until it goes on.
        self::signal("CONT", child.id());
        let start = Instant::now();
        while matches!(child.try_wait(), Ok(None)) {
            if start.elapsed() > PATIENCE {
                // It may just have ended; then there is nothing left to kill.
                let _ = child.kill();
                let _ = child.wait();
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The processes that `id` started, and those that they started.
pub fn descendants(id: u32) -> Vec<u32> {
    let parents: Vec<(u32, u32)> =
        all().filter_map(|process| Some((process, parent(process)?))).collect();
    let mut family = vec![id];
    let mut next = 0;
    while let Some(&elder) = family.get(next) {
        family
            .extend(parents.iter().filter(|(_, parent)| *parent == elder).map(|(child, _)| child));
        next += 1;
    }
    family.split_off(1)
}

/// All processes of the machine.
pub fn all() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// A file that the kernel has about a process; empty if the process is gone.
pub fn read(id: u32, file: &str) -> String {
    let bytes = fs::read(format!("/proc/{id}/{file}")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The kernel keeps fifteen letters of it.
pub fn name(id: u32) -> String {
    read(id, "comm").trim_end().to_owned()
}

/// Whether it still runs; one that only waits to be collected by its parent does not.
pub fn is_running(id: u32) -> bool {
    stat(id).is_some_and(|stat| !stat.starts_with('Z'))
}

pub fn on_path(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(program).is_file()))
}

fn parent(id: u32) -> Option<u32> {
    stat(id)?.split_whitespace().nth(1)?.parse().ok()
}

/// What the kernel tells about a process: its state, its parent, and more.
fn stat(id: u32) -> Option<String> {
    // The program's name, in parentheses before it, may itself contain spaces and parentheses.
    Some(read(id, "stat").rsplit_once(')')?.1.trim_start().to_owned())
}

/// Whether there was such a process. The standard library can only kill, and a killed X server leaves
/// its lock behind.
pub fn signal(name: &str, id: u32) -> bool {
    let mut kill = Command::new("sh");
    kill.args(["-c", "kill -s \"$1\" \"$2\"", "sh", name, &id.to_string()]);
    kill.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Stops a process, and returns when it stands still.
#[track_caller]
pub fn stop(id: u32) {
    assert!(signal("STOP", id), "could not signal {id}");
    until("it to stop", || stat(id)?.starts_with('T').then_some(()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_children_of_a_process() {
        let child = Running::start(Command::new("sleep").arg("60")).unwrap();
        assert!(descendants(std::process::id()).contains(&child.id()));
    }

    #[test]
    fn a_stopped_process_is_gone() {
        let child = Running::start(Command::new("sleep").arg("60")).unwrap();
        let id = child.id();
        assert!(is_running(id));
        drop(child);
        assert!(!is_running(id));
    }
}
