//! What a screen reader is told, read from the accessibility bus (AT-SPI).

use serde_json::json;

use crate::support::{Accessible, Role, Run, Screen, State, until};

/// The names of the objects that have the state.
fn names_of(objects: &[Accessible], state: State) -> Vec<String> {
    objects.iter().filter(|object| object.is(state)).map(Accessible::name).collect()
}

fn names(objects: &[Accessible]) -> Vec<String> {
    objects.iter().map(Accessible::name).collect()
}

#[test]
fn a_dialog_can_be_heard() {
    let screen = Screen::start();
    let payload = json!({ "agent": "Tester", "questions": [
        { "header": "Database", "question": "Which database?", "options": [
            { "label": "PostgreSQL", "description": "Runs already", "recommended": true },
            { "label": "SQLite", "description": "Nothing to run" },
        ]},
        { "header": "Features", "question": "Which features?", "type": "multi", "other": false,
          "options": ["Search", "Export"] },
        { "header": "Token", "question": "What is the token?", "type": "secret" },
    ]});
    let window = Run::ask(&payload).open(&screen);
    let desktop = Accessible::desktop(&screen);
    let tabs = || desktop.all(Role::PageTab);
    let radios = || desktop.all(Role::RadioButton);
    let await_names = |role: Role, state: State, expected: &[&str]| {
        until(format!("{expected:?} to be told"), || {
            (names_of(&desktop.all(role), state) == expected).then_some(())
        });
    };
    until("the page to be told", || (radios().len() == 3).then_some(()));

    assert_eq!(names(&desktop.all(Role::PageTabList)), ["Questions"]);
    assert_eq!(names(&tabs()), ["Database", "Features", "Token", "Review"]);
    assert_eq!(names_of(&tabs(), State::Selected), ["Database"]);

    assert_eq!(names(&radios()), ["PostgreSQL Recommended", "SQLite", "Other"]);
    let positions: Vec<_> = radios().iter().map(Accessible::position).collect();
    assert_eq!(positions, ["1 of 3", "2 of 3", "3 of 3"]);
    assert_eq!(radios()[1].description(), "Nothing to run");
    assert_eq!(names(&desktop.all(Role::Entry)), ["Other"]);
    let buttons = names(&desktop.all(Role::PushButton));
    assert_eq!(buttons, ["Add a note", "Decline…", "Ask back…", "Next"]);

    // Moving the focus chooses nothing.
    assert_eq!(names_of(&radios(), State::Focused), ["PostgreSQL Recommended"]);
    window.person.press("Down");
    await_names(Role::RadioButton, State::Focused, &["SQLite"]);
    window.person.press("Down");
    await_names(Role::RadioButton, State::Focused, &["Other"]);
    assert_eq!(names_of(&radios(), State::Checked), [""; 0]);
    window.person.press("2");
    await_names(Role::RadioButton, State::Checked, &["SQLite"]);
    window.person.press("Return");

    await_names(Role::PageTab, State::Selected, &["Features"]);
    let boxes = || desktop.all(Role::CheckBox);
    assert_eq!(names(&boxes()), ["Search", "Export"]);
    let positions: Vec<_> = boxes().iter().map(Accessible::position).collect();
    assert_eq!(positions, ["1 of 2", "2 of 2"]);
    window.person.press("Down space");
    await_names(Role::CheckBox, State::Checked, &["Export"]);
    assert_eq!(names_of(&boxes(), State::Focused), ["Export"]);
    window.person.press("Return");

    await_names(Role::PageTab, State::Selected, &["Token"]);
    assert_eq!(names(&tabs()), ["answered Database", "answered Features", "Token", "Review"]);
    let entry =
        || desktop.all(Role::PasswordText).into_iter().next().expect("a box for the secret");
    assert_eq!(entry().name(), "What is the token?");
    assert!(entry().is(State::Focused) && !entry().is(State::Invalid));
    window.person.press("Return");
    until("the trouble to be told", || entry().is(State::Invalid).then_some(()));
    assert_eq!(entry().description(), "An answer is needed here.");
    let told: Vec<_> = desktop.all(Role::Notification).iter().map(Accessible::text).collect();
    assert_eq!(told, ["An answer is needed here."]);
}
