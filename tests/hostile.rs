//! What an agent sends is never more than text.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Browser, Run, Screen};

/// What would take years to check.
mod schemas;

/// Everything that could do something, in one text.
pub(crate) const HOSTILE: &str = concat!(
    "<script>window.hacked = 1</script><style>body { display: none }</style>",
    "<img src=x onerror=\"window.hacked = 1\"><svg onload=\"window.hacked = 1\"></svg>",
    "<iframe src=\"https://a.example/\"></iframe><a href=\"javascript:window.hacked = 1\">a</a>",
    "<div style=\"background: url(https://a.example/x); width: e\\78 pression(1)\">x</div>",
    "<math><mi//xlink:href=\"data:x,y\"></math><template><script>window.hacked = 1</script></template>",
    "<p style=\"position: fixed; inset: 0\">p</p><b style='c\\6flor: transparent'>q</b>",
    "<span style=\"b\\61 ckground: u\\72 l(//a.example/y)\" class=\"prose\">r</span>",
    "<object data=\"https://a.example/\"></object><form action=\"https://a.example/\"></form>",
    "\n\n[b](javascript:window.hacked=1) [c](data:text/html,<script>window.hacked=1</script>)",
    "\n\n![d](https://a.example/d.png) ![e](x \"onerror=window.hacked=1\")",
    "\n\n| g |\n| :-: |\n| <i style=\"all: unset\">h</i> |",
    "\n\n[f](https://a.example/\"onmouseover=\"window.hacked=1)",
    "\u{1b}[31mred\u{1b}]0;title\u{7} \u{202e}desrever\u{2066} \u{0}\u{8}\u{feff}end",
    "\u{200e}\u{200f}\u{61c}\u{3164}\u{115f}\u{1160}\u{ffa0}\u{180e}\u{2028}\u{1d159}\u{fffc}\u{13430}",
);

pub(crate) fn payload() -> Value {
    let option = |number| json!({ "label": format!("{number} {HOSTILE}"), "description": HOSTILE, "preview": HOSTILE });
    json!({ "agent": HOSTILE, "cwd": HOSTILE, "title": HOSTILE, "message": HOSTILE, "questions": [
        { "header": HOSTILE, "question": HOSTILE, "details": HOSTILE,
          "options": [option(1), option(2)] },
        { "header": HOSTILE, "question": format!("{HOSTILE} too"), "type": "text",
          "placeholder": HOSTILE, "default": HOSTILE },
        { "question": HOSTILE, "type": "confirm", "yes": HOSTILE,
          "no": format!("{HOSTILE} not") },
    ]})
}

