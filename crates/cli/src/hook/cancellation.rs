//! Notices that nobody needs the hook's decision any more. Each watch runs on its own thread and calls
//! `cancel` at most once.

use std::{
    io::{self, BufRead, BufReader, Read},
    mem,
    os::{fd::AsFd, unix::net::UnixStream},
    path::PathBuf,
    thread,
};

use askdeck_core::record::Millis;
use askdeck_desk::watch::Watch;
use chrono::DateTime;
use rustix::{
    event::{PollFd, PollFlags, poll},
    fs::inotify::WatchFlags,
};
use serde_json::Value;
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    low_level::pipe,
};

use super::regular_file;

/// Nobody is left to read the decision.
pub(super) fn on_stdout_closed(cancel: impl FnOnce() + Send + 'static) {
    thread::spawn(move || {
        let stdout = io::stdout();
        // No events are requested, so only a hang-up is reported.
        if poll(&mut [PollFd::new(&stdout.as_fd(), PollFlags::empty())], None).is_ok() {
            cancel();
        }
    });
}

/// The program that runs the hook ends it, or goes with its terminal.
pub(super) fn on_end_signal(cancel: impl FnOnce() + Send + 'static) {
    let Ok((mut told, tell)) = UnixStream::pair() else { return };
    for signal in [SIGTERM, SIGHUP, SIGINT] {
        // Without a listener the signal ends the process as always.
        let _ = tell.try_clone().and_then(|tell| pipe::register(signal, tell));
    }
    drop(tell);
    thread::spawn(move || {
        if told.read_exact(&mut [0]).is_ok() {
            cancel();
        }
    });
}

/// The use of a tool, as the transcript of the conversation knows it.
pub(super) struct ToolUse {
    pub(super) transcript: PathBuf,
    pub(super) tool: String,
    pub(super) input: Value,
    /// When it was asked about. An equal use may have been decided right before, and its result may
    /// come to the transcript only now.
    pub(super) asked_at: Millis,
}

impl ToolUse {
    /// The tool has been run or refused, so somebody has decided elsewhere.
    pub(super) fn on_tool_result(self, cancel: impl FnOnce() + Send + 'static) {
        thread::spawn(move || {
            // If the transcript cannot be watched, the question stays.
            if self.await_result().is_ok() {
                cancel();
            }
        });
    }

    fn await_result(&self) -> io::Result<()> {
        let mut transcript = Lines::new(BufReader::new(regular_file::open(&self.transcript)?));
        let watch = Watch::begin(&self.transcript, WatchFlags::MODIFY)?;
        let mut open = Vec::new();
        loop {
            while let Some(line) = transcript.next()? {
                if self.ends(&line, &mut open) {
                    return Ok(());
                }
            }
            watch.wait()?;
        }
    }

    /// Whether a line of the transcript has the last result of such uses; `open` are those without. Of
    /// several equal ones at a time, nobody can tell which was asked about.
    fn ends(&self, line: &[u8], open: &mut Vec<String>) -> bool {
        let line: Value = serde_json::from_slice(line).unwrap_or_default();
        let time = line["timestamp"].as_str().unwrap_or_default();
        // What has no time is a copy: the transcript has requests to the model too.
        let Ok(time) = DateTime::parse_from_rfc3339(time) else { return false };
        let is_new = time.timestamp_millis() >= self.asked_at;
        let blocks = line.pointer("/message/content").and_then(Value::as_array);
        let mut ends = false;
        for block in blocks.into_iter().flatten() {
            let id = |field: &str| block[field].as_str().unwrap_or_default().to_owned();
            if block["name"] == self.tool && block["input"] == self.input {
                open.push(id("id"));
            } else if block["type"] == "tool_result" {
                let before = open.len();
                open.retain(|used| *used != id("tool_use_id"));
                ends |= is_new && open.len() < before && open.is_empty();
            }
        }
        ends
    }
}

/// The lines of a file that grows, each up to a length.
struct Lines<R> {
    file: R,
    line: Vec<u8>,
    /// The rest of a line that was too long is skipped.
    too_long: bool,
}

impl<R: BufRead> Lines<R> {
    /// More than the largest use of a tool about which anybody can be asked.
    const LONGEST: usize = 8 * 1024 * 1024;

    fn new(file: R) -> Self {
        Self { file, line: Vec::new(), too_long: false }
    }

    /// The next complete line; one without an end is still being written.
    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            let room = Self::LONGEST - self.line.len();
            let read = (&mut self.file).take(room as u64).read_until(b'\n', &mut self.line)?;
            if self.line.ends_with(b"\n") {
                let line = mem::take(&mut self.line);
                if !mem::take(&mut self.too_long) {
                    return Ok(Some(line));
                }
            } else if self.line.len() == Self::LONGEST {
                self.too_long = true;
                self.line.clear();
            } else if read == 0 {
                return Ok(None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_the_result_of_the_same_use_ends_it() {
        let input = json!({ "command": "ls" });
        let used = ToolUse {
            transcript: PathBuf::new(),
            tool: "Bash".into(),
            input: input.clone(),
            asked_at: 1_790_000_000_000,
        };
        let line = |time: &str, block: Value| {
            json!({ "timestamp": time, "message": { "content": [block] } }).to_string()
        };
        let now = "2026-09-21T14:13:20.000Z";
        let mut open = Vec::new();
        let mut ends = |time, block| used.ends(line(time, block).as_bytes(), &mut open);
        let use_of = |id: &str, input| json!({ "type": "tool_use", "id": id, "name": "Bash", "input": input });
        let result = |id: &str| json!({ "type": "tool_result", "tool_use_id": id });
        assert!(!ends(now, use_of("1", json!({}))));
        assert!(!ends(now, use_of("2", input.clone())));
        let equal = input.clone();
        assert!(!ends(now, use_of("3", input)));
        assert!(!ends(now, result("1")));
        assert!(!ends("", result("3")), "a copy");
        assert!(!ends("2026-09-21T14:13:19.999Z", result("2")), "of an equal use before");
        assert!(!ends(now, use_of("4", equal.clone())));
        assert!(!ends(now, result("4")), "of an equal use beside it");
        assert!(ends(now, result("3")));
        assert!(!ends(now, result("3")));
        assert!(!used.ends(b"not JSON\n", &mut Vec::new()));
    }

    #[test]
    fn a_line_without_end_takes_no_more_room_than_any_other() {
        let long = io::repeat(b'x').take(3 * Lines::<&[u8]>::LONGEST as u64 + 5);
        let file = long.chain(&b"\nafter\n"[..]).chain(&b"half"[..]);
        let mut lines = Lines::new(BufReader::new(file));
        assert_eq!(lines.next().unwrap().as_deref(), Some(&b"after\n"[..]));
        assert_eq!(lines.next().unwrap(), None);
        assert!(lines.line.capacity() <= 2 * Lines::<&[u8]>::LONGEST);
    }
}
