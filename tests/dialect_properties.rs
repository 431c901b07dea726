//! No bytes and no JSON, however broken, make a dialect panic; and what it read, it gives back.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{fs, path::Path, sync::LazyLock};

use askdeck_core::{
    dialect,
    dialog::{Dialog, Kind, Question},
    outcome::{Answer, Outcome},
};
use proptest::{prelude::*, sample::Index};
use serde_json::{Map, Value, json};

use crate::fuzz::{check, every_dialect, taken};

proptest! {
    #[test]
    fn dialects_never_panic_on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(value) = dialect::parse(&bytes) {
            every_dialect(&value);
        }
    }

    #[test]
    fn dialects_never_panic_on_any_json(value in any_json()) {
        every_dialect(&value);
    }

    /// Nearly right is where the mistakes are: a case with one value exchanged or emptied.
    #[test]
    fn dialects_never_panic_on_a_mutated_case(case in any::<Index>(), place in any::<Index>(), spoil in any_json()) {
        let mut value = case.get(&PAYLOADS).clone();
        let places = pointers(&value);
        let place: &String = place.get(&places);
        *value.pointer_mut(place).unwrap() = spoil;
        every_dialect(&value);
    }

    /// A field that nobody knows does not make another dialect of a payload.
    #[test]
    fn unknown_field_does_not_change_the_detected_dialect(case in any::<Index>(), value in any_json()) {
        let mut payload = case.get(&PAYLOADS).clone();
        let detected = |payload: &Value| dialect::detect(payload).ok().map(|dialect| dialect.name);
        let before = detected(&payload);
        if let Value::Object(members) = &mut payload {
            members.insert("a_stranger".into(), value);
        }
        prop_assert_eq!(detected(&payload), before);
    }

    #[test]
    fn labels_come_back_exactly(questions in prop::collection::vec(any_question(), 1..20)) {
        let sent = json!({ "askdeck": 1, "questions": questions });
        let dialect = dialect::detect(&sent).unwrap();
        prop_assert_eq!(dialect.name, "askdeck");
        let dialog = check(dialect, &sent).expect("a payload in which nothing is wrong");
        let answers = dialog.questions.iter().map(|question| Answer {
            selected: (0..question.options().len()).take(if question.is_multi() { 20 } else { 1 }).collect(),
            ..Answer::default()
        });
        let outcome = Outcome::Answered { answers: answers.collect() };
        let written: Value = serde_json::from_str(&(dialect.write)(&dialog, &outcome)).unwrap();
        for (index, question) in questions.iter().enumerate() {
            let options = question["options"].as_array().unwrap();
            let expected = if question["multi"] == true { &options[..] } else { &options[..1] };
            prop_assert_eq!(written["answers"][index]["selected"].as_array().unwrap(), expected);
        }
    }

    /// Whatever was chosen or typed by then, only an answer is written as one.
    #[test]
    fn only_an_answer_is_written_as_one(
        dialog in any_dialog(),
        filled in prop::collection::vec(any::<bool>(), 20),
    ) {
        let given = dialog.questions.iter().zip(filled.iter().cycle());
        let partial: Vec<_> = given.map(|(question, is_filled)| {
            if *is_filled { given_to(question) } else { Answer { skipped: true, ..Answer::default() } }
        }).collect();
        for outcome in [
            Outcome::Declined { reason: None, partial: partial.clone() },
            Outcome::Declined { reason: Some("Not now".into()), partial: partial.clone() },
            Outcome::Clarify { text: "Which one?".into(), partial: partial.clone() },
            Outcome::TimedOut { partial },
            Outcome::Dismissed,
            Outcome::Withdrawn,
        ] {
            for to in dialect::ALL {
                let written = (to.write)(&dialog, &outcome);
                let taken = taken::answers(to, &dialog, &written);
                prop_assert!(taken.is_empty(), "{}, {outcome:?}: {taken:?} in {written}", to.name);
                let places = places_of_marks(to.name, &written);
                prop_assert!(places.is_empty(), "{}: {places:?} in {written}", to.name);
            }
        }
    }
}

/// Some formats have the answers by name where others have the name of the ending.
#[test]
fn endings_have_no_member_named_after_a_question() {
    let names = ["status", "reason", "partial", "text", "outcome", "error", "notes", "answers"];
    let asked: Value = names.map(|name| json!({ "text": name, "type": "text" })).into();
    let fields: Value = names.map(|name| json!({ "name": name, "field_type": "str" })).into();
    for payload in [json!({ "questions": asked }), json!({ "user_input_schema": fields })] {
        every_dialect(&payload);
    }
}

/// Otherwise the test above would prove nothing.
#[test]
fn every_answer_reads_back_as_an_answer() {
    for from in dialect::ALL {
        for payload in PAYLOADS.iter().filter(|payload| (from.detect)(payload)) {
            let Ok(dialog) = check(from, payload) else { continue };
            let dialog = marked(dialog);
            let answers = dialog.questions.iter().map(given_to).collect();
            let outcome = Outcome::Answered { answers };
            let written = (from.write)(&dialog, &outcome);
            // Own words are told beside the ids that Cursor takes, and a rejection decides nothing.
            let taken = taken::answers(from, &dialog, &written);
            assert!(!taken.is_empty() || from.name == "cursor", "{}: {written}", from.name);
        }
    }
}

/// A dialog of any dialect, in which all that can be chosen bears a mark.
fn any_dialog() -> impl Strategy<Value = Dialog> {
    any::<Index>().prop_map(|case| marked(case.get(&DIALOGS).clone()))
}

const MARK: &str = "given-by-the-person";

