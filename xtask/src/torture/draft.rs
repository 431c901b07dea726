//! Compares what was typed with what is still there.

use std::time::Instant;

#[derive(Clone, Copy)]
pub(super) struct Letter {
    pub(super) key: char,
    /// Not before this.
    pub(super) pressed: Instant,
    /// When it was first seen in the app's draft, if it was.
    pub(super) taken: Option<Instant>,
}

/// How what is kept came from what was typed.
#[derive(Clone, Default)]
pub(super) struct Explanation {
    /// How many letters are missing, without a reason and with one.
    pub(super) unexcused: usize,
    pub(super) excused: usize,
    pub(super) kept: Vec<Letter>,
}

/// The kindest way to explain what is kept by what was typed; none if no letters left out do.
pub(super) fn compare(
    typed: &[Letter],
    kept: &str,
    is_excused: impl Fn(&Letter) -> bool,
) -> Option<Explanation> {
    let kept: Vec<char> = kept.chars().collect();
    // For each number of kept letters, the best explanation by the letters typed so far.
    let mut best: Vec<Option<Explanation>> = vec![None; kept.len() + 1];
    best[0] = Some(Explanation::default());
    for typed in typed {
        let excused = is_excused(typed);
        let mut next = Vec::with_capacity(best.len());
        for (count, without) in best.iter().enumerate() {
            let without = without.clone().map(|mut without| {
                *if excused { &mut without.excused } else { &mut without.unexcused } += 1;
                without
            });
            let with = match count.checked_sub(1) {
                Some(before) if kept[before] == typed.key => best[before].clone(),
                _ => None,
            };
            let with = with.map(|mut with| {
                with.kept.push(*typed);
                with
            });
            // Of two letters that are alike the later one is taken for kept: the next fault may
            // still take it.
            let order = |it: &Explanation| (it.unexcused, it.excused);
            next.push(with.into_iter().chain(without).min_by_key(order));
        }
        best = next;
    }
    best.pop().flatten()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn lost(typed: &str, kept: &str) -> Option<(usize, usize)> {
        let pressed = Instant::now();
        // Capitals stand for what was typed while something was broken.
        let letter = |key| Letter { key, pressed, taken: None };
        let letters: Vec<Letter> = typed.chars().map(letter).collect();
        let lost = compare(&letters, kept, |letter| letter.key.is_uppercase());
        lost.map(|lost| (lost.unexcused, lost.excused))
    }

    #[test]
    fn kept_letters_keep_their_time() {
        let first = Instant::now();
        let letter = |key, seconds| {
            let pressed = first + Duration::from_secs(seconds);
            Letter { key, pressed, taken: None }
        };
        let typed = [letter('a', 0), letter('b', 1), letter('a', 2)];
        let pressed = |kept| {
            let kept = compare(&typed, kept, |_| true).unwrap().kept;
            kept.iter().map(|letter| (letter.pressed - first).as_secs()).collect::<Vec<_>>()
        };
        assert_eq!(pressed("ab"), [0, 1]);
        assert_eq!(pressed("a"), [2]);
    }

    #[test]
    fn missing_letters_need_an_excuse() {
        assert_eq!(lost("abc", "abc"), Some((0, 0)));
        assert_eq!(lost("abC", "ab"), Some((0, 1)));
        assert_eq!(lost("abc", "ab"), Some((1, 0)));
        assert_eq!(lost("aBcB", "ac"), Some((0, 2)));
        assert_eq!(lost("", ""), Some((0, 0)));
    }

    #[test]
    fn untyped_letters_are_not_explained() {
        assert_eq!(lost("abc", "abcd"), None);
        assert_eq!(lost("abc", "ba"), None);
    }
}
