//! A JSON Schema that a caller sent. It may be made to take years to compile or to ask, so both are
//! done within bounds: what it would cost is counted first.

use std::fmt;

use jsonschema::{ValidationError, Validator, error::ValidationErrorKind};
use serde_json::Value;

use crate::{panics::guarded, text};

mod allowance;
mod cost;
mod graph;
mod pattern;

pub use allowance::{Allowance, Budget};

use cost::Cost;

pub struct Schema {
    validator: Validator,
    cost: Cost,
}

/// What is wrong with a value.
pub enum Unfit<'a> {
    /// It takes more steps to find out than there are.
    TooLarge,
    /// The validator itself fails on it.
    Unusable,
    Wrong(Box<ValidationError<'a>>),
}

impl Schema {
    /// Why it cannot be used, if it cannot.
    pub fn new(schema: &Value, allowance: &mut Allowance) -> Result<Self, String> {
        allowance.take(schema)?;
        let cost = Cost::of(schema, allowance)?;
        let build = || {
            let options = jsonschema::options().should_validate_formats(true);
            options.with_pattern_options(pattern::options()).build(schema)
        };
        let validator = guarded(build).ok_or("the validator fails on it")?;
        Ok(Self { validator: validator.map_err(|error| why(&error))?, cost })
    }

    /// Whether the value satisfies it; takes the steps from the budget.
    pub fn check<'a>(&self, value: &'a Value, budget: &mut Budget) -> Result<(), Unfit<'a>> {
        if !self.cost.is_within(budget, value) {
            return Err(Unfit::TooLarge);
        }
        let checked = guarded(|| self.validator.validate(value)).ok_or(Unfit::Unusable)?;
        checked.map_err(|error| Unfit::Wrong(Box::new(error)))
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schema").finish_non_exhaustive()
    }
}

const NOT_IN_IT: &str = "it refers to what is not in it, and nothing is fetched";

fn why(error: &ValidationError) -> String {
    match error.kind() {
        ValidationErrorKind::Referencing(_) => NOT_IN_IT.into(),
        ValidationErrorKind::Format { format } if format == "regex" => {
            let pattern = text::clean_line(&error.instance().to_string());
            format!("the pattern {pattern} cannot be used, or is too large")
        }
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests;
