//! The official client for Python, which calls our tools.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
};

use serde_json::{Value, json};

use super::{Home, Run, foreign, programs::askdeck, until};

pub(crate) struct McpClient {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    heard: Vec<Value>,
    last_id: u64,
}

impl McpClient {
    /// Connects to a server that was started with these arguments.
    #[track_caller]
    pub(crate) fn start<const N: usize>(home: &Home, args: [&str; N]) -> Self {
        Self::with(home, args, &json!({}))
    }

    /// The same, as a client that can do more: `name`, `mode`, `elicitation`, `tasks`,
    /// `without_display`.
    #[track_caller]
    pub(crate) fn with<const N: usize>(home: &Home, args: [&str; N], setup: &Value) -> Self {
        let mut process = home
            .command(foreign::python())
            .arg(script())
            .arg(setup_of(args, setup).to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Python runs");
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().expect("stdout is piped"));
        let (tell, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let line = serde_json::from_str(&line).expect("the client writes JSON");
                let _ = tell.send(line);
            }
        });
        let mut client = Self { process, input, lines, heard: Vec::new(), last_id: 0 };
        client.hear("the client to connect", |line| line.get("connected").cloned());
        client
    }

    /// A client with a single call, to be run under a WebDriver.
    pub(crate) fn once<const N: usize>(args: [&str; N], tool: &str, arguments: &Value) -> Run {
        let script = script().display().to_string();
        let setup = setup_of(args, &json!({})).to_string();
        let call = json!({ "id": 1, "tool": tool, "arguments": arguments });
        Run::program(foreign::python(), [&script, &setup]).stdin(format!("{call}\n"))
    }

    /// What the client of [`McpClient::once`] was told.
    #[track_caller]
    pub(crate) fn result_of(stdout: &str) -> Value {
        let last = stdout.lines().last().expect("the client tells the result");
        let line: Value = serde_json::from_str(last).expect("the client writes JSON");
        line["result"].clone()
    }

    #[track_caller]
    pub(crate) fn list(&mut self) -> Value {
        let id = self.next_id();
        self.send(&json!({ "list": id }));
        self.result(id)
    }

    /// Calls a tool, and does not wait for its result.
    #[track_caller]
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> u64 {
        self.call_with(tool, arguments, &json!({}))
    }

    /// The same with `timeout` in seconds or with `progress`.
    #[track_caller]
    pub(crate) fn call_with(&mut self, tool: &str, arguments: &Value, more: &Value) -> u64 {
        let id = self.next_id();
        let mut line = json!({ "id": id, "tool": tool, "arguments": arguments });
        for (name, value) in more.as_object().expect("an object") {
            line[name] = value.clone();
        }
        self.send(&line);
        id
    }

    /// Makes any other request, and waits for its result.
    #[track_caller]
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.next_id();
        self.send(&json!({ "id": id, "method": method, "params": params }));
        self.result(id)
    }

    #[track_caller]
    pub(crate) fn cancel(&mut self, id: u64) {
        self.send(&json!({ "cancel": id }));
        self.hear("the call to be cancelled", |line| {
            (line["id"] == id && line["cancelled"] == true).then_some(())
        });
    }

    #[track_caller]
    pub(crate) fn result(&mut self, id: u64) -> Value {
        self.hear(&format!("the result of call {id}"), |line| result(line, id))
    }

    /// The result, if it is there already.
    pub(crate) fn try_result(&mut self, id: u64) -> Option<Value> {
        self.heard.extend(self.lines.try_iter());
        self.heard.iter().find_map(|line| result(line, id))
    }

    /// Waits for a line in which `find` finds something.
    #[track_caller]
    pub(crate) fn hear<T>(&mut self, what: &str, find: impl Fn(&Value) -> Option<T>) -> T {
        until(what, || {
            self.heard.extend(self.lines.try_iter());
            self.heard.iter().find_map(&find)
        })
    }

    /// All progress that a call has made so far.
    pub(crate) fn progress(&mut self, id: u64) -> Vec<f64> {
        self.heard.extend(self.lines.try_iter());
        let lines = self.heard.iter().filter(|line| line["id"] == id);
        lines.filter_map(|line| line["progress"].as_f64()).collect()
    }

    pub(crate) fn process(&self) -> u32 {
        self.process.id()
    }

    fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    #[track_caller]
    fn send(&mut self, line: &Value) {
        let input = self.input.as_mut().expect("it is there until the end");
        writeln!(input, "{line}").expect("the client reads");
    }
}

impl Drop for McpClient {
    fn drop(&mut self) {
        // A test that failed leaves nothing behind.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn script() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/mcp_client.py"))
}

fn setup_of<const N: usize>(args: [&str; N], more: &Value) -> Value {
    let mut setup = more.clone();
    setup["command"] = askdeck().into();
    setup["args"] = std::iter::once("mcp").chain(args).collect();
    setup
}

/// An error is a result too: the tests look at what it says.
fn result(line: &Value, id: u64) -> Option<Value> {
    let told = line.get("result").or_else(|| line.get("error"))?;
    (line["id"] == id).then(|| told.clone())
}
