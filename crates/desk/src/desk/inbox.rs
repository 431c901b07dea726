//! What waits to be done at the desk: what the person does first, then what callers want.

use std::{
    collections::VecDeque,
    sync::{Arc, Condvar, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use super::actor::Actor;

/// Something to be done by the one thread that owns deck and store.
pub(super) type Work = Box<dyn FnOnce(&mut Actor) + Send>;

/// What the person does goes before what callers want.
#[derive(Clone, Copy)]
pub(super) enum PostedBy {
    Person,
    Caller,
}

#[derive(Clone, Default)]
pub(super) struct Inbox(Arc<Shared>);

#[derive(Default)]
struct Shared {
    queues: Mutex<Queues>,
    came: Condvar,
}

#[derive(Default)]
struct Queues {
    person: VecDeque<Work>,
    callers: VecDeque<Work>,
}

impl Queues {
    fn pop(&mut self) -> Option<Work> {
        self.person.pop_front().or_else(|| self.callers.pop_front())
    }
}

impl Inbox {
    pub(super) fn push(&self, from: PostedBy, work: Work) {
        let mut queues = self.lock();
        match from {
            PostedBy::Person => queues.person.push_back(work),
            PostedBy::Caller => queues.callers.push_back(work),
        }
        drop(queues);
        self.0.came.notify_one();
    }

    /// The next thing to do. Nothing if none has come until then.
    pub(super) fn pop(&self, until: Option<Instant>) -> Option<Work> {
        let mut queues = self.lock();
        loop {
            if let Some(work) = queues.pop() {
                return Some(work);
            }
            let left = until
                .map_or(Duration::MAX, |until| until.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return None;
            }
            let waited = self.0.came.wait_timeout(queues, left);
            queues = waited.expect("nothing panics under this lock").0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queues> {
        self.0.queues.lock().expect("nothing panics under this lock")
    }
}
