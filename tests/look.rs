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
    window.await_shown(".notice-buttons button");
    assert_readable(&window, "about to close");
    window.click("#tab-2");
    window.await_shown("#panel-2.current");
    assert_readable(&window, "the review");
    window.click(".away button:nth-child(1)");
    window.await_focus(".composer [data-focus='aside']");
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
    go_by_menu(&window, 19);
    assert_reachable(&window, "the last question");
    // Up from the first card is the last one, far below.
    window.person.press("Up");
    window.await_focus("#panel-19 .other textarea");
    let in_sight = "(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.activeElement.getBoundingClientRect())";
    assert_eq!(window.see(in_sight), true);
    go_by_menu(&window, 20);
    assert_reachable(&window, "the review");
}

/// To a page of so many that they are listed in a menu.
#[track_caller]
fn go_by_menu(window: &Window, page: usize) {
    window.click(".where");
    window.click(&format!("#tab-{page}"));
    window.await_shown(&format!("#panel-{page}.current"));
}

#[test]
fn many_questions_are_listed_in_a_menu() {
    let screen = Screen::start();
    let question = |number: usize| {
        json!({ "header": format!("Topic {number}"), "question": format!("Question {number}?"),
        "options": ["A", "B"], "required": number != 2 })
    };
    let questions: Vec<_> = (1..=12).map(question).collect();
    let window = Run::ask(&json!({ "agent": "Tester", "questions": questions })).open(&screen);
    assert_eq!(window.text(".where .position"), "1 of 12");
    window.person.press("1 Return");
    window.await_text(".where .position", "2 of 12");
    // An optional one that is passed over is told from one that was not seen.
    window.click(".primary");
    window.await_text(".where .position", "3 of 12");

    window.run("document.querySelector('.where').focus()");
    window.person.press("Return");
    window.await_focus("#tab-2");
    let states = window.texts(".steps-item .state");
    assert_eq!(states[..3], ["Answered", "Skipped", ""]);
    window.assert_accessible("the menu");
    window.person.press("End");
    window.await_focus("#tab-12");
    window.person.press("Down Up Up");
    window.await_focus("#tab-11");
    window.person.press("Escape");
    window.await_focus(".where");
    window.person.press("Return");
    window.await_focus("#tab-2");
    window.person.press("Down Return");
    window.await_shown("#panel-3.current");
    assert!(!window.shows(".steps-menu"));
}

#[test]
fn tabs_tell_how_many_are_out_of_sight() {
    let screen = Screen::start();
    let names = ["Rollout", "Database", "Features", "Announcement", "Window", "Owner", "Start"];
    let questions: Vec<_> = names
        .iter()
        .map(
            |name| json!({ "header": name, "question": format!("{name}?"), "options": ["A", "B"] }),
        )
        .collect();
    let window = Run::ask(&json!({ "agent": "Tester", "questions": questions })).open(&screen);
    let covered = "const { left, right } = document.querySelector('.tabs').getBoundingClientRect();
        return [...document.querySelectorAll('.tab')].filter((tab) => {
            const at = tab.getBoundingClientRect(); return at.left < left - 1 || at.right > right + 1;
        }).length";
    let count = window.run(covered);
    assert_ne!(count, 0, "otherwise the test would see nothing");
    window.await_text(".tabs-more", &format!("+{count}"));
    window.resize(420, 360);
    window.click("#tab-5");
    window.await_shown("#panel-5.current");
    // The current one stays in sight, also when the window gets narrower.
    let in_sight = "(({ left, right }) => left >= 0 && right <= innerWidth)(document.querySelector('[aria-selected=true]').getBoundingClientRect())";
    window.await_true("the current tab in sight", in_sight);
    window.resize(700, 500);
    window.resize(420, 500);
    window.await_true("the current tab still in sight", in_sight);
}

#[test]
fn the_focused_box_stays_in_view_when_the_window_shrinks() {
    let screen = Screen::start();
    let questions = json!([
        { "header": "Name", "question": "What name?", "details": "More words. ".repeat(40), "type": "text" },
        { "header": "Other", "question": "Which?", "options": ["A", "B"] },
    ]);
    let window = Run::ask(&json!({ "agent": "Tester", "questions": questions })).open(&screen);
    window.await_focus("#panel-0 textarea");
    window.resize(420, 360);
    let clear = "(() => {
        const box = document.activeElement.getBoundingClientRect();
        return box.top >= 0 && box.bottom <= document.querySelector('.bottom').getBoundingClientRect().top + 1;
    })()";
    window.await_true("the box above the footer", clear);
    // Nothing lies over the main button, not even a scrollbar.
    let free = "const { right, top, bottom } = document.querySelector('.primary').getBoundingClientRect();
        return document.elementFromPoint(right - 2, (top + bottom) / 2).closest('.primary') !== null";
    assert_eq!(window.run(free), true);
}

