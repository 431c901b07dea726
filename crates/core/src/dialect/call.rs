//! What a question may come wrapped in: a JSON-RPC request, the call of a tool, a hook event.
//!
//! A request is answered by a response with its id; everything else by the bare answer.

use serde_json::{Map, Value, json};

use super::{
    answers,
    fields::{Field, Fields, Findings, has, says},
};
use crate::{dialog::Dialog, payload::Payload};

/// What a dialect's questions come wrapped in, if they do.
pub(super) struct Call {
    pub(super) dialect: &'static str,
    /// The methods of the requests.
    pub(super) methods: &'static [&'static str],
    /// The names of the tool.
    pub(super) tools: &'static [&'static str],
    /// The types of the events, and the fields with what they tell.
    pub(super) events: &'static [(&'static str, &'static str)],
    /// The field inside with the agent's own name for the conversation.
    pub(super) session: Option<&'static str>,
}

/// For a dialect to say only what it has.
pub(super) const BARE: Call =
    Call { dialect: "", methods: &[], tools: &[], events: &[], session: None };

impl Call {
    /// Whether the payload is wrapped in one of these.
    pub(super) fn wraps(&self, payload: &Value) -> bool {
        self.wrapping(payload).is_some()
    }

    /// What is wrapped; the payload itself, if it is not.
    pub(super) fn inside<'a>(&self, payload: &'a Value) -> &'a Value {
        let inside = self.wrapping(payload).and_then(|(_, inside)| payload.get(inside));
        inside.filter(|inside| inside.is_object()).map_or(payload, |inside| self.inside(inside))
    }

    /// The field by which the wrapping is known, and the field inside.
    fn wrapping(&self, payload: &Value) -> Option<(&'static str, &'static str)> {
        if says(payload, "method", self.methods) {
            return Some(("method", "params"));
        }
        if says(payload, "tool_name", self.tools) {
            return Some(("tool_name", "tool_input"));
        }
        if says(payload, "name", self.tools) {
            let inside = ["input", "arguments", "args"].into_iter().find(|name| has(payload, name));
            return Some(("name", inside.unwrap_or("input")));
        }
        // The same event may come with another field inside.
        let events = self.events.iter().filter(|(name, _)| says(payload, "type", &[name]));
        let event = events.clone().find(|(_, inside)| has(payload, inside));
        event.or(events.clone().next()).map(|(_, inside)| ("type", *inside))
    }

    /// Reads the object inside, and tells of the fields that nobody asked for.
    pub(super) fn read(&self, sent: &Value, ask: impl FnOnce(&Fields, &mut Payload)) -> Payload {
        let findings = Findings::default();
        let mut payload = Payload::default();
        if let Some(fields) = self.open(Field::root(sent, &findings), &mut payload) {
            // A hook event may have named the conversation already.
            let session = self.session.and_then(|name| fields.get(name)?.name());
            payload.session = session.or(payload.session);
            ask(&fields, &mut payload);
            fields.advise_unknown();
        }
        findings.put_into(payload)
    }

    fn open<'a>(&self, field: Field<'a>, payload: &mut Payload) -> Option<Fields<'a>> {
        let wrapping = self.wrapping(field.value);
        let fields = field.object()?;
        let Some((key, inside)) = wrapping else { return Some(fields) };
        if key == "method" {
            let members = ["jsonrpc", "id"].into_iter();
            let kept =
                members.filter_map(|name| Some((name.into(), fields.get(name)?.value.clone())));
            payload.metadata[self.dialect]["request"] = Value::Object(kept.collect());
        }
        if key == "tool_name" {
            payload.session = fields.text("session_id");
            payload.cwd = fields.text("cwd");
        }
        self.open(fields.need(inside, "an object")?, payload)
    }

    /// The answer as it goes back: if a request asked, as its response.
    pub(super) fn answer(&self, dialog: &Dialog, answer: Value) -> String {
        self.respond(dialog, "result", answer.clone()).unwrap_or(answer).to_string()
    }

    /// What there is instead of an answer, in formats that have no word for it: `error` and what
    /// belongs to it. If a request asked, as an error of JSON-RPC.
    pub(super) fn fail(&self, dialog: &Dialog, failure: Map<String, Value>) -> String {
        /// JSON-RPC leaves the errors from here on to whoever answers.
        const FAILED: i32 = -32000;
        let mut data = failure.clone();
        let error = json!({ "code": FAILED, "message": data.shift_remove("error"), "data": data });
        self.respond(dialog, "error", error).unwrap_or(failure.into()).to_string()
    }

    fn respond(&self, dialog: &Dialog, key: &str, value: Value) -> Option<Value> {
        let request = answers::kept(dialog, self.dialect, "request")?.as_object()?;
        let mut response = request.clone();
        response.insert(key.into(), value);
        Some(response.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_conversation_is_known_by_the_question_or_by_what_it_came_in() {
        let call = Call { tools: &["ask"], session: Some("thread"), ..BARE };
        let session = |sent: Value| call.read(&sent, |_, _| {}).session;
        let hook =
            |input: Value| json!({ "tool_name": "ask", "tool_input": input, "session_id": "hook" });
        assert_eq!(session(json!({})), None);
        assert_eq!(session(json!({ "thread": 7 })).as_deref(), Some("7"));
        assert_eq!(session(hook(json!({}))).as_deref(), Some("hook"));
        assert_eq!(session(hook(json!({ "thread": "own" }))).as_deref(), Some("own"));
    }
}
