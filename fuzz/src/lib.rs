//! What must hold for any bytes that come from outside. The fuzzer calls these with what it thinks
//! up, the tests with what it has found before and with broken pieces of it.

use askdeck::{
    asking,
    desktop::markdown,
    dialect::{self, Dialect},
    dialog::{Caller, Dialog},
    hook::claude_code::{self, Reaction},
    outcome::{Answer, Outcome},
    server,
    words::Language,
};
use serde_json::Value;

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
    let answer = Answer {
        selected: vec![0, 7],
        other: Some("x".into()),
        note: Some("n".into()),
        ..Answer::default()
    };
    // More answers than questions, and options that do not exist: the app's mistake, not a panic.
    let partial = vec![answer; dialog.questions.len() + 1];
    for outcome in [
        Outcome::Answered { answers: partial.clone() },
        Outcome::Answered { answers: Vec::new() },
        Outcome::Declined { reason: Some("r".into()), partial: partial.clone() },
        Outcome::TimedOut { partial: partial.clone() },
        Outcome::Clarify { text: "t".into(), partial },
        Outcome::Dismissed,
        Outcome::Withdrawn,
    ] {
        let written = (to.write)(dialog, &outcome);
        assert!(to.name == "text" || serde_json::from_str::<Value>(&written).is_ok(), "{written}");
    }
}

/// A line on the socket: a request, or an error with a message on one line.
pub fn wire(bytes: &[u8]) {
    if let Err((_, error)) = server::read(bytes) {
        assert!(!error.message.contains('\n'), "{}", error.message);
    }
}

/// Markdown: nothing of it runs, loads or hides.
pub fn markdown(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for html in [markdown::to_html(&text), markdown::preview_to_html(&text)] {
        let lower = html.to_lowercase();
        for tag in lower.split('<').skip(1) {
            let name = tag.split(|c: char| !c.is_ascii_alphanumeric() && c != '/').next();
            let name = name.unwrap_or_default().trim_start_matches('/');
            assert!(!FORBIDDEN.contains(&name), "<{name}> in {html}");
            let inside = tag.split('>').next().unwrap_or_default();
            let attributes = inside.split_whitespace().skip(1);
            for attribute in attributes {
                assert!(!attribute.starts_with("on"), "{attribute} in {html}");
                assert!(!attribute.starts_with("src"), "{attribute} in {html}");
                assert!(!attribute.starts_with("href=\"javascript"), "{attribute} in {html}");
            }
        }
        assert!(!html.contains(['\u{202e}', '\u{2066}', '\u{1b}']), "{html:?}");
    }
}

const FORBIDDEN: [&str; 12] = [
    "script", "style", "img", "svg", "iframe", "object", "embed", "form", "link", "meta", "base",
    "video",
];

/// An event of a hook: a question that can be asked, a refusal, or silence.
pub fn hook(bytes: &[u8]) {
    let Ok(event) = dialect::parse(bytes) else { return };
    let words = Language::ENGLISH.words();
    let reaction = claude_code::reaction(&event, Caller::default(), &words);
    if let Ok(Reaction::Ask(question)) = reaction {
        let ask = question.inquiry.ask("ticket");
        let _refused = asking::check(&ask, "ticket".into(), |_, _| Caller::default());
    }
}
