//! Whether a window that appears takes the keyboard.

use std::time::Duration;

use askdeck_desk::config::Focus;

/// Who is still typing seldom rests longer between two keys; who has read for that long has no
/// key under way.
const IDLE_AFTER: Duration = Duration::from_secs(2);

/// `idle`: how long the person has touched nothing, if that is known.
pub(super) fn takes_keyboard(focus: Focus, idle: Option<Duration>) -> bool {
    match focus {
        Focus::Never => false,
        // On Wayland nobody but the compositor knows, and it decides by itself.
        Focus::Idle => idle.is_some_and(|idle| idle >= IDLE_AFTER),
        Focus::Always => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn case(idle: Option<Duration>, taken_by: &[Focus]) {
        let all = [Focus::Never, Focus::Idle, Focus::Always];
        let taking: Vec<_> = all.into_iter().filter(|focus| takes_keyboard(*focus, idle)).collect();
        assert_eq!(taking, taken_by, "{idle:?}");
    }

    #[test]
    fn typing_keeps_the_focus() {
        case(Some(Duration::ZERO), &[Focus::Always]);
        case(Some(Duration::from_millis(1_999)), &[Focus::Always]);
        case(Some(Duration::from_secs(2)), &[Focus::Idle, Focus::Always]);
        case(None, &[Focus::Always]);
    }
}
