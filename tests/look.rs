//! How the window looks: both themes, every size, every language.

use std::fs;

use askdeck_core::words::Language;
use serde_json::{Value, json};

use crate::support::{Person, Run, Screen, Window, Wire, until};

/// Everything that has a colour of its own.
fn colourful() -> Value {
    json!({ "agent": "Tester", "title": "Before I start", "timeout": "20s",
        "message": "Read [the guide](https://a.example/guide), `code` and\n\n> a quote\n\n| a | b |\n|---|---|\n| 1 | 2 |",
        "questions": [
        { "header": "Layout", "question": "Which layout?", "details": "More *words*.", "options": [
            { "label": "One", "description": "The first", "recommended": true,
              "preview": "# Title\n\n```diff\n@@ -1 +1 @@\n-old\n+new\n same\n```\n\n```\ncode\n```" },
            { "label": "Two", "description": "The second" },
        ]},
        { "header": "Name", "question": "What name?", "type": "text", "required": false },
    ]})
}

#[track_caller]
fn assert_readable(window: &Window, state: &str) {
    window.await_true("colours to settle", "document.getAnimations().length === 0");
    let faint = window.run(include_str!("support/contrast.js"));
    assert_eq!(faint, json!([]), "{state}");
    window.assert_accessible(state);
}

#[track_caller]
fn assert_reachable(window: &Window, state: &str) {
    let lost = window.run(include_str!("support/reach.js"));
    assert_eq!(lost, json!([]), "{state}");
}

fn every_text_can_be_read(theme: &str, scheme: &str) {
    let screen = Screen::with("GTK_THEME", theme);
    let window = Run::ask(&colourful()).open(&screen);
    assert_eq!(
        window.see(&format!("matchMedia('(prefers-color-scheme: {scheme})').matches")),
        true
    );
    assert_readable(&window, "as it opens");
    window.click("#panel-0 .card:nth-child(1) .words");
    window.await_chosen(&[0]);
    window.click("#panel-0 .add-note");
    window.await_focus(".note textarea");
    assert_readable(&window, "chosen, with a note");
    window.click("#panel-0 .other .number");
    window.await_chosen(&[2]);
    window.click(".primary");
    window.await_shown("#panel-0 .error:not(:empty)");
    assert_readable(&window, "with trouble");
    window.type_into("#panel-0 .other textarea", "Three");
    window.person.press("Escape Escape");
    window.await_shown(".notice:not(:empty)");
    assert_readable(&window, "about to close");
    window.click("#tab-2");
    window.await_shown("#panel-2.current");
    assert_readable(&window, "the review");
    window.click(".away button:nth-child(1)");
    window.await_focus(".current [data-focus='aside']");
    assert_readable(&window, "declining");
    // An app that stays says its last words for as long as they can be taken back.
    Run::command(["resident"]).ends(&screen).is(0, "");
    window.click(".primary");
    window.await_shown(".farewell");
    assert_readable(&window, "the last words");
}

#[test]
fn dialog_contrast_dark() {
    every_text_can_be_read("Adwaita:dark", "dark");
}

#[test]
fn dialog_contrast_light() {
    every_text_can_be_read("Adwaita", "light");
}

#[test]
fn the_largest_dialog_stays_usable_in_the_smallest_window() {
    let screen = Screen::start();
    let description = "A description goes on and on. ".repeat(67);
    let options: Vec<_> = (1..=20)
        .map(|number| {
            json!({ "label": format!("Option {number} {}", "Donaudampfschiff".repeat(9)),
                              "description": &description[..2000] })
        })
        .collect();
    let questions: Vec<_> = (1..=20)
        .map(|number| {
            json!({ "header": format!("A long header {number}"),
                              "question": format!("Question {number}?"), "options": options })
        })
        .collect();
    let window = Run::ask(&json!({ "agent": "Tester", "questions": questions })).open(&screen);
    window.resize(420, 360);
    assert_reachable(&window, "the first question");
    window.click("#tab-19");
    window.await_shown("#panel-19.current");
    assert_reachable(&window, "the last question");
    // Up from the first card is the last one, far below.
    window.person.press("Up");
    window.await_focus("#panel-19 .other textarea");
    let in_sight = "(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.activeElement.getBoundingClientRect())";
    assert_eq!(window.see(in_sight), true);
    window.click("#tab-20");
    window.await_shown("#panel-20.current");
    assert_reachable(&window, "the review");
}

