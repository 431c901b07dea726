//! The app's end of the wire: reads requests from every caller, hands them on, writes the replies.
//!
//! Each caller has a task of its own, and what it does not take is put by for it, so a slow or
//! silent one holds up nobody else.

use std::{
    collections::BTreeMap,
    fmt::Display,
    future::pending,
    io::Write,
    panic::resume_unwind,
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use askdeck_core::{
    origin::Origin,
    problem::no_json,
    protocol::{
        Body, Call, Error, JsonRpc, MAX_BYTES, METHODS, News, Notification, Reply, Request,
        Response,
    },
    text,
};
use serde::Serialize;
use serde_json::{Map, Value};
use tokio::{
    io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, BufReader},
    net::{UnixListener, UnixStream, unix::OwnedReadHalf},
    sync::Semaphore,
    task::{JoinError, spawn_blocking, yield_now},
    time::sleep,
};

use crate::{limits, origin, paths};

mod crowd;
mod outgoing;

use crowd::Admission;
use outgoing::Outgoing;

/// A message of more bytes takes long enough to read that others would notice.
const LONG: usize = 16 * 1024;

/// How long a caller is ignored after a message that cannot be read.
const PAUSE: Duration = Duration::from_millis(10);
/// Work that takes no longer is not worth a rest.
const SHORT: Duration = Duration::from_millis(2);

/// What forwards a socket. Whichever one it was given, a caller on another machine is behind it.
const FORWARDERS: [&str; 3] = ["ssh", "sshd", "sshd-session"];

/// Which socket somebody came through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// The one for programs of this user.
    Own,
    /// The one that is forwarded to other machines and mounted into containers.
    Remote,
}

impl Door {
    /// Whether a user is heard by this one. In most containers everything runs as root.
    fn admits(self, user: u32, own: u32) -> bool {
        user == own || self == Self::Remote && user == 0
    }
}

/// What answers the calls: the desk, or a stand-in for it in tests.
pub trait Serve: Send + Sync + 'static {
    /// Somebody came.
    fn opened(&self);
    /// Until it is done, no further call of this caller is read.
    fn call(&self, peer: &Peer, call: Call, replier: Replier) -> impl Future<Output = ()> + Send;
    /// The caller is gone, with or without having read all that it was sent.
    fn closed(&self, connection: u64, has_read_all: bool);
}

/// The caller at the other end of a connection.
#[derive(Clone)]
pub struct Peer {
    /// Of this app's connections, which.
    pub connection: u64,
    pub pid: Option<u32>,
    pub program: Option<String>,
    /// They are on another machine, or in a container.
    pub is_remote: bool,
    pub origin: Origin,
    outgoing: Arc<Outgoing>,
}

impl Peer {
    /// Tells what happens in a dialog in which they take part. Whether they can still hear it.
    pub fn tell(&self, news: &News) -> bool {
        #[derive(Serialize)]
        struct Message<'a> {
            jsonrpc: JsonRpc,
            #[serde(flatten)]
            news: &'a News,
        }
        self.outgoing.send(&Message { jsonrpc: JsonRpc::V2, news })
    }

    /// Whether they have read all that they were sent.
    pub fn has_read_all(&self) -> bool {
        self.outgoing.was_all_read()
    }

    /// Tells something that answers no call. Whether they can still hear it.
    pub fn notify(&self, method: &str, params: Value) -> bool {
        let notification = Notification { jsonrpc: JsonRpc::V2, method: method.into(), params };
        self.outgoing.send(&notification)
    }
}

/// Answers one call, now or later.
pub struct Replier {
    /// That of the caller.
    pub connection: u64,
    /// The caller says when it has got an outcome.
    pub is_acknowledged: bool,
    /// How large the call was.
    pub bytes: usize,
    id: Value,
    open: Unanswered,
}

/// That a call has no answer yet, as long as this lives.
struct Unanswered {
    may_wait: bool,
    outgoing: Arc<Outgoing>,
}

impl Unanswered {
    /// One more, or why there may not be.
    fn add(outgoing: &Arc<Outgoing>, may_wait: bool) -> Result<Self, String> {
        let most = if may_wait { limits::WAITS } else { limits::CALLS };
        // Counted from here on, even if it is one too many.
        let unanswered = Self { may_wait, outgoing: Arc::clone(outgoing) };
        if unanswered.count().fetch_add(1, Ordering::Relaxed) < most {
            return Ok(unanswered);
        }
        Err(format!(
            "too many calls: at most {most} of this kind may be unanswered on one connection; \
             wait for a reply and try again"
        ))
    }

