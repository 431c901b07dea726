//! Google's `generateContent`. Its stream is one event, which holds all of it.

use serde_json::{Value, json};

use super::Say;

pub(super) fn results(contents: &[Value]) -> Vec<&Value> {
    let parts = contents.iter().filter_map(|content| content["parts"].as_array()).flatten();
    let responses = parts.filter_map(|part| part.pointer("/functionResponse/response"));
    responses.filter_map(|told| told.get("output").or_else(|| told.get("error"))).collect()
}

pub(super) fn whole(say: &Say) -> Value {
    let part = match say {
        Say::Text(text) => json!({ "text": text }),
        Say::Call { id, tool, args } => {
            json!({ "functionCall": { "id": id, "name": tool, "args": args } })
        }
    };
    json!({
        "candidates": [{
            "index": 0,
            "content": { "role": "model", "parts": [part] },
            "finishReason": "STOP",
        }],
        "usageMetadata": {
            "promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2,
        },
    })
}
