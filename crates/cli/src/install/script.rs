//! A script that a client loads, all of it ours: the plugin of `OpenCode`.

use thiserror::Error;

const TEXT: &str = include_str!("opencode.js");
/// What stands for the path of our program, as a string.
const PROGRAM: &str = "{program}";

#[derive(Debug, Error, PartialEq, Eq)]
#[error("another script has this name")]
pub(super) struct NotOurs;

/// The script, in the place of an older one of ours.
pub(super) fn insert(text: &str, program: &str) -> Result<String, NotOurs> {
    if !text.is_empty() && self::program(text).is_none() {
        return Err(NotOurs);
    }
    Ok(TEXT.replace(PROGRAM, &serde_json::Value::from(program).to_string()))
}

/// The program that the script starts; nothing if it is not ours.
pub(super) fn program(text: &str) -> Option<String> {
    let first = |text: &str| text.lines().next().map(str::to_owned);
    if first(text) != first(TEXT) {
        return None;
    }
    let [before, after] = TEXT.split(PROGRAM).collect::<Vec<_>>().try_into().ok()?;
    let before = before.lines().last()?;
    let after = after.lines().next()?;
    let line = text.lines().find_map(|line| line.strip_prefix(before)?.strip_suffix(after))?;
    serde_json::from_str(line).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_knows_its_program_and_no_other_script() {
        let script = insert("", "/it's \"here\"/askdeck").unwrap();
        assert!(script.contains(r#"const PROGRAM = "/it's \"here\"/askdeck";"#), "{script}");
        assert_eq!(program(&script).as_deref(), Some("/it's \"here\"/askdeck"));
        let newer = insert(&script, "/usr/bin/askdeck").unwrap();
        assert_eq!(program(&newer).as_deref(), Some("/usr/bin/askdeck"));
        for other in ["export default {};\n", "// Shows in Askdeck", "\n"] {
            assert_eq!(insert(other, "/usr/bin/askdeck"), Err(NotOurs), "{other}");
        }
    }
}
