//! The types of all that crosses between the app and its pages, as the pages are checked with them:
//! `tests/types/page.d.ts`; and the keys that the pages leave to the session: `ui/session-keys.js`.
//! `UPDATE=1` writes both anew.

use std::{
    any::type_name,
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
    time::{Duration, Instant},
};

use askdeck_core::{
    asking,
    dialog::Caller,
    history::{Deleted, Newest, Selection},
    protocol::Ask,
    session::{Action, AsideKind, Closing, Event, Focus, Key, Numbers, Session, Settings},
};
use serde_json::{Value, json};
use ts_rs::{Config, TS, TypeVisitor};

use super::{
    history_commands::{Found, Overview},
    page::PageMessage,
};

const HEAD: &str = "\
// What crosses between the app and its pages. Made of the types in Rust:
// `UPDATE=1 cargo test --lib types` writes it anew.

import type { Channel } from './tauri';

/** A key into the words. */
export type Word = keyof typeof import('../../crates/core/src/words/en.json');
";

const KEYS_HEAD: &str = "\
// The keys that the session takes, by where the keyboard is. Made of its own table:
// `UPDATE=1 cargo test --lib types` writes it anew.

/** @import { Focus } from '../tests/types/page' */

/** @type {Record<Focus['at'], string[]>} */
";

/// Arguments that Tauri adds by itself.
const OF_TAURI: [&str; 3] = ["AppHandle", "DesktopState", "WebviewWindow"];

#[test]
fn the_pages_are_checked_with_the_types_of_the_app() {
    let mut types = Types::default();
    types.visit::<PageMessage>();
    types.visit::<Event>();
    types.visit::<Newest>();
    types.visit::<Selection>();
    types.visit::<Deleted>();
    types.visit::<Found>();
    types.visit::<Overview>();
    let declared = types.0.into_values().map(|(_, declaration)| declaration);

    let sources = [include_str!("commands.rs"), include_str!("history_commands.rs")];
    let commands: String = sources.iter().flat_map(|source| signatures(source)).collect();
    let commands = format!("export interface Commands {{\n{commands}}}\n");

    let written: Vec<String> =
        [HEAD.to_owned()].into_iter().chain(declared).chain([commands]).collect();
    assert_written("tests/types/page.d.ts", &written.join("\n"));
}

#[test]
fn the_page_leaves_to_the_session_the_keys_that_mean_something_there() {
    let question =
        json!({ "question": "-", "options": (1..=9).map(|it| it.to_string()).collect::<Vec<_>>() });
    let payload = json!({ "askdeck": 1, "questions": vec![question; 9] });
    let ask = Ask { payload, dialect: Some("askdeck".into()), ..Ask::default() };
    let dialog = asking::check(&ask, "-".into(), |_, _| Caller::default()).unwrap().dialog;
    let settings = Settings {
        arming: Duration::ZERO,
        closing: Closing::SetsAside,
        undo: Duration::from_secs(10),
        numbers: Numbers::Point,
    };
    let now = Instant::now();
    let mut session = Session::new(dialog, settings, now);
    session.apply(Event::Shown, now);
    let mut keys = BTreeMap::<String, BTreeSet<String>>::new();
    let mut note = |session: &mut Session, focuses: &[Focus]| {
        for focus in focuses {
            session.apply(Event::Moved { focus: *focus }, now);
            let Value::String(at) = json!(focus)["at"].take() else { panic!("{focus:?}") };
            keys.entry(at).or_default().extend(taken(session));
        }
    };
    let anywhere = [Focus::Primary, Focus::Button, Focus::Panel, Focus::Tab { step: 0 }];
    note(&mut session, &anywhere);
    note(&mut session, &[Focus::Card { index: 0 }, Focus::Other, Focus::Text, Focus::Note]);
    note(&mut session, &[Focus::Filter, Focus::Keep]);
    for (action, focuses) in [
        (Action::Go { step: 9 }, &[Focus::Row { index: 0 }][..]),
        (Action::OpenAside { aside: AsideKind::Decline }, &[Focus::Aside]),
        // It can be taken back: nothing else has the keyboard then.
        (Action::SendAside, &[Focus::Button, Focus::Panel]),
    ] {
        session.apply(Event::Do { action, pointer: false }, now);
        note(&mut session, focuses);
    }
    let lines = keys.iter().map(|(at, keys)| format!("  {at}: {},\n", json!(keys)));
    let lines: String = lines.collect();
    let written = format!("{KEYS_HEAD}export const KEYS = {{\n{lines}}};\n");
    assert_written("ui/session-keys.js", &written);
}

