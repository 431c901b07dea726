//! Forms made of a JSON Schema: what each field takes, what it says, and what is sent.

use serde_json::{Value, json};

use super::{
    Event, Focus, TextField, answered,
    person::{Person, read},
};
use crate::{
    dialect::{mcp, nova},
    dialog::Dialog,
    session::{Action, AsideKind, Progress},
};

fn form(properties: Value, required: Value) -> Dialog {
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    read(&mcp::DIALECT, &json!({ "message": "Before I go on", "requestedSchema": schema }))
}

/// A person at a form of one field that must be filled in.
fn at(field: Value) -> Person {
    Person::at_dialog(form(json!({ "field": field }), json!(["field"])))
}

/// Each of the texts is refused with its word, and the last is sent as this value.
#[track_caller]
fn takes(field: &Value, refused: &[(&str, &str)], text: &str, value: Value) {
    for (text, word) in refused {
        at(field.clone()).types(TextField::Text, text).press(&["Enter"]).goes_on().hears(word);
    }
    let person = at(field.clone()).types(TextField::Text, text).press(&["Enter"]);
    person.ends_with(answered(json!([{ "value": value }])));
    // The same renderer serves Nova.
    let nova = json!({ "interaction_id": 1, "question": "What?", "schema": field });
    let person = Person::at_dialog(read(&nova::DIALECT, &nova)).types(TextField::Text, text);
    person.press(&["Enter"]).ends_with(answered(json!([{ "value": value }])));
}

#[test]
fn texts_have_formats_lengths_and_patterns() {
    let string = |more: Value| {
        let mut field = json!({ "type": "string" });
        field.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        field
    };
    let format = |name: &str| string(json!({ "format": name }));
    let mail = "name@example.com";
    takes(
        &format("email"),
        &[("nobody", "format_email"), ("a b@c.d", "format_email")],
        mail,
        mail.into(),
    );
    let page = "https://example.com/a?b=c";
    takes(&format("uri"), &[("example", "format_uri"), ("/a", "format_uri")], page, page.into());
    let day = "2028-02-29";
    takes(
        &format("date"),
        &[("tomorrow", "format_date"), ("2027-02-29", "format_date")],
        day,
        day.into(),
    );
    let moment = "2026-12-31T18:30:00+01:00";
    let refused = [("2026-12-31", "format_date_time"), ("2026-12-31 18:30", "format_date_time")];
    takes(&format("date-time"), &refused, moment, moment.into());
    takes(&string(json!({ "minLength": 3 })), &[("ab", "too_short")], "日本語", "日本語".into());
    takes(&string(json!({ "maxLength": 3 })), &[("abcd", "too_long")], "日本語", "日本語".into());
    takes(&string(json!({ "pattern": "^[a-z]+$" })), &[("A", "pattern")], "a", "a".into());
}

#[test]
fn numbers_have_bounds() {
    let number = json!({ "type": "number", "minimum": 0, "maximum": 1 });
    let refused = [("much", "not_a_number"), ("-0.1", "at_least"), ("1.1", "at_most")];
    takes(&number, &refused, "0.25", json!(0.25));
    let integer = json!({ "type": "integer", "minimum": 1, "maximum": 8 });
    let refused = [("2.5", "not_whole"), ("0", "at_least"), ("9", "at_most")];
    takes(&integer, &refused, "8", json!(8));
}

#[test]
fn a_list_of_options_has_a_least_and_a_most() {
    let options = json!([{ "const": 1, "title": "A" }, { "const": 2, "title": "B" }, { "const": 3, "title": "C" }]);
    let field =
        json!({ "type": "array", "minItems": 2, "maxItems": 2, "items": { "anyOf": options } });
    at(field.clone()).press(&["1", "Enter"]).goes_on().hears("choose_at_least");
    let person = at(field).press(&["1", "2", "3", "Enter"]).goes_on().hears("choose_at_most");
    person.press(&["2", "Enter"]).ends_with(answered(json!([{ "selected": [0, 2] }])));
}

#[test]
fn defaults_are_where_the_cursor_starts_and_no_answers() {
    let enumeration = json!({ "type": "string", "enum": ["a", "b"], "default": "b" });
    let boolean = json!({ "type": "boolean", "default": false });
    let list =
        json!({ "type": "array", "items": { "enum": ["a", "b", "c"] }, "default": ["b", "c"] });
    for field in [enumeration, boolean, list] {
        let person = at(field).rests_at(Focus::Card { index: 1 });
        assert!(person.view.questions[0].chosen.is_empty());
        assert_eq!(person.view.questions[0].progress, Progress::Open);
        person.clicks(Action::GoOn).goes_on().hears("answer_needed");
    }
}

#[test]
fn a_default_in_a_box_is_given_only_once_the_person_has_gone_on_from_it() {
    let fields = json!({ "name": { "type": "string", "default": "deck" }, "count": { "type": "integer", "default": 3 } });
    let decline = |person: Person| {
        person.clicks(Action::OpenAside { aside: AsideKind::Decline }).press(&["Enter"])
    };
    let person = || Person::at_dialog(form(fields.clone(), json!(["name", "count"])));
    assert_eq!(person().view.questions[0].progress, Progress::Open);
    assert_eq!(person().press(&["Enter"]).view.questions[0].progress, Progress::Answered);
    let skipped = json!({ "skipped": true });
    let declined =
        |partial: Value| json!({ "outcome": "declined", "reason": null, "partial": partial });
    decline(person()).ends_with(declined(json!([skipped, skipped])));
    decline(person().press(&["Enter"])).ends_with(declined(json!([{ "value": "deck" }, skipped])));
    person()
        .press(&["Enter", "Enter", "Enter"])
        .ends_with(answered(json!([{ "value": "deck" }, { "value": 3 }])));
}

