use serde_json::json;

use super::*;

const PATH: [&str; 2] = ["mcp_servers", "askdeck"];

fn fields() -> Map<String, Value> {
    let fields = json!({ "command": "/bin/askdeck", "args": ["mcp"], "tool_timeout_sec": 60 });
    fields.as_object().unwrap().clone()
}

/// The table goes in as expected, and comes out so that the text is as it was.
#[track_caller]
fn case(text: &str, added: &str) {
    let with = put(text, PATH, &fields()).unwrap();
    assert_eq!(with, format!("{text}{added}"));
    assert_eq!(put(&with, PATH, &fields()).unwrap(), with, "once is enough");
    assert_eq!(read(&with, PATH).unwrap(), Some(fields().into()));
}

#[test]
fn it_is_added_at_the_end() {
    let ours = "[mcp_servers.askdeck]\ncommand = \"/bin/askdeck\"\nargs = [ \"mcp\" ]\ntool_timeout_sec = 60";
    for text in [
        "model = \"x\" # why\n",
        "# only a comment\n\n\n",
        "[mcp_servers]\n\n[mcp_servers.x]\ncommand = \"y\"\n# tail\n",
        "[mcp_servers]\nx = { command = \"y\" }\n",
        "mcp_servers.x.command = \"y\"\n",
        "s = \"\"\"\n[mcp_servers.askdeck]\n\"\"\"\n",
    ] {
        case(text, &format!("\n{ours}\n"));
        assert_eq!(take(&put(text, PATH, &fields()).unwrap(), PATH).unwrap(), text);
    }
    case("", &format!("{ours}\n"));
    case("a = 1", &format!("\n\n{ours}"));
    assert_eq!(take(&put("a = 1", PATH, &fields()).unwrap(), PATH).unwrap(), "a = 1");
    let windows = "a = 1\r\n\r\n[b]\r\n";
    case(windows, &format!("\n{ours}\n").replace('\n', "\r\n"));
    assert_eq!(take(&put(windows, PATH, &fields()).unwrap(), PATH).unwrap(), windows);
}

#[test]
fn only_what_differs_is_set() {
    let old = "[mcp_servers.askdeck] # mine\nargs   = [ \"mcp\", ] # so\ncommand = '/old' # there\nenabled = false\n\n[z]\n";
    let new = put(old, PATH, &fields()).unwrap();
    assert_eq!(
        new,
        "[mcp_servers.askdeck] # mine\nargs   = [ \"mcp\", ] # so\ncommand = \"/bin/askdeck\" # there\ntool_timeout_sec = 60\nenabled = false\n\n[z]\n"
    );
    assert_eq!(put(&new, PATH, &fields()).unwrap(), new);
}

#[test]
fn it_goes_with_all_below_it_and_nothing_else() {
    let text = "\
# top
[mcp_servers.a]
command = \"x\"

# before ours
[mcp_servers.askdeck]
command = \"/bin/askdeck\" # in ours
# also in ours
tools.ask.approval_mode = \"x\"
args = [
  \"mcp\",
]
# behind ours

[mcp_servers.askdeck.env]
A = \"1\"

[other]
# tail

[[mcp_servers.askdeck.list]]
b = 2
";
    assert_eq!(
        take(text, PATH).unwrap(),
        "# top\n[mcp_servers.a]\ncommand = \"x\"\n\n# before ours\n# behind ours\n\n[other]\n# tail\n"
    );
    for (text, rest) in [
        (
            "[mcp_servers]\nask = 1\naskdeck = { command = \"x\" } # y\nz = 2\n",
            "[mcp_servers]\nask = 1\nz = 2\n",
        ),
        ("mcp_servers.askdeck.command = 'x'\nb = 1\n", "b = 1\n"),
        ("a = 1\n", "a = 1\n"),
    ] {
        assert_eq!(take(text, PATH).unwrap(), rest);
    }
}

#[test]
fn what_cannot_be_changed_is_said() {
    let problem = |text: &str| put(text, PATH, &fields()).unwrap_err().to_string();
    assert!(problem("a = 1\nb = ").ends_with(" in line 2"), "{}", problem("a = 1\nb = "));
    assert_eq!(
        problem("mcp_servers = { x = { command = \"y\" } }"),
        "`mcp_servers` is not written as a section of its own, `[mcp_servers]`"
    );
    assert_eq!(
        problem("[mcp_servers]\naskdeck = { command = \"y\" }"),
        "`mcp_servers.askdeck` is not written as a section of its own, `[mcp_servers.askdeck]`"
    );
}
