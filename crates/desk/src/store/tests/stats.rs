use askdeck_core::history::Stats;

use super::*;

/// Noon of 1970-01-01, and the length of a day.
const NOON: Millis = 43_200_000;
const DAY: Millis = 86_400_000;

#[test]
fn agents_and_days_are_counted_apart() {
    let mut store = Store::in_memory();
    // The agent, when it asked, and how long after that it was shown and ended.
    let dialogs = [
        ("claude", NOON, Some(10), Some((100, red()))),
        ("claude", NOON + 1, Some(20), Some((201, red()))),
        ("claude", NOON + 2, Some(90), Some((900, Outcome::Dismissed))),
        ("claude", NOON + DAY, None, Some((50, Outcome::Withdrawn))),
        ("codex", NOON + DAY, Some(-5), None),
        ("early", NOON - 1, Some(1), Some((1, red()))),
        ("late", NOON + 2 * DAY, Some(1), Some((1, red()))),
    ];
    for (number, (agent, at, shown, ended)) in dialogs.into_iter().enumerate() {
        let mut dialog = which(&format!("d{number}"));
        dialog.caller.agent = agent.into();
        store.insert(&dialog, &dialog.id, at).unwrap();
        if let Some(after) = shown {
            store.note(&dialog.id, &DialogEvent::Shown, at + after).unwrap();
        }
        if let Some((after, outcome)) = ended {
            store.end(&dialog, &outcome, Some(Through::Window), at + after).unwrap();
        }
    }
    let stats = store.stats(NOON, NOON + 2 * DAY).unwrap();
    let expected = json!({
        "outcomes": { "answered": 2, "dismissed": 1, "withdrawn": 1 },
        "agents": [
            { "agent": "claude", "count": 4, "answered": 2, "median_answer_ms": 150, "median_shown_ms": 20,
              "median_wait_ms": 150 },
            { "agent": "codex", "count": 1, "answered": 0, "median_answer_ms": null, "median_shown_ms": 0,
              "median_wait_ms": null },
        ],
        "days": [
            { "day": "1970-01-01", "agent": "claude", "count": 3, "median_wait_ms": 201 },
            { "day": "1970-01-02", "agent": "claude", "count": 1, "median_wait_ms": 50 },
            { "day": "1970-01-02", "agent": "codex", "count": 1, "median_wait_ms": null },
        ],
    });
    assert_eq!(serde_json::to_value(&stats).unwrap(), expected);
    assert_eq!(serde_json::from_value::<Stats>(expected).unwrap(), stats);
}

#[test]
fn stats_of_an_empty_history() {
    let stats = Store::in_memory().stats(Millis::MIN, Millis::MAX).unwrap();
    assert_eq!(stats, Stats { outcomes: [].into(), agents: vec![], days: vec![] });
}
