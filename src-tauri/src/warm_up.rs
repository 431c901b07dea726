//! A question that is drawn before anybody asks, and never seen: what the first one of a web process
//! takes three times as long for is done by then.

use std::time::{Duration, Instant};

use askdeck_core::{
    asking,
    deck::Staged,
    dialog::Caller,
    protocol::Ask,
    session::{Closing, Numbers, Session, Settings},
};
use serde_json::json;

use super::page::PageDialog;

pub(super) fn question() -> Option<PageDialog> {
    let option = |label| json!({ "label": label, "description": "`-`" });
    let payload = json!({
        "title": "-",
        "message": "- **-**",
        "questions": [{ "header": "-", "question": "-", "options": [option("-"), option("+")] }],
    });
    let ask = Ask { payload, dialect: Some("askdeck".into()), ..Ask::default() };
    let asked = asking::check(&ask, "-".into(), |_, _| Caller::default()).ok()?;
    let now = Instant::now();
    let settings = Settings {
        arming: Duration::ZERO,
        closing: Closing::SetsAside,
        undo: Duration::ZERO,
        numbers: Numbers::Point,
    };
    let mut session = Session::new(asked.dialog, settings, now);
    let view = session.view(now);
    Some(PageDialog::new(Staged { dialog: session.dialog().clone(), view }))
}

#[cfg(test)]
mod tests {
    #[test]
    fn there_is_a_question_to_warm_up_with() {
        assert!(super::question().is_some());
    }
}
