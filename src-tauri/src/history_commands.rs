//! What the page of past dialogs can ask of the app.

#![expect(clippy::needless_pass_by_value, reason = "tauri hands a command its arguments by value")]

use std::sync::Arc;

use askdeck_core::{
    dialog::name_of_all,
    history::{DayStats, Deleted, Newest, Selection},
    record::Millis,
    text,
};
use askdeck_desk::{
    desk::Desk,
    paths,
    store::{Callers, Store, StoreError},
};
use serde::Serialize;
use tauri::{State, WebviewWindow, async_runtime::spawn_blocking};

use super::{
    desktop::Desktop,
    history_entry::HistoryEntry,
    history_window,
    page::{PageLanguage, disambiguate},
};

type DesktopState<'a> = State<'a, Arc<Desktop>>;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct Found {
    entries: Vec<HistoryEntry>,
    /// There are older ones.
    more: bool,
}

/// What there is to choose from, and what the chart shows.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct Overview {
    agents: Vec<Choice>,
    projects: Vec<Choice>,
    days: Vec<DayStats>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Choice {
    value: String,
    shown: String,
}

#[tauri::command]
pub(super) fn words() -> PageLanguage {
    PageLanguage::to_the_person()
}

/// The page has something to show.
#[tauri::command]
pub(super) fn drawn(window: WebviewWindow) {
    // Without a window there is nothing to show it in.
    let _ = history_window::show(&window);
}

#[tauri::command]
pub(super) async fn search(newest: Newest, desktop: DesktopState<'_>) -> Result<Found, String> {
    read(&desktop, move |store| {
        let limit = newest.limit;
        // One more than is shown, to know whether there are more.
        let mut records = store.history(&Newest { limit: limit.saturating_add(1), ..newest })?;
        let more = records.len() > limit;
        records.truncate(limit);
        Ok(Found { entries: records.into_iter().filter_map(HistoryEntry::new).collect(), more })
    })
    .await
}

fn readable(day: DayStats) -> DayStats {
    DayStats { agent: name_of_all(&day.agent, paths::language().words()), ..day }
}

#[tauri::command]
pub(super) async fn overview(
    since: Millis,
    until: Millis,
    desktop: DesktopState<'_>,
) -> Result<Overview, String> {
    read(&desktop, move |store| {
        let Callers { agents, projects } = store.callers()?;
        let folders: Vec<_> = projects.iter().cloned().map(Some).collect();
        let words = paths::language().words();
        let agent = |value: String| Choice { shown: name_of_all(&value, words), value };
        let project =
            |(value, shown): (String, String)| Choice { shown: text::clean_line(&shown), value };
        Ok(Overview {
            agents: agents.into_iter().map(agent).collect(),
            projects: projects
                .into_iter()
                .zip(disambiguate(&folders).into_iter().flatten())
                .map(project)
                .collect(),
            days: store.stats(since, until)?.days.into_iter().map(readable).collect(),
        })
    })
    .await
}

/// Deletes past dialogs for good; with `preview`, only tells what that would come to.
#[tauri::command]
pub(super) async fn delete(
    which: Selection,
    preview: bool,
    desktop: DesktopState<'_>,
) -> Result<Deleted, String> {
    apart(&desktop, move |desk| desk.delete(which, preview)).await
}

/// Puts a text on the clipboard.
#[tauri::command]
pub(super) fn copy(text: &str) {
    gtk::Clipboard::get(&gtk::gdk::SELECTION_CLIPBOARD).set_text(text);
}

#[tauri::command]
pub(super) fn close(window: WebviewWindow) {
    // One that is gone is closed.
    let _ = window.close();
}

async fn read<T: Send + 'static>(
    desktop: &Desktop,
    query: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, String> {
    apart(desktop, move |desk| desk.read(query)).await
}

/// Away from the threads on which callers are served: a long history takes its time.
async fn apart<T: Send + 'static>(
    desktop: &Desktop,
    act: impl FnOnce(&Desk) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, String> {
    let desk = desktop.desk.clone();
    let done = spawn_blocking(move || act(&desk)).await;
    let words = paths::language().words();
    done.map_err(|error| error.to_string())?.map_err(|error| error.in_words(words))
}
