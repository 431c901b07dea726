//! What the desk keeps, and what it does as long as nothing can be kept.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::{State, ended};
use crate::{
    deck::{Kept, Quiet, What},
    desktop::warnings::Warnings,
    dialog::Dialog,
    outcome::{Outcome, Through},
    protocol::{Ended, Reply},
    server::Replier,
    store::{self, Millis, Notice, Pending, Store, StoreError},
};

/// How a dialog ended, with all that it takes to keep it.
pub(super) struct Ending {
    pub(super) dialog: Arc<Dialog>,
    pub(super) key: String,
    pub(super) asked_at: Millis,
    pub(super) further_tickets: Vec<String>,
    /// Without secrets.
    pub(super) outcome: Outcome,
    pub(super) through: Option<Through>,
    pub(super) at: Millis,
    pub(super) delivered_at: Option<Millis>,
}

impl Ending {
    fn keep(&self, store: &mut Store) -> Result<(), StoreError> {
        let Self { dialog, key, asked_at, further_tickets, outcome, through, at, delivered_at } =
            self;
        add_tickets(store, dialog, further_tickets)?;
        match store.end(dialog, outcome, *through, *at) {
            // Only that it was delivered could not be kept then.
            Err(StoreError::NotThere) if has_ended(store, dialog)? => {}
            // It was asked while nothing could be kept, or into a file that was set aside.
            Err(StoreError::NotThere) => {
                store.insert(dialog, key, *asked_at)?;
                add_tickets(store, dialog, further_tickets)?;
                store.end(dialog, outcome, *through, *at)?;
            }
            kept => kept?,
        }
        delivered_at.map_or(Ok(()), |at| store.deliver(&dialog.id, at))
    }

    fn has_ticket(&self, ticket: &str) -> bool {
        self.dialog.id == ticket || self.further_tickets.iter().any(|further| further == ticket)
    }
}

fn has_ended(store: &Store, dialog: &Dialog) -> Result<bool, StoreError> {
    Ok(store.find(&dialog.id)?.is_some_and(|record| record.outcome.is_some()))
}

/// Those that are there already stay.
fn add_tickets(store: &mut Store, dialog: &Dialog, further: &[String]) -> Result<(), StoreError> {
    further.iter().try_for_each(|further| store.add_ticket(&dialog.id, further))
}

/// What was pending when the last app went. A file that shows only now that it is damaged is begun
/// afresh, with what can be read of it.
pub(super) fn pending(store: &mut Store, warnings: &mut Warnings) -> Vec<Pending> {
    let mut pending = store.pending();
    if pending == Err(StoreError::Damaged) {
        if let Some(notice) = store.begin_afresh() {
            warnings.add(notice);
        }
        pending = store.pending();
    }
    pending.unwrap_or_else(|why| {
        warnings.add(Notice::NotKept { why });
        Vec::new()
    })
}

fn millis(time: Duration) -> Millis {
    Millis::try_from(time.as_millis()).unwrap_or(Millis::MAX)
}

/// An open dialog with this draft, whether it is there already or not.
fn save(store: &mut Store, open: Kept, draft: &str) -> Result<(), StoreError> {
    let Kept { dialog, key, asked_at, further_tickets, .. } = open;
    match store.save_draft(&dialog.id, draft) {
        // It was asked while nothing could be kept, or into a file that was set aside.
        Err(StoreError::NotThere) => {
            store.insert(dialog, key, asked_at)?;
            add_tickets(store, dialog, further_tickets)?;
            store.save_draft(&dialog.id, draft)
        }
        saved => saved,
    }
}

impl State {
    /// Keeps a dialog that is about to be shown: where that fails, as soon as it can be.
    pub(super) fn keep_dialog(&mut self, dialog: &Dialog, key: &str, asked_at: Millis) {
        self.return_to_file();
        let kept = self.store.insert(dialog, key, asked_at);
        self.try_again_if_not_kept(&dialog.id, kept);
    }

    /// Keeps that an open dialog has a further ticket: where that fails, as soon as it can be.
    pub(super) fn keep_ticket(&mut self, ticket: &str, further: &str) {
        let kept = self.store.add_ticket(ticket, further);
        self.try_again_if_not_kept(ticket, kept);
    }

    fn try_again_if_not_kept(&mut self, ticket: &str, kept: Result<(), StoreError>) {
        if kept.is_err() && !self.unsaved.iter().any(|unsaved| unsaved == ticket) {
            self.unsaved.push(ticket.into());
        }
        self.tell_if_not_kept(kept);
    }

