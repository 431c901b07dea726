//! What the tests and `cargo xtask` share: programs, a desktop of their own, and a person at it.
//!
//! It uses nothing but the standard library: xtask has to be there in seconds on a fresh machine.

mod desktop;
mod host;
mod person;
mod picture;
pub mod process;
mod wait;
mod wire;

pub use desktop::{Desktop, start_bus, start_manager};
pub use host::Host;
pub use person::{Person, shows_question, windows};
pub use picture::{Area, PIXEL, Picture, Screen};
pub use process::Running;
pub use wait::{press_at_most, press_once, until, until_settled, until_started, within};
pub use wire::Wire;

/// What went wrong, in words for the developer.
pub type Result<T> = std::result::Result<T, String>;
