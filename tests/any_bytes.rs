//! A short run of what the fuzzer checks: its seeds, and broken pieces of them.

use std::{collections::BTreeSet, fs, path::Path, sync::LazyLock};

use proptest::{prelude::*, sample::Index};

use crate::{
    fuzz,
    support::{Home, Run},
};

/// The files below this folder.
fn seeds(folder: &str) -> Vec<Vec<u8>> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    let mut seeds = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder is there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                seeds.push(fs::read(path).expect("it is a file"));
            }
        }
    }
    assert!(!seeds.is_empty());
    seeds
}

static ANSWERING: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| seeds("fuzz/seeds/answering"));
static DIALECTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| seeds("tests/dialects"));
static HOOK: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| seeds("fuzz/seeds/hook"));
static MARKDOWN: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| seeds("fuzz/seeds/markdown"));
static WIRE: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| seeds("fuzz/seeds/wire"));

#[test]
fn fuzz_seeds_pass_their_own_checks() {
    DIALECTS.iter().for_each(|seed| fuzz::dialects(seed));
    HOOK.iter().for_each(|seed| fuzz::hook(seed));
    MARKDOWN.iter().for_each(|seed| fuzz::markdown(seed));
    WIRE.iter().for_each(|seed| fuzz::wire(seed));
}

#[test]
fn session_seeds_cover_every_ending() {
    let endings: BTreeSet<_> = ANSWERING.iter().flat_map(|seed| fuzz::answering(seed)).collect();
    let every = ["answered", "clarify", "declined", "dismissed", "timed_out", "withdrawn"];
    assert_eq!(endings, BTreeSet::from(every));
}

#[test]
fn hook_never_fails_for_any_event() {
    // Nobody can be asked here, so that each is over at once.
    let home = Home::new();
    for seed in HOOK.iter() {
        for event in [&seed[..], &seed[..seed.len() / 2]] {
            let ended = Run::command(["hook", "claude-code"]).stdin(event).ends(&home);
            assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), ""), "{ended:?}");
            assert!(ended.stderr.lines().all(|line| !line.contains(char::is_control)), "{ended:?}");
        }
    }
}

/// One thing that goes wrong with bytes: at `from`, for as many as `length`.
#[derive(Debug, Clone, Copy)]
enum Break {
    Cut,
    Double,
    Put(u8),
}

fn any_breaks() -> impl Strategy<Value = Vec<(Break, Index, usize)>> {
    let kind = prop_oneof![Just(Break::Cut), Just(Break::Double), any::<u8>().prop_map(Break::Put)];
    prop::collection::vec((kind, any::<Index>(), 1..40_usize), 0..6)
}

fn broken(seeds: &[Vec<u8>], seed: Index, breaks: &[(Break, Index, usize)]) -> Vec<u8> {
    let mut bytes = seed.get(seeds).clone();
    for (kind, place, length) in breaks {
        if bytes.is_empty() {
            break;
        }
        let from = place.index(bytes.len());
        let to = (from + length).min(bytes.len());
        match kind {
            Break::Cut => drop(bytes.drain(from..to)),
            Break::Double => {
                let piece = bytes[from..to].to_vec();
                bytes.splice(from..from, piece);
            }
            Break::Put(byte) => bytes[from..to].fill(*byte),
        }
    }
    bytes
}

proptest! {
    #[test]
    fn session_keeps_every_promise_for_any_events(seed in any::<Index>(), breaks in any_breaks()) {
        fuzz::answering(&broken(&ANSWERING, seed, &breaks));
    }

    #[test]
    fn session_seeds_keep_every_promise(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        fuzz::answering(&bytes);
    }

    #[test]
    fn dialects_take_any_payload(seed in any::<Index>(), breaks in any_breaks()) {
        fuzz::dialects(&broken(&DIALECTS, seed, &breaks));
    }

    #[test]
    fn hook_takes_any_bytes(seed in any::<Index>(), breaks in any_breaks()) {
        fuzz::hook(&broken(&HOOK, seed, &breaks));
    }

    #[test]
    fn markdown_of_any_kind_is_inert(seed in any::<Index>(), breaks in any_breaks()) {
        fuzz::markdown(&broken(&MARKDOWN, seed, &breaks));
    }

    #[test]
    fn wire_takes_any_line(seed in any::<Index>(), breaks in any_breaks()) {
        fuzz::wire(&broken(&WIRE, seed, &breaks));
    }
}
