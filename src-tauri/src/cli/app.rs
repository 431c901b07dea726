//! What the app is started to do.

use std::collections::HashMap;

use clap::{Error, ValueEnum, error::ErrorKind};
use serde_json::Value;

use super::{
    ask::{self, AskArgs},
    questions::QuestionFlags,
    source,
    ui::Ui,
};

pub enum Task {
    /// Serve callers until the deck is empty; how the command starts the app.
    Serve,
    /// Stay in the tray.
    Stay,
    /// Come to the person, who started it with nothing to ask, as from a menu.
    Open,
    Ask(AskArgs),
    /// Print the help or the version.
    Print(String),
}

/// The arguments that `plugins.cli` in `tauri.conf.json` declares, as they were given.
pub struct Given {
    /// By name: a text, a list of texts, or for a flag whether it was given.
    pub values: HashMap<String, Value>,
    /// Each value of these two, with its place among all arguments.
    pub questions: Vec<(usize, String)>,
    pub options: Vec<(usize, String)>,
}

impl TryFrom<Given> for Task {
    type Error = Error;

    fn try_from(given: Given) -> Result<Self, Error> {
        if given.is_nothing() && !source::is_given() {
            return Ok(Self::Open);
        }
        Ok(Self::Ask(AskArgs {
            payload: given.text("PAYLOAD").map(str::to_owned),
            dialect: given.checked("dialect", ask::dialect)?,
            to: given.checked("to", ask::dialect)?,
            timeout_ms: given.checked("timeout", ask::timeout)?,
            agent: given.text("agent").map(str::to_owned),
            key: given.text("key").map(str::to_owned),
            no_wait: given.flag("no-wait"),
            ui: given.checked("ui", |name| Ui::from_str(name, false))?.unwrap_or(Ui::Auto),
            questions: QuestionFlags::new(
                given.flag("multi"),
                !given.flag("no-other"),
                given.questions,
                given.options,
            )?,
        }))
    }
}

impl Given {
    fn is_nothing(&self) -> bool {
        self.values.values().all(|value| matches!(value, Value::Null | Value::Bool(false)))
    }

    fn flag(&self, name: &str) -> bool {
        self.values.get(name) == Some(&Value::Bool(true))
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name).and_then(Value::as_str)
    }

    fn checked<T>(
        &self,
        name: &str,
        check: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Error> {
        let Some(text) = self.text(name) else { return Ok(None) };
        check(text).map(Some).map_err(|expected| {
            let problem = format!("invalid value '{text}' for '--{name} <{name}>': {expected}");
            // Ends like the errors that clap finds by itself.
            let advice = "For more information, try '--help'.";
            Error::raw(ErrorKind::ValueValidation, format!("{problem}\n\n{advice}\n"))
        })
    }
}
