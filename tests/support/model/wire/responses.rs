//! `OpenAI`'s Responses.

use serde_json::{Value, json};

use super::{Say, events};

pub(super) fn results(input: &[Value]) -> Vec<&Value> {
    let results = input.iter().filter(|item| item["type"] == "function_call_output");
    results.map(|item| &item["output"]).collect()
}

pub(super) fn whole(say: &Say) -> Value {
    json!({
        "id": "resp_1", "object": "response", "created_at": 1, "model": "scripted",
        "status": "completed", "output": [item(say)],
        "usage": { "input_tokens": 1, "output_tokens": 1, "total_tokens": 2 },
    })
}

pub(super) fn stream(say: &Say) -> String {
    events(&[
        json!({ "type": "response.created", "response": { "id": "resp_1" } }),
        json!({ "type": "response.output_item.done", "output_index": 0, "item": item(say) }),
        json!({ "type": "response.completed", "response": whole(say) }),
    ])
}

/// A tool in a namespace is scripted as `namespace.tool`.
fn item(say: &Say) -> Value {
    match say {
        Say::Text(text) => {
            let text = json!({ "type": "output_text", "text": text, "annotations": [] });
            json!({ "type": "message", "id": "msg_1", "role": "assistant", "content": [text] })
        }
        Say::Call { id, tool, args } => {
            let mut call = json!({
                "type": "function_call", "call_id": id, "name": tool, "arguments": args.to_string(),
            });
            if let Some((namespace, name)) = tool.split_once('.') {
                call["namespace"] = namespace.into();
                call["name"] = name.into();
            }
            call
        }
    }
}