#[test]
fn the_footer_is_one_row_and_stays_where_it_is() {
    let screen = Screen::start();
    let window = Run::ask(&colourful()).open(&screen);
    let row = "(({ top, height }) => [top, height])(document.querySelector('.footer').getBoundingClientRect())";
    for width in [980, 640, 420] {
        window.resize(width, 560);
        window.click("#tab-0");
        window.await_shown("#panel-0.current");
        let first = window.see(row);
        assert_eq!(first[1], 55, "at {width}");
        for page in [1, 2] {
            window.click(&format!("#tab-{page}"));
            window.await_shown(&format!("#panel-{page}.current"));
            assert_eq!(window.see(row), first, "page {page} at {width}");
        }
        // No key is cut in half.
        let halves = "const { top, bottom, right } = document.querySelector('.footer .keys').getBoundingClientRect();
            return [...document.querySelectorAll('.footer .hint-key')].map((key) => key.getBoundingClientRect())
                .filter((key) => key.top < bottom - 2 && (key.right > right + 1 || key.bottom > bottom + 2)).length";
        assert_eq!(window.run(halves), 0, "at {width}");
    }
}

#[test]
fn the_footer_says_its_words_in_full_and_stays_with_its_column() {
    let screen = Screen::start();
    let question = |name| json!({ "header": name, "question": "Which?", "options": ["A", "B"] });
    let questions = ["One", "Two", "Three"].map(question);
    let window = Run::ask(&json!({ "agent": "Tester", "questions": questions })).open(&screen);
    let padding = "['.panel.current', '.footer'].map((part) => getComputedStyle(document.querySelector(part)).paddingLeft)";
    window.resize(1100, 600);
    assert_eq!(window.see(padding), json!(["170px", "170px"]));
    window.resize(420, 360);
    window.click("#tab-1");
    window.await_shown("#panel-1.current");
    let cut = "[...document.querySelectorAll('.footer :is(.quiet, .plain, .says)')]
        .filter((words) => words.scrollWidth > words.clientWidth).map((words) => words.innerText)";
    assert_eq!(window.see(cut), json!([]), "with a way back");
    window.click(".away button:nth-child(1)");
    window.await_focus(".composer [data-focus='aside']");
    assert_eq!(window.text(".primary .says"), "Decline all 3");
    assert_eq!(window.see(cut), json!([]), "declining");
}

#[test]
fn keys_are_told_in_the_smallest_windows_that_the_app_chooses() {
    let confirm = json!({ "type": "confirm", "question": "Delete it?" });
    let permission = json!({ "question": "Run this command?", "details": "```sh\nnpm run build\n```",
        "options": ["Allow once", { "label": "Don't allow", "refuses": true }], "consent": true });
    for question in [confirm, permission] {
        let screen = Screen::start();
        let window = Run::ask(&json!({ "agent": "Tester", "questions": [question] })).open(&screen);
        window.await_shown(".footer .hint-key");
        let fits = "(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)(document.querySelector('.dialog'))";
        assert_eq!(window.see(fits), true, "{question}");
    }
}

#[test]
fn nothing_moves_after_the_first_paint() {
    let screen = Screen::start();
    let payload = json!({ "agent": "Tester", "title": "Before", "timeout": "20m",
        "message": "```rust\nfn main() { println!(\"one\"); }\n```", "questions": [
        { "header": "One", "question": "Which?", "options": ["A", "B"] },
        { "header": "Two", "question": "Which?", "options": ["A", "B"] },
    ]});
    let places =
        "JSON.stringify(['.caller', '.intro', '.steps', '.panel.current .question', '.footer']
        .map((part) => document.querySelector(part).getBoundingClientRect()))";
    let window = Run::ask(&payload).open(&screen);
    window.await_true("the first paint", "document.body.dataset.painted === 'true'");
    let painted = window.see(places);
    window.await_true("colours", "document.querySelector('.intro pre span[class]') !== null");
    assert_eq!(window.see(places), painted);
}