#[test]
fn hostile_texts_stay_text() {
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
fn hostile_forms_stay_text() {
    let screen = Screen::start();
    let field = |more: Value| {
        let mut field = json!({ "type": "string", "title": HOSTILE, "description": HOSTILE });
        for (name, value) in more.as_object().expect("an object") {
            field[name] = value.clone();
        }
        field
    };
    let titled = json!([{ "const": "a", "title": HOSTILE }, { "const": "b", "title": "B" }]);
    let form = json!({ "message": HOSTILE, "requestedSchema": { "type": "object", "properties": {
        "text": field(json!({ "default": HOSTILE })),
        "one": field(json!({ "oneOf": titled })),
    }}});
    let window = Run::ask(&form).open(&screen);
    window.await_shown("[data-question='1']");
    assert_eq!(window.run(include_str!("support/foreign.js")), json!([]));
}

#[test]
fn hostile_caller_names_stay_text() {
    let screen = Screen::start();
    let window = Run::ask(&payload()).open(&screen);
    let mut other = payload();
    other["agent"] = format!("{HOSTILE} too").into();
    let ticket = Run::ask(&other).args(["--no-wait"]).ends(&screen).stdout;
    window.await_true(
        "both in the list",
        "document.querySelectorAll('.inbox-list > *').length === 2",
    );
    assert_eq!(window.run(include_str!("support/foreign.js")), json!([]));
    Run::command(["withdraw", ticket.trim()]).ends(&screen).is(0, "");
    Run::command(["show", "--history"]).ends(&screen).is(0, "");
    window.switch();
    window.await_true("it in the history", "document.body.textContent.includes('window.hacked')");
    assert_eq!(window.run(include_str!("support/foreign.js")), json!([]));
}

#[test]
fn web_process_has_no_writable_executable_memory() {
    let screen = Screen::start();
    let _window = Run::ask(&payload()).open(&screen);
    let processes = screen.programs("WebKitWebProcess");
    assert!(!processes.is_empty());
    for process in processes {
        let maps = fs::read_to_string(format!("/proc/{process}/maps")).expect("it runs");
        assert!(!maps.contains(" rwx"), "{maps}");
    }
}

#[test]
fn ten_thousand_nested_quotes_are_rendered() {
    let screen = Screen::start();
    let message = format!("{} deep", ">".repeat(10_000));
    let question = json!({ "message": message, "question": "Which?", "options": ["A", "B"] });
    let window = Run::ask(&question).open(&screen);
    window.person.press("2 Return");
    window.await_end().answers(&json!([
        { "id": "question-0", "question": "Which?", "selected": ["B"] },
    ]));
}

#[test]
fn look_alike_labels_are_refused() {
    let screen = Screen::start();
    let refused = |payload: &Value, told: &str| {
        Run::ask(payload).ends(&screen).says(2, "", &format!("askdeck: {told}\n"));
    };
    let options = |labels: [&str; 2]| json!({ "question": "Delete?", "options": labels });
    refused(
        &options(["Yes", "Y\u{435}s"]),
        "options[1]: looks like `Yes` but is written in other letters",
    );
    for same in [
        "Y\u{200b}es",
        "Yes\u{200d}",
        "Yes\u{fe0f}",
        "Ye\u{34f}s",
        "Yes\u{2800}",
        "\u{200f}Yes",
        "Yes\u{200e}",
        "\u{61c}Yes",
        "Yes\u{1160}",
        "Yes\u{ffa0}",
        "Yes\u{180e}",
        "Yes\u{1d159}",
        "Yes\u{fffc}",
        "Yes\u{fff9}",
        "Yes\u{13430}",
        "Yes\u{2028}",
    ] {
        refused(&options(["Yes", same]), "options[1]: `Yes` appears twice");
    }
    refused(&options(["Yes", "\u{3164}"]), "options[1]: must not be empty");
    refused(
        &json!({ "question": "Delete?", "type": "confirm", "yes": "No", "no": "Keep" }),
        "`No` reads as the opposite of what it means",
    );
    // Turned round it would read `Yes`.
    let window = Run::ask(&options(["\u{200f}No \u{61c}(1)", "\u{202e}seY"])).open(&screen);
    assert_eq!(window.texts(".card .label"), ["No (1)", "seY"]);
}

#[test]
fn emoji_joiners_stay_in_the_answer() {
    let screen = Screen::start();
    let (hers, his) = ("👩\u{200d}💻", "👨\u{200d}💻");
    let window = Run::ask(&json!({ "question": "Who?", "options": [hers, his] })).open(&screen);
    assert_eq!(window.texts(".card .label")[..2], [hers, his]);
    window.person.press("2 Return");
    window.await_end().answers(&json!([
        { "id": "question-0", "question": "Who?", "selected": [his] },
    ]));
}

#[test]
fn long_words_stay_inside_the_window() {
    let screen = Screen::start();
    let long = "W".repeat(2_000);
    let option = |name: &str| json!({ "label": format!("{name}{long}"), "description": long });
    let question = json!({ "agent": long, "title": long, "question": long,
                           "options": [option("A"), option("B")] });
    let window = Run::ask(&question).open(&screen);
    for (width, height) in [(420, 360), (1200, 800)] {
        window.resize(width, height);
        window.await_true(
            "all of it to be inside",
            "document.scrollingElement.scrollWidth <= innerWidth && [...document.querySelectorAll('.card, h1, .label')]
                .every((element) => element.getBoundingClientRect().right <= innerWidth)",
        );
    }
}

#[test]
fn label_as_long_as_a_payload_is_answered() {
    let screen = Screen::start();
    let long = "W".repeat(1_048_000);
    let question = json!({ "question": "Which?", "options": ["A", long] });
    let window = Run::ask(&question).open(&screen);
    window.await_true(
        "all of it to be inside",
        &format!(
            "document.scrollingElement.scrollWidth <= innerWidth
                && document.querySelectorAll('.card .label')[1].textContent.length === {}",
            long.len()
        ),
    );
    window.person.press("2 Return");
    window.await_end().answers(&json!([
        { "id": "question-0", "question": "Which?", "selected": [long] },
    ]));
}

#[test]
fn link_opens_only_by_click_and_only_in_the_browser() {
    let screen = Screen::start();
    let browser = Browser::in_home(&screen);
    let message =
        "[bad](javascript:alert(1)) [file](file:///etc/passwd) <https://\u{430}.example/x?y=1#z>";
    let question = json!({ "title": "Links", "message": message, "question": "Which?",
                           "options": ["A", "B"] });
    let window = Run::ask(&question).env("PATH", browser.path.clone()).open(&screen);
    let address = window.see("location.href");
    assert_eq!(
        window.texts(".intro a"),
        [
            "bad javascript:alert(1)",
            "file file:///etc/passwd",
            "https://\u{430}.example/x?y=1#z https://xn--80a.example/x?y=1#z",
        ]
    );
    for link in 1..=3 {
        window.click(&format!(".intro a:nth-of-type({link})"));
    }
    assert_eq!(browser.await_visit(), "https://xn--80a.example/x?y=1#z\n");
    assert_eq!(window.see("location.href"), address);
}
