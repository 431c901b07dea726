//! A hand on the keyboard of the virtual screen.

use std::{
    io::Write,
    process::{Command, Stdio},
    time::Duration,
};

use askdeck_testkit::{Running, within};

use crate::Result;

/// Presses every key to its end. One that stayed down would repeat for ever: the next window would
/// get it, and so would every window after that, some twenty-five times a second.
pub(crate) struct Hand(Running);

impl Hand {
    /// To be given `xdotool`, on the screen that is meant. It takes longer to start than an answer
    /// takes; so it is there before the first key.
    pub(crate) fn lay_on(xdotool: &mut Command) -> Result<Self> {
        Self::start(xdotool.arg("-"))
    }

    fn start(command: &mut Command) -> Result<Self> {
        Running::start(command.stdin(Stdio::piped())).map(Self)
    }

    /// By X11's name for the key.
    pub(crate) fn press(&mut self, key: &str) -> Result<()> {
        let keys = self.0.child().stdin.as_mut().ok_or("its input is piped")?;
        keys.write_all(format!("key {key}\n").as_bytes()).map_err(|e| format!("xdotool: {e}"))
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        const PATIENCE: Duration = Duration::from_secs(3);
        drop(self.0.child().stdin.take());
        // One that does not end by itself is stopped with `Running`.
        let _ = within(PATIENCE, "the last key to be let go", || {
            self.0.ended().map(|ended| ended.map(drop))
        });
    }
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use super::*;

    #[test]
    fn last_key_is_released() {
        let up = env::temp_dir().join(format!("askdeck-hand-{}", process::id()));
        // As xdotool does, it takes a moment from pressing a key to letting it go.
        let script = "read key && sleep 0.2 && echo \"$key\" > \"$0\"";
        let mut program = Command::new("sh");
        let mut hand = Hand::start(program.args(["-c", script]).arg(&up)).unwrap();
        hand.press("Return").unwrap();
        drop(hand);
        assert_eq!(fs::read_to_string(&up).unwrap(), "key Return\n");
        fs::remove_file(up).unwrap();
    }
}
