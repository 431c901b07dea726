//! Many questions at once: what the app takes, and a deck that has seen much.

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use askdeck_testkit::{Wire, within};

use super::PATIENCE;
use crate::Result;

const CLIENTS: u32 = 8;
/// How many questions each client asks to find out how many it can.
const ASKS: u32 = 500;

/// How many questions of one deck are over.
pub(super) const PAST: [u32; 3] = [100, 10_000, 100_000];
/// How many are over for an app that goes on running.
pub(super) const USED: u32 = 10_000;
/// How many of a deck are not.
pub(super) const PENDING: u32 = 200;
/// How many callers wait at once.
pub(super) const CROWD: u32 = 1_000;
/// How many dialogs are shown one after another.
pub(super) const SHOWN: u32 = 1_000;

/// How many questions a second the app takes and keeps, from eight clients at once.
pub(super) fn asks_a_second(socket: &Path) -> Result<f64> {
    let time = at_once(socket, ASKS, submit)?;
    Ok(f64::from(CLIENTS * ASKS) / time.as_secs_f64())
}

/// Leaves so many questions that are over, and so many that are not.
pub(super) fn fill(socket: &Path, past: u32, pending: u32) -> Result<()> {
    at_once(socket, past / CLIENTS, |wire, ticket| {
        submit(wire, ticket)?;
        withdraw(wire, ticket)
    })?;
    at_once(socket, pending / CLIENTS, |wire, ticket| submit(wire, &format!("{ticket}-pending")))?;
    Ok(())
}

/// Has questions pending that somebody has in hand in a terminal, as long as the wire is there: the
/// window is free for the next one, also after it has shown one.
pub(super) fn hold(socket: &Path) -> Result<Wire> {
    let mut terminal = Wire::connect(socket)?;
    for n in 0..PENDING {
        terminal.send("ask", &question(&format!("held-{n}"), "terminal"))?;
    }
    await_open(&mut Wire::connect(socket)?, "held", PENDING)?;
    Ok(terminal)
}

/// Whoever asks too much is listed quietly. A minute later a question makes the window appear again.
pub(super) fn rest() {
    eprintln!("==> a minute in which nobody asks");
    thread::sleep(Duration::from_secs(61));
}

/// How long a thousand callers take to ask, and all of them to hear that their questions are over.
pub(super) struct Crowd {
    pub(super) asked: Duration,
    pub(super) told: Duration,
}

pub(super) fn crowd(socket: &Path) -> Result<Crowd> {
    let ticket = |caller: u32| format!("crowd-{caller}");
    let mut one = Wire::connect(socket)?;
    let start = Instant::now();
    let mut callers = Vec::new();
    for caller in 0..CROWD {
        let mut wire = Wire::connect(socket)?;
        wire.send("ask", &question(&ticket(caller), "window"))?;
        callers.push(wire);
    }
    await_open(&mut one, "crowd", CROWD)?;
    let asked = start.elapsed();
    let start = Instant::now();
    for caller in 0..CROWD {
        withdraw(&mut one, &ticket(caller))?;
    }
    for caller in &mut callers {
        caller.reply("ask")?;
    }
    Ok(Crowd { asked, told: start.elapsed() })
}

/// How long a thousand dialogs take that are painted and taken back, each after the one before.
pub(super) fn one_by_one(socket: &Path) -> Result<Duration> {
    let mut wire = Wire::connect(socket)?;
    let start = Instant::now();
    for n in 0..SHOWN {
        let ticket = format!("shown-{n}");
        submit(&mut wire, &ticket)?;
        // By itself it would wait until the person has read that the one before was taken back.
        wire.call("show", &named(&ticket))?;
        wire.call("ready", "{}")?;
        withdraw(&mut wire, &ticket)?;
    }
    Ok(start.elapsed())
}

/// The app takes what comes over one wire in its order, but not what comes over all.
fn await_open(wire: &mut Wire, name: &str, count: u32) -> Result<()> {
    let named = format!(r#""ticket":"{name}-"#);
    within(PATIENCE, "all to be taken", || {
        let open = wire.call("list", "{}")?.matches(&named).count();
        Ok((u32::try_from(open) == Ok(count)).then_some(()))
    })
}

fn submit(wire: &mut Wire, ticket: &str) -> Result<()> {
    wire.call("submit", &question(ticket, "window")).map(drop)
}

fn withdraw(wire: &mut Wire, ticket: &str) -> Result<()> {
    wire.call("withdraw", &named(ticket)).map(drop)
}

fn named(ticket: &str) -> String {
    format!(r#"{{"ticket":"{ticket}"}}"#)
}

fn question(ticket: &str, ui: &str) -> String {
    format!(
        r#"{{"ticket":"{ticket}","ui":"{ui}","payload":{{"agent":"bench","question":"Which of these for {ticket}?","options":["The first","The second","The third"]}}}}"#
    )
}

/// Has every client do something so many times; how long that took.
fn at_once(
    socket: &Path,
    times: u32,
    act: impl Fn(&mut Wire, &str) -> Result<()> + Sync,
) -> Result<Duration> {
    let wires: Vec<Wire> = (0..CLIENTS).map(|_| Wire::connect(socket)).collect::<Result<_>>()?;
    let start = Instant::now();
    thread::scope(|scope| {
        let clients: Vec<_> = wires
            .into_iter()
            .zip(0..CLIENTS)
            .map(|(mut wire, client)| {
                let act = &act;
                scope.spawn(move || {
                    (0..times).try_for_each(|n| act(&mut wire, &format!("client-{client}-{n}")))
                })
            })
            .collect();
        clients.into_iter().try_for_each(|client| client.join().expect("no client panics"))
    })?;
    Ok(start.elapsed())
}
