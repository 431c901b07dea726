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
    // Of several interrupts, the answers stand under the ids.
    let by_id = dialog.metadata[to.name]["interrupts_by_id"].as_array();
    if let Some(interrupts) = by_id.filter(|them| them.iter().all(|it| it["id"].is_string())) {
        let mut start = 0;
        return interrupts
            .iter()
            .flat_map(|interrupt| {
                let count = usize::try_from(interrupt["questions"].as_u64().unwrap_or(0));
                let end = start + count.unwrap_or(0);
                let mut one = dialog.clone();
                one.questions = dialog.questions[start..end].to_vec();
                one.metadata = interrupt["metadata"].clone();
                start = end;
                let id = interrupt["id"].as_str().unwrap_or_default();
                written.get(id).map_or(Vec::new(), |it| answers(to, &one, &it.to_string()))
            })
            .collect();
    }
    match to.name {
        "langchain" if body["type"].is_string() => found.decision(body, "message"),
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
                    found.filled(one, &["content", "answers"]);
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
        "askdeck" => {
            found.filled(body, &["answers"]);
            found.says(body, "outcome", &"answered".into());
        }
        "agno" => {
            found.filled(body, &["answers"]);
            found.says(body, "confirmation", &true.into());
            found.says(body, "confirmed", &true.into());
        }
        name => found.of_an_agent(name, body, dialog),
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

    /// What a coding agent's own tools take.
    fn of_an_agent(&mut self, name: &str, body: &Value, dialog: &Dialog) {
        match name {
            "vscode" => {
                body["answers"].as_object().into_iter().flat_map(Map::values).for_each(|one| {
                    self.filled(one, &["selected", "freeText"]);
                    self.says(one, "skipped", &false.into());
                });
            }
            "cursor" => {
                self.filled(&body["outcome"], &["answers"]);
                self.says(&body["outcome"], "outcome", &"answered".into());
            }
            "copilot" => {
                self.filled(body, &["answer", "content"]);
                self.says(body, "approved", &true.into());
                self.says(body, "action", &"accept".into());
            }
            "grok" => {
                self.filled(body, &["answers", "annotations"]);
                self.says(body, "outcome", &"accepted".into());
                // Its own word for what was chosen before the person wants to talk about it.
                if body["outcome"] != "chat_about_this" {
                    self.filled(body, &["partial_answers"]);
                }
            }
            "zed" => self.filled(body, &["selected"]),
            "augment" => {
                let is_told =
                    |one: &Value| one.as_str().is_some_and(|text| text.starts_with("[User "));
                let texts = one_or_list(body).filter(|one| one.is_string() && !is_told(one));
                self.0.extend(texts.cloned());
            }
            "hermes" => self.filled(body, &["user_response"]),
            "roo" | "cline" | "continue" | "crewai" => {
                self.0.extend((!body.is_object()).then(|| body.clone()));
            }
            "droid" => {
                self.filled(body, &["answers"]);
                let option = body.get("selectedOption").filter(|option| **option != "cancel");
                self.0.extend(option.cloned());
            }
            "pi" => self.filled(body, &["value", "confirmed"]),
            "claude" => {
                let body = body.pointer("/response/response").unwrap_or(body);
                let input = &body["updatedInput"];
                // A question back is no answer, though the tool is let through to tell it.
                if !input["response"].is_string() || !is_empty(&input["answers"]) {
                    self.filled(body, &["answers", "annotations", "updatedInput"]);
                    self.says(body, "behavior", &"allow".into());
                }
            }
            "gemini" => {
                self.filled(body.get("payload").unwrap_or(body), &["answers"]);
                self.says(body, "confirmed", &true.into());
            }
            "gencode" => self.filled(body, &["answers", "Answers"]),
            "codex" => {
                let no = ["decline", "cancel"].map(Value::from);
                let answers = body["answers"].as_object().into_iter().flat_map(Map::values);
                self.0.extend(answers.flat_map(|it| list(&it["answers"])).cloned());
                self.0.retain(|it| !it.as_str().is_some_and(is_note_of_an_ending));
                self.0.extend(body.get("decision").filter(|it| !no.contains(it)).cloned());
                self.filled(body, &["permissions"]);
            }
            "opencode" => {
                self.filled(body, &["answers"]);
                self.0.extend(body.get("reply").filter(|it| *it != "reject").cloned());
            }
            "mistral" | "kimi" => self.filled(body, &["answers"]),
            name => self.of_a_run(name, body, dialog),
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

/// Codex's place for words, in which an ending is told.
pub fn is_note_of_an_ending(text: &str) -> bool {
    text.strip_prefix("user_note: ").is_some_and(is_told)
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
