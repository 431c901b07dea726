//! What `OpenCode` asks, as the plugin tells it that `askdeck install opencode` writes: an event, and
//! what the tool was given. `OpenCode` asks in its terminal at the same time, and the first answer
//! counts: the plugin ends the hook once it has heard of one.
//!
//! The decision is a list of requests to `OpenCode`'s own server, which the plugin makes.

use askdeck_core::{
    dialect::opencode,
    dialog::Dialog,
    outcome::Outcome,
    tool::{Verdict, rule_label},
    words,
};
use serde_json::{Map, Value, json};

use super::{
    event::{Event, Hook, Question, Reaction},
    inquiry::{Inquiry, Lasts},
    permission::{Grant, Permission},
};

pub static HOOK: Hook = Hook { agent: "OpenCode", react: reaction };

fn reaction<'a>(event: &Event<'a>) -> Reaction<'a> {
    let asked = match event.text("hook_event_name") {
        "permission.asked" => Asked::of(event, "permission", false),
        "permission.v2.asked" => Asked::of(event, "permission", true),
        "question.asked" => Asked::of(event, "question", false),
        "question.v2.asked" => Asked::of(event, "question", true),
        _ => None,
    };
    match asked {
        Some(asked) if asked.kind == "permission" => permission(event, asked).into(),
        Some(asked) => questions(event, asked).into(),
        None => Reaction::Nothing,
    }
}

/// Where a request is answered.
struct Asked {
    kind: &'static str,
    id: String,
    session: String,
    is_v2: bool,
}

impl Asked {
    /// Nothing if it could not be answered: both ids become part of an address.
    fn of(event: &Event, kind: &'static str, is_v2: bool) -> Option<Self> {
        let id = |field: &str| {
            let id = event.value["request"].get(field)?.as_str()?;
            let plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
            (!id.is_empty() && id.chars().all(plain)).then(|| id.to_owned())
        };
        Some(Self { kind, id: id("id")?, session: id("sessionID")?, is_v2 })
    }

    fn answer(&self, how: &str, body: &Value) -> Value {
        let Self { kind, id, session, is_v2 } = self;
        let place = if *is_v2 { format!("/api/session/{session}") } else { String::new() };
        json!({ "path": format!("{place}/{kind}/{id}/{how}"), "body": body })
    }

    /// What the person says to the agent, as if they had typed it into its terminal.
    fn say(&self, text: &str) -> Value {
        let parts = json!([{ "type": "text", "text": text }]);
        let path = format!("/session/{}/prompt_async", self.session);
        json!({ "path": path, "body": { "parts": parts }, "once_stopped": true })
    }
}

fn permission(event: &Event, asked: Asked) -> Question<'static> {
    let request = &event.value["request"];
    let tool = either(request, "permission", "action").as_str().unwrap_or_default();
    let input = Value::Object(members(event, tool));
    let mut permission = Permission::to_use(tool, &input, event);
    if tool == "external_directory" {
        permission.question = event.word("hook_outside");
    }
    if !event.input().is_object() && !says_all(tool, &input) {
        let untold = words::say(event.words, "hook_untold", [("agent", HOOK.agent.into())]);
        permission.shown = format!("{untold}\n\n{}", permission.shown);
    }
    // What the newer server would save, and for how long, nobody has tried.
    if !asked.is_v2 {
        permission.grants.extend(always(event, tool));
    }
    permission.question(event, Lasts::UntilDecided(None), move |verdict| {
        let body = match verdict {
            Verdict::Once => json!({ "reply": "once" }),
            Verdict::Granted(body) => body,
            Verdict::No(message) => json!({ "reply": "reject", "message": message }),
        };
        json!({ "requests": [asked.answer("reply", &body)] })
    })
}

/// The members of a request, whose newer server calls them otherwise.
fn either<'a>(request: &'a Value, name: &str, newer: &str) -> &'a Value {
    request.get(name).unwrap_or(&request[newer])
}

/// What only `OpenCode` itself says of a tool; by the same name, what the model sent is something else.
const OPENCODES: [&str; 5] = ["diff", "file_path", "filepath", "notebook_path", "patterns"];
/// What a diff shows.
const IN_DIFF: [&str; 3] = ["oldString", "newString", "content"];

/// All that is known of what the tool is about to do: what `OpenCode` says of it, and what the tool
/// was given.
fn members(event: &Event, tool: &str) -> Map<String, Value> {
    let request = &event.value["request"];
    let mut members = request["metadata"].as_object().cloned().unwrap_or_default();
    let has_diff = tool == "edit" && members.contains_key("diff");
    for (name, value) in event.input().as_object().into_iter().flatten() {
        let said = members.get(name);
        if said == Some(value) || has_diff && IN_DIFF.contains(&name.as_str()) {
            continue;
        }
        let is_taken = said.is_some() || OPENCODES.contains(&name.as_str());
        let name = if is_taken { format!("{name} (input)") } else { name.clone() };
        members.insert(name, value.clone());
    }
    if !says_all(tool, &Value::Object(members.clone())) {
        members.insert("patterns".into(), either(request, "patterns", "resources").clone());
    }
    members
}