/// The keys that the session takes, such as `Ctrl+Shift+Tab`.
fn taken(session: &Session) -> impl Iterator<Item = String> {
    let names = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Enter", " ", "Escape", "Tab"];
    let names = names.into_iter().map(str::to_owned).chain(["z".into()]);
    let names = names.chain((1..=9).map(|digit: u8| digit.to_string()));
    let modifiers = [(false, false), (false, true), (true, false), (true, true)];
    let keys = names.flat_map(move |key| {
        modifiers.map(|(ctrl, shift)| Key { key: key.clone(), ctrl, shift, ..Key::default() })
    });
    keys.filter(|key| session.takes(key)).map(|Key { key, ctrl, shift, .. }| {
        format!("{}{}{key}", if ctrl { "Ctrl+" } else { "" }, if shift { "Shift+" } else { "" })
    })
}

fn assert_written(path: &str, written: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if env::var_os("UPDATE").is_some() {
        fs::write(&file, written).unwrap();
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        written == expected,
        "{path} is not what the app has; run the tests with UPDATE=1:\n{}",
        askdeck_core::diff::text(&expected, written)
    );
}

/// The declarations by name, each with the path of its type in Rust.
#[derive(Default)]
struct Types(BTreeMap<String, (&'static str, String)>);

impl TypeVisitor for Types {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Those of the standard library need no declaration.
        if T::output_path().is_none() {
            return;
        }
        // What is counted here never comes near 2^53.
        let config = Config::new().with_large_int("number");
        let (name, path) = (T::ident(&config), type_name::<T>());
        if let Some((other, _)) = self.0.get(&name) {
            assert_eq!(*other, path, "two types of one name cross to the page");
            return;
        }
        self.0.insert(name, (path, laid_out(&T::decl(&config))));
        T::visit_dependencies(self);
    }
}

/// A declaration without its comments, which are read in Rust; a long one in several lines.
fn laid_out(declaration: &str) -> String {
    let lines =
        declaration.lines().filter(|line| !line.starts_with("/**") && !line.starts_with(" *"));
    let whole = format!("export {}\n", lines.collect::<String>().replace(", }", " }"));
    if whole.len() <= 110 {
        whole
    } else if whole.contains(" | {") {
        whole.replace(" | {", "\n  | {")
    } else {
        whole.replace("= { ", "= {\n  ").replace(", ", ",\n  ").replace(" };", ",\n};")
    }
}

/// The commands in a source, as functions of one object. Only there are the names of arguments, which
/// Tauri takes for those of its fields.
fn signatures(source: &str) -> impl Iterator<Item = String> {
    source.split("#[tauri::command").skip(1).map(|command| {
        let (_, command) = command.split_once("fn ").expect("a command is a function");
        let (signature, _) = command.split_once(" {\n").expect("it has a body");
        let (name, rest) = signature.split_once('(').expect("it has arguments");
        let (arguments, gives) = rest.rsplit_once(')').expect("they end");
        let fields: Vec<String> = arguments
            .split(',')
            .filter_map(|argument| argument.trim().split_once(": "))
            .filter(|(_, of)| !OF_TAURI.iter().any(|own| of.starts_with(own)))
            .inspect(|(name, _)| assert!(!name.contains('_'), "Tauri renames {name}"))
            .map(|(name, of)| format!("{name}: {}", typescript(of)))
            .collect();
        let takes = match fields.join(", ") {
            fields if fields.is_empty() => fields,
            fields => format!("args: {{ {fields} }}"),
        };
        let gives = gives.strip_prefix(" -> ").map_or("void".to_owned(), typescript);
        format!("  {name}({takes}): {gives};\n")
    })
}

/// A type of Rust, as it is written in a signature.
fn typescript(rust: &str) -> String {
    let inside =
        |start: &str, end: &str| rust.strip_prefix(start)?.strip_suffix(end).map(typescript);
    // The page gets an error as an exception.
    if let Some(given) = inside("Result<", ", String>") {
        return given;
    }
    if let Some(given) = inside("Option<", ">") {
        return format!("{given} | null");
    }
    if let Some(given) = inside("Vec<", ">") {
        return format!("{given}[]");
    }
    match rust {
        "&str" | "String" => "string",
        "Coloured" => "number[][]",
        "bool" => "boolean",
        "f64" | "Millis" => "number",
        declared => declared,
    }
    .to_owned()
}
