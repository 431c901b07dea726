//! What the person reads before they answer, with real keys: long plans, commands, diffs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::support::{Run, Screen, Window};

fn ask(message: &str) -> Value {
    json!({ "agent": "Tester", "message": message, "question": "Go ahead?",
        "options": ["Approve", "Keep planning"] })
}

fn plan(steps: usize) -> String {
    let mut plan = String::new();
    for step in 1..=steps {
        let _ = write!(
            plan,
            "## Step {step}\n\nChange **session {step}** so that it reads the key first.\n\n\
             1. One thing\n2. Another\n\n```rust\nfn step_{step}() -> u32 {{ {step} }}\n```\n\n"
        );
    }
    plan
}

/// A unified diff of so many files, each with so many lines that are removed and added.
fn diff(files: usize, changes: usize) -> String {
    let mut diff = String::from("```diff\n");
    for file in 1..=files {
        let _ = write!(
            diff,
            "diff --git a/src/part/file_{file}.rs b/src/part/file_{file}.rs\n\
             --- a/src/part/file_{file}.rs\n+++ b/src/part/file_{file}.rs\n\
             @@ -1,{0} +1,{0} @@\n",
            changes + 30
        );
        for line in 0..30 {
            let _ = writeln!(diff, " let same_{line} = {line};");
        }
        for line in 0..changes {
            let _ = write!(
                diff,
                "-    let value = compute({line});\n+    let value = checked({line})?;\n"
            );
        }
    }
    diff + "```"
}

const TEXT: &str = "document.querySelector('.reading-text')";

#[track_caller]
fn scrolled(window: &Window) -> f64 {
    window.see(&format!("{TEXT}.scrollTop")).as_f64().expect("a number")
}

#[track_caller]
fn await_scrolled(window: &Window, condition: &str) {
    window
        .await_true(&format!("the text at {condition}"), &format!("{TEXT}.scrollTop {condition}"));
}

#[test]
fn a_plan_scrolls_by_keys_that_answer_nothing() {
    let screen = Screen::start();
    let window = Run::ask(&ask(&plan(60))).open(&screen);
    let person = &window.person;
    window.await_focus("[data-index='0']");
    window.await_true("more below", "document.querySelector('.reading.cut') !== null");
    person.press("Next");
    await_scrolled(&window, "> 100");
    let page = scrolled(&window);
    person.press("Prior");
    await_scrolled(&window, "=== 0");
    person.press("End");
    window.await_true("no more below", "document.querySelector('.reading.cut') === null");
    person.press("Home");
    await_scrolled(&window, "=== 0");
    window.await_focus("[data-index='0']");

    window.run(&format!("{TEXT}.focus()"));
    person.press("space");
    await_scrolled(&window, &format!("=== {page}"));
    person.press("Down");
    await_scrolled(&window, &format!("> {page}"));
    person.press("shift+space Up");
    await_scrolled(&window, "=== 0");
    assert_eq!(window.chosen(), [0; 0]);
    assert!(!window.is_over());
    assert_eq!(window.see(&format!("{TEXT}.scrollWidth <= {TEXT}.clientWidth")), true);
}

#[test]
fn the_outline_leads_through_a_plan() {
    let screen = Screen::start();
    let window = Run::ask(&ask(&plan(30))).open(&screen);
    assert!(window.shows(".reading-outline"), "there is room for it");
    assert_eq!(window.texts(".reading-entry")[29], "Step 30");
    window.click("li:nth-child(20) .reading-entry");
    window.await_true(
        "the twentieth step at the top",
        &format!(
            "(() => {{ const step = {TEXT}.querySelectorAll('h2')[19].getBoundingClientRect().top;
                const top = {TEXT}.getBoundingClientRect().top;
                return step >= top - 1 && step < top + 40; }})()"
        ),
    );
    window.await_text(".reading-entry[aria-current='true']", "Step 20");

    window.resize(600, 700);
    assert!(!window.shows(".reading-outline"));
    window.click(".reading-tools > :first-child");
    window.await_shown(".reading-outline");
    window.assert_accessible("the outline of a narrow window");
}

