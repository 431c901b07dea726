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

/// The tree follows the page a little later.
#[track_caller]
fn await_told<const N: usize>(look: impl Fn() -> Vec<String>, expected: [&str; N]) {
    until(format!("{expected:?}"), || (look() == expected).then_some(()));
}

#[test]
fn screen_reader_finds_roles_names_and_states() {
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
    assert_eq!(buttons, ["Add a note", "Decline all…", "Ask a question…", "Next"]);

    // Moving the focus chooses nothing.
    assert_eq!(names_of(&radios(), State::Focused), ["PostgreSQL Recommended"]);
    window.person.press("Down");
    await_names(Role::RadioButton, State::Focused, &["SQLite"]);
    window.person.press("Down");
    await_names(Role::Entry, State::Focused, &["Other"]);
    assert_eq!(names_of(&radios(), State::Checked), [""; 0]);
    window.person.press("Up");
    await_names(Role::RadioButton, State::Focused, &["SQLite"]);
    window.person.press("2");
    await_names(Role::RadioButton, State::Checked, &["SQLite"]);
    window.person.press("Return");

    await_names(Role::PageTab, State::Selected, &["Features"]);
    let boxes = || desktop.all(Role::CheckBox);
    await_told(|| names(&boxes()), ["Search", "Export"]);
    let places = || desktop.all(Role::ListItem).iter().map(Accessible::position).collect();
    await_told(places, ["1 of 2", "2 of 2"]);
    window.person.press("Down space");
    await_names(Role::CheckBox, State::Checked, &["Export"]);
    await_told(|| names_of(&boxes(), State::Focused), ["Export"]);
    window.person.press("Return");

    await_names(Role::PageTab, State::Selected, &["Token"]);
    await_told(|| names(&tabs()), ["Answered Database", "Answered Features", "Token", "Review"]);
    let entries = || desktop.all(Role::PasswordText);
    await_told(|| names_of(&entries(), State::Focused), ["What is the token?"]);
    assert_eq!(names_of(&entries(), State::Invalid), [""; 0]);
    window.person.press("Return");
    await_told(|| names_of(&entries(), State::Invalid), ["What is the token?"]);
    let trouble = ["This question needs an answer."];
    await_told(|| entries().iter().map(Accessible::described_by).collect(), trouble);
    let told = || desktop.all(Role::Notification).iter().map(Accessible::text).collect();
    await_told(told, trouble);
}

#[test]
fn screen_reader_finds_the_verbs_of_a_decision() {
    let screen = Screen::start();
    let payload = json!({ "agent": "Tester", "message": "```sh\nrm -rf build\n```", "questions": [{
        "question": "Run this command?", "consent": true, "notes": false,
        "options": [
            "Allow once",
            { "label": "Always allow", "description": "In this project" },
            { "label": "Don't allow", "refuses": true },
        ],
    }]});
    let window = Run::ask(&payload).open(&screen);
    let desktop = Accessible::desktop(&screen);
    let buttons = || desktop.all(Role::PushButton);
    let verbs = || {
        let all = names(&buttons());
        all.into_iter().filter(|name| name.ends_with("allow") || name.starts_with("All")).collect()
    };
    await_told(verbs, ["Allow once", "Don't allow"]);
    let always = || {
        let all = buttons();
        let found = all.iter().find(|button| button.name().starts_with("Always allow"));
        found.map(Accessible::description).into_iter().collect()
    };
    await_told(always, ["In this project"]);
    await_told(|| names(&desktop.all(Role::Entry)), ["Tell Tester what to do instead"]);
    // No verb has the keyboard until the person goes to one.
    assert_eq!(names_of(&buttons(), State::Focused), [""; 0]);
    window.person.press("3");
    await_told(|| names_of(&buttons(), State::Focused), ["Don't allow"]);
}

#[test]
fn screen_reader_finds_the_fields_of_a_form() {
    let screen = Screen::start();
    let payload = json!({ "agent": "Tester", "form": true, "questions": [
        { "question": "User name", "details": "As on the server", "type": "text" },
        { "question": "Password", "type": "secret" },
        { "question": "Keep me signed in", "type": "confirm" },
    ]});
    let window = Run::ask(&payload).open(&screen);
    let desktop = Accessible::desktop(&screen);
    await_told(|| names(&desktop.all(Role::Entry)), ["User name"]);
    let entries = || desktop.all(Role::Entry);
    await_told(|| entries().iter().map(Accessible::description).collect(), ["As on the server"]);
    await_told(|| names(&desktop.all(Role::PasswordText)), ["Password"]);
    await_told(|| names(&desktop.all(Role::RadioButton)), ["Yes", "No"]);
    await_told(|| names_of(&entries(), State::Focused), ["User name"]);
    window.person.press("ctrl+Return");
    await_told(|| names_of(&entries(), State::Invalid), ["User name"]);
}