    fn count(&self) -> &AtomicUsize {
        if self.may_wait { &self.outgoing.waits } else { &self.outgoing.calls }
    }
}

impl Drop for Unanswered {
    fn drop(&mut self) {
        self.count().fetch_sub(1, Ordering::Relaxed);
    }
}

impl Replier {
    /// For this call, which had so many bytes; or why it cannot be taken.
    fn new(peer: &Peer, id: Value, call: &Call, bytes: usize) -> Result<Self, (Value, Error)> {
        match Unanswered::add(&peer.outgoing, call.may_wait()) {
            Ok(open) => {
                let (connection, is_acknowledged) = (peer.connection, call.is_acknowledged());
                Ok(Self { connection, is_acknowledged, bytes, id, open })
            }
            Err(message) => Err((id, Error { code: Error::TOO_MANY, message })),
        }
    }

    pub fn reply(self, reply: Reply) -> bool {
        self.send(Body::Result(reply))
    }

    pub fn refuse(self, message: impl Into<String>) -> bool {
        self.fail(Error::INVALID_PARAMS, message)
    }

    pub fn fail(self, code: i32, message: impl Into<String>) -> bool {
        self.send(Body::Error(Error { code, message: message.into() }))
    }

    /// Whether the caller was still there to hear it.
    fn send(self, body: Body) -> bool {
        self.open.outgoing.send(&Response { jsonrpc: JsonRpc::V2, id: self.id, body })
    }
}

/// Serves everyone who connects and is admitted, for ever.
pub async fn serve(listener: UnixListener, door: Door, app: Arc<impl Serve>) {
    static CONNECTIONS: AtomicU64 = AtomicU64::new(0);
    let own = rustix::process::getuid().as_raw();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Out of file descriptors: some will be free again when a caller is done.
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        let Ok(peer) = stream.peer_cred() else { continue };
        if !door.admits(peer.uid(), own) {
            continue;
        }
        let pid = peer.pid().and_then(|pid| u32::try_from(pid).ok());
        let program = pid.and_then(paths::program_of);
        let is_forwarded = program.as_deref().is_some_and(|name| FORWARDERS.contains(&name));
        let is_remote = door == Door::Remote || is_forwarded;
        let origin = match pid {
            Some(pid) if is_forwarded => Origin::Link(pid),
            _ if is_remote => Origin::Containers,
            pid => pid.map_or(Origin::Unknown, origin::of_process),
        };
        match Admission::ask(is_remote, origin) {
            Ok(admission) => {
                let connection = CONNECTIONS.fetch_add(1, Ordering::Relaxed);
                let (reading, socket) = stream.into_split();
                let outgoing = Arc::new(Outgoing::new(socket, admission));
                let peer = Peer { connection, pid, program, is_remote, origin, outgoing };
                app.opened();
                tokio::spawn(serve_one(reading, peer, Arc::clone(&app)));
            }
            Err(why) => turn_away(stream, why),
        }
    }
}

/// Tells one for whom there is no room why, and closes its connection.
fn turn_away(stream: UnixStream, message: String) {
    let body = Body::Error(Error { code: Error::TOO_MANY, message });
    let response = Response { jsonrpc: JsonRpc::V2, id: Value::Null, body };
    if let (Ok(mut stream), Ok(mut line)) = (stream.into_std(), serde_json::to_vec(&response)) {
        line.push(b'\n');
        stream.write_all(&line).ok(); // The caller may be gone already.
    }
}

async fn serve_one(reading: OwnedReadHalf, peer: Peer, app: Arc<impl Serve>) {
    peer.outgoing.until_writable().await;
    let is_closed = read_all(BufReader::new(reading), &peer, &*app).await;
    app.closed(peer.connection, is_closed && peer.has_read_all());
}