#[test]
fn what_is_sought_is_found_and_answers_nothing() {
    let screen = Screen::start();
    let window = Run::ask(&ask(&plan(60))).open(&screen);
    let person = &window.person;
    person.press("ctrl+f");
    window.await_focus(".reading-box");
    person.type_text("session 4");
    // The word stands in bold beside the rest of its sentence: 4, and 40 to 49.
    window.await_text(".reading-count", "1 of 11");
    person.press("Return Return");
    window.await_text(".reading-count", "3 of 11");
    let in_sight = "(() => { const [match] = CSS.highlights.get('found-now');
        const { top, bottom } = match.getBoundingClientRect();
        const around = document.querySelector('.reading-text').getBoundingClientRect();
        return match.toString() === 'session 4' && top >= around.top && bottom <= around.bottom; })()";
    window.await_true("the match in sight", in_sight);
    person.press("shift+Return");
    window.await_text(".reading-count", "2 of 11");
    person.press("ctrl+a");
    person.type_text("nowhere");
    window.await_text(".reading-count", "Not found");
    window.assert_accessible("a search");
    person.press("Escape");
    window.await_focus("[data-index='0']");
    assert!(!window.shows(".reading-find"));
    assert_eq!(window.see("CSS.highlights.get('found').size"), 0);
    assert_eq!(window.see("document.querySelector('textarea').value"), "");
    assert_eq!(window.chosen(), [0; 0]);
    assert!(!window.is_over());
}

#[test]
fn over_the_whole_window_no_key_answers() {
    let screen = Screen::start();
    let window = Run::ask(&ask(&plan(60))).open(&screen);
    let person = &window.person;
    person.press("F11");
    window.await_shown(".reading.whole");
    let covers = "(({ width, height }) => width === innerWidth && height === innerHeight)(document.querySelector('.reading').getBoundingClientRect())";
    assert_eq!(window.see(covers), true);
    person.press("1 Return ctrl+Return 2 space");
    await_scrolled(&window, "> 0");
    assert_eq!(window.chosen(), [0; 0]);
    assert!(!window.is_over());
    window.assert_accessible("the whole window");
    person.press("Escape");
    window.await_focus("[data-index='0']");
    assert!(!window.shows(".reading.whole"));
    person.press("2");
    window.await_chosen(&[1]);
    person.press("Return");
    window.await_end().answers(&json!([
        { "id": "question-0", "question": "Go ahead?", "selected": ["Keep planning"] },
    ]));
}

#[test]
fn a_diff_has_files_numbers_words_and_folds() {
    let screen = Screen::start();
    let window = Run::ask(&ask(&diff(3, 2))).open(&screen);
    assert_eq!(window.texts(".file .path")[1], "src/part/file_2.rs");
    assert_eq!(window.texts(".file > summary > .plus"), ["+2", "+2", "+2"]);
    assert_eq!(window.texts(".of-file")[2], "file_3.rs\n+2\n−2");
    assert_eq!(window.texts(".removed mark")[0], "compute");
    assert_eq!(window.see("document.querySelector('.removed').dataset.old"), "31");

    let fold = ".fold > summary";
    assert_eq!(window.text(fold), "… 24 lines");
    assert_eq!(
        window.texts(".file:first-child .same").iter().filter(|line| !line.is_empty()).count(),
        6
    );
    window.run("document.querySelector('.fold > summary').focus()");
    window.person.press("Return");
    window.await_shown(".fold[open] .same");
    window.run("document.querySelector('.file > summary').focus()");
    window.person.press("space");
    window.await_true("the file to be folded", "!document.querySelector('.file').open");
    assert_eq!(window.chosen(), [0; 0]);
    assert!(!window.is_over());
}

#[test]
fn a_wide_window_has_room_for_two_columns() {
    let screen = Screen::start();
    let window = Run::ask(&ask(&diff(2, 3))).open(&screen);
    window.maximise();
    let tool = ".reading-tools > :nth-child(2)";
    window.await_text(tool, "Side by side");
    window.click(tool);
    let beside =
        "(() => { const [old, now] = document.querySelector('.pair:has(.removed)').children;
        return old.matches('.removed') && now.matches('.added')
            && old.getBoundingClientRect().right <= now.getBoundingClientRect().left + 1; })()";
    window.await_true("old beside new", beside);
    window.assert_accessible("two columns");
    window.resize(700, 700);
    window.await_true("one column", "document.querySelector('.pair') === null");
    assert_eq!(window.see("document.querySelectorAll('.added').length"), 6);
}

#[test]
fn a_long_command_says_how_much_of_it_is_folded_and_is_copied_whole() {
    let screen = Screen::start();
    let lines: Vec<_> = (1..=40).map(|line| format!("echo {line} <b> && true")).collect();
    let command = lines.join("\n");
    let window = Run::ask(&ask(&format!("```sh\n{command}\n```"))).open(&screen);
    assert_eq!(window.text(".reading-more"), "Show all 40 lines");
    assert_eq!(window.text(".command code").lines().count(), 12);
    window.click(".reading-more");
    window.await_text(".reading-more", "Show less");
    assert_eq!(window.text(".command code"), command);
    window.run("document.querySelector('.reading-copy').focus()");
    window.person.press("Return");
    window.await_shown(".reading-copy.done");
    // Pasted where it can be read back.
    window.click(".other textarea");
    window.person.press("ctrl+v");
    window.await_true(
        "the command, unchanged",
        &format!("document.querySelector('.other textarea').value === {}", json!(command)),
    );
}

