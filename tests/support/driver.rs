//! Speaks with WebKit's WebDriver: a handful of its calls, each waiting for its reply.

use std::{
    iter,
    net::{Ipv4Addr, TcpListener, TcpStream},
    process::{self, Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use serde_json::{Value, json};
use ureq::Agent;

use super::until;

pub(crate) struct Driver {
    process: Child,
    agent: Agent,
    session: String,
}

/// The name under which WebDriver hands out elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// Longer than anything takes; a driver that hangs must not hang the tests.
const PATIENCE: Duration = Duration::from_secs(45);

impl Driver {
    /// Starts `driver`, and through it the program `binary` with its window.
    pub(crate) fn start(mut driver: Command, binary: &str, args: &[String]) -> Self {
        let port = free_port();
        let process = driver
            .arg(format!("--port={port}"))
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("webkit2gtk-driver is installed");
        until("the WebDriver to listen", || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok());
        let agent = Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false)
            .build()
            .into();
        let mut driver = Self { process, agent, session: String::new() };
        let options = json!({ "webkitgtk:browserOptions": { "binary": binary, "args": args } });
        let sessions = format!("http://127.0.0.1:{port}/session");
        let opened = driver.post(&sessions, &json!({ "capabilities": { "alwaysMatch": options } }));
        let id = opened["sessionId"].as_str().expect("a session has an id");
        driver.session = format!("{sessions}/{id}");
        driver
    }

    /// What the body of a function returns in the page.
    #[track_caller]
    pub(crate) fn run(&self, script: &str, args: &Value) -> Value {
        let url = format!("{}/execute/sync", self.session);
        self.post(&url, &json!({ "script": script, "args": args }))
    }

    /// Clicks the middle of an element, as a mouse does.
    #[track_caller]
    pub(crate) fn click(&self, css: &str) {
        self.post(&format!("{}/click", self.find(css)), &json!({}));
    }

    /// Gives an element the keyboard and types into it.
    #[track_caller]
    pub(crate) fn type_into(&self, css: &str, text: &str) {
        self.post(&format!("{}/value", self.find(css)), &json!({ "text": text }));
    }

    #[track_caller]
    pub(crate) fn resize(&self, width: u32, height: u32) {
        let url = format!("{}/window/rect", self.session);
        self.post(&url, &json!({ "width": width, "height": height }));
    }

    /// Looks at another window from now on; whether there is one.
    #[track_caller]
    pub(crate) fn switch(&self) -> bool {
        let get = |path: &str| {
            let reply = self.agent.get(format!("{}/{path}", self.session)).call();
            let mut reply: Value = reply
                .ok()
                .and_then(|mut reply| reply.body_mut().read_json().ok())
                .unwrap_or_default();
            reply["value"].take()
        };
        let (here, all) = (get("window"), get("window/handles"));
        let Some(other) = all.as_array().and_then(|all| all.iter().find(|one| **one != here))
        else {
            return false;
        };
        self.post(&format!("{}/window", self.session), &json!({ "handle": other }));
        true
    }

    #[track_caller]
    pub(crate) fn maximise(&self) {
        self.post(&format!("{}/window/maximize", self.session), &json!({}));
    }

    #[track_caller]
    fn find(&self, css: &str) -> String {
        let url = format!("{}/element", self.session);
        let found = self.post(&url, &json!({ "using": "css selector", "value": css }));
        format!("{url}/{}", found[ELEMENT].as_str().expect("an element has an id"))
    }

    #[track_caller]
    fn post(&self, url: &str, body: &Value) -> Value {
        let reply = self.agent.post(url).send_json(body);
        let mut reply = reply.unwrap_or_else(|error| panic!("{url}: {error}"));
        let ok = reply.status().is_success();
        let mut reply: Value = reply.body_mut().read_json().expect("a WebDriver speaks JSON");
        assert!(ok, "{url} refused {body}: {}", reply["value"]);
        reply["value"].take()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // A driver that has ended already is what is wanted.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A port that nobody else is given: it is below those that the system hands out.
pub(super) fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let next = || 20_000 + (process::id() + NEXT.fetch_add(1, Ordering::Relaxed)) % 10_000;
    let mut ports = iter::repeat_with(next).take(10_000).filter_map(|port| port.try_into().ok());
    let is_free = |port: &u16| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok();
    ports.find(is_free).expect("some port is free")
}
