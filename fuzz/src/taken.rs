//! What the reader of each dialect takes for an answer.

use askdeck_core::{dialect::Dialect, dialog::Dialog};
use serde_json::{Map, Value};

/// All that the reader of a dialect takes for an answer in what was written.
pub fn answers(to: &Dialect, dialog: &Dialog, written: &str) -> Vec<Value> {
    if to.name == "text" {
        return if is_told(written) { Vec::new() } else { vec![written.into()] };
    }
    let written: Value = serde_json::from_str(written).expect("what is written is JSON");
    // The response to a request has it inside.
    let body = written.get("result").unwrap_or(&written);
    let mut found = Found::default();
    match to.name {
        "langchain" => list(&body["decisions"]).for_each(|one| found.decision(one, "message")),
        "agent-inbox" => list(body).for_each(|one| found.decision(one, "args")),
        "vercel" => one_or_list(body).for_each(|one| {
            found.filled(one, &["output"]);
            found.says(one, "approved", &true.into());
        }),
        "ag-ui" => list(&body["resume"]).for_each(|one| {
            found.filled(one, &["payload"]);
            found.says(one, "status", &"resolved".into());
        }),
        "acp" | "mcp" => {
            let several = body["inputResponses"].as_object();
            several.map_or(vec![body], |them| them.values().collect()).into_iter().for_each(
                |one| {
                    found.filled(one, &["content"]);
                    found.filled(&one["outcome"], &["optionId"]);
                    found.says(one, "action", &"accept".into());
                    found.says(&one["outcome"], "outcome", &"selected".into());
                },
            );
        }
        "agno" if dialog.metadata["agno"]["paused"].is_string() => found.named(&written, dialog),
        "deepagents" => found.bare(&written, dialog),
        "nova" => {
            found.filled(body, &["answer"]);
            found.says(body, "status", &"ANSWERED".into());
        }
        "sema" => found.filled(body.get("data").unwrap_or(body), &["answers"]),
        "vscode" => body["answers"].as_object().into_iter().flat_map(Map::values).for_each(|one| {
            found.filled(one, &["selected", "freeText"]);
            found.says(one, "skipped", &false.into());
        }),
        "cursor" => {
            found.filled(&body["outcome"], &["answers"]);
            found.says(&body["outcome"], "outcome", &"answered".into());
        }
        "copilot" => found.filled(body, &["answer"]),
        "grok" => {
            found.filled(body, &["answers", "annotations"]);
            found.says(body, "outcome", &"accepted".into());
            // Its own word for what was chosen before the person wants to talk about it.
            if body["outcome"] != "chat_about_this" {
                found.filled(body, &["partial_answers"]);
            }
        }
        "zed" => found.filled(body, &["selected"]),
        "augment" => {
            let is_told = |one: &Value| one.as_str().is_some_and(|text| text.starts_with("[User "));
            let texts = one_or_list(body).filter(|one| one.is_string() && !is_told(one));
            found.0.extend(texts.cloned());
        }
        "hermes" => found.filled(body, &["user_response"]),
        "roo" | "cline" | "continue" | "crewai" => {
            found.0.extend((!body.is_object()).then(|| body.clone()));
        }
        "droid" => {
            found.filled(body, &["answers"]);
            let option = body.get("selectedOption").filter(|option| **option != "cancel");
            found.0.extend(option.cloned());
        }
        "pi" => found.filled(body, &["value", "confirmed"]),
        "askdeck" => {
            found.filled(body, &["answers"]);
            found.says(body, "outcome", &"answered".into());
        }
        "claude" => {
            found.filled(body, &["answers", "annotations", "updatedInput"]);
            found.says(body, "behavior", &"allow".into());
        }
        "agno" | "gencode" | "codex" | "opencode" | "gemini" | "mistral" | "kimi" => {
            found.filled(body, &["answers"]);
        }
        name => found.of_a_run(name, body, dialog),
    }
    found.0
}

#[derive(Default)]
struct Found(Vec<Value>);

impl Found {
    /// Fields that hold an answer unless they are empty.
    fn filled(&mut self, body: &Value, fields: &[&str]) {
        let values = fields.iter().filter_map(|field| body.get(field));
        self.0.extend(values.filter(|value| !is_empty(value)).cloned());
    }

