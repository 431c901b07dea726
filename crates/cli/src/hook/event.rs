//! An event of an agent's hook: what it calls for, and what the agent shall be told then.

use askdeck_core::{
    dialog::{Caller, Dialog},
    outcome::Outcome,
    text,
    words::Words,
};
use askdeck_desk::client::Receipt;
use serde_json::{Value, json};

use super::inquiry::{HookError, Inquiry};

/// As many characters of the name of a subagent as anybody needs to know it.
const MOST_OF_A_NAME: usize = 40;

/// The hook of one agent.
pub struct Hook {
    /// As people call the agent.
    pub(super) agent: &'static str,
    /// What an event of it calls for.
    pub(super) react: for<'a> fn(&Event<'a>) -> Reaction<'a>,
}

/// An event, and what is needed to ask about it.
pub(super) struct Event<'a> {
    pub(super) value: &'a Value,
    pub(super) caller: Caller,
    pub(super) words: &'a Words,
}

/// What an event calls for.
pub enum Reaction<'a> {
    Nothing,
    /// The person need not be asked.
    Decided(Value),
    Ask(Box<Question<'a>>),
}

/// What is asked about an event, and what follows from the outcome.
pub struct Question<'a> {
    pub inquiry: Inquiry,
    pub decide: Decide<'a>,
}

/// What the agent shall be told of an outcome.
pub type Decide<'a> = Box<dyn FnOnce(&Dialog, &Outcome) -> Option<Value> + 'a>;

impl Hook {
    /// What the agent shall be told about an event; nothing where it should go on by itself. The
    /// receipt is for when it has been told.
    pub fn answer(
        &self,
        value: &Value,
        here: Caller,
        words: &Words,
    ) -> Result<(Option<Value>, Receipt), HookError> {
        match self.reaction(value, here, words)? {
            Reaction::Nothing => Ok((None, Receipt::of_nobody())),
            Reaction::Decided(decision) => Ok((Some(decision), Receipt::of_nobody())),
            Reaction::Ask(question) => {
                let Question { inquiry, decide } = *question;
                let (dialog, outcome, receipt) = inquiry.put()?;
                Ok((decide(&dialog, &outcome), receipt))
            }
        }
    }

    /// What an event calls for, before anybody is asked.
    pub fn reaction<'a>(
        &self,
        value: &'a Value,
        here: Caller,
        words: &'a Words,
    ) -> Result<Reaction<'a>, HookError> {
        if !value.is_object() {
            return Err(HookError::NoObject);
        }
        Ok((self.react)(&Event { value, caller: self.caller(value, here), words }))
    }

    fn caller(&self, event: &Value, here: Caller) -> Caller {
        let member = |field: &str| event.get(field).and_then(Value::as_str).map(str::to_owned);
        // Which of its subagents it is; a project can give them any name.
        let part = member("agent_type").or_else(|| member("agent_id"));
        let part =
            part.map(|part| text::shortened(&text::clean_line(&part), MOST_OF_A_NAME).into_owned());
        let part = part.filter(|part| !part.is_empty());
        Caller {
            agent: part.map_or(self.agent.into(), |part| format!("{} ({part})", self.agent)),
            session: member("session_id"),
            cwd: member("cwd").or(here.cwd),
            ..here
        }
    }
}

impl Event<'_> {
    pub(super) fn text(&self, field: &str) -> &str {
        self.value.get(field).and_then(Value::as_str).unwrap_or_default()
    }

    /// What the tool is given that the event is about.
    pub(super) fn input(&self) -> &Value {
        &self.value["tool_input"]
    }

    pub(super) fn word(&self, key: &str) -> String {
        self.words.get(key).cloned().unwrap_or_default()
    }
}

impl<'a> From<Question<'a>> for Reaction<'a> {
    fn from(question: Question<'a>) -> Self {
        Self::Ask(Box::new(question))
    }
}

/// A decision as Claude Code reads it, and Codex after it.
pub(super) fn decision(event: &str, members: Value) -> Value {
    let mut output = json!({ "hookEventName": event });
    if let (Value::Object(output), Value::Object(members)) = (&mut output, members) {
        output.extend(members);
    }
    json!({ "hookSpecificOutput": output })
}

/// A tool that is not to run, and what the model reads in the place of its result.
pub(super) fn denied_use(reason: &str) -> Value {
    let members = json!({ "permissionDecision": "deny", "permissionDecisionReason": reason });
    decision("PreToolUse", members)
}
