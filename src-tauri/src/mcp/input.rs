//! Standard input that tells when the client has hung up.
//!
//! A client that goes says nothing but that. The library then waits a while for calls that are
//! under way; those that wait for the person would make it wait in vain.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::{
    io::{AsyncRead, ReadBuf},
    sync::watch,
};

pub(super) struct Input<R> {
    pub(super) stream: R,
    pub(super) hung_up: watch::Sender<bool>,
}

impl<R: AsyncRead + Unpin> AsyncRead for Input<R> {
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
