//! What befalls the file: damaged, or on a disk that takes nothing.

use std::{fs, os::unix::fs::symlink};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::json;

use super::{files_below, given, in_words, told};
use crate::support::{Kept, Person, Run, Screen, askdeck, press_at_most, until};

#[test]
fn damaged_file_is_moved_away_and_reported() {
    let screen = Screen::start();
    let file = Kept::file(&screen);
    let garbage = b"not a database at all ".repeat(1000);
    fs::create_dir_all(file.parent().expect("a folder")).expect("the home is ours");
    fs::write(&file, &garbage).expect("the home is ours");
    let window = Run::ask(&in_words("Tester")).open(&screen);
    let warning = window.text(".warning");
    assert!(warning.starts_with("The question database was damaged"), "{warning}");
    let aside = files_below(&screen.path("askdeck/data"))
        .into_iter()
        .find(|file| file.to_string_lossy().contains(".sqlite.damaged-20"))
        .expect("it lies under its dated name");
    assert!(warning.contains(&*aside.to_string_lossy()), "{warning}");
    assert_eq!(fs::read(aside).expect("it can be read"), garbage);

    window.person.type_text("typed");
    window.person.press("Return");
    window.await_end().answers(&given("typed"));
    assert_eq!(told(&screen, ["history"])[0]["outcome"]["outcome"], "answered");
    Kept::of(&screen).assert_sound();
}

/// Asks where nothing can be kept; the person sees that, and answers.
#[track_caller]
fn answers_though_nothing_is_kept(run: Run, screen: &Screen) {
    let window = run.open(screen);
    let warning = window.text(".warning");
    assert!(warning.starts_with("Nothing you type is being saved:"), "{warning}");
    window.person.type_text("typed");
    window.person.press("Return");
    window.await_end().answers(&given("typed"));
}

#[test]
fn unwritable_folder_still_asks() {
    let screen = Screen::start();
    fs::create_dir_all(screen.path("askdeck")).expect("the home is ours");
    // Nobody, not even root, can make a folder in a file.
    fs::write(screen.path("askdeck/data"), "").expect("the home is ours");
    answers_though_nothing_is_kept(Run::ask(&in_words("Tester")), &screen);
}

#[test]
fn storage_problem_in_the_language_of_the_person() {
    let screen = Screen::with("LANG", "pt_BR.UTF-8");
    fs::create_dir_all(screen.path("askdeck")).expect("the home is ours");
    fs::write(screen.path("askdeck/data"), "").expect("the home is ours");
    let window = Run::ask(&in_words("Tester")).open(&screen);
    let warning = "Nada do que você digita está sendo salvo: \
        há um arquivo no lugar da pasta de dados; mova-o.";
    window.await_text(".warning", warning);
    let status = Run::command(["status"]).ends(&screen).stdout;
    let why =
        "; nothing is being saved: there is a file where the data folder should be; move it away\n";
    assert!(status.ends_with(why), "{status}");
    window.person.type_text("typed");
    window.person.press("Return");
    window.await_end().answers(&given("typed"));
}

#[test]
fn broken_settings_are_reported_with_file_and_line() {
    let screen = Screen::start();
    screen.configure("sound = false\nfocus = \"sometimes\"");
    let window = Run::ask(&in_words("Tester")).open_unarmed(&screen);
    let told = format!(
        "Settings ignored: line 2: unknown variant `sometimes`, expected one of \
         `never`, `idle`, `always`. Fix {} and restart Askdeck.",
        screen.path("askdeck/config/config.toml").display()
    );
    window.await_text(".warning", &told);
}

/// A pipe would be waited for, and a device read, without end.
#[test]
fn settings_that_are_a_pipe_or_device_hold_up_nothing() {
    let screen = Screen::start();
    let config = screen.path("askdeck/config/config.toml");
    let told = format!(
        "Settings ignored: it is not a regular file. Fix {} and restart Askdeck.",
        config.display()
    );
    let pipe = || mknodat(CWD, &config, FileType::Fifo, Mode::RWXU, 0).expect("the home is ours");
    let endless = || symlink("/dev/zero", &config).expect("the home is ours");
    for plant in [&pipe as &dyn Fn(), &endless] {
        fs::remove_file(&config).expect("it is there");
        plant();
        let window = Run::ask(&in_words("Tester")).open(&screen);
        window.await_text(".warning", &told);
        window.person.activate();
        window.await_armed();
        // The word that it got the keyboard, which arms it anew, may still be on its way.
        window.person.press_at_most(2, "z Return", || window.is_over().then_some(()));
        assert_eq!(window.close().code, Some(0));
    }
}

