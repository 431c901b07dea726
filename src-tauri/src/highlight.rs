//! Which parts of code are what, for the page to colour once it has painted the text.
//!
//! The grammars and what they compile to take tens of megabytes. A thread of its own has them, from the
//! first code that is shown until there has been none for a while. It takes one block after the other,
//! and nobody waits for it: until it is done, and where it gives up, code is simply plain.

use std::{
    sync::{Mutex, mpsc},
    thread,
    time::{Duration, Instant},
};

use askdeck_core::panics::guarded;
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};
use tauri::async_runtime::{self, Sender};

/// How long the grammars stay for the next block.
const STAY: Duration = Duration::from_secs(20);
/// How long one block may take; regular expressions that were not optimized take much longer. A single
/// line is not interrupted, so no line may be long.
const PATIENCE: Duration = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 });
const LONGEST_LINE: usize = 500;
/// A block with more lines is plain from there on.
const MOST_LINES: usize = 5_000;

/// For each line the parts that have a colour: start, end and [`Kind`] of each, counted as JavaScript
/// does.
pub(super) type Coloured = Vec<Vec<u32>>;

pub(super) struct Block {
    pub(super) language: String,
    pub(super) lines: Vec<String>,
    /// Each line begins with a sign, and those that were removed are another text than those that were
    /// added.
    pub(super) is_diff: bool,
}

/// In the order of `KINDS` in `ui/reading-code.js`.
#[derive(Clone, Copy, PartialEq)]
#[repr(u32)]
enum Kind {
    Comment,
    String,
    Number,
    Keyword,
    Function,
    Type,
    Attribute,
}

/// What the scopes of the grammars are; the longest that fits counts.
const SCOPES: &[(&str, Option<Kind>)] = &[
    ("comment", Some(Kind::Comment)),
    ("string", Some(Kind::String)),
    ("constant", Some(Kind::Number)),
    ("constant.character.escape", Some(Kind::Number)),
    ("constant.other.symbol", Some(Kind::String)),
    ("keyword", Some(Kind::Keyword)),
    ("keyword.operator", None),
    ("keyword.operator.word", Some(Kind::Keyword)),
    ("keyword.operator.logical.python", Some(Kind::Keyword)),
    ("storage", Some(Kind::Keyword)),
    ("variable.language", Some(Kind::Keyword)),
    ("variable.function", Some(Kind::Function)),
    ("entity.name.function", Some(Kind::Function)),
    ("support.function", Some(Kind::Function)),
    ("support.macro", Some(Kind::Function)),
    ("entity.name", Some(Kind::Type)),
    ("entity.name.tag", Some(Kind::Keyword)),
    ("entity.other.inherited-class", Some(Kind::Type)),
    ("support.class", Some(Kind::Type)),
    ("support.type", Some(Kind::Type)),
    ("support.type.property-name", Some(Kind::Attribute)),
    ("entity.other.attribute-name", Some(Kind::Attribute)),
    ("entity.name.tag.yaml", Some(Kind::Attribute)),
    ("meta.mapping.key", Some(Kind::Attribute)),
    ("meta.annotation", Some(Kind::Attribute)),
    ("variable.parameter", Some(Kind::Attribute)),
    ("variable.other.readwrite.shell", Some(Kind::Attribute)),
    ("markup.heading", Some(Kind::Keyword)),
    ("markup.raw", Some(Kind::String)),
];

struct Work {
    block: Block,
    reply: Sender<Coloured>,
}

/// Colours a block, when its turn comes.
pub(super) async fn colour(block: Block) -> Coloured {
    let (reply, mut coloured) = async_runtime::channel(1);
    hand_over(Work { block, reply });
    // A thread that has just ended took nothing: the block stays plain.
    coloured.recv().await.unwrap_or_default()
}

fn hand_over(mut work: Work) {
    static THREAD: Mutex<Option<mpsc::Sender<Work>>> = Mutex::new(None);
    let mut thread = THREAD.lock().expect("nothing panics under this lock");
    if let Some(running) = thread.as_ref() {
        match running.send(work) {
            Ok(()) => return,
            Err(mpsc::SendError(back)) => work = back,
        }
    }
    let (sender, receiver) = mpsc::channel();
    let _ = sender.send(work); // Its receiver is here.
    thread::spawn(move || serve(&receiver));
    *thread = Some(sender);
}

