//! Questions without JSON: `-q TEXT -o "Label: description" …`.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, error::ErrorKind};
use serde_json::{Value, json};

/// Questions with the options that followed them.
pub(super) struct QuestionFlags {
    questions: Vec<(String, Vec<String>)>,
    multi: bool,
    other: bool,
}

impl QuestionFlags {
    /// Takes each question and each option with its place among the arguments.
    pub(super) fn new(
        multi: bool,
        other: bool,
        questions: Vec<(usize, String)>,
        mut options: Vec<(usize, String)>,
    ) -> Result<Self, Error> {
        let mut flags = Self { questions: Vec::new(), multi, other };
        for (place, text) in questions.into_iter().rev() {
            let after = options.iter().position(|&(at, _)| at > place).unwrap_or(options.len());
            let own = options.split_off(after).into_iter().map(|(_, option)| option).collect();
            flags.questions.insert(0, (text, own));
        }
        match options.first() {
            Some((_, option)) => {
                let message =
                    format!("option `{option}` comes before any question; put its -q first\n");
                Err(Error::raw(ErrorKind::ArgumentConflict, message))
            }
            None => Ok(flags),
        }
    }

    /// The questions as a payload of our own dialect; `None` if there are none.
    pub(super) fn payload(&self) -> Option<Value> {
        let questions: Vec<_> = self
            .questions
            .iter()
            .map(|(text, options)| match options.as_slice() {
                [] => json!({ "question": text, "type": "text" }),
                options => json!({
                    "question": text,
                    "type": if self.multi { "multi" } else { "single" },
                    "other": self.other,
                    "options": options.iter().map(|option| self::option(option)).collect::<Vec<_>>(),
                }),
            })
            .collect();
        (!questions.is_empty()).then(|| json!({ "askdeck": 1, "questions": questions }))
    }
}

fn option(text: &str) -> Value {
    match text.split_once(": ") {
        Some((label, description)) => json!({ "label": label, "description": description }),
        None => json!({ "label": text }),
    }
}

// By hand, because the derived code does not keep the order between two kinds of flags.
impl Args for QuestionFlags {
    fn augment_args(command: Command) -> Command {
        command
            .arg(
                Arg::new("question")
                    .short('q')
                    .long("question")
                    .value_name("TEXT")
                    .action(ArgAction::Append)
                    .conflicts_with("payload")
                    .help("Ask this question with the options that follow; repeatable"),
            )
            .arg(
                Arg::new("option")
                    .short('o')
                    .long("option")
                    .value_name("LABEL[: DESCRIPTION]")
                    .action(ArgAction::Append)
                    .requires("question")
                    .help(
                        "Add an option to the question before it; without options the answer is text",
                    ),
            )
            .arg(
                Arg::new("multi")
                    .long("multi")
                    .action(ArgAction::SetTrue)
                    .requires("question")
                    .help("Allow several options to be chosen"),
            )
            .arg(
                Arg::new("no_other")
                    .long("no-other")
                    .action(ArgAction::SetTrue)
                    .requires("question")
                    .help("Leave out the Other box"),
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for QuestionFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let placed = |name| {
            let values = matches.get_many::<String>(name).into_iter().flatten().cloned();
            matches.indices_of(name).into_iter().flatten().zip(values).collect()
        };
        Self::new(
            matches.get_flag("multi"),
            !matches.get_flag("no_other"),
            placed("question"),
            placed("option"),
        )
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
