//! Many questions at once: what the app takes, and a deck that has seen much.

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use crate::{Result, wire::Wire};

const CLIENTS: u32 = 8;
/// How many questions each client asks to find out how many it can.
const ASKS: u32 = 500;

pub(super) const HISTORY: u32 = 10_000;
pub(super) const PENDING: u32 = 200;

/// How many questions a second the app takes and keeps, from eight clients at once.
pub(super) fn asks_a_second(socket: &Path) -> Result<f64> {
    let time = at_once(socket, ASKS, submit)?;
    Ok(f64::from(CLIENTS * ASKS) / time.as_secs_f64())
}

/// Leaves [`HISTORY`] questions that are over and [`PENDING`] that are not.
pub(super) fn fill(socket: &Path) -> Result<()> {
    at_once(socket, HISTORY / CLIENTS, |wire, ticket| {
        submit(wire, ticket)?;
        wire.call("withdraw", &format!(r#"{{"ticket":"{ticket}"}}"#)).map(drop)
    })?;
    at_once(socket, PENDING / CLIENTS, |wire, ticket| submit(wire, &format!("{ticket}-pending")))?;
    Ok(())
}

fn submit(wire: &mut Wire, ticket: &str) -> Result<()> {
    let params = format!(
        r#"{{"ticket":"{ticket}","payload":{{"agent":"bench","question":"Which of these for {ticket}?","options":["The first","The second","The third"]}}}}"#
    );
    wire.call("submit", &params).map(drop)
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
