//! What was asked, typed, sent, seen as sent, and told to whoever asked; and what went wrong with it.
//!
//! Every line also goes to a file, in the order of time, for whoever looks into a case.

use std::{
    collections::BTreeMap,
    fs::File,
    io::Write,
    path::Path,
    sync::{Mutex, MutexGuard},
    time::Instant,
};

use super::{
    draft::{self, Letter},
    fault::Fault,
    tally::Tally,
    troubles::Troubles,
};
use crate::Result;

pub(super) struct Ledger {
    begun: Instant,
    pages: Mutex<Pages>,
}

struct Pages {
    log: File,
    questions: BTreeMap<String, Question>,
    troubles: Troubles,
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
    /// What reached no caller, but can be had by its ticket.
    redeemed: Vec<String>,
}

impl Ledger {
    pub(super) fn open(log: &Path) -> Result<Self> {
        let log = File::create(log).map_err(|e| format!("cannot write {}: {e}", log.display()))?;
        let (questions, tally) = (BTreeMap::new(), Tally::default());
        let pages = Mutex::new(Pages { log, questions, troubles: Troubles::default(), tally });
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
        self.pages().troubles.begin(fault, Instant::now())
    }

    pub(super) fn fault_ends(&self, number: usize) {
        let mut pages = self.pages();
        let fault = pages.troubles.end(number, Instant::now());
        *pages.tally.faults.entry(fault).or_default() += 1;
        drop(pages);
        self.note(&format!("fault {fault} ends"));
    }