/// Whether the caller has closed its end. If it was killed, or has not read everything, the connection
/// is reset instead.
async fn read_all(mut reader: impl AsyncBufRead + Unpin, peer: &Peer, app: &impl Serve) -> bool {
    loop {
        let mut line = Vec::new();
        let mut limited = (&mut reader).take(MAX_BYTES as u64 + 1);
        match limited.read_until(b'\n', &mut line).await {
            Ok(0) => return true,
            Err(_) => return false,
            Ok(length) if length > MAX_BYTES => {
                let message =
                    format!("the message is too large: at most {MAX_BYTES} bytes are allowed");
                respond(peer, Value::Null, Error { code: Error::INVALID_REQUEST, message });
                return false;
            }
            // The caller went in the middle of it.
            Ok(length) if length > LONG && !line.ends_with(b"\n") => return true,
            Ok(_) => {}
        }
        let bytes = line.len();
        let request =
            if bytes > LONG { apart(peer, move || read(&line)).await } else { read(&line) };
        let taken = request
            .and_then(|Request { id, call, .. }| Ok((Replier::new(peer, id, &call, bytes)?, call)));
        match taken {
            Ok((replier, call)) => app.call(peer, call, replier).await,
            Err((id, error)) => {
                respond(peer, id, error);
                sleep(PAUSE).await;
            }
        }
        // With a caller that never stops sending, reading never has to wait.
        yield_now().await;
    }
}

/// Does long work on another thread, one piece at a time. Callers of one origin queue among themselves
/// first, so that many callers get no more than one would. After long work comes as long a pause, which
/// leaves the processors to the window.
pub async fn apart<T: Send + 'static>(peer: &Peer, work: impl FnOnce() -> T + Send + 'static) -> T {
    static TURN: Semaphore = Semaphore::const_new(1);
    let among_own = turn_of(peer).acquire_owned().await;
    let turn = TURN.acquire().await;
    let start = Instant::now();
    let done = spawn_blocking(work).await;
    let took = start.elapsed();
    if took > SHORT {
        tokio::spawn(async move {
            sleep(took).await;
            drop((turn, among_own));
        });
    }
    match done.map_err(JoinError::try_into_panic) {
        Ok(done) => done,
        Err(Ok(panic)) => resume_unwind(panic),
        // The app ends.
        Err(Err(_)) => pending().await,
    }
}

/// Whose turn it is among the callers of this one's origin.
fn turn_of(peer: &Peer) -> Arc<Semaphore> {
    type Turns = BTreeMap<(bool, Origin), Weak<Semaphore>>;
    static TURNS: Mutex<Turns> = Mutex::new(BTreeMap::new());
    let mut turns = TURNS.lock().expect("nothing panics under this lock");
    turns.retain(|_, turn| turn.strong_count() > 0);
    let whose = (peer.is_remote, peer.origin);
    if let Some(turn) = turns.get(&whose).and_then(Weak::upgrade) {
        return turn;
    }
    let turn = Arc::new(Semaphore::new(1));
    turns.insert(whose, Arc::downgrade(&turn));
    turn
}

/// Reads a request, or says what is wrong with it. One that has nothing to say needs no `params`.
pub fn read(line: &[u8]) -> Result<Request, (Value, Error)> {
    // They repeat words of the caller's, which may be anything.
    let told = |code, message: String| Error { code, message: text::clean_line(&message) };
    let broken = |code, error: &dyn Display| told(code, format!("not a request: {error}"));
    let mut message: Value = serde_json::from_slice(line)
        .map_err(|error| (Value::Null, broken(Error::PARSE, &no_json(&error))))?;
    let id = message.get("id").cloned().unwrap_or_default();
    let code = match message.get("method").and_then(Value::as_str) {
        Some(method) if !METHODS.contains(&method) => {
            let known = METHODS.map(|method| format!("`{method}`")).join(", ");
            let message = format!("unknown method `{method}`, expected one of {known}");
            return Err((id, told(Error::UNKNOWN_METHOD, message)));
        }
        Some(_) if !id.is_null() => Error::INVALID_PARAMS,
        _ => Error::INVALID_REQUEST,
    };
    if let Value::Object(fields) = &mut message {
        fields.entry("params").or_insert_with(|| Map::new().into());
    }
    serde_json::from_value(message).map_err(|error| (id, broken(code, &error)))
}