#[test]
fn each_command_of_a_long_line_is_seen_at_the_left() {
    let screen = Screen::start();
    let command = "find . -name '*.log' -mtime +30 -print0 | xargs -0 gzip -9 && rm -rf ./archive && curl -s https://a.example | sh";
    let window = Run::ask(&ask(&format!("```bash\n{command}\n```"))).open(&screen);
    assert_eq!(window.see("document.querySelector('.command code').textContent"), command);
    let lines = window.see(
        "(() => { const code = document.querySelector('.command code');
            return Math.round(code.getBoundingClientRect().height / parseFloat(getComputedStyle(code).lineHeight)); })()",
    );
    assert_eq!(lines, 5);
}

#[test]
fn colours_come_once_the_code_is_seen_and_change_no_letter() {
    let screen = Screen::start();
    let code = "fn main() {\n    let ünïcode = \"🦀\"; // <b>\n}";
    let message = format!("```rust\n{code}\n```\n\n```no-such\nfn\n```\n\n{}", diff(1, 2));
    let window = Run::ask(&ask(&message)).open(&screen);
    window.await_true("colours", "document.querySelectorAll('pre .code-keyword').length === 2");
    assert_eq!(window.see("document.body.dataset.painted"), "true");
    assert_eq!(window.see("document.querySelector('pre code').textContent"), format!("{code}\n"));
    assert_eq!(window.text(".code-comment"), "// <b>");
    window.await_shown(".added .code-keyword");
    assert_eq!(window.text(".added"), "+    let value = checked(0)?;");
    assert_eq!(
        window.see("document.querySelectorAll('pre')[1].querySelector('code').children.length"),
        0
    );
    window.person.press("ctrl+f");
    window.person.type_text("let value");
    window.await_text(".reading-count", "1 of 4");
}

fn every_part_can_be_read(theme: &str) {
    let screen = Screen::with("GTK_THEME", theme);
    let code = "```rust\n#[derive(Debug)]\nstruct A<'a> { b: u32 } // why\nfn c() -> String { format!(\"{}\\n\", 1) }\n```";
    let message = format!(
        "{}\n{code}\n\n```sh\nFOO=1 npm run build --flag | sh\n```\n\n{}",
        plan(4),
        diff(2, 3)
    );
    let window = Run::ask(&ask(&message)).open(&screen);
    window.maximise();
    window.person.press("F11");
    window.await_shown(".reading.whole");
    window.person.press("End");
    window.await_shown(".added mark .code-function, .added .code-keyword");
    window.assert_accessible("at the end");
    assert_eq!(window.run(include_str!("support/contrast.js")), json!([]));
    window.person.press("Home");
    window.assert_accessible("at the beginning");
}

#[test]
fn everybody_can_read_on_dark() {
    every_part_can_be_read("Adwaita:dark");
}

#[test]
fn everybody_can_read_on_light() {
    every_part_can_be_read("Adwaita");
}

#[test]
fn pictures_in_the_payload_are_seen_and_no_others() {
    let screen = Screen::start();
    let png = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let message = format!("![A pixel]({png}) ![remote](https://a.example/x.png)");
    let window = Run::ask(&ask(&message)).open(&screen);
    window.await_true(
        "the picture",
        "(({ complete, naturalWidth }) => complete && naturalWidth === 1)(document.querySelector('img'))",
    );
    assert_eq!(window.see("document.images.length"), 1);
    assert_eq!(window.see("document.images[0].alt"), "A pixel");
    assert_eq!(window.text(".reading a"), "remote https://a.example/x.png");
}

#[test]
fn the_largest_texts_are_read_to_their_end() {
    let screen = Screen::start();
    for message in [diff(20, 75), plan(250), "x".repeat(1_000_000)] {
        let window = Run::ask(&ask(&message)).open(&screen);
        // What it skips gets its true height as it comes into sight, so the end may move a few times.
        window.await_true(
            "the end of the text",
            "(() => {
                const text = document.querySelector('.reading-text');
                text.scrollTop = text.scrollHeight;
                return text.scrollTop > 0 && text.scrollTop + text.clientHeight >= text.scrollHeight - 1;
            })()",
        );
        window.person.press("Escape Escape");
        window.close();
    }
}

/// How long a frame takes is measured by the bench.
#[test]
fn of_a_long_diff_only_what_is_near_is_laid_out() {
    let screen = Screen::start();
    let window = Run::ask(&ask(&diff(20, 75))).open(&screen);
    let parts = window.see("document.querySelectorAll('.diff .part').length");
    assert_eq!(parts, 20);
    window.await_true(
        "all but a few parts to be skipped",
        "[...document.querySelectorAll('.diff .part')]
            .filter((part) => part.firstElementChild.checkVisibility({ contentVisibilityAuto: true })).length < 5",
    );
}
