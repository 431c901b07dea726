//! The one place on the desktop that all our notifications share: what should stand there, and
//! what does.
//!
//! The daemon gives a notification its number only in its reply, so while one is awaited nothing
//! else is asked for; of what was wanted meanwhile only the last counts.

use askdeck_core::text;

/// More than any daemon shows.
const MOST_TEXT: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Notice {
    /// Whose it is.
    pub(in super::super) ticket: String,
    pub(super) title: String,
    pub(super) body: String,
}

impl Notice {
    pub(in super::super) fn new(ticket: &str, title: &str, body: &str) -> Self {
        let short = |text: &str| text.chars().take(MOST_TEXT).collect();
        Self {
            ticket: ticket.into(),
            title: short(&text::clean_line(title)),
            body: short(&text::clean(body)),
        }
    }
}

/// What the daemon is asked for next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    Show {
        notice: Notice,
        /// The number of the one before, or 0.
        replaces: u32,
    },
    Close {
        id: u32,
    },
}

/// A notification that the daemon shows.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) id: u32,
    pub(super) ticket: String,
}

#[derive(Default)]
pub(super) struct Slot {
    wanted: Option<Notice>,
    shown: Option<Shown>,
    /// The daemon was not asked yet for what is wanted.
    changed: bool,
    /// The daemon has not replied yet.
    asked: bool,
}

impl Slot {
    pub(super) fn want(&mut self, wanted: Option<Notice>) {
        self.wanted = wanted;
        self.changed = true;
    }

    /// The step to take now; [`Self::replied`] has to follow.
    pub(super) fn next(&mut self) -> Option<Step> {
        if self.asked || !self.changed {
            return None;
        }
        self.changed = false;
        let step = match self.wanted.clone() {
            Some(notice) => {
                Step::Show { notice, replaces: self.shown.as_ref().map_or(0, |shown| shown.id) }
            }
            None => Step::Close { id: self.shown.take()?.id },
        };
        self.asked = true;
        Some(step)
    }

    /// What is shown after the step, if anything.
    pub(super) fn replied(&mut self, shown: Option<Shown>) {
        self.shown = shown;
        self.asked = false;
    }

    /// Whether the daemon has done all that is wanted.
    pub(super) fn is_settled(&self) -> bool {
        !self.changed && !self.asked
    }

    /// The ticket of the notification with this number, if it is ours.
    pub(super) fn ticket(&self, id: u32) -> Option<String> {
        self.shown.as_ref().filter(|shown| shown.id == id).map(|shown| shown.ticket.clone())
    }

    /// The notification with this number is gone, whoever took it away.
    pub(super) fn closed(&mut self, id: u32) {
        self.shown.take_if(|shown| shown.id == id);
    }

    /// There is another daemon, in which our number may belong to someone else.
    pub(super) fn forget(&mut self) {
        self.shown = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice(ticket: &str) -> Notice {
        Notice { ticket: ticket.into(), title: "Tester".into(), body: "Deploy?".into() }
    }

    fn shown(id: u32, ticket: &str) -> Shown {
        Shown { id, ticket: ticket.into() }
    }

    fn show(ticket: &str, replaces: u32) -> Step {
        Step::Show { notice: notice(ticket), replaces }
    }

    /// A slot in which the notification 7 of ticket `a` is shown.
    fn filled() -> Slot {
        let mut slot = Slot::default();
        slot.want(Some(notice("a")));
        assert_eq!(slot.next(), Some(show("a", 0)));
        slot.replied(Some(shown(7, "a")));
        assert_eq!(slot.next(), None);
        slot
    }

    #[test]
    fn a_burst_before_the_first_reply_becomes_one() {
        let mut slot = Slot::default();
        slot.want(Some(notice("a")));
        assert_eq!(slot.next(), Some(show("a", 0)));
        for ticket in ["b", "c", "d"] {
            slot.want(Some(notice(ticket)));
            assert_eq!(slot.next(), None, "the number is not known yet");
        }
        slot.replied(Some(shown(7, "a")));
        assert_eq!(slot.next(), Some(show("d", 7)));
        assert!(!slot.is_settled());
        slot.replied(Some(shown(7, "d")));
        assert_eq!(slot.next(), None);
        assert!(slot.is_settled());
    }

    #[test]
    fn what_is_cleared_before_the_reply_is_closed_after_it() {
        let mut slot = Slot::default();
        slot.want(Some(notice("a")));
        assert_eq!(slot.next(), Some(show("a", 0)));
        slot.want(None);
        assert_eq!(slot.next(), None);
        slot.replied(Some(shown(7, "a")));
        assert_eq!(slot.next(), Some(Step::Close { id: 7 }));
        slot.replied(None);
        assert_eq!(slot.next(), None);
    }

    #[test]
    fn nothing_is_closed_that_is_not_there() {
        let mut slot = filled();
        slot.closed(7);
        slot.want(None);
        assert_eq!(slot.next(), None);
    }

    #[test]
    fn a_click_tells_whose_it_was() {
        let mut slot = filled();
        assert_eq!(slot.ticket(7).as_deref(), Some("a"));
        assert_eq!(slot.ticket(8), None, "another program's");
        slot.closed(7);
        assert_eq!(slot.ticket(7), None);
    }

    #[test]
    fn closed_notification_is_not_shown_again() {
        let mut slot = filled();
        slot.closed(7);
        assert_eq!(slot.next(), None);
        slot.want(Some(notice("b")));
        assert_eq!(slot.next(), Some(show("b", 0)));
    }

    #[test]
    fn notification_ids_of_another_daemon_are_ignored() {
        let mut slot = filled();
        slot.forget();
        slot.want(Some(notice("b")));
        assert_eq!(slot.next(), Some(show("b", 0)));
    }

    #[test]
    fn a_daemon_that_failed_is_asked_again_only_for_the_next() {
        let mut slot = Slot::default();
        slot.want(Some(notice("a")));
        assert_eq!(slot.next(), Some(show("a", 0)));
        slot.replied(None);
        assert_eq!(slot.next(), None);
        slot.want(Some(notice("b")));
        assert_eq!(slot.next(), Some(show("b", 0)));
    }
}
