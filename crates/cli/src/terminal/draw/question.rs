//! One question: its text, its control, its trouble and its note.

use askdeck_core::session::{MAX_TEXT, Place};
use ratatui::{
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use super::content::{Content, Text, TextBox};
use crate::terminal::{
    front::Front,
    palette::STRONG,
    sheet::{Card, Control},
    wrap::{self, Block},
};

/// The columns before a label: cursor, mark and number.
const INDENT: usize = 8;

pub(super) fn content(front: &mut Front, width: usize, with_preview: bool) -> Content {
    let mut content = Content::default();
    let step = front.view.step;
    if step == 0 {
        intro(&mut content, front, width);
    }
    let sheet = &front.sheet.questions[step];
    let palette = front.sheet.palette;
    if front.sheet.questions.len() == 1
        && let Some(header) = &sheet.header
    {
        content.push(Span::styled(wrap::shortened(header, width), palette.primary));
    }
    let asked = content.rows.len();
    content.prose(&sheet.text, 0, width);
    content.prose(&sheet.details, 0, width);
    if let Some(hint) = &sheet.hint {
        content.prose(&[Block::new(Span::styled(hint.clone(), palette.secondary))], 0, width);
    }
    content.gap();
    control(&mut content, front, width);
    if front.view.place == Place::Panel && content.cursor.is_none() {
        // Readers of the screen follow the cursor.
        content.cursor = Some((asked, 0));
    }
    trouble(&mut content, front, width);
    note(&mut content, front, width);
    if with_preview && let Some(preview) = preview(front) {
        content.gap();
        content.push(Span::styled(front.sheet.say("preview"), palette.secondary));
        content.prose(&preview, 2, width);
    }
    content
}

/// The preview of the option under the cursor, or of the chosen one. Nothing where no option has
/// one.
pub(super) fn preview(front: &Front) -> Option<Vec<Block>> {
    let (sheet, view) = (&front.sheet, &front.view);
    let question = view.questions.get(view.step).filter(|_| view.aside.is_none())?;
    let Control::Cards { cards, .. } = &sheet.questions[view.step].control else { return None };
    cards.iter().find(|card| card.preview.is_some())?;
    let index = match view.place {
        Place::Card { index } => Some(index),
        _ => question.chosen.first().copied(),
    };
    let none = || vec![Block::new(Span::styled(sheet.say("no_preview"), sheet.palette.secondary))];
    let preview = index.and_then(|index| cards.get(index)?.preview.clone());
    Some(preview.unwrap_or_else(none))
}

/// Whether every preview of the current question has room there: what is cut off cannot be scrolled.
pub(super) fn previews_fit(front: &Front, room: Rect) -> bool {
    let Some(Control::Cards { cards, .. }) =
        front.sheet.questions.get(front.view.step).map(|question| &question.control)
    else {
        return false;
    };
    let columns = usize::from(room.width).saturating_sub(2);
    let rows = |preview: &[Block]| preview.iter().map(|block| block.rows(columns).len()).sum();
    cards.iter().filter_map(|card| card.preview.as_deref()).all(|preview| {
        let rows: usize = rows(preview);
        rows <= usize::from(room.height)
    })
}

fn intro(content: &mut Content, front: &Front, width: usize) {
    if let Some(title) = &front.sheet.title {
        let style = STRONG.patch(front.sheet.palette.primary);
        content.prose(&[Block::new(Span::styled(title.clone(), style))], 0, width);
    }
    content.prose(&front.sheet.message, 0, width);
    content.gap();
}

fn control(content: &mut Content, front: &mut Front, width: usize) {
    let step = front.view.step;
    let view = &front.view.questions[step];
    match &front.sheet.questions[step].control {
        Control::Box { secret, placeholder } => {
            let (secret, placeholder, still) = (*secret, placeholder.clone(), view.text.clone());
            let text = text(front, Place::Text, &still);
            let text_box = TextBox { text, placeholder: &placeholder, indent: 0, secret };
            content.text_box(front, &text_box, width);
        }
        Control::Cards { multi, cards, other } => {
            let (multi, total) = (*multi, cards.len());
            for index in 0..total {
                card(content, front, multi, index, width);
            }
            if *other {
                other_card(content, front, multi, total, width);
            }
        }
    }
}

fn text<'a>(front: &Front, place: Place, still: &'a str) -> Text<'a> {
    if front.view.place == place { Text::Edited } else { Text::Still(still) }
}

