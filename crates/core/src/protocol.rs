//! The wire between callers and the app: JSON-RPC 2.0, one message a line.
//!
//! Only the types; `client` and `server` speak them, docs/protocol.md explains them.

use std::{borrow::Cow, collections::BTreeMap, time::Duration};

use crate::{
    dialog::{Caller, CallerName, Dialog, Wording},
    history::{Deleted, Newest, Selection, Stats},
    outcome::{Answer, Outcome},
    payload,
    record::{Millis, Record},
    session::{Saved, Update},
    words::Words,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Bump when an older command or app could not understand the newer one.
pub const VERSION: u32 = 2;

/// The most bytes a message may have: the largest payload, and room for what surrounds it.
pub const MAX_BYTES: usize = payload::MAX_BYTES + 64 * 1024;

/// The names of all calls.
pub const METHODS: [&str; 20] = [
    "hello",
    "ask",
    "submit",
    "result",
    "received",
    "withdraw",
    "list",
    "answer",
    "join",
    "draft",
    "end",
    "leave",
    "subscribe",
    "show",
    "ready",
    "history",
    "stats",
    "delete",
    "stay",
    "shutdown",
];

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    pub jsonrpc: JsonRpc,
    /// A number or a string; it comes back with the response.
    pub id: Value,
    #[serde(flatten)]
    pub call: Call,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", content = "params", rename_all = "snake_case")]
pub enum Call {
    /// Who is there, and what works there.
    Hello {
        protocol: u32,
        /// Also asks the desktop what it has, which may take a moment.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        desktop: bool,
        /// By which secret a caller on another machine knows its own questions again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        owner: Option<String>,
    },
    /// Asks, and is answered when the dialog has ended.
    Ask(Box<Ask>),
    /// Asks, and is answered at once with a ticket.
    Submit(Box<Ask>),
    /// How the dialog of a ticket ended, now or once it has.
    Result {
        ticket: String,
        #[serde(default)]
        wait: bool,
        /// As in [`Ask::ack`].
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        ack: bool,
    },
    /// The caller has got the outcome of this ticket, and passed it on.
    Received { ticket: String },
    /// Takes a question back, for the caller of this ticket alone.
    Withdraw { ticket: String },
    /// The open dialogs.
    List {},
    /// Answers in the person's place, if they have allowed it: one answer for each question.
    Answer { ticket: String, answers: Vec<Answer> },
    /// Takes part in a dialog as a front end, and gets what happens to it as notifications.
    Join { ticket: String },
    /// What has been changed at a front end that takes part.
    Draft { ticket: String, draft: Update },
    /// How the person ended the dialog at a front end that takes part.
    End { ticket: String, outcome: Outcome },
    /// Takes part no longer: the person set the dialog aside.
    Leave { ticket: String },
    /// Tells what happens from now on, as notifications.
    Subscribe {
        /// In whose words: `askdeck`, `nova` or `sema`.
        #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
        words: Option<String>,
    },
    /// Brings the deck to the person, with this dialog if one is named.
    Show {
        #[serde(default)]
        ticket: Option<String>,
        /// Brings the past dialogs instead.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        history: bool,
    },
    /// Is answered once the window shows what it should, be it nothing.
    Ready {},
    /// The dialogs that have ended.
    History(Newest),
    /// How many, how long, by agent and by day; between two times in milliseconds since 1970.
    Stats { since: Millis, until: Millis },
    /// Deletes past dialogs for good.
    Delete {
        which: Selection,
        /// Only tells what would be deleted, and what would stay.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        preview: bool,
    },
    /// Stays after the deck is empty, in the tray.
    Stay {
        /// Whether it starts with the desktop session from now on; as before if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at_login: Option<bool>,
    },
    /// Ends the desk; what is pending stays pending.
    Shutdown {
        /// One with a window takes its place at once: its terminals wait for that.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        for_window: bool,
    },
}

impl Call {
    /// The ticket of what the caller waits for.
    pub fn ticket(&self) -> Option<&str> {
        match self {
            Self::Ask(ask) => ask.ticket.as_deref(),
            Self::Result { ticket, .. } => Some(ticket),
            _ => None,
        }
    }

    /// Whether its reply may wait for the person, or for the question to be read.
    pub fn may_wait(&self) -> bool {
        matches!(self, Self::Ask(_) | Self::Submit(_) | Self::Result { .. })
    }

    /// The same call of a caller that says when it has got the outcome.
    #[must_use]
    pub fn acknowledged(mut self) -> Self {
        match &mut self {
            Self::Ask(ask) => ask.ack = true,
            Self::Result { ack, .. } => *ack = true,
            _ => {}
        }
        self
    }

    /// Whether the caller says when it has got the outcome.
    pub fn is_acknowledged(&self) -> bool {
        match self {
            Self::Ask(ask) => ask.ack,
            Self::Result { ack, .. } => *ack,
            _ => false,
        }
    }

    /// How long the caller lets the person take.
    pub fn timeout(&self) -> Option<Duration> {
        match self {
            Self::Ask(ask) => ask.timeout_ms.map(Duration::from_millis),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ask {
    /// What is asked, in any dialect.
    pub payload: Value,
    /// The payload's dialect; detected by its shape if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// The dialect of the answer; the payload's own if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// How long the person has, not counting the time in which they are active.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// The caller; found out as far as possible if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<Caller>,
    /// The same question with the same key is asked once; made from caller and questions if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The caller's own name for the question; a new one if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticket: Option<String>,
    /// Where it is shown; in the window if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ui: Option<Ui>,
    /// The caller calls `received` once it has got the outcome; without that it was not delivered.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ack: bool,
    /// It is taken back when the connection closes: an answer would serve nobody then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub passing: bool,
}

/// Where a question is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ui {
    /// In the window, and by the caller itself, which takes part in it.
    Auto,
    #[default]
    Window,
    /// By the caller, which takes part in it. The window has it, but does not come by itself.
    Terminal,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Response {
    pub jsonrpc: JsonRpc,
    /// Null if the request was too broken to have one.
    pub id: Value,
    #[serde(flatten)]
    pub body: Body,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    Result(Reply),
    Error(Error),
}

/// Told apart by their fields, so the one with fewer must come after the one with more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Reply {
    Hello(Hello),
    Joined(Box<Joined>),
    Ended(Ended),
    Submitted { ticket: String, state: TicketState },
    Withdrawn { withdrawn: bool },
    Open { open: Vec<Open> },
    History { history: Vec<Record> },
    Stats(Stats),
    Deleted(Deleted),
    Done { done: bool },
}

/// A dialog in which a front end takes part, as it is when that begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Joined {
    pub ticket: String,
    pub dialog: Dialog,
    pub draft: Saved,
    /// How much of the dialog's time is used up.
    pub spent_ms: u64,
    /// Whether closing sets it aside instead of ending it.
    pub sets_aside: bool,
    /// Whether nobody waits for the answer now.
    pub caller_left: bool,
    /// What the person should know about how their answers are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<Warning>,
}

/// Something that the person should know, as a key into the words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
pub struct Warning {
    #[cfg_attr(feature = "types", ts(type = "Word"))]
    pub word: String,
    pub values: BTreeMap<String, String>,
}

impl Warning {
    pub fn new<const N: usize>(word: &str, values: [(&str, String); N]) -> Self {
        let values = values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { word: word.into(), values }
    }
}

/// What a front end that takes part is told, as notifications.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", content = "params", rename_all = "snake_case")]
pub enum News {
    /// It takes part, because it asked so.
    Joined(Box<Joined>),
    /// What has been changed at another front end.
    Draft {
        ticket: String,
        draft: Update,
    },
    /// Without secrets.
    Ended {
        ticket: String,
        outcome: Outcome,
    },
    CallerLeft {
        ticket: String,
    },
    CallerBack {
        ticket: String,
        /// How much time the person has from now on, if it is limited.
        #[serde(default)]
        left_ms: Option<u64>,
    },
    /// What the person should know from now on; nothing if all is well again.
    Warning {
        warning: Option<Warning>,
    },
    /// The desk ends, and one with a window takes its place.
    MakesWay {},
}

/// Apps of other versions must be understood here, so only what all of them say is needed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    pub protocol: u32,
    pub version: String,
    /// The web view and its version; empty if the desk has no window.
    #[serde(default)]
    pub web_view: String,
    /// Whether the desktop shows tray icons, if that was to be found out.
    #[serde(default)]
    pub tray_host: Option<bool>,
    /// Whether it stays when the deck is empty.
    #[serde(default)]
    pub resident: bool,
    /// Why questions are not kept, if they are not.
    pub not_kept: Option<String>,
    /// Where the file is in which they were kept until it was found to be damaged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damaged: Option<String>,
}

impl Hello {
    pub fn has_window(&self) -> bool {
        !self.web_view.is_empty()
    }
}

/// How a dialog ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    pub ticket: String,
    /// The answer was given earlier, to a caller that had left.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reused: bool,
    /// The same in the dialect that was asked for.
    pub written: String,
    #[serde(flatten)]
    pub outcome: Outcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TicketState {
    Pending,
}

/// A dialog that has not ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    pub ticket: String,
    pub agent: String,
    /// The agent is only a program that runs scripts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub nameless: bool,
    pub cwd: Option<String>,
    pub host: Option<String>,
    /// Its title, or its first question.
    pub about: String,
    /// How to say that in any language, where it is a text of ours.
    #[serde(skip)]
    pub wording: Option<Wording>,
    /// The command, file or address that it decides about.
    #[serde(skip)]
    pub subject: Option<String>,
    /// The person does not want to hear from its caller.
    #[serde(skip)]
    pub muted: bool,
    pub asked_at: Millis,
    pub state: OpenState,
}

