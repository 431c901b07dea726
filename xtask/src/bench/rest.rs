//! Whether the app rests while a dialog is open that nobody touches.
//!
//! One opening tells little: something that keeps a window drawing may begin with one of them and
//! not with the next.

use std::{thread, time::Duration};

use askdeck_testkit::{Wire, within};

use super::{
    App, PATIENCE,
    row::windows,
    weight::{self, Unrest},
};
use crate::{Result, desktop::Desktop};

pub(super) const OPENINGS: usize = 20;

/// How long a window that has just come has things to do: the window manager's, and the tray's.
const SETTLING: Duration = Duration::from_millis(1500);
/// It is watched for so many stretches of this length, and the middle one counts: what happens once,
/// such as the collection of the page's garbage, is over then.
const STRETCHES: usize = 5;
const STRETCH: Duration = Duration::from_millis(400);

/// One of each kind that is drawn otherwise, and an answer to it.
const QUESTIONS: [(&str, &str); 4] = [
    (r#"{"question":"Which?","options":["This","That"]}"#, r#"[{"selected":[0]}]"#),
    (r#"{"question":"In your words?","type":"text"}"#, r#"[{"value":"So"}]"#),
    (r#"{"question":"Shall I?","type":"confirm"}"#, r#"[{"value":true}]"#),
    (
        r#"{"title":"Two","questions":[{"header":"One","question":"Which?","options":["This","That"]},{"header":"Two","question":"Which of them?","type":"multi","options":["This","That"]}]}"#,
        r#"[{"selected":[0]},{"selected":[0]}]"#,
    ),
];

/// What the app does while each of the dialogs is open, one after the other.
pub(super) fn with_dialogs(app: &mut App, desktop: &Desktop) -> Result<Vec<Unrest>> {
    let id = app.id();
    let mut wire = Wire::connect(&app.socket())?;
    let questions = QUESTIONS.iter().cycle().zip(0..OPENINGS);
    questions
        .map(|((payload, answers), n)| {
            let ticket = format!("rest-{n}");
            wire.call("submit", &format!(r#"{{"ticket":"{ticket}","payload":{payload}}}"#))?;
            wire.call("ready", "{}")?;
            thread::sleep(SETTLING);
            let unrest = middle(id)?;
            if windows(desktop).is_none() {
                return Err(format!("the dialog {ticket} did not stay open"));
            }
            wire.call("answer", &format!(r#"{{"ticket":"{ticket}","answers":{answers}}}"#))?;
            within(PATIENCE, "its window to close", || {
                Ok(windows(desktop).is_none().then_some(()))
            })?;
            Ok(unrest)
        })
        .collect()
}

fn middle(app: u32) -> Result<Unrest> {
    let family = weight::family(app);
    let mut all = (0..STRETCHES)
        .map(|_| weight::unrest(&family, STRETCH))
        .collect::<Result<Vec<Unrest>>>()?;
    all.sort_by(|one, other| one.wake_ups.total_cmp(&other.wake_ups));
    Ok(all.swap_remove(STRETCHES / 2))
}
