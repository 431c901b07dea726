//! Forms that a JSON Schema describes, in the window: what each field says, and what is sent.

use serde_json::{Value, json};

use crate::support::{Browser, Run, Screen, Window, Wire};

/// Every kind of field that MCP has.
fn every_field() -> Value {
    let colours =
        json!([{ "const": "#F00", "title": "Red" }, { "const": "#0F0", "title": "Green" }]);
    let params = json!({ "message": "A few things **before** I deploy.", "serverName": "Deployer",
    "requestedSchema": { "type": "object",
        "required": ["mail", "page", "day", "moment", "nick", "share", "workers", "dry", "level", "colour", "tags"],
        "properties": {
            "mail": { "type": "string", "title": "E-mail", "format": "email" },
            "page": { "type": "string", "title": "Page", "format": "uri" },
            "day": { "type": "string", "title": "Day", "format": "date" },
            "moment": { "type": "string", "title": "Moment", "format": "date-time" },
            "nick": { "type": "string", "title": "Nickname", "minLength": 2, "maxLength": 8, "pattern": "^[a-z]+$" },
            "share": { "type": "number", "title": "Share", "minimum": 0, "maximum": 1 },
            "workers": { "type": "integer", "title": "Workers", "minimum": 1, "maximum": 8 },
            "dry": { "type": "boolean", "title": "Dry run", "default": false },
            "level": { "type": "string", "title": "Level", "enum": ["l", "h"], "enumNames": ["Low", "High"] },
            "colour": { "type": "string", "title": "Colour", "oneOf": colours, "default": "#0F0" },
            "tags": { "type": "array", "title": "Tags", "minItems": 2, "maxItems": 3,
                      "items": { "enum": ["a", "b", "c", "d"] }, "default": ["c", "d"] },
            "db": { "type": "string", "title": "Database", "enum": ["pg", "lite"] },
            "db_custom": { "type": "string", "title": "Other" },
            "db_note": { "type": "string" },
            "story": { "type": "string", "title": "Anything else?" },
        },
    }});
    json!({ "jsonrpc": "2.0", "id": 7, "method": "elicitation/create", "params": params })
}

/// Types into a field of the page in place of what stands there, and goes on to the next one.
#[track_caller]
fn give(window: &Window, question: usize, text: &str) {
    let input = format!(".current [data-question='{question}'] :is(input, textarea)");
    window.await_shown(&input);
    let select = "const box = document.querySelector(arguments[0]); box.focus(); box.select();";
    window.run_with(select, &json!([input]));
    window.type_into(&input, text);
    window.person.press("Return");
}

/// The cards of a field.
fn card(question: usize, card: usize) -> String {
    format!("[data-question='{question}'] .card:nth-child({card})")
}

#[test]
fn form_fields_report_errors_and_take_valid_values() {
    let screen = Screen::start();
    let window = Run::ask(&every_field()).open(&screen);
    assert_eq!(window.text(".agent"), "Deployer asks");
    assert_eq!(window.text(".intro strong"), "before");
    let fields: [(&str, &str, &str); 7] = [
        ("nobody", "Enter an e-mail address, such as name@example.com.", "a@b.example"),
        ("here", "Enter an address, such as https://example.com.", "https://b.example/x"),
        ("today", "Enter a date, such as 2026-12-31.", "2027-01-02"),
        (
            "2027-01-02",
            "Enter a date and time, such as 2026-12-31T18:30:00Z.",
            "2027-01-02T03:04:05Z",
        ),
        ("x", "Must have at least 2 characters.", "deck"),
        ("1.5", "Must be at most 1.", "0.5"),
        ("2.5", "Enter a whole number.", "4"),
    ];
    for (question, (wrong, trouble, right)) in fields.into_iter().enumerate() {
        give(&window, question, wrong);
        window.await_text(&format!("#error-{question}"), trouble);
        give(&window, question, right);
    }
    assert_eq!(
        window.see("document.querySelector('[data-question=\"0\"] input').placeholder"),
        "name@example.com"
    );

    // A default is where the cursor is, and no answer.
    window.await_focus("[data-question='7'] [data-index='1']");
    assert_eq!(window.chosen(), [0; 0]);
    window.click(&card(7, 1));
    window.click(".primary");
    window.await_shown("#panel-1.current");
    assert_eq!(window.texts("[data-question='8'] .label"), ["Low", "High"]);
    window.click(&card(8, 2));
    window.click(&card(9, 1));
    window.click(&card(10, 1));
    window.click(".primary");
    window.await_text("#error-10", "Choose at least 2.");
    window.click(&card(10, 4));

    // The text beside a choice is its Other box, and may be left out like the choice itself.
    assert_eq!(window.text("[data-question='11'] .field-hint"), "Optional");
    window.type_into("[data-question='11'] .other textarea", "plain files");
    window.click("[data-question='11'] .add-note");
    window.type_into("[data-question='11'] .note textarea", "for now");
    window.click(".primary");
    window.await_shown("#panel-2.current");
    let given = window.texts(".row .given");
    assert_eq!(given[10..], ["a\nd", "plain files\nNote: for now", "Skipped"]);
    window.click(".primary");
    window.await_end().is_json(
        0,
        &json!({ "jsonrpc": "2.0", "id": 7, "result": { "action": "accept", "content": {
            "mail": "a@b.example", "page": "https://b.example/x", "day": "2027-01-02",
            "moment": "2027-01-02T03:04:05Z", "nick": "deck", "share": 0.5, "workers": 4, "dry": true,
            "level": "h", "colour": "#F00", "tags": ["a", "d"],
            "db_custom": "plain files", "db_note": "for now",
        }}}),
    );
}

