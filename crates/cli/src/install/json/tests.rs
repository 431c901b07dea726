use proptest::prelude::*;
use serde_json::json;

use super::*;

fn entry() -> Value {
    json!({ "command": "/bin/askdeck", "args": ["mcp"] })
}

fn path() -> Vec<Step> {
    keys(&["mcpServers", "askdeck"])
}

/// The entry goes in as expected, and comes out so that the text is as it was.
#[track_caller]
fn case(text: &str, expected: &str) {
    let with = put(text, &path(), &entry()).unwrap();
    assert_eq!(with, expected);
    assert_eq!(put(&with, &path(), &entry()).unwrap(), with, "once is enough");
    assert_eq!(without(&with, text), text);
}

fn without(text: &str, before: &str) -> String {
    prune(&take(text, &path()).unwrap(), &path()[..1], Some(before)).unwrap()
}

#[test]
fn it_is_indented_as_its_neighbours() {
    case(
        "{\n  \"a\": 1\n}\n",
        "{\n  \"a\": 1,\n  \"mcpServers\": {\n    \"askdeck\": {\n      \"command\": \"/bin/askdeck\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n",
    );
    case(
        "{\n\t\"mcpServers\": {\n\t\t\"x\": {}\n\t}\n}",
        "{\n\t\"mcpServers\": {\n\t\t\"x\": {},\n\t\t\"askdeck\": {\n\t\t\t\"command\": \"/bin/askdeck\",\n\t\t\t\"args\": [\"mcp\"]\n\t\t}\n\t}\n}",
    );
    case(
        "{\r\n    \"mcpServers\": {}\r\n}\r\n",
        "{\r\n    \"mcpServers\": {\r\n        \"askdeck\": {\r\n            \"command\": \"/bin/askdeck\",\r\n            \"args\": [\"mcp\"]\r\n        }\r\n    }\r\n}\r\n",
    );
}

#[test]
fn what_is_on_one_line_stays_there() {
    case(
        r#"{"a":1}"#,
        r#"{"a":1,"mcpServers":{"askdeck":{"command":"/bin/askdeck","args":["mcp"]}}}"#,
    );
    case(
        r#"{"mcpServers": {"x": {"command": "y"}}, "z": 2}"#,
        r#"{"mcpServers": {"x": {"command": "y"}, "askdeck": {"command": "/bin/askdeck", "args": ["mcp"]}}, "z": 2}"#,
    );
    case(
        "{\n  \"mcpServers\": { \"x\": { \"command\": \"y\" } }\n}\n",
        "{\n  \"mcpServers\": { \"x\": { \"command\": \"y\" }, \"askdeck\": {\"command\": \"/bin/askdeck\", \"args\": [\"mcp\"]} }\n}\n",
    );
}

#[test]
fn comments_and_commas_stay_with_what_they_belong_to() {
    let ours = "    \"askdeck\": {\n      \"command\": \"/bin/askdeck\",\n      \"args\": [\"mcp\"]\n    }";
    let start = "// mine\n{\n  \"mcpServers\": {\n    // the first\n    \"x\": 1";
    for (last, added) in [
        (" // why\n    // tail\n  }\n}\n", format!(", // why\n{ours}\n    // tail\n  }}\n}}\n")),
        (", // why\n  },\n}\n", format!(", // why\n{ours},\n  }},\n}}\n")),
        (" /* a */, /* b */\n  }\n}", format!(" /* a */, /* b */\n{ours},\n  }}\n}}")),
        ("\n\n\n  }\n}", format!(",\n{ours}\n\n\n  }}\n}}")),
        (" }}", format!(",\n{ours} }}}}")),
    ] {
        case(&format!("{start}{last}"), &format!("{start}{added}"));
    }
}

#[test]
fn a_line_comment_swallows_nothing() {
    let with = put("{\"a\": 1 // c\n}", &path(), &entry()).unwrap();
    assert!(with.starts_with("{\"a\": 1, // c\n  \"mcpServers\": {\n"), "{with}");
    assert_eq!(without(&with, "{}"), "{\"a\": 1 // c\n}");
    let with = put("{ // c\n}", &path(), &entry()).unwrap();
    assert!(with.starts_with("{ // c\n  \"mcpServers\": {\n"), "{with}");
    assert_eq!(find(&read(&with).unwrap(), &path()), Some(&entry()));
}

#[test]
fn an_empty_text_becomes_an_object() {
    for text in ["", "\n", "{}", "{ }\n", "// later\n"] {
        let with = put(text, &path(), &entry()).unwrap();
        assert_eq!(read(&with).unwrap(), json!({ "mcpServers": { "askdeck": entry() } }));
        assert!(with.starts_with(text.split('{').next().unwrap()), "{with}");
    }
}