/// Whoever has edited the file by hand, or lost bytes of it, can still ask.
#[test]
fn unreadable_rows_do_not_keep_the_app_from_starting() {
    let screen = Screen::start();
    let which =
        |agent: &str| json!({ "agent": agent, "question": "Which?", "options": ["a", "b"] });
    for agent in ["Ages", "Spent", "Nothing", "Other", "Draft"] {
        let submitted = Run::ask(&which(agent)).args(["--no-wait"]).ends(&screen);
        assert_eq!(submitted.code, Some(0), "{submitted:?}");
    }
    Run::command(["stop"]).ends(&screen).is(0, "");
    let draft = json!({
        "step": 99,
        "drafts": [{ "chosen": [1, 99], "other": "typed", "other_chosen": true, "note": "noted" }],
    });
    let ages = "\"timeout\":{\"secs\":18446744073709551615,\"nanos\":999999999}";
    let spent = json!({ "drafts": [{}], "spent": { "secs": u64::MAX, "nanos": 0 } });
    let minute = "\"timeout\":{\"secs\":60,\"nanos\":0}";
    Kept::edit(
        &screen,
        &format!(
            "UPDATE dialogs SET draft = '{draft}', asked_at = -9223372036854775808,
                 dialog = replace(dialog, '\"timeout\":null', '{ages}') WHERE agent = 'Ages';
             UPDATE dialogs SET draft = '{spent}',
                 dialog = replace(dialog, '\"timeout\":null', '{minute}') WHERE agent = 'Spent';
             UPDATE dialogs SET dialog = json_set(dialog, '$.questions', json('[]'))
                 WHERE agent = 'Nothing';
             UPDATE dialogs SET dialog = json_set(dialog, '$.id', 'other') WHERE agent = 'Other';
             UPDATE dialogs SET draft = '{{\"spent\":-1' WHERE agent = 'Draft';"
        ),
    );
    let window = Run::ask(&which("Ages")).open(&screen);
    window.await_text(".inbox h2", "3 open questions");
    assert_eq!(window.texts(".inbox-agent"), ["Ages", "Spent", "Draft"]);
    let _waits = Run::ask(&which("Spent")).start(&screen);
    window.await_chosen(&[2]);
    assert_eq!(window.see("document.querySelector('.note textarea').value"), "noted");
    Run::command(["list"]).ends(&screen);
    window.person.press("ctrl+Return");
    let answer = json!([{ "id": "question-0", "question": "Which?", "selected": [],
        "other": "typed", "note": "noted" }]);
    window.await_end().answers(&answer);
    let stats = Run::command(["stats"]).ends(&screen);
    assert_eq!(stats.code, Some(0), "{stats:?}");
}

/// A home that is no folder, is not there, or is no path: the person is asked all the same.
#[test]
fn any_home_still_asks() {
    let given = ["", "somewhere", "/dev/null", "/nowhere/at/all"].map(Some);
    for home in given.into_iter().chain([None]) {
        let screen = Screen::start();
        let run = Run::ask(&in_words("Tester")).without_env("ASKDECK_HOME");
        let run = match home {
            Some(home) => run.env("HOME", home),
            None => run.without_env("HOME"),
        };
        let mut running = run.start(&screen);
        let person = Person::at(&screen);
        person.activate();
        // There are no settings, so it is armed after a while, and where it listens is not known.
        let press = || person.press("a Return");
        press_at_most(3, "an answer", press, || running.is_over().then_some(()));
        assert_eq!(running.ends().code, Some(0), "{home:?}");
        person.await_gone();
        let left = fs::read_dir(screen.path("work")).expect("it is there").count();
        assert_eq!(left, 0, "{home:?}");
    }
}

/// The command, with its data on a small disk of its own, mounted with these options.
fn on_its_own_disk(options: &str, screen: &Screen) -> Run {
    let data = screen.path("askdeck/data");
    fs::create_dir_all(&data).expect("the home is ours");
    let (askdeck, data) = (askdeck(), data.display());
    let script = format!("mount -t tmpfs -o {options} none {data} && exec {askdeck} \"$@\"");
    let run = Run::program("unshare", ["--map-root-user", "--mount", "sh", "-c", &script, "sh"]);
    run.stdin(in_words("Tester").to_string())
}

#[test]
fn read_only_disk_still_asks() {
    let screen = Screen::start();
    answers_though_nothing_is_kept(on_its_own_disk("ro", &screen), &screen);
}

#[test]
fn full_disk_still_asks() {
    let screen = Screen::start();
    answers_though_nothing_is_kept(on_its_own_disk("size=64k", &screen), &screen);
}

#[test]
fn full_disk_keeps_an_answer_for_its_ticket() {
    let screen = Screen::without_arming();
    let submitted = on_its_own_disk("size=64k", &screen).args(["--no-wait"]).ends(&screen);
    let ticket = submitted.stdout.trim_end();
    let person = Person::at(&screen);
    person.activate();
    // There is no draft to look at, so the answer tells what was typed.
    let answered = person.press_at_most(2, "z Return", || {
        let result = Run::command(["result", ticket]).ends(&screen);
        (result.code != Some(1)).then_some(result)
    });
    assert_eq!(answered.code, Some(0), "{answered:?}");
    assert!(answered.stdout.contains("\"value\":\"z"), "{answered:?}");
    // It has reached somebody, so there is nothing left to stay for.
    person.await_no_app();
}