fn respond(peer: &Peer, id: Value, error: Error) {
    peer.outgoing.send(&Response { jsonrpc: JsonRpc::V2, id, body: Body::Error(error) });
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tokio::{net::unix::OwnedWriteHalf, runtime::Builder};

    use super::*;

    #[test]
    fn what_is_wrong_is_told_on_one_line_whatever_was_sent() {
        for (method, params) in [("list\n\u{1b}[31m", "a"), ("history", "a\n\u{1b}[31mb")] {
            let request =
                json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": { params: 1 } });
            let (_, error) = read(request.to_string().as_bytes()).unwrap_err();
            assert!(!error.message.contains(['\n', '\u{1b}']), "{}", error.message);
        }
    }

    fn outgoing(socket: OwnedWriteHalf) -> Outgoing {
        let admission = Admission::ask(false, Origin::Unknown).expect("there is room");
        Outgoing::new(socket, admission)
    }

    /// An app that answers nobody.
    struct Deaf;

    impl Serve for Deaf {
        fn opened(&self) {}
        async fn call(&self, _: &Peer, _: Call, _: Replier) {}
        fn closed(&self, _: u64, _: bool) {}
    }

    fn peer(connection: u64) -> Peer {
        let (_, socket) = UnixStream::pair().unwrap().0.into_split();
        let (program, origin, outgoing) = (None, Origin::Unknown, Arc::new(outgoing(socket)));
        Peer { connection, pid: None, program, is_remote: false, origin, outgoing }
    }

    #[test]
    fn flooding_caller_lets_others_be_heard() {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "list" }).to_string();
        let flood = format!("{call}\n").repeat(10_000);
        runtime.block_on(async {
            let (one, other) = (peer(1), peer(2));
            tokio::select! {
                biased;
                _ = read_all(flood.as_bytes(), &one, &Deaf) => panic!("nobody else was heard"),
                _ = read_all(call.as_bytes(), &other, &Deaf) => {}
            }
        });
    }

    #[test]
    fn many_callers_of_one_origin_are_no_more_than_one() {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let order = Arc::new(Mutex::new(Vec::new()));
        runtime.block_on(async {
            let from = |connection| Peer { origin: Origin::Terminal(7), ..peer(connection) };
            let (first, second, other) = (from(1), from(2), peer(3));
            let work = |name: &'static str| {
                let order = Arc::clone(&order);
                move || order.lock().unwrap().push(name)
            };
            tokio::join!(
                apart(&first, work("first")),
                apart(&second, work("second")),
                apart(&other, work("other")),
            );
        });
        assert_eq!(*order.lock().unwrap(), ["first", "other", "second"]);
    }

    #[test]
    fn a_connection_has_only_so_many_calls_unanswered() {
        let runtime = Builder::new_current_thread().enable_io().build().unwrap();
        let (_here, outgoing) = runtime.block_on(async {
            let (here, app) = UnixStream::pair().unwrap();
            (here, Arc::new(outgoing(app.into_split().1)))
        });
        let (program, origin) = (None, Origin::Unknown);
        let peer = Peer { connection: 1, pid: None, program, is_remote: false, origin, outgoing };
        let take = |call: &Call| Replier::new(&peer, 1.into(), call, 0);
        let waits: Vec<_> = (0..limits::CALLS).map(|_| take(&Call::Ready {}).ok()).collect();
        assert!(waits.iter().all(Option::is_some));
        let slow = Call::Hello { protocol: 1, desktop: true, owner: None };
        let Err((_, error)) = take(&slow) else { panic!("one too many") };
        assert_eq!(error.code, Error::TOO_MANY);
        assert_eq!(
            error.message,
            "too many calls: at most 64 of this kind may be unanswered on one connection; \
             wait for a reply and try again"
        );
        assert!(take(&Call::Result { ticket: "t".into(), wait: true, ack: false }).is_ok());
        drop(waits);
        assert!(take(&slow).is_ok());
    }

    #[test]
    fn sockets_admit_their_users() {
        for (door, user, admitted) in [
            (Door::Own, 1000, true),
            (Door::Own, 1001, false),
            (Door::Own, 0, false),
            (Door::Remote, 1000, true),
            (Door::Remote, 1001, false),
            (Door::Remote, 0, true),
        ] {
            assert_eq!(door.admits(user, 1000), admitted, "{door:?}: {user}");
        }
    }
}