    /// There was nothing to do it to. It does not count, but the attempt may have left its marks.
    pub(super) fn fault_fails(&self, number: usize) {
        self.pages().troubles.end(number, Instant::now());
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

    /// Whether a fault can have ended a caller so just now.
    pub(super) fn excuses_end(&self, code: i32) -> bool {
        self.pages().troubles.excuse_end(code, Instant::now())
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
        let no_letters = Vec::new();
        let typed = pages.questions.get(question).map_or(&no_letters, |found| &found.typed);
        let kept = text.replace('x', "");
        let explanation = draft::compare(typed, &kept, |letter| pages.troubles.excuse(letter));
        let all: String = typed.iter().map(|typed| typed.key).collect();
        pages.tally.drafts_checked += 1;
        // Damage to the last writes may bring back what was there before them.
        let was_damaged = pages.troubles.have_damaged();
        let sent_before = pages.of(question).sent.iter().any(|sent| sent.starts_with(text));
        let now = Instant::now();
        let unknown = |key| Letter { key, pressed: now, taken: None };
        let letters = match &explanation {
            Some(explanation) => explanation.kept.clone(),
            None => kept.chars().map(unknown).collect(),
        };
        pages.of(question).typed = letters;
        pages.of(question).take(now);
        let how = if let Some(lost) = explanation {
            pages.tally.letters_lost += lost.excused + lost.unexcused;
            (lost.unexcused > 0)
                .then(|| format!("{question}: of `{all}` only `{kept}` was kept, without a reason"))
        } else if was_damaged && sent_before {
            None
        } else {
            Some(format!("{question}: the box holds `{kept}`, but `{all}` was typed"))
        };
        drop(pages);
        self.note(&format!("{question} is on the screen with `{text}`"));
        if let Some(how) = how {
            self.broken(how);
        }
    }

    pub(super) fn typed(&self, question: &str, key: char, pressed: Instant) {
        let mut pages = self.pages();
        pages.tally.letters += 1;
        pages.of(question).typed.push(Letter { key, pressed, taken: None });
    }

    /// All that was typed is in the app's draft.
    pub(super) fn seen(&self, question: &str, at: Instant) {
        self.pages().of(question).take(at);
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
        let excused = pages.troubles.may_be_gone(at);
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

    /// What was seen as sent, and reached nobody.
    pub(super) fn undelivered(&self) -> Vec<(String, String)> {
        let pages = self.pages();
        let of = |(name, found): (&String, &Question)| {
            found.missing().map(|(text, _)| (name.clone(), text.clone())).collect::<Vec<_>>()
        };
        pages.questions.iter().flat_map(of).collect()
    }

    /// It is still to be had, by its ticket.
    pub(super) fn redeemed(&self, question: &str, text: &str) {
        self.note(&format!("{question} can still be answered with `{text}`"));
        let mut pages = self.pages();
        pages.tally.redeemable += 1;
        pages.of(question).redeemed.push(text.into());
    }

    /// Closes the books: what reached nobody and was not redeemed is lost.
    pub(super) fn close(self) -> Tally {
        let (mut gone, mut lost) = (0, Vec::new());
        {
            let pages = self.pages();
            for (name, found) in &pages.questions {
                for (text, at) in found.missing() {
                    if pages.troubles.may_be_gone(*at) {
                        gone += 1;
                    } else {
                        lost.push(format!("{name}: `{text}` was accepted, and is lost"));
                    }
                }
            }
        }
        self.pages().tally.gone_with_the_file = gone;
        for how in lost {
            self.broken(how);
        }
        self.pages.into_inner().expect("nothing panics under this lock").tally
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().expect("nothing panics under this lock")
    }
}

impl Question {
    /// All that is typed is known to be in the app's draft, then if not before.
    fn take(&mut self, at: Instant) {
        for letter in &mut self.typed {
            letter.taken.get_or_insert(at);
        }
    }

    fn missing(&self) -> impl Iterator<Item = &(String, Instant)> {
        let had = |text| self.delivered.contains(text) || self.redeemed.contains(text);
        self.accepted.iter().filter(move |(text, _)| !had(text))
    }
}

impl Pages {
    fn of(&mut self, question: &str) -> &mut Question {
        self.questions.entry(question.into()).or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process, thread, time::Duration};

    use super::*;

    /// What is broken after this has happened.
    fn broken(happens: impl FnOnce(&Ledger)) -> Vec<String> {
        let name = format!("askdeck-ledger-{}-{:?}", process::id(), thread::current().id());
        let log = env::temp_dir().join(name);
        let ledger = Ledger::open(&log).unwrap();
        happens(&ledger);
        let tally = ledger.close();
        fs::remove_file(log).unwrap();
        tally.breaks
    }

    fn send(ledger: &Ledger) {
        ledger.typed("q", 'a', Instant::now());
        ledger.sent("q", "xa");
        ledger.accepted("q", "xa");
    }

    #[test]
    fn an_answer_is_delivered_once_and_as_it_was_sent() {
        let well = broken(|ledger| {
            send(ledger);
            ledger.delivered("q", "xa");
        });
        assert!(well.is_empty(), "{well:?}");
        let invented = broken(|ledger| ledger.delivered("q", "xb"));
        assert_eq!(invented, ["q: a caller got `xb`, which nobody sent"]);
        let twice = broken(|ledger| {
            send(ledger);
            ledger.delivered("q", "xa");
            ledger.delivered("q", "xa");
        });
        assert_eq!(twice, ["q: `xa` was given to a caller a second time"]);
    }

    #[test]
    fn an_answer_that_reached_nobody_must_be_redeemable() {
        assert_eq!(broken(send), ["q: `xa` was accepted, and is lost"]);
        let kept = broken(|ledger| {
            send(ledger);
            assert_eq!(ledger.undelivered(), [("q".into(), "xa".into())]);
            ledger.redeemed("q", "xa");
        });
        assert!(kept.is_empty(), "{kept:?}");
        let damaged = broken(|ledger| {
            send(ledger);
            let fault = ledger.fault_begins(Fault::Damage);
            ledger.fault_ends(fault);
        });
        assert!(damaged.is_empty(), "{damaged:?}");
    }

    #[test]
    fn a_letter_that_was_there_once_is_not_excused_as_the_last_one() {
        let lost = broken(|ledger| {
            let before = Instant::now().checked_sub(Duration::from_secs(2)).unwrap();
            ledger.typed("q", 'a', before);
            ledger.seen("q", before);
            ledger.found("q", "xa");
            let killed = ledger.fault_begins(Fault::AppKilled);
            ledger.fault_ends(killed);
            ledger.found("q", "x");
        });
        assert_eq!(lost, ["q: of `a` only `` was kept, without a reason"]);
    }

    #[test]
    fn a_ticket_is_known_unless_the_file_was_at_risk() {
        let forgotten = |ledger: &Ledger| {
            ledger.got_ticket("q", "t");
            ledger.ticket_lost("q", "t");
        };
        assert_eq!(broken(forgotten), ["q: its ticket is not known any more"]);
        let full = broken(|ledger| {
            ledger.fault_begins(Fault::DiskFull);
            forgotten(ledger);
        });
        assert!(full.is_empty(), "{full:?}");
    }
}
