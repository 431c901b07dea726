//! Reads a question in its dialect, checks it, and gives it a key.
//!
//! The command does this before it calls the desk, and the desk does it again for every caller.

use std::time::Duration;

use thiserror::Error;

use crate::{
    dialect::{self, Carry, Dialect, ReadError},
    dialog::{Caller, Dialog},
    key::QuestionKey,
    outcome::Outcome,
    payload::{Payload, PayloadKind},
    problem::{Fault, Problem},
    protocol::Ask,
};

/// Far longer than any id that agents make.
const LONGEST_TICKET: usize = 200;

/// A question that is ready to be asked, or needs no asking.
#[derive(Debug)]
pub struct Asked {
    pub dialog: Dialog,
    /// The same questions with the same key are one.
    pub key: QuestionKey,
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
    #[error("unknown dialect `{0}`; see `askdeck dialects`")]
    UnknownDialect(String),
    #[error(
        "ticket: expected 1 to {LONGEST_TICKET} printable ASCII characters without spaces; leave it out to get one"
    )]
    Ticket,
}

/// Reads and checks what is asked. `caller` tells who asks, as far as the payload does not.
pub fn check(
    ask: &Ask,
    ticket: String,
    caller: impl FnOnce(&Payload, &Dialect) -> Caller,
) -> Result<Asked, Refusal> {
    if !is_ticket(&ticket) {
        return Err(Refusal::Ticket);
    }
    let dialect = match &ask.dialect {
        Some(name) => by_name(name)?,
        None => dialect::detect(&ask.payload)?,
    };
    let to = ask.to.as_deref().map_or(Ok(dialect), by_name)?;
    let mut payload = (dialect.read)(&ask.payload);
    payload.timeout = ask.timeout_ms.map(Duration::from_millis).or(payload.timeout);
    let answered = payload.answered.take().map(|answers| Outcome::Answered { answers });
    let advice = std::mem::take(&mut payload.advice);
    fit(&mut payload, dialect, to);
    let caller = ask.caller.clone().unwrap_or_else(|| caller(&payload, dialect));
    let dialog = Dialog::check(payload, &dialect.rules, ticket, to.name, caller)
        .map_err(|problems| Refusal::Refused { dialect, problems })?;
    let key = ask.key.as_deref().map_or_else(|| QuestionKey::made(&dialog), QuestionKey::given);
    Ok(Asked { dialog, key, to, answered, advice })
}

/// Nobody should give what cannot be carried back: it is not offered; and if the question makes no
/// sense without it, that is a problem.
fn fit(payload: &mut Payload, from: &Dialect, to: &Dialect) {
    let carries = |what| to.carries.contains(&what);
    // A form of a dialect may have room for less than the others, or for more questions.
    let is_same = from.name == to.name;
    payload.no_reason = !carries(Carry::Reason) || is_same && payload.no_reason;
    let rules = payload.rules.filter(|_| is_same).unwrap_or(&to.rules);
    let mut refuse = |at: &str, limit: String| {
        let fault = format!("dialect `{}` {limit}; choose another with --to", to.name);
        payload.problems.push(Problem::new(at, Fault::Rule(fault)));
    };
    if rules.questions == (1..=1) && payload.question_count > 1 {
        let at = payload.questions_at.as_deref().unwrap_or_default();
        refuse(at, format!("takes 1 question, found {}", payload.question_count));
    }
    for question in &mut payload.questions {
        question.notes &= carries(Carry::Notes);
        if let PayloadKind::Choice { multi, other, .. } = &mut question.kind {
            *other &= carries(Carry::Other);
            if *multi && !carries(Carry::Multi) {
                refuse(&question.path, "cannot return multiple selections".into());
            }
        }
    }
}

/// What the agent is called, as far as the payload or its dialect tell.
pub fn agent(payload: &Payload, dialect: &Dialect) -> Option<String> {
    payload.agent.clone().or_else(|| dialect.agent.map(str::to_owned))
}

/// People read tickets in lists and type them into shells, whoever has made them.
fn is_ticket(text: &str) -> bool {
    (1..=LONGEST_TICKET).contains(&text.len()) && text.bytes().all(|c| c.is_ascii_graphic())
}

/// What is said of a ticket that nobody has given out.
pub fn unknown_ticket(ticket: &str) -> String {
    format!(
        "no question has the ticket `{ticket}`, or it was deleted; see `askdeck list` and `askdeck history`"
    )
}

