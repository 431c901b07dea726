use super::*;

fn claim(ticket: &str) -> Claim {
    Claim { metadata: json!({ "nova": { "interaction_id": ticket } }), ..Claim::of(&which(ticket)) }
}

#[test]
fn a_dialog_is_found_by_all_its_tickets() {
    let (_folder, file) = folder();
    let mut store = open(&file);
    store.insert(&which("d"), "k", 1).unwrap();
    store.insert(&which("other"), "o", 1).unwrap();
    for (of, further) in [("d", "d2"), ("d", "d3"), ("d", "d2"), ("d", "other"), ("other", "d3")] {
        store.add_claim(of, &claim(further)).unwrap();
    }
    store.add_claim("nothing", &claim("d4")).unwrap();
    assert_eq!(store.find("d4"), Ok(None));
    drop(store);

    let mut store = open(&file);
    let pending = store.pending().unwrap();
    let tickets = |pending: &OpenDialog| {
        pending.claims.open.iter().map(|claim| claim.ticket.clone()).collect::<Vec<_>>()
    };
    let all: Vec<_> = pending.iter().map(tickets).collect();
    assert_eq!(all, [vec!["d", "d2", "d3"], vec!["other"]]);
    assert_eq!(*pending[0].claims.open[1], claim("d2"));
    assert_eq!(store.find("other").unwrap().unwrap().dialog.id, "other");
    store.end(&which("d"), &red(), Some(Through::Window), 2).unwrap();
    for (ticket, own) in [("d", Claim::of(&which("d"))), ("d2", claim("d2")), ("d3", claim("d3"))] {
        let found = store.claimed(ticket).unwrap().unwrap();
        assert_eq!((found.record.dialog.id.as_str(), found.outcome()), ("d", Some(red())));
        assert_eq!(found.claim, own);
    }
}

#[test]
fn a_question_is_taken_back_for_one_caller_alone() {
    let (_folder, file) = folder();
    let mut store = open(&file);
    store.insert(&which("d"), "k", 1).unwrap();
    for further in ["d2", "d3"] {
        store.add_claim("d", &claim(further)).unwrap();
    }
    for own in [Claim::of(&which("d")), claim("d3")] {
        store.withdraw_claim("d", &own, 2).unwrap();
        let outcome = store.claimed(&own.ticket).unwrap().unwrap().outcome();
        assert_eq!(outcome, Some(Outcome::Withdrawn), "{}", own.ticket);
    }
    drop(store);
    let store = open(&file);
    let claims = store.pending().unwrap().remove(0).claims;
    assert!(claims.is_open("d2") && claims.is_withdrawn("d") && claims.is_withdrawn("d3"));
    assert_eq!(store.claimed("d2").unwrap().unwrap().outcome(), None);
}

#[test]
fn withdrawn_ticket_stays_so_when_the_others_are_answered() {
    let mut store = Store::in_memory();
    store.insert(&which("d"), "k", 1).unwrap();
    store.add_claim("d", &claim("d2")).unwrap();
    store.withdraw_claim("d", &Claim::of(&which("d")), 2).unwrap();
    store.end(&which("d"), &red(), Some(Through::Window), 3).unwrap();
    let outcomes = ["d", "d2"].map(|ticket| store.claimed(ticket).unwrap().unwrap().outcome());
    assert_eq!(outcomes, [Some(Outcome::Withdrawn), Some(red())]);
}

#[test]
fn an_undelivered_answer_to_another_question_is_not_found() {
    let mut store = Store::in_memory();
    let other =
        |ticket: &str| ask(ticket, json!([{ "question": "Other?", "options": ["Red", "Blue"] }]));
    for (at, dialog) in (1..).zip([which("d"), other("o")]) {
        store.insert(&dialog, "k", at).unwrap();
        store.end(&dialog, &red(), Some(Through::Window), at).unwrap();
    }
    let found = |asked: &Dialog| store.undelivered("k", asked, 0).unwrap().map(|it| it.dialog.id);
    assert_eq!(found(&which("again")).as_deref(), Some("d"));
    assert_eq!(found(&other("again")).as_deref(), Some("o"));
    assert_eq!(found(&ask("again", json!([{ "question": "Which?", "type": "text" }]))), None);
}
