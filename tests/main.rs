//! The real programs, the real window, the real formats.

/// No input whatever breaks a dialect.
mod dialect_properties;
/// Every folder in `tests/dialects`: a payload in, what the person does, the answer out.
mod dialects;
