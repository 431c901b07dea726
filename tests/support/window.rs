//! The window of a question that is being asked, seen by a WebDriver.

use std::{ffi::OsString, fs, path::Path, process::Command};

use serde_json::{Value, json};

use super::{
    Person, Screen,
    driver::Driver,
    foreign,
    run::{Ended, Files},
    until,
};

pub(crate) struct Window<'a> {
    /// Who presses real keys.
    pub(crate) person: Person<'a>,
    driver: Driver,
    files: Files,
}

impl<'a> Window<'a> {
    pub(super) fn open(
        screen: &'a Screen,
        driver: Command,
        binary: &Path,
        args: &[OsString],
        files: Files,
    ) -> Self {
        let args: Vec<_> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
        let driver = Driver::start(driver, &binary.to_string_lossy(), &args);
        Self { person: Person::at(screen), driver, files }
    }

    #[track_caller]
    pub(crate) fn await_armed(&self) {
        self.await_true(
            "the window to take keys",
            "document.documentElement.dataset.armed === 'true'",
        );
    }

    /// The value of an expression in the page.
    #[track_caller]
    pub(crate) fn see(&self, expression: &str) -> Value {
        self.run(&format!("return {expression};"))
    }

    /// What the body of a function returns in the page.
    #[track_caller]
    pub(crate) fn run(&self, script: &str) -> Value {
        self.driver.run(script, &json!([]))
    }

    #[track_caller]
    pub(crate) fn run_with(&self, script: &str, args: &Value) -> Value {
        self.driver.run(script, args)
    }

    #[track_caller]
    pub(crate) fn await_true(&self, what: &str, expression: &str) {
        until(what, || (self.see(expression) == true).then_some(()));
    }

    /// Whether an element is there and can be seen.
    #[track_caller]
    pub(crate) fn shows(&self, css: &str) -> bool {
        self.see(&format!(
            "document.querySelector({})?.checkVisibility({{ visibilityProperty: true }}) ?? false",
            js(css)
        )) == true
    }

    #[track_caller]
    pub(crate) fn await_shown(&self, css: &str) {
        until(format!("{css} to be seen"), || self.shows(css).then_some(()));
    }

    /// The text that is seen in an element.
    #[track_caller]
    pub(crate) fn text(&self, css: &str) -> String {
        self.texts(css).into_iter().next().unwrap_or_else(|| panic!("no {css}"))
    }

    #[track_caller]
    pub(crate) fn await_text(&self, css: &str, expected: &str) {
        let look = || (self.texts(css).first()? == expected).then_some(());
        until(format!("{css} to say `{expected}`"), look);
    }

    /// The text of each element.
    #[track_caller]
    pub(crate) fn texts(&self, css: &str) -> Vec<String> {
        let texts = self.see(&format!(
            "[...document.querySelectorAll({})].map((found) => found.innerText.trim())",
            js(css)
        ));
        serde_json::from_value(texts).expect("texts are texts")
    }

    #[track_caller]
    pub(crate) fn click(&self, css: &str) {
        self.await_shown(css);
        // While the window grows for the list, clicks do nothing.
        let takes_clicks = "document.documentElement.style.pointerEvents !== 'none'";
        self.await_true("the page to take clicks", takes_clicks);
        // WebDriver by itself is content with half an element in sight.
        let nearest = "document.querySelector(arguments[0]).scrollIntoView({ block: 'nearest' })";
        self.run_with(nearest, &json!([css]));
        self.driver.click(css);
    }

    #[track_caller]
    pub(crate) fn type_into(&self, css: &str, text: &str) {
        self.await_shown(css);
        self.driver.type_into(css, text);
    }

    #[track_caller]
    pub(crate) fn resize(&self, width: u32, height: u32) {
        self.driver.resize(width, height);
        let size = format!("innerWidth === {width} && innerHeight === {height}");
        self.await_true(&format!("a window of {width}×{height}"), &size);
    }

    #[track_caller]
    pub(crate) fn maximise(&self) {
        self.driver.maximise();
        self.await_true("the window to be as wide as the screen", "innerWidth === screen.width");
    }

    /// Waits for the other window of the app, and looks at that from now on.
    #[track_caller]
    pub(crate) fn switch(&self) {
        until("another window", || self.driver.switch().then_some(()));
    }

    /// Waits until these cards of the current question, and no others, are chosen.
    #[track_caller]
    pub(crate) fn await_chosen(&self, cards: &[usize]) {
        until(format!("cards {cards:?} to be chosen"), || (self.chosen() == cards).then_some(()));
    }

    /// The chosen cards of the current question.
    #[track_caller]
    pub(crate) fn chosen(&self) -> Vec<usize> {
        let chosen = self.see(
            "[...document.querySelectorAll('.panel.current .card input:checked')].map((card) => Number(card.dataset.index))",
        );
        serde_json::from_value(chosen).expect("places are numbers")
    }

    /// Waits until the keyboard is at this element.
    #[track_caller]
    pub(crate) fn await_focus(&self, css: &str) {
        let at = format!("document.activeElement.matches({})", js(css));
        self.await_true(&format!("the keyboard at {css}"), &at);
    }

    /// Goes from control to control until the keyboard is at this element.
    #[track_caller]
    pub(crate) fn tab_to(&self, css: &str) {
        for _ in 0..20 {
            if self.see(&format!("document.activeElement.matches({})", js(css))) == true {
                return;
            }
            self.run("window.before = document.activeElement");
            self.person.press("Tab");
            self.await_true("Tab to move", "document.activeElement !== window.before");
        }
        panic!("Tab does not come to {css}");
    }

    /// Asserts that axe-core finds nothing in the page that keeps anybody from using it.
    #[track_caller]
    pub(crate) fn assert_accessible(&self, state: &str) {
        self.await_true("colours to settle", "document.getAnimations().length === 0");
        if self.see("window.axe === undefined") == true {
            // As a WebDriver's own script: those of a page are only what came with it.
            let axe = fs::read_to_string(foreign::axe()).expect("it is a script");
            self.run(&axe);
        }
        self.run(include_str!("axe.js"));
        let found = || Some(self.see("window.axeFound")).filter(|found| !found.is_null());
        let found = until("axe-core to be done", found);
        assert_eq!(found, json!([]), "{state}");
    }

    /// The command that asks.
    pub(crate) fn command(&self) -> u32 {
        self.files.process().expect("it runs")
    }

    #[track_caller]
    pub(crate) fn await_end(&self) -> Ended {
        self.files.await_end()
    }

    /// Waits until the program and the app have ended, so that the same screen can have another.
    #[track_caller]
    pub(crate) fn close(self) -> Ended {
        let ended = self.await_end();
        self.person.await_no_app();
        ended
    }

    #[track_caller]
    pub(crate) fn is_over(&self) -> bool {
        self.files.is_over()
    }
}

/// A text as JavaScript writes it.
fn js(text: &str) -> String {
    Value::from(text).to_string()
}
