use serde_json::json;

use super::{DOWN, ask, chosen, in_terminal, open, which};
use crate::{
    hostile,
    support::{Home, Run, Terminal, signal},
};

#[test]
fn cards_have_marks_labels_badges_descriptions_and_numbers() {
    let home = Home::new();
    let terminal = ask(&home, &which());
    for text in [
        "Tester asks",
        "/work",
        "❯ ( ) 1 PostgreSQL  Recommended",
        "        For complex queries",
        "  ( ) 2 SQLite",
        "  ( ) 3 Other",
        "↑ ↓ move · 1–3 choose · Enter send · Esc close · Tab buttons",
    ] {
        terminal.await_text(text);
    }
    assert!(!terminal.screen().contains("(Recommended)"), "the badge says it");
}

#[test]
fn markdown_and_previews_are_plain_text() {
    let home = Home::new();
    let payload = json!({ "agent": "Tester", "title": "Storage",
        "message": "See [the docs](https://a.example/x).\n\n- fast\n- *small*",
        "question": "Use **this** `config`?", "options": [
            { "label": "Yes", "preview": "```diff\n+new\n-old\n```" },
            { "label": "No" },
    ]});
    let terminal = Terminal::start(in_terminal(&payload), &home, 120, 30);
    terminal.await_armed();
    for text in
        ["Storage", "the docs (https://a.example/x).", "- small", "Use this `config`?", "│   +new"]
    {
        terminal.await_text(text);
    }
    terminal.press(DOWN);
    terminal.await_text("│ No preview for this option.");
    terminal.resize(60, 30);
    terminal.press("\x1b[A");
    terminal.await_text("Preview");
    terminal.await_text("    -old");
    // Where it does not fit beside the options, it can be scrolled below them.
    let lines: Vec<_> = (0..40).map(|line| format!("line {line}  ")).collect();
    let payload = json!({ "agent": "Tester", "question": "Which?", "options": [
        { "label": "Long", "preview": lines.join("\n") },
    ]});
    let terminal = Terminal::start(in_terminal(&payload), &home, 120, 30);
    terminal.await_armed();
    terminal.await_text("  line 0");
    terminal.press("\x1b[6~\x1b[6~");
    terminal.await_text("  line 39");
}

#[test]
fn terminal_follows_resizes() {
    let home = Home::new();
    let terminal = ask(&home, &which());
    terminal.press("2");
    terminal.await_text("(*) 2 SQLite");
    for (columns, rows) in [(40, 15), (200, 50), (40, 10), (24, 8), (80, 24)] {
        terminal.resize(columns, rows);
        terminal.await_text("(*) 2 SQLite");
        terminal.await_text("[ Send “SQLite” ]");
    }
    terminal.resize(20, 5);
    terminal.await_text("Make it\nlarger.");
    terminal.press("1");
    terminal.press("\r");
    // Read later, in a terminal that is large enough again, they would count.
    terminal.await_read();
    terminal.resize(1, 1);
    terminal.resize(80, 24);
    terminal.await_text("(*) 2 SQLite");
    terminal.press("\r");
    terminal.ends().answers(&chosen("SQLite"));
}

#[test]
fn terminal_scrolls_many_options() {
    let home = Home::new();
    let options: Vec<_> = (1..=20).map(|number| format!("option {number}")).collect();
    let payload = json!({ "agent": "Tester", "question": "Which database?", "options": options });
    let terminal = Terminal::start(in_terminal(&payload), &home, 40, 15);
    terminal.await_armed();
    terminal.await_text("❯ ( ) 1 option 1");
    terminal.await_text("↓");
    assert!(!terminal.screen().contains("option 20"), "{}", terminal.screen());
    terminal.press("\x1b[A\x1b[A");
    terminal.await_text("❯ ( )   option 20");
    terminal.press("\r");
    terminal.ends().answers(&chosen("option 20"));
}

