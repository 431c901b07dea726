//! Which fault was there when, and what it excuses.

use std::time::{Duration, Instant};

use super::{draft::Letter, fault::Fault};

/// So long after a fault a person may type into a window that is not back yet.
const RECOVERY: Duration = Duration::from_secs(3);
/// What a person may lose of their typing.
const LOST_AT_MOST: Duration = Duration::from_secs(1);
/// So long after a fault a caller may end by it: a slow machine takes a while to start an app in
/// vain.
const NOTICED: Duration = Duration::from_secs(10);

#[derive(Default)]
pub(super) struct Troubles(Vec<Span>);

struct Span {
    fault: Fault,
    from: Instant,
    until: Option<Instant>,
}

impl Troubles {
    /// Returns its number.
    pub(super) fn begin(&mut self, fault: Fault, from: Instant) -> usize {
        self.0.push(Span { fault, from, until: None });
        self.0.len() - 1
    }

    pub(super) fn end(&mut self, number: usize, until: Instant) -> Fault {
        let span = &mut self.0[number];
        span.until = Some(until);
        span.fault
    }

    /// Whether a letter may be missing.
    ///
    /// One that the app was seen to have is at risk until it must have been kept. One that nobody
    /// saw may never have reached a box, for the window was not back yet.
    pub(super) fn excuse(&self, letter: &Letter) -> bool {
        let interrupted = self.0.iter().filter(|span| span.fault.interrupts_typing()).any(|span| {
            let Some(taken) = letter.taken else { return span.lasts(letter.pressed, RECOVERY) };
            // The window that shows a letter after a kill is a new one, and the kill is over.
            let after = if span.fault.is_kill() { LOST_AT_MOST } else { RECOVERY };
            span.from < taken + LOST_AT_MOST && span.lasts(letter.pressed, after)
        });
        interrupted || self.may_be_gone(letter.pressed)
    }

    /// Whether what happened then may be gone with the file: one that was damaged since, or one that
    /// could not be written.
    pub(super) fn may_be_gone(&self, at: Instant) -> bool {
        self.0.iter().any(|span| match span.fault {
            Fault::Damage => span.lasts(at, RECOVERY),
            Fault::DiskFull | Fault::ReadOnly | Fault::FileLocked => {
                span.from <= at && span.lasts(at, RECOVERY)
            }
            _ => false,
        })
    }

    /// Whether a caller may end so at that time.
    pub(super) fn excuse_end(&self, code: i32, at: Instant) -> bool {
        self.0.iter().any(|span| {
            span.fault.can_end_callers_with(code) && span.from <= at && span.lasts(at, NOTICED)
        })
    }

    pub(super) fn have_damaged(&self) -> bool {
        self.0.iter().any(|span| span.fault == Fault::Damage)
    }
}

impl Span {
    /// Whether it, or so long after it, was not over before this time.
    fn lasts(&self, at: Instant, after: Duration) -> bool {
        self.until.is_none_or(|until| at <= until + after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fault that comes at ten seconds and goes at twelve, and the time at so many seconds.
    fn trouble(fault: Fault) -> (Troubles, impl Fn(u64) -> Instant) {
        let start = Instant::now();
        let at = move |seconds| start + Duration::from_secs(seconds);
        let mut troubles = Troubles::default();
        let number = troubles.begin(fault, at(10));
        troubles.end(number, at(12));
        (troubles, at)
    }

    #[test]
    fn a_letter_that_was_seen_is_kept_a_second_later() {
        let (troubles, at) = trouble(Fault::AppStopped);
        let lost = |pressed, taken| {
            troubles.excuse(&Letter { key: 'a', pressed: at(pressed), taken: Some(at(taken)) })
        };
        assert!(!lost(8, 9), "it was kept before");
        assert!(lost(9, 10) && lost(8, 10) && lost(11, 11) && lost(15, 15));
        assert!(!lost(16, 16), "all is well again");
    }

    #[test]
    fn a_letter_after_a_kill_is_lost_only_if_nobody_saw_it() {
        let (troubles, at) = trouble(Fault::WebProcessKilled);
        let lost = |taken| troubles.excuse(&Letter { key: 'a', pressed: at(14), taken });
        assert!(lost(None));
        assert!(!lost(Some(at(14))));
    }

    #[test]
    fn a_letter_is_missing_only_for_a_fault_that_can_take_it() {
        let lost = |fault| {
            let (troubles, at) = trouble(fault);
            troubles.excuse(&Letter { key: 'a', pressed: at(10), taken: None })
        };
        assert!(lost(Fault::AppKilled));
        assert!(!lost(Fault::CommandKilled));
    }

    #[test]
    fn callers_end_badly_only_while_a_fault_that_causes_it_lasts() {
        let (troubles, at) = trouble(Fault::ServerRestart);
        assert!(!troubles.excuse_end(3, at(9)));
        assert!(troubles.excuse_end(3, at(11)) && troubles.excuse_end(3, at(22)));
        assert!(!troubles.excuse_end(3, at(23)));
        assert!(!troubles.excuse_end(-9, at(11)));
        assert!(!trouble(Fault::AppKilled).0.excuse_end(3, at(11)));
    }
}
