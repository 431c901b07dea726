//! Where no window can be shown, the client may ask in its own way: a flat form out, what the
//! person filled in back.
//!
//! An "Other" becomes a field of its own. What the person left empty stays empty: a form has no
//! way to demand one of two fields, and nothing is made up here.

use askdeck_core::{
    dialog::{Choice, Dialog, Kind, Question},
    outcome::{Answer, Outcome},
    words::{self, Words},
};
use serde_json::{Map, Value, json};

/// Which fields a form may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fields {
    /// A list of options, as of revision 2025-11-25.
    WithLists,
    /// Before that several options have to be a yes or no each.
    Single,
}

/// The parameters of `elicitation/create`; `None` for a dialog with a secret. A form shows what is
/// typed, and the client may keep it: the protocol forbids to ask for a secret so.
pub(super) fn form(dialog: &Dialog, fields: Fields, words: &Words) -> Option<Value> {
    if dialog.questions.iter().any(|question| matches!(question.kind, Kind::Secret)) {
        return None;
    }
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (index, question) in dialog.questions.iter().enumerate() {
        let name = name(index);
        match &question.kind {
            Kind::Multi { options, .. } if fields == Fields::Single => {
                for (place, option) in options.iter().enumerate() {
                    let title = format!("{}: {}", title(question), option.label);
                    let mut field = json!({ "type": "boolean", "title": title, "default": false });
                    if let Some(description) = &option.description {
                        field["description"] = description.clone().into();
                    }
                    properties.insert(option_name(index, place), field);
                }
            }
            kind => {
                let mut field = field(kind, words);
                field["title"] = title(question).into();
                field["description"] = description(question).into();
                properties.insert(name.clone(), field);
            }
        }
        if question.has_other() {
            let title = words::say(words, "form_other", [("question", title(question).into())]);
            let description = &words["form_other_text"];
            properties.insert(
                other_name(index),
                json!({ "type": "string", "title": title, "description": description }),
            );
        } else if question.required && properties.contains_key(&name) {
            required.push(name);
        }
    }
    Some(json!({
        "mode": "form",
        "message": message(dialog, words),
        "requestedSchema": { "type": "object", "properties": properties, "required": required },
    }))
}

/// What the client brought back; `None` if it is not what the form asked for.
pub(super) fn outcome(dialog: &Dialog, result: &Value, words: &Words) -> Option<Outcome> {
    match result.get("action")?.as_str()? {
        "accept" => {
            let content = result.get("content")?.as_object()?;
            let questions = dialog.questions.iter().enumerate();
            let answers =
                questions.map(|(index, question)| answer(question, index, content, words));
            Some(Outcome::Answered { answers: answers.collect::<Option<_>>()? })
        }
        "decline" => Some(Outcome::Declined { reason: None, partial: Vec::new() }),
        "cancel" => Some(Outcome::Dismissed),
        _ => None,
    }
}

fn answer(
    question: &Question,
    index: usize,
    content: &Map<String, Value>,
    words: &Words,
) -> Option<Answer> {
    let mut answer = Answer { other: text(content, &other_name(index))?, ..Answer::default() };
    let given = content.get(&name(index)).filter(|value| !value.is_null());
    match &question.kind {
        Kind::Single { options, .. } => {
            if let Some(label) = text(content, &name(index))? {
                answer.selected = vec![place(options, &label)?];
            }
        }
        Kind::Multi { options, .. } => {
            for place in 0..options.len() {
                let is_chosen = content.get(&option_name(index, place));
                if is_chosen.is_some_and(|chosen| *chosen == true) {
                    answer.selected.push(place);
                }
            }
            for label in given.map_or(Some(&[][..]), |given| Some(given.as_array()?))? {
                answer.selected.push(place(options, label.as_str()?)?);
            }
            answer.selected.sort_unstable();
            answer.selected.dedup();
        }
        Kind::Confirm { .. } => {
            if let Some(label) = text(content, &name(index))? {
                let place = yes_and_no(words).iter().position(|it| **it == label)?;
                answer.value = Some((place == 0).into());
            }
        }
        _ => answer.value = text(content, &name(index))?.map(Value::from),
    }
    answer.skipped = !answer.is_given();
    Some(answer)
}

/// The text of a field, if something stands in it; `None` if it is no text.
#[expect(clippy::option_option, reason = "an empty field and a wrong one are two things")]
fn text(content: &Map<String, Value>, name: &str) -> Option<Option<String>> {
    match content.get(name) {
        None | Some(Value::Null) => Some(None),
        Some(Value::String(text)) if text.trim().is_empty() => Some(None),
        Some(Value::String(text)) => Some(Some(text.clone())),
        Some(_) => None,
    }
}

fn place(options: &[Choice], label: &str) -> Option<usize> {
    options.iter().position(|option| option.label == label)
}

/// The labels of a confirmation. A yes or no of the form itself would be false until it is touched.
fn yes_and_no(words: &Words) -> [&String; 2] {
    [&words["true"], &words["false"]]
}

