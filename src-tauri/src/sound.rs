//! A sound for a person who looks elsewhere, played by what the desktop has. Nothing waits for it.

use std::{
    process::{Command, Stdio},
    thread,
};

const FILE: &str = "/usr/share/sounds/freedesktop/stereo/message-new-instant.oga";
/// The first one that is there; only it plays what the person's sound theme says.
const PLAYERS: [[&str; 3]; 3] = [
    ["canberra-gtk-play", "-i", "message-new-instant"],
    ["pw-play", "--media-role=Notification", FILE],
    ["paplay", "--property=media.role=event", FILE],
];
/// What `timeout` ends with if the program is not there.
const NOT_FOUND: i32 = 127;

/// To be called once the window is in sight.
pub(super) fn play() {
    thread::spawn(|| PLAYERS.iter().any(|player| plays(player)));
}

/// Whether the player is there; one that hangs is killed.
fn plays(player: &[&str]) -> bool {
    let ended = Command::new("timeout")
        .args(["-k", "1", "5"])
        .args(player)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    ended.is_ok_and(|status| status.code() != Some(NOT_FOUND))
}
