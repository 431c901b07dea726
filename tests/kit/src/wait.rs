//! Waiting for a condition, never for a length of time.

use std::{
    fmt, thread,
    time::{Duration, Instant},
};

use crate::Result;

const POLL: Duration = Duration::from_millis(10);

/// Long enough for a busy machine; a test that passes waits a fraction of it.
const PATIENCE: Duration = Duration::from_secs(30);
/// A busy machine may take this long to start a large program of others.
const START: Duration = Duration::from_secs(120);
/// A busy machine may take this long to show the effect of a key.
const EFFECT: Duration = Duration::from_secs(5);
/// Where a press may be lost, the next one comes after this.
const AGAIN: Duration = Duration::from_secs(1);

/// Looks until `look` finds something, and fails once `limit` has passed.
pub fn within<T>(
    limit: Duration,
    what: impl fmt::Display,
    mut look: impl FnMut() -> Result<Option<T>>,
) -> Result<T> {
    let start = Instant::now();
    loop {
        if let Some(found) = look()? {
            return Ok(found);
        }
        if start.elapsed() > limit {
            return Err(format!("waited {} s in vain for {what}", limit.as_secs()));
        }
        thread::sleep(POLL);
    }
}

/// Looks until `look` finds something, and panics if that takes too long.
#[track_caller]
pub fn until<T>(what: impl fmt::Display, look: impl FnMut() -> Option<T>) -> T {
    found(PATIENCE, what, look)
}

/// Looks until something has been so for a moment: shorter than anybody takes to press a key, and
/// longer than a page takes to hear that it has the keyboard.
#[track_caller]
pub fn until_settled(what: impl fmt::Display, mut is_so: impl FnMut() -> bool) {
    const MOMENT: Duration = Duration::from_millis(300);
    let mut since: Option<Instant> = None;
    until(what, || {
        since = if is_so() { since.or(Some(Instant::now())) } else { None };
        since.filter(|since| since.elapsed() > MOMENT).map(drop)
    });
}

/// [`until`] for the start of a large program of others.
#[track_caller]
pub fn until_started<T>(what: impl fmt::Display, look: impl FnMut() -> Option<T>) -> T {
    found(START, what, look)
}

#[track_caller]
fn found<T>(limit: Duration, what: impl fmt::Display, mut look: impl FnMut() -> Option<T>) -> T {
    // Not `unwrap_or_else`: a closure would hide the caller.
    match within(limit, what, || Ok(look())) {
        Ok(found) => found,
        Err(problem) => panic!("{problem}"),
    }
}

/// Presses, and looks for the effect. One press must do.
#[track_caller]
pub fn press_once<T>(
    what: impl fmt::Display,
    press: impl FnMut(),
    look: impl FnMut() -> Option<T>,
) -> T {
    press_at_most(1, what, press, look)
}

/// Presses, and looks for the effect. Fails if that takes more presses than `most`.
#[track_caller]
pub fn press_at_most<T>(
    most: u32,
    what: impl fmt::Display,
    press: impl FnMut(),
    look: impl FnMut() -> Option<T>,
) -> T {
    count_presses([AGAIN, EFFECT], most, what, press, look)
}

/// It goes on pressing after `most`, at longer intervals, so that the failure says how many presses
/// are needed.
#[track_caller]
fn count_presses<T>(
    [again, effect]: [Duration; 2],
    most: u32,
    what: impl fmt::Display,
    mut press: impl FnMut(),
    mut look: impl FnMut() -> Option<T>,
) -> T {
    let mut presses = 0;
    let mut last = Instant::now();
    let found = within(PATIENCE, &what, || {
        if presses == 0 || last.elapsed() > if presses < most { again } else { effect } {
            press();
            presses += 1;
            last = Instant::now();
        }
        Ok(look())
    });
    match found {
        Ok(found) if presses <= most => found,
        Ok(_) => panic!("{what} took {presses} presses, and {most} must do"),
        Err(problem) => panic!("{problem}, with {presses} presses"),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Counts presses until one of them works.
    fn press(works: u32) {
        let pressed = Cell::new(0);
        let press = || pressed.set(pressed.get() + 1);
        let look = || (pressed.get() == works).then_some(());
        count_presses([Duration::from_millis(20); 2], 1, "an effect", press, look);
    }

    #[test]
    fn one_press_is_enough() {
        press(1);
    }

    #[test]
    #[should_panic(expected = "an effect took 3 presses, and 1 must do")]
    fn lost_presses_fail_the_test_and_are_counted() {
        press(3);
    }
}
