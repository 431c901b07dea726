//! A plain-text summary that a model reads well; only written.
//!
//! Each question is numbered, with its header, what was selected, the free text and the note on
//! lines of their own. Every other ending is a sentence that cannot be taken for an answer.

use std::fmt::Write as _;

use super::{Carry, Dialect, answers};
use crate::{
    dialog::{Dialog, Question},
    outcome::{Answer, Outcome},
    payload::{ANY, Payload, Rules},
    problem::{Fault, Problem},
};

pub static DIALECT: Dialect = Dialect {
    name: "text",
    about: "a numbered plain-text summary for a model to read; only written (--to text)",
    agent: None,
    carries: &[Carry::Other, Carry::Notes, Carry::Multi, Carry::Reason, Carry::Partial],
    rules: Rules {
        questions: ANY,
        options: ANY,
        header: ANY,
        label: ANY,
        description: ANY,
        unique_texts: false,
        unique_headers: false,
    },
    schema: None,
    detect: |_| false,
    read: |_| Payload {
        problems: vec![Problem::new(
            "",
            Fault::Rule(
                "dialect `text` can only be written, not read; choose another with --dialect"
                    .into(),
            ),
        )],
        ..Payload::default()
    },
    write,
    refuse: |_| None,
    fits: |_| false,
};

fn write(dialog: &Dialog, outcome: &Outcome) -> String {
    let mut text = answers::told(outcome);
    let answers = outcome.answers();
    if matches!(outcome, Outcome::Answered { .. }) {
        summary(&mut text, dialog, answers);
    } else if answers.iter().any(|answer| answer.is_given() || answer.note.is_some()) {
        text.push_str("\n\nNot sent, but chosen by then:");
        summary(&mut text, dialog, answers);
    }
    text
}

fn summary(text: &mut String, dialog: &Dialog, given: &[Answer]) {
    for (index, question) in dialog.questions.iter().enumerate() {
        let header =
            question.header.as_ref().map(|header| format!("{header}: ")).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = write!(text, "\n\n{}. {header}{}", index + 1, indented(&question.text));
        let answer = given.get(index);
        match answer.filter(|answer| answer.is_given()) {
            Some(answer) => parts(text, question, answer),
            None => text.push_str("\n   (no answer)"),
        }
        if let Some(note) = answer.and_then(|answer| answer.note.as_ref()) {
            let _ = write!(text, "\n   Note: {}", indented(note));
        }
    }
}

fn parts(text: &mut String, question: &Question, answer: &Answer) {
    let labels: Vec<&str> = question.labels(answer).collect();
    if !labels.is_empty() {
        let _ = write!(text, "\n   Selected: {}", listed(&labels));
    }
    if let Some(other) = &answer.other {
        let _ = write!(text, "\n   Own words: {}", indented(other));
    }
    if answer.value.is_some() {
        let value =
            answers::texts(question, &Answer { value: answer.value.clone(), ..Answer::default() })
                .concat();
        let _ = write!(text, "\n   Answer: {}", indented(&value));
    }
}

/// Quoted where a comma in a label would make two of one.
fn listed(labels: &[&str]) -> String {
    if labels.len() > 1 && labels.iter().any(|label| label.contains(',')) {
        labels.iter().map(|label| format!("\"{label}\"")).collect::<Vec<_>>().join(", ")
    } else {
        labels.join(", ")
    }
}

/// The lines of a long text stay under their question.
fn indented(text: &str) -> String {
    text.replace('\n', "\n   ")
}