/// Whether a member says all of what the tool does.
fn says_all(tool: &str, members: &Value) -> bool {
    let name = match tool {
        "bash" => "command",
        "edit" => "diff",
        "webfetch" => "url",
        _ => return false,
    };
    members[name].is_string()
}

/// What `OpenCode` itself would allow from now on.
fn always(event: &Event, tool: &str) -> Option<Grant> {
    let patterns = event.value["request"]["always"].as_array()?.iter().map(Value::as_str);
    let rules = patterns.map(|pattern| Some(rule_label(tool, pattern?)));
    let rules = rules.collect::<Option<Vec<_>>>().filter(|rules| !rules.is_empty())?;
    Some(Grant {
        label: words::say(event.words, "hook_always", [("what", rules.join(", "))]),
        description: Some(words::say(
            event.words,
            "hook_until_restart",
            [("agent", HOOK.agent.into())],
        )),
        decision: json!({ "reply": "always" }),
    })
}

fn questions(event: &Event, asked: Asked) -> Question<'static> {
    let inquiry = Inquiry {
        payload: json!({ "questions": event.value["request"]["questions"] }),
        dialect: opencode::DIALECT.name,
        caller: event.caller.clone(),
        lasts: Lasts::UntilDecided(None),
    };
    let decide = move |dialog: &Dialog, outcome: &Outcome| decide(dialog, outcome, &asked);
    Question { inquiry, decide: Box::new(decide) }
}

/// To reject a question takes no words. Those of the person follow as a message of theirs.
fn decide(dialog: &Dialog, outcome: &Outcome, asked: &Asked) -> Option<Value> {
    let reject = || asked.answer("reject", &json!({}));
    let requests = match outcome {
        Outcome::Answered { .. } => {
            let written = (opencode::DIALECT.write)(dialog, outcome);
            let answers = serde_json::from_str(&written).unwrap_or_default();
            vec![asked.answer("reply", &answers)]
        }
        Outcome::Declined { reason: None, .. } => vec![reject()],
        Outcome::Declined { reason: Some(reason), .. } => {
            vec![reject(), asked.say(&format!("I did not answer your question: {reason}"))]
        }
        Outcome::Clarify { text, .. } => {
            vec![reject(), asked.say(&format!("Before I answer your question: {text}"))]
        }
        Outcome::Dismissed | Outcome::TimedOut { .. } | Outcome::Withdrawn => return None,
    };
    Some(json!({ "requests": requests }))
}

#[cfg(test)]
mod tests {
    use askdeck_core::{asking, dialog::Caller, outcome::Answer, words::Language};

    use super::*;

    /// What is asked about an event, and the requests that follow from an outcome.
    fn asked(event: &Value, outcome: &Outcome) -> (Dialog, Value) {
        let reaction = HOOK.reaction(event, Caller::default(), Language::ENGLISH.words());
        let Ok(Reaction::Ask(question)) = reaction else { panic!("nothing is asked: {event}") };
        let ask = question.inquiry.ask("ticket");
        let dialog = asking::check(&ask, "ticket".into(), |_, _| Caller::default());
        let dialog = dialog.expect("it can be asked").dialog;
        let decision = (question.decide)(&dialog, outcome).unwrap_or_default();
        (dialog, decision["requests"].clone())
    }

    fn chosen(option: usize) -> Outcome {
        Outcome::Answered { answers: vec![Answer { selected: vec![option], ..Answer::default() }] }
    }

    fn permission(metadata: &Value, input: &Value) -> Value {
        json!({ "hook_event_name": "permission.asked", "session_id": "ses_1", "tool_input": input,
            "request": {
                "id": "per_1", "sessionID": "ses_1", "permission": "tracker_close",
                "patterns": ["*"], "always": ["*"], "metadata": metadata,
            },
        })
    }

    fn question(event: &str) -> Value {
        let options =
            json!([{ "label": "A", "description": "" }, { "label": "B", "description": "" }]);
        let questions = json!([{ "question": "Which?", "header": "Which", "options": options }]);
        let request = json!({ "id": "que_1", "sessionID": "ses_1", "questions": questions });
        json!({ "hook_event_name": event, "session_id": "ses_1", "request": request })
    }

