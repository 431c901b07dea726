//! What concerns the deck as a whole: `list`, `withdraw`, `show`, `status`, `resident`, `stop`.

use askdeck_core::{
    protocol::{Call, Open, OpenState, Reply, VERSION},
    record::Millis,
    text,
    words::Words,
};
use askdeck_desk::{
    client::{self, ClientError, Start},
    paths, store,
};

use super::{CliError, history::open, print, print_json, tell};

pub(super) fn list(json: bool) -> Result<u8, CliError> {
    let open = open()?;
    if json {
        return print_json(&open);
    }
    if !open.is_empty() {
        let words = paths::language().words();
        print(&open.iter().map(|open| line(open, words)).collect::<Vec<_>>().join("\n"))?;
    }
    Ok(0)
}

fn line(open: &Open, words: &Words) -> String {
    let state = match open.state {
        OpenState::Waiting => "waiting",
        OpenState::Shown => "shown",
        OpenState::SetAside => "set aside",
        OpenState::CallerLeft => "caller left",
    };
    format!(
        "{}  {:<11}  {:>6}  {}: {}",
        text::clean_line(&open.ticket),
        state,
        rough(store::now().saturating_sub(open.asked_at)),
        open.name().say(words),
        text::clean_line(&open.about),
    )
}

/// A duration as people say it: `40s`, `12m`, `3h`, `2d`.
pub(super) fn rough(time: Millis) -> String {
    let seconds = time.max(0) / 1_000;
    match seconds {
        0..=99 => format!("{seconds}s"),
        100..=5_999 => format!("{}m", seconds / 60),
        6_000..=172_799 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

pub(super) fn withdraw(ticket: String) -> Result<u8, CliError> {
    if client::withdraw(&ticket)? { Ok(0) } else { Err(CliError::NotOpen(ticket)) }
}

pub(super) fn show(ticket: Option<String>, history: bool) -> Result<u8, CliError> {
    match client::call(&Call::Show { ticket: ticket.clone(), history }, Start::Window)? {
        Reply::Done { done: true } => Ok(0),
        Reply::Done { done: false } => {
            if let Some(ticket) = ticket {
                return Err(CliError::NotOpen(ticket));
            }
            tell("no question is open; `askdeck show --history` shows past ones");
            Ok(1)
        }
        reply => Err(ClientError::unexpected(&reply).into()),
    }
}

pub(super) fn status() -> Result<u8, CliError> {
    let hello = match client::call(
        &Call::Hello { protocol: VERSION, desktop: false, owner: None },
        Start::Never,
    ) {
        Ok(Reply::Hello(hello)) => hello,
        Ok(reply) => return Err(ClientError::unexpected(&reply).into()),
        Err(ClientError::NotRunning) => return not_running(),
        Err(error) => return Err(error.into()),
    };
    // It is there for terminals, and goes with them.
    if !hello.has_window() {
        return not_running();
    }
    let open = open()?.len();
    let stays = if hello.resident { "resident" } else { "until its deck is empty" };
    let kept =
        hello.not_kept.map(|why| format!("; nothing is being saved: {why}")).unwrap_or_default();
    print(&format!("running {stays}, version {}; {open} open{kept}", hello.version)).map(|()| 0)
}

fn not_running() -> Result<u8, CliError> {
    print(&format!("not running; {} open", open()?.len())).map(|()| 1)
}

pub(super) fn resident(at_login: bool) -> Result<u8, CliError> {
    let at_login = at_login.then_some(true);
    client::call(&Call::Stay { at_login }, Start::Window)?;
    Ok(0)
}

pub(super) fn stop() -> Result<u8, CliError> {
    match client::stop() {
        Ok(()) | Err(ClientError::NotRunning) => Ok(0),
        Err(error) => Err(error.into()),
    }
}
