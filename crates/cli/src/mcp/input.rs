//! Standard input as the library can take it, and that tells when the client has hung up.
//!
//! A client that goes says nothing but that. The library then waits a while for calls that are
//! under way; those that wait for the person would make it wait in vain.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use rmcp::model::{ClientJsonRpcMessage, RequestId};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWriteExt, BufReader, DuplexStream, ReadBuf, duplex},
    sync::watch,
};

/// The method of a request that stands for one that could not be read.
pub(super) const UNREADABLE: &str = "askdeck/unreadable";

/// How much of a message is handed on at a time.
const AT_ONCE: usize = 64 * 1024;

pub(super) struct Input {
    stream: DuplexStream,
    hung_up: watch::Sender<bool>,
}

impl Input {
    pub(super) fn of(
        client: impl AsyncRead + Send + Unpin + 'static,
        hung_up: watch::Sender<bool>,
    ) -> Self {
        let (stream, messages) = duplex(AT_ONCE);
        tokio::spawn(hand_on(client, messages));
        Self { stream, hung_up }
    }
}

/// Fails when either side is gone, of which the other one hears by itself.
async fn hand_on(client: impl AsyncRead + Unpin, mut messages: DuplexStream) -> io::Result<()> {
    let mut client = BufReader::new(client);
    let mut message = Vec::new();
    while client.read_until(b'\n', &mut message).await? > 0 {
        replace_lone_surrogates(&mut message);
        if let Some(unreadable) = unreadable(&message) {
            message = unreadable;
        }
        messages.write_all(&message).await?;
        message.clear();
    }
    Ok(())
}

/// A request that is answered with an error, in the place of one that the library cannot read: it
/// would drop that, or answer without its id, and the agent wait for ever.
fn unreadable(message: &[u8]) -> Option<Vec<u8>> {
    /// What is skipped is not built, so it may be nested as deeply as it likes.
    #[derive(Deserialize)]
    struct Request {
        id: RequestId,
        #[serde(rename = "method")]
        _method: IgnoredAny,
    }
    let error = serde_json::from_slice::<ClientJsonRpcMessage>(message).err()?;
    let Request { id, .. } = serde_json::from_slice(message).ok()?;
    let why = json!({ "why": error.to_string() });
    let request = json!({ "jsonrpc": "2.0", "id": id, "method": UNREADABLE, "params": why });
    Some(format!("{request}\n").into_bytes())
}

/// Puts the sign for an unknown character in the place of half a one. JavaScript writes such halves
/// when it has cut a text in two; the library would drop the message without a word, and the agent
/// wait for ever.
fn replace_lone_surrogates(message: &mut [u8]) {
    let mut at = 0;
    while let Some(next) = message[at..].iter().position(|byte| *byte == b'\\') {
        at += next;
        let length = match (unit(&message[at..]), message.get(at + 6..).and_then(unit)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                message[at..at + 6].copy_from_slice(b"\\ufffd");
                6
            }
            (Some(_), _) => 6,
            (None, _) => 2,
        };
        at = (at + length).min(message.len());
    }
}

/// The UTF-16 code that an escape at the beginning stands for.
fn unit(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    let digits = str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'))?;
    u16::from_str_radix(digits, 16).ok()
}

impl AsyncRead for Input {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if read.is_ready() && buffer.filled().len() == before {
            self.hung_up.send_replace(true);
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(message: &str, expected: &str) {
        let mut mended = message.as_bytes().to_vec();
        replace_lone_surrogates(&mut mended);
        assert_eq!(String::from_utf8(mended).unwrap(), expected);
    }

    #[test]
    fn half_a_character_becomes_an_unknown_one_and_nothing_else_changes() {
        case(r#"{"a":"\ud800"}"#, r#"{"a":"\ufffd"}"#);
        case(r"\uDE00 \ud83dx \ud83d", r"\ufffd \ufffdx \ufffd");
        case(r"\ud83d\ud83d\ude00", r"\ufffd\ud83d\ude00");
        for whole in [r"\ud83d\ude00 \u00e9", r"\\ud800", r#"\"\n"#, r"\u12", "\\", r"\u+d80", "é"]
        {
            case(whole, whole);
        }
    }
}
