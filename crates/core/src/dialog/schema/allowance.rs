//! How much a payload may have checked.

use std::collections::HashMap;

use serde_json::Value;

use super::pattern::Pattern;

/// The most values that the schemas of a payload may have together: objects, lists, texts and all.
const MOST_VALUES: usize = 20_000;
/// A large pattern counts as several, and the same one once.
const MOST_PATTERNS: usize = 1_200;
/// Of a pattern, and of a name to which or by which something refers.
const LONGEST: usize = 1_000;
/// Every part of a compiled schema knows the path to it, so long names above many parts add up.
const LONGEST_PATHS: usize = 4 * 1024 * 1024;

/// How many values may be within each other. Some of those that refer to each other are compiled
/// within each other, too, and a thread has little room for that.
const DEEPEST: usize = 64;

/// The most steps that a check of all answers may take. A step takes about a tenth of a microsecond.
const MOST_STEPS: u32 = 200_000;

/// Names by which the parts of a schema refer to each other.
const REFERENCES: [&str; 7] =
    ["$ref", "$dynamicRef", "$recursiveRef", "$id", "id", "$anchor", "$dynamicAnchor"];

/// What the schemas of a payload may still have.
pub struct Allowance {
    values: usize,
    patterns: usize,
    paths: usize,
    /// How many parts, each counted once for each way in which references may mean it.
    parts: usize,
    known_patterns: HashMap<String, Pattern>,
}

impl Default for Allowance {
    fn default() -> Self {
        Self {
            values: MOST_VALUES,
            patterns: MOST_PATTERNS,
            paths: LONGEST_PATHS,
            parts: MOST_VALUES,
            known_patterns: HashMap::new(),
        }
    }
}

impl Allowance {
    /// What is too much, if something is.
    pub(super) fn take(&mut self, schema: &Value) -> Result<(), String> {
        self.take_below(schema, 0, 0)
    }

    fn take_below(&mut self, value: &Value, path: usize, depth: usize) -> Result<(), String> {
        if depth > DEEPEST {
            return Err(format!("more than {DEEPEST} of its values are within each other"));
        }
        take(&mut self.values, 1, || too_many("values", MOST_VALUES))?;
        take(&mut self.paths, path, || {
            format!(
                "its names are too long for how deep it is nested: more than {LONGEST_PATHS} bytes in all paths"
            )
        })?;
        match value {
            Value::Array(items) => {
                items.iter().try_for_each(|item| self.take_below(item, path + 2, depth + 1))
            }
            Value::Object(members) => members.iter().try_for_each(|(name, value)| {
                self.take_names(name, value)?;
                self.take_below(value, path + name.len() + 1, depth + 1)
            }),
            _ => Ok(()),
        }
    }

    fn take_names(&mut self, name: &str, value: &Value) -> Result<(), String> {
        match (name, value) {
            ("pattern", Value::String(pattern)) => self.take_pattern(pattern),
            ("patternProperties", Value::Object(patterns)) => {
                patterns.keys().try_for_each(|pattern| self.take_pattern(pattern))
            }
            (name, Value::String(text)) if REFERENCES.contains(&name) => short(name, text),
            _ => Ok(()),
        }
    }

    fn take_pattern(&mut self, pattern: &str) -> Result<(), String> {
        short("pattern", pattern)?;
        if self.known_patterns.contains_key(pattern) {
            return Ok(());
        }
        let known = Pattern::new(pattern);
        self.known_patterns.insert(pattern.into(), known);
        take(&mut self.patterns, known.weight as usize, || too_many("patterns", MOST_PATTERNS))
    }

    pub(super) fn pattern(&self, pattern: &str) -> Pattern {
        self.known_patterns.get(pattern).copied().unwrap_or_default()
    }

    pub(super) fn take_part(&mut self) -> Result<(), String> {
        take(&mut self.parts, 1, || format!("its references lead to more than {MOST_VALUES} parts"))
    }
}

fn take(left: &mut usize, some: usize, too_much: impl Fn() -> String) -> Result<(), String> {
    *left = left.checked_sub(some).ok_or_else(too_much)?;
    Ok(())
}

fn too_many(noun: &str, most: usize) -> String {
    format!("more than {most} {noun}, which is the most that the schemas of a payload may have")
}

fn short(name: &str, text: &str) -> Result<(), String> {
    if text.len() > LONGEST {
        return Err(format!(
            "a `{name}` of {} bytes, but at most {LONGEST} are allowed",
            text.len()
        ));
    }
    Ok(())
}

/// The steps that a check may still take.
pub struct Budget(u32);

impl Default for Budget {
    fn default() -> Self {
        Self(MOST_STEPS)
    }
}

impl Budget {
    pub const MOST: u32 = MOST_STEPS;

    /// Whether there were so many.
    pub(super) fn spend(&mut self, steps: u32) -> bool {
        let left = self.0.checked_sub(steps);
        self.0 = left.unwrap_or(0);
        left.is_some()
    }

    #[cfg(test)]
    pub(super) fn spent(&self) -> u32 {
        MOST_STEPS - self.0
    }
}
