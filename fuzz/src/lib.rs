//! What must hold for any bytes that come from outside. The fuzzer calls these with what it thinks
//! up, the tests with what it has found before and with broken pieces of it.

use std::{collections::BTreeSet, fmt::Display};

use askdeck::{
    hook::{self, Hook, Reaction},
    terminal::{self, Palette},
};
use askdeck_core::{
    asking,
    dialect::{self, Dialect},
    dialog::{Caller, Dialog, Kind, Question},
    outcome::{Answer, Outcome},
    text,
    words::Language,
};
use askdeck_desk::server;
use askdeck_desktop::{markdown, sheet};
use serde_json::Value;

mod deck;
mod script;
mod session;
pub mod taken;

/// A payload: read, checked and, where that goes well, written in every dialect with every ending.
pub fn dialects(bytes: &[u8]) {
    if let Ok(value) = dialect::parse(bytes) {
        every_dialect(&value);
    }
}

pub fn every_dialect(value: &Value) {
    let _ = dialect::detect(value);
    for from in dialect::ALL {
        match check(from, value) {
            Err(refused) => drop(refused),
            Ok(dialog) => dialect::ALL.iter().for_each(|to| write_every_ending(to, &dialog)),
        }
    }
}

/// The dialog, or what the dialect says in its place. No problem can break out of its line.
pub fn check(dialect: &Dialect, value: &Value) -> Result<Dialog, Option<String>> {
    let payload = (dialect.read)(value);
    let told: Vec<String> = payload.advice.iter().map(ToString::to_string).collect();
    assert!(told.iter().all(|line| !line.contains(char::is_control)), "{told:?}");
    Dialog::check(payload, &dialect.rules, "id".into(), dialect.name, Caller::default()).map_err(
        |problems| {
            assert!(!problems.is_empty());
            assert!(
                problems.iter().all(|problem| !problem.to_string().contains(char::is_control)),
                "{problems:?}"
            );
            (dialect.refuse)(&problems)
        },
    )
}

fn write_every_ending(to: &Dialect, dialog: &Dialog) {
    for outcome in endings(dialog) {
        let written = (to.write)(dialog, &outcome);
        assert!(to.name == "text" || serde_json::from_str::<Value>(&written).is_ok(), "{written}");
        if !matches!(outcome, Outcome::Answered { .. }) {
            let taken = taken::answers(to, dialog, &written);
            assert!(taken.is_empty(), "{}, {outcome:?}: {taken:?} in {written}", to.name);
        }
    }
}

fn endings(dialog: &Dialog) -> [Outcome; 7] {
    let answer = |question: Option<&Question>| Answer {
        selected: vec![0, 7],
        other: Some("x".into()),
        note: Some("n".into()),
        value: question.map(|question| match question.kind {
            Kind::Confirm { .. } | Kind::Boolean { .. } | Kind::Link { .. } => true.into(),
            _ => "v".into(),
        }),
        ..Answer::default()
    };
    // More answers than questions, and options that do not exist: the app's mistake, not a panic.
    let partial: Vec<_> = dialog.questions.iter().map(Some).chain([None]).map(answer).collect();
    [
        Outcome::Answered { answers: partial.clone() },
        Outcome::Answered { answers: Vec::new() },
        Outcome::Declined { reason: Some("r".into()), partial: partial.clone() },
        Outcome::TimedOut { partial: partial.clone() },
        Outcome::Clarify { text: "t".into(), partial },
        Outcome::Dismissed,
        Outcome::Withdrawn,
    ]
}

/// A line on the socket: a request, or an error with a message on one line.
pub fn wire(bytes: &[u8]) {
    if let Err((_, error)) = server::read(bytes) {
        assert!(!error.message.contains(char::is_control), "{:?}", error.message);
    }
}

/// Markdown, in the window and in a terminal: nothing of it runs, loads or hides.
pub fn markdown(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for html in [markdown::to_html(&text), markdown::preview_to_html(&text)] {
        assert_harmless(&html);
    }
    assert_drawn_clean(&text);
}

fn assert_harmless(html: &str) {
    assert_clean(html);
    for tag in html.to_lowercase().split('<').skip(1) {
        let name = tag.split(|c: char| !c.is_ascii_alphanumeric() && c != '/').next();
        let name = name.unwrap_or_default();
        assert!(!FORBIDDEN.contains(&name.trim_start_matches('/')), "<{name}> in {html}");
        let inside = tag.split('>').next().unwrap_or_default();
        // Every value is written in quotes, and no quote within one.
        let mut parts = inside[name.len()..].split('"');
        while let (Some(attribute), Some(value)) = (parts.next(), parts.next()) {
            // Browsers leave blanks out of an address.
            let address = || value.split_whitespace().collect::<String>();
            match attribute.trim() {
                "class=" | "start=" | "open=" | "title=" | "alt=" | "width=" | "height="
                | "data-language=" | "data-lines=" | "data-old=" | "data-new=" => {}
                "src=" if name == "img" && value.starts_with("data:image/") => {}
                "href=" if ["http:", "https:"].iter().any(|it| address().starts_with(it)) => {}
                attribute => panic!("{attribute}{value} in {html}"),
            }
        }
    }
}

