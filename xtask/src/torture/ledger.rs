//! What was asked, typed, sent, seen as sent, and told to whoever asked; and what went wrong with it.
//!
//! Every line also goes to a file, in the order of time, for whoever looks into a case.

use std::{
    collections::BTreeMap,
    fs::File,
    io::Write,
    path::Path,
    sync::{Mutex, MutexGuard},
    time::{Duration, Instant},
};

use super::{
    draft::{self, Letter},
    fault::Fault,
    tally::Tally,
};
use crate::Result;

/// So long after a fault a person may type into a window that is not back yet.
const RECOVERY: Duration = Duration::from_secs(3);
/// What a person may lose of their typing.
const LOST_AT_MOST: Duration = Duration::from_secs(1);

pub(super) struct Ledger {
    begun: Instant,
    pages: Mutex<Pages>,
}

struct Pages {
    log: File,
    questions: BTreeMap<String, Question>,
    faults: Vec<Span>,
    tally: Tally,
}

/// What is known of one question, by the name of its agent.
#[derive(Default)]
struct Question {
    /// What should stand in its box.
    typed: Vec<Letter>,
    /// With what in the box Return was pressed.
    sent: Vec<String>,
    /// What the person saw as sent.
    accepted: Vec<(String, Instant)>,
    /// What callers have got.
    delivered: Vec<String>,
    tickets: Vec<(String, Instant)>,
}

struct Span {
    fault: Fault,
    from: Instant,
    until: Option<Instant>,
}

impl Ledger {
    pub(super) fn open(log: &Path) -> Result<Self> {
        let log = File::create(log).map_err(|e| format!("cannot write {}: {e}", log.display()))?;
        let (questions, faults, tally) = (BTreeMap::new(), Vec::new(), Tally::default());
        let pages = Mutex::new(Pages { log, questions, faults, tally });
        Ok(Self { begun: Instant::now(), pages })
    }

    pub(super) fn note(&self, line: &str) {
        let at = self.begun.elapsed().as_millis();
        // The case is told on the terminal in any case.
        let _ = writeln!(self.pages().log, "{at:>7} {line}");
    }

    /// A promise was broken.
    pub(super) fn broken(&self, how: String) {
        self.note(&format!("BROKEN {how}"));
        self.pages().tally.breaks.push(how);
    }

    pub(super) fn fault_begins(&self, fault: Fault) -> usize {
        self.note(&format!("fault {fault} begins"));
        let mut pages = self.pages();
        pages.faults.push(Span { fault, from: Instant::now(), until: None });
        pages.faults.len() - 1
    }

    pub(super) fn fault_ends(&self, index: usize) {
        let mut pages = self.pages();
        let span = &mut pages.faults[index];
        span.until = Some(Instant::now());
        let fault = span.fault;
        *pages.tally.faults.entry(fault).or_default() += 1;
        drop(pages);
        self.note(&format!("fault {fault} ends"));
    }

    /// There was nothing to do it to. It does not count, but the attempt may have left its marks.
    pub(super) fn fault_fails(&self, index: usize) {
        self.pages().faults[index].until = Some(Instant::now());
        self.note("it has nothing to strike");
    }

    /// It was tried for long enough.
    pub(super) fn fault_misses(&self, fault: Fault) {
        *self.pages().tally.missed.entry(fault).or_default() += 1;
    }

    pub(super) fn leave_out(&self, fault: Fault, why: &'static str) {
        self.note(&format!("fault {fault} is left out: {why}"));
        self.pages().tally.left_out.insert(fault, why);
    }

    pub(super) fn had_faults(&self) -> bool {
        !self.pages().faults.is_empty()
    }

    pub(super) fn asked(&self, question: &str) {
        self.note(&format!("{question} asked"));
        let mut pages = self.pages();
        pages.tally.asked += 1;
        pages.questions.entry(question.into()).or_default();
    }

    pub(super) fn got_ticket(&self, question: &str, ticket: &str) {
        self.note(&format!("{question} has the ticket {ticket}"));
        self.pages().of(question).tickets.push((ticket.into(), Instant::now()));
    }

    /// How a caller ended, by its exit code; minus the signal if it was killed.
    pub(super) fn ended(&self, question: &str, code: i32, said: &str) {
        self.note(&format!("{question} ended with {code}: {}", said.trim()));
        *self.pages().tally.codes.entry(code).or_default() += 1;
    }

