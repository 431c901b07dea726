//! Decides by real keys about what an agent's model wants to do.

use serde_json::Value;

use super::{Kept, Model, Person, Run, Screen, until};

/// A person who decides about the tools of an agent's model, one after the other.
pub(crate) struct Deciding<'a> {
    screen: &'a Screen,
    /// As the window calls it.
    agent: &'static str,
    pub(crate) model: Model,
    /// How many results the model has.
    results: usize,
}

impl<'a> Deciding<'a> {
    /// What the person says where they say no in words.
    pub(crate) const WORDS: &'static str = "use the other one";

    pub(crate) fn about(screen: &'a Screen, agent: &'static str, tools: &[(&str, Value)]) -> Self {
        Self { screen, agent, model: Model::using(tools), results: 0 }
    }

    /// What the model reads of the next tool, about which nobody is asked.
    #[track_caller]
    pub(crate) fn next(&mut self) -> String {
        self.results += 1;
        self.model.result(self.results)
    }

    /// Decides with these keys, and returns what the model reads then.
    #[track_caller]
    pub(crate) fn press(&mut self, question: &str, keys: &str) -> String {
        self.await_question(question);
        self.decide(1, keys)
    }

    /// Says no in words, and returns what the model reads then.
    #[track_caller]
    pub(crate) fn say_no(&mut self, question: &str) -> String {
        self.await_question(question);
        let person = Person::at(self.screen);
        person.await_ready();
        person.type_text(Self::WORDS);
        let kept = Kept::of(self.screen);
        until("the words to be kept", || {
            kept.draft(self.agent).contains(Self::WORDS).then_some(())
        });
        // Return that follows a letter at once belongs to what was typed, and sends nothing.
        self.decide(2, "Return")
    }

    /// Once the model has spoken, waits for what the agent asks.
    #[track_caller]
    pub(crate) fn await_question(&mut self, question: &str) {
        self.model.turn(self.results);
        until(format!("the question `{question}`"), || {
            (self.open()[0]["about"] == question).then_some(())
        });
    }

    #[track_caller]
    fn decide(&mut self, presses: u32, keys: &str) -> String {
        let ticket = self.open()[0]["ticket"].clone();
        // An agent may take its time to tell its model.
        Person::at(self.screen).press_at_most(presses, keys, || {
            let open = self.open();
            let mut open = open.as_array()?.iter();
            open.all(|dialog| dialog["ticket"] != ticket).then_some(())
        });
        self.next()
    }

    /// All that is asked now.
    fn open(&self) -> Value {
        let list = Run::command(["list", "--json"]).ends(self.screen).stdout;
        serde_json::from_str(&list).unwrap_or_default()
    }
}
