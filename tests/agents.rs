//! Our tools inside the real command lines of other agents. The entry is the one that
//! `askdeck install` writes; only the model is scripted, and what counts is the text that it reads.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Home, Kept, Model, Person, Run, Running, Screen, until_started};

mod codex;
mod gemini;
mod opencode;
mod qwen;

/// An agent that runs here without an account.
struct Agent {
    /// As `askdeck install` calls it.
    client: &'static str,
    /// Where it is configured, below the home.
    config: &'static str,
    /// How it introduces itself to our server.
    name: &'static str,
    /// Under which name it shows one of our tools to its model.
    tool: fn(&str) -> String,
}

impl Agent {
    /// A model that wants two things of the person.
    fn model(&self) -> Model {
        let which = json!({ "questions": [{
            "question": "Which framework?",
            "header": "Framework",
            "multiSelect": false,
            "options": [
                { "label": "React", "description": "Big" },
                { "label": "Vue", "description": "Small" },
            ],
        }]});
        let [ask, confirm] = ["ask_user_question", "confirm_action"].map(self.tool);
        Model::using(&[(&ask, which), (&confirm, json!({ "action": "Delete all?" }))])
    }

    /// Connects it as people do, in a configuration that has something in it already.
    #[track_caller]
    fn connect(&self, home: &Home, config: &str) {
        let path = home.path(self.config);
        fs::create_dir_all(path.parent().expect("it is in the home")).expect("the home is ours");
        fs::write(path, config).expect("the home is ours");
        let ended = Run::command(["install", self.client, "--yes"]).ends(home);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    }

    /// Starts it, and waits until its model has asked for the first time.
    #[track_caller]
    fn start(&self, screen: &Screen, model: &mut Model, run: Run) -> Running {
        let mut running = run.env("XAUTHORITY", COOKIE).start(screen);
        until_started(format!("{} to ask its model", self.client), || {
            assert!(!running.is_over(), "{} has ended", self.client);
            model.try_turn(0)
        });
        running
    }

    /// Lets the person choose once and close the window once. Returns what the model reads of
    /// either.
    #[track_caller]
    fn ask(&self, screen: &Screen, model: &mut Model, run: Run) -> [String; 2] {
        let running = self.start(screen, model, run);
        let person = Person::at_window(screen, self.name);
        assert_desktop_is_passed_on(screen);
        let kept = Kept::of(screen);
        // Only once the card is chosen does Return send it.
        person.press_once("2", || kept.draft(self.name).contains("[1]").then_some(()));
        person.press("Return");
        let answered = model.result(1);
        let person = Person::at_window(screen, self.name);
        let dismissed = person.press_once("Escape", || model.try_result(2));
        let ended = running.ends();
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        assert!(ended.stdout.contains("Done."), "{}", ended.stdout);
        [answered, dismissed]
    }
}

/// A file that is not there is as good as none to X11.
const COOKIE: &str = "/nowhere/cookie";

/// Agents keep variables back from servers, and a window needs these.
#[track_caller]
fn assert_desktop_is_passed_on(screen: &Screen) {
    let servers = screen.programs("askdeck");
    assert_eq!(servers.len(), 1);
    let environment = fs::read(format!("/proc/{}/environ", servers[0])).expect("it runs");
    let environment = String::from_utf8_lossy(&environment);
    let here = screen.command("true");
    let value = |wanted: &str| {
        here.get_envs().find_map(|(name, value)| (name == wanted).then_some(value)?)
    };
    for name in ["DISPLAY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "XAUTHORITY"] {
        let value = value(name).map_or(COOKIE.into(), |value| value.to_string_lossy());
        let set = format!("{name}={value}");
        assert!(environment.split('\0').any(|variable| variable == set), "{set}");
    }
}

const CLOSED: &str = "The user closed the window without answering.\n\n\
    This is no answer. Do not assume one, and do not ask the same again by yourself.";

#[track_caller]
fn data(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}
