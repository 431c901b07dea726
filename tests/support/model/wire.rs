//! How a model is spoken to over HTTP: in Anthropic's way, in both of `OpenAI`'s, and in Google's.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::Say;

mod gemini;
mod responses;

#[derive(Clone, Copy)]
pub(super) enum Wire {
    Anthropic,
    Chat,
    Responses,
    Gemini,
}

impl Wire {
    pub(super) fn of_path(path: &str) -> Option<Self> {
        match path.split('?').next()?.rsplit('/').next()? {
            "messages" => Some(Self::Anthropic),
            "completions" => Some(Self::Chat),
            "responses" => Some(Self::Responses),
            call if call.ends_with(":streamGenerateContent") => Some(Self::Gemini),
            _ => None,
        }
    }

    pub(super) fn streams(self, request: &Value) -> bool {
        matches!(self, Self::Gemini) || request["stream"] == true
    }

    pub(super) fn messages(self, request: &Value) -> Vec<Value> {
        let messages = match self {
            Self::Anthropic | Self::Chat => &request["messages"],
            Self::Responses => &request["input"],
            Self::Gemini => &request["contents"],
        };
        messages.as_array().cloned().unwrap_or_default()
    }

    /// What the tools gave so far.
    pub(super) fn results(self, request: &Value) -> Vec<String> {
        let messages = self.messages(request);
        let results: Vec<&Value> = match self {
            Self::Anthropic => messages
                .iter()
                .filter_map(|message| message["content"].as_array())
                .flatten()
                .filter(|block| block["type"] == "tool_result")
                .map(|block| &block["content"])
                .collect(),
            Self::Chat => {
                let results = messages.iter().filter(|message| message["role"] == "tool");
                results.map(|message| &message["content"]).collect()
            }
            Self::Responses => responses::results(&messages),
            Self::Gemini => gemini::results(&messages),
        };
        results.into_iter().map(text).collect()
    }

    /// The whole response.
    pub(super) fn whole(self, say: &Say) -> Value {
        match self {
            Self::Anthropic => anthropic(say),
            Self::Chat => {
                let (message, reason) = chat(say);
                chat_completion("chat.completion", "message", &message, Some(reason))
            }
            Self::Responses => responses::whole(say),
            Self::Gemini => gemini::whole(say),
        }
    }

    /// The same as events.
    pub(super) fn stream(self, say: &Say) -> String {
        match self {
            Self::Anthropic => anthropic_events(say),
            Self::Chat => {
                let (mut message, reason) = chat(say);
                if let Some(call) = message.pointer_mut("/tool_calls/0") {
                    call["index"] = 0.into();
                }
                let chunk = |delta: &Value, reason| {
                    chat_completion("chat.completion.chunk", "delta", delta, reason)
                };
                let last = chunk(&json!({}), Some(reason));
                format!("data: {}\n\ndata: {last}\n\ndata: [DONE]\n\n", chunk(&message, None))
            }
            Self::Responses => responses::stream(say),
            Self::Gemini => format!("data: {}\n\n", gemini::whole(say)),
        }
    }
}

/// A content, or what its parts say.
pub(super) fn text(content: &Value) -> String {
    match content {
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        content => content.as_str().unwrap_or_default().to_owned(),
    }
}

fn anthropic(say: &Say) -> Value {
    let (content, reason) = match say {
        Say::Text(text) => (json!({ "type": "text", "text": text }), "end_turn"),
        Say::Call { id, tool, args } => {
            (json!({ "type": "tool_use", "id": id, "name": tool, "input": args }), "tool_use")
        }
    };
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "scripted",
        "content": [content], "stop_reason": reason, "stop_sequence": null,
        "usage": { "input_tokens": 1, "output_tokens": 1 },
    })
}

fn anthropic_events(say: &Say) -> String {
    let mut message = anthropic(say);
    let stop = json!({ "stop_reason": message["stop_reason"].take(), "stop_sequence": null });
    let mut block = message["content"][0].take();
    message["content"] = json!([]);
    let delta = match say {
        Say::Text(text) => {
            block["text"] = "".into();
            json!({ "type": "text_delta", "text": text })
        }
        Say::Call { args, .. } => {
            block["input"] = json!({});
            json!({ "type": "input_json_delta", "partial_json": args.to_string() })
        }
    };
    events(&[
        json!({ "type": "message_start", "message": message }),
        json!({ "type": "content_block_start", "index": 0, "content_block": block }),
        json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": stop, "usage": { "output_tokens": 1 } }),
        json!({ "type": "message_stop" }),
    ])
}

/// Each under the name of its type.
fn events(events: &[Value]) -> String {
    let mut stream = String::new();
    for event in events {
        let name = event["type"].as_str().unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = write!(stream, "event: {name}\ndata: {event}\n\n");
    }
    stream
}

/// The message, and why it ends.
fn chat(say: &Say) -> (Value, &'static str) {
    match say {
        Say::Text(text) => (json!({ "role": "assistant", "content": text }), "stop"),
        Say::Call { id, tool, args } => {
            let function = json!({ "name": tool, "arguments": args.to_string() });
            let call = json!({ "id": id, "type": "function", "function": function });
            (json!({ "role": "assistant", "content": null, "tool_calls": [call] }), "tool_calls")
        }
    }
}

fn chat_completion(object: &str, part: &str, message: &Value, reason: Option<&str>) -> Value {
    json!({
        "id": "chat_1", "object": object, "created": 1, "model": "scripted",
        "choices": [{ "index": 0, part: message, "finish_reason": reason }],
        "usage": { "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 },
    })
}
