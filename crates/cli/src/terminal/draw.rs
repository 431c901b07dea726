//! Draws what the session's view says: who asks on top, the keys that work at the bottom, and the
//! current step between them.

use std::iter;

use askdeck_core::session::{Focus, Phase, Tone};
use ratatui::{
    Frame,
    layout::{Position, Rect, Size},
    style::{Modifier, Style},
    text::{Line, Span},
};

use super::{
    keys,
    palette::{CURRENT, STRONG},
    terminal_view::TerminalView,
    wrap::{self, Block},
};

mod aside;
mod content;
mod question;
mod review;
mod tabs;

pub(super) use review::given;

use content::Content;

/// Below this nobody could see what they answer.
const SMALLEST: Size = Size { width: 24, height: 8 };
/// With fewer rows than these, the keys have one.
const FEW_ROWS: u16 = 18;
/// From this width on a preview stands beside the options.
const WIDE: u16 = 100;
/// The main button names what it sends, as far as it stays a button.
const LONGEST_BUTTON: usize = 32;

pub(super) fn draw(frame: &mut Frame, terminal: &mut TerminalView) {
    let area = frame.area();
    terminal.hidden = area.width < SMALLEST.width || area.height < SMALLEST.height;
    if terminal.hidden {
        return draw_too_small(frame, terminal);
    }
    let room = Rect { x: area.x + 1, width: area.width - 2, ..area };
    let width = usize::from(room.width);
    let head = caller(terminal, width).into_iter().chain(tabs::rows(terminal, width));
    // Whatever there is to say, the question has the most room.
    let head: Vec<_> = head.take(usize::from(room.height) / 3).collect();
    let notice = notice(terminal, width);
    let buttons = buttons(terminal, width);
    // The question comes first: where rows are few, the keys are told on fewer.
    let taken = head.len() + notice.len() + buttons.len();
    let spare = usize::from(room.height).saturating_sub(taken + 6);
    let hints = hints(terminal, Size { width: room.width, height: room.height });
    let hints = hints.into_iter().take(spare.min(3));
    let foot = notice.into_iter().chain(buttons).chain(hints);
    let foot: Vec<_> = foot.take(usize::from(room.height) / 2).collect();

    let rows = room.height.saturating_sub(count(head.len() + foot.len()));
    // Where there is room, what belongs together is set apart from the rest.
    let gap = u16::from(rows > 10);
    let body = Rect { y: room.y + count(head.len()) + gap, height: rows - 2 * gap, ..room };
    let top = room.y + room.height - count(foot.len());
    if let Some(Position { x, y }) = current(&foot) {
        frame.set_cursor_position(Position { x: room.x + x, y: top + y });
    }
    draw_rows(frame, Rect { height: count(head.len()), ..room }, head);
    draw_rows(frame, Rect { y: top, height: count(foot.len()), ..room }, foot);
    draw_body(frame, body, terminal);
}

fn draw_too_small(frame: &mut Frame, terminal: &TerminalView) {
    let area = frame.area();
    let rows = Block::new(terminal.say("terminal_small")).rows(usize::from(area.width).max(1));
    draw_rows(frame, area, rows);
}

/// Where the button is that has the keyboard: readers of the screen follow the cursor.
fn current(rows: &[Line]) -> Option<Position> {
    rows.iter().zip(0..).find_map(|(row, y)| {
        let before = row.spans.iter().position(|span| is_current(span.style))?;
        let x = row.spans[..before].iter().map(Span::width).sum::<usize>();
        Some(Position { x: count(x), y })
    })
}

fn is_current(style: Style) -> bool {
    style.add_modifier.contains(Modifier::REVERSED)
}

fn draw_body(frame: &mut Frame, area: Rect, terminal: &mut TerminalView) {
    // The last column tells that there is more.
    let mut left = Rect { width: area.width - 2, ..area };
    let right = Rect { x: area.x + area.width / 2, width: area.width / 2, ..area };
    let beside = area.width >= WIDE && question::previews_fit(terminal, right);
    if beside && let Some(preview) = question::preview(terminal) {
        left.width = area.width / 2 - 2;
        let edge = Span::styled("│ ", terminal.palette.secondary);
        let rows = preview.iter().flat_map(|block| block.rows(usize::from(right.width) - 2));
        let rows = rows.chain(iter::repeat(Line::default())).take(usize::from(right.height));
        let rows = rows.map(|row| [edge.clone()].into_iter().chain(row.spans).collect());
        draw_rows(frame, right, rows.collect());
    }
    let content = content_of(terminal, usize::from(left.width), !beside);
    let page = usize::from(left.height);
    terminal.page = page;
    terminal.scroll = content.scrolled(terminal.scroll, page, terminal.sight);
    let above = terminal.scroll > 0;
    let below = content.rows.len() > terminal.scroll + page;
    let in_sight = terminal.scroll..terminal.scroll + page;
    if let Some((row, column)) = content.cursor.filter(|(row, _)| in_sight.contains(row)) {
        let y = left.y + count(row - terminal.scroll);
        frame.set_cursor_position(Position { x: left.x + count(column), y });
    }
    // What is wrong is said in any case, if need be over the last row.
    let error = content.error.filter(|row| !in_sight.contains(row));
    let error = error.map(|row| content.rows[row].clone());
    let mut rows: Vec<_> = content.rows.into_iter().skip(terminal.scroll).take(page).collect();
    if let (Some(error), Some(last)) = (error, rows.last_mut()) {
        *last = error;
    }
    draw_rows(frame, left, rows);
    let edge = |y: u16, mark: &'static str| {
        (Rect { x: left.x + left.width + 1, y, width: 1, height: 1 }, Line::from(mark))
    };
    let marks = [
        above.then(|| edge(left.y, "↑")),
        below.then(|| edge((left.y + left.height).saturating_sub(1), "↓")),
    ];
    for (place, mark) in marks.into_iter().flatten() {
        draw_rows(frame, place, vec![mark.style(terminal.palette.primary)]);
    }
}