#[test]
fn an_optional_field_left_empty_is_absent() {
    let fields = json!({
        "name": { "type": "string", "minLength": 3 },
        "count": { "type": "integer", "minimum": 1 },
        "which": { "type": "string", "enum": ["a", "b"] },
        "some": { "type": "array", "minItems": 1, "items": { "enum": ["a", "b"] } },
        "sure": { "type": "boolean" },
    });
    let person = Person::at_dialog(form(fields, json!([])));
    person.press(&["ctrl+Enter"]).ends_with(answered(json!(vec![json!({ "skipped": true }); 5])));
}

#[test]
fn a_text_beside_a_choice_is_its_other_box() {
    let fields = json!({
        "db": { "type": "string", "enum": ["pg", "lite"] },
        "db_custom": { "type": "string" },
        "tags": { "type": "array", "maxItems": 2, "items": { "enum": ["a", "b", "c"] } },
        "tags_other": { "type": "string" },
    });
    let person = Person::at_dialog(form(fields, json!([])));
    assert_eq!(person.view.questions.len(), 2);
    let person = person.press(&["3"]).types(TextField::Other, "files").press(&["Enter"]);
    let person = person.press(&["1", "2", "4"]).types(TextField::Other, "d").press(&["Enter"]);
    let person = person
        .goes_on()
        .hears("choose_at_most")
        .event(Event::Moved { focus: Focus::Card { index: 1 } });
    person
        .press(&["2", "ctrl+Enter"])
        .ends_with(answered(json!([{ "other": "files" }, { "selected": [0], "other": "d" }])));
}

#[test]
fn an_address_is_agreed_to_like_a_yes() {
    let payload = json!({ "mode": "url", "message": "Sign in", "url": "https://a.example/login" });
    let dialog = read(&mcp::DIALECT, &payload);
    let person = Person::at_dialog(dialog.clone());
    person.press(&["2", "Enter"]).ends_with(answered(json!([{ "value": false }])));
    Person::at_dialog(dialog)
        .press(&["1", "Enter"])
        .ends_with(answered(json!([{ "value": true }])));
}

#[test]
fn decline_reason_only_where_it_can_be_sent() {
    let mut dialog = form(json!({ "field": { "type": "string" } }), json!([]));
    dialog.no_reason = true;
    let person = Person::at_dialog(dialog);
    let person = person.clicks(Action::OpenAside { aside: AsideKind::Clarify });
    assert_eq!(person.view.aside, None);
    let person = person.clicks(Action::OpenAside { aside: AsideKind::Decline });
    person.rests_at(Focus::Primary).press(&["Enter"]).ends_with(json!({
        "outcome": "declined", "reason": null, "partial": [{ "skipped": true }],
    }));
}

#[test]
fn prefilled_text_is_sent_only_once_seen() {
    let field = |text: &str| json!({ "type": "string", "default": text });
    let mut properties = json!({ "a": field("x") });
    for index in 1..8 {
        properties[format!("b{index}")] = json!({ "type": "number" });
    }
    properties["c"] = field("y");
    // The first page, with its default, is in sight; the second is not.
    let person = Person::at_dialog(form(properties, json!([]))).press(&["ctrl+Enter"]);
    let second_page = person.view.questions.len() - 1;
    assert_eq!(person.view.step, second_page);
    let mut answers = vec![json!({ "skipped": true }); 9];
    answers[0] = json!({ "value": "x" });
    answers[8] = json!({ "value": "y" });
    person.press(&["ctrl+Enter"]).ends_with(answered(answers.into()));
}

/// Each level of a value is checked twice as often as the one around it.
fn doubling() -> Value {
    let node = json!({ "$ref": "#/$defs/node" });
    json!({ "$ref": "#/$defs/node", "$defs": { "node": { "allOf": [{ "items": node }, { "items": node }] } } })
}

#[test]
fn answer_too_costly_to_check_is_not_sent() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let nova = json!({ "interaction_id": 1, "question": "What?", "schema": doubling() });
    let person = Person::at_dialog(read(&nova::DIALECT, &nova)).types(TextField::Text, &nested(60));
    let person = person.press(&["ctrl+Enter"]).goes_on().hears("too_much_to_check");
    let person = person.types(TextField::Text, &nested(2)).press(&["ctrl+Enter"]);
    person.ends_with(answered(json!([{ "value": [[]] }])));
    // Where a field refers to something, the form as a whole checks it.
    let schema = json!({
        "type": "object",
        "properties": { "field": { "$ref": "#/$defs/node" } },
        "$defs": doubling()["$defs"],
    });
    let form = json!({ "message": "What?", "requestedSchema": schema });
    let person = Person::at_dialog(read(&mcp::DIALECT, &form)).types(TextField::Text, &nested(60));
    let person = person.press(&["ctrl+Enter"]).goes_on().hears("too_much_to_check");
    let person = person.types(TextField::Text, &nested(2)).press(&["ctrl+Enter"]);
    person.ends_with(answered(json!([{ "value": [[]] }])));
}

/// Nothing has checked what was kept before there were limits.
#[test]
fn no_answer_satisfies_a_kept_schema_that_is_refused_now() {
    let nova = json!({ "interaction_id": 1, "question": "What?", "schema": { "type": "string" } });
    let mut kept = serde_json::to_value(read(&nova::DIALECT, &nova)).unwrap();
    kept["questions"][0]["schema"] = json!({ "allOf": [{ "$ref": "#" }] });
    let person = Person::at_dialog(serde_json::from_value(kept).unwrap());
    let person = person.types(TextField::Text, "x").press(&["ctrl+Enter"]);
    person.goes_on().hears("too_much_to_check");
}