    /// A field that makes an answer of it by one value.
    fn says(&mut self, body: &Value, field: &str, value: &Value) {
        self.0.extend(body.get(field).filter(|found| *found == value).cloned());
    }

    /// A decision about a tool. Words in its place are an answer, unless they tell an ending.
    fn decision(&mut self, one: &Value, words: &str) {
        let told = one[words].as_str().is_some_and(is_told);
        match one["type"].as_str() {
            Some("reject" | "ignore") => {}
            Some("respond" | "response") if told => {}
            _ => self.0.push(one.clone()),
        }
    }

    /// What resumes a run that waits.
    fn of_a_run(&mut self, name: &str, body: &Value, dialog: &Dialog) {
        match name {
            "strands" => list(body).for_each(|one| self.filled(one, &["interruptResponse"])),
            "a2a" => self.filled(body, &["parts"]),
            "pydantic-ai" => {
                self.0.extend(body.is_string().then(|| body.clone()));
                for (list, kind) in [("approvals", "tool-denied"), ("calls", "tool-failed")] {
                    let results = body[list].as_object().into_iter().flat_map(Map::values);
                    let given = results.filter(|one| **one != false && one["kind"] != kind);
                    self.0.extend(given.cloned());
                }
            }
            "adk" => {
                self.0.extend(body.is_string().then(|| body.clone()));
                let parts = list(&body["parts"]).map(|part| &part["functionResponse"]);
                let bare = one_or_list(body).filter(|one| one["response"].is_object());
                for response in parts.chain(bare).map(|one| &one["response"]) {
                    let is_no = response["confirmed"] == false;
                    self.0.extend((!is_no && !fails(response, dialog)).then(|| response.clone()));
                }
            }
            "mastra" => {
                let is_no = body["approved"] == false || body["action"] == "rejected";
                let is_no = is_no || body.is_object() && dialog.metadata["mastra"].is_null();
                self.0.extend((!is_no && !fails(body, dialog)).then(|| body.clone()));
            }
            "agent-framework" => self.each_decided(body, "approved"),
            "openai-agents" => self.each_decided(body, "approve"),
            unknown => panic!("say what `{unknown}` takes for an answer"),
        }
    }

    /// A list of decisions about tools, of which this field is true if one was approved. A text is
    /// what a tool returns.
    fn each_decided(&mut self, body: &Value, field: &str) {
        self.0.extend(body.is_string().then(|| body.clone()));
        one_or_list(body).for_each(|one| self.says(one, field, &true.into()));
    }

    /// A form that is read by the names of its questions.
    fn named(&mut self, body: &Value, dialog: &Dialog) {
        let questions = dialog.questions.iter();
        let names = questions.flat_map(|question| [question.id.as_str(), &question.text]);
        self.filled(body, &names.collect::<Vec<_>>());
    }

    fn bare(&mut self, written: &Value, dialog: &Dialog) {
        if !written.is_object() {
            return self.0.extend((!written.is_null()).then(|| written.clone()));
        }
        self.filled(written, &["answers"]);
        self.says(written, "status", &"answered".into());
        if dialog.questions.len() > 1 && dialog.metadata["deepagents"]["ask_user"].is_null() {
            let questions = dialog.questions.iter();
            let names = questions.map(|it| it.header.as_deref().unwrap_or(&it.text));
            self.filled(written, &names.collect::<Vec<_>>());
        }
    }
}

/// Whether a form says that there is no answer, under a name that is none of its fields.
fn fails(body: &Value, dialog: &Dialog) -> bool {
    let is_field = |name: &str| dialog.questions.iter().any(|question| question.id == name);
    ["error", "_error"].iter().any(|name| body[name].is_string() && !is_field(name))
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Whether a text says first how the dialog ended, and that this is no answer.
fn is_told(text: &str) -> bool {
    let endings = ["declined to answer", "did not answer", "closed the window without answering"];
    let told = text.strip_prefix("The user ");
    told.is_some_and(|told| endings.iter().any(|ending| told.starts_with(ending)))
        || text.starts_with("The question was withdrawn")
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn one_or_list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice).iter()
}
