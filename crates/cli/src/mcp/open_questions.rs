//! The questions that this server waits for.
//!
//! A question is waited for as long as somebody holds its [`OpenQuestion`]: the calls that want its answer,
//! and, after a ticket went out, this server for a while in which the agent should come back.
//! When all have let go, the connection to the app closes, and the person sees that the agent
//! disconnected.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, Weak},
    time::Duration,
};

use askdeck_core::{
    asking::Asked,
    dialog::Dialog,
    key::QuestionKey,
    protocol::{Ask, Call, Ended, Reply},
};
use askdeck_desk::{
    client::{Background, ClientError, Receipt, Start},
    paths,
    store::{Claimed, Store, StoreError},
};
use tokio::{
    sync::{oneshot, watch},
    time,
};

/// How long an agent that got a ticket may take to come back with it.
const GRACE: Duration = Duration::from_secs(120);

/// By ticket.
#[derive(Default)]
pub(super) struct OpenQuestions(Mutex<HashMap<String, Weak<OpenQuestion>>>);

pub(super) struct OpenQuestion {
    pub(super) ticket: String,
    /// What is asked, if that is known here.
    pub(super) dialog: Option<Dialog>,
    key: Option<QuestionKey>,
    arrived: watch::Receiver<Option<Arc<Result<Arrived, ClientError>>>>,
    _background: Background,
}

/// How a question ended, until the client has it.
pub(super) struct Arrived {
    pub(super) ended: Ended,
    receipt: Mutex<Option<Receipt>>,
}

impl Arrived {
    /// The client has it.
    pub(super) fn acknowledge(&self) {
        let receipt = self.receipt.lock().expect("nothing panics under this lock").take();
        if let Some(receipt) = receipt {
            receipt.send();
        }
    }
}

impl OpenQuestions {
    /// Asks, unless the same is being asked already.
    pub(super) fn ask(&self, ask: Ask, asked: Asked) -> Arc<OpenQuestion> {
        let mut open = self.lock();
        open.retain(|_, wait| wait.strong_count() > 0);
        let mut waiting = open.values().filter_map(Weak::upgrade);
        if let Some(same) = waiting.find(|wait| wait.is_for(&asked)) {
            return same;
        }
        let call = Call::Ask(Box::new(ask));
        let Asked { dialog, key, .. } = asked;
        let ticket = dialog.id.clone();
        let known = Known { key: Some(key), dialog: Some(dialog), ..Known::default() };
        let wait = OpenQuestion::start(ticket, call, known);
        open.insert(wait.ticket.clone(), Arc::downgrade(&wait));
        wait
    }

    /// Waits for a question that was asked before, by any program.
    pub(super) fn redeem(&self, ticket: &str) -> Arc<OpenQuestion> {
        let mut open = self.lock();
        let waiting = open.get(ticket).and_then(Weak::upgrade);
        if let Some(wait) = waiting.filter(|wait| !wait.has_failed()) {
            return wait;
        }
        let call = Call::Result { ticket: ticket.into(), wait: true, ack: true };
        let wait = OpenQuestion::start(ticket.into(), call, Known::of(ticket).unwrap_or_default());
        open.insert(ticket.into(), Arc::downgrade(&wait));
        wait
    }

    /// The agent has its answer; if the same is asked again, the person is.
    pub(super) fn forget(&self, wait: &OpenQuestion) {
        self.lock().remove(&wait.ticket);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Weak<OpenQuestion>>> {
        self.0.lock().expect("nothing panics under this lock")
    }
}

/// Asks without waiting for the answer. Unless nothing can be kept, the question is when this returns.
pub(super) async fn submit(ask: Ask) -> Result<(), ClientError> {
    call(Call::Submit(Box::new(ask)), Start::Window).await
}

/// Takes a question back, for the caller of this ticket alone.
pub(super) async fn withdraw(ticket: &str) -> Result<(), ClientError> {
    call(Call::Withdraw { ticket: ticket.into() }, Start::Desk).await
}

async fn call(call: Call, start: Start) -> Result<(), ClientError> {
    let (tell, told) = oneshot::channel();
    let _background = Background::call(call, start, move |reply| {
        tell.send(reply.map(drop)).ok(); // The client may have left.
    });
    told.await.unwrap_or_else(|_| Err(ClientError::Lost { last_words: String::new() }))
}

/// The question of a ticket as it is kept, if it is.
pub(super) fn kept(ticket: &str) -> Result<Option<Claimed>, StoreError> {
    let store = paths::store().and_then(|file| Store::open_to_read(&file));
    store.map_or(Ok(None), |store| store.claimed(ticket))
}

/// What is known of a question without the app.
#[derive(Default)]
struct Known {
    key: Option<QuestionKey>,
    dialog: Option<Dialog>,
    /// It has ended: no window is needed for it.
    has_ended: bool,
}

impl Known {
    /// As it is kept.
    fn of(ticket: &str) -> Option<Self> {
        let claimed = kept(ticket).ok()??;
        let has_ended = claimed.outcome().is_some();
        let dialog = claimed.claim.dialog(&claimed.record.dialog);
        Some(Self { key: None, dialog: Some(dialog), has_ended })
    }
}

impl OpenQuestion {
    fn start(ticket: String, call: Call, known: Known) -> Arc<Self> {
        let Known { key, dialog, has_ended } = known;
        let (tell, arrived) = watch::channel(None);
        let start = if has_ended { Start::Desk } else { Start::Window };
        let background = Background::call(call, start, move |reply| {
            let reply = reply.and_then(|(reply, receipt)| match reply {
                Reply::Ended(ended) => Ok((ended, receipt)),
                reply => Err(ClientError::unexpected(&reply)),
            });
            let arrived =
                reply.map(|(ended, receipt)| Arrived { ended, receipt: Mutex::new(Some(receipt)) });
            tell.send_replace(Some(Arc::new(arrived)));
        });
        Arc::new(Self { ticket, dialog, key, arrived, _background: background })
    }

    /// Whether it is the same question, and not one that could not be asked.
    fn is_for(&self, asked: &Asked) -> bool {
        let same = self.dialog.as_ref().is_some_and(|dialog| dialog.asks_the_same(&asked.dialog));
        same && self.key.as_ref() == Some(&asked.key) && !self.has_failed()
    }

    /// Whether it waits no longer, though nobody has ended the question.
    fn has_failed(&self) -> bool {
        self.arrived.borrow().as_ref().is_some_and(|arrived| arrived.is_err())
    }

    /// How it ended, once it has.
    pub(super) async fn ended(&self) -> Arc<Result<Arrived, ClientError>> {
        let mut arrived = self.arrived.clone();
        match arrived.wait_for(Option::is_some).await {
            Ok(reply) => reply.clone().expect("it was waited for"),
            Err(_) => Arc::new(Err(ClientError::Lost { last_words: String::new() })),
        }
    }

    /// Continues to wait for an agent that got a ticket.
    pub(super) fn hold(self: Arc<Self>) {
        tokio::spawn(async move {
            time::sleep(GRACE).await;
            drop(self);
        });
    }
}