fn marked(mut dialog: Dialog) -> Dialog {
    for question in &mut dialog.questions {
        if let Kind::Single { options, .. } | Kind::Multi { options, .. } = &mut question.kind {
            for (index, option) in options.iter_mut().enumerate() {
                // What these say decides about a tool.
                let decides = question.id.starts_with("action-");
                if !decides {
                    option.label = format!("{MARK} {index}");
                    option.value = option.value.is_some().then(|| option.label.clone().into());
                }
            }
        }
    }
    dialog
}

/// The first option, or something typed.
fn given_to(question: &Question) -> Answer {
    let note = question.notes.then(|| MARK.to_owned());
    let (selected, value) = match &question.kind {
        Kind::Single { .. } | Kind::Multi { .. } => (vec![0], None),
        Kind::Confirm { .. } | Kind::Boolean { .. } | Kind::Link { .. } => {
            (Vec::new(), Some(true.into()))
        }
        Kind::Number { .. } => (Vec::new(), Some(7.into())),
        Kind::Json { default: Some(default) } => (Vec::new(), Some(default.clone())),
        Kind::Text { .. } | Kind::Json { .. } | Kind::Secret => (Vec::new(), Some(MARK.into())),
    };
    Answer { selected, value, note, ..Answer::default() }
}

/// Where something that the person gave stands, except in a text for people and models and among
/// what is told as partial.
fn places_of_marks(dialect: &str, written: &str) -> Vec<String> {
    const TOLD: [&str; 5] = ["partial", "partial_answers", "message", "error", "notes"];
    if dialect == "text" {
        return Vec::new();
    }
    let written: Value = serde_json::from_str(written).unwrap();
    let mut places = pointers(&written);
    places.retain(|place| {
        let is_marked = written
            .pointer(place)
            .is_some_and(|value| value.as_str().is_some_and(|text| text.contains(MARK)));
        is_marked && !place.split('/').any(|name| TOLD.contains(&name))
    });
    places
}

static DIALOGS: LazyLock<Vec<Dialog>> = LazyLock::new(|| {
    let dialects = dialect::ALL.iter().filter(|dialect| dialect.schema.is_some());
    let dialogs = dialects.flat_map(|from| {
        let payloads = PAYLOADS.iter().filter(|payload| (from.detect)(payload));
        payloads.filter_map(|payload| check(from, payload).ok())
    });
    dialogs.collect()
});

/// Ours and Claude's take what bears no other mark; all other marks exclude each other, so that the
/// order in which they are tried does not matter.
#[test]
fn no_dialect_takes_the_payload_of_another() {
    for payload in PAYLOADS.iter() {
        let takers = dialect::ALL.iter().filter(|dialect| (dialect.detect)(payload));
        let marked: Vec<_> = takers
            .map(|dialect| dialect.name)
            .filter(|name| !["askdeck", "claude"].contains(name))
            .collect();
        assert!(marked.len() <= 1, "{marked:?} all take {payload}");
    }
}

/// JSON that often has the field names which dialects look for.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        prop::sample::select(vec![
            "user_question",
            "confirm_action",
            "user_prompt",
            "ask_user",
            "ask_user_question",
            "elicitation/create",
            "tool_approval_item",
            "function_approval_request",
            "tool-call-suspended",
            "adk_request_input",
            "extension_ui_request",
            "input-required",
            "tool-call",
            "url",
            "choice",
            "string",
            "#",
            "[{}]"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((field_name(), inner), 0..6)
                .prop_map(|members| Value::from(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn field_name() -> impl Strategy<Value = String> {
    let known = "questions questions_json user_answers question text header options label description multiSelect \
                 descriptions default type action agentId data event interaction_id schema properties required enum \
                 items $ref oneOf const pattern minLength askdeck timeout metadata min max tool_name tool_input \
                 method params name input mode url message requestedSchema inputRequests prompt id choices \
                 follow_up multiple multi_select isSecret allow_free_text allowFreeform footer_note sessionID \
                 interrupts interruptions raw_item call_id arguments approvals calls tool_call_id part_kind args \
                 function_call functionCall content parts payload toolName toolCallId suspendPayload resumeSchema \
                 title status state suggested_responses defaultAnswer toolUses index topic emit flow_class";
    let known: Vec<&str> = known.split_whitespace().collect();
    prop_oneof![4 => prop::sample::select(known).prop_map(String::from), 1 => any::<String>()]
}

fn any_question() -> impl Strategy<Value = Value> {
    let text = || prop::collection::vec(any::<char>(), 0..12).prop_map(String::from_iter);
    (text(), prop::collection::vec(text(), 1..20), any::<bool>()).prop_map(
        |(question, labels, multi)| {
            // Numbered, so that they differ in what the person sees.
            let options: Vec<_> = labels
                .iter()
                .enumerate()
                .map(|(index, label)| format!("{index} {label}"))
                .collect();
            json!({ "text": format!("Q {question}"), "options": options, "multi": multi })
        },
    )
}

/// What the dialect cases send.
static PAYLOADS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dialects");
    let folders = |path: &Path| {
        fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    };
    let cases = folders(&root).into_iter().flat_map(|format| folders(&format));
    cases
        .filter_map(|case| {
            serde_json::from_str(&fs::read_to_string(case.join("in.json")).unwrap()).ok()
        })
        .collect()
});

/// The JSON pointers of a value and of all values inside it.
fn pointers(value: &Value) -> Vec<String> {
    let inside: Vec<(String, &Value)> = match value {
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
        }
        Value::Object(members) => members
            .iter()
            .map(|(name, member)| (name.replace('~', "~0").replace('/', "~1"), member))
            .collect(),
        _ => Vec::new(),
    };
    let below = inside.into_iter().flat_map(|(name, value)| {
        pointers(value).into_iter().map(move |pointer| format!("/{name}{pointer}"))
    });
    std::iter::once(String::new()).chain(below).collect()
}