fn field(kind: &Kind, words: &Words) -> Value {
    let labels = |options: &[Choice]| -> Vec<String> {
        options.iter().map(|option| option.label.clone()).collect()
    };
    match kind {
        Kind::Single { options, .. } => json!({ "type": "string", "enum": labels(options) }),
        Kind::Multi { options, .. } => {
            json!({ "type": "array", "items": { "type": "string", "enum": labels(options) } })
        }
        Kind::Confirm { .. } => json!({ "type": "string", "enum": yes_and_no(words) }),
        _ => json!({ "type": "string" }),
    }
}

fn title(question: &Question) -> &str {
    question.header.as_deref().unwrap_or(&question.text)
}

/// The question, and what its options mean.
fn description(question: &Question) -> String {
    let mut lines = vec![question.text.clone()];
    lines.extend(question.details.clone());
    for option in question.options() {
        if let Some(description) = &option.description {
            lines.push(format!("{}: {description}", option.label));
        }
    }
    lines.join("\n")
}

fn message(dialog: &Dialog, words: &Words) -> String {
    let questions = match dialog.questions.as_slice() {
        [question] => question.text.clone(),
        questions => words::say(words, "form_questions", [("count", questions.len().to_string())]),
    };
    let lines = [dialog.title.clone(), dialog.message.clone(), Some(questions)];
    lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

fn name(index: usize) -> String {
    format!("question_{}", index + 1)
}

fn other_name(index: usize) -> String {
    format!("question_{}_other", index + 1)
}

fn option_name(index: usize, place: usize) -> String {
    format!("question_{}_option_{}", index + 1, place + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use askdeck_core::{asking, dialog::Caller, protocol::Ask, words::Language};

    fn dialog() -> Dialog {
        asking(&json!([
            { "question": "Which?", "multi": true, "other": false, "options": [
                { "label": "A", "description": "the first" }, "B", "C",
            ]},
            { "question": "Sure?", "type": "confirm" },
        ]))
    }

    fn asking(questions: &Value) -> Dialog {
        let payload = json!({ "askdeck": 1, "questions": questions });
        let ask = Ask { payload, ..Ask::default() };
        asking::check(&ask, "t".into(), |_, _| Caller::default()).unwrap().dialog
    }

    fn answers(content: &Value) -> Option<Vec<Answer>> {
        elicited(&json!({ "action": "accept", "content": content }))
    }

    fn elicited(result: &Value) -> Option<Vec<Answer>> {
        let outcome = outcome(&dialog(), result, Language::ENGLISH.words());
        outcome.map(|outcome| outcome.answers().to_vec())
    }

    #[test]
    fn form_without_lists_asks_each_option_as_yes_or_no() {
        let mut form = form(&dialog(), Fields::Single, Language::ENGLISH.words()).unwrap();
        let schema = form["requestedSchema"].take();
        let names: Vec<_> = schema["properties"].as_object().unwrap().keys().collect();
        let options = ["question_1_option_1", "question_1_option_2", "question_1_option_3"];
        assert_eq!(names, [options[0], options[1], options[2], "question_2"]);
        let first = json!({
            "type": "boolean", "title": "Which?: A", "default": false, "description": "the first",
        });
        assert_eq!(schema["properties"][options[0]], first);
        assert_eq!(schema["required"], json!(["question_2"]));

        let given = answers(&json!({ options[0]: false, options[2]: true, "question_2": "Yes" }));
        let given = given.unwrap();
        assert_eq!(given[0].selected, [2]);
        assert_eq!(given[1].value, Some(true.into()));
    }

    #[test]
    fn the_form_is_in_the_language_of_the_person_and_its_answer_in_none() {
        let words = Language::of_locale("pt_BR").words();
        let form = form(&dialog(), Fields::WithLists, words).unwrap();
        assert_eq!(form["message"], "2 perguntas");
        let confirm = &form["requestedSchema"]["properties"]["question_2"];
        assert_eq!(confirm["enum"], json!(["Sim", "Não"]));
        let given = json!({ "action": "accept", "content": { "question_2": "Não" } });
        let outcome = outcome(&dialog(), &given, words).unwrap();
        assert_eq!(outcome.answers()[1].value, Some(false.into()));
    }

    #[test]
    fn a_secret_is_asked_by_no_form() {
        let questions = json!([{ "question": "Who?" }, { "question": "Key?", "type": "secret" }]);
        for fields in [Fields::WithLists, Fields::Single] {
            assert_eq!(form(&asking(&questions), fields, Language::ENGLISH.words()), None);
        }
    }

    #[test]
    fn an_untouched_form_answers_nothing() {
        let given = answers(&json!({})).unwrap();
        assert!(given.iter().all(|answer| answer.skipped));
    }

    #[test]
    fn option_that_was_not_offered_is_refused() {
        for content in [
            json!({ "question_1": ["D"] }),
            json!({ "question_1": "A" }),
            json!({ "question_1": [1] }),
            json!({ "question_2": "Perhaps" }),
            json!("yes"),
        ] {
            assert_eq!(answers(&content), None, "{content}");
        }
        assert_eq!(elicited(&json!({ "action": "accept" })), None);
        assert_eq!(elicited(&json!({ "action": "maybe" })), None);
    }
}