const FORBIDDEN: [&str; 11] = [
    "script", "style", "svg", "iframe", "object", "embed", "form", "link", "meta", "base", "video",
];

/// The rows of a terminal hold nothing that it would obey.
fn assert_drawn_clean(markdown: &str) {
    let blocks = terminal::markdown::preview(markdown, &Palette::default());
    for row in blocks.iter().flat_map(|block| block.rows(40)) {
        let row = row.to_string();
        assert!(!row.contains(char::is_control), "{row:?}");
        assert_clean(&row);
    }
}

#[track_caller]
fn assert_clean(text: &str) {
    assert_eq!(text::clean(text), text);
}

/// An event of a hook: a question that can be asked, a refusal, or silence. Nothing but an answer
/// allows anything.
pub fn hook(bytes: &[u8]) {
    let Ok(event) = dialect::parse(bytes) else { return };
    for hook in hook::ALL {
        assert_asks_before_it_allows(hook, &event);
    }
}

fn assert_asks_before_it_allows(hook: &Hook, event: &Value) {
    let words = Language::ENGLISH.words();
    let reaction = || hook.reaction(event, Caller::default(), words);
    let question = match reaction() {
        Err(error) => return assert_told_clean(&error),
        Ok(Reaction::Nothing) => return,
        Ok(Reaction::Decided(decision)) => return assert_decides(&decision, event),
        Ok(Reaction::Ask(question)) => question,
    };
    let ask = question.inquiry.ask("ticket");
    let dialog = match asking::check(&ask, "ticket".into(), |_, _| Caller::default()) {
        Err(refusal) => return assert_told_clean(&refusal),
        Ok(asked) => asked.dialog,
    };
    assert_shown_clean(&dialog);
    for outcome in endings(&dialog) {
        // Each question can be decided once.
        let Ok(Reaction::Ask(question)) = reaction() else { panic!("the event has not changed") };
        if let Some(decision) = (question.decide)(&dialog, &outcome) {
            assert_decides(&decision, event);
            let answered = matches!(outcome, Outcome::Answered { .. });
            assert!(answered || !allows(&decision), "{outcome:?}: {decision}");
        }
    }
}

/// Every problem has a line of its own.
fn assert_told_clean(error: &impl Display) {
    let told = error.to_string();
    assert!(told.lines().all(|line| !line.contains(char::is_control)), "{told:?}");
}

fn assert_decides(decision: &Value, event: &Value) {
    if let Some(requests) = decision["requests"].as_array() {
        let is_path =
            |request: &Value| request["path"].as_str().is_some_and(|path| path.starts_with('/'));
        return assert!(requests.iter().all(is_path), "{decision}");
    }
    let name = &decision["hookSpecificOutput"]["hookEventName"];
    assert!(name.is_string() && *name == event["hook_event_name"], "{decision}");
}

/// Whether the agent may go on, by the word of any of its events.
fn allows(decision: &Value) -> bool {
    let requests = decision["requests"].as_array().into_iter().flatten();
    let mut bodies = requests.map(|request| &request["body"]);
    if bodies.any(|body| {
        body["reply"] == "once" || body["reply"] == "always" || body.get("answers").is_some()
    }) {
        return true;
    }
    let output = &decision["hookSpecificOutput"];
    output["permissionDecision"] == "allow"
        || output["decision"]["behavior"] == "allow"
        || output["action"] == "accept"
}

/// All that the window is given to draw, and what a terminal makes of the same.
fn assert_shown_clean(dialog: &Dialog) {
    let sheet = serde_json::to_value(sheet::of(dialog)).expect("the page gets it as JSON");
    let mut members = vec![&sheet];
    while let Some(member) = members.pop() {
        match member {
            Value::String(text) => assert_clean(text),
            Value::Array(list) => members.extend(list),
            Value::Object(object) => members.extend(object.values()),
            _ => {}
        }
    }
    let questions = dialog.questions.iter();
    let texts = questions.flat_map(|question| [Some(&question.text), question.details.as_ref()]);
    texts.chain([dialog.message.as_ref()]).flatten().for_each(|text| assert_drawn_clean(text));
}

/// Anything that can happen while questions are open, in any order: to the deck, or to one session.
/// Returns how they ended.
pub fn answering(bytes: &[u8]) -> BTreeSet<&'static str> {
    let mut script = script::Script::new(bytes);
    if script.yes() { session::session(&mut script) } else { deck::deck(&mut script) }
}
