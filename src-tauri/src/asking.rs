//! A question on its way in: read in its dialect, checked, named.
//!
//! The command does it before it bothers the app, and the app for whoever speaks to its socket.

use std::{
    process,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::{
    dialect::{self, Carry, Dialect, ReadError},
    dialog::{Caller, Dialog},
    outcome::Outcome,
    payload::Payload,
    problem::Problem,
    protocol::Ask,
};

/// A question that is ready to be asked, or needs no asking.
#[derive(Debug)]
pub struct Asked {
    pub dialog: Dialog,
    /// Two questions with the same key are one.
    pub key: String,
    pub to: &'static Dialect,
    /// The payload brought its answers along.
    pub answered: Option<Outcome>,
    /// What the sender should know but what stops nothing.
    pub advice: Vec<Problem>,
}

#[derive(Debug, Error)]
pub enum Refusal {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{}", list(.problems))]
    Refused { dialect: &'static Dialect, problems: Vec<Problem> },
    #[error("unknown dialect `{0}`; `askdeck dialects` lists them")]
    UnknownDialect(String),
}

/// Reads and checks what is asked. `caller` tells who asks, as far as the payload does not.
pub fn check(
    ask: &Ask,
    ticket: String,
    caller: impl FnOnce(&Payload, &Dialect) -> Caller,
) -> Result<Asked, Refusal> {
    let dialect = match &ask.dialect {
        Some(name) => by_name(name)?,
        None => dialect::detect(&ask.payload)?,
    };
    let to = ask.to.as_deref().map_or(Ok(dialect), by_name)?;
    let mut payload = (dialect.read)(&ask.payload);
    payload.timeout = ask.timeout_ms.map(Duration::from_millis).or(payload.timeout);
    let answered = payload.answered.take().map(|answers| Outcome::Answered { answers });
    let advice = std::mem::take(&mut payload.advice);
    // Nobody should write a note that cannot be carried back.
    let notes = to.carries.contains(&Carry::Notes);
    payload.questions.iter_mut().for_each(|question| question.notes &= notes);
    let caller = ask.caller.clone().unwrap_or_else(|| caller(&payload, dialect));
    let dialog = Dialog::check(payload, &dialect.rules, ticket, to.name, caller)
        .map_err(|problems| Refusal::Refused { dialect, problems })?;
    let key = ask.key.clone().unwrap_or_else(|| key(&dialog));
    Ok(Asked { dialog, key, to, answered, advice })
}

/// What the agent is called, as far as the payload or its dialect tell.
pub fn agent(payload: &Payload, dialect: &Dialect) -> Option<String> {
    payload.agent.clone().or_else(|| dialect.agent.map(str::to_owned))
}

/// A name for a new dialog: no two processes make one in the same nanosecond under the same pid,
/// and no process makes two with the same number.
pub fn new_ticket() -> String {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    format!("{:x}-{:x}-{number:x}", since.as_nanos(), process::id())
}

fn by_name(name: &str) -> Result<&'static Dialect, Refusal> {
    dialect::by_name(name).ok_or_else(|| Refusal::UnknownDialect(name.into()))
}

/// The same caller with the same questions has the same key, whatever process asks for it.
fn key(dialog: &Dialog) -> String {
    let Caller { agent, session, cwd, host, pid: _, program: _ } = &dialog.caller;
    let Dialog { title, message, questions, form, dialect, .. } = dialog;
    let asked =
        serde_json::json!([agent, session, cwd, host, title, message, questions, form, dialect]);
    format!("{:x}", Sha256::digest(asked.to_string()))
}

fn list(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn asked(payload: Value, agent: &str, pid: u32) -> Asked {
        let ask = Ask { payload, ..Ask::default() };
        let caller = Caller { agent: agent.into(), pid: Some(pid), ..Caller::default() };
        check(&ask, "t".into(), |_, _| caller).unwrap()
    }

    #[test]
    fn the_key_is_made_of_caller_and_questions() {
        let which = || json!({ "askdeck": 1, "questions": [{ "question": "Which?" }] });
        let what = json!({ "askdeck": 1, "questions": [{ "question": "What?" }] });
        let key = asked(which(), "a", 1).key;
        assert_eq!(asked(which(), "a", 2).key, key);
        assert_ne!(asked(which(), "b", 1).key, key);
        assert_ne!(asked(what, "a", 1).key, key);
    }

    #[test]
    fn an_unknown_dialect_is_refused() {
        let ask = Ask { dialect: Some("klingon".into()), ..Ask::default() };
        let refusal = check(&ask, "t".into(), |_, _| Caller::default()).unwrap_err();
        assert_eq!(refusal.to_string(), "unknown dialect `klingon`; `askdeck dialects` lists them");
    }
}
