//! A session to which anything happens.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use askdeck_core::{
    dialog::Dialog,
    outcome::Outcome,
    session::{CheckedOutcome, Closing, Numbers, Phase, Saved, Session, Settings},
};

use super::script::{SECRET, Script, sends};

/// Only the person answers, with what was offered; what has ended has ended, and no secret is kept.
pub fn session(script: &mut Script) -> BTreeSet<&'static str> {
    let settings = Settings {
        arming: Duration::from_millis(400),
        closing: script.one_of(&[Closing::SetsAside, Closing::Dismisses]),
        undo: Duration::from_secs(script.one_of(&[0, 10])),
        numbers: Numbers::Comma,
    };
    let dialog = script.dialog();
    let mut now = Instant::now();
    let mut session = Session::new(dialog.clone(), settings, now);
    if script.yes()
        && let Ok(saved) = serde_json::from_str(&script.draft(dialog))
    {
        session.restore(saved);
    }
    while !script.is_over() {
        let before = ended(&mut session, now);
        let may_answer = happens(script, dialog, &mut session, &mut now);
        session.settle(now);
        match (before, ended(&mut session, now)) {
            (Some((how, phase, given)), Some(after)) => {
                assert_eq!((how, phase), (after.0, after.1));
                assert!(given.gives_the_same(&after.2), "{given:?} became {:?}", after.2);
            }
            (Some(before), None) => panic!("{before:?} began anew"),
            (None, Some((outcome, ..))) => {
                assert_given(dialog, &outcome);
                assert!(may_answer || !matches!(outcome, Outcome::Answered { .. }), "{outcome:?}");
            }
            (None, None) => {}
        }
        assert_secret_free(&session.save());
        let _ = (session.next_tick(), session.next_tick_unseen(), session.time_left(now));
        let _ = (session.spent(now), session.take_set_aside());
    }
    session.outcome().map(Outcome::name).into_iter().collect()
}

/// How it ended, what is said of it, and what is kept of it; if it has.
fn ended(session: &mut Session, now: Instant) -> Option<(Outcome, Phase, Saved)> {
    let phase = session.view(now).phase;
    Some((session.outcome()?.clone(), phase, session.save()))
}

/// Whether it was something by which a person answers.
fn happens(script: &mut Script, dialog: &Dialog, session: &mut Session, now: &mut Instant) -> bool {
    match script.letter(8) {
        b'a'..=b'c' => {
            let event = script.event(dialog);
            let sends = sends(&event);
            session.apply(event, *now);
            return sends;
        }
        b'd' => pass(now, script.time()),
        b'e' => {
            if let Ok(update) = serde_json::from_str(&script.draft(dialog)) {
                session.adopt(&update);
            }
        }
        b'f' => {
            let outcome = script.outcome(dialog);
            let ending = CheckedOutcome::new(session.dialog().clone(), outcome);
            return ending.map(|ending| session.end_elsewhere(ending)).is_ok();
        }
        b'g' => {
            let limit = script.yes().then(|| script.duration());
            session.set_limit(limit, *now);
        }
        _ => session.resume_countdown(script.duration()),
    }
    false
}

/// The clock of a machine may be set back; nobody has waited longer then.
pub fn pass(now: &mut Instant, (time, backwards): (Duration, bool)) {
    let then = if backwards { now.checked_sub(time) } else { now.checked_add(time) };
    *now = then.unwrap_or(*now);
}

/// Nothing is chosen that was not offered, and nothing answered that was not asked.
pub fn assert_given(dialog: &Dialog, outcome: &Outcome) {
    let answers = outcome.answers();
    assert!(answers.len() <= dialog.questions.len(), "{outcome:?}");
    if let Outcome::Answered { .. } = outcome {
        assert_eq!(answers.len(), dialog.questions.len(), "{outcome:?}");
    }
    for (question, answer) in dialog.questions.iter().zip(answers) {
        let options = question.options().len();
        assert!(answer.selected.iter().all(|index| *index < options), "{outcome:?}");
    }
}

pub fn assert_secret_free(kept: &impl serde::Serialize) {
    let kept = serde_json::to_string(kept).expect("it is kept as JSON");
    assert!(!kept.contains(SECRET), "{kept}");
}