#[test]
fn terminal_uses_only_colours_it_has() {
    let colours = |run: Run| {
        let home = Home::new();
        let terminal = open(&home, run);
        terminal.press(DOWN);
        terminal.press("\r");
        terminal.ends().answers(&chosen("SQLite"));
        String::from_utf8(terminal.bytes()).expect("it draws text")
    };
    let ask = || in_terminal(&which());
    assert!(colours(ask().env("COLORTERM", "truecolor")).contains("\x1b[38;2;86;101;246"));
    assert!(colours(ask()).contains("\x1b[38;5;63"));
    assert!(colours(ask().env("TERM", "linux")).contains("\x1b[38;5;5;"));
    for run in [ask().env("NO_COLOR", "1"), ask().env("TERM", "vt220")] {
        let drawn = colours(run);
        let numbers = drawn.split("\x1b[").filter_map(|rest| rest.split_once('m'));
        let numbers = numbers.flat_map(|(numbers, _)| numbers.split(';').map(str::to_owned));
        let colours: Vec<_> = numbers
            .filter_map(|number| number.parse::<u8>().ok())
            .filter(|number| matches!(number, 30..=38 | 40..=48 | 90..=107))
            .collect();
        assert!(colours.is_empty(), "{colours:?}");
    }
}

#[test]
fn escapes_of_an_agent_never_reach_the_terminal() {
    let home = Home::new();
    let terminal = Terminal::start(in_terminal(&hostile::payload()), &home, 80, 60);
    terminal.await_armed();
    terminal.await_text("<script>window.hacked = 1</script>");
    terminal.press("1");
    terminal.await_text("(*) 1");
    terminal.press("\x1b[C\x1b[C\x1b[C");
    terminal.await_read();
    // In the middle of a frame its last sequence would be cut.
    signal("INT", terminal.process());
    terminal.ends();
    let drawn = String::from_utf8(terminal.bytes()).expect("it draws text");
    // What we draw with: colours, places, clearing, modes and the keys of the alternate screen.
    for sequence in drawn.split('\x1b').skip(1) {
        let end = sequence.find(|c: char| c.is_ascii_alphabetic()).expect("a sequence ends");
        let known = sequence.starts_with('[') && "mHJKhluABCD".contains(&sequence[end..=end]);
        assert!(known, "ESC{sequence:?}");
    }
    let foul = |c: &char| {
        (c.is_control() && !['\x1b', '\r', '\n'].contains(c))
            || ['\u{202e}', '\u{2066}'].contains(c)
    };
    assert_eq!(drawn.chars().find(foul), None);
    for text in ["0;title", "\x1b[31m"] {
        assert!(!drawn.contains(text), "{text:?}");
    }
}

#[test]
fn terminal_reads_numbers_by_language() {
    let home = Home::new();
    let ask = json!({ "agent": "Tester", "question": "How much?", "type": "number" });
    let run = in_terminal(&ask).env("LANG", "pt_BR.UTF-8");
    let terminal = Terminal::start(run, &home, 80, 24);
    terminal.await_text("Tab botões");
    terminal.press("1.500\r");
    terminal.await_text("Isto pode ser 1500 ou 1,5000.");
    terminal.press("\x7f\x7f\x7f\x7f,5\r");
    terminal.ends().answers(&json!([
        { "id": "question-0", "question": "How much?", "value": 1.5 },
    ]));
}

#[test]
fn it_speaks_the_language_of_the_person() {
    for (language, words) in [
        ("pt_BR.UTF-8", ["Tester pergunta", "[ Enviar ]", "Tab botões"]),
        ("zh_CN.UTF-8", ["Tester 提问", "[ 发送 ]", "Tab 按钮"]),
    ] {
        let home = Home::new();
        let terminal = Terminal::start(in_terminal(&which()).env("LANG", language), &home, 40, 15);
        for word in words {
            terminal.await_text(word);
        }
    }
}
