//! A patch as Codex writes it: `*** Begin Patch`, then one file after the other with its lines.

use std::{fs, path::Path};

use askdeck_core::{
    diff, text, tool,
    words::{self, Words},
};

pub(super) struct Patch<'a> {
    files: Vec<File<'a>>,
}

struct File<'a> {
    what: What,
    path: &'a str,
    moves_to: Option<&'a str>,
    /// As a diff.
    lines: String,
    /// So many bytes that are there now and will be gone, which the diff does not show.
    replaces: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Adds,
    Updates,
    Deletes,
}

impl<'a> Patch<'a> {
    /// Nothing if any line is not understood. Paths are those of `folder`.
    pub(super) fn read(text: &'a str, folder: &Path) -> Option<Self> {
        let text =
            text.trim().strip_prefix("*** Begin Patch\n")?.strip_suffix("\n*** End Patch")?;
        let mut files: Vec<File> = Vec::new();
        for line in text.lines() {
            if let Some(file) = File::begin(line) {
                files.push(file);
                continue;
            }
            let file = files.last_mut()?;
            match (file.what, line.strip_prefix("*** Move to: ")) {
                (What::Updates, Some(path)) if file.is_new() => file.moves_to = Some(path.trim()),
                _ if file.takes(line) => {
                    file.lines.push_str(line);
                    file.lines.push('\n');
                }
                _ => return None,
            }
        }
        for file in &mut files {
            file.look_in(folder);
        }
        (!files.is_empty()).then_some(Self { files })
    }

    pub(super) fn question(&self, words: &Words) -> String {
        let act = match self.files.as_slice() {
            [file] => {
                let word = match file.what {
                    What::Adds => "hook_write",
                    What::Updates => "hook_edit",
                    What::Deletes => return words::say(words, "hook_delete", [file.name()]),
                };
                words::say(words, word, [file.name()])
            }
            files => words::say(words, "hook_change_files", [("count", files.len().to_string())]),
        };
        let (added, removed) = self.files.iter().fold((0, 0), |(added, removed), file| {
            let (more, less) = diff::count(&file.lines);
            (added + more, removed + less)
        });
        if self.files.iter().any(|file| file.replaces.is_some()) {
            return act;
        }
        format!("{act} +{added} −{removed}")
    }

    pub(super) fn to_markdown(&self, words: &Words) -> String {
        let files: Vec<_> = self.files.iter().map(|file| file.to_markdown(words)).collect();
        files.join("\n\n")
    }
}

impl<'a> File<'a> {
    fn begin(line: &'a str) -> Option<Self> {
        let begins = [
            ("*** Add File: ", What::Adds),
            ("*** Update File: ", What::Updates),
            ("*** Delete File: ", What::Deletes),
        ];
        let (path, what) = begins
            .into_iter()
            .find_map(|(start, what)| Some((line.strip_prefix(start)?.trim(), what)))?;
        Some(Self { what, path, moves_to: None, lines: String::new(), replaces: None })
    }

    /// Codex writes over what is there.
    fn look_in(&mut self, folder: &Path) {
        let written = if self.what == What::Adds { Some(self.path) } else { self.moves_to };
        let there = written.and_then(|path| fs::symlink_metadata(folder.join(path)).ok());
        self.replaces = there.map(|there| there.len());
    }

    fn is_new(&self) -> bool {
        self.lines.is_empty() && self.moves_to.is_none()
    }

    fn takes(&self, line: &str) -> bool {
        match self.what {
            What::Adds => line.starts_with('+'),
            What::Updates => {
                line.is_empty()
                    || line.starts_with(['+', '-', ' '])
                    || line.starts_with("@@")
                    || line == "*** End of File"
            }
            What::Deletes => false,
        }
    }

    fn name(&self) -> (&'static str, String) {
        let name = Path::new(self.path).file_name().and_then(|name| name.to_str());
        ("file", text::name(name.unwrap_or(self.path)))
    }

    fn to_markdown(&self, words: &Words) -> String {
        let path = match self.moves_to {
            Some(to) => format!("{} → {to}", self.path),
            None => self.path.to_owned(),
        };
        let mut path = text::fenced("", &path);
        if let Some(bytes) = self.replaces {
            let replaces = words::say(words, "hook_replaces", [("bytes", bytes.to_string())]);
            path = format!("{replaces}\n\n{path}");
        }
        match self.what {
            What::Deletes => format!("{}\n\n{path}", words::say(words, "hook_deletes", [])),
            What::Updates if self.lines.is_empty() => path,
            _ => format!("{path}\n\n{}", tool::block("diff", &self.lines)),
        }
    }
}

#[cfg(test)]
mod tests {
    use askdeck_core::words::Language;

    use super::*;

    const PATCH: &str = "*** Begin Patch\n*** Add File: docs/a.md\n+one\n+two\n\
        *** Update File: src/b.rs\n*** Move to: src/c.rs\n@@ fn main() {\n x\n-old\n+new\n\
        *** Delete File: d.txt\n*** End Patch\n";

    #[test]
    fn patch_shows_every_file_and_line() {
        let words = Language::ENGLISH.words();
        let patch = Patch::read(PATCH, Path::new("/absent")).expect("it is a patch");
        assert_eq!(patch.question(words), "Change 3 files? +3 −1");
        assert_eq!(
            patch.to_markdown(words),
            "```\ndocs/a.md\n```\n\n```diff\n+one\n+two\n```\n\n\
             ```\nsrc/b.rs → src/c.rs\n```\n\n```diff\n@@ fn main() {\n x\n-old\n+new\n```\n\n\
             Deletes this file:\n\n```\nd.txt\n```"
        );
    }

    #[test]
    fn patch_of_one_file_is_named_after_it() {
        let question = |file: &str| {
            let patch = format!("*** Begin Patch\n*** {file}\n*** End Patch");
            Patch::read(&patch, Path::new("/absent"))
                .expect("it is a patch")
                .question(Language::ENGLISH.words())
        };
        assert_eq!(question("Add File: /srv/a.md\n+x"), "Write `a.md`? +1 −0");
        assert_eq!(question("Update File: src/b.rs\n@@\n-x\n+y"), "Edit `b.rs`? +1 −1");
        assert_eq!(question("Delete File: d.txt"), "Delete `d.txt`?");
    }

    #[test]
    fn patch_with_any_unknown_line_is_not_read() {
        for text in [
            "",
            "rm -rf ~",
            "*** Begin Patch\n*** End Patch",
            "*** Begin Patch\n+x\n*** End Patch",
            "*** Begin Patch\n*** Add File: a\nx\n*** End Patch",
            "*** Begin Patch\n*** Delete File: a\n+x\n*** End Patch",
            "*** Begin Patch\n*** Run: rm\n*** End Patch",
            "*** Begin Patch\n*** Add File: a\n+x",
        ] {
            assert!(Patch::read(text, Path::new("/absent")).is_none(), "{text}");
        }
    }

    #[test]
    fn patch_says_what_it_writes_over() {
        let words = Language::ENGLISH.words();
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("a.md"), "five\n").expect("it is ours");
        let text = "*** Begin Patch\n*** Add File: a.md\n+x\n*** End Patch";
        let patch = Patch::read(text, folder.path()).expect("it is a patch");
        assert_eq!(patch.question(words), "Write `a.md`?");
        let shown = patch.to_markdown(words);
        assert!(shown.starts_with("Replaces 5 bytes that are not shown:\n\n```\na.md"), "{shown}");
    }
}