/// Takes blocks until there are none for a while. With the thread everything goes that it holds.
fn serve(blocks: &mpsc::Receiver<Work>) {
    let grammars = Grammars::load();
    while let Ok(Work { block, reply }) = blocks.recv_timeout(STAY) {
        let coloured = guarded(|| grammars.colour(&block, PATIENCE)).unwrap_or_default();
        let _ = reply.blocking_send(coloured); // The page may be gone.
    }
    drop(grammars);
    give_back();
}

/// Gives the system what was freed. By itself the C library keeps the 60 MB of a few languages.
#[expect(unsafe_code, reason = "Rust has no word for it")]
fn give_back() {
    #[cfg(target_env = "gnu")]
    {
        unsafe extern "C" {
            fn malloc_trim(keep: usize) -> i32;
        }
        // SAFETY: it may be called at any time, and from any thread.
        unsafe {
            malloc_trim(0);
        }
    }
}

struct Grammars {
    syntaxes: SyntaxSet,
    scopes: Vec<(Scope, Option<Kind>)>,
}

impl Grammars {
    fn load() -> Self {
        let mut scopes: Vec<_> = SCOPES
            .iter()
            .filter_map(|(name, kind)| Some((Scope::new(name).ok()?, *kind)))
            .collect();
        scopes.sort_by_key(|(scope, _)| std::cmp::Reverse(scope.len()));
        Self { syntaxes: two_face::syntax::extra_newlines(), scopes }
    }

    fn colour(&self, block: &Block, patience: Duration) -> Coloured {
        let Some(syntax) = self.syntax(&block.language) else { return Vec::new() };
        let start = Instant::now();
        let mut new = Side::new(syntax);
        let mut old = Side::new(syntax);
        let mut coloured = Vec::with_capacity(block.lines.len());
        for line in block.lines.iter().take(MOST_LINES) {
            if start.elapsed() > patience {
                break;
            }
            let (sign, text) = match line.chars().next() {
                Some(sign) if block.is_diff => (Some(sign), &line[sign.len_utf8()..]),
                _ => (None, line.as_str()),
            };
            let parts = match sign {
                Some('-') => self.line(&mut old, text),
                Some('+') | None => self.line(&mut new, text),
                // Both sides have it; mostly they are at one.
                Some(_) if old == new => {
                    let parts = self.line(&mut new, text);
                    old.clone_from(&new);
                    parts
                }
                Some(_) => {
                    self.line(&mut old, text);
                    self.line(&mut new, text)
                }
            };
            let behind = u32::from(sign.is_some());
            let part = |[start, end, kind]: [u32; 3]| [start + behind, end + behind, kind];
            coloured.push(parts.into_iter().flat_map(part).collect());
        }
        coloured
    }

    fn syntax(&self, language: &str) -> Option<&SyntaxReference> {
        let known = match language {
            "jsonc" | "json5" => "json",
            "console" | "shell" | "shell-session" | "zsh" => "sh",
            "mjs" | "cjs" => "js",
            "mts" | "cts" => "ts",
            "jsx" => "tsx",
            known => known,
        };
        self.syntaxes.find_syntax_by_token(known).filter(|syntax| syntax.name != "Plain Text")
    }

    /// The coloured parts of a line. One that is too long is left out, as if it were not there.
    fn line(&self, side: &mut Side, text: &str) -> Vec<[u32; 3]> {
        if text.len() > LONGEST_LINE {
            return Vec::new();
        }
        let line = format!("{text}\n");
        let Ok(changes) = side.state.parse_line(&line, &self.syntaxes) else { return Vec::new() };
        let mut parts: Vec<[u32; 3]> = Vec::new();
        let (mut from, mut units) = (0, 0);
        let ends = changes.iter().map(|(at, _)| *at).chain([text.len()]);
        for (index, to) in ends.enumerate() {
            let to = to.min(text.len());
            let start = units;
            let passed = text.get(from..to).unwrap_or_default().encode_utf16().count();
            units += u32::try_from(passed).unwrap_or_default();
            if units > start
                && let Some(kind) = self.kind(&side.stack)
            {
                match parts.last_mut() {
                    Some([_, end, last]) if *end == start && *last == kind as u32 => *end = units,
                    _ => parts.push([start, units, kind as u32]),
                }
            }
            from = to;
            if let Some((_, change)) = changes.get(index) {
                let _ = side.stack.apply(change); // A grammar that is wrong colours wrongly.
            }
        }
        parts
    }