#[test]
fn form_is_in_the_language_of_the_person() {
    for (language, trouble) in [
        ("pt_BR.UTF-8", "Informe um endereço de e-mail, como nome@example.com."),
        ("zh_CN.UTF-8", "请填写电子邮件地址，例如 name@example.com。"),
    ] {
        let screen = Screen::with("LANG", language);
        let window = Run::ask(&every_field()).open(&screen);
        give(&window, 0, "nobody");
        window.await_text("#error-0", trouble);
    }
}

const ADDRESS: &str = "https://mcp.example.com/ui/set_api_key?session=550e8400-e29b-41d4-a716-446655440000&return=https%3A%2F%2Fexample.com%2Fa%2Flong%2Fway";

fn asked_to_open<'a>(screen: &'a Screen, browser: &Browser) -> Window<'a> {
    let message = "Please provide your API key to continue.";
    let payload = json!({ "mode": "url", "message": message, "url": ADDRESS });
    Run::ask(&payload).env("PATH", browser.path.clone()).open(screen)
}

#[test]
fn url_is_shown_whole_and_opened_after_consent() {
    let screen = Screen::start();
    let browser = Browser::in_home(&screen);
    let window = asked_to_open(&screen, &browser);
    assert_eq!(window.texts(".label"), ["Open mcp.example.com in the browser", "Do not open it"]);
    assert_eq!(window.text(".description"), ADDRESS);
    let right = |css| format!("document.querySelector('{css}').getBoundingClientRect().right");
    let inside = format!("{} <= {}", right(".description"), right(".verb"));
    assert_eq!(window.see(&inside), true);
    window.person.press("1");
    window.await_focus(".verb[data-index='0']");
    assert_eq!(browser.visited(), "");
    window.click(".verb[data-index='0']");
    window.await_end().is_json(0, &json!({ "action": "accept" }));
    assert_eq!(browser.await_visit(), format!("{ADDRESS}\n"));
}

#[test]
fn declined_url_is_not_opened() {
    let screen = Screen::start();
    let browser = Browser::in_home(&screen);
    let window = asked_to_open(&screen, &browser);
    window.click(".verb.refuses");
    window.await_end().is_json(0, &json!({ "action": "decline" }));
    assert_eq!(browser.visited(), "");
}

#[test]
fn answer_of_another_front_end_is_checked() {
    let screen = Screen::start();
    screen.configure("answers_over_socket = true");
    let question = json!({ "question": "How many?", "type": "number", "max": 10 });
    let window = Run::ask(&question).open(&screen);
    let mut wire = Wire::to(&screen);
    let ticket = wire.call("list", &json!({}))["open"][0]["ticket"].take();
    wire.call("join", &json!({ "ticket": ticket }));
    for (text, trouble) in [("11", "Must be at most 10."), ("7", "")] {
        let draft = json!({ "drafts": [{ "text": text, "tried": true }] });
        let taken = wire.call("draft", &json!({ "ticket": ticket, "draft": draft }));
        assert_eq!(taken, json!({ "done": true }));
        window.await_text("#error-0", trouble);
    }
    let outcome = |value: u8| json!({ "outcome": "answered", "answers": [{ "value": value }] });
    wire.send("end", &json!({ "ticket": ticket, "outcome": outcome(11) }));
    assert_eq!(wire.next()["error"]["message"], "answers[0]: Must be at most 10.");
    window.click(".primary");
    window.await_end().answers(&json!([
        { "id": "question-0", "question": "How many?", "value": 7 },
    ]));
}

#[test]
fn decline_without_a_reason_where_none_can_be_sent() {
    let screen = Screen::start();
    let window = Run::ask(&every_field()).open(&screen);
    assert_eq!(window.texts(".away button:not([hidden])"), ["Decline all…"]);
    window.click(".away button:nth-child(1)");
    window.await_text(
        ".composer .hint",
        "The agent will only be told that you declined; it cannot receive a reason.",
    );
    window.await_focus(".primary");
    assert!(!window.shows(".composer textarea"));
    window.person.press("Return");
    let declined = json!({ "jsonrpc": "2.0", "id": 7, "result": { "action": "decline" } });
    window.await_end().is_json(1, &declined);
}