fn by_name(name: &str) -> Result<&'static Dialect, Refusal> {
    dialect::by_name(name).ok_or_else(|| Refusal::UnknownDialect(name.into()))
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
    fn a_ticket_is_a_word_that_can_be_read_and_typed() {
        for ticket in ["t", "deploy-1", "toolu_01A/b:c@d.e", &"t".repeat(200)] {
            assert!(is_ticket(ticket), "{ticket}");
        }
        for ticket in ["", "a b", "a\nb", "\u{1b}[31m", "a\u{7f}", "é", &"t".repeat(201)] {
            assert!(!is_ticket(ticket), "{ticket:?}");
        }
    }

    /// Claude's four questions, one of them with several options, answered in another dialect.
    fn answered_in(to: &str, count: usize) -> Result<Asked, Refusal> {
        let options =
            json!([{ "label": "A", "description": "a" }, { "label": "B", "description": "b" }]);
        let question = |index: usize| json!({ "question": format!("{index}?"), "header": "Q", "options": options, "multiSelect": index == 2 });
        let payload = json!({ "questions": (0..count).map(question).collect::<Vec<_>>() });
        let ask = Ask { payload, to: Some(to.into()), ..Ask::default() };
        check(&ask, "t".into(), |_, _| Caller::default())
    }

    #[test]
    fn dialect_offers_only_what_it_can_return() {
        for (to, other, notes, words) in [
            ("claude", true, true, true),
            ("gemini", true, false, false),
            ("cursor", false, false, true),
            ("grok", true, true, false),
        ] {
            let dialog = answered_in(to, 4).unwrap().dialog;
            assert!(dialog.questions.iter().all(|it| it.has_other() == other), "{to}");
            assert!(dialog.questions.iter().all(|it| it.notes == notes), "{to}");
            assert_eq!(!dialog.no_reason, words, "{to}");
        }
    }

    #[test]
    fn what_makes_no_sense_without_it_is_refused() {
        let refused = |to, count| answered_in(to, count).unwrap_err().to_string();
        let several = "questions[2]: dialect `codex` cannot return multiple selections; choose another with --to";
        assert_eq!(refused("codex", 4), several);
        let many = "questions: dialect `cline` takes 1 question, found 2; choose another with --to";
        assert_eq!(refused("cline", 2), many);
        assert!(answered_in("cline", 1).is_ok());
    }

    #[test]
    fn form_of_a_dialect_has_its_own_room() {
        let check = |payload: Value, to: Option<&str>| {
            let ask = Ask { payload, to: to.map(Into::into), ..Ask::default() };
            check(&ask, "t".into(), |_, _| Caller::default())
        };
        let approval =
            json!({ "method": "item/fileChange/requestApproval", "params": { "itemId": "i" } });
        assert!(check(approval.clone(), None).unwrap().dialog.no_reason);
        assert!(!check(approval, Some("text")).unwrap().dialog.no_reason);
        let field = json!({ "type": "string" });
        let form = json!({ "type": "elicitation.requested", "data": { "message": "?",
            "requestedSchema": { "type": "object", "properties": { "a": field, "b": field } } } });
        assert!(check(form, None).is_ok());
        assert!(answered_in("copilot", 2).is_err());
    }

    #[test]
    fn a_folder_that_no_system_has_is_refused() {
        let ask = |cwd: String| {
            let payload = json!({ "cwd": cwd, "question": "Which?" });
            let caller = |payload: &Payload, _: &Dialect| Caller {
                cwd: payload.cwd.clone(),
                ..Caller::default()
            };
            check(&Ask { payload, ..Ask::default() }, "t".into(), caller)
        };
        assert!(ask("/a".repeat(2_048)).is_ok());
        let refusal = ask("/a".repeat(20_000)).unwrap_err().to_string();
        assert_eq!(refusal, "cwd: 40000 characters, but at most 4096 are allowed");
    }

    #[test]
    fn an_unknown_dialect_is_refused() {
        let ask = Ask { dialect: Some("klingon".into()), ..Ask::default() };
        let refusal = check(&ask, "t".into(), |_, _| Caller::default()).unwrap_err();
        assert_eq!(refusal.to_string(), "unknown dialect `klingon`; see `askdeck dialects`");
    }
}
