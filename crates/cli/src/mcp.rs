//! The Model Context Protocol: the same questions, as tools that any client can call over stdio.
//!
//! Only the protocol is here. The app is asked as by `askdeck ask`, and knows nothing of it.

use std::{io, time::Duration};

use askdeck_core::dialog::Caller;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CancelTaskParams, CustomRequest, CustomResult,
        ErrorCode, GetTaskParams, GetTaskResult, Implementation, ListToolsResult,
        PaginatedRequestParams, ServerCapabilities, ServerConfig, UpdateTaskParams,
    },
    serve_server,
    service::{RequestContext, ServerInitializeError},
    transport::{async_rw::AsyncRwTransport, io::stdio_pipes},
};
use thiserror::Error;
use tokio::sync::watch;

mod arguments;
mod call;
mod client_timeouts;
mod elicitation;
mod input;
mod open_questions;
mod output;
mod report;
mod tasks;
mod tools;

use call::Call;
use input::Input;
use open_questions::{OpenQuestion, OpenQuestions};
use output::{Answer, Output, Unwritten};
pub use tools::NAMES;

pub struct Settings {
    /// Who started the server; the client says by itself what it is called.
    pub caller: Caller,
    /// After how long a call ends with a ticket, whatever is known of the client.
    pub return_after: Option<Duration>,
    /// How long the person has.
    pub timeout_ms: Option<u64>,
}

#[derive(Debug, Error)]
pub enum McpError {
    #[error("cannot serve: {0}; let an MCP client start `askdeck mcp` and stay connected")]
    Io(#[from] io::Error),
    #[error("cannot serve this client: {0}")]
    Client(Box<ServerInitializeError>),
}

/// Serves the client at the other end of stdin and stdout until it hangs up.
pub fn serve(settings: Settings) -> Result<(), McpError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (stream, output) = stdio_pipes();
        let (hung_up, hangs_up) = watch::channel(false);
        let (open, unwritten) = (OpenQuestions::default(), Unwritten::default());
        let pipes = AsyncRwTransport::new(Input::of(stream, hung_up), output);
        let output = Output { pipes, unwritten: unwritten.clone() };
        let server = Server { settings, open, unwritten, hangs_up };
        match serve_server(server, output).await {
            Ok(service) => {
                let ended = service.waiting().await;
                ended.map(drop).map_err(|error| io::Error::other(error).into())
            }
            // A client that came and went has nothing to complain about.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(McpError::Client(Box::new(error))),
        }
    })
}

struct Server {
    settings: Settings,
    open: OpenQuestions,
    unwritten: Unwritten,
    hangs_up: watch::Receiver<bool>,
}

impl Server {
    /// The client gets this as the response to its request. If the same is asked again, the person is.
    fn hand_over(
        &self,
        question: &OpenQuestion,
        answer: &Answer,
        context: &RequestContext<RoleServer>,
    ) {
        self.open.forget(question);
        if answer.is_ok() {
            let over = context.ct.clone().cancelled_owned();
            self.unwritten.add(context.id.clone(), answer, over);
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let name = Implementation::new("askdeck", env!("CARGO_PKG_VERSION")).with_title("Askdeck");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_tasks().build())
            .with_server_info(name)
            .with_instructions(tools::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.clone();
        let call = Call { server: self, request, context };
        match name.as_ref() {
            tools::ASK => Ok(call.ask(arguments::questions).await),
            tools::CONFIRM => Ok(call.ask(arguments::confirmation).await),
            tools::GET_ANSWER => Ok(call.get_answer().await),
            name => {
                let known = NAMES.map(|name| format!("`{name}`")).join(", ");
                let problem = format!("unknown tool `{name}`, expected one of {known}");
                Err(ErrorData::invalid_params(problem, None))
            }
        }
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        tasks::get(self, &request.task_id, &context).await
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        // A task never wants anything of the client.
        tasks::find(&request.task_id).map(drop)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        tasks::cancel(&request.task_id).await
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method != input::UNREADABLE {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None));
        }
        let why = request.params.as_ref().and_then(|params| params["why"].as_str());
        let problem = format!("the request cannot be read: {}", why.unwrap_or_default());
        Err(ErrorData::invalid_request(problem, None))
    }
}