#[test]
fn the_question_stays_in_sight_beside_an_aside() {
    let screen = Screen::start();
    let window = Run::ask(&colourful()).open(&screen);
    window.click(".away button:nth-child(1)");
    window.await_focus(".composer [data-focus='aside']");
    assert_eq!(window.text(".composer-title"), "Decline all 2 questions");
    assert!(window.shows("#panel-0 .question"));
    let height = window.see("document.querySelector('.composer').offsetHeight").as_i64();
    assert!((90..=150).contains(&height.unwrap()), "{height:?}");
    // It cannot be answered meanwhile.
    assert_eq!(
        window.see("document.querySelector('#panel-0 .card').closest('[inert]') !== null"),
        true
    );
    window.person.press("Escape");
    window.await_focus("#panel-0 [data-focus='card'][data-index='0']");
    window.click(".away button:nth-child(2)");
    window.await_text(".composer-title", "Ask Tester something first");
}

#[test]
fn the_review_shows_all_its_rows() {
    let screen = Screen::start();
    let questions: Vec<_> = (1..=7)
        .map(|number| {
            json!({ "header": format!("Topic {number}"),
        "question": format!("Which one of {number}?"), "options": ["A", "B"] })
        })
        .collect();
    let window = Run::ask(&json!({ "agent": "Tester", "questions": questions })).open(&screen);
    let height = window.see("innerHeight").as_i64();
    assert!(height <= Some(560), "{height:?}");
    window.click("#tab-7");
    window.await_shown("#panel-7.current");
    let all = "(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)(document.querySelector('#panel-7'))";
    window.await_true("all rows", all);
    window.resize(640, 480);
    window.await_true("all rows in less room", all);
    assert_eq!(window.see("document.querySelector('.row').offsetHeight"), 36);
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

/// Zooms to twice the size.
#[track_caller]
fn double(window: &Window) {
    let width = window.see("innerWidth").as_f64().expect("a width is a number");
    for zoom in 1..=5 {
        window.person.press("ctrl+plus");
        let wide = width / (1.0 + 0.2 * f64::from(zoom));
        window.await_true("the page to be larger", &format!("Math.abs(innerWidth - {wide}) < 2"));
    }
}

#[track_caller]
fn assert_both_verbs_in_sight(window: &Window, state: &str) {
    let covered = "return [...document.querySelectorAll('.verb')].filter((verb) => {
        const { left, right, top, bottom } = verb.getBoundingClientRect();
        const isAt = (x, y) => document.elementFromPoint(x, y)?.closest('.verb') === verb;
        return !(isAt(left + 4, top + 4) && isAt(right - 4, bottom - 4));
    }).map((verb) => verb.innerText)";
    assert_eq!(window.run(covered), json!([]), "{state}");
    // Something of the question is seen above them.
    let first = "document.querySelector('.question').getBoundingClientRect().top";
    let above =
        format!("{first} + 4 < document.querySelector('.bottom').getBoundingClientRect().top");
    assert_eq!(window.see(&above), true, "{state}");
}

#[test]
fn both_verbs_of_a_confirmation_are_in_sight_in_the_smallest_window_at_twice_the_size() {
    let own = json!({ "yes": "Delete all of them", "no": "Keep them for now" });
    let words = Language::ALL.map(|language| (language, json!({})));
    for (language, words) in words.into_iter().chain([(Language::ENGLISH, own)]) {
        for height in [360, 200] {
            let screen = Screen::with("LANG", &language.locale());
            let mut question = json!({ "type": "confirm",
                "question": "Delete 15 test files that no test has used since March?" });
            question.as_object_mut().unwrap().extend(words.as_object().unwrap().clone());
            let ask = json!({ "agent": "Tester", "questions": [question] });
            let window = Run::ask(&ask).open(&screen);
            let state = format!("420×{height} {} {words}", language.tag);
            window.resize(420, height);
            assert_both_verbs_in_sight(&window, &state);
            double(&window);
            assert_both_verbs_in_sight(&window, &format!("{state}, doubled"));
            // The cursor does not scroll the question away.
            window.person.press("Right");
            window.await_true("the cursor", "document.activeElement.matches('.verb')");
            assert_both_verbs_in_sight(&window, &format!("{state}, with the cursor"));
            assert_reachable(&window, &state);
        }
    }
}

#[test]
fn zoom_to_twice_the_size_loses_nothing() {
    let screen = Screen::start();
    let window = Run::ask(&colourful()).open(&screen);
    double(&window);
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

#[test]
fn what_moves_is_done_before_one_could_wait_for_it() {
    let screen = Screen::start();
    let window = Run::ask(&colourful()).open(&screen);
    let longest = "return Math.max(...[...document.querySelectorAll('*')].flatMap((part) => {
        const { transitionDuration, animationDuration } = getComputedStyle(part);
        return [transitionDuration, animationDuration].flatMap((times) => times.split(', ').map(parseFloat));
    }))";
    let seconds = window.run(longest).as_f64();
    assert!(seconds.is_some_and(|longest| 0.0 < longest && longest < 0.16), "{seconds:?}");
}
