//! What is printed at the end.

use super::{
    fault::{self, Fault},
    tally::Tally,
};

/// A round in which a promise was broken.
pub(super) struct Case {
    pub(super) seed: u64,
    pub(super) breaks: Vec<String>,
    pub(super) log: String,
}

pub(super) fn print(tally: &Tally, cases: &[Case], seed: u64, rounds: u64) {
    println!("{rounds} rounds, seeds {seed} to {}\n", seed + rounds.saturating_sub(1));
    println!("{:>6}  questions asked", tally.asked);
    println!("{:>6}  answers sent by the person", tally.sent);
    println!("{:>6}  of them seen as accepted", tally.accepted);
    println!("{:>6}  answers delivered to callers", tally.delivered);
    println!(
        "{:>6}  answers accepted that reached nobody, and were redeemed by their ticket",
        tally.redeemable
    );
    println!("{:>6}  answers accepted that went with a file at risk", tally.gone_with_the_file);
    println!("{:>6}  drafts compared", tally.drafts_checked);
    println!("{:>6}  letters typed", tally.letters);
    println!("{:>6}  of them lost to a fault", tally.letters_lost);
    println!("\nfaults:");
    for fault in fault::ALL {
        let count = tally.faults.get(&fault).unwrap_or(&0);
        println!("{count:>6}  {fault}{}", remark(fault, tally));
    }
    println!("\ncallers ended with:");
    for (code, count) in &tally.codes {
        println!("{count:>6}  {}", meaning(*code));
    }
    if cases.is_empty() {
        println!("\nevery promise was kept");
        return;
    }
    println!("\nbroken:");
    for Case { seed, breaks, log } in cases {
        println!("  cargo xtask torture --seed {seed} --rounds 1    (log: {log})");
        for how in breaks {
            println!("    {how}");
        }
    }
}

/// Why a fault came less often than it was dealt, or not at all.
fn remark(fault: Fault, tally: &Tally) -> String {
    match (tally.left_out.get(&fault), tally.missed.get(&fault), tally.faults.get(&fault)) {
        (Some(why), ..) => format!(": {why}"),
        (None, Some(times), _) => format!(", and {times} times there was nothing to strike"),
        (None, None, None) => ": it was not dealt in so few rounds".into(),
        (None, None, Some(_)) => String::new(),
    }
}

fn meaning(code: i32) -> String {
    match code {
        0 => "0: an answer, or a ticket".into(),
        2 => "2: the ticket is not known".into(),
        3 => "3: no display".into(),
        4 => "4: no app".into(),
        -9 => "killed by a fault".into(),
        code => format!("{code}"),
    }
}
