//! Whether anybody still needs the hook's decision. Each watch runs by itself and calls `over` at
//! most once.

use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    os::fd::AsFd,
    path::PathBuf,
    thread,
};

use rustix::{
    event::{PollFd, PollFlags, poll},
    fs::inotify::WatchFlags,
};
use serde_json::Value;
use tokio::signal::unix::{SignalKind, signal};

use crate::watch::Watch;

/// Nobody is left to read the decision.
pub(super) fn until_hung_up(over: impl FnOnce() + Send + 'static) {
    thread::spawn(move || {
        let stdout = io::stdout();
        // Nothing is asked for, so only the end of the other side is told.
        if poll(&mut [PollFd::new(&stdout.as_fd(), PollFlags::empty())], None).is_ok() {
            over();
        }
    });
}

/// Whoever runs the hook ends it.
pub(super) fn until_terminated(over: impl FnOnce() + Send + 'static) {
    thread::spawn(move || {
        // Without a runtime the signal does what it always does.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            if let Ok(mut signal) = signal(SignalKind::terminate()) {
                signal.recv().await;
                over();
            }
        });
    });
}

/// The use of a tool, as the transcript of the conversation knows it.
pub(super) struct ToolUse {
    pub(super) transcript: PathBuf,
    pub(super) tool: String,
    pub(super) input: Value,
}

impl ToolUse {
    /// The tool has been run or refused, so somebody has decided elsewhere.
    pub(super) fn until_decided(self, over: impl FnOnce() + Send + 'static) {
        thread::spawn(move || {
            // A transcript that cannot be watched tells nothing, and the question stays.
            if self.await_result().is_ok() {
                over();
            }
        });
    }

    fn await_result(&self) -> io::Result<()> {
        let watch = Watch::begin(&self.transcript, WatchFlags::MODIFY)?;
        let mut transcript = BufReader::new(File::open(&self.transcript)?);
        let mut line = Vec::new();
        let mut open = Vec::new();
        let mut is_past = true;
        loop {
            // What has no end yet is still being written.
            while transcript.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
                if self.ends(&line, &mut open) && !is_past {
                    return Ok(());
                }
                line.clear();
            }
            is_past = false;
            watch.wait()?;
        }
    }

    /// Whether a line of the transcript brings the result of such a use; `open` are those without.
    fn ends(&self, line: &[u8], open: &mut Vec<String>) -> bool {
        let line: Value = serde_json::from_slice(line).unwrap_or_default();
        let blocks = line.pointer("/message/content").and_then(Value::as_array);
        let mut ends = false;
        for block in blocks.into_iter().flatten() {
            let id = |field: &str| block[field].as_str().unwrap_or_default().to_owned();
            if block["name"] == self.tool && block["input"] == self.input {
                open.push(id("id"));
            } else if block["type"] == "tool_result" {
                let before = open.len();
                open.retain(|used| *used != id("tool_use_id"));
                ends |= open.len() < before;
            }
        }
        ends
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_the_result_of_the_same_use_ends_it() {
        let input = json!({ "command": "ls" });
        let used =
            ToolUse { transcript: PathBuf::new(), tool: "Bash".into(), input: input.clone() };
        let line = |block: Value| json!({ "message": { "content": [block] } }).to_string();
        let mut open = Vec::new();
        let mut ends = |block| used.ends(line(block).as_bytes(), &mut open);
        assert!(!ends(json!({ "type": "tool_use", "id": "1", "name": "Bash", "input": {} })));
        assert!(!ends(json!({ "type": "tool_use", "id": "2", "name": "Bash", "input": input })));
        assert!(!ends(json!({ "type": "tool_result", "tool_use_id": "1" })));
        assert!(ends(json!({ "type": "tool_result", "tool_use_id": "2" })));
        assert!(!ends(json!({ "type": "tool_result", "tool_use_id": "2" })));
        assert!(!used.ends(b"not JSON\n", &mut Vec::new()));
    }
}
