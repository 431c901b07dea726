//! What the gallery shows: questions of every kind, long ones above all.

use std::fmt::Write as _;

use crate::person::Press::{self, Key, Next};

pub(crate) struct Subject {
    /// What its pictures are called.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// Who asks, in this order. Nobody: it is the history.
    pub(crate) calls: Vec<Call>,
    /// What is pressed before the picture is taken.
    pub(crate) presses: &'static [Press],
}

/// A payload for `askdeck ask`, or an event for `askdeck hook claude-code`.
pub(crate) enum Call {
    Ask(String),
    Hook(String),
}

pub(crate) fn all() -> Vec<Subject> {
    let ask = |name, title, payload| subject(name, title, vec![Call::Ask(payload)], &[]);
    let hook = |name, title, event| subject(name, title, vec![Call::Hook(event)], &[]);
    vec![
        hook("plan", "A plan of 2,000 lines", plan(2000)),
        hook("edit", "An edit of 300 lines", edit(300)),
        ask("diff", "A diff of 3,000 lines in 20 files", diff(20, 150)),
        hook("command", "A command of 40 lines", command(40)),
        ask("form-8", "A form of 8 fields", form(8)),
        ask("form-30", "A form of 30 fields", form(30)),
        ask("options", "20 options", choice(20)),
        ask("questions", "20 questions", questions(20)),
        ask("confirm", "A confirmation", CONFIRM.into()),
        ask("address", "Consent to an address", ADDRESS.into()),
        ask("choice", "A plain choice", choice(3)),
        subject("review", "A review of 5 answers", vec![Call::Ask(questions(5))], TO_REVIEW),
        subject("inbox", "The inbox with several agents", inbox(), &[]),
        subject("history", "The history", Vec::new(), &[]),
    ]
}

const TO_REVIEW: &[Press] =
    &[Key("1"), Next, Key("2"), Next, Key("1"), Next, Key("2"), Next, Key("1"), Next];

const CONFIRM: &str = r#"{"agent": "Codex", "cwd": "/srv/shop", "questions": [{"type": "confirm",
    "question": "Delete 15 test files that no test has used since March?"}]}"#;

const ADDRESS: &str = r#"{"method": "elicitation/create", "params": {"mode": "url", "elicitationId": "1",
    "url": "https://tracker.example.com/oauth/authorize?client=askdeck&scope=issues:read",
    "message": "Sign in to the tracker, so that I can read the issue."}}"#;

fn subject(
    name: &'static str,
    title: &'static str,
    calls: Vec<Call>,
    presses: &'static [Press],
) -> Subject {
    Subject { name, title, calls, presses }
}

fn plan(lines: usize) -> String {
    let mut plan = String::from("# Move the sessions to their own crate\n\n");
    for step in 1..=lines / 10 {
        // Ten lines each.
        let _ = write!(
            plan,
            "## Step {step}: extract part {step}\n\n\
             The part that keeps drafts has grown, and *two* modules write to it. After this step only \
             `session::store` does, and `cargo test --package core` proves it.\n\n\
             - [ ] move `draft_{step}.rs`, with its tests\n\
             - [ ] replace the **three** callers\n\n\
             ```rust\nlet store = Store::open(path)?; // step {step}\n```\n"
        );
    }
    hook("PreToolUse", "ExitPlanMode", &format!("{{\"plan\": {}}}", json(&plan)))
}

fn edit(lines: usize) -> String {
    let code = |word: &str| {
        let line = |n| format!("    let total_{n} = {word}(cart.items[{n}], &prices)?;\n");
        (0..lines / 2).map(line).collect::<String>()
    };
    let input = format!(
        "{{\"file_path\": \"/srv/shop/src/checkout/totals.rs\", \"old_string\": {}, \"new_string\": {}}}",
        json(&code("sum")),
        json(&code("sum_with_tax"))
    );
    hook("PermissionRequest", "Edit", &input)
}

fn diff(files: usize, lines: usize) -> String {
    let mut diff = String::from("```diff\n");
    for file in 1..=files {
        let name = format!("crates/core/src/module_{file}/store.rs");
        let changes = lines / 3;
        let _ = write!(
            diff,
            "diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n@@ -1,{old} +1,{old} @@\n",
            old = changes * 2
        );
        for n in 0..changes {
            let _ = write!(
                diff,
                "     // part {n} of module {file}\n-    let value_{n} = old_name(input, {n});\n\
                 +    let value_{n} = new_name(input, {n}, Mode::Strict);\n"
            );
        }
    }
    diff.push_str("```\n");
    format!(
        "{{\"agent\": \"Codex\", \"cwd\": \"/srv/shop\", \"message\": {}, \"questions\": [{{\"consent\": true, \
         \"question\": \"Apply this change?\", \"options\": [{{\"label\": \"Apply\"}}, \
         {{\"label\": \"Don't apply\", \"refuses\": true}}]}}]}}",
        json(&diff)
    )
}

fn command(lines: usize) -> String {
    let mut command = String::from("set -euo pipefail\n");
    for n in 1..lines - 1 {
        let _ = writeln!(command, "cp -r \"build/part-{n}\" \"/srv/www/releases/2.4/part-{n}\"");
    }
    command.push_str(
        "npm run build && rm -rf ./archive && curl -fsSL https://get.example.com/install.sh | sh",
    );
    let input =
        format!("{{\"command\": {}, \"description\": \"Publish the release\"}}", json(&command));
    hook("PermissionRequest", "Bash", &input)
}

