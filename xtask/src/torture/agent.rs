//! Somebody who asks, in one of several ways, and asks again until there is an answer.

use std::{
    io::{Read, Write},
    os::unix::process::ExitStatusExt,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use askdeck_testkit::process::signal;

use super::{chance::Chance, ledger::Ledger, plan::Inquiries, round::Clockwork, stage::Stage};
use crate::Result;

pub(super) struct Agent<'a> {
    pub(super) name: String,
    pub(super) stage: &'a Stage,
    pub(super) ledger: &'a Ledger,
    pub(super) clockwork: &'a Clockwork,
}

/// How an attempt to get an answer went.
enum Attempt {
    Answered(String),
    /// It may succeed when it is made again.
    Failed,
    /// Nobody waits any more: the round is over.
    GivenUp,
}

struct Ended {
    /// Minus the signal, if one ended it.
    code: i32,
    stdout: String,
    stderr: String,
}

/// What the documentation names, other than an answer or a refusal of the person.
pub(super) const NO_DISPLAY: i32 = 3;
pub(super) const NO_APP: i32 = 4;
const REFUSED: i32 = 2;
/// By a fault: minus the signal.
pub(super) const KILLED: i32 = -9;
/// The most bytes that a payload may have.
const LARGEST: usize = 1024 * 1024;

impl Agent<'_> {
    /// Asks at least so many, and on until no fault is left to come between.
    pub(super) fn ask_all(self, inquiries: Inquiries, least: usize) {
        for (number, inquiry) in inquiries.enumerate() {
            if number >= least && self.clockwork.is_peace() {
                return;
            }
            let question = format!("{}-{number}", self.name);
            let payload =
                if inquiry.is_large { large_payload(&question) } else { payload(&question, "") };
            for chance in inquiry.askings {
                if !self.ask_until_answered(&question, &payload, chance) {
                    return;
                }
            }
            thread::sleep(inquiry.rest);
        }
    }

    /// Whether there was an answer.
    fn ask_until_answered(&self, question: &str, payload: &str, mut chance: Chance) -> bool {
        self.ledger.asked(question);
        loop {
            let attempt = if chance.once_in(3) {
                self.by_ticket(question, payload, &mut chance)
            } else {
                self.at_once(question, payload)
            };
            match attempt {
                Ok(Attempt::Answered(text)) => {
                    self.ledger.delivered(question, &text);
                    return true;
                }
                Ok(Attempt::GivenUp) => {
                    self.ledger.broken(format!("{question}: nobody answered its caller"));
                    return false;
                }
                Ok(Attempt::Failed) => thread::sleep(chance.millis(50..500)),
                Err(problem) => {
                    self.ledger.broken(format!("{question}: {problem}"));
                    return false;
                }
            }
        }
    }

    fn at_once(&self, question: &str, payload: &str) -> Result<Attempt> {
        let Some(ended) = self.run(question, &["ask"], payload)? else {
            return Ok(Attempt::GivenUp);
        };
        Ok(self.attempt(question, &ended))
    }

    fn by_ticket(&self, question: &str, payload: &str, chance: &mut Chance) -> Result<Attempt> {
        let Some(submitted) = self.run(question, &["ask", "--no-wait"], payload)? else {
            return Ok(Attempt::GivenUp);
        };
        if submitted.code != 0 {
            return Ok(self.attempt(question, &submitted));
        }
        let ticket = submitted.stdout.trim().to_owned();
        self.ledger.got_ticket(question, &ticket);
        loop {
            thread::sleep(chance.millis(0..3000));
            let Some(ended) = self.run(question, &["result", &ticket, "--wait"], "")? else {
                return Ok(Attempt::GivenUp);
            };
            if ended.code == REFUSED && ended.stderr.contains("no question has the ticket") {
                self.ledger.ticket_lost(question, &ticket);
                return Ok(Attempt::Failed);
            }
            match self.attempt(question, &ended) {
                Attempt::Failed => {}
                attempt => return Ok(attempt),
            }
        }
    }

    fn attempt(&self, question: &str, ended: &Ended) -> Attempt {
        match ended.code {
            0 => match between(&ended.stdout, "\"value\":\"", "\"") {
                Some(text) => return Attempt::Answered(text.into()),
                None => self.ledger.broken(format!(
                    "{question}: a caller ended with 0 and got `{}`",
                    ended.stdout.trim()
                )),
            },
            code if self.ledger.excuses_end(code) => {}
            code => self.ledger.broken(format!(
                "{question}: a caller ended with {code}, which nobody caused: {}",
                ended.stderr.trim()
            )),
        }
        Attempt::Failed
    }

    /// Nothing if the round ended first.
    fn run(&self, question: &str, args: &[&str], input: &str) -> Result<Option<Ended>> {
        let mut command: Command = self.stage.askdeck("askdeck");
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|e| format!("cannot start askdeck: {e}"))?;
        let mut stdin = child.stdin.take().expect("it is piped");
        let mut stdout = child.stdout.take().expect("it is piped");
        let mut stderr = child.stderr.take().expect("it is piped");
        let input = input.to_owned();
        // One that is killed does not read it all.
        thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
        let reader = thread::spawn(move || {
            let (mut out, mut err) = (String::new(), String::new());
            let _ = stdout.read_to_string(&mut out);
            let _ = stderr.read_to_string(&mut err);
            (out, err)
        });
        let status = loop {
            if let Some(status) = child.try_wait().map_err(|e| format!("cannot watch: {e}"))? {
                break status;
            }
            if self.clockwork.is_over() {
                signal("KILL", child.id());
                let _ = child.wait();
                return Ok(None);
            }
            thread::sleep(Duration::from_millis(5));
        };
        let begun = Instant::now();
        let (stdout, stderr) = reader.join().map_err(|_| "the reader panicked")?;
        if begun.elapsed() > Duration::from_secs(5) {
            self.ledger.broken(format!("{question}: somebody kept a caller's output open"));
        }
        let signal = status.signal().map(|signal| -signal);
        let code = status.code().or(signal).unwrap_or(i32::MIN);
        self.ledger.ended(question, code, &stderr);
        Ok(Some(Ended { code, stdout, stderr }))
    }
}

/// To the last byte that is allowed.
fn large_payload(question: &str) -> String {
    let room = LARGEST - payload(question, "").len();
    payload(question, &"lorem ".repeat(room / 6 + 1)[..room])
}

fn payload(question: &str, details: &str) -> String {
    format!(
        r#"{{"agent":"{question}","question":"In your words, {question}?","type":"text","details":"{details}"}}"#
    )
}

/// What stands between two marks.
pub(super) fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(found, _)| found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_payload_is_one_mebibyte() {
        assert_eq!(large_payload("agent-0-0").len(), 1_048_576);
        assert_eq!(large_payload("agent-0-10").len(), 1_048_576);
    }
}
