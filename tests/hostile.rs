//! What an agent sends is never more than text.

use serde_json::{Value, json};

use crate::support::{Browser, Run, Screen};

/// Everything that could do something, in one text.
pub(crate) const HOSTILE: &str = concat!(
    "<script>window.hacked = 1</script><style>body { display: none }</style>",
    "<img src=x onerror=\"window.hacked = 1\"><svg onload=\"window.hacked = 1\"></svg>",
    "<iframe src=\"https://a.example/\"></iframe><a href=\"javascript:window.hacked = 1\">a</a>",
    "<object data=\"https://a.example/\"></object><form action=\"https://a.example/\"></form>",
    "\n\n[b](javascript:window.hacked=1) [c](data:text/html,<script>window.hacked=1</script>)",
    "\n\n![d](https://a.example/d.png) ![e](x \"onerror=window.hacked=1\")",
    "\n\n[f](https://a.example/\"onmouseover=\"window.hacked=1)",
    "\u{1b}[31mred\u{1b}]0;title\u{7} \u{202e}desrever\u{2066} \u{0}\u{8}\u{feff}end",
);

pub(crate) fn payload() -> Value {
    let option = |number| json!({ "label": format!("{number} {HOSTILE}"), "description": HOSTILE, "preview": HOSTILE });
    json!({ "agent": HOSTILE, "cwd": HOSTILE, "title": HOSTILE, "message": HOSTILE, "questions": [
        { "header": HOSTILE, "question": HOSTILE, "details": HOSTILE,
          "options": [option(1), option(2)] },
        { "header": HOSTILE, "question": format!("{HOSTILE} too"), "type": "text",
          "placeholder": HOSTILE, "default": HOSTILE },
        { "question": HOSTILE, "type": "confirm", "yes": HOSTILE, "no": "No" },
    ]})
}

#[test]
fn hostile_texts_stay_texts() {
    let screen = Screen::start();
    let window = Run::ask(&payload()).open(&screen);
    window.person.press("1");
    window.await_chosen(&[0]);
    window.click("#tab-3");
    window.await_shown("#panel-3.current");
    assert_eq!(window.run(include_str!("support/foreign.js")), json!([]));
    let given = &window.texts(".row .given")[0];
    assert!(given.starts_with("1 <script>window.hacked = 1</script><style>"), "{given}");
    assert!(!window.person.title().contains('\u{202e}'));
}

#[test]
fn a_link_opens_only_by_a_click_and_only_in_the_browser() {
    let screen = Screen::start();
    let browser = Browser::in_home(&screen);
    let message =
        "[bad](javascript:alert(1)) [file](file:///etc/passwd) [good](https://a.example/x?y=1#z)";
    let question = json!({ "title": "Links", "message": message, "question": "Which?",
                           "options": ["A", "B"] });
    let window = Run::ask(&question).env("PATH", browser.path.clone()).open(&screen);
    let address = window.see("location.href");
    assert_eq!(
        window.texts(".intro a"),
        ["bad javascript:alert(1)", "file file:///etc/passwd", "good https://a.example/x?y=1#z"]
    );
    for link in 1..=3 {
        window.click(&format!(".intro a:nth-of-type({link})"));
    }
    assert_eq!(browser.await_visit(), "https://a.example/x?y=1#z\n");
    assert_eq!(window.see("location.href"), address);
}