    /// Keeps how a dialog ended: where that fails in memory, until it succeeds.
    pub(super) fn keep_end(&mut self, ending: Ending) {
        let kept = ending.keep(&mut self.store);
        if kept.is_err() {
            self.unkept.push(ending);
        }
        self.tell_if_not_kept(kept);
        self.keep_unkept();
    }

    /// Keeps everything again as soon as there is room for it.
    pub(super) fn return_to_file(&mut self) {
        if self.store.return_to_file() {
            self.end_warning();
        }
    }

    /// Tries once more to keep what could not be kept.
    pub(super) fn keep_unkept(&mut self) {
        if self.is_all_kept() {
            return;
        }
        let Self { deck, store, unkept, unsaved, .. } = self;
        unkept.retain(|ending| ending.keep(store).is_err());
        while let Some(ticket) = unsaved.last() {
            let open = deck.entries().find(|kept| kept.dialog.id == *ticket);
            // One that has ended meanwhile is among the others, if it is not kept.
            if let Some(open) = open {
                let draft = serde_json::to_string(open.draft).unwrap_or_default();
                let saved = save(store, open, &draft)
                    .and_then(|()| add_tickets(store, open.dialog, open.further_tickets));
                // Where one cannot be kept, the next cannot either.
                if saved.is_err() {
                    return;
                }
            }
            unsaved.pop();
        }
        self.end_warning();
    }

    fn is_all_kept(&self) -> bool {
        self.unkept.is_empty() && self.unsaved.is_empty()
    }

    /// Says no more that nothing is kept, if everything is.
    fn end_warning(&mut self) {
        let is_kept = self.is_all_kept() && self.store.file().is_some();
        if is_kept && self.warnings.end_not_kept() {
            self.draw_list();
        }
    }

    /// Whether an answer would be gone with the app: it is not kept, and reached nobody.
    pub(super) fn holds_an_answer(&self) -> bool {
        self.unkept.iter().any(|unkept| {
            let answered = matches!(unkept.outcome, Outcome::Answered { .. });
            answered && unkept.delivered_at.is_none()
        })
    }

    /// The draft of an open dialog, even if it was asked while nothing could be kept.
    pub(super) fn keep_draft(&mut self, ticket: &str, draft: &str) {
        let open = self.deck.entries().find(|kept| kept.dialog.id == ticket);
        let kept = match open {
            Some(open) => save(&mut self.store, open, draft),
            // It has ended with this.
            None => self.store.save_draft(ticket, draft),
        };
        self.try_again_if_not_kept(ticket, kept);
    }

    /// That the person does not want to be disturbed, for the next app.
    pub(super) fn keep_quiet(&mut self, quiet: Quiet) {
        let until = quiet.time().map_or(Millis::MAX, |time| store::now() + millis(time));
        let kept = self.store.set_quiet_until(until);
        self.tell_if_not_kept(kept);
    }

    /// Goes on as the last app was told.
    pub(super) fn stay_quiet(&mut self) {
        let until = self.store.quiet_until().unwrap_or_default();
        let left = u64::try_from(until.saturating_sub(store::now())).unwrap_or_default();
        if left > 0 {
            let left = (until < Millis::MAX).then_some(Duration::from_millis(left));
            self.deck.stay_quiet(left, Instant::now());
        }
    }

    /// The key of the dialog of a ticket, open or not.
    pub(super) fn key(&self, ticket: &str) -> Option<String> {
        let unkept = self.unkept.iter().find(|unkept| unkept.has_ticket(ticket));
        let known = self.deck.key(ticket).or(unkept.map(|unkept| unkept.key.as_str()));
        let kept = || Some(self.store.find(ticket).ok()??.key);
        known.map(str::to_owned).or_else(kept)
    }

    /// How the dialog of a ticket ended, if it has.
    pub(super) fn ending(&self, ticket: &str) -> Result<Option<(Dialog, Outcome)>, StoreError> {
        if let Some(unkept) = self.unkept.iter().find(|unkept| unkept.has_ticket(ticket)) {
            return Ok(Some((unkept.dialog.as_ref().clone(), unkept.outcome.clone())));
        }
        let record = self.store.find(ticket)?;
        Ok(record.and_then(|record| Some((record.dialog, record.outcome?))))
    }

