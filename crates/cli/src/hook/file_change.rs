//! What a tool changes in a file: compared with the file as it is now, so that the person sees where.

use std::{
    io::{self, Read},
    path::Path,
    slice,
};

use askdeck_core::{
    diff,
    tool::{self, FileChange},
    words::{self, Words},
};
use serde_json::Value;

use super::regular_file;

/// Larger files are not compared.
const LARGEST: u64 = 1024 * 1024;
/// With more characters around it, the change itself might not be seen.
const LONGEST: usize = 16_000;

/// Nothing if the tool changes no file, or in a way that cannot be shown.
pub(super) fn of<'a>(name: &str, input: &'a Value, words: &Words) -> Option<FileChange<'a>> {
    let path = tool::path(name, input)?;
    let (lines, said, tells): (_, _, &[&str]) = match name {
        "Edit" => {
            // Without the numbers of the lines it is still known what is replaced by what.
            let change = FileChange::of_input(name, input)?;
            let edit = Edit::read(input)?;
            let lines = edited(path, slice::from_ref(&edit)).unwrap_or(change.lines);
            return Some(FileChange { lines, ..change });
        }
        "MultiEdit" => {
            let edits = input.get("edits")?.as_array()?.iter().map(Edit::read);
            let edits = edits.collect::<Option<Vec<_>>>()?;
            (edited(path, &edits)?, None, &["file_path", "edits"])
        }
        "Write" => {
            let (lines, said) = written(path, input.get("content")?.as_str()?, words);
            (lines, said, &["file_path", "content"])
        }
        // `OpenCode` has compared it already.
        "edit" => {
            let lines = without_header(input.get("diff")?.as_str()?).to_owned();
            (lines, None, &["filepath", "filePath", "diff", "oldString", "newString", "content"])
        }
        _ => return None,
    };
    Some(FileChange { path, lines, said, tells })
}

struct Edit<'a> {
    old: &'a str,
    new: &'a str,
    everywhere: bool,
}

impl<'a> Edit<'a> {
    fn read(input: &'a Value) -> Option<Self> {
        let text = |field: &str| input.get(field).and_then(Value::as_str);
        let everywhere = input.get("replace_all").is_some_and(|all| *all == true);
        Some(Self { old: text("old_string")?, new: text("new_string")?, everywhere })
    }

    /// Nothing if the text is not there, or nobody knows which of several is meant, or too much would
    /// come of it.
    fn apply(&self, text: &str) -> Option<String> {
        if self.old.is_empty() {
            return None;
        }
        let found = text.matches(self.old).count();
        let most = text.len().saturating_add(found.saturating_mul(self.new.len()));
        let is_clear = found == 1 || found > 1 && self.everywhere;
        (is_clear && most as u64 <= 4 * LARGEST).then(|| text.replace(self.old, self.new))
    }
}

/// Nothing if the file is not as the edits expect it, or the change would drown in what is around it.
fn edited(path: &str, edits: &[Edit]) -> Option<String> {
    let Before::Text(before) = before(path) else { return None };
    let after = edits.iter().try_fold(before.clone(), |text, edit| edit.apply(&text))?;
    let lines = diff::unified(&before, &after);
    (lines.chars().nth(LONGEST).is_none()).then_some(lines)
}

/// What becomes of a file that is written, and what of it cannot be shown.
fn written(path: &str, content: &str, words: &Words) -> (String, Option<String>) {
    let (before, said) = match before(path) {
        Before::Nothing => (String::new(), None),
        Before::Text(text) => (text, None),
        Before::Bytes(bytes) => {
            let bytes = [("bytes", bytes.to_string())];
            (String::new(), Some(words::say(words, "hook_replaces", bytes)))
        }
        Before::Unknown => (String::new(), Some(words::say(words, "hook_replaces_unknown", []))),
    };
    (diff::unified(&before, content), said)
}

/// The path is said beside it.
fn without_header(diff: &str) -> &str {
    let begins = ["Index: ", "====", "--- ", "+++ "];
    let mut rest = diff;
    for begin in begins {
        match rest.split_once('\n') {
            Some((line, after)) if line.starts_with(begin) => rest = after,
            _ => return diff,
        }
    }
    rest
}

/// What is at a path before it is written to.
enum Before {
    Nothing,
    Text(String),
    /// So many, which are no text or too many to compare.
    Bytes(u64),
    /// Something that is no file, or that nobody may read.
    Unknown,
}

