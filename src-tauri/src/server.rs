//! The app's end of the wire: reads requests from a stream, hands them on, writes the replies.

use std::{
    io::{self, BufRead, Read, Write},
    sync::{Arc, Mutex},
};

use crate::protocol::{Body, Call, Error, JsonRpc, MAX_BYTES, Reply, Request, Response};

/// What comes from a caller.
pub enum Message {
    Call(Call, Replier),
    /// The caller is gone.
    Closed,
}

/// Answers one call, now or later.
pub struct Replier(Box<dyn FnOnce(Body) + Send>);

impl Replier {
    pub fn new(reply: impl FnOnce(Body) + Send + 'static) -> Self {
        Self(Box::new(reply))
    }

    pub fn reply(self, reply: Reply) {
        (self.0)(Body::Result(reply));
    }

    pub fn refuse(self, message: impl Into<String>) {
        (self.0)(Body::Error(Error { code: Error::INVALID_PARAMS, message: message.into() }));
    }
}

/// Delivers all messages from `reader` until it ends, then [`Message::Closed`].
pub fn serve(
    mut reader: impl BufRead,
    writer: impl Write + Send + 'static,
    mut deliver: impl FnMut(Message),
) {
    let writer = Arc::new(Mutex::new(writer));
    loop {
        let mut line = Vec::new();
        match (&mut reader).take(MAX_BYTES as u64 + 1).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(length) if length > MAX_BYTES => {
                let message = format!("the message has more than {MAX_BYTES} bytes");
                respond(&writer, None, Body::Error(Error { code: Error::PARSE, message }));
                break;
            }
            Ok(_) => {}
        }
        match serde_json::from_slice::<Request>(&line) {
            Ok(Request { id, call, .. }) => {
                let writer = Arc::clone(&writer);
                deliver(Message::Call(
                    call,
                    Replier::new(move |body| respond(&writer, Some(id), body)),
                ));
            }
            Err(error) => {
                let error =
                    Error { code: Error::PARSE, message: format!("not a request: {error}") };
                respond(&writer, None, Body::Error(error));
            }
        }
    }
    deliver(Message::Closed);
}

fn respond(writer: &Mutex<impl Write>, id: Option<u64>, body: Body) {
    let response = Response { jsonrpc: JsonRpc::V2, id, body };
    let mut writer = writer.lock().expect("a writer that panicked has ended the program");
    // A caller that is gone is told so by the reading side.
    let _gone = write_line(&mut *writer, &response);
}

/// Writes one message as a line.
pub(crate) fn write_line(
    writer: &mut impl Write,
    message: &impl serde::Serialize,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    writer.write_all(&line)?;
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The calls that a stream brings, and what is written back when each is refused.
    fn exchange(input: &[u8]) -> (Vec<Option<Call>>, String) {
        let written = Shared::default();
        let mut calls = Vec::new();
        serve(input, written.clone(), |message| match message {
            Message::Call(call, replier) => {
                calls.push(Some(call));
                replier.reply(Reply::Withdrawn { withdrawn: true });
            }
            Message::Closed => calls.push(None),
        });
        let written = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        (calls, written)
    }

    #[test]
    fn calls_are_delivered_and_answered_by_their_id() {
        let line = br#"{"jsonrpc":"2.0","id":7,"method":"withdraw","params":{"dialog":"d1"}}"#;
        let (calls, written) = exchange(line);
        assert_eq!(calls, [Some(Call::Withdraw { dialog: "d1".into() }), None]);
        assert_eq!(written, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"withdrawn\":true}}\n");
    }

    #[test]
    fn a_broken_line_is_refused_and_the_next_one_read() {
        let (calls, written) = exchange(b"{half\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\",\"params\":{\"protocol\":1}}\n");
        assert_eq!(calls, [Some(Call::Hello { protocol: 1 }), None]);
        assert!(
            written.starts_with("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,"),
            "{written}"
        );
    }

    #[test]
    fn a_message_without_end_is_refused() {
        let (calls, written) = exchange(&vec![b'x'; MAX_BYTES + 10]);
        assert_eq!(calls, [None]);
        assert!(written.contains("more than 8388608 bytes"), "{written}");
    }
}
