//! The app's end of the wire: reads requests from every caller, hands them on, writes the replies.
//!
//! Each caller has a task of its own, and what it does not take is put by for it, so a slow or
//! silent one holds up nobody else.

use std::{
    fmt::Display,
    future::pending,
    io::ErrorKind,
    net::Shutdown,
    os::{fd::AsFd, unix::net},
    panic::resume_unwind,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use serde::Serialize;
use serde_json::{Map, Value};
use tokio::{
    io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, BufReader},
    net::{UnixListener, UnixStream, unix::OwnedWriteHalf},
    runtime::Handle,
    sync::Semaphore,
    task::{JoinError, spawn_blocking, yield_now},
    time::sleep,
};

use crate::{
    paths,
    problem::no_json,
    protocol::{
        Body, Call, Error, JsonRpc, MAX_BYTES, METHODS, News, Notification, Reply, Request,
        Response,
    },
    text,
};

/// A caller that leaves so many bytes unread is cut off.
const MOST_UNREAD: usize = 4 * 1024 * 1024;

/// A message of more bytes takes long enough to read that others would notice.
const LONG: usize = 16 * 1024;

/// Who sends what is no message is not heard for a moment.
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

/// Whoever answers the calls.
pub trait Serve: Send + Sync + 'static {
    /// Somebody came.
    fn opened(&self);
    /// Until it is done, no further call of this caller is read.
    fn call(&self, peer: &Peer, call: Call, replier: Replier) -> impl Future<Output = ()> + Send;
    /// The caller is gone.
    fn closed(&self, connection: u64);
}

/// Who is at the other end.
#[derive(Clone)]
pub struct Peer {
    /// Of this app's connections, which.
    pub connection: u64,
    pub pid: Option<u32>,
    pub program: Option<String>,
    /// They are on another machine, or in a container.
    pub is_remote: bool,
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

    /// Tells something that answers no call. Whether they can still hear it.
    pub fn notify(&self, method: &str, params: Value) -> bool {
        let notification = Notification { jsonrpc: JsonRpc::V2, method: method.into(), params };
        self.outgoing.send(&notification)
    }
}

/// The way back to a caller.
struct Outgoing {
    socket: OwnedWriteHalf,
    /// What the caller has not taken yet.
    unsent: Mutex<Vec<u8>>,
    /// Sends it later, whichever thread it comes from.
    runtime: Handle,
}

impl Outgoing {
    /// Whether the caller was there to take it, or can still be hoped to.
    fn send(self: &Arc<Self>, message: &impl Serialize) -> bool {
        let Ok(mut line) = serde_json::to_vec(message) else { return false };
        line.push(b'\n');
        let mut unsent = self.lock();
        let was_empty = unsent.is_empty();
        // Mostly it goes out at once, and whoever waits for it is not kept waiting.
        let sent = if was_empty { self.socket.try_write(&line) } else { Ok(0) };
        match sent {
            Ok(length) => drop(line.drain(..length)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(_) => return false,
        }
        // A message that has begun to go out must go out whole.
        if !was_empty && unsent.len() + line.len() > MOST_UNREAD {
            self.hang_up();
            return false;
        }
        unsent.extend(line);
        if was_empty && !unsent.is_empty() {
            self.runtime.spawn(Arc::clone(self).flush());
        }
        true
    }

    async fn flush(self: Arc<Self>) {
        while self.socket.writable().await.is_ok() {
            let mut unsent = self.lock();
            match self.socket.try_write(&unsent) {
                Ok(length) => drop(unsent.drain(..length)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(_) => break,
            }
            if unsent.is_empty() {
                break;
            }
        }
    }

    /// The reading side then sees the caller as gone.
    fn hang_up(&self) {
        let same = self.socket.as_ref().as_fd().try_clone_to_owned().map(net::UnixStream::from);
        // One that is closed already is what is wanted.
        let _closed = same.and_then(|socket| socket.shutdown(Shutdown::Both));
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.unsent.lock().expect("nothing panics under this lock")
    }
}

/// Answers one call, now or later.
pub struct Replier {
    id: Value,
    outgoing: Arc<Outgoing>,
}

impl Replier {
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
        self.outgoing.send(&Response { jsonrpc: JsonRpc::V2, id: self.id, body })
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
        let connection = CONNECTIONS.fetch_add(1, Ordering::Relaxed);
        app.opened();
        let pid = peer.pid().and_then(|pid| u32::try_from(pid).ok());
        tokio::spawn(serve_one(stream, connection, door, pid, Arc::clone(&app)));
    }
}

async fn serve_one(
    stream: UnixStream,
    connection: u64,
    door: Door,
    pid: Option<u32>,
    app: Arc<impl Serve>,
) {
    let (reading, socket) = stream.into_split();
    let program = pid.and_then(paths::program_of);
    let is_forwarded = program.as_deref().is_some_and(|name| FORWARDERS.contains(&name));
    let is_remote = door == Door::Remote || is_forwarded;
    // Until this was waited for once, nothing could be written at once.
    let _gone = socket.writable().await;
    let (unsent, runtime) = (Mutex::default(), Handle::current());
    let outgoing = Arc::new(Outgoing { socket, unsent, runtime });
    let peer = Peer { connection, pid, program, is_remote, outgoing };
    read_all(BufReader::new(reading), &peer, &*app).await;
    app.closed(connection);
}

async fn read_all(mut reader: impl AsyncBufRead + Unpin, peer: &Peer, app: &impl Serve) {
    loop {
        let mut line = Vec::new();
        let mut limited = (&mut reader).take(MAX_BYTES as u64 + 1);
        match limited.read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => break,
            Ok(length) if length > MAX_BYTES => {
                let message =
                    format!("the message is too large: at most {MAX_BYTES} bytes are allowed");
                respond(peer, Value::Null, Error::INVALID_REQUEST, message);
                break;
            }
            // The caller went in the middle of it.
            Ok(length) if length > LONG && !line.ends_with(b"\n") => break,
            Ok(_) => {}
        }
        let request =
            if line.len() > LONG { apart(move || read(&line)).await } else { read(&line) };
        match request {
            Ok(Request { id, call, .. }) => {
                app.call(peer, call, Replier { id, outgoing: peer.outgoing.clone() }).await;
            }
            Err((id, Error { code, message })) => {
                respond(peer, id, code, message);
                sleep(PAUSE).await;
            }
        }
        // Who sends without end has something to be read at all times.
        yield_now().await;
    }
}

