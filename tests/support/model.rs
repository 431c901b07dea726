//! A language model on loopback that follows a script. The real one cannot run here: it needs an
//! account, and would not say the same twice. Whoever calls it is real and unchanged.

use std::{
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    sync::{
        Arc,
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

use serde_json::Value;

use self::wire::Wire;
use super::{until, until_started};

mod wire;

pub(crate) struct Model {
    address: String,
    turns: Receiver<Turn>,
    heard: Vec<Turn>,
}

/// One request: what the model is told before it speaks.
#[derive(Clone)]
pub(crate) struct Turn {
    /// What the tools gave so far, as text.
    pub(crate) results: Vec<String>,
    pub(crate) messages: Vec<Value>,
    /// The names of the tools that it can use.
    pub(crate) tools: Vec<String>,
}

/// What the model says.
pub(super) enum Say {
    Call { id: String, tool: String, args: Value },
    Text(&'static str),
}

impl Model {
    /// A model that uses these tools one after the other, and then says `Done.`
    ///
    /// `$PLAN` in what it gives them is the file to which Claude Code wants its plan written.
    pub(crate) fn using(tools: &[(&str, Value)]) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("some port is free");
        let address = format!("http://{}", listener.local_addr().expect("it is bound"));
        let (tell, turns) = mpsc::channel();
        let script: Arc<[_]> =
            tools.iter().map(|(tool, args)| ((*tool).to_owned(), args.clone())).collect();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (script, tell) = (Arc::clone(&script), tell.clone());
                thread::spawn(move || serve(stream, &script, &tell));
            }
        });
        Self { address, turns, heard: Vec::new() }
    }

    pub(crate) fn url(&self) -> &str {
        &self.address
    }

    /// Where it listens, as the environment tells the packages.
    pub(crate) fn env(&self) -> [(&'static str, String); 4] {
        [
            ("ANTHROPIC_BASE_URL", self.address.clone()),
            ("ANTHROPIC_API_KEY", "none".into()),
            ("OPENAI_BASE_URL", format!("{}/v1", self.address)),
            ("OPENAI_API_KEY", "none".into()),
        ]
    }

    /// Waits until the model has the results of so many tools, and what it reads then.
    #[track_caller]
    pub(crate) fn turn(&mut self, tools: usize) -> Turn {
        let what = format!("the model to have {tools} results");
        // Before the first the agent has to start.
        if tools == 0 {
            until_started(what, || self.try_turn(tools))
        } else {
            until(what, || self.try_turn(tools))
        }
    }

    /// What the model reads once it has the result of so many tools: the last of them.
    #[track_caller]
    pub(crate) fn result(&mut self, tools: usize) -> String {
        self.turn(tools).results.pop().expect("it has the result of a tool")
    }

    /// The same, if it is there already.
    pub(crate) fn try_result(&mut self, tools: usize) -> Option<String> {
        self.try_turn(tools)?.results.pop()
    }

    /// Waits until the model is told this beside the results of tools: the message that says it.
    #[track_caller]
    pub(crate) fn told(&mut self, text: &str) -> String {
        until(format!("the model to be told `{text}`"), || {
            self.heard.extend(self.turns.try_iter());
            let messages = self.heard.iter().flat_map(|turn| &turn.messages);
            messages.map(|message| wire::text(&message["content"])).find(|told| told.contains(text))
        })
    }

    /// What the model reads once it has the results of so many tools, if it does already.
    pub(crate) fn try_turn(&mut self, tools: usize) -> Option<Turn> {
        self.heard.extend(self.turns.try_iter());
        self.heard.iter().find(|turn| turn.results.len() == tools).cloned()
    }
}

fn serve(stream: TcpStream, script: &[(String, Value)], tell: &Sender<Turn>) {
    let mut reader = BufReader::new(stream);
    // Those who hang up in the middle hear nothing.
    let Some((path, body)) = request(&mut reader) else { return };
    let (status, kind, body) = match Wire::of_path(&path) {
        Some(wire) => answer(wire, &body, script, tell),
        None => ("404 Not Found", "application/json", "{}".into()),
    };
    let head = format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nConnection: close\r\n");
    let head = format!("{head}Content-Length: {}\r\n\r\n", body.len());
    let _ = reader.get_mut().write_all((head + &body).as_bytes());
}

/// The path and body of a request.
fn request(reader: &mut impl BufRead) -> Option<(String, Vec<u8>)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut length = 0;
    while !line.trim().is_empty() {
        line.clear();
        reader.read_line(&mut line).ok()?;
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((path, body))
}

/// The model's next words: status, type and body of the response.
fn answer(
    wire: Wire,
    body: &[u8],
    script: &[(String, Value)],
    tell: &Sender<Turn>,
) -> (&'static str, &'static str, String) {
    let request: Value = serde_json::from_slice(body).expect("the body is JSON");
    // Without tools it is asked for a title or the like.
    let say = if request["tools"].as_array().is_none_or(Vec::is_empty) {
        Say::Text("Fine.")
    } else {
        let turn = Turn {
            results: wire.results(&request),
            messages: wire.messages(&request),
            tools: tools(&request),
        };
        let say = match script.get(turn.results.len()) {
            Some((tool, args)) => Say::Call {
                id: format!("call_{}", turn.results.len() + 1),
                tool: tool.clone(),
                args: with_plan(args, &request),
            },
            None => Say::Text("Done."),
        };
        // The test may have ended already.
        let _ = tell.send(turn);
        say
    };
    if wire.streams(&request) {
        ("200 OK", "text/event-stream", wire.stream(&say))
    } else {
        ("200 OK", "application/json", wire.whole(&say).to_string())
    }
}

/// As Anthropic's wire names them.
fn tools(request: &Value) -> Vec<String> {
    let tools = request["tools"].as_array().into_iter().flatten();
    tools.filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect()
}

fn with_plan(args: &Value, request: &Value) -> Value {
    let request = request.to_string();
    let file = request.split("create your plan at ").nth(1).and_then(|rest| {
        let end = rest.find(".md")?;
        Some(&rest[..end + 3])
    });
    let args = args.to_string().replace("$PLAN", file.unwrap_or_default());
    serde_json::from_str(&args).expect("a path needs no escape")
}
