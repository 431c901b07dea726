//! What a pattern costs: how large it is once it is compiled, and whether it may have to go back.

use jsonschema::{FancyRegex, PatternOptions};
use serde_json::json;

/// After so many steps back a match gives up.
const MOST_BACKTRACKS: usize = 10_000;
/// The bytes that a compiled pattern may have to count as one. A match takes as many steps for each
/// byte of a text as the pattern has states.
const SMALL: usize = 16 * 1024;
/// As how many small ones a pattern may count.
const WEIGHTS: [u32; 6] = [1, 4, 16, 64, 128, LARGEST];
const LARGEST: u32 = 256;

#[derive(Clone, Copy)]
pub(super) struct Pattern {
    /// How much longer a match takes than with a small one.
    pub(super) weight: u32,
    /// It looks around or back, so a match may take forever, or give up.
    pub(super) backtracks: bool,
}

impl Default for Pattern {
    fn default() -> Self {
        Self { weight: 1, backtracks: false }
    }
}

impl Pattern {
    pub(super) fn new(pattern: &str) -> Self {
        let schema = json!({ "pattern": pattern });
        let is_plain = |weight: &u32| {
            let options = PatternOptions::regex().size_limit(size(*weight));
            jsonschema::options().with_pattern_options(options).build(&schema).is_ok()
        };
        let is_usable = |weight: &u32| {
            let options = options().size_limit(size(*weight));
            jsonschema::options().with_pattern_options(options).build(&schema).is_ok()
        };
        if let Some(weight) = WEIGHTS.into_iter().find(is_plain) {
            return Self { weight, backtracks: false };
        }
        // One that cannot be used is refused later; to find that out took as long as the largest.
        let weight = WEIGHTS.into_iter().find(is_usable).unwrap_or(LARGEST);
        Self { weight, backtracks: true }
    }
}

fn size(weight: u32) -> usize {
    SMALL * weight as usize
}

/// For all patterns of a schema.
pub(super) fn options() -> PatternOptions<FancyRegex> {
    PatternOptions::fancy_regex().backtrack_limit(MOST_BACKTRACKS).size_limit(size(LARGEST))
}