/// Does what takes a while where nobody waits, one at a time and in the order in which callers come.
/// After long work comes as long a rest, so that all of them together leave the processors to the
/// window.
pub async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    static TURN: Semaphore = Semaphore::const_new(1);
    let turn = TURN.acquire().await;
    let start = Instant::now();
    let done = spawn_blocking(work).await;
    let took = start.elapsed();
    if took > SHORT {
        tokio::spawn(async move {
            sleep(took).await;
            drop(turn);
        });
    }
    match done.map_err(JoinError::try_into_panic) {
        Ok(done) => done,
        Err(Ok(panic)) => resume_unwind(panic),
        // The app ends.
        Err(Err(_)) => pending().await,
    }
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

fn respond(peer: &Peer, id: Value, code: i32, message: String) {
    Replier { id, outgoing: peer.outgoing.clone() }.fail(code, message);
}

#[cfg(test)]
mod tests {
    use std::thread;

    use serde_json::json;
    use tokio::runtime::Builder;

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

    /// An app that answers nobody.
    struct Deaf;

    impl Serve for Deaf {
        fn opened(&self) {}
        async fn call(&self, _: &Peer, _: Call, _: Replier) {}
        fn closed(&self, _: u64) {}
    }

    fn peer(connection: u64) -> Peer {
        let (_, socket) = UnixStream::pair().unwrap().0.into_split();
        let outgoing = Outgoing { socket, unsent: Mutex::default(), runtime: Handle::current() };
        let outgoing = Arc::new(outgoing);
        Peer { connection, pid: None, program: None, is_remote: false, outgoing }
    }

    #[test]
    fn who_sends_without_end_lets_others_be_heard() {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "list" }).to_string();
        let flood = format!("{call}\n").repeat(10_000);
        runtime.block_on(async {
            let (one, other) = (peer(1), peer(2));
            tokio::select! {
                biased;
                () = read_all(flood.as_bytes(), &one, &Deaf) => panic!("nobody else was heard"),
                () = read_all(call.as_bytes(), &other, &Deaf) => {}
            }
        });
    }

    /// The app's timer and its main thread are none of the runtime's.
    #[test]
    fn what_a_slow_caller_does_not_take_at_once_is_sent_later_from_any_thread() {
        let runtime = Builder::new_current_thread().enable_io().build().unwrap();
        let (here, outgoing) = runtime.block_on(async {
            let (here, app) = UnixStream::pair().unwrap();
            let (_, socket) = app.into_split();
            socket.writable().await.unwrap();
            let (unsent, runtime) = (Mutex::default(), Handle::current());
            (here, Arc::new(Outgoing { socket, unsent, runtime }))
        });
        let long = json!("long ".repeat(200_000));
        let message = long.clone();
        assert!(thread::spawn(move || outgoing.send(&message)).join().unwrap());
        let mut line = String::new();
        runtime.block_on(BufReader::new(here).read_line(&mut line)).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), long);
    }

    #[test]
    fn each_door_admits_its_users() {
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