fn before(path: &str) -> Before {
    let file = match regular_file::open(Path::new(path)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Before::Nothing,
        Err(_) => return Before::Unknown,
    };
    let length = file.metadata().map_or(0, |file| file.len());
    let mut bytes = Vec::new();
    match file.take(LARGEST + 1).read_to_end(&mut bytes) {
        Err(_) => Before::Unknown,
        Ok(read) if read as u64 > LARGEST => Before::Bytes(length.max(LARGEST)),
        Ok(_) => {
            let found = bytes.len() as u64;
            String::from_utf8(bytes).map_or(Before::Bytes(found), Before::Text)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use askdeck_core::words::Language;
    use serde_json::json;
    use tempfile::TempDir;

    use super::*;

    fn folder_with(name: &str, bytes: &[u8]) -> TempDir {
        let folder = tempfile::tempdir().expect("a folder for the test");
        fs::write(folder.path().join(name), bytes).expect("the folder is ours");
        folder
    }

    #[track_caller]
    fn change(tool: &str, input: &Value) -> (String, Option<String>) {
        let change = of(tool, input, Language::ENGLISH.words()).expect("it changes");
        (change.lines, change.said)
    }

    #[test]
    fn an_edit_is_shown_where_it_happens() {
        let lines: Vec<_> = (1..=100).map(|n| format!("line {n}")).collect();
        let lines = lines.join("\n") + "\n";
        let folder = folder_with("a.txt", lines.as_bytes());
        let path = folder.path().join("a.txt");
        let edit = |old: &str, new: &str, all: bool| {
            let input = json!({
                "file_path": path, "old_string": old, "new_string": new, "replace_all": all,
            });
            change("Edit", &input).0
        };
        let known = edit("line 50\n", "fifty\n", false);
        assert!(known.starts_with("@@ -38,25 +38,25 @@\n line 38\n"), "{known}");
        assert!(known.contains("\n-line 50\n+fifty\n"), "{known}");
        assert_eq!(edit("absent", "new", false), "-absent\n+new\n");
        assert_eq!(edit("line 1", "one", false), "-line 1\n+one\n", "which of twelve?");
        assert_eq!(diff::count(&edit("line 1", "one", true)), (12, 12));
        assert_eq!(edit("", "new", false), "+new\n");
    }

    #[test]
    fn a_change_does_not_drown_in_long_lines() {
        let line = "x".repeat(2 * LONGEST);
        let folder = folder_with("min.js", format!("{line}\nold\n{line}\n").as_bytes());
        let path = folder.path().join("min.js");
        let input = json!({ "file_path": path, "old_string": "old", "new_string": "new" });
        assert_eq!(change("Edit", &input).0, "-old\n+new\n");
    }

    #[test]
    fn edits_that_explode_are_not_made() {
        let folder = folder_with("a", b"aaaa\n");
        let path = folder.path().join("a");
        let double = json!({ "old_string": "a", "new_string": "aa", "replace_all": true });
        let input = json!({ "file_path": path, "edits": vec![double; 40] });
        assert!(of("MultiEdit", &input, Language::ENGLISH.words()).is_none());
    }

    #[test]
    fn several_edits_are_one_change() {
        let folder = folder_with("a", b"one\ntwo\n");
        let path = folder.path().join("a");
        let edits = json!([
            { "old_string": "one", "new_string": "two and" },
            { "old_string": "two and", "new_string": "1" },
        ]);
        let (lines, _) = change("MultiEdit", &json!({ "file_path": path, "edits": edits }));
        assert_eq!(lines, "@@ -1,2 +1,2 @@\n-one\n+1\n two\n");
    }

    #[test]
    fn overwritten_file_that_is_not_shown_is_reported() {
        let write = |bytes: &[u8]| {
            let folder = folder_with("file", bytes);
            let path = folder.path().join("file");
            change("Write", &json!({ "file_path": path, "content": "new\n" }))
        };
        let added = "@@ -0,0 +1 @@\n+new\n".to_owned();
        assert_eq!(write(b"old\n"), ("@@ -1 +1 @@\n-old\n+new\n".to_owned(), None));
        let said = |text: &str| Some(text.to_owned());
        let hidden = |bytes: u64| said(&format!("Replaces {bytes} bytes that are not shown:"));
        assert_eq!(write(b"\xff\xfe\0"), (added.clone(), hidden(3)));
        assert_eq!(write(&vec![b'a'; 1024 * 1024 + 1]), (added.clone(), hidden(1_048_577)));
        let input = |path: &str| json!({ "file_path": path, "content": "new\n" });
        assert_eq!(change("Write", &input("/absent/file")), (added.clone(), None));
        let unknown = said("Replaces existing content that cannot be read:");
        assert_eq!(change("Write", &input("/")), (added, unknown));
    }

    #[test]
    fn what_changes_no_file_or_oddly_is_no_change() {
        let case = |tool: &str, input: &Value| {
            assert!(of(tool, input, Language::ENGLISH.words()).is_none(), "{input}");
        };
        case("Read", &json!({ "file_path": "a" }));
        case("Edit", &json!({ "file_path": "a", "old_string": "x", "new_string": 7 }));
        case("MultiEdit", &json!({ "file_path": "a", "edits": [{ "old_string": "x" }] }));
        let edits = json!([{ "old_string": "x", "new_string": "y", "replace_all": true }]);
        case("MultiEdit", &json!({ "file_path": "/absent", "edits": edits }));
        case("Write", &json!({ "content": "x" }));
    }
}