    /// What the innermost scope is that means anything.
    fn kind(&self, stack: &ScopeStack) -> Option<Kind> {
        let kind = |scope: &Scope| self.scopes.iter().find(|(start, _)| start.is_prefix_of(*scope));
        stack.as_slice().iter().rev().find_map(kind).and_then(|(_, kind)| *kind)
    }
}

/// How far one of the two texts of a diff has been read.
#[derive(Clone, PartialEq)]
struct Side {
    state: ParseState,
    stack: ScopeStack,
}

impl Side {
    fn new(syntax: &SyntaxReference) -> Self {
        Self { state: ParseState::new(syntax), stack: ScopeStack::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(language: &str, text: &str, is_diff: bool) -> Block {
        let lines = text.lines().map(str::to_owned).collect();
        Block { language: language.into(), lines, is_diff }
    }

    /// The coloured parts of each line.
    fn parts(language: &str, text: &str, is_diff: bool) -> Vec<Vec<(String, u32)>> {
        let coloured = Grammars::load().colour(&block(language, text, is_diff), Duration::MAX);
        let cut = |(line, parts): (&str, &Vec<u32>)| {
            let units: Vec<_> = line.encode_utf16().collect();
            let part = |part: &[u32]| {
                let range = part[0] as usize..part[1] as usize;
                (String::from_utf16_lossy(&units[range]), part[2])
            };
            parts.chunks(3).map(part).collect()
        };
        text.lines().zip(&coloured).map(cut).collect()
    }

    fn part(text: &str, kind: Kind) -> (String, u32) {
        (text.into(), kind as u32)
    }

    #[test]
    fn code_is_coloured_by_what_it_is() {
        let lines = parts("rs", "fn main() { let 🦀 = \"x\"; } // end", false);
        for expected in [
            part("fn", Kind::Keyword),
            part("main", Kind::Function),
            part("\"x\"", Kind::String),
            part("// end", Kind::Comment),
        ] {
            assert!(lines[0].contains(&expected), "{lines:?}");
        }
    }

    #[test]
    fn both_texts_of_a_diff_are_read_by_themselves() {
        let lines = parts("rs", " let a = 1;\n-/* gone\n+let b = 2;\n let c = 3;", true);
        assert_eq!(lines[1], [part("/* gone", Kind::Comment)]);
        assert!(lines[2].contains(&part("let", Kind::Keyword)), "{lines:?}");
        assert!(lines[3].contains(&part("let", Kind::Keyword)), "{lines:?}");
    }

    #[test]
    fn the_usual_languages_are_known() {
        let grammars = Grammars::load();
        let usual = "rs py js ts tsx jsx mjs java kt swift go c h cpp cs rb php sh bash zsh console sql html css \
            scss json jsonc yaml yml toml xml md lua pl r scala hs ex clj dart dockerfile makefile cmake tf \
            proto graphql ini nix zig vue svelte rust python javascript typescript kotlin";
        let unknown: Vec<_> =
            usual.split_whitespace().filter(|name| grammars.syntax(name).is_none()).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        assert!(grammars.syntax("txt").is_none());
        assert!(grammars.syntax("no-such-language").is_none());
    }

    #[test]
    fn no_text_takes_long() {
        let hostile = [
            "x".repeat(1_000_000),
            "(".repeat(LONGEST_LINE),
            "\"\\".repeat(LONGEST_LINE / 3),
            format!("{}\n", "<".repeat(LONGEST_LINE)).repeat(MOST_LINES * 2),
            "a ".repeat(LONGEST_LINE / 2),
            format!("{}!", "a".repeat(LONGEST_LINE - 1)),
        ];
        let grammars = Grammars::load();
        for language in ["rs", "js", "ts", "html", "md", "py", "sh", "cpp", "yaml", "php", "rb"] {
            for text in &hostile {
                let start = Instant::now();
                grammars.colour(&block(language, text, false), Duration::from_millis(100));
                let took = start.elapsed();
                assert!(took < Duration::from_secs(20), "{language}: {took:?} for {text:.20}");
            }
        }
    }
}
