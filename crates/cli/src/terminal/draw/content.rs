//! The rows of a step, of which the terminal may show a part.

use std::ops::Range;

use ratatui::text::{Line, Span};

use crate::terminal::{
    editor::{self, Editor},
    terminal_view::{Sight, TerminalView},
    wrap::{Block, TAB},
};

#[derive(Default)]
pub(super) struct Content {
    pub(super) rows: Vec<Line<'static>>,
    /// The rows that must be in sight, if what has the keyboard is among them.
    pub(super) focus: Option<Range<usize>>,
    /// The row and column of the cursor.
    pub(super) cursor: Option<(usize, usize)>,
    /// The row that says what is wrong.
    pub(super) error: Option<usize>,
}

pub(super) struct TextBox<'a> {
    pub(super) text: Text<'a>,
    /// What is seen as long as nothing stands in it.
    pub(super) placeholder: &'a str,
    pub(super) indent: usize,
    /// What stands in it must not be read over the person's shoulder.
    pub(super) secret: bool,
}

/// What stands in a text box.
pub(super) enum Text<'a> {
    /// The box has the keyboard: what is being edited.
    Edited,
    Still(&'a str),
}

impl Content {
    pub(super) fn push(&mut self, row: impl Into<Line<'static>>) {
        self.rows.push(row.into());
    }

    /// An empty row, unless there is one.
    pub(super) fn gap(&mut self) {
        if self.rows.last().is_some_and(|row| row.width() > 0) {
            self.rows.push(Line::default());
        }
    }

    pub(super) fn prose(&mut self, blocks: &[Block], indent: usize, width: usize) {
        for block in blocks {
            for row in block.rows(width.saturating_sub(indent).max(1)) {
                let indent = (indent > 0).then(|| Span::raw(" ".repeat(indent)));
                self.rows.push(indent.into_iter().chain(row.spans).collect());
            }
        }
    }

    /// The rows from this one on have the keyboard.
    pub(super) fn focus_since(&mut self, start: usize) {
        self.focus = Some(start..self.rows.len());
        self.cursor = Some((start, 0));
    }

    /// A text box. One with the keyboard has a cursor, which must be in sight.
    pub(super) fn text_box(
        &mut self,
        terminal: &mut TerminalView,
        text_box: &TextBox,
        width: usize,
    ) {
        let &TextBox { ref text, placeholder, indent, secret } = text_box;
        let palette = terminal.palette;
        let inner = width.saturating_sub(indent + 2).max(1);
        let edited = matches!(text, Text::Edited);
        let shown = match text {
            Text::Edited if secret => terminal.editor.masked(),
            Text::Edited => terminal.editor.clone(),
            Text::Still(text) if secret => Editor::new(text).masked(),
            Text::Still(text) => Editor::new(text),
        };
        let edge = Span::styled(
            format!("{}│ ", " ".repeat(indent)),
            if edited { palette.primary } else { palette.secondary },
        );
        let start = self.rows.len();
        if shown.text().is_empty() {
            let placeholder = Block::new(Span::styled(placeholder.to_owned(), palette.secondary));
            for row in placeholder.rows(inner) {
                self.rows.push([edge.clone()].into_iter().chain(row.spans).collect());
            }
        } else {
            for row in editor::rows(shown.text(), inner) {
                let row = shown.text()[row].replace('\t', TAB);
                self.rows.push(Line::from(vec![edge.clone(), Span::raw(row)]));
            }
        }
        if edited {
            terminal.box_width = inner;
            let (row, column) = shown.cursor(inner);
            self.cursor = Some((start + row, indent + 2 + column));
            self.focus = Some(start + row..start + row + 1);
        }
    }

    /// The first row in sight, so that what must be in sight is.
    pub(super) fn scrolled(&self, from: usize, page: usize, sight: Sight) -> usize {
        let last = self.rows.len().saturating_sub(page);
        let from = from.min(last);
        let Some(focus) = &self.focus else { return from };
        let end = match sight {
            Sight::Anything => return from,
            Sight::Beginning => focus.start + 1,
            Sight::Keyboard => focus.end,
        };
        // If not all of it fits, its beginning does.
        from.max(end.saturating_sub(page)).min(focus.start)
    }
}