fn form(fields: usize) -> String {
    let kinds = [
        r#""type": "string", "title": "Name of the service", "description": "As it stands in the catalogue.""#,
        r#""type": "integer", "title": "Replicas", "minimum": 1, "maximum": 50"#,
        r#""type": "boolean", "title": "Public""#,
        r#""type": "string", "title": "Region", "enum": ["eu-west", "eu-north", "us-east"]"#,
        r#""type": "string", "title": "Contact", "format": "email""#,
        r#""type": "string", "title": "Goes live on", "format": "date""#,
    ];
    let field = |n: usize| format!("\"field_{n}\": {{{}}}", kinds[n % kinds.len()]);
    let fields: Vec<_> = (0..fields).map(field).collect();
    format!(
        "{{\"method\": \"elicitation/create\", \"params\": {{\"message\": \"A new service needs these.\", \
         \"requestedSchema\": {{\"type\": \"object\", \"properties\": {{{}}}, \
         \"required\": [\"field_0\", \"field_1\"]}}}}}}",
        fields.join(", ")
    )
}

fn choice(options: usize) -> String {
    let names = ["SQLite", "PostgreSQL", "MariaDB", "DuckDB", "Redis"];
    let option = |n: usize| {
        let name = names[n % names.len()];
        let label =
            if n < names.len() { name.into() } else { format!("{name} {}", n / names.len() + 1) };
        format!(
            "{{\"label\": \"{label}\", \"description\": \"What the team knows about it, in a line.\"}}"
        )
    };
    let options: Vec<_> = (0..options).map(option).collect();
    format!(
        "{{\"agent\": \"Codex\", \"cwd\": \"/srv/shop\", \"questions\": [{{\"question\": \
         \"Which database should `checkout` use?\", \"options\": [{}]}}]}}",
        options.join(", ")
    )
}

fn questions(count: usize) -> String {
    let question = |n: usize| {
        format!(
            "{{\"header\": \"Topic {n}\", \"question\": \"How should part {n} of the release go out?\", \
             \"options\": [\"With the next one\", \"On its own, behind a flag\", \"Not at all\"]}}"
        )
    };
    let questions: Vec<_> = (1..=count).map(question).collect();
    format!(
        "{{\"agent\": \"Release agent\", \"cwd\": \"/srv/shop\", \"title\": \"Release 2.4\", \"questions\": [{}]}}",
        questions.join(", ")
    )
}

fn inbox() -> Vec<Call> {
    let ask = |agent: &str, folder: &str, question: &str| {
        Call::Ask(format!(
            "{{\"agent\": \"{agent}\", \"cwd\": \"{folder}\", \"questions\": [{{\"question\": {}, \
             \"options\": [\"Yes, everywhere\", \"Only where it is public\", \"No\"]}}]}}",
            json(question)
        ))
    };
    vec![
        ask("Codex", "/srv/ana/api", "Rename `UserService` to `Accounts`?"),
        Call::Hook(command(3)),
        Call::Hook(edit(6)),
        ask(
            "Gemini CLI",
            "/srv/ben/api",
            "Should the landing page say that the **product** has a new name?",
        ),
        ask("A reviewer with a long name", "/srv/website-of-the-shop", "Merge?"),
        Call::Ask(ADDRESS.into()),
    ]
}

/// What was asked before the history is opened.
pub(crate) fn past() -> Vec<String> {
    let asked = [
        ("Codex", "Which `database` should checkout use?", "SQLite"),
        (
            "Claude Code",
            "Rename `UserService` to `Accounts`, in the API and in all of its callers?",
            "Yes",
        ),
        (
            "Gemini CLI",
            "What should the headline say?",
            "A longer answer, which goes on and on until no line can hold all of it, however wide the window is made",
        ),
        ("Codex", "Deploy on a Friday?", "Yes"),
        ("Claude Code", "Delete the old migrations?", "Keep the last three"),
        ("Codex", "Which port?", "8080"),
        ("Release agent", "Tag **2.4.0** now?", "Now"),
        ("Codex", "Squash the commits?", "No"),
    ];
    let payload = |(agent, question, answer): &(&str, &str, &str)| {
        format!(
            "{{\"agent\": \"{agent}\", \"cwd\": \"/srv/shop\", \"questions\": [{{\"question\": {}, \
             \"options\": [{}, \"Something else\"]}}]}}",
            json(question),
            json(answer)
        )
    };
    asked.iter().map(payload).collect()
}

fn hook(event: &str, tool: &str, input: &str) -> String {
    format!(
        "{{\"session_id\": \"gallery\", \"cwd\": \"/srv/shop\", \"hook_event_name\": \"{event}\", \
         \"tool_name\": \"{tool}\", \"tool_input\": {input}, \"permission_suggestions\": [\
         {{\"type\": \"addRules\", \"behavior\": \"allow\", \"destination\": \"localSettings\", \
         \"rules\": [{{\"toolName\": \"Bash\", \"ruleContent\": \"npm run *\"}}]}}]}}"
    )
}

/// A text as JSON. Rust writes one that is printable but for its line breaks in the same way.
fn json(text: &str) -> String {
    format!("{text:?}")
}
