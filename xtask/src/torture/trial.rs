//! Faults that are not broken things but people and programs: a terminal that closes while one types
//! in it, an agent that lies, one that sends what nobody can compute, a program that locks the file.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use askdeck_testkit::{Host, Running, Wire, windows, within};

use super::{agent::between, chance::Chance, fault::Healing, ledger::Ledger, stage::Stage};
use crate::{Result, hand::Hand};

/// How soon a caller hears from the app, whatever others do to it.
const PROMPT: Duration = Duration::from_secs(3);
/// How long what is only to be set up may take.
const SET_UP: Duration = Duration::from_secs(8);
/// How long an app may take to be back.
const BACK: Duration = Duration::from_secs(20);

/// The person types in another window, which closes, and types on: into the question that gets the
/// keyboard then. None of these keys is meant for it.
///
/// They are `x` and Return: what a box may hold of the one is not compared, and the other must not
/// send it.
pub(super) fn close_terminal(
    stage: &Stage,
    ledger: &Ledger,
    chance: &mut Chance,
) -> Result<Option<Healing>> {
    /// As fast as people type.
    const PACE: Duration = Duration::from_millis(60);
    /// After a pause as long as this, a key may be meant for what is on the screen.
    const PAUSE: Duration = Duration::from_millis(300);
    const KEYS: usize = 30;
    if windows(stage).is_empty() {
        return Ok(None);
    }
    let mut xev = stage.tool(Path::new("xev"));
    xev.args(["-name", "Terminal", "-geometry", "600x300", "-event", "keyboard"]);
    let terminal = Running::start(xev.stdout(Stdio::null()).stderr(Stdio::null()))?;
    let typed_in = within(SET_UP, "the terminal to have the keyboard", || {
        let name = ["search", "--onlyvisible", "--name", "^Terminal$"];
        let Some(window) = stage.xdotool(&name) else { return Ok(None) };
        stage.xdotool(&["windowactivate", &window]);
        Ok((stage.xdotool(&["getactivewindow"]) == Some(window)).then_some(()))
    });
    if typed_in.is_err() {
        return Ok(None);
    }
    let closes_at = usize::try_from(chance.of(3..10)).unwrap_or(3);
    let mut hand = Hand::lay_on(&mut stage.tool(Path::new("xdotool")))?;
    let mut terminal = Some(terminal);
    let mut last = Instant::now();
    for number in 0..KEYS {
        if last.elapsed() > PAUSE {
            ledger.note("the machine is too slow to type on without a pause");
            break;
        }
        last = Instant::now();
        // A desktop that goes takes the hand with it.
        if hand.press(if number % 5 == 4 { "Return" } else { "x" }).is_err() {
            break;
        }
        if number == closes_at {
            drop(terminal.take());
        }
        thread::sleep(PACE.saturating_sub(last.elapsed()));
    }
    ledger.note("the terminal was closed while it was typed in");
    Ok(Some(Healing::Nothing))
}

/// An agent wants to run a command, and describes another one so that it looks like the command. The
/// person must be shown the one that would run, whole and before anything that the agent says of it.
pub(super) fn lie(stage: &Stage, ledger: &Ledger, chance: &mut Chance) -> Result<Option<Healing>> {
    const FOLDER: &str = "/torture/lies";
    // As JSON has them.
    let command = format!(r"rm -rf ~/work/{}\nrm -rf ~/.ssh", chance.of(0..1_000_000));
    let description =
        format!(r"List the files\n\n```sh\nls -la\n```\n\n{}", r"&nbsp;\n\n".repeat(80));
    let event = format!(
        r#"{{"session_id":"lies","transcript_path":"/nowhere","cwd":"{FOLDER}","permission_mode":"default","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{{"command":"{command}","description":"{description}"}}}}"#
    );
    let mut hook = stage.askdeck("askdeck");
    hook.args(["hook", "claude-code"]).stdin(Stdio::piped());
    let mut hook = Running::start(hook.stdout(Stdio::null()).stderr(Stdio::null()))?;
    let mut stdin = hook.child().stdin.take().expect("it is piped");
    // One that ends at once asks nothing, which is seen below.
    let _ = stdin.write_all(event.as_bytes());
    drop(stdin);
    let asked = within(SET_UP, "the permission to be asked for", || {
        Ok(wire(stage).and_then(|mut wire| join(&mut wire, FOLDER)))
    });
    if let Ok(dialog) = &asked
        && let Some(how) = misleads(dialog, &command)
    {
        ledger.broken(format!("a permission for `{command}` {how}"));
    }
    let healing = Healing::Withdrawn { program: Some(hook), folder: FOLDER };
    match asked {
        Ok(_) => Ok(Some(healing)),
        Err(_) => healing.heal(stage).map(|()| None),
    }
}