#[test]
fn full_disk_keeps_earlier_questions() {
    let screen = Screen::without_arming();
    let data = screen.path("askdeck/data");
    fs::create_dir_all(&data).expect("the home is ours");
    let full = screen.path("full");
    let (askdeck, data) = (askdeck(), data.display());
    let script = format!(
        "mount -t tmpfs -o size=1m none {data}
         ticket=$({askdeck} --no-wait)
         {askdeck} stop
         ! cat /dev/zero >{data}/filling 2>/dev/null
         touch {}
         exec {askdeck} result --wait $ticket",
        full.display()
    );
    let run = Run::program("unshare", ["--map-root-user", "--mount", "sh", "-ec", &script]);
    let mut running = run.stdin(in_words("Tester").to_string()).start(&screen);
    until("the disk to be full", || full.exists().then_some(()));
    let person = Person::at(&screen);
    person.activate();
    person.press_at_most(2, "z Return", || running.is_over().then_some(()));
    let ended = running.ends();
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    assert!(ended.stdout.contains("\"value\":\"z"), "{ended:?}");
}

#[test]
fn questions_survive_a_damaged_file() {
    let screen = Screen::start();
    Run::command(["resident"]).ends(&screen).is(0, "");
    for agent in ["One", "Two"] {
        let submitted = Run::ask(&in_words(agent)).args(["--no-wait"]).ends(&screen);
        assert_eq!(submitted.code, Some(0), "{submitted:?}");
    }
    Run::command(["stop"]).ends(&screen).is(0, "");
    Kept::damage(&screen);

    let window = Run::ask(&in_words("One")).open(&screen);
    let warning = window.text(".warning");
    assert!(warning.starts_with("The question database was damaged"), "{warning}");
    window.await_text(".inbox h2", "2 open questions");
    assert_eq!(window.texts(".inbox-agent"), ["One", "Two"]);
    window.person.type_text("typed");
    window.person.press("Return");
    window.await_end().answers(&given("typed"));
    Kept::of(&screen).assert_sound();
}

#[test]
fn result_from_a_damaged_file_says_so() {
    let screen = Screen::without_arming();
    let submitted = Run::ask(&in_words("Tester")).args(["--no-wait"]).ends(&screen);
    let ticket = submitted.stdout.trim_end();
    let person = Person::at(&screen);
    person.activate();
    let kept = Kept::of(&screen);
    person.press_at_most(2, "z Return", || (kept.count(ticket, "answered") == 1).then_some(()));
    drop(kept);
    person.await_no_app();
    Kept::damage(&screen);
    Kept::leave_open(&screen);

    let fetched = Run::command(["result", ticket]).ends(&screen);
    assert!(fetched.stdout.contains("\"value\":\"z"), "{fetched:?}");
    let aside = screen.path("askdeck/data/askdeck.sqlite.damaged-20").display().to_string();
    let told = format!("askdeck: note: the data file was damaged; it is now {aside}");
    assert!(fetched.stderr.starts_with(&told), "{fetched:?}");
    until("the desk to go", || screen.programs("askdeck").is_empty().then_some(()));
    let again = Run::command(["result", ticket]).ends(&screen);
    again.is(0, &fetched.stdout);
}

#[test]
fn full_disk_is_reported_until_there_is_room() {
    let screen = Screen::start();
    let data = screen.path("askdeck/data");
    fs::create_dir_all(&data).expect("the home is ours");
    let (askdeck, data, root) = (askdeck(), data.display(), screen.root().display());
    let script = format!(
        "mount -t tmpfs -o size=1m none {data}
         await() {{ until [ -e {root}/$1 ]; do sleep 0.05; done; }}
         {{
           await fill; ! cat /dev/zero >{data}/filling 2>/dev/null; touch {root}/filled
           await clear; rm {data}/filling; touch {root}/cleared
           await stop; {askdeck} stop; {askdeck} list >{root}/list; touch {root}/listed
         }} &
         exec {askdeck}"
    );
    let step = |wanted: &str, done: &str| {
        fs::write(screen.path(wanted), "").expect("the home is ours");
        until(done, || screen.path(done).exists().then_some(()));
    };
    let run = Run::program("unshare", ["--map-root-user", "--mount", "sh", "-ec", &script]);
    let window = run.stdin(in_words("Tester").to_string()).open(&screen);
    assert_eq!(window.text(".warning"), "");
    step("fill", "filled");
    window.type_into(".current textarea", "half");
    window.await_text(
        ".warning",
        "Nothing you type is being saved: the disk is full; make room on it.",
    );
    // It is asked for the first time while nothing can be kept.
    let _another = Run::ask(&in_words("Another")).start(&screen);
    window.await_text(".inbox h2", "2 open questions");

    // Nobody has to do anything for what they typed to be kept.
    step("clear", "cleared");
    window.await_text(".warning", "");
    step("stop", "listed");
    let list = fs::read_to_string(screen.path("list")).expect("it was listed");
    assert!(list.contains("Tester: ") && list.contains("Another: "), "{list}");
}
