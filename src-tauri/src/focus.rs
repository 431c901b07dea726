//! Whether a window that appears takes the keyboard.

use std::time::Duration;

use askdeck_desk::config::FocusPolicy;

/// A person who types seldom rests longer between two keys, and one who has read for that long has no
/// key under way.
const IDLE_AFTER: Duration = Duration::from_secs(2);

/// `idle`: how long the person has touched nothing, if that is known.
pub(super) fn takes_keyboard(focus: FocusPolicy, idle: Option<Duration>) -> bool {
    match focus {
        FocusPolicy::Never => false,
        // On Wayland nobody but the compositor knows, and it decides by itself.
        FocusPolicy::Idle => idle.is_some_and(|idle| idle >= IDLE_AFTER),
        FocusPolicy::Always => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(idle: Option<Duration>, taken_by: &[FocusPolicy]) {
        let all = [FocusPolicy::Never, FocusPolicy::Idle, FocusPolicy::Always];
        let taking: Vec<_> = all.into_iter().filter(|focus| takes_keyboard(*focus, idle)).collect();
        assert_eq!(taking, taken_by, "{idle:?}");
    }

    #[test]
    fn typing_keeps_the_focus() {
        case(Some(Duration::ZERO), &[FocusPolicy::Always]);
        case(Some(Duration::from_millis(1_999)), &[FocusPolicy::Always]);
        case(Some(Duration::from_secs(2)), &[FocusPolicy::Idle, FocusPolicy::Always]);
        case(None, &[FocusPolicy::Always]);
    }
}
