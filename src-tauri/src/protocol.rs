//! The wire between the command and the app: JSON-RPC 2.0, one message a line.
//!
//! Only the types; `client` and `server` speak them.

use serde::{Deserialize, Serialize};

use crate::{dialog::Dialog, outcome::Outcome};

/// Bump when an older command or app could not understand the newer one.
pub const VERSION: u32 = 1;

/// The most bytes a message may have: a payload of the largest size, kept twice and escaped.
pub const MAX_BYTES: usize = 8 * crate::payload::MAX_BYTES;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    pub jsonrpc: JsonRpc,
    pub id: u64,
    #[serde(flatten)]
    pub call: Call,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", content = "params", rename_all = "snake_case")]
pub enum Call {
    /// Who is there, and what works there.
    Hello { protocol: u32 },
    /// Shows the dialog; answered when it has ended.
    Ask { dialog: Box<Dialog> },
    /// Takes a dialog back: its `ask` ends with `withdrawn`.
    Withdraw { dialog: String },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Response {
    pub jsonrpc: JsonRpc,
    /// `None` if the request was too broken to have one.
    pub id: Option<u64>,
    #[serde(flatten)]
    pub body: Body,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    Result(Reply),
    Error(Error),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Reply {
    Hello(Hello),
    Outcome(Outcome),
    Withdrawn { withdrawn: bool },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    pub protocol: u32,
    pub version: String,
    /// The web view and its version.
    pub web_view: String,
    /// Whether the desktop shows tray icons.
    pub tray_host: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Error {
    pub code: i32,
    pub message: String,
}

impl Error {
    pub const PARSE: i32 = -32700;
    pub const INVALID_PARAMS: i32 = -32602;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum JsonRpc {
    #[serde(rename = "2.0")]
    V2,
}
