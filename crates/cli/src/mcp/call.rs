//! One call of a tool: asks, waits as long as the client does, and reports the outcome.

use std::{future, pin::pin, sync::Arc, time::Duration};

use askdeck_core::{
    asking::{self, Asked, Refusal},
    dialect::askdeck,
    dialog::{Caller, Dialog},
    problem::Problem,
    protocol::Ask,
};
use askdeck_desk::{client::ClientError, paths, ticket};
use rmcp::{
    RoleServer,
    model::{
        CallToolRequestParams, CallToolResponse, CreateTaskResult, ElicitRequest, InputRequest,
        InputRequiredResult, JsonObject, ProgressNotificationParam, ProtocolVersion, ServerRequest,
    },
    service::{PeerRequestOptions, RequestContext},
};
use serde_json::{Value, json};
use tokio::time::{self, Instant};

use super::{
    Server, arguments, client_timeouts,
    elicitation::{self, Fields},
    open_questions::{self, OpenQuestion},
    report, tasks,
};

/// How often a client that wants to know hears that the question is still open.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// The name of the form in a result that requires input.
const FORM: &str = "answers";

pub(super) struct Call<'a> {
    pub(super) server: &'a Server,
    pub(super) request: CallToolRequestParams,
    pub(super) context: RequestContext<RoleServer>,
}

/// How waiting went.
enum Waited<T> {
    Done(T),
    /// The client's patience is at its end.
    StillOpen,
    /// The client has cancelled the call, or hung up.
    Left,
}

