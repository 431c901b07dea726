//! Compares what was typed with what is still there.

use std::time::Instant;

#[derive(Clone, Copy)]
pub(super) struct Letter {
    pub(super) letter: char,
    pub(super) pressed: Instant,
}

/// How many letters are missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lost {
    pub(super) unexcused: usize,
    pub(super) excused: usize,
}

/// The kindest way to explain what is kept by what was typed; none if no letters left out do.
pub(super) fn compare(
    typed: &[Letter],
    kept: &str,
    is_excused: impl Fn(&Letter) -> bool,
) -> Option<Lost> {
    let kept: Vec<char> = kept.chars().collect();
    // For each number of kept letters, the best explanation by the letters typed so far.
    let mut best: Vec<Option<Lost>> = vec![None; kept.len() + 1];
    best[0] = Some(Lost { unexcused: 0, excused: 0 });
    for typed in typed {
        let excused = is_excused(typed);
        let mut next = Vec::with_capacity(best.len());
        for (count, lost) in best.iter().enumerate() {
            let without = lost.map(|Lost { unexcused, excused: pardoned }| {
                let (excused, guilty) = (usize::from(excused), usize::from(!excused));
                Lost { unexcused: unexcused + guilty, excused: pardoned + excused }
            });
            let with = match count.checked_sub(1) {
                Some(before) if kept[before] == typed.letter => best[before],
                _ => None,
            };
            let order = |lost: &Lost| (lost.unexcused, lost.excused);
            next.push(without.into_iter().chain(with).min_by_key(order));
        }
        best = next;
    }
    best.last().copied().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(typed: &str, kept: &str) -> Option<(usize, usize)> {
        let pressed = Instant::now();
        // Capitals stand for what was typed while something was broken.
        let letters: Vec<Letter> = typed.chars().map(|letter| Letter { letter, pressed }).collect();
        let lost = compare(&letters, kept, |letter| letter.letter.is_uppercase());
        lost.map(|lost| (lost.unexcused, lost.excused))
    }

    #[test]
    fn what_is_missing_needs_a_reason() {
        assert_eq!(lost("abc", "abc"), Some((0, 0)));
        assert_eq!(lost("abC", "ab"), Some((0, 1)));
        assert_eq!(lost("abc", "ab"), Some((1, 0)));
        assert_eq!(lost("aBcB", "ac"), Some((0, 2)));
        assert_eq!(lost("", ""), Some((0, 0)));
    }

    #[test]
    fn what_was_not_typed_is_not_explained() {
        assert_eq!(lost("abc", "abcd"), None);
        assert_eq!(lost("abc", "ba"), None);
    }
}
