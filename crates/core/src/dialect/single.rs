//! One question, with texts to choose from: what the smallest formats ask. The answer is one text.

use serde_json::{Map, Value, json};

use super::{
    answers,
    call::Call,
    fields::{Field, Fields},
    questions::ANY_TEXT,
};
use crate::{
    dialog::Dialog,
    outcome::{Answer, Outcome},
    payload::{Payload, PayloadKind, PayloadOption, PayloadQuestion},
};

/// Whether own words are an answer.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum OwnWords {
    Never,
    /// Beside options, which have to be there.
    Beside,
    /// Also where there are no options: the question is a text then.
    Alone,
}

/// Puts the question into the payload; its options are in the list that has one of these names.
pub(super) fn read(
    payload: &mut Payload,
    fields: &Fields,
    lists: &[&'static str],
    own_words: OwnWords,
    option: impl Fn(Field) -> PayloadOption,
) {
    let options = match own_words {
        OwnWords::Never | OwnWords::Beside => fields.need_any(lists, "an array"),
        OwnWords::Alone => fields.any(lists),
    };
    let options_at = options.as_ref().map(|options| options.at.clone());
    let list = options.and_then(Field::list);
    let options_at = options_at.filter(|_| list.is_some());
    let list = list.unwrap_or_default();
    let option_count = list.len();
    let kind = if option_count == 0 && own_words == OwnWords::Alone {
        PayloadKind::Plain(ANY_TEXT)
    } else {
        PayloadKind::Choice {
            options: list.into_iter().map(option).collect(),
            options_at,
            option_count,
            multi: false,
            other: own_words != OwnWords::Never,
            default: None,
        }
    };
    payload.questions_at = Some(fields.at.clone());
    payload.question_count = 1;
    payload.questions = vec![PayloadQuestion {
        path: fields.at.clone(),
        id: None,
        header: None,
        text: fields.need_text("question"),
        text_at: fields.at("question"),
        details: None,
        kind,
        required: true,
        notes: false,
        consent: false,
        schema: None,
        schema_at: String::new(),
    }];
}

/// A choice among texts in the field `options`, with own words beside.
pub(super) fn choice(fields: &Fields, multi: bool) -> PayloadKind {
    let list = fields.need("options", "an array").and_then(Field::list);
    let options_at = list.is_some().then(|| fields.at("options"));
    let options: Vec<_> = list.unwrap_or_default().into_iter().map(text).collect();
    let option_count = options.len();
    PayloadKind::Choice { options, options_at, option_count, multi, other: true, default: None }
}

/// An option that is a text.
pub(super) fn text(field: Field) -> PayloadOption {
    PayloadOption { label_at: field.at.clone(), label: field.text(), ..PayloadOption::default() }
}

/// What the person answered, put into the format's words by `say`; or what happened instead, told
/// by `error`.
pub(super) fn write(
    call: &Call,
    dialog: &Dialog,
    outcome: &Outcome,
    say: impl FnOnce(String) -> Value,
    error: impl FnOnce(&Outcome) -> String,
) -> String {
    let given = given(dialog, outcome.answers());
    match (outcome, given) {
        (Outcome::Answered { .. }, Some(given)) => call.answer(dialog, say(given)),
        // Only a dialog of another dialect has questions that need no answer.
        (Outcome::Answered { .. }, None) => {
            let error = json!("The user left the question open.");
            call.fail(dialog, Map::from_iter([("error".into(), error)]))
        }
        (_, given) => call.fail(dialog, answers::failure(&error(outcome), outcome, given.into())),
    }
}

fn given(dialog: &Dialog, answers: &[Answer]) -> Option<String> {
    let texts: Vec<_> = answers::given(dialog, answers)
        .map(|(_, question, answer)| (question, answers::texts(question, answer).join(", ")))
        .collect();
    match texts.as_slice() {
        [] => None,
        [(_, text)] => Some(text.clone()),
        // Only a dialog of another dialect has several.
        several => {
            let lines = several
                .iter()
                .map(|(question, text)| format!("{}: {text}", answers::name(question)));
            Some(lines.collect::<Vec<_>>().join("\n"))
        }
    }
}
