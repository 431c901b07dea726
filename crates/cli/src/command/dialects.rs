//! `askdeck dialects`: the formats, a line each.

use askdeck_core::dialect::ALL;

use super::{CliError, print};

pub(super) fn run() -> Result<u8, CliError> {
    let lines = ALL.map(|dialect| format!("{:<12}{}\n", dialect.name, dialect.about));
    print(&lines.concat()).map(|()| 0)
}
