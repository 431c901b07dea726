//! The person: looks which question is on the screen, types into it with real keys, and sends it.
//!
//! They press Return only once they have seen what they typed, and take it for sent only once they
//! have seen that. What a pair of eyes would tell comes over the wire, from the same draft that the
//! window draws.

use std::{
    thread,
    time::{Duration, Instant},
};

use askdeck_testkit::{Host, Wire, windows};

use super::{agent::between, chance::Chance, ledger::Ledger, round::Clockwork, stage::Stage};
use crate::Result;

pub(super) struct Person<'a> {
    pub(super) stage: &'a Stage,
    pub(super) ledger: &'a Ledger,
    pub(super) clockwork: &'a Clockwork,
    pub(super) chance: Chance,
}

/// A question on the screen.
struct Seen {
    window: String,
    question: String,
}

/// How long the person looks for something before they look again what is there.
const LOOK: Duration = Duration::from_secs(3);
const POLL: Duration = Duration::from_millis(40);
/// The box takes no text, and a window nothing at all, until no key came for a while.
const PAUSE: Duration = Duration::from_millis(500);
const TRIES: u32 = 10;

impl Person<'_> {
    pub(super) fn answer_all(mut self) {
        let mut seen_at = Instant::now();
        while !self.clockwork.is_over() {
            let Some(seen) = self.look() else {
                // Who asks too much comes quietly: the tray tells.
                if seen_at.elapsed() > LOOK {
                    seen_at = Instant::now();
                    self.open_deck();
                }
                thread::sleep(POLL);
                continue;
            };
            seen_at = Instant::now();
            // Whatever goes wrong is seen at the next look.
            if let Err(problem) = self.visit(&seen) {
                self.ledger.note(&format!("{} is left: {problem}", seen.question));
                thread::sleep(POLL);
            }
        }
    }

    fn open_deck(&self) {
        // An app that is gone or hangs is part of the round.
        if let Ok(mut wire) = Wire::connect(&self.stage.socket()) {
            let _ = wire.be_patient_for(LOOK).and_then(|()| wire.call("show", "{}"));
        }
    }

    fn look(&self) -> Option<Seen> {
        windows(self.stage).into_iter().rev().find_map(|window| {
            let title = self.stage.xdotool(&["getwindowname", &window])?;
            let question = title.strip_suffix(" — Askdeck")?.to_owned();
            question.starts_with("agent-").then_some(Seen { window, question })
        })
    }

    fn is_still_there(&self, seen: &Seen) -> Result<()> {
        let title = self.stage.xdotool(&["getwindowname", &seen.window]);
        if title.is_none_or(|title| title != format!("{} — Askdeck", seen.question)) {
            return Err("it is not on the screen any more".into());
        }
        let active = self.stage.xdotool(&["getactivewindow"]);
        if active.as_ref() == Some(&seen.window) {
            Ok(())
        } else {
            Err("another window has the keyboard".into())
        }
    }

    fn visit(&mut self, seen: &Seen) -> Result<()> {
        self.stage.xdotool(&["windowactivate", &seen.window]);
        let (mut wire, found) = self.sit_down(&seen.question)?;
        self.ledger.found(&seen.question, &found);
        let mut text = self.wake(seen, &mut wire, &found)?;
        for _ in 0..self.chance.of(2..12) {
            // What befalls the window after this look may take the letter.
            let looked = Instant::now();
            self.is_still_there(seen)?;
            let letter = self.chance.letter();
            self.ledger.typed(&seen.question, letter, looked);
            self.press(&letter.to_string())?;
            text.push(letter);
            thread::sleep(self.chance.millis(0..60));
        }
        await_news(&mut wire, "draft", |news| typed(news) == Some(&text))?;
        self.ledger.seen(&seen.question, Instant::now());
        if self.chance.once_in(5) {
            // Another one first; this is sent later.
            self.is_still_there(seen)?;
            return self.press("alt+Down");
        }
        // A window that has just got the keyboard sends nothing until no key came for a while.
        thread::sleep(PAUSE);
        self.is_still_there(seen)?;
        self.ledger.sent(&seen.question, &text);
        self.press("Return")?;
        self.clockwork.tell_of_return();
        let news = await_news(&mut wire, "ended", |_| true)?;
        let accepted = between(&news, "\"value\":\"", "\"").unwrap_or_default();
        self.ledger.accepted(&seen.question, accepted);
        Ok(())
    }

    /// Finds out what stands in the box.
    fn sit_down(&self, question: &str) -> Result<(Wire, String)> {
        let mut wire = Wire::connect(&self.stage.socket())?;
        wire.be_patient_for(LOOK)?;
        let open = wire.call("list", "{}")?;
        let mut dialogs = open.split("{\"ticket\":\"").skip(1);
        let ticket = dialogs
            .find(|dialog| between(dialog, "\"agent\":\"", "\"") == Some(question))
            .and_then(|dialog| dialog.split('"').next())
            .ok_or("it is not among the open ones")?;
        let joined = wire.call("join", &format!(r#"{{"ticket":"{ticket}"}}"#))?;
        let found = typed(&joined).ok_or("it has just ended")?.to_owned();
        Ok((wire, found))
    }

    /// Presses `x` until it shows. Returns what stands in the box then.
    fn wake(&self, seen: &Seen, wire: &mut Wire, found: &str) -> Result<String> {
        let mut text = found.to_owned();
        wire.be_patient_for(PAUSE)?;
        for _ in 0..TRIES {
            self.is_still_there(seen)?;
            self.press("x")?;
            while let Some(line) = wire.hear()? {
                if let Some(typed) = typed(&line) {
                    typed.clone_into(&mut text);
                }
            }
            if text != found {
                wire.be_patient_for(LOOK)?;
                return Ok(text);
            }
        }
        Err("its box takes no text".into())
    }

    fn press(&self, key: &str) -> Result<()> {
        self.stage.xdotool(&["key", key]).map(drop).ok_or_else(|| "no key can be pressed".into())
    }
}

/// Waits for a notification of this kind that is as expected.
fn await_news(wire: &mut Wire, kind: &str, is_expected: impl Fn(&str) -> bool) -> Result<String> {
    let start = format!(r#"{{"jsonrpc":"2.0","method":"{kind}","#);
    loop {
        let line = wire.hear()?.ok_or_else(|| format!("waited in vain for its {kind}"))?;
        if line.starts_with(&start) && is_expected(&line) {
            return Ok(line);
        }
        if line.starts_with(r#"{"jsonrpc":"2.0","method":"ended","#) {
            return Err("it ended meanwhile".into());
        }
    }
}

/// What the draft in a message says of the one text box.
fn typed(message: &str) -> Option<&str> {
    let (_, draft) = message.split_once(r#""draft":{"#)?;
    between(draft, r#""text":""#, "\"")
}
