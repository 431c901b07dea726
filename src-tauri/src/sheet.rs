//! What the page draws of a dialog once.

use askdeck_core::{
    dialog::Dialog,
    sheet::{DialogSheet, Render},
};
use askdeck_desk::paths;

use super::markdown;

/// The page gets HTML.
struct Html;

impl Render for Html {
    type Text = String;

    fn question(&self, markdown: &str) -> String {
        markdown::to_html(markdown)
    }

    fn prose(&self, markdown: &str) -> String {
        markdown::to_html(markdown)
    }

    fn preview(&self, text: &str) -> String {
        markdown::preview_to_html(text)
    }
}

pub fn of(dialog: &Dialog) -> DialogSheet<String> {
    DialogSheet::new(dialog, paths::language().words(), &Html)
}