    /// The answer to the same question that was given since then, and reached nobody.
    pub(super) fn undelivered(&self, key: &str, since: Millis) -> Option<(Dialog, Outcome)> {
        let unkept = self.unkept.iter().rev().find(|unkept| {
            let answered = matches!(unkept.outcome, Outcome::Answered { .. });
            answered && unkept.key == key && unkept.at >= since && unkept.delivered_at.is_none()
        });
        if let Some(unkept) = unkept {
            let outcome = Some(unkept.outcome.clone()).filter(Outcome::is_whole)?;
            return Some((unkept.dialog.as_ref().clone(), outcome));
        }
        let record = self.store.undelivered(key, since).ok()??;
        Some((record.dialog, record.outcome?))
    }

    /// Tells a caller how its dialog ended. Whether it arrived.
    pub(super) fn deliver(&mut self, replier: Replier, dialog: &Dialog, outcome: &Outcome) -> bool {
        self.hand_over(replier, dialog, ended(dialog, outcome.clone()))
    }

    /// Tells a caller how the same was answered before, to one that had left. Whether it arrived.
    pub(super) fn deliver_reused(
        &mut self,
        replier: Replier,
        dialog: &Dialog,
        outcome: &Outcome,
    ) -> bool {
        let ended = ended(dialog, outcome.clone());
        self.hand_over(replier, dialog, Ended { reused: true, ..ended })
    }

    fn hand_over(&mut self, replier: Replier, dialog: &Dialog, ended: Ended) -> bool {
        let at = store::now();
        let outcome = ended.outcome.clone();
        let is_first = !self.is_delivered(&dialog.id);
        // Noted before it is told. If the app ended in between, the caller would ask again by its
        // ticket, and get it; noted afterwards, the next who asks the same would be given an answer
        // that was not meant for them.
        let kept = self.note_delivered(&dialog.id, at);
        self.tell_if_not_kept(kept);
        let arrived = replier.reply(Reply::Ended(ended));
        if !arrived {
            let kept = self.note_undelivered(&dialog.id, at);
            self.tell_if_not_kept(kept);
        } else if is_first {
            self.subscribers.tell(&What::Delivered { outcome }, dialog);
        }
        arrived
    }

    /// Whether the outcome has reached a caller.
    fn is_delivered(&self, ticket: &str) -> bool {
        if let Some(unkept) = self.unkept.iter().find(|unkept| unkept.dialog.id == ticket) {
            return unkept.delivered_at.is_some();
        }
        let record = self.store.find(ticket).ok().flatten();
        record.is_some_and(|record| record.delivered_at.is_some())
    }

    fn note_delivered(&mut self, ticket: &str, at: Millis) -> Result<(), StoreError> {
        match self.unkept.iter_mut().find(|unkept| unkept.dialog.id == ticket) {
            Some(unkept) => {
                unkept.delivered_at.get_or_insert(at);
                Ok(())
            }
            None => self.store.deliver(ticket, at),
        }
    }

    fn note_undelivered(&mut self, ticket: &str, at: Millis) -> Result<(), StoreError> {
        match self.unkept.iter_mut().find(|unkept| unkept.dialog.id == ticket) {
            Some(unkept) => {
                unkept.delivered_at.take_if(|delivered| *delivered == at);
                Ok(())
            }
            None => self.store.take_back_delivery(ticket, at),
        }
    }

