//! What each key means, by where the keyboard is.

use super::{Action, Direction, Focus, Key, Session, cards, decide::verbs};

impl Session {
    /// Whether the key means something here. All others are the front end's own: those of a text
    /// box, and those that move between controls.
    pub fn takes(&self, key: &Key) -> bool {
        self.meaning(key).is_some()
    }

    pub(super) fn meaning(&self, key: &Key) -> Option<Action> {
        // Enter that ends a composition belongs to the input method.
        if key.composing {
            return None;
        }
        match (key.key.as_str(), self.focus) {
            // A key that is held down may move the cursor, but never commits anything.
            (name, _) if key.repeat && !name.starts_with("Arrow") => None,
            ("z", _) if self.declining.is_some() && key.ctrl => Some(Action::Undo),
            (name, _) if key.ctrl && !matches!(name, "Enter" | "Tab") => None,
            // A button that has the keyboard is pressed by Enter and Space itself.
            ("Enter" | " ", Focus::Button | Focus::Tab { .. }) if !key.ctrl => None,
            ("Escape" | "Enter" | " ", _) if self.declining.is_some() => Some(Action::Close),
            (_, _) if self.declining.is_some() => None,
            ("Enter" | " ", Focus::Keep) => Some(Action::KeepAnswering),
            (name, Focus::Keep) if name != "Escape" => None,
            // Beside the questions no key may reach them.
            ("Escape", _) if self.aside.is_some() => Some(Action::CloseAside),
            ("Enter", focus) if self.aside.is_some() => {
                let sends = focus == Focus::Primary || focus == Focus::Aside && !key.shift;
                (sends || key.ctrl).then_some(Action::SendAside)
            }
            (" ", Focus::Primary) if self.aside.is_some() => Some(Action::SendAside),
            (_, _) if self.aside.is_some() => None,
            ("Enter", _) if key.ctrl => Some(Action::SendNow),
            ("Enter", Focus::Filter) => Some(Action::Move { direction: Direction::Forward }),
            ("Enter", focus) if focus.is_text() => (!key.shift).then_some(if self.is_form() {
                Action::NextField
            } else {
                Action::GoOn
            }),
            ("Escape", focus) if focus.is_text() => Some(Action::LeaveText),
            ("Escape", _) => Some(Action::Close),
            // A front end sends these only from the first and the last row of the box.
            ("ArrowUp", Focus::Other | Focus::Filter) if !key.shift => {
                Some(Action::Move { direction: Direction::Backward })
            }
            ("ArrowDown", Focus::Other | Focus::Filter) if !key.shift => {
                Some(Action::Move { direction: Direction::Forward })
            }
            (_, focus) if focus.is_text() => None,
            ("Tab", _) if key.ctrl => Some(Action::Turn {
                direction: if key.shift { Direction::Backward } else { Direction::Forward },
            }),
            ("ArrowUp", _) => Some(Action::Move { direction: Direction::Backward }),
            ("ArrowDown", _) => Some(Action::Move { direction: Direction::Forward }),
            ("ArrowLeft", _) if self.moves_sideways() => {
                Some(Action::Move { direction: Direction::Backward })
            }
            ("ArrowRight", _) if self.moves_sideways() => {
                Some(Action::Move { direction: Direction::Forward })
            }
            ("ArrowLeft", _) => Some(Action::Turn { direction: Direction::Backward }),
            ("ArrowRight", _) => Some(Action::Turn { direction: Direction::Forward }),
            ("Enter" | " ", Focus::Primary) => Some(Action::GoOn),
            ("Enter" | " ", Focus::Row { index }) => Some(Action::Go { step: index }),
            ("Enter", _) => Some(Action::ChooseHereAndGoOn),
            // Words have spaces: one after a digit must not take the verb that the digit moved to.
            (" ", Focus::Card { index }) if self.is_decision() => {
                Some(Action::MoveTo { card: index })
            }
            (" ", Focus::Card { index }) => Some(Action::Choose { card: index }),
            (digit, _) => {
                let count = self.question().map_or(self.drafts.len(), cards);
                let number = digit.parse::<usize>().ok();
                let index = number.filter(|number| (1..=count.min(9)).contains(number))? - 1;
                match self.question() {
                    None => Some(Action::Go { step: index }),
                    Some(question) if self.is_decision() => {
                        (index < verbs(question)).then_some(Action::MoveTo { card: index })
                    }
                    Some(_) => {
                        let in_sight = self.cards_in_sight().contains(&index);
                        in_sight.then_some(Action::Choose { card: index })
                    }
                }
            }
        }
    }

    /// Whether the cards stand beside each other, so that no key is left for other pages.
    fn moves_sideways(&self) -> bool {
        self.is_decision() || self.is_form() && matches!(self.focus, Focus::Card { .. })
    }
}
