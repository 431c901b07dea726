//! The way to the client, which tells when an answer has been written.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
};

use askdeck_desk::client::ClientError;
use rmcp::{
    RoleServer,
    model::{JsonRpcMessage, RequestId},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};

use super::waits::Arrived;

/// The answers that are on their way to the client, by the request that they answer.
#[derive(Clone, Default)]
pub(super) struct Unwritten(Arc<Mutex<HashMap<RequestId, Answer>>>);

type Answer = Arc<Result<Arrived, ClientError>>;

impl Unwritten {
    pub(super) fn add(&self, request: RequestId, answer: &Answer) {
        self.lock().insert(request, Arc::clone(answer));
    }

    fn take(&self, request: &RequestId) -> Option<Answer> {
        self.lock().remove(request)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<RequestId, Answer>> {
        self.0.lock().expect("nothing panics under this lock")
    }
}

pub(super) struct Output<T> {
    pub(super) pipes: T,
    pub(super) unwritten: Unwritten,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Output<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
        let answer = match &message {
            JsonRpcMessage::Response(response) => self.unwritten.take(&response.id),
            _ => None,
        };
        let written = self.pipes.send(message);
        async move {
            written.await?;
            if let Some(Ok(arrived)) = answer.as_deref() {
                arrived.acknowledge();
            }
            Ok(())
        }
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleServer>>> + Send {
        self.pipes.receive()
    }

    fn close(&mut self) -> impl Future<Output = Result<(), T::Error>> + Send {
        self.pipes.close()
    }
}
