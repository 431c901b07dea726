//! Who asks, and how they are called before the person.

use serde::{Deserialize, Serialize};

use crate::{
    origin::Origin,
    text,
    words::{self, Phrase, Words},
};

/// Who asks; always in sight.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Caller {
    pub agent: String,
    pub session: Option<String>,
    pub cwd: Option<String>,
    /// Set when the question comes from another machine.
    pub host: Option<String>,
    pub pid: Option<u32>,
    pub program: Option<String>,
    /// Set by the app that runs, and known to it alone.
    #[serde(skip)]
    pub origin: Origin,
}

/// Programs that run scripts: their names say nothing about who asks.
const INTERPRETERS: [&str; 12] =
    ["ash", "bash", "bun", "dash", "deno", "fish", "ksh", "node", "perl", "ruby", "sh", "zsh"];

fn is_interpreter(program: &str) -> bool {
    INTERPRETERS.contains(&program) || program.starts_with("python")
}

impl Caller {
    /// The agent that nothing is known of.
    pub const UNKNOWN: &str = "?";

    /// Whether it did not say who it is, and its program does not tell either.
    pub fn is_nameless(&self) -> bool {
        let is_program = self.program.as_ref() == Some(&self.agent);
        self.agent == Self::UNKNOWN || is_program && is_interpreter(&self.agent)
    }

    pub fn name(&self) -> CallerName<'_> {
        CallerName::new(&self.agent, self.is_nameless())
    }
}

/// How a caller is called wherever the person reads of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallerName<'a>(Option<&'a str>);

impl<'a> CallerName<'a> {
    pub fn new(agent: &'a str, is_nameless: bool) -> Self {
        Self((!is_nameless).then_some(agent))
    }

    /// By itself.
    pub fn say(self, words: &Words) -> String {
        self.0.map_or_else(|| words["script"].clone(), text::clean_line)
    }

    pub fn asks(self) -> Phrase {
        self.phrase("agent_asks", "script_asks")
    }

    pub(crate) fn clarify_title(self) -> Phrase {
        self.phrase("clarify_title", "clarify_title_script")
    }

    pub(crate) fn tell_instead(self) -> Phrase {
        self.phrase("tell_instead", "tell_script_instead")
    }

    /// What the button says that mutes it, or lets it speak again.
    pub fn mute(self, is_muted: bool) -> Phrase {
        if is_muted {
            self.phrase("unmute", "unmute_script")
        } else {
            self.phrase("mute", "mute_script")
        }
    }

    fn phrase(self, named: &'static str, nameless: &'static str) -> Phrase {
        match self.0 {
            Some(agent) => Phrase::with(named, [("agent", text::clean_line(agent))]),
            None => Phrase::new(nameless),
        }
    }
}

/// How those of one name are called together, where only the name is known.
pub fn name_of_all(agent: &str, words: &Words) -> String {
    if is_interpreter(agent) {
        return words::say(words, "scripts_of", [("program", text::clean_line(agent))]);
    }
    CallerName::new(agent, agent == Caller::UNKNOWN).say(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;

    fn caller(agent: &str, program: Option<&str>) -> Caller {
        let program = program.map(str::to_owned);
        Caller { agent: agent.into(), program, ..Caller::default() }
    }

    #[test]
    fn an_interpreter_is_no_name() {
        assert!(caller("bash", Some("bash")).is_nameless());
        assert!(caller("python3.12", Some("python3.12")).is_nameless());
        assert!(caller("?", None).is_nameless());
        assert!(!caller("claude", Some("claude")).is_nameless());
        assert!(!caller("bash", Some("node")).is_nameless(), "who says so is called that");
    }

    #[test]
    fn a_nameless_script_is_called_so_in_every_language() {
        let (script, agent) = (caller("bash", Some("bash")), caller("Cla\u{7}ude", None));
        for (language, name) in Language::ALL.iter().zip(["A script", "Um script", "一个脚本"])
        {
            let words = language.words();
            assert_eq!(script.name().say(words), name);
            assert_eq!(agent.name().say(words), "Claude");
            let sentences = |name: CallerName| {
                let said = [name.asks(), name.clarify_title(), name.tell_instead()];
                said.into_iter().chain([name.mute(false), name.mute(true)])
            };
            for said in sentences(script.name()) {
                assert!(!said.say(words).contains("bash"), "{}", said.word);
                assert!(!said.say(words).contains('{'), "{}", said.word);
            }
            assert!(sentences(agent.name()).all(|said| said.say(words).contains("Claude")));
            assert!(script.name().asks().say(words).starts_with(name));
        }
    }

    #[test]
    fn scripts_are_told_apart_by_their_program_where_several_are_counted() {
        let words = Language::ENGLISH.words();
        assert_eq!(name_of_all("bash", words), "Scripts (bash)");
        assert_eq!(name_of_all("Claude Code", words), "Claude Code");
        assert_eq!(name_of_all(Caller::UNKNOWN, words), "A script");
    }
}
