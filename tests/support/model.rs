//! A language model on loopback that says what it was told to, over the HTTP of `OpenAI` and of
//! Anthropic. It stands for what cannot run here; whoever calls it is real and unchanged.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    sync::mpsc::{self, Receiver, Sender},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

/// Frameworks have much to import before their first request, and the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Model {
    address: String,
    requests: Receiver<Value>,
}

/// One turn of the model.
pub(crate) enum Say {
    Call { tool: &'static str, args: Value },
    Text(&'static str),
}

impl Model {
    /// Says these, one for each request.
    pub(crate) fn saying(script: Vec<Say>) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("some port is free");
        let address = format!("http://{}", listener.local_addr().expect("it is bound"));
        let (tell, requests) = mpsc::channel();
        thread::spawn(move || {
            for say in script {
                let (stream, _) = listener.accept().expect("the listener is ours");
                reply(stream, &say, &tell);
            }
        });
        Self { address, requests }
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

    /// What it is told next: the messages of the next request.
    #[track_caller]
    pub(crate) fn hears(&self) -> Vec<Value> {
        let mut request = self.requests.recv_timeout(PATIENCE).expect("nobody asked the model");
        serde_json::from_value(request["messages"].take()).expect("a request has messages")
    }
}

fn reply(stream: TcpStream, say: &Say, tell: &Sender<Value>) {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).expect("a request has a first line");
    let is_anthropic = line.contains("/messages");
    let mut length = 0;
    while line.trim() != "" {
        line.clear();
        reader.read_line(&mut line).expect("a request has headers");
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().expect("a length is a number");
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("the body is as long as it says");
    // The test may have ended already.
    let _ended = tell.send(serde_json::from_slice(&body).expect("the body is JSON"));
    let body = if is_anthropic { anthropic(say) } else { openai(say) }.to_string();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n";
    let head = format!("{head}Content-Length: {}\r\n\r\n", body.len());
    let _gone = reader.get_mut().write_all((head + &body).as_bytes());
}

fn anthropic(say: &Say) -> Value {
    let (content, reason) = match say {
        Say::Text(text) => (json!({ "type": "text", "text": text }), "end_turn"),
        Say::Call { tool, args } => {
            (json!({ "type": "tool_use", "id": "call_1", "name": tool, "input": args }), "tool_use")
        }
    };
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "scripted",
        "content": [content], "stop_reason": reason, "stop_sequence": null,
        "usage": { "input_tokens": 1, "output_tokens": 1 },
    })
}

fn openai(say: &Say) -> Value {
    let (message, reason) = match say {
        Say::Text(text) => (json!({ "role": "assistant", "content": text }), "stop"),
        Say::Call { tool, args } => {
            let function = json!({ "name": tool, "arguments": args.to_string() });
            let call = json!({ "id": "call_1", "type": "function", "function": function });
            let message = json!({ "role": "assistant", "content": null, "tool_calls": [call] });
            (message, "tool_calls")
        }
    };
    json!({
        "id": "chat_1", "object": "chat.completion", "created": 1, "model": "scripted",
        "choices": [{ "index": 0, "message": message, "finish_reason": reason }],
        "usage": { "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 },
    })
}