#[test]
fn only_what_differs_is_set() {
    let old = "{\"mcpServers\": {\"askdeck\": {\"args\": [ \"mcp\" ], /* mine */ \"trust\": true, \"command\": \"/old\"}}}";
    assert_eq!(put(old, &path(), &entry()).unwrap(), old.replace("/old", "/bin/askdeck"));
}

#[test]
fn what_cannot_be_read_is_said() {
    let problem = |text: &str| put(text, &path(), &entry()).unwrap_err().to_string();
    assert_eq!(problem("{\n  \"a\": 1\n  \"b\": 2\n}"), "expected comma in line 2");
    assert_eq!(problem("[]"), "the file is not an object");
    assert_eq!(problem("{\"mcpServers\": null}"), "`mcpServers` is not an object");
    for text in ["{'a': 1}", "{a: 1}", "{", "{} {}", "{\"a\": +1}"] {
        problem(text);
    }
}

#[test]
fn lists_grow_and_shrink_at_their_place() {
    let list = keys(&["hooks", "Stop"]);
    let item = |index| [list.as_slice(), &[Step::Item(index)]].concat();
    for text in [
        "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"x\": 1\n      }\n    ]\n  }\n}\n",
        "{\"hooks\": {\"Stop\": [{\"x\": 1}, 2]}}",
        "{\n  \"hooks\": {\"Stop\": [ 1, // one\n 2 ]}}",
    ] {
        let count = find(&read(text).unwrap(), &list).unwrap().as_array().unwrap().len();
        let with = push(text, &list, &json!({ "y": [] })).unwrap();
        assert_eq!(find(&read(&with).unwrap(), &item(count)), Some(&json!({ "y": [] })));
        assert_eq!(take(&with, &item(count)).unwrap(), text);
    }
    assert_eq!(
        read(&push("{}", &list, &json!(1)).unwrap()).unwrap(),
        json!({ "hooks": { "Stop": [1] } })
    );
    assert_eq!(
        push("{\"hooks\": {\"Stop\": {}}}", &list, &json!(1)).unwrap_err().to_string(),
        "`hooks.Stop` is not an array"
    );
}

/// White space and comments, of which any may stand between two tokens.
fn gap() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        " ",
        "  ",
        "\t",
        "\n",
        "\r\n",
        "\n\n",
        "// { \"\n",
        "// ,\r\n",
        "/* } */",
        "/* \n , */",
        "/**/",
    ]);
    prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

/// An object in a shape that nobody would write.
fn any_object() -> impl Strategy<Value = String> {
    let plain = prop::sample::select(vec!["1", "-0.5e3", "null", "true", "\"a, }\"", "\"\\\"//\""]);
    let value = plain.prop_map(str::to_owned).prop_recursive(2, 16, 4, |inner| {
        let item = (gap(), inner.clone(), gap()).prop_map(|(a, value, b)| format!("{a}{value}{b}"));
        prop_oneof![3 => enclosed('{', member(inner), '}'), 1 => enclosed('[', item, ']')]
    });
    enclosed('{', member(value), '}')
}

fn member(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec!["\"mcpServers\"", "\"b\"", "\"c\"", "\"\\u0061\""]);
    (gap(), key, gap(), gap(), value, gap())
        .prop_map(|(a, key, b, c, value, d)| format!("{a}{key}{b}:{c}{value}{d}"))
}

fn enclosed(
    open: char,
    member: impl Strategy<Value = String>,
    close: char,
) -> impl Strategy<Value = String> {
    let members = prop::collection::vec(member, 0..4);
    (members, gap(), any::<bool>()).prop_map(move |(members, end, trailing)| {
        let comma = if trailing && !members.is_empty() { "," } else { "" };
        format!("{open}{}{comma}{end}{close}", members.join(","))
    })
}

/// Whether all that can be seen of a text is still there, in order.
fn is_within(text: &str, larger: &str) -> bool {
    let mut rest = larger.chars();
    text.chars().filter(|c| !c.is_whitespace()).all(|c| rest.any(|other| other == c))
}

proptest! {
    #[test]
    fn nothing_else_is_ever_changed(start in gap(), value in any_object(), end in gap()) {
        let text = format!("{start}{value}{end}");
        let before = read(&text).unwrap();
        prop_assume!(before.get("mcpServers").is_none_or(Value::is_object));
        let with = put(&text, &path(), &entry()).unwrap();
        prop_assert!(is_within(&text, &with), "{text:?} became {with:?}");
        let mut expected = before.clone();
        if find(&before, &path()[..1]).is_none() {
            expected["mcpServers"] = json!({});
        }
        expected["mcpServers"]["askdeck"] = entry();
        prop_assert_eq!(read(&with).unwrap(), expected, "{} became {}", text, with);
        prop_assert_eq!(&put(&with, &path(), &entry()).unwrap(), &with);
        let back = without(&with, &text);
        prop_assert_eq!(read(&back).unwrap(), before, "{} became {}", with, back);
        prop_assert!(is_within(&text, &back), "{with:?} became {back:?}");
    }
}
