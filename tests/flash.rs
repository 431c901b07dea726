//! The window is kept, and yet what it showed before is never seen again.

use serde_json::json;

use crate::support::{Person, Run, Screen, until};

/// How often a question of bars is followed by one without.
const TIMES: usize = 6;
/// Looks at the screen that make a watch worth something.
const LOOKS: usize = 20;

#[test]
fn previous_question_never_flashes() {
    let screen = Screen::start();
    screen.configure("focus = \"always\"\narming_ms = 0");
    Run::command(["resident"]).ends(&screen).is(0, "");
    let bars = "█".repeat(40);
    let bars = json!({ "question": bars, "options": [bars, format!("{bars}.")] });
    for time in 0..TIMES {
        let full = Run::ask(&bars).start(&screen);
        until("the bars to be painted", || screen.has_bar().then_some(()));
        answer(&screen);
        assert_eq!(full.ends().code, Some(0));
        until("the bars to go", || (!screen.has_bar()).then_some(()));

        let watch = screen.watch();
        let blank = json!({ "question": format!("No {time}?"), "options": ["a", "b"] });
        let plain = Run::ask(&blank).start(&screen);
        until("the blank question to be painted", || is_painted(&screen).then_some(()));
        until("enough looks", || (watch.looks() > LOOKS).then_some(()));
        answer(&screen);
        assert_eq!(plain.ends().code, Some(0));
        assert_eq!(watch.ends(), 0, "the bars were seen after question {time}");
    }
}

fn answer(screen: &Screen) {
    until("the question to be painted", || is_painted(screen).then_some(()));
    Person::at(screen).press("1 Return");
}

fn is_painted(screen: &Screen) -> bool {
    Run::command(["list", "--json"]).ends(screen).stdout.contains(r#""shown""#)
}