impl Call<'_> {
    pub(super) async fn ask(
        mut self,
        payload: impl Fn(JsonObject) -> Result<Value, Vec<Problem>>,
    ) -> CallToolResponse {
        let arguments = self.request.arguments.take().unwrap_or_default();
        let (ask, asked) = match self.check(payload(arguments)) {
            Ok(checked) => checked,
            Err(refusal) => return report::refused(&refusal).into(),
        };
        let answered = self.request.input_responses.as_ref().and_then(|all| all.get(FORM));
        if let Some(answered) = answered {
            return report::elicited(&asked.dialog, answered).into();
        }
        // A client that waits as long as it takes is better off waiting: given a task, Claude Code lets
        // its model go on at once, without the answer.
        if self.client_has_tasks() && self.call_limit().is_some() {
            return self.create_task(ask, &asked.dialog).await;
        }
        self.wait(self.server.open.ask(ask, asked)).await
    }

    /// Returns at once, with a task in the place of the answer. A question that cannot be kept would
    /// be lost with the app, and is waited for instead.
    async fn create_task(&self, ask: Ask, dialog: &Dialog) -> CallToolResponse {
        match self.attend(open_questions::submit(ask), None).await {
            Waited::Done(Ok(())) => {
                let question = self.server.open.redeem(&dialog.id);
                match open_questions::kept(&dialog.id) {
                    Ok(Some(kept)) => {
                        question.hold();
                        CreateTaskResult::new(tasks::task(&dialog.id, &kept)).into()
                    }
                    _ => self.wait(question).await,
                }
            }
            Waited::Done(Err(error)) => self.not_asked(Some(dialog), &error).await,
            Waited::StillOpen | Waited::Left => report::cancelled().into(),
        }
    }

    pub(super) async fn get_answer(mut self) -> CallToolResponse {
        match arguments::ticket(self.request.arguments.take().unwrap_or_default()) {
            Ok(ticket) => self.wait(self.server.open.redeem(&ticket)).await,
            Err(problems) => report::refused(&refused(problems)).into(),
        }
    }

    /// Reads the question as `askdeck ask` does.
    fn check(&self, payload: Result<Value, Vec<Problem>>) -> Result<(Ask, Asked), Refusal> {
        let settings = &self.server.settings;
        let ticket = ticket::fresh();
        let client = self.context.client_info();
        let agent = client.map(|client| client.title.unwrap_or(client.name));
        let caller = Caller {
            agent: agent.unwrap_or_else(|| settings.caller.agent.clone()),
            ..settings.caller.clone()
        };
        let ask = Ask {
            payload: payload.map_err(refused)?,
            dialect: Some(askdeck::DIALECT.name.into()),
            timeout_ms: settings.timeout_ms,
            caller: Some(caller.clone()),
            ticket: Some(ticket.clone()),
            ..Ask::default()
        };
        let asked = asking::check(&ask, ticket, |_, _| caller)?;
        Ok((ask, asked))
    }

    async fn wait(&self, wait: Arc<OpenQuestion>) -> CallToolResponse {
        match self.attend(wait.ended(), self.call_limit()).await {
            Waited::Done(arrived) => {
                self.server.hand_over(&wait, &arrived, &self.context);
                match &*arrived {
                    Ok(it) => report::ended(wait.dialog.as_ref(), &it.ended).into(),
                    Err(error) => self.not_asked(wait.dialog.as_ref(), error).await,
                }
            }
            Waited::StillOpen => {
                let pending = report::pending(&wait.ticket);
                wait.hold();
                pending.into()
            }
            Waited::Left => report::cancelled().into(),
        }
    }

    /// There is no answer. Where no window can be shown, there is another way to ask.
    async fn not_asked(&self, dialog: Option<&Dialog>, error: &ClientError) -> CallToolResponse {
        match (error, dialog) {
            (ClientError::NoDisplay | ClientError::NotStarted { .. }, Some(dialog)) => {
                self.elicit(dialog, error).await
            }
            _ => report::failed(&error.to_string()).into(),
        }
    }

    /// Lets the client ask in its own way, if it has one.
    async fn elicit(&self, dialog: &Dialog, error: &ClientError) -> CallToolResponse {
        let failed = || report::failed(&error.to_string()).into();
        let version = self.context.protocol_version().unwrap_or_default();
        let fields = if version >= ProtocolVersion::V_2025_11_25 {
            Fields::WithLists
        } else {
            Fields::Single
        };
        let form = elicitation::form(dialog, fields, paths::language().words());
        let Some(form) = form.filter(|_| self.client_has_forms()) else { return failed() };
        let request = json!({ "method": "elicitation/create", "params": form });
        let Ok(request) = serde_json::from_value::<ElicitRequest>(request) else { return failed() };
        // From this revision on the client asks by itself and then calls again.
        if version >= ProtocolVersion::V_2026_07_28 {
            let form = InputRequest::Elicitation(request);
            return InputRequiredResult::from_input_requests([(FORM.into(), form)].into()).into();
        }
        let request = ServerRequest::ElicitRequest(request);
        let options = PeerRequestOptions::no_options();
        let Ok(mut asking) = self.context.peer.send_cancellable_request(request, options).await
        else {
            return failed();
        };
        match self.attend(&mut asking.rx, None).await {
            Waited::Done(Ok(Ok(result))) => {
                let result = serde_json::to_value(result).unwrap_or_default();
                report::elicited(dialog, &result).into()
            }
            Waited::Done(_) => failed(),
            Waited::StillOpen | Waited::Left => {
                // A client that hung up needs no telling.
                let _gone = asking.cancel(None).await;
                report::cancelled().into()
            }
        }
    }

    fn client_has_forms(&self) -> bool {
        let capability = self.context.client_capabilities().and_then(|all| all.elicitation);
        // The first revisions had forms and nothing else, so nothing had to be said.
        capability.is_some_and(|can| can.form.is_some() || can.url.is_none())
    }

    /// The request itself must say so: a client of an older revision cannot read a task.
    fn client_has_tasks(&self) -> bool {
        let version = self.context.protocol_version().unwrap_or_default();
        let capabilities = self.context.meta.client_capabilities();
        version >= ProtocolVersion::V_2026_07_28
            && capabilities.is_some_and(|all| all.supports_tasks())
    }

    fn call_limit(&self) -> Option<Duration> {
        let client = self.context.client_info().map(|client| client.name).unwrap_or_default();
        let gets_progress = self.context.meta.get_progress_token().is_some();
        self.server
            .settings
            .return_after
            .or_else(|| client_timeouts::call_limit(&client, gets_progress))
    }

    /// Waits for what comes, and lets the client know that it still does.
    async fn attend<T>(
        &self,
        coming: impl Future<Output = T>,
        limit: Option<Duration>,
    ) -> Waited<T> {
        let start = Instant::now();
        let token = self.context.meta.get_progress_token();
        let mut coming = pin!(coming);
        let mut left = pin!(self.left());
        let mut limit = pin!(async {
            match limit {
                Some(limit) => time::sleep(limit).await,
                None => future::pending().await,
            }
        });
        let mut heartbeat = time::interval_at(start + HEARTBEAT, HEARTBEAT);
        loop {
            tokio::select! {
                done = &mut coming => return Waited::Done(done),
                () = &mut limit => return Waited::StillOpen,
                () = &mut left => return Waited::Left,
                now = heartbeat.tick() => {
                    if let Some(token) = &token {
                        let waited = now.duration_since(start).as_secs_f64().round();
                        let progress = ProgressNotificationParam::new(token.clone(), waited)
                            .with_message(&*paths::language().words()["form_waiting"]);
                        // A client that is gone is noticed by the reading side.
                        let _gone = self.context.peer.notify_progress(progress).await;
                    }
                }
            }
        }
    }

    /// Returns when the client has cancelled the call, or hung up.
    async fn left(&self) {
        let mut hangs_up = self.server.hangs_up.clone();
        tokio::select! {
            () = self.context.ct.cancelled() => {}
            _ = hangs_up.wait_for(|gone| *gone) => {}
        }
    }
}

fn refused(problems: Vec<Problem>) -> Refusal {
    Refusal::Refused { dialect: &askdeck::DIALECT, problems }
}
