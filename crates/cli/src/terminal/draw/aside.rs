//! Something else than answering: declining, or asking back.

use askdeck_core::session::{AsideKind, Place};
use ratatui::text::Span;

use super::content::{Content, Text, TextBox};
use crate::terminal::{front::Front, palette::STRONG, wrap::Block};

pub(super) fn content(front: &mut Front, width: usize) -> Content {
    let mut content = Content::default();
    let Some(aside) = front.view.aside.clone() else { return content };
    let (title, placeholder) = match aside.kind {
        AsideKind::Decline => ("decline_title", "decline_text"),
        AsideKind::Clarify => ("ask_back_title", "ask_back_text"),
    };
    content.prose(&[Block::new(Span::styled(front.sheet.say(title), STRONG))], 0, width);
    content.gap();
    if front.sheet.wordless {
        let hint = Span::styled(front.sheet.say("decline_wordless"), front.sheet.palette.secondary);
        content.prose(&[Block::new(hint)], 0, width);
        return content;
    }
    let edited = front.view.place == Place::Aside;
    let text = if edited { Text::Edited } else { Text::Still(&aside.text) };
    let placeholder = front.sheet.say(placeholder);
    let text_box = TextBox { text, placeholder: &placeholder, indent: 0, secret: false };
    content.text_box(front, &text_box, width);
    if let Some(trouble) = &aside.trouble {
        let said = front.sheet.say_trouble(trouble);
        let said = Span::styled(said, front.sheet.palette.danger);
        content.trouble = Some(content.rows.len());
        content.prose(&[Block::new(said)], 0, width);
    }
    content
}
