//! A past dialog, as the page draws it.

use askdeck_core::{
    dialog::{Kind, Question},
    outcome::{Answer, Outcome},
    record::{Millis, Record},
    session::Saved,
    text,
    words::Words,
};
use askdeck_desk::{folder::Folder, paths};
use serde::Serialize;
use serde_json::Value;

use super::markdown;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct HistoryEntry {
    ticket: String,
    agent: String,
    folder: Option<Folder>,
    host: Option<String>,
    title: Option<String>,
    ended_at: Millis,
    /// The name of the outcome.
    outcome: &'static str,
    /// Another program gave it in the person's place.
    by_program: bool,
    /// It was given to one who asked the same later.
    reused: bool,
    /// What the person said in it reached nobody yet.
    undelivered: bool,
    questions: Vec<HistoryQuestion>,
    /// What was said to the dialog as a whole: why not, or what they wanted to know first.
    said: Vec<HistoryAnswer>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct HistoryQuestion {
    text_html: String,
    given: Vec<HistoryAnswer>,
}

/// Something the person chose or typed, that can be copied.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct HistoryAnswer {
    kind: AnswerKind,
    fate: Fate,
    /// Several where several options were chosen; none of a secret.
    texts: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
enum AnswerKind {
    Answer,
    Note,
    Secret,
    Said,
}

/// How far it came.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
enum Fate {
    Sent,
    /// The agent was told that it is not an answer.
    Unfinished,
    NotSent,
}

impl HistoryEntry {
    /// `None` if it has not ended.
    pub(super) fn new(record: Record) -> Option<Self> {
        let (by_program, undelivered) = (record.is_by_program(), record.is_undelivered());
        let Record { dialog, draft, ended_at, outcome, reused, .. } = record;
        let (outcome, ended_at) = (outcome?, ended_at?);
        let is_answered = matches!(outcome, Outcome::Answered { .. });
        let draft = draft
            .filter(|_| !is_answered)
            .and_then(|draft| serde_json::from_str::<Saved>(&draft).ok())
            .unwrap_or_default();
        let drafted = draft.everything(&dialog);
        let words = paths::language().words();
        let dialog = dialog.in_words(words);
        let questions = dialog.questions.iter().enumerate().map(|(index, question)| {
            let told = outcome.answers().get(index);
            let fate = match told {
                Some(_) if is_answered => Fate::Sent,
                Some(answer) if answer.is_given() || answer.withheld => Fate::Unfinished,
                _ => Fate::NotSent,
            };
            let withheld = told.filter(|answer| answer.withheld);
            let answer = withheld.or(drafted.get(index)).or(told);
            HistoryQuestion {
                text_html: markdown::to_html(&question.text),
                given: answer
                    .map(|answer| given(question, answer, fate, words))
                    .unwrap_or_default(),
            }
        });
        Some(Self {
            agent: dialog.caller.name().say(words),
            folder: Folder::of(&dialog.caller),
            host: dialog.caller.host.as_deref().map(text::clean_line),
            title: dialog.title.as_deref().map(text::clean_line),
            ended_at,
            outcome: outcome.name(),
            by_program,
            reused,
            undelivered,
            questions: questions.collect(),
            said: said(&outcome, &draft),
            ticket: dialog.id.clone(),
        })
    }
}

impl HistoryAnswer {
    fn new(kind: AnswerKind, fate: Fate, texts: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let texts = texts.into_iter().map(|text| text::clean(text.as_ref()).into_owned());
        Self { kind, fate, texts: texts.collect() }
    }
}

fn given(question: &Question, answer: &Answer, fate: Fate, words: &Words) -> Vec<HistoryAnswer> {
    let mut texts: Vec<String> = question.labels_and_other(answer).map(str::to_owned).collect();
    texts.extend(answer.value.as_ref().map(|value| written(&question.kind, value, words)));
    let mut given = Vec::new();
    if answer.withheld {
        given.push(HistoryAnswer::new(AnswerKind::Secret, fate, [""; 0]));
    } else if !texts.is_empty() {
        given.push(HistoryAnswer::new(AnswerKind::Answer, fate, texts));
    }
    given.extend(
        answer.note.as_ref().map(|note| HistoryAnswer::new(AnswerKind::Note, fate, [note])),
    );
    given
}

/// A value as the person saw it.
fn written(kind: &Kind, value: &Value, words: &Words) -> String {
    match (kind, value) {
        (Kind::Confirm { yes: Some(yes), .. }, Value::Bool(true)) => yes.clone(),
        (Kind::Confirm { no: Some(no), .. }, Value::Bool(false)) => no.clone(),
        (_, Value::Bool(yes)) => words[if *yes { "true" } else { "false" }].clone(),
        (_, Value::String(text)) => text.clone(),
        (_, value) => format!("{value:#}"),
    }
}

fn said(outcome: &Outcome, draft: &Saved) -> Vec<HistoryAnswer> {
    let sent = match outcome {
        Outcome::Declined { reason, .. } => reason.as_deref(),
        Outcome::Clarify { text, .. } => Some(text.as_str()),
        _ => None,
    };
    let unsent = draft.asides().filter(|text| Some(*text) != sent);
    let unsent = unsent.map(|text| HistoryAnswer::new(AnswerKind::Said, Fate::NotSent, [text]));
    sent.map(|text| HistoryAnswer::new(AnswerKind::Said, Fate::Sent, [text]))
        .into_iter()
        .chain(unsent)
        .collect()
}
