//! Cursor's `cursor/ask_question`, and the tool behind it: options that have ids.
//!
//! Detected by the method or the tool, or by a question with a `prompt` and options that have ids.
//! The answers are ids: there is no room for own words or notes, so its dialogs take none. An ending
//! without an answer is `skipped`, with the person's reason, or `cancelled`.

use serde_json::{Value, json};

use super::{
    Carry, Dialect, answers,
    call::{BARE, Call},
    fields::{Field, Fields, has},
    questions::{self, Need, Style},
};
use crate::{
    dialog::{Dialog, Question},
    outcome::{Answer, Outcome},
    payload::{PayloadKind, PayloadQuestion, Rules},
};

pub static DIALECT: Dialect = Dialect {
    name: "cursor",
    about: "Cursor's cursor/ask_question: questions with a `prompt` and options with ids",
    agent: Some("Cursor"),
    carries: &[Carry::Multi, Carry::Reason],
    rules: Rules::OPEN,
    schema: Some(include_str!("cursor.schema.json")),
    detect: |payload| {
        let has_ids = |question: &Value| {
            let options = question.get("options").and_then(Value::as_array);
            options.is_some_and(|options| options.iter().any(|option| has(option, "id")))
        };
        let inside = CALL.inside(payload);
        // Continue has a tool of the same name, which asks one question.
        CALL.wraps(payload) && !has(inside, "question")
            || questions::any(inside, |question| has(question, "prompt") && has_ids(question))
    },
    read: |sent| {
        CALL.read(sent, |fields, payload| {
            fields.get("toolCallId");
            payload.title = fields.text("title");
            questions::read_each(payload, fields.need("questions", "an array"), &STYLE, complete);
        })
    },
    write,
    refuse: |_| None,
    fits: |_| false,
};

const CALL: Call = Call {
    dialect: "cursor",
    methods: &["cursor/ask_question"],
    tools: &["AskQuestion"],
    session: Some("sessionId"),
    ..BARE
};

const STYLE: Style = Style {
    text: "prompt",
    header: Need::May,
    description: Need::May,
    multi: &["allowMultiple", "allow_multiple"],
    value: Some("id"),
    ..questions::CLAUDE
};

fn complete(fields: &Fields, question: &mut PayloadQuestion) {
    question.id = fields.need("id", "a string").and_then(Field::name);
    if let PayloadKind::Choice { other, .. } = &mut question.kind {
        *other = false;
    }
}

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let skipped = |reason: String| json!({ "outcome": "skipped", "reason": reason });
    let ended = match outcome {
        Outcome::Answered { answers } => match own_words(dialog, answers) {
            None => json!({ "outcome": "answered", "answers": chosen(dialog, answers) }),
            Some(words) => skipped(words),
        },
        Outcome::Declined { .. } | Outcome::Clarify { .. } => skipped(answers::told(outcome)),
        _ => json!({ "outcome": "cancelled" }),
    };
    CALL.answer(dialog, json!({ "outcome": ended }))
}

fn chosen(dialog: &Dialog, answers: &[Answer]) -> Vec<Value> {
    let ids = |question: &Question, answer: &Answer| match question.value(answer) {
        Some(Value::Array(ids)) => ids,
        id => id.into_iter().collect(),
    };
    answers::given(dialog, answers)
        .map(|(_, question, answer)| {
            json!({ "questionId": question.id, "selectedOptionIds": ids(question, answer) })
        })
        .collect()
}

/// All answers in words, if an id cannot say one of them. Only a dialog of another dialect has such.
fn own_words(dialog: &Dialog, answers: &[Answer]) -> Option<String> {
    let in_words =
        |answer: &Answer| answer.other.is_some() || answer.value.is_some() || answer.note.is_some();
    answers.iter().any(in_words).then(|| {
        let said = dialog.questions.iter().zip(answers).map(|(question, answer)| {
            let texts = answers::texts(question, answer).into_iter().chain(answer.note.clone());
            format!("\n- {}: {}", answers::name(question), texts.collect::<Vec<_>>().join(", "))
        });
        format!("The user answered in their own words:{}", said.collect::<String>())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_question_of_the_same_tool_is_not_cursors() {
        let ask = |arguments: Value| json!({ "name": "AskQuestion", "arguments": arguments });
        assert!(!(DIALECT.detect)(&ask(json!({ "question": "Which?", "options": ["A", "B"] }))));
        assert!((DIALECT.detect)(&ask(json!({ "title": "Faulty" }))));
    }
}
