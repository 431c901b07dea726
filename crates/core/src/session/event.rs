//! What can happen to a session.

use serde::{Deserialize, Serialize};

/// The closed list of happenings. Those without a place in JSON cannot come from the page.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The dialog is painted.
    Shown,
    /// The window took the keyboard.
    WindowFocused,
    /// A mouse button went down.
    Press,
    Key(Key),
    /// A control was used; by a click of the mouse if `pointer`.
    Do {
        action: Action,
        pointer: bool,
    },
    /// The text that now stands in a box.
    Text {
        question: usize,
        field: TextField,
        text: String,
    },
    /// The person moved the keyboard focus.
    Moved {
        focus: Focus,
    },
    /// The person went to another field of the page; what follows is about that one.
    Field {
        question: usize,
    },
    /// The mouse moved or something was scrolled: the person is reading.
    Stirred,
    /// The window's own close button.
    #[serde(skip)]
    CloseButton,
    /// Ctrl+C in a terminal, which is heard at any time.
    #[serde(skip)]
    Interrupt,
    #[serde(skip)]
    Tick,
    /// The caller took the question back.
    #[serde(skip)]
    Withdrawn,
    /// The caller is gone without a word.
    #[serde(skip)]
    CallerLeft,
    /// Somebody waits for the answer again.
    #[serde(skip)]
    CallerBack,
}

impl Event {
    /// Whether it shows that the person is there.
    pub fn is_of_the_person(&self) -> bool {
        matches!(
            self,
            Self::Press
                | Self::Key(_)
                | Self::Do { .. }
                | Self::Text { .. }
                | Self::Moved { .. }
                | Self::Field { .. }
                | Self::Stirred
        )
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Key {
    /// As the DOM names it: `ArrowUp`, `Enter`, `1`.
    pub key: String,
    #[serde(default)]
    pub ctrl: bool,
    #[serde(default)]
    pub shift: bool,
    /// The key is held down and repeats.
    #[serde(default)]
    pub repeat: bool,
    /// An input method is composing.
    #[serde(default)]
    pub composing: bool,
    /// How long ago it was pressed: it may have waited on its way.
    #[serde(default)]
    pub age_ms: u64,
}

/// What a key or a control can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(tag = "name", rename_all = "snake_case")]
pub enum Action {
    /// Chooses a card; in a multiple choice, toggles it.
    Choose {
        card: usize,
    },
    /// Chooses a card and goes on, as a double click does.
    ChooseAndGoOn {
        card: usize,
    },
    /// Moves the cursor to a card.
    MoveTo {
        card: usize,
    },
    /// Moves the cursor.
    Move {
        direction: Direction,
    },
    ChooseHereAndGoOn,
    Go {
        step: usize,
    },
    /// To the neighbouring step.
    Turn {
        direction: Direction,
    },
    /// To the next step; from the last one, sends.
    GoOn,
    /// To the next field of a form; from the last one of its page, as [`Action::GoOn`].
    NextField,
    /// Sends from anywhere, once complete.
    SendNow,
    LeaveText,
    OpenNote,
    OpenAside {
        aside: AsideKind,
    },
    CloseAside,
    SendAside,
    /// Takes a decline back.
    Undo,
    /// Does not close after all.
    KeepAnswering,
    Close,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    Forward,
    Backward,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AsideKind {
    Decline,
    Clarify,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TextField {
    Other,
    Text,
    Note,
    Decline,
    Clarify,
    /// What the options are filtered by.
    Filter,
}

/// Where the keyboard is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(tag = "at", rename_all = "snake_case")]
pub enum Focus {
    Card {
        index: usize,
    },
    Other,
    Text,
    Note,
    /// The box by which options are filtered.
    Filter,
    Aside,
    Tab {
        step: usize,
    },
    /// An answer in the review.
    Row {
        index: usize,
    },
    /// The button that goes on or sends.
    Primary,
    /// The button that does not close after all.
    Keep,
    /// Any other control; it minds its own keys.
    Button,
    /// Nowhere in particular.
    Panel,
}

impl Focus {
    /// Whether a step is answered there.
    pub(super) fn is_answer(self) -> bool {
        let is_choice = matches!(self, Self::Card { .. } | Self::Row { .. });
        is_choice || self.is_text() && self != Self::Aside
    }

    pub(super) fn is_text(self) -> bool {
        matches!(self, Self::Other | Self::Text | Self::Note | Self::Filter | Self::Aside)
    }
}