    /// The person is told as long as what they give is not kept. What was damaged is begun afresh.
    pub(super) fn tell_if_not_kept(&mut self, kept: Result<(), StoreError>) {
        let notice = match kept {
            Ok(()) => return self.end_warning(),
            Err(StoreError::Damaged) => {
                let notice = self.store.begin_afresh();
                // They may have been saved, with older drafts.
                self.unsaved = self.deck.entries().map(|kept| kept.dialog.id.clone()).collect();
                self.keep_unkept();
                notice
            }
            Err(error) => Some(Notice::NotKept { why: error }),
        };
        if notice.is_some_and(|notice| self.warnings.add(notice)) {
            self.draw_list();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::FileExt, path::Path};

    use rusqlite::Connection;

    use super::*;
    use crate::{dialog::Caller, protocol::Ui};

    fn dialog(ticket: &str) -> Dialog {
        let dialect = &crate::dialect::askdeck::DIALECT;
        let payload = (dialect.read)(&serde_json::json!({ "question": "Which?" }));
        let rules = &dialect.rules;
        Dialog::check(payload, rules, ticket.into(), dialect.name, Caller::default()).unwrap()
    }

    /// A state that keeps in this file, with an open dialog under the ticket `a`.
    fn asked(file: &Path) -> State {
        let (store, _) = Store::open(Some(file));
        let mut state = State::new(Duration::ZERO, store, Warnings::default());
        let now = Instant::now();
        state.deck.ask(dialog("a"), "key".into(), Ui::Window, Some(1), 1, now);
        state.keep_dialog(&dialog("a"), "key", 1);
        state
    }

    /// How that dialog ended.
    fn ending() -> Ending {
        Ending {
            dialog: Arc::new(dialog("a")),
            key: "key".into(),
            asked_at: 1,
            further_tickets: Vec::new(),
            outcome: Outcome::Dismissed,
            through: None,
            at: 2,
            delivered_at: None,
        }
    }

    /// Asks the same under another ticket.
    fn ask_again(state: &mut State, further: &str) {
        let now = Instant::now();
        state.deck.ask(dialog(further), "key".into(), Ui::Window, Some(2), 2, now);
        state.keep_ticket("a", further);
    }

    /// As if there were no room for such rows, until what is returned is called.
    fn fill(file: &Path, rows: &str) -> impl FnOnce() {
        let db = Connection::open(file).unwrap();
        let full = "BEGIN SELECT RAISE(ABORT, 'no room'); END";
        db.execute_batch(&format!("CREATE TRIGGER no_room BEFORE INSERT ON {rows} {full}"))
            .unwrap();
        move || db.execute_batch("DROP TRIGGER no_room").unwrap()
    }

    #[test]
    fn a_further_ticket_that_could_not_be_kept_is_kept_once_it_can_be() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("askdeck.sqlite");
        let mut state = asked(&file);
        let make_room = fill(&file, "tickets");
        ask_again(&mut state, "b");
        assert!(state.warnings.why_not_kept().is_some());
        make_room();
        state.keep_unkept();
        assert_eq!(state.warnings.why_not_kept(), None);
        assert_eq!(state.store.find("b").unwrap().unwrap().dialog.id, "a");
    }

    #[test]
    fn where_there_is_room_for_the_end_alone_the_rest_is_kept_later() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("askdeck.sqlite");
        let mut store = asked(&file).store;
        let ending = Ending { delivered_at: Some(3), ..ending() };
        let make_room = fill(&file, "events WHEN new.what = 'delivered'");
        assert!(ending.keep(&mut store).is_err());
        make_room();
        assert_eq!(ending.keep(&mut store), Ok(()));
        assert_eq!(store.find("a").unwrap().unwrap().delivered_at, Some(3));
    }

    #[test]
    fn whose_an_answer_is_that_could_not_be_kept_is_known_by_each_of_its_tickets() {
        let mut state = State::new(Duration::ZERO, Store::in_memory(), Warnings::default());
        state.unkept.push(Ending { further_tickets: vec!["b".into()], ..ending() });
        let keys = ["a", "b", "c"].map(|ticket| state.key(ticket));
        assert_eq!(keys.each_ref().map(Option::as_deref), [Some("key"), Some("key"), None]);
    }

    #[test]
    fn what_is_pending_in_a_damaged_file_comes_back_and_the_person_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("askdeck.sqlite");
        let (mut store, _) = Store::open(Some(&file));
        for ticket in ["a", "b"] {
            store.insert(&dialog(ticket), ticket, 1).unwrap();
        }
        drop(store);
        // It was closed in order, so that nothing but a query finds the damage.
        let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'pending'";
        let page: u32 =
            Connection::open(&file).unwrap().query_row(root, [], |row| row.get(0)).unwrap();
        let bytes = fs::OpenOptions::new().write(true).open(&file).unwrap();
        bytes.write_all_at(&[0xff; 4096], u64::from(page - 1) * 4096).unwrap();

        let (mut store, notice) = Store::open(Some(&file));
        assert_eq!((notice, store.pending()), (None, Err(StoreError::Damaged)));
        let mut warnings = Warnings::default();
        let pending = pending(&mut store, &mut warnings);
        let tickets: Vec<_> = pending.iter().map(|pending| pending.dialog.id.as_str()).collect();
        assert_eq!(tickets, ["a", "b"]);
        let warning = serde_json::to_value(warnings.first()).unwrap();
        assert_eq!(warning["word"], "store_damaged");
        assert_eq!(store.pending(), Ok(pending));
    }
}
