//! Something else than answering: declining, or a question to the agent.

use askdeck_core::session::{AsideKind, Focus};
use ratatui::text::Span;

use super::content::{Content, Text, TextBox};
use crate::terminal::{palette::STRONG, terminal_view::TerminalView, wrap::Block};

pub(super) fn content(terminal: &mut TerminalView, width: usize) -> Content {
    let mut content = Content::default();
    let Some(aside) = terminal.view.aside.clone() else { return content };
    let placeholder = match aside.kind {
        AsideKind::Decline => "decline_text",
        AsideKind::Clarify => "clarify_text",
    };
    let title = terminal.say_phrase(&aside.title);
    content.prose(&[Block::new(Span::styled(title, STRONG))], 0, width);
    content.gap();
    if terminal.sheet.no_reason {
        let hint = Span::styled(terminal.say("decline_no_reason"), terminal.palette.secondary);
        content.prose(&[Block::new(hint)], 0, width);
        return content;
    }
    let edited = terminal.view.focus == Focus::Aside;
    let text = if edited { Text::Edited } else { Text::Still(&aside.text) };
    let placeholder = terminal.say(placeholder);
    let text_box = TextBox { text, placeholder: &placeholder, indent: 0, secret: false };
    content.text_box(terminal, &text_box, width);
    if let Some(error) = &aside.error {
        let said = terminal.say_phrase(error);
        let said = Span::styled(said, terminal.palette.danger);
        content.error = Some(content.rows.len());
        content.prose(&[Block::new(said)], 0, width);
    }
    content
}
