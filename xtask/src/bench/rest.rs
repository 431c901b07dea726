//! Whether the app rests while a dialog is open that nobody touches.
//!
//! One opening tells little: something that keeps a window drawing may begin with one of them and
//! not with the next.

use std::{thread, time::Duration};

use super::{
    App, PATIENCE,
    row::windows,
    weight::{self, Unrest},
};
use crate::{Result, desktop::Desktop, wait, wire::Wire};

pub(super) const OPENINGS: usize = 20;

/// How long a window that has just come has things to do: the window manager's, and the tray's.
const SETTLING: Duration = Duration::from_millis(1500);
const WATCH: Duration = Duration::from_secs(2);

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
            let unrest = weight::unrest(&weight::family(id), WATCH)?;
            if windows(desktop)?.is_none() {
                return Err(format!("the dialog {ticket} did not stay open"));
            }
            wire.call("answer", &format!(r#"{{"ticket":"{ticket}","answers":{answers}}}"#))?;
            wait::until("its window to close", PATIENCE, || {
                Ok(windows(desktop)?.is_none().then_some(()))
            })?;
            Ok(unrest)
        })
        .collect()
}