#[test]
fn window_size_does_not_depend_on_the_dialog_before() {
    let screen = Screen::start();
    let mut wire = Wire::to_resident(&screen);
    let mut shown = |questions: Value| {
        let ticket = wire.call("submit", &json!({ "payload": { "questions": questions } }));
        let person = Person::at(&screen);
        // It is mapped before it has its size; once it is painted it has both.
        assert_eq!(wire.call("ready", &json!({})), json!({ "done": true }));
        let size = person.size();
        wire.call("withdraw", &json!({ "ticket": ticket["ticket"] }));
        until("the window to go", || (!person.is_visible()).then_some(()));
        size
    };
    // Its second step is the tall one, and its previews make it wide.
    let tall = json!([
        { "header": "Name", "question": "What name?", "type": "text" },
        { "header": "Layout", "question": "Which layout?", "options": [
            { "label": "One", "preview": "# One" }, "Two", "Three", "Four", "Five",
        ]},
    ]);
    let alone = shown(tall.clone());
    let small = shown(json!([{ "question": "What name?", "type": "text" }]));
    assert_ne!(small, alone);
    assert_eq!(shown(tall), alone);
}

#[test]
fn zoom_to_twice_the_size_loses_nothing() {
    let screen = Screen::start();
    let window = Run::ask(&colourful()).open(&screen);
    let width = window.see("innerWidth").as_f64().unwrap();
    for zoom in 1..=5 {
        window.person.press("ctrl+plus");
        let wide = width / (1.0 + 0.2 * f64::from(zoom));
        window.await_true("the page to be larger", &format!("Math.abs(innerWidth - {wide}) < 2"));
    }
    assert_reachable(&window, "a question with a preview");
    window.person.press("Right");
    window.await_shown("#panel-1.current");
    assert_reachable(&window, "a text");
    window.person.press("Escape");
    window.await_focus(".primary");
    window.person.press("Right");
    window.await_shown("#panel-2.current");
    assert_reachable(&window, "the review");
}

#[test]
fn the_interface_speaks_portuguese() {
    let screen = Screen::with("LANG", "pt_BR.UTF-8");
    let window = Run::ask(&colourful()).open(&screen);
    window.person.await_title("Pergunta 1 de 2 · Before I start — Askdeck");
    assert_eq!(window.see("document.documentElement.lang"), "pt-BR");
    assert_eq!(window.text(".agent"), "Tester pergunta");
    assert_eq!(window.text(".primary"), "Avançar");
    assert_eq!(window.see("document.querySelector('#panel-0 .other textarea').ariaLabel"), "Outra");
}

#[test]
fn the_interface_speaks_chinese() {
    let screen = Screen::with("LANG", "zh_CN.UTF-8");
    let window = Run::ask(&colourful()).open(&screen);
    window.person.await_title("第 1 题，共 2 题 · Before I start — Askdeck");
    assert_eq!(window.see("document.documentElement.lang"), "zh-CN");
    assert_eq!(window.text(".agent"), "Tester 提问");
    assert_eq!(window.text(".primary"), "下一步");
    assert_eq!(window.see("document.querySelector('#panel-0 .other textarea').ariaLabel"), "其他");
}

#[test]
fn every_language_fits_into_the_smallest_window() {
    for language in Language::ALL {
        let screen = Screen::with("LANG", &language.locale());
        let window = Run::ask(&colourful()).open(&screen);
        assert_eq!(window.see("document.documentElement.lang"), language.tag);
        window.resize(420, 360);
        assert_reachable(&window, language.tag);
    }
}

/// The parts of the page that move, or would.
const MOVING: &str = "
    const parts = [...document.querySelectorAll('*')].flatMap((part) =>
        ['', '::before', '::after'].map((pseudo) => [part, pseudo]));
    return parts.filter(([part, pseudo]) => {
        const style = getComputedStyle(part, pseudo || null);
        return style.animationName !== 'none' || style.transitionDuration.split(', ').some((time) => time !== '0s');
    }).map(([part, pseudo]) => part.className + pseudo);";

#[test]
fn reduced_motion_is_respected() {
    let moving = |settings: &str| {
        let screen = Screen::start();
        let folder = screen.path(".config/gtk-3.0");
        fs::create_dir_all(&folder).expect("the home is ours");
        fs::write(folder.join("settings.ini"), settings).expect("the home is ours");
        let window = Run::ask(&colourful()).open(&screen);
        window.run(MOVING)
    };
    assert_eq!(moving("[Settings]\ngtk-enable-animations=0\n"), json!([]));
    assert_ne!(moving(""), json!([]), "otherwise the test would see nothing");
}