    /// What the person finds in the box of a question.
    pub(super) fn found(&self, question: &str, text: &str) {
        let mut pages = self.pages();
        let is_excused = |letter: &Letter| {
            pages.faults.iter().filter(|span| span.fault.interrupts_typing()).any(|span| {
                let until = span.until.map_or(letter.pressed, |until| until + RECOVERY);
                span.from < letter.pressed + LOST_AT_MOST && letter.pressed <= until
            }) || pages.may_be_gone(letter.pressed)
        };
        let no_letters = Vec::new();
        let typed = pages.questions.get(question).map_or(&no_letters, |found| &found.typed);
        let kept = text.replace('x', "");
        let comparison = draft::compare(typed, &kept, is_excused);
        let all: String = typed.iter().map(|typed| typed.letter).collect();
        pages.tally.drafts_checked += 1;
        // Damage to the last writes may bring back what was there before them.
        let was_damaged = pages.faults.iter().any(|span| span.fault == Fault::Damage);
        let sent_before = pages.of(question).sent.iter().any(|sent| sent.starts_with(text));
        let how = if let Some(lost) = comparison {
            pages.tally.letters_lost += lost.excused + lost.unexcused;
            (lost.unexcused > 0)
                .then(|| format!("{question}: of `{all}` only `{kept}` was kept, without a reason"))
        } else if was_damaged && sent_before {
            None
        } else {
            Some(format!("{question}: the box holds `{kept}`, but `{all}` was typed"))
        };
        pages.of(question).typed =
            kept.chars().map(|letter| Letter { letter, pressed: Instant::now() }).collect();
        drop(pages);
        self.note(&format!("{question} is on the screen with `{text}`"));
        if let Some(how) = how {
            self.broken(how);
        }
    }

    pub(super) fn typed(&self, question: &str, letter: char) {
        let mut pages = self.pages();
        pages.tally.letters += 1;
        pages.of(question).typed.push(Letter { letter, pressed: Instant::now() });
    }

    pub(super) fn sent(&self, question: &str, text: &str) {
        self.note(&format!("{question} is sent with `{text}`"));
        let mut pages = self.pages();
        pages.tally.sent += 1;
        pages.of(question).sent.push(text.into());
    }

    pub(super) fn accepted(&self, question: &str, text: &str) {
        self.note(&format!("{question} was seen as sent with `{text}`"));
        let mut pages = self.pages();
        pages.tally.accepted += 1;
        let found = pages.of(question);
        let was_sent = found.sent.iter().any(|sent| sent == text);
        found.accepted.push((text.into(), Instant::now()));
        found.typed.clear();
        drop(pages);
        if !was_sent {
            self.broken(format!("{question}: `{text}` was taken for the answer, but never sent"));
        }
    }

    pub(super) fn delivered(&self, question: &str, text: &str) {
        self.note(&format!("{question} was answered with `{text}`"));
        let mut pages = self.pages();
        pages.tally.delivered += 1;
        let found = pages.of(question);
        let was_sent = found.sent.iter().any(|sent| sent == text);
        let before = found.delivered.iter().filter(|delivered| *delivered == text).count();
        found.delivered.push(text.into());
        // It may have been accepted unseen; what comes next is a new question.
        found.typed.clear();
        drop(pages);
        if !was_sent {
            self.broken(format!("{question}: a caller got `{text}`, which nobody sent"));
        }
        if before > 0 {
            self.broken(format!("{question}: `{text}` was given to a caller a second time"));
        }
    }

    /// How many answers have reached a caller.
    pub(super) fn deliveries(&self) -> u32 {
        self.pages().tally.delivered
    }

    /// A ticket that was given out is not known any more.
    pub(super) fn ticket_lost(&self, question: &str, ticket: &str) {
        let mut pages = self.pages();
        let given = pages.of(question).tickets.iter().find(|(given, _)| given == ticket);
        let at = given.map_or(self.begun, |(_, at)| *at);
        let excused = pages.may_be_gone(at);
        drop(pages);
        if excused {
            self.note(&format!("{question}: its ticket is gone with the file"));
        } else {
            self.broken(format!("{question}: its ticket is not known any more"));
        }
    }

    /// The tickets that were given out.
    pub(super) fn tickets(&self) -> Vec<(String, String)> {
        let pages = self.pages();
        let of = |(name, found): (&String, &Question)| {
            let tickets = found.tickets.iter().map(|(ticket, _)| (name.clone(), ticket.clone()));
            tickets.collect::<Vec<_>>()
        };
        pages.questions.iter().flat_map(of).collect()
    }

    /// Whether a caller has got this as the answer, or could have.
    pub(super) fn was_sent(&self, question: &str, text: &str) -> bool {
        self.pages().of(question).sent.iter().any(|sent| sent == text)
    }

