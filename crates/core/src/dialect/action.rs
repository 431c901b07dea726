//! A call of a tool that waits for the person: whether it may run, and with which arguments.
//!
//! That is the decision and, where the arguments may be changed, a box with them as JSON. What is
//! approved are the arguments as they then stand there, so the approval of changed ones is an edit.

use serde_json::{Value, json};

use super::{fields::Findings, questions::ANY_TEXT};
use crate::{
    dialog::{Dialog, Kind, Question},
    outcome::Answer,
    payload::{PayloadKind, PayloadOption, PayloadQuestion},
    problem::Fault,
    session::MAX_TEXT,
    text,
};

/// As many characters of what an agent says about an action as a person will read.
pub(super) const MOST_WORDS: usize = 20_000;

/// What stands for the approval of this and later calls.
pub(super) const ALWAYS: &str = "always";

pub(super) struct Action<'a> {
    /// Where it stood.
    pub(super) at: String,
    pub(super) name: String,
    pub(super) args: &'a Value,
    pub(super) args_at: String,
    /// The JSON Schema of the arguments.
    pub(super) schema: Option<&'a Value>,
    pub(super) schema_at: String,
    pub(super) description: Option<String>,
    pub(super) may: May,
    /// Where it stood what they may do.
    pub(super) may_at: String,
    pub(super) words: Words,
    /// Whether a note goes back with the decision.
    pub(super) notes: bool,
}

/// What the person may do about it.
#[derive(Clone, Copy, Default)]
pub(super) struct May {
    pub(super) approve: bool,
    pub(super) edit: bool,
    pub(super) reject: bool,
    /// To approve later calls of the tool, too.
    pub(super) always: bool,
    /// To answer in place of the tool.
    pub(super) respond: bool,
}

/// The words for the two usual decisions, as the agent's own interface has them.
#[derive(Clone, Copy)]
pub(super) struct Words {
    pub(super) approve: &'static str,
    pub(super) reject: &'static str,
}

