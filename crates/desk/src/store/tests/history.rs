use super::*;

/// A store with one ended dialog for each: its ticket, agent, folder, question and answer. They
/// ended at 1, 2, 3.
fn store(dialogs: &[(&str, &str, Option<&str>, &str, Value)]) -> Store {
    let mut store = Store::in_memory();
    for (at, (ticket, agent, folder, question, given)) in (1..).zip(dialogs) {
        let mut dialog = ask(
            ticket,
            json!([{ "question": question, "options": ["Red (Recommended)", "Blue"] }]),
        );
        dialog.caller.agent = (*agent).into();
        dialog.caller.cwd = folder.map(String::from);
        dialog.title = Some(format!("Title {ticket}"));
        store.insert(&dialog, ticket, at).unwrap();
        store.end(&dialog, &outcome(given.clone()), Some(Through::Window), at).unwrap();
    }
    store.insert(&which("pending"), "pending", 100).unwrap();
    store
}

fn answered(answer: Value) -> Value {
    json!({ "outcome": "answered", "answers": [answer] })
}

#[track_caller]
fn case(store: &Store, filter: Filter, expected: &[&str]) {
    let found = store.history(&Newest { filter: filter.clone(), ..all() }).unwrap();
    let found: Vec<_> = found.iter().map(|record| record.dialog.id.as_str()).collect();
    assert_eq!(found, expected, "{filter:?}");
}

#[test]
fn search_finds_questions_and_answers() {
    let store = store(&[
        (
            "a",
            "Claude Code",
            None,
            "Was kostet ÜBERMUT, 100% oder a_b?",
            answered(json!({ "selected": [0] })),
        ),
        (
            "b",
            "Codex",
            None,
            "选择中文吗？",
            answered(json!({ "selected": [1], "note": "À côté" })),
        ),
        ("c", "Codex", None, "ΟΔΟΣ?", answered(json!({ "other": "Grün\nund gelb" }))),
        ("d", "Codex", None, "Really?", json!({ "outcome": "declined", "reason": "Not Today" })),
        ("e", "Codex", None, "Really?", json!({ "outcome": "clarify", "text": "What for?" })),
    ]);
    let cases: [(&str, &[&str]); 20] = [
        ("übermut", &["a"]),
        ("ÜBER", &["a"]),
        ("0%", &["a"]),
        ("%", &["a"]),
        ("A_B", &["a"]),
        ("a%b", &[]),
        ("a_c", &[]),
        ("中文", &["b"]),
        ("à CÔTÉ", &["b"]),
        ("οδοσ", &["c"]),
        ("δοΣ", &["c"]),
        ("gelb", &["c"]),
        ("red (rec", &["a"]),
        ("blue", &["b"]),
        ("claude", &["a"]),
        ("TITLE B", &["b"]),
        ("today", &["d"]),
        ("what for", &["e"]),
        ("'; --", &[]),
        ("", &["e", "d", "c", "b", "a"]),
    ];
    for (search, expected) in cases {
        case(&store, Filter { search: Some(search.into()), ..Filter::default() }, expected);
    }
}

#[test]
fn a_project_is_named_by_its_path_or_the_end_of_it() {
    let given = || answered(json!({ "selected": [0] }));
    let store = store(&[
        ("a", "Claude Code", Some("/srv/work/deck"), "?", given()),
        ("b", "codex", Some("/srv/play/deck/"), "?", given()),
        ("c", "codex", Some("/srv/work/sundeck"), "?", given()),
        ("d", "codex", Some("/"), "?", given()),
        ("e", "codex", None, "?", given()),
    ]);
    let cases: [(&str, &[&str]); 9] = [
        ("/srv/work/deck", &["a"]),
        ("/srv/play/deck", &["b"]),
        ("deck", &["b", "a"]),
        ("deck/", &["b", "a"]),
        ("work/deck", &["a"]),
        ("srv", &[]),
        ("/deck", &[]),
        ("%", &[]),
        ("/", &["d"]),
    ];
    for (project, expected) in cases {
        case(&store, Filter { project: Some(project.into()), ..Filter::default() }, expected);
    }
    let deck_by_codex =
        Filter { project: Some("deck".into()), agent: Some("Codex".into()), ..Filter::default() };
    case(&store, deck_by_codex, &["b"]);
    let of = |agent: &str| Filter { agent: Some(agent.into()), ..Filter::default() };
    case(&store, of("claude"), &[]);
    case(&store, of("claude code"), &["a"]);
}

#[test]
fn pages_follow_each_other() {
    let given = || answered(json!({ "selected": [0] }));
    let store = store(&[
        ("a", "x", None, "?", given()),
        ("b", "x", None, "?", given()),
        ("c", "x", None, "?", given()),
    ]);
    let page = |limit, filter: &Filter| {
        let found = store.history(&Newest { filter: filter.clone(), limit }).unwrap();
        found.into_iter().map(|record| record.dialog.id).collect::<Vec<_>>()
    };
    let everything = Filter::default();
    assert_eq!(page(2, &everything), ["c", "b"]);
    assert_eq!(page(2, &Filter { before: Some(2), ..Filter::default() }), ["a"]);
    assert_eq!(page(9, &Filter { since: Some(2), ..Filter::default() }), ["c", "b"]);
    assert!(page(0, &everything).is_empty());
    store.db.execute("UPDATE dialogs SET outcome = '{}' WHERE ticket = 'c'", []).unwrap();
    assert_eq!(page(2, &everything), ["b", "a"]);
}

#[test]
fn a_filter_says_only_what_it_asks_for() {
    let newest: Newest = serde_json::from_value(json!({ "agent": "codex" })).unwrap();
    let filter = Filter { agent: Some("codex".into()), ..Filter::default() };
    assert_eq!(newest, Newest { filter, limit: 100 });
    let misspelt = serde_json::from_value::<Newest>(json!({ "agnet": "codex" })).unwrap_err();
    assert_eq!(misspelt.to_string(), "unknown field `agnet`");
}

#[test]
fn a_day_begins_by_the_clock_of_the_person() {
    let day = 24 * 60 * 60 * 1_000;
    let begins = |text| start_of_day(text).unwrap();
    let length = begins("2026-11-18") - begins("2026-11-17");
    assert!((day - 3_600_000..=day + 3_600_000).contains(&length), "{length}");
    for text in ["", "2026", "2026-11", "2026-13-01", "2026-02-30", "17.11.2026", "now", "30d"] {
        assert_eq!(start_of_day(text), None, "{text}");
    }
}

#[test]
fn callers_are_told_once_and_by_name() {
    let store = store(&[
        ("a", "codex", Some("/p/web"), "Which?", answered(json!({ "selected": [0] }))),
        ("b", "Claude", Some("/p/api/"), "Which?", answered(json!({ "selected": [0] }))),
        ("c", "claude", Some("/p/api"), "Which?", answered(json!({ "selected": [0] }))),
        ("d", "codex", None, "Which?", answered(json!({ "selected": [0] }))),
        ("e", "codex", Some("/"), "Which?", answered(json!({ "selected": [0] }))),
    ]);
    let Callers { agents, projects } = store.callers().unwrap();
    let agents: Vec<_> = agents.iter().map(|agent| agent.to_lowercase()).collect();
    assert_eq!(agents, ["claude", "codex"]);
    assert_eq!(projects, ["/", "/p/api", "/p/web"]);
}
