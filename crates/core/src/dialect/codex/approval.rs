//! What the app server wants approved: a command, a change of files, or more permissions.
//!
//! The decisions are Codex's own, those that it offers if it says which, and go back exactly. None of
//! them has room for words. A change of files is told before, in an item that is not part of the
//! request, so the person hears that it is not shown. Where nobody decided there is an `error`: Codex
//! tells the model that the request has failed, and runs nothing.

use serde_json::{Map, Value, json};

use super::{CALL, DIALECT};
use crate::{
    dialect::{
        action::MOST_WORDS,
        answers,
        fields::{Field, Fields, has, says},
        permission::{self, Permission, allow, refuse},
    },
    dialog::Dialog,
    outcome::Outcome,
    payload::{Payload, PayloadOption},
    problem::Fault,
    text, tool,
};

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Approval {
    Command,
    FileChange,
    Permissions,
}

pub(super) const METHODS: [(&str, Approval); 3] = [
    ("item/commandExecution/requestApproval", Approval::Command),
    ("item/fileChange/requestApproval", Approval::FileChange),
    ("item/permissions/requestApproval", Approval::Permissions),
];

/// What is to be approved, by the method or, of its params alone, by what they have.
pub(super) fn of(payload: &Value) -> Option<Approval> {
    if has(payload, "method") {
        let method = METHODS.iter().find(|(method, _)| says(payload, "method", &[method]));
        return method.map(|(_, approval)| *approval);
    }
    let is_one = ["threadId", "turnId", "itemId", "startedAtMs"].iter().all(|it| has(payload, it));
    is_one.then(|| {
        let of_command =
            ["command", "networkApprovalContext", "commandActions", "availableDecisions"];
        if has(payload, "permissions") {
            Approval::Permissions
        } else if of_command.iter().any(|name| has(payload, name)) {
            Approval::Command
        } else {
            Approval::FileChange
        }
    })
}

pub(super) fn read(payload: &mut Payload, fields: &Fields, approval: Approval) {
    fields.ignore(&["turnId", "itemId", "startedAtMs", "approvalId"]);
    payload.metadata["codex"]["approval"] = true.into();
    payload.cwd = fields.text("cwd");
    let permission = match approval {
        Approval::Command => command(fields),
        Approval::FileChange => file_change(fields),
        Approval::Permissions => permissions(fields),
    };
    permission.put(payload, fields);
}

fn command(fields: &Fields) -> Permission {
    // The same command again, taken apart for clients to draw.
    fields.ignore(&["commandActions"]);
    let say = |word: &str| fields.findings.say(word, []);
    let command = fields.text("command");
    let kind = fields.text("kind").filter(|kind| kind != "command");
    let host = fields.get("networkApprovalContext");
    let host = host.and_then(|context| context.value.get("host")?.as_str().map(text::name));
    let text = match (&command, host) {
        (Some(_), _) if kind.as_deref() == Some("writeStdin") => say("permission_stdin"),
        (_, Some(host)) => fields.findings.say("permission_connect", [("host", host)]),
        _ => say("hook_run"),
    };
    let is_seen = command.is_some() || fields.get("networkApprovalContext").is_some();
    let shown = [
        command.map(|command| text::fenced("sh", &command)),
        rest(
            fields,
            &["kind", "networkApprovalContext", "additionalPermissions", "cwd", "environmentId"],
        ),
        reason(fields),
    ];
    Permission {
        text,
        shown: joined(shown),
        details: (!is_seen).then(|| say("permission_unseen")),
        verbs: decisions(fields),
        own_words: false,
    }
}

fn file_change(fields: &Fields) -> Permission {
    let say = |word: &str| fields.findings.say(word, []);
    Permission {
        text: say("permission_change"),
        shown: joined([rest(fields, &["grantRoot"]), reason(fields)]),
        details: Some(say("permission_unseen")),
        verbs: vec![
            allow(say("hook_once"), decision("accept")),
            allow(say("permission_session"), decision("acceptForSession")),
            refuse(say("hook_deny"), decision("decline")),
        ],
        own_words: false,
    }
}

fn permissions(fields: &Fields) -> Permission {
    let say = |word: &str| fields.findings.say(word, []);
    let asked = fields.need("permissions", "an object").and_then(|asked| {
        asked.clone().object()?;
        asked.value.as_object()
    });
    let asked = asked.into_iter().flatten().filter(|(_, value)| !value.is_null());
    let asked: Map<_, _> = asked.map(|(name, value)| (name.clone(), value.clone())).collect();
    let verbs = vec![
        allow(say("permission_turn"), granted(&asked, "turn")),
        allow(say("permission_session"), granted(&asked, "session")),
        refuse(say("hook_deny"), granted(&Map::new(), "turn")),
    ];
    Permission {
        text: say("permission_grant"),
        shown: joined([
            Some(tool::rows(&asked.into())),
            rest(fields, &["cwd", "environmentId"]),
            reason(fields),
        ]),
        details: None,
        verbs,
        own_words: false,
    }
}

