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

use super::open_questions::Arrived;

/// The answers that are on their way to the client, by the request that they answer.
#[derive(Clone, Default)]
pub(super) struct Unwritten(Arc<Mutex<HashMap<RequestId, Answer>>>);

/// How a question ended, or why that is not known.
pub(super) type Answer = Arc<Result<Arrived, ClientError>>;

impl Unwritten {
    /// Until it is written, or the client has given up its request: the library then drops the
    /// response without a word, and the answer is for the next who asks the same.
    pub(super) fn add(
        &self,
        request: RequestId,
        answer: &Answer,
        over: impl Future<Output = ()> + Send + 'static,
    ) {
        self.lock().insert(request.clone(), Arc::clone(answer));
        let unwritten = self.clone();
        tokio::spawn(async move {
            // The library says so of every request, of one that is answered while it sends that.
            over.await;
            drop(unwritten.take(&request));
        });
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

#[cfg(test)]
mod tests {
    use tokio::{runtime::Builder, sync::oneshot, task::yield_now};

    use super::*;

    #[test]
    fn answer_to_a_call_that_was_cancelled_is_held_no_longer() {
        let runtime = Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let unwritten = Unwritten::default();
            let answer = Arc::new(Err(ClientError::NotRunning));
            let (cancel, over) = oneshot::channel::<()>();
            unwritten.add(RequestId::Number(1), &answer, async { drop(over.await) });
            yield_now().await;
            assert_eq!(Arc::strong_count(&answer), 2);
            cancel.send(()).unwrap();
            yield_now().await;
            assert_eq!(Arc::strong_count(&answer), 1);
        });
    }
}
