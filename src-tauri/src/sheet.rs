//! What the page draws of a dialog once.

use askdeck_core::{
    dialog::Dialog,
    sheet::{DialogSheet, Render},
};
use askdeck_desk::paths;

use super::markdown;

/// The page gets HTML, in which files are named as they are seen from the caller's folder.
struct Html<'a> {
    folder: Option<&'a str>,
}

impl Render for Html<'_> {
    type Text = String;

    fn question(&self, markdown: &str) -> String {
        markdown::to_html(markdown)
    }

    fn prose(&self, markdown: &str) -> String {
        markdown::to_html_in(self.folder, markdown)
    }

    fn preview(&self, text: &str) -> String {
        markdown::preview_to_html(text)
    }
}

pub fn of(dialog: &Dialog) -> DialogSheet<String> {
    let html = Html { folder: dialog.caller.cwd.as_deref() };
    DialogSheet::new(dialog, paths::language().words(), &html)
}