fn content_of(terminal: &mut TerminalView, width: usize, with_preview: bool) -> Content {
    if terminal.view.aside.is_some() {
        aside::content(terminal, width)
    } else if terminal.view.step == terminal.sheet.questions.len() {
        review::content(terminal, width)
    } else {
        question::content(terminal, width, with_preview)
    }
}

/// Who asks, and how long there is.
fn caller(terminal: &TerminalView, width: usize) -> Vec<Line<'static>> {
    let palette = terminal.palette;
    let left = terminal.view.countdown.as_ref().map(|countdown| {
        let style = if countdown.soon { palette.warning } else { palette.secondary };
        Span::styled(terminal.say_phrase(&countdown.text), style)
    });
    let mut spans = Vec::new();
    for (index, part) in terminal.caller.iter().enumerate() {
        let style = if index == 0 { STRONG.patch(palette.primary) } else { palette.secondary };
        let gap = if index == 0 { "" } else { "  " };
        spans.push(Span::styled(format!("{gap}{part}"), style));
    }
    let mut rows = Block { line: spans.into(), hang: 2 }.rows(width);
    rows.truncate(2);
    if let Some(left) = left {
        let free = width.saturating_sub(rows[0].width() + left.width());
        if rows.len() == 1 && free > 1 {
            rows[0].push_span(Span::raw(" ".repeat(free)));
            rows[0].push_span(left);
        } else {
            rows.push(left.into());
        }
    }
    if let Some(warning) = &terminal.warning {
        rows.extend(Block::new(Span::styled(warning.clone(), palette.warning)).rows(width));
    }
    rows
}

/// What is to be said about the dialog as a whole.
fn notice(terminal: &TerminalView, width: usize) -> Vec<Line<'static>> {
    let Some(notice) = &terminal.view.notice else { return Vec::new() };
    let style = match notice.tone {
        Tone::Information => terminal.palette.secondary,
        Tone::Warning => terminal.palette.warning,
    };
    Block::new(Span::styled(terminal.say_phrase(&notice.phrase), style)).rows(width)
}

fn buttons(terminal: &TerminalView, width: usize) -> Vec<Line<'static>> {
    let view = &terminal.view;
    if view.phase != Phase::Asking {
        return Vec::new();
    }
    let mut parts: Vec<(String, Style)> = Vec::new();
    for button in &view.buttons {
        let here = view.focus == Focus::Button && terminal.button == button.action;
        let style = if here { CURRENT } else { terminal.palette.secondary };
        parts.push((terminal.label_of(button), style));
    }
    if let Some(primary) = &view.primary {
        let here = view.focus == Focus::Primary;
        let style = terminal.palette.primary.patch(STRONG);
        let style = if here { style.patch(CURRENT) } else { style };
        let label = wrap::shortened(&terminal.label_of(primary), LONGEST_BUTTON);
        parts.push((format!("[ {label} ]"), style));
    }
    flow(parts, "  ", width)
}

/// The keys that work now: none before the dialog is armed.
fn hints(terminal: &TerminalView, room: Size) -> Vec<Line<'static>> {
    const GAP: &str = " · ";
    let width = usize::from(room.width);
    if !terminal.view.armed {
        return Vec::new();
    }
    let style = terminal.palette.secondary;
    let mut parts: Vec<_> = terminal
        .view
        .hints
        .iter()
        .map(|hint| {
            let keys = match keys::name_here(&hint.keys) {
                "Space" => terminal.say("key_space"),
                keys => keys.to_owned(),
            };
            (format!("{keys} {}", terminal.say(hint.word)), style)
        })
        .collect();
    if terminal.view.phase == Phase::Asking {
        parts.push((format!("Tab {}", terminal.say("key_buttons")), style));
    }
    if room.height < FEW_ROWS {
        // The last one leads to all that has no key of its own here.
        while parts.len() > 1 && flow(parts.clone(), GAP, width).len() > 1 {
            parts.remove(parts.len() - 2);
        }
    }
    flow(parts, GAP, width)
}

/// Sets parts beside each other, and goes on in a new row where one does not fit.
fn flow(parts: Vec<(String, Style)>, gap: &'static str, width: usize) -> Vec<Line<'static>> {
    let mut rows: Vec<Line> = Vec::new();
    for (text, style) in parts {
        let text = wrap::shortened(&text, width);
        let taken = wrap::width(&text) + wrap::width(gap);
        match rows.last_mut() {
            Some(row) if row.width() + taken <= width => {
                row.push_span(Span::styled(
                    gap,
                    if is_current(style) { Style::new() } else { style },
                ));
                row.push_span(Span::styled(text, style));
            }
            _ => rows.push(Line::from(Span::styled(text, style))),
        }
    }
    rows
}

pub(super) fn draw_rows(frame: &mut Frame, area: Rect, rows: Vec<Line<'static>>) {
    let area = area.intersection(frame.area());
    let buffer = frame.buffer_mut();
    for (y, row) in (area.y..area.y + area.height).zip(rows) {
        buffer.set_line(area.x, y, &row, area.width);
    }
}

/// No terminal has more rows or columns.
fn count(rows: usize) -> u16 {
    u16::try_from(rows).unwrap_or(u16::MAX)
}