impl Open {
    pub fn new(dialog: &Dialog, asked_at: Millis, state: OpenState) -> Self {
        Self {
            ticket: dialog.id.clone(),
            agent: dialog.caller.agent.clone(),
            nameless: dialog.caller.is_nameless(),
            cwd: dialog.caller.cwd.clone(),
            host: dialog.caller.host.clone(),
            about: dialog.about().to_owned(),
            wording: dialog.wording(dialog.about()).cloned(),
            subject: dialog.subject(),
            muted: false,
            asked_at,
            state,
        }
    }

    pub fn name(&self) -> CallerName<'_> {
        CallerName::new(&self.agent, self.nameless)
    }

    /// What it is about, as the person reads it.
    pub fn about_in(&self, words: &Words) -> Cow<'_, str> {
        let wording = self.wording.as_ref();
        wording.map_or(Cow::Borrowed(&self.about), |wording| wording.say(words).into())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum OpenState {
    /// It has not been on screen.
    Waiting,
    /// It is on screen, or has been.
    Shown,
    /// The person put it out of sight.
    SetAside,
    /// Nobody waits for its answer now.
    CallerLeft,
}

/// A message that answers nothing: sent to who has subscribed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Notification {
    pub jsonrpc: JsonRpc,
    /// `event`, or the name that a dialect has for it.
    pub method: String,
    pub params: Value,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Error {
    pub code: i32,
    pub message: String,
}

impl Error {
    pub const PARSE: i32 = -32700;
    pub const INVALID_REQUEST: i32 = -32600;
    pub const UNKNOWN_METHOD: i32 = -32601;
    pub const INVALID_PARAMS: i32 = -32602;
    /// The app is about to end; what was asked stays pending.
    pub const QUITTING: i32 = -32000;
    /// Not for callers on other machines.
    pub const FORBIDDEN: i32 = -32001;
    /// The caller has as much open as it may.
    pub const TOO_MANY: i32 = -32002;
    /// The desk has no window, and this needs one.
    pub const NO_WINDOW: i32 = -32003;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum JsonRpc {
    #[serde(rename = "2.0")]
    V2,
}