fn granted(permissions: &Map<String, Value>, scope: &str) -> Value {
    json!({ "permissions": permissions, "scope": scope })
}

fn decision(decision: impl Into<Value>) -> Value {
    json!({ "decision": decision.into() })
}

/// What may be decided about a command: as Codex offers it, or else all that it would take.
fn decisions(fields: &Fields) -> Vec<PayloadOption> {
    let wider = fields.get("additionalPermissions").is_some();
    let amendment = fields.get("proposedExecpolicyAmendment");
    let networks = fields.get("proposedNetworkPolicyAmendments").and_then(Field::list);
    let mut usual = vec![json!("accept")];
    if !wider {
        usual.push(json!("acceptForSession"));
        usual.extend(amendment.map(|amendment| {
            json!({ "acceptWithExecpolicyAmendment": { "execpolicy_amendment": amendment.value } })
        }));
        usual.extend(networks.into_iter().flatten().map(|network| {
            json!({ "applyNetworkPolicyAmendment": { "network_policy_amendment": network.value } })
        }));
    }
    usual.push(json!("decline"));
    let offered = fields.get("availableDecisions").and_then(Field::list);
    let Some(offered) = offered else {
        return usual.into_iter().filter_map(|it| verb(fields, &it)).collect();
    };
    let verb = |field: Field| {
        let verb = verb(fields, field.value);
        if verb.is_none() {
            field.advise(Fault::Rule("not offered, since it is not known what it does".into()));
        }
        verb
    };
    offered.into_iter().filter_map(verb).collect()
}

fn verb(fields: &Fields, value: &Value) -> Option<PayloadOption> {
    let say = |word: &str| fields.findings.say(word, []);
    let about = |word: &str, what: String| fields.findings.say(word, [("what", what)]);
    let known = match value.as_str() {
        Some("accept") => Some(allow(say("hook_once"), decision("accept"))),
        Some("acceptForSession") => {
            Some(allow(say("permission_session"), decision("acceptForSession")))
        }
        Some("decline") => Some(refuse(say("hook_deny"), decision("decline"))),
        Some("cancel") => Some(refuse(say("permission_stop"), decision("cancel"))),
        _ => None,
    };
    known
        .or_else(|| {
            let prefix = value.pointer("/acceptWithExecpolicyAmendment/execpolicy_amendment")?;
            let prefix = prefix.as_array()?.iter().map(word).collect::<Option<Vec<_>>>()?;
            Some(allow(about("permission_prefix", prefix.join(" ")), decision(value.clone())))
        })
        .or_else(|| {
            let network = value.pointer("/applyNetworkPolicyAmendment/network_policy_amendment")?;
            let host = network["host"].as_str()?.to_owned();
            match network["action"].as_str()? {
                "allow" => Some(allow(about("hook_always", host), decision(value.clone()))),
                "deny" => Some(refuse(about("permission_never", host), decision(value.clone()))),
                _ => None,
            }
        })
}

/// A word of a command, as it has to be typed to be one.
fn word(value: &Value) -> Option<String> {
    let word = value.as_str()?;
    let is_plain =
        !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || "\"'\\".contains(c));
    Some(if is_plain { word.to_owned() } else { value.to_string() })
}

/// What else would be allowed, in these fields.
fn rest(fields: &Fields, names: &[&'static str]) -> Option<String> {
    let usual = |name: &str, value: &Value| match name {
        "kind" => value == "command",
        "environmentId" => value == "local",
        _ => false,
    };
    let sent = names.iter().filter_map(|name| Some((*name, fields.get(name)?.value)));
    let sent = sent.filter(|(name, value)| !usual(name, value));
    let sent: Map<_, _> = sent.map(|(name, value)| (name.to_owned(), value.clone())).collect();
    (!sent.is_empty()).then(|| tool::rows(&sent.into()))
}

fn reason(fields: &Fields) -> Option<String> {
    text::quoted(&fields.text("reason")?, MOST_WORDS)
}

fn joined<const N: usize>(parts: [Option<String>; N]) -> Option<String> {
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

/// Nothing if the dialog asks for no approval.
pub(super) fn write(dialog: &Dialog, outcome: &Outcome) -> Option<String> {
    answers::kept(dialog, DIALECT.name, "approval")?;
    // Never one that lasts.
    let no = [decision("decline"), decision("cancel"), granted(&Map::new(), "turn")];
    let refused = || {
        let options = dialog.questions.first()?.options();
        no.into_iter().find(|no| options.iter().any(|option| option.value.as_ref() == Some(no)))
    };
    let decided = match outcome {
        Outcome::Declined { .. } | Outcome::Clarify { .. } => refused(),
        _ => permission::chosen(dialog, outcome),
    };
    let failed =
        || CALL.fail(dialog, answers::failure(&answers::told(outcome), outcome, Value::Null));
    Some(decided.map_or_else(failed, |decided| CALL.answer(dialog, decided)))
}
