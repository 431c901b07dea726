//! One round: a fresh home, agents who ask, a person who answers, faults in between, and then peace,
//! in which everything must come to its end.

use std::{
    process::Stdio,
    sync::{
        Condvar, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    agent::{Agent, between},
    cast,
    chance::Chance,
    fault::{self, Fault},
    ledger::Ledger,
    person::Person,
    stage::Stage,
    tally::Tally,
};
use crate::{Result, process::send, wait};

const AGENTS: u32 = 3;
const QUESTIONS: u32 = 5;
const FAULTS: u64 = 8;
/// In peace no answer takes longer than this.
const PEACE: Duration = Duration::from_secs(90);

/// What the threads of a round tell each other.
#[derive(Default)]
pub(super) struct Clockwork {
    over: AtomicBool,
    returns: Mutex<u64>,
    returned: Condvar,
}

impl Clockwork {
    /// Whether the round has come to its end, well or not.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// The person has just pressed Return.
    pub(super) fn tell_of_return(&self) {
        *self.returns.lock().expect("nothing panics under this lock") += 1;
        self.returned.notify_all();
    }

    /// Waits until they do, but not for ever.
    fn await_return(&self) {
        const PATIENCE: Duration = Duration::from_secs(6);
        let returns = self.returns.lock().expect("nothing panics under this lock");
        let before = *returns;
        let waited = self.returned.wait_timeout_while(returns, PATIENCE, |now| *now == before);
        drop(waited);
    }

    fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

/// What came of a round.
pub(super) struct Played {
    pub(super) tally: Tally,
    pub(super) left_out: Vec<(Fault, &'static str)>,
}

impl Played {
    pub(super) fn faults(&self) -> u32 {
        self.tally.faults.values().sum()
    }
}

pub(super) fn play(seed: u64) -> Result<Played> {
    let mut chance = Chance::new(seed);
    let stage = Stage::set(seed)?;
    let ledger = Ledger::open(&stage.log())?;
    let clockwork = Clockwork::default();
    if chance.once_in(2) {
        stay(&stage)?;
    }
    let left_out: Vec<_> =
        fault::ALL.iter().filter_map(|it| Some((*it, it.left_out(&stage)?))).collect();
    let possible: Vec<Fault> =
        fault::ALL.into_iter().filter(|it| left_out.iter().all(|(out, _)| out != it)).collect();

    let result = thread::scope(|scope| {
        let agents: Vec<_> = (0..AGENTS)
            .map(|number| {
                let agent = Agent {
                    name: format!("agent-{number}"),
                    stage: &stage,
                    ledger: &ledger,
                    clockwork: &clockwork,
                    chance: chance.share(),
                };
                scope.spawn(move || agent.ask_all(QUESTIONS))
            })
            .collect();
        let person = Person {
            stage: &stage,
            ledger: &ledger,
            clockwork: &clockwork,
            chance: chance.share(),
        };
        scope.spawn(move || person.answer_all());

        let broken = (0..FAULTS).try_for_each(|_| {
            let Some(&fault) = chance.pick(&possible) else { return Ok(()) };
            befall(fault, &stage, &ledger, &clockwork, &mut chance)
        });
        ledger.note("peace");
        let mut last = (ledger.deliveries(), Instant::now());
        while last.1.elapsed() < PEACE && agents.iter().any(|agent| !agent.is_finished()) {
            let deliveries = ledger.deliveries();
            if deliveries > last.0 {
                last = (deliveries, Instant::now());
            }
            thread::sleep(Duration::from_millis(20));
        }
        clockwork.end();
        broken
    });
    let history = result.and_then(|()| redeem(&stage, &ledger));
    end_programs(&stage);
    Ok(Played { tally: ledger.close(&history?), left_out })
}

/// Lets a fault happen, last for a while, and be over.
fn befall(
    fault: Fault,
    stage: &Stage,
    ledger: &Ledger,
    clockwork: &Clockwork,
    chance: &mut Chance,
) -> Result<()> {
    thread::sleep(chance.millis(0..1500));
    if fault.strikes_who_sends() && chance.once_in(2) {
        clockwork.await_return();
        thread::sleep(chance.millis(0..60));
    }
    let begun = ledger.fault_begins(fault);
    let Some(healing) = fault.inject(stage, chance)? else {
        ledger.fault_fails(begun);
        return Ok(());
    };
    thread::sleep(chance.millis(0..2500));
    if chance.once_in(4)
        && let Some(&blow) = chance.pick(&fault::BLOWS)
    {
        let struck = ledger.fault_begins(blow);
        match blow.inject(stage, chance)? {
            Some(_) => ledger.fault_ends(struck),
            None => ledger.fault_fails(struck),
        }
        thread::sleep(chance.millis(0..1000));
    }
    let healed = healing.heal(stage);
    ledger.fault_ends(begun);
    healed
}

fn stay(stage: &Stage) -> Result<()> {
    let mut resident = stage.askdeck("askdeck");
    let status = resident.arg("resident").stdout(Stdio::null()).stderr(Stdio::null()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        ended => Err(format!("askdeck resident: {ended:?}")),
    }
}

/// Redeems every ticket once more, with or without the app, and returns all that is kept.
fn redeem(stage: &Stage, ledger: &Ledger) -> Result<String> {
    for (question, ticket) in ledger.tickets() {
        let output = stage.askdeck("askdeck").args(["result", &ticket]).output();
        let output = output.map_err(|e| format!("cannot start askdeck: {e}"))?;
        let said = String::from_utf8_lossy(&output.stdout);
        match (output.status.code(), between(&said, "\"value\":\"", "\"")) {
            (Some(0), Some(text)) if ledger.was_sent(&question, text) => {}
            (Some(2), _) => ledger.ticket_lost(&question, &ticket),
            (Some(1), None) => {
                ledger.broken(format!("{question}: the ticket {ticket} is still open"));
            }
            (code, text) => ledger.broken(format!(
                "{question}: the ticket {ticket} gave {text:?} and the code {code:?}"
            )),
        }
    }
    let mut history = stage.askdeck("askdeck");
    let output = history.args(["history", "--json", "--limit", "1000"]).output();
    let output = output.map_err(|e| format!("cannot start askdeck: {e}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The commands before the apps that they would start again.
fn end_programs(stage: &Stage) {
    let all = || [cast::commands(stage.home()), cast::apps(stage.home())].concat();
    for process in all() {
        send("KILL", process);
    }
    // What cannot be killed does not hold up the next round, which has a home of its own.
    let _ = wait::until("the programs to end", Duration::from_secs(5), || {
        Ok(all().is_empty().then_some(()))
    });
}
