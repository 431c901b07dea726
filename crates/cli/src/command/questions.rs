//! Questions without JSON: `-q TEXT -o "Label: description" …`.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use serde_json::{Value, json};

/// Questions with the options that followed them.
pub(super) struct QuestionFlags {
    questions: Vec<(String, Vec<String>)>,
    multi: bool,
    other: bool,
}

impl QuestionFlags {
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
                    .value_name("TEXT")
                    .action(ArgAction::Append)
                    .conflicts_with("payload")
                    .help("Asks this question, with the options that follow; repeatable"),
            )
            .arg(
                Arg::new("option")
                    .short('o')
                    .value_name("LABEL[: DESCRIPTION]")
                    .action(ArgAction::Append)
                    .requires("question")
                    .help(
                        "An option of the question before it; without options the answer is a text",
                    ),
            )
            .arg(
                Arg::new("multi")
                    .long("multi")
                    .action(ArgAction::SetTrue)
                    .requires("question")
                    .help("Lets several options be chosen"),
            )
            .arg(
                Arg::new("no_other")
                    .long("no-other")
                    .action(ArgAction::SetTrue)
                    .requires("question")
                    .help("Offers no Other box beside the options"),
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for QuestionFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut flags = Self {
            questions: Vec::new(),
            multi: matches.get_flag("multi"),
            other: !matches.get_flag("no_other"),
        };
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        let placed = |name| {
            let values = matches.get_many::<String>(name).into_iter().flatten();
            matches.indices_of(name).into_iter().flatten().zip(values)
        };
        let mut options: Vec<_> = placed("option").collect();
        for (place, text) in placed("question").collect::<Vec<_>>().into_iter().rev() {
            let after = options.iter().position(|&(at, _)| at > place).unwrap_or(options.len());
            let own =
                options.split_off(after).into_iter().map(|(_, option)| option.clone()).collect();
            self.questions.insert(0, (text.clone(), own));
        }
        if let Some((_, option)) = options.first() {
            let message =
                format!("option `{option}` stands before any question; give its -q first\n");
            return Err(Error::raw(clap::error::ErrorKind::ArgumentConflict, message));
        }
        Ok(())
    }
}
