//! `askdeck schema`: what a dialect's payload looks like.

use super::{CliError, print};
use crate::dialect::Dialect;

pub(super) fn run(dialect: &'static Dialect) -> Result<u8, CliError> {
    let schema = dialect.schema.ok_or(CliError::NoSchema(dialect.name))?;
    print(schema).map(|()| 0)
}