pub(super) enum Decision<'a> {
    Approve,
    /// With these arguments.
    Edit(&'a Value),
    Reject,
    /// With these words.
    Respond(&'a str),
}

impl Action<'_> {
    /// The questions of the action at this place among all.
    pub(super) fn questions(self, index: usize, findings: &Findings) -> Vec<PayloadQuestion> {
        let found = text::json(self.args).len();
        let edit = self.may.edit && found <= MAX_TEXT;
        let options = self.options(edit, findings);
        let can_decide = !options.is_empty() || self.may.respond;
        if self.may.edit && !edit {
            let fault = format!("{found} bytes, but at most {MAX_TEXT} can be edited");
            let tell = if can_decide { Findings::advise } else { Findings::refuse };
            tell(findings, self.args_at.clone(), Fault::Rule(fault));
        } else if !can_decide {
            let fault = "allows nothing, expected at least one decision".into();
            findings.refuse(&self.may_at, Fault::Rule(fault));
        }
        let mut questions = vec![self.decision(index, options, findings)];
        if edit {
            questions.push(self.arguments(index, findings));
        }
        questions
    }

    fn options(&self, edit: bool, findings: &Findings) -> Vec<PayloadOption> {
        let May { approve, reject, .. } = self.may;
        let Words { approve: approve_word, reject: reject_word } = self.words;
        let runs = if edit { "action_runs_edited" } else { "action_runs" };
        let stays = if self.notes { "action_stays_note" } else { "action_stays" };
        let offered = [
            (approve, "approve", approve_word, runs),
            (self.may.always, ALWAYS, "action_always", "permission_always"),
            (edit && !approve, "edit", "action_edited", runs),
            (reject, "reject", reject_word, stays),
        ];
        let offered = offered.into_iter().filter(|(is_offered, ..)| *is_offered);
        let option = |(_, value, label, description): (bool, &str, &str, &str)| PayloadOption {
            label: Some(findings.say(label, [])),
            description: Some(findings.say(description, [])),
            value: Some(value.into()),
            ..PayloadOption::default()
        };
        offered.map(option).collect()
    }

    fn decision(
        &self,
        index: usize,
        options: Vec<PayloadOption>,
        findings: &Findings,
    ) -> PayloadQuestion {
        let only_respond = options.is_empty() && self.may.respond;
        let kind = if only_respond {
            PayloadKind::Plain(ANY_TEXT)
        } else {
            PayloadKind::Choice {
                option_count: options.len(),
                options,
                options_at: None,
                multi: false,
                other: self.may.respond,
                default: None,
            }
        };
        let asked = if only_respond { "action_return" } else { "action_run" };
        let respond = self.may.respond && !only_respond;
        let respond = respond.then(|| findings.say("action_respond", []));
        let args = self.args.as_object().is_none_or(|args| !args.is_empty());
        let args = args.then(|| text::fenced("json", &text::json(self.args)));
        // First what would run; what the agent says about it cannot look like that.
        let said = self.description.as_deref().and_then(|said| text::quoted(said, MOST_WORDS));
        let details: Vec<_> = [args, said, respond].into_iter().flatten().collect();
        PayloadQuestion {
            path: self.at.clone(),
            id: Some(format!("action-{index}")),
            header: Some(self.name.clone()),
            text: Some(findings.say(asked, [("tool", text::name(&self.name))])),
            text_at: self.at.clone(),
            details: (!details.is_empty()).then(|| details.join("\n\n")),
            kind,
            required: true,
            notes: self.notes && !only_respond,
            consent: !only_respond,
            schema: None,
            schema_at: String::new(),
        }
    }

    /// The schema, unless the arguments fail it as they came: then even a rejection could not be
    /// sent before they are corrected.
    fn usable_schema(&self, findings: &Findings) -> Option<&Value> {
        self.schema.filter(|schema| !findings.is_wrong(schema, self.args))
    }

    fn arguments(&self, index: usize, findings: &Findings) -> PayloadQuestion {
        PayloadQuestion {
            path: self.at.clone(),
            id: Some(format!("arguments-{index}")),
            header: Some(findings.say("action_arguments", [])),
            text: Some(findings.say("action_arguments_text", [("tool", text::name(&self.name))])),
            text_at: self.args_at.clone(),
            details: None,
            kind: PayloadKind::Plain(Kind::Json { default: Some(self.args.clone()) }),
            required: true,
            notes: false,
            consent: false,
            schema: Some(
                self.usable_schema(findings)
                    .cloned()
                    .unwrap_or_else(|| json!({ "type": "object" })),
            ),
            schema_at: self.schema_at.clone(),
        }
    }
}

/// What was decided about each action, with the note to it.
pub(super) fn decisions<'a>(
    dialog: &'a Dialog,
    answers: &'a [Answer],
) -> impl Iterator<Item = (Decision<'a>, Option<&'a str>)> {
    let pairs = dialog.questions.iter().zip(answers);
    let pairs = pairs.filter(|(question, _)| question.id.starts_with("action-"));
    pairs.filter_map(|(question, answer)| {
        Some((decision(dialog, answers, question, answer)?, answer.note.as_deref()))
    })
}

/// What was decided about the action of this question; `None` if nothing was.
pub(super) fn decision<'a>(
    dialog: &'a Dialog,
    answers: &'a [Answer],
    question: &Question,
    answer: &'a Answer,
) -> Option<Decision<'a>> {
    if let Some(text) = answer.other.as_deref().or_else(|| answer.value.as_ref()?.as_str()) {
        return Some(Decision::Respond(text));
    }
    let chosen = question.options().get(*answer.selected.first()?)?.value.as_ref()?.as_str()?;
    if chosen == "reject" {
        return Some(Decision::Reject);
    }
    let arguments = question.id.replace("action-", "arguments-");
    let place = dialog.questions.iter().position(|question| question.id == arguments);
    let Some(place) = place else { return Some(Decision::Approve) };
    let args = answers.get(place)?.value.as_ref()?;
    match &dialog.questions[place].kind {
        Kind::Json { default: Some(sent) } if sent == args && chosen == "approve" => {
            Some(Decision::Approve)
        }
        _ => Some(Decision::Edit(args)),
    }
}