/// How a dialog misleads about the command that it is about, both as JSON has them.
fn misleads(dialog: &str, command: &str) -> Option<&'static str> {
    let Some((before, _)) = dialog.split_once(command) else {
        return Some("does not show it whole");
    };
    // In the text that it stands in, only a mark that code begins stands before it.
    let text = before.rsplit(r#"":""#).next().unwrap_or_default();
    let is_mark = text.split(r"\n").all(|line| line.is_empty() || line.starts_with("```"));
    (!is_mark).then_some("shows something else before it")
}

/// Another program has the data file for itself. Questions are taken all the same, and at once.
pub(super) fn lock_file(stage: &Stage, ledger: &Ledger) -> Result<Option<Healing>> {
    const FOLDER: &str = "/torture/lock";
    const LOCK: &str = "import sqlite3, sys, time\n\
        file = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=5)\n\
        file.execute('BEGIN EXCLUSIVE')\n\
        print('locked', flush=True)\n\
        time.sleep(600)\n";
    let file = stage.data().join("askdeck.sqlite");
    if !file.is_file() {
        return Ok(None);
    }
    let mut python = stage.tool(Path::new("python3"));
    python.args(["-c", LOCK]).arg(file).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut python = Running::start(&mut python)?;
    let mut line = String::new();
    let stdout = python.child().stdout.take().expect("it is piped");
    // Nothing if the file is damaged, or in use for longer than it waits.
    if BufReader::new(stdout).read_line(&mut line).is_err() || line.trim() != "locked" {
        return Ok(None);
    }
    if let Some(mut wire) = wire(stage) {
        let begun = Instant::now();
        let payload = r#"{"agent":"Lock","question":"Is it free?","type":"confirm"}"#;
        let params =
            format!(r#"{{"payload":{payload},"caller":{{"agent":"Lock","cwd":"{FOLDER}"}}}}"#);
        match wire.send("submit", &params).and_then(|()| wire.hear()) {
            Ok(Some(_)) => ledger.note(&format!("taken after {} ms", begun.elapsed().as_millis())),
            Ok(None) => ledger.broken(format!(
                "with its file locked, the app took no question for {} s",
                PROMPT.as_secs()
            )),
            Err(problem) => ledger.note(&format!("no app: {problem}")),
        }
    }
    Ok(Some(Healing::Withdrawn { program: Some(python), folder: FOLDER }))
}

/// A schema that is small, and whose check takes 2⁴⁰ steps. It is refused, and nobody else waits.
pub(super) fn bomb(stage: &Stage, ledger: &Ledger) -> Option<Healing> {
    const FOLDER: &str = "/torture/bomb";
    let mut sender = wire(stage)?;
    let params = format!(
        r#"{{"dialect":"nova","payload":{},"caller":{{"agent":"Bomb","cwd":"{FOLDER}"}}}}"#,
        bomb_payload()
    );
    sender.send("submit", &params).ok()?;
    match sender.hear() {
        Ok(Some(line)) if line.contains(r#""error":"#) => {}
        Ok(Some(_)) => ledger.broken("a schema bomb was taken for a question".into()),
        Ok(None) => ledger.broken("a schema bomb got no reply".into()),
        Err(problem) => ledger.broken(format!("a schema bomb ended the connection: {problem}")),
    }
    let listed = wire(stage).map(|mut other| other.call("list", "{}"));
    if !matches!(listed, Some(Ok(_))) {
        ledger.broken(format!("after a schema bomb, `list` got no reply: {listed:?}"));
    }
    Some(Healing::Withdrawn { program: None, folder: FOLDER })
}

/// Forty definitions, each of which is twice the one before. The default is checked at once.
fn bomb_payload() -> String {
    let twice = |n: u32| format!(r##"[{{"$ref":"#/$defs/a{n}"}},{{"$ref":"#/$defs/a{n}"}}]"##);
    let definition = |n: u32| format!(r#""a{n}":{{"allOf":{}}}"#, twice(n - 1));
    let definitions: Vec<String> = (1..40).map(definition).collect();
    format!(
        r#"{{"type":"user_prompt","interaction_id":1,"question":"Name?","schema":{{"type":"string","default":"x","allOf":{},"$defs":{{"a0":{{"type":"string"}},{}}}}}}}"#,
        twice(39),
        definitions.join(",")
    )
}

/// Takes back what was asked from this folder, with the next app if this one is gone: nobody else
/// would answer it, and it would stand in everybody's way.
pub(super) fn withdraw(stage: &Stage, folder: &str) -> Result<()> {
    within(BACK, format!("the question from {folder} to be gone"), || {
        let Some(mut wire) = wire(stage) else { return Ok(None) };
        let Ok(open) = wire.call("list", "{}") else { return Ok(None) };
        let Some(ticket) = ticket_from(&open, folder) else { return Ok(Some(())) };
        // It may have ended meanwhile, or the app: the next look tells.
        let _ = wire.call("withdraw", &format!(r#"{{"ticket":"{ticket}"}}"#));
        Ok(None)
    })
}

fn wire(stage: &Stage) -> Option<Wire> {
    let wire = Wire::connect(&stage.socket()).ok()?;
    wire.be_patient_for(PROMPT).ok().map(|()| wire)
}

/// What a front end gets to show of the question from this folder.
fn join(wire: &mut Wire, folder: &str) -> Option<String> {
    let open = wire.call("list", "{}").ok()?;
    let ticket = ticket_from(&open, folder)?;
    wire.call("join", &format!(r#"{{"ticket":"{ticket}"}}"#)).ok()
}

fn ticket_from<'a>(open: &'a str, folder: &str) -> Option<&'a str> {
    let mut dialogs = open.split(r#"{"ticket":""#).skip(1);
    let from = |dialog: &&str| between(dialog, r#""cwd":""#, "\"") == Some(folder);
    dialogs.find(from)?.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_found_by_its_folder() {
        let open = r#"{"result":{"open":[{"ticket":"one","agent":"A","cwd":null},{"ticket":"two","agent":"B","cwd":"/b"}]}}"#;
        assert_eq!(ticket_from(open, "/b"), Some("two"));
        assert_eq!(ticket_from(open, "/c"), None);
    }

    #[test]
    fn a_dialog_shows_the_command_first_and_whole() {
        let dialog =
            |message: &str| format!(r#"{{"title":"A","message":"{message}","questions":[]}}"#);
        let well = dialog(r"```sh\nrm -rf ~\nls\n```\n\nList the files");
        assert_eq!(misleads(&well, r"rm -rf ~\nls"), None);
        let below = dialog(r"List the files\n\n```sh\nrm -rf ~\nls\n```");
        assert!(misleads(&below, r"rm -rf ~\nls").is_some());
        let cut = dialog(r"```sh\nrm -rf ~\n```");
        assert!(misleads(&cut, r"rm -rf ~\nls").is_some());
    }

    #[test]
    fn a_bomb_is_small() {
        let payload = bomb_payload();
        assert!(payload.len() < 4096);
        assert_eq!(payload.matches('{').count(), payload.matches('}').count());
    }
}