fn card(content: &mut Content, front: &Front, multi: bool, index: usize, width: usize) {
    let Control::Cards { cards, .. } = &front.sheet.questions[front.view.step].control else {
        return;
    };
    let Card { label, description, recommended, .. } = &cards[index];
    let start = content.rows.len();
    let mut line = first_row(front, multi, index, label);
    if *recommended {
        line.push_span(Span::raw("  "));
        line.push_span(Span::styled(front.sheet.say("recommended"), front.sheet.palette.success));
    }
    content.prose(&[Block { line, hang: INDENT }], 0, width);
    content.prose(description, INDENT, width);
    if front.view.place == (Place::Card { index }) {
        content.focus_since(start);
    } else if front.view.place == Place::Panel && index == 0 {
        // The cursor is on no card, but they are to be seen.
        content.focus = Some(start..content.rows.len());
    }
}

/// Cursor, mark, number and label.
fn first_row(front: &Front, multi: bool, index: usize, label: &str) -> Line<'static> {
    let palette = front.sheet.palette;
    let chosen = front.view.questions[front.view.step].chosen.contains(&index);
    let here = front.view.place == (Place::Card { index });
    let mark = match (multi, chosen) {
        (true, true) => "[x]",
        (true, false) => "[ ]",
        (false, true) => "(*)",
        (false, false) => "( )",
    };
    let number = if index < 9 { (index + 1).to_string() } else { " ".into() };
    let style = if chosen { palette.primary } else { Style::new() };
    let name = if here || chosen { style.patch(STRONG) } else { style };
    Line::from(vec![
        Span::styled(if here { "❯ " } else { "  " }, palette.primary.patch(STRONG)),
        Span::styled(mark, style),
        Span::styled(format!(" {number} "), palette.secondary),
        Span::styled(label.to_owned(), name),
    ])
}

fn other_card(content: &mut Content, front: &mut Front, multi: bool, index: usize, width: usize) {
    let start = content.rows.len();
    let line = first_row(front, multi, index, &front.sheet.say("other"));
    content.prose(&[Block { line, hang: INDENT }], 0, width);
    let question = &front.view.questions[front.view.step];
    let open = front.view.place == Place::Other || question.chosen.contains(&index);
    if open || !question.other.is_empty() {
        let (still, placeholder) = (question.other.clone(), front.sheet.say("other_placeholder"));
        let text = text(front, Place::Other, &still);
        let text_box = TextBox { text, placeholder: &placeholder, indent: INDENT, secret: false };
        content.text_box(front, &text_box, width);
    }
    if front.view.place == (Place::Card { index }) {
        content.focus_since(start);
    }
}

/// What is wrong, under the control.
fn trouble(content: &mut Content, front: &Front, width: usize) {
    let palette = front.sheet.palette;
    let question = &front.view.questions[front.view.step];
    if let Some(trouble) = &question.trouble {
        let said = front.sheet.say_trouble(trouble);
        content.trouble = Some(content.rows.len());
        content.prose(&[Block::new(Span::styled(said, palette.danger))], 0, width);
    }
    if let Some(bytes) = question.fullness {
        let tenths = bytes * 10 / 1024;
        let used = format!("{}.{}", tenths / 10, tenths % 10);
        let limit = (MAX_TEXT / 1024).to_string();
        let said = front.sheet.say_with("limit", [("used", used), ("limit", limit)]);
        content.push(Span::styled(said, palette.secondary));
    }
}

fn note(content: &mut Content, front: &mut Front, width: usize) {
    let question = &front.view.questions[front.view.step];
    if !question.note_open {
        return;
    }
    let still = question.note.clone();
    content.gap();
    content.push(Span::styled(front.sheet.say("note"), front.sheet.palette.secondary));
    let placeholder = front.sheet.say("note_placeholder");
    let text = text(front, Place::Note, &still);
    let text_box = TextBox { text, placeholder: &placeholder, indent: 0, secret: false };
    content.text_box(front, &text_box, width);
}
