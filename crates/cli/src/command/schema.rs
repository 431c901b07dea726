//! `askdeck schema`: what a dialect's payload looks like.

use askdeck_core::dialect::Dialect;

use super::{CliError, print};

pub(super) fn run(dialect: &'static Dialect) -> Result<u8, CliError> {
    let schema = dialect.schema.ok_or(CliError::NoSchema(dialect.name))?;
    print(schema).map(|()| 0)
}
