//! Somebody who asks, in one of several ways, and asks again until there is an answer.

use std::{
    io::{Read, Write},
    os::unix::process::ExitStatusExt,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use super::{chance::Chance, ledger::Ledger, round::Clockwork, stage::Stage};
use crate::{Result, process::send};

pub(super) struct Agent<'a> {
    pub(super) name: String,
    pub(super) stage: &'a Stage,
    pub(super) ledger: &'a Ledger,
    pub(super) clockwork: &'a Clockwork,
    pub(super) chance: Chance,
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
const NO_DISPLAY: i32 = 3;
const NO_APP: i32 = 4;
const REFUSED: i32 = 2;
const KILLED: i32 = -9;
/// As long as a payload may be, with what stands around this.
const BIG: usize = 1_000_000;

impl Agent<'_> {
    pub(super) fn ask_all(mut self, questions: u32) {
        for number in 0..questions {
            let question = format!("{}-{number}", self.name);
            let details = if self.chance.once_in(8) { BIG } else { 0 };
            let payload = payload(&question, details);
            // Now and then the same again: that is a new question, and needs a new answer.
            let times = if self.chance.once_in(4) { 2 } else { 1 };
            for _ in 0..times {
                if !self.ask_until_answered(&question, &payload) {
                    return;
                }
            }
            thread::sleep(self.chance.millis(0..400));
        }
    }

    /// Whether there was an answer.
    fn ask_until_answered(&mut self, question: &str, payload: &str) -> bool {
        self.ledger.asked(question);
        loop {
            let attempt = if self.chance.once_in(3) {
                self.by_ticket(question, payload)
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
                Ok(Attempt::Failed) => thread::sleep(self.chance.millis(50..500)),
                Err(problem) => {
                    self.ledger.broken(format!("{question}: {problem}"));
                    return false;
                }
            }
        }
    }

    fn at_once(&mut self, question: &str, payload: &str) -> Result<Attempt> {
        let Some(ended) = self.run(question, &["ask"], payload)? else {
            return Ok(Attempt::GivenUp);
        };
        Ok(self.attempt(question, &ended))
    }

    fn by_ticket(&mut self, question: &str, payload: &str) -> Result<Attempt> {
        let Some(submitted) = self.run(question, &["ask", "--no-wait"], payload)? else {
            return Ok(Attempt::GivenUp);
        };
        if submitted.code != 0 {
            return Ok(self.attempt(question, &submitted));
        }
        let ticket = submitted.stdout.trim().to_owned();
        self.ledger.got_ticket(question, &ticket);
        loop {
            thread::sleep(self.chance.millis(0..3000));
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
            NO_DISPLAY | NO_APP if !self.ledger.had_faults() => {
                let code = ended.code;
                self.ledger.broken(format!("{question}: a caller ended with {code} unprovoked"));
            }
            NO_DISPLAY | NO_APP | KILLED => {}
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
                send("KILL", child.id());
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

fn payload(question: &str, details: usize) -> String {
    let details = "lorem ".repeat(details / 6);
    format!(
        r#"{{"agent":"{question}","question":"In your words, {question}?","type":"text","details":"{details}"}}"#
    )
}

/// What stands between two marks.
pub(super) fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(found, _)| found)
}
