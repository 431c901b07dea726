//! Numbers that look random, and are the same for the same seed.

use std::{
    ops::Range,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

#[derive(Debug, PartialEq)]
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        // Seeds that lie side by side must not begin alike, and none may be zero.
        let mut chance = Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        chance.next();
        chance
    }

    /// A seed that was not chosen by anybody.
    pub(super) fn seed() -> u64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::from(now.subsec_nanos()) ^ now.as_secs() << 20
    }

    /// For somebody else, who takes as many as they like.
    pub(super) fn share(&mut self) -> Self {
        Self::new(self.next())
    }

    pub(super) fn of(&mut self, range: Range<u64>) -> u64 {
        range.start + self.next() % (range.end - range.start)
    }

    /// True once in so many times.
    pub(super) fn once_in(&mut self, times: u64) -> bool {
        self.of(0..times) == 0
    }

    pub(super) fn millis(&mut self, range: Range<u64>) -> Duration {
        Duration::from_millis(self.of(range))
    }

    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let index = self.next() % (from.len().max(1) as u64);
        from.get(usize::try_from(index).unwrap_or(0))
    }

    pub(super) fn shuffle<T>(&mut self, all: &mut [T]) {
        for last in (1..all.len()).rev() {
            let other = usize::try_from(self.of(0..last as u64 + 1)).unwrap_or(last);
            all.swap(last, other);
        }
    }

    /// Never `x`, which the person presses to see whether a box takes text.
    pub(super) fn letter(&mut self) -> char {
        char::from(b'a' + u8::try_from(self.of(0..23)).unwrap_or(0))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers_and_another_others() {
        let numbers = |seed| {
            let mut chance = Chance::new(seed);
            [(); 8].map(|()| chance.of(0..1000))
        };
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
        assert_ne!(numbers(0), [0; 8]);
    }

    #[test]
    fn letters_leave_out_the_one_that_tries_the_box() {
        let mut chance = Chance::new(1);
        assert!((0..1000).map(|_| chance.letter()).all(|letter| ('a'..'x').contains(&letter)));
    }
}