    /// Closes the books: `history` is all that can still be redeemed.
    pub(super) fn close(self, history: &str) -> Tally {
        let mut lost = Vec::new();
        {
            let mut pages = self.pages();
            let (mut redeemable, mut gone) = (0, 0);
            for (name, found) in &pages.questions {
                let undelivered = |(text, _): &&(String, _)| !found.delivered.contains(text);
                for (text, at) in found.accepted.iter().filter(undelivered) {
                    if history.contains(&format!("\"{text}\"")) {
                        redeemable += 1;
                    } else if pages.may_be_gone(*at) {
                        gone += 1;
                    } else {
                        lost.push(format!("{name}: `{text}` was accepted, and is lost"));
                    }
                }
            }
            pages.tally.redeemable = redeemable;
            pages.tally.gone_with_the_file = gone;
        }
        for how in lost {
            self.broken(how);
        }
        self.pages.into_inner().expect("nothing panics under this lock").tally
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().expect("nothing panics under this lock")
    }
}

impl Pages {
    /// Whether what happened then may be gone with the file: one that was damaged since, or one that
    /// could not be written.
    fn may_be_gone(&self, at: Instant) -> bool {
        self.faults.iter().any(|span| {
            let until = span.until.map_or(at, |until| until + RECOVERY);
            match span.fault {
                Fault::Damage => at <= until,
                Fault::DiskFull | Fault::ReadOnly => span.from <= at && at <= until,
                _ => false,
            }
        })
    }

    fn of(&mut self, question: &str) -> &mut Question {
        self.questions.entry(question.into()).or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process, thread};

    use super::*;

    /// What is broken after this has happened, with this history.
    fn broken(history: &str, happens: impl FnOnce(&Ledger)) -> Vec<String> {
        let name = format!("askdeck-ledger-{}-{:?}", process::id(), thread::current().id());
        let log = env::temp_dir().join(name);
        let ledger = Ledger::open(&log).unwrap();
        happens(&ledger);
        let tally = ledger.close(history);
        fs::remove_file(log).unwrap();
        tally.breaks
    }

    fn send(ledger: &Ledger) {
        ledger.typed("q", 'a');
        ledger.sent("q", "xa");
        ledger.accepted("q", "xa");
    }

    #[test]
    fn an_answer_is_delivered_once_and_as_it_was_sent() {
        let well = broken("", |ledger| {
            send(ledger);
            ledger.delivered("q", "xa");
        });
        assert!(well.is_empty(), "{well:?}");
        let invented = broken("", |ledger| ledger.delivered("q", "xb"));
        assert_eq!(invented, ["q: a caller got `xb`, which nobody sent"]);
        let twice = broken("", |ledger| {
            send(ledger);
            ledger.delivered("q", "xa");
            ledger.delivered("q", "xa");
        });
        assert_eq!(twice, ["q: `xa` was given to a caller a second time"]);
    }

    #[test]
    fn an_answer_that_reached_nobody_must_be_in_the_history() {
        assert_eq!(broken("", send), ["q: `xa` was accepted, and is lost"]);
        let kept = broken(r#"{"value":"xa"}"#, send);
        assert!(kept.is_empty(), "{kept:?}");
        let damaged = broken("", |ledger| {
            send(ledger);
            let fault = ledger.fault_begins(Fault::Damage);
            ledger.fault_ends(fault);
        });
        assert!(damaged.is_empty(), "{damaged:?}");
    }

    #[test]
    fn a_letter_is_missing_only_for_a_fault_that_can_take_it() {
        let after = |fault: Option<Fault>| {
            broken("", |ledger| {
                ledger.typed("q", 'a');
                if let Some(fault) = fault {
                    let begun = ledger.fault_begins(fault);
                    ledger.fault_ends(begun);
                }
                ledger.found("q", "x");
            })
        };
        let lost = ["q: of `a` only `` was kept, without a reason"];
        assert_eq!(after(None), lost);
        assert_eq!(after(Some(Fault::CommandKilled)), lost);
        assert!(after(Some(Fault::AppKilled)).is_empty());
    }

    #[test]
    fn a_ticket_is_known_unless_the_file_was_at_risk() {
        let forgotten = |ledger: &Ledger| {
            ledger.got_ticket("q", "t");
            ledger.ticket_lost("q", "t");
        };
        assert_eq!(broken("", forgotten), ["q: its ticket is not known any more"]);
        let full = broken("", |ledger| {
            ledger.fault_begins(Fault::DiskFull);
            forgotten(ledger);
        });
        assert!(full.is_empty(), "{full:?}");
    }
}
