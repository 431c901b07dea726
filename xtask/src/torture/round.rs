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

use askdeck_testkit::{Host, within};

use super::{
    agent::{Agent, between},
    chance::Chance,
    fault::{Fault, Healing},
    ledger::Ledger,
    person::Person,
    plan::{Mishap, Plan},
    stage::Stage,
    tally::Tally,
};
use crate::Result;

/// Of each agent, at least.
const QUESTIONS: usize = 5;
/// How long a fault waits for something to strike.
const AIM: Duration = Duration::from_secs(8);
/// In peace no answer takes longer than this.
const PEACE: Duration = Duration::from_secs(90);

/// What the threads of a round tell each other.
#[derive(Default)]
pub(super) struct Clockwork {
    peace: AtomicBool,
    over: AtomicBool,
    returns: Mutex<u64>,
    returned: Condvar,
}

impl Clockwork {
    /// Whether no fault is left to come.
    pub(super) fn is_peace(&self) -> bool {
        self.peace.load(Ordering::Relaxed)
    }

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

    fn make_peace(&self) {
        self.peace.store(true, Ordering::Relaxed);
    }

    fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

/// Plays a round. What keeps it from its end is among what broke in it.
pub(super) fn play(seed: u64) -> Result<Tally> {
    let plan = Plan::new(seed);
    let stage = Stage::set(seed)?;
    let ledger = Ledger::open(&stage.log())?;
    let clockwork = Clockwork::default();
    let played = act(plan, &stage, &ledger, &clockwork).and_then(|()| redeem(&stage, &ledger));
    end_programs(&stage);
    if let Err(problem) = played {
        ledger.broken(format!("the round was not played to its end: {problem}"));
    }
    Ok(ledger.close())
}

fn act(plan: Plan, stage: &Stage, ledger: &Ledger, clockwork: &Clockwork) -> Result<()> {
    if plan.has_tray_host && Fault::TrayGone.left_out(stage).is_none() {
        stage.start_tray_host()?;
    }
    if plan.stays {
        stay(stage)?;
    }
    thread::scope(|scope| {
        let agents: Vec<_> = (0..)
            .zip(plan.agents)
            .map(|(number, inquiries)| {
                let agent = Agent { name: format!("agent-{number}"), stage, ledger, clockwork };
                scope.spawn(move || agent.ask_all(inquiries, QUESTIONS))
            })
            .collect();
        let person = Person { stage, ledger, clockwork, chance: plan.person };
        scope.spawn(move || person.answer_all());

        let befallen = plan
            .mishaps
            .into_iter()
            .try_for_each(|mishap| befall(mishap, stage, ledger, clockwork));
        ledger.note("peace");
        clockwork.make_peace();
        let mut last = (ledger.deliveries(), Instant::now());
        while last.1.elapsed() < PEACE && agents.iter().any(|agent| !agent.is_finished()) {
            let deliveries = ledger.deliveries();
            if deliveries > last.0 {
                last = (deliveries, Instant::now());
            }
            thread::sleep(Duration::from_millis(20));
        }
        clockwork.end();
        befallen
    })
}

/// Lets a fault happen, last for a while, and be over.
fn befall(mut mishap: Mishap, stage: &Stage, ledger: &Ledger, clockwork: &Clockwork) -> Result<()> {
    if let Some(why) = mishap.fault.left_out(stage) {
        ledger.leave_out(mishap.fault, why);
        return Ok(());
    }
    thread::sleep(mishap.calm);
    if let Some(moment) = mishap.ambush {
        clockwork.await_return();
        thread::sleep(moment);
    }
    let struck = strike(mishap.fault, stage, ledger, &mut mishap.chance)?;
    let Some((begun, healing)) = struck else { return Ok(()) };
    if mishap.fault.is_kill() {
        ledger.fault_ends(begun);
    }
    thread::sleep(mishap.lasts);
    let blown = mishap.blow.map_or(Ok(()), |mut blow| {
        if let Some((begun, _)) = attempt(blow.fault, stage, ledger, &mut blow.chance)? {
            ledger.fault_ends(begun);
        }
        thread::sleep(blow.lasts);
        Ok(())
    });
    let healed = healing.heal(stage);
    if !mishap.fault.is_kill() {
        ledger.fault_ends(begun);
    }
    blown.and(healed)
}

/// Tries until there is something to do it to, but not for ever.
fn strike(
    fault: Fault,
    stage: &Stage,
    ledger: &Ledger,
    chance: &mut Chance,
) -> Result<Option<(usize, Healing)>> {
    let begun = Instant::now();
    while begun.elapsed() < AIM {
        if let Some(struck) = attempt(fault, stage, ledger, chance)? {
            return Ok(Some(struck));
        }
        thread::sleep(Duration::from_millis(200));
    }
    ledger.fault_misses(fault);
    Ok(None)
}

/// The number of the fault in the ledger, and how to undo it.
fn attempt(
    fault: Fault,
    stage: &Stage,
    ledger: &Ledger,
    chance: &mut Chance,
) -> Result<Option<(usize, Healing)>> {
    let begun = ledger.fault_begins(fault);
    let healing = fault.inject(stage, ledger, chance)?;
    match &healing {
        None => ledger.fault_fails(begun),
        Some(Healing::Reopened { damaged }) => ledger.note(&format!("it is {damaged}")),
        Some(_) => {}
    }
    Ok(healing.map(|healing| (begun, healing)))
}

fn stay(stage: &Stage) -> Result<()> {
    let mut resident = stage.askdeck("askdeck");
    let status = resident.arg("resident").stdout(Stdio::null()).stderr(Stdio::null()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        ended => Err(format!("askdeck resident: {ended:?}")),
    }
}

/// Redeems every ticket once more, with or without the app, and every answer that reached nobody.
fn redeem(stage: &Stage, ledger: &Ledger) -> Result<()> {
    for (question, ticket) in ledger.tickets() {
        let (code, said) = run(stage, &["result", &ticket])?;
        match (code, between(&said, "\"value\":\"", "\"")) {
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
    for (question, text) in ledger.undelivered() {
        let history = ["history", "--agent", &question, "--json", "--limit", "1000"];
        let (_, records) = run(stage, &history)?;
        let Some(ticket) = ticket_of(&records, &text) else { continue };
        let (code, said) = run(stage, &["result", ticket])?;
        if (code, between(&said, "\"value\":\"", "\"")) == (Some(0), Some(&text)) {
            ledger.redeemed(&question, &text);
        }
    }
    Ok(())
}

/// Of the record with this answer.
fn ticket_of<'a>(records: &'a str, answer: &str) -> Option<&'a str> {
    let value = format!("\"value\": \"{answer}\"");
    let mut records = records.split("\n    \"dialog\": {\n      \"id\": \"").skip(1);
    records.find(|record| record.contains(&value))?.split('"').next()
}

/// The exit code of the command, and what it said.
fn run(stage: &Stage, args: &[&str]) -> Result<(Option<i32>, String)> {
    let output = stage.askdeck("askdeck").args(args).output();
    let output = output.map_err(|e| format!("cannot start askdeck: {e}"))?;
    Ok((output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned()))
}

fn end_programs(stage: &Stage) {
    stage.end_programs();
    let all = || [stage.commands(), stage.apps()].concat();
    // What cannot be killed does not hold up the next round, which has a home of its own.
    let _ = within(Duration::from_secs(5), "the programs to end", || {
        Ok(all().is_empty().then_some(()))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_that_of_the_record_with_the_answer() {
        let record = |ticket, answer| {
            let questions = format!(r#""questions": [{{ "id": "q", "text": "{answer}?" }}]"#);
            let dialog =
                format!("\n    \"dialog\": {{\n      \"id\": \"{ticket}\", {questions} }}");
            format!("  {{{dialog}, \"outcome\": {{ \"value\": \"{answer}\" }} }}")
        };
        let records = [record("one", "xa"), record("two", "xb")].join(",\n");
        assert_eq!(ticket_of(&records, "xb"), Some("two"));
        assert_eq!(ticket_of(&records, "x"), None);
    }
}
