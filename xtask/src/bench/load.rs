//! Many questions at once: what the app takes, and a deck that has seen much.

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use super::PATIENCE;
use crate::{Result, wait, wire::Wire};

const CLIENTS: u32 = 8;
/// How many questions each client asks to find out how many it can.
const ASKS: u32 = 500;

/// How many questions of one deck are over.
pub(super) const PAST: [u32; 3] = [100, 10_000, 100_000];
/// How many of a deck are not.
pub(super) const PENDING: u32 = 200;
/// How many callers wait at once.
pub(super) const CROWD: u32 = 1_000;

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
        wire.send("ask", &question(&ticket(caller)))?;
        callers.push(wire);
    }
    // The app takes what comes from one caller in its order, but not what comes from all.
    wait::until("all to be taken", PATIENCE, || {
        let open = one.call("list", "{}")?.matches(r#""ticket":"crowd-"#).count();
        Ok((open == callers.len()).then_some(()))
    })?;
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

fn submit(wire: &mut Wire, ticket: &str) -> Result<()> {
    wire.call("submit", &question(ticket)).map(drop)
}

fn withdraw(wire: &mut Wire, ticket: &str) -> Result<()> {
    wire.call("withdraw", &format!(r#"{{"ticket":"{ticket}"}}"#)).map(drop)
}

fn question(ticket: &str) -> String {
    format!(
        r#"{{"ticket":"{ticket}","payload":{{"agent":"bench","question":"Which of these for {ticket}?","options":["The first","The second","The third"]}}}}"#
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
