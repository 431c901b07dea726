//! The layouts that have no row of their own elsewhere: how soon a decision, a form and a long text
//! are there, and how soon a key moves through one.

use std::{
    fmt::Write as _,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use super::{App, row, siege, table};
use crate::{Result, desktop::Desktop, hand::Hand, stripes};

/// How many times a page is turned.
const PAGES: usize = 50;

/// A name and a payload for each. All of them show more lines of stripes than a choice does.
pub(super) fn payloads() -> Vec<(&'static str, String)> {
    vec![
        permission(),
        ("a plan of 2,000 lines", decision(&plan())),
        ("a diff of 3,000 lines", decision(&diff())),
        ("a form of 8 fields", form()),
    ]
}

fn decision(message: &str) -> String {
    format!(
        r#"{{"title":"Bench","message":"{}","questions":[{{"question":"{}","options":["Yes","No"],"consent":true}}]}}"#,
        message.replace('\n', r"\n"),
        stripes::TEXT
    )
}

/// The only one that a build can be asked that has no layouts: it shows too little of the others.
pub(super) fn permission() -> (&'static str, String) {
    let lines = [stripes::TEXT; 5].join("\n");
    ("a permission", decision(&format!("```sh\n{lines}\n```")))
}

fn plan() -> String {
    ["## Step", "", stripes::TEXT, "\n"].join("\n").repeat(500)
}

/// Twenty files, as git writes them. Stripes are in the first alone: an argument has to be short.
fn diff() -> String {
    let mut diff = String::from("```diff\n");
    for file in 0..20 {
        let name = format!("src/file{file}.rs");
        let _ = writeln!(diff, "diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}");
        diff.push_str("@@ -1,75 +1,75 @@\n");
        let text = if file == 0 { stripes::TEXT } else { "let words = count(line);" };
        for _ in 0..75 {
            let _ = writeln!(diff, "-{text}\n+{text} x");
        }
    }
    diff + "```"
}

fn form() -> String {
    let field =
        |n: usize| format!(r#"{{"id":"f{n}","question":"{}","type":"text"}}"#, stripes::TEXT);
    let fields: Vec<String> = (0..8).map(field).collect();
    format!(r#"{{"title":"Bench","form":true,"questions":[{}]}}"#, fields.join(","))
}

/// How soon a key turns a page of the diff, as a line of the report.
pub(super) fn scrolling(app: &App, programs: &Path, desktop: &Desktop) -> Result<String> {
    let args = ["--dialect", "askdeck", &decision(&diff())];
    let mut asked = app.ask(programs, desktop, &args)?;
    let mut times = turn_pages(desktop)?;
    asked.interrupt();
    row::await_closed(desktop)?;
    times.sort();
    Ok(format!(
        "Page Down through a diff of 3,000 lines, {PAGES} times: the next page shows after {:.1} ms, \
         9 of 10 within {:.1} ms\n",
        table::milliseconds(table::rank(&times, 50)),
        table::milliseconds(table::rank(&times, 90)),
    ))
}

fn turn_pages(desktop: &Desktop) -> Result<Vec<Duration>> {
    let mut hand = Hand::lay_on(desktop.dress(&mut Command::new("xdotool")))?;
    let mut turn = || {
        let before = siege::settled(desktop)?;
        let start = Instant::now();
        hand.press("Next")?;
        siege::await_change(desktop, &before, start)
    };
    (0..PAGES).map(|_| turn()).collect()
}