    #[test]
    fn permission_shows_what_the_tool_is_given_or_that_nobody_says_it() {
        let told = permission(&json!({}), &json!({ "issue": 7 }));
        let (dialog, requests) = asked(&told, &chosen(0));
        assert_eq!(dialog.questions[0].text, "Use `tracker_close`?");
        let shown = dialog.message.expect("it is shown");
        assert_eq!(shown, "```yaml\nissue: 7\npatterns:\n  [\n    \"*\"\n  ]\n```");
        let path = "/permission/per_1/reply";
        assert_eq!(requests, json!([{ "path": path, "body": { "reply": "once" } }]));
        let (dialog, requests) = asked(&permission(&json!({}), &Value::Null), &chosen(1));
        let shown = dialog.message.expect("it is shown");
        assert!(shown.starts_with("OpenCode does not say what this tool is given."), "{shown}");
        assert_eq!(requests, json!([{ "path": path, "body": { "reply": "always" } }]));
    }

    #[test]
    fn permission_shows_both_where_opencode_and_the_conversation_differ() {
        let event = permission(&json!({ "command": "ls" }), &json!({ "command": "rm -rf ~" }));
        let shown = asked(&event, &chosen(0)).0.message.expect("it is shown");
        assert!(shown.contains("ls") && shown.contains("rm -rf ~"), "{shown}");
    }

    #[test]
    fn model_cannot_speak_for_opencode() {
        let request = json!({
            "id": "per_1", "sessionID": "ses_1", "permission": "edit", "patterns": ["a"],
            "metadata": { "filepath": "/home/u/.bashrc", "diff": "-a\n+b\n" },
        });
        let input = json!({ "filePath": "/home/u/.bashrc", "oldString": "a", "newString": "b",
            "file_path": "/tmp/notes.txt", "diff": "+c\n" });
        let event = json!({ "hook_event_name": "permission.asked", "session_id": "ses_1",
            "request": request, "tool_input": input });
        let (dialog, _) = asked(&event, &chosen(0));
        assert_eq!(dialog.questions[0].text, "Edit `.bashrc`? +1 −1");
        let shown = dialog.message.expect("it is shown");
        assert!(shown.starts_with("```\n/home/u/.bashrc\n```\n\n```diff\n-a\n+b\n```"), "{shown}");
        assert!(shown.contains("\"file_path (input)\": /tmp/notes.txt"), "{shown}");

        let event = permission(&json!({}), &json!({ "patterns": ["/home/u/**"] }));
        let shown = asked(&event, &chosen(0)).0.message.expect("it is shown");
        assert!(shown.contains("/home/u/**"), "{shown}");
        let event = permission(&json!({ "description": "Look around" }), &Value::Null);
        let shown = asked(&event, &chosen(0)).0.message.expect("it is shown");
        assert!(shown.starts_with("OpenCode does not say what this tool is given."), "{shown}");
    }

    #[test]
    fn newer_server_is_answered_at_its_own_place() {
        let event = json!({ "hook_event_name": "permission.v2.asked", "session_id": "ses_1", "request": {
            "id": "per_1", "sessionID": "ses_1", "action": "bash", "resources": ["ls"],
            "save": ["ls *"], "metadata": { "command": "ls" },
        }});
        // Nothing is offered but once and no.
        let (dialog, requests) = asked(&event, &chosen(1));
        assert_eq!(dialog.questions[0].text, "Run this command?");
        let body = json!({ "reply": "reject", "message": "The user did not allow this." });
        let path = "/api/session/ses_1/permission/per_1/reply";
        assert_eq!(requests, json!([{ "path": path, "body": body }]));
        let (_, requests) = asked(&question("question.v2.asked"), &chosen(1));
        let path = "/api/session/ses_1/question/que_1/reply";
        assert_eq!(requests, json!([{ "path": path, "body": { "answers": [["B"]] } }]));
    }

    #[test]
    fn declined_question_is_rejected_and_the_words_follow() {
        let event = question("question.asked");
        let reject = json!({ "path": "/question/que_1/reject", "body": {} });
        let declined = |reason: Option<&str>| {
            let reason = reason.map(str::to_owned);
            asked(&event, &Outcome::Declined { reason, partial: Vec::new() }).1
        };
        assert_eq!(declined(None), json!([reject]));
        let requests = declined(Some("ask the team"));
        assert_eq!(requests[0], reject);
        assert_eq!(requests[1]["path"], "/session/ses_1/prompt_async");
        let said = "I did not answer your question: ask the team";
        assert_eq!(requests[1]["body"]["parts"][0]["text"], said);
        assert_eq!(asked(&event, &Outcome::Dismissed).1, Value::Null);
    }

    #[test]
    fn id_that_could_lead_elsewhere_is_not_asked_about() {
        for id in ["", "../../config", "que 1", "que?x"] {
            let mut event = question("question.asked");
            event["request"]["id"] = id.into();
            let reaction = HOOK.reaction(&event, Caller::default(), Language::ENGLISH.words());
            assert!(matches!(reaction, Ok(Reaction::Nothing)), "{id}");
        }
    }
}
