//! The Tasks extension of revision 2026-07-28: a question as a task, with its ticket as the task's id.
//!
//! A task is nothing but the question as it is kept, so it outlives this server and the app.

use std::time::Duration;

use askdeck_core::{
    asking, dialect, dialog::Dialog, outcome::Outcome, protocol::Ended, record::Millis,
};
use askdeck_desk::{paths, store::Claimed};
use chrono::{DateTime, SecondsFormat};
use rmcp::{
    ErrorData, RoleServer,
    model::{DetailedTask, GetTaskResult, Task, TaskPayload, TaskStatus},
    service::RequestContext,
};
use serde_json::Value;
use tokio::time;

use super::{Server, open_questions, report};

/// How long the client should wait between two requests.
const POLL_INTERVAL_MS: u64 = 1000;

/// How long a request waits for the answer, or for the app to say that it cannot ask.
const PATIENCE: Duration = Duration::from_secs(2);

/// The task of a question that is open, or was when it was kept.
pub(super) fn task(id: &str, kept: &Claimed) -> Task {
    let record = &kept.record;
    let changed_at = record.ended_at.unwrap_or(record.asked_at);
    Task::new(id, TaskStatus::Working, written(record.asked_at), written(changed_at))
        .with_status_message(&*paths::language().words()["form_waiting"])
        .with_poll_interval_ms(POLL_INTERVAL_MS)
}

/// The question of a task.
pub(super) fn find(id: &str) -> Result<Claimed, ErrorData> {
    let kept = open_questions::kept(id).map_err(|error| internal(&error))?;
    kept.ok_or_else(|| ErrorData::invalid_params(asking::unknown_ticket(id), None))
}

/// How a task stands, as the app says. Where the app does not run, it is started for that.
pub(super) async fn get(
    server: &Server,
    id: &str,
    context: &RequestContext<RoleServer>,
) -> Result<GetTaskResult, ErrorData> {
    let kept = find(id)?;
    let question = server.open.redeem(id);
    let answer = time::timeout(PATIENCE, question.ended()).await;
    // It may have ended meanwhile.
    let mut task = task(id, &find(id).unwrap_or(kept));
    let Ok(answer) = answer else {
        question.hold();
        return Ok(GetTaskResult::new(DetailedTask::new(task, TaskPayload::Working)));
    };
    server.hand_over(&question, &answer, context);
    let ended = match &*answer {
        Ok(arrived) => &arrived.ended,
        Err(error) => return Err(internal(error)),
    };
    let dialog = question.dialog.as_ref();
    task.status_message = dialog.map(|dialog| summary(dialog, &ended.outcome));
    Ok(GetTaskResult::new(DetailedTask::new(task, payload(dialog, ended))))
}

/// Takes the question back. One that has ended stays as it is.
pub(super) async fn cancel(id: &str) -> Result<(), ErrorData> {
    if find(id)?.outcome().is_some() {
        return Ok(());
    }
    open_questions::withdraw(id).await.map_err(|error| internal(&error))
}

/// `failed` is for errors of the protocol alone, and `cancelled` could not say why. So whatever the
/// person did completes the task, and is an error of the tool unless it is an answer.
fn payload(dialog: Option<&Dialog>, ended: &Ended) -> TaskPayload {
    if ended.outcome == Outcome::Withdrawn {
        return TaskPayload::Cancelled;
    }
    let mut result = report::ended(dialog, ended);
    result.is_error = Some(!matches!(ended.outcome, Outcome::Answered { .. }));
    match serde_json::to_value(result) {
        Ok(Value::Object(result)) => TaskPayload::Completed { result },
        _ => unreachable!("a result is an object"),
    }
}

/// The first line of what the model is told.
fn summary(dialog: &Dialog, outcome: &Outcome) -> String {
    let text = (dialect::text::DIALECT.write)(dialog, outcome);
    text.lines().next().unwrap_or_default().into()
}

/// In the format of ISO 8601.
fn written(time: Millis) -> String {
    let time = DateTime::from_timestamp_millis(time).unwrap_or_default();
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

fn internal(error: &impl ToString) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

#[cfg(test)]
mod tests {
    use askdeck_core::{dialog::Caller, outcome::Answer, protocol::Ask};
    use serde_json::json;

    use super::*;

    #[test]
    fn only_an_answer_completes_a_task_without_an_error() {
        let question = json!({ "askdeck": 1, "question": "Sure?", "type": "confirm" });
        let ask = Ask { payload: question, ..Ask::default() };
        let asked = asking::check(&ask, "t".into(), |_, _| Caller::default()).unwrap();
        let yes = vec![Answer { value: Some(true.into()), ..Answer::default() }];
        let ends = |outcome: Outcome| {
            let ended =
                Ended { ticket: "t".into(), reused: false, written: String::new(), outcome };
            payload(Some(&asked.dialog), &ended)
        };
        for outcome in [
            Outcome::Declined { reason: None, partial: yes.clone() },
            Outcome::Dismissed,
            Outcome::TimedOut { partial: yes.clone() },
            Outcome::Clarify { text: "Why?".into(), partial: yes.clone() },
        ] {
            let name = outcome.name();
            let TaskPayload::Completed { result } = ends(outcome) else { panic!("{name}") };
            let told = &result["structuredContent"];
            assert_eq!((&result["isError"], &told["outcome"]), (&true.into(), &name.into()));
            assert!(told.get("answers").is_none() && told.get("confirmed").is_none(), "{name}");
        }
        assert_eq!(ends(Outcome::Withdrawn), TaskPayload::Cancelled);
        let TaskPayload::Completed { result } = ends(Outcome::Answered { answers: yes }) else {
            panic!("it was answered")
        };
        assert_eq!(
            (&result["isError"], &result["resultType"]),
            (&false.into(), &"complete".into())
        );
        assert_eq!(result["structuredContent"]["confirmed"], true);
    }

    #[test]
    fn times_are_written_as_iso_8601() {
        assert_eq!(written(1_795_000_000_123), "2026-11-18T11:06:40.123Z");
    }
}
