//! How the terminal shows what does not change while a dialog is answered.

use askdeck_core::sheet;
use ratatui::style::Style;

use super::{
    markdown,
    palette::{Palette, STRONG},
    wrap::Block,
};

pub(super) type DialogSheet = sheet::DialogSheet<Vec<Block>>;
pub(super) type QuestionSheet = sheet::QuestionSheet<Vec<Block>>;

impl sheet::Render for Palette {
    type Text = Vec<Block>;

    fn question(&self, markdown: &str) -> Vec<Block> {
        markdown::blocks(markdown, STRONG, self)
    }

    fn prose(&self, markdown: &str) -> Vec<Block> {
        markdown::blocks(markdown, Style::new(), self)
    }

    fn preview(&self, text: &str) -> Vec<Block> {
        markdown::preview(text, self)
    }
}
