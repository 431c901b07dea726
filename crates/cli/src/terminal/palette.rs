//! The colours of the interface, on a background that nobody knows.
//!
//! The window's colours are made for its own backgrounds. These have their hue, and a lightness at
//! which they can be read on black and on white. Nothing is told by a colour alone.

use askdeck_desk::paths;
use ratatui::style::{Color, Modifier, Style};

#[derive(Debug, Clone, Copy, Default)]
pub struct Palette {
    pub(super) primary: Style,
    pub(super) secondary: Style,
    pub(super) success: Style,
    pub(super) warning: Style,
    pub(super) danger: Style,
}

/// How many colours there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    None,
    Sixteen,
    Many,
    All,
}

impl Palette {
    pub(super) fn of_terminal() -> Self {
        let kind = paths::terminal().unwrap_or_default();
        let depth = if paths::wants_no_color() {
            Depth::None
        } else {
            depth(&kind, &paths::color_terminal().unwrap_or_default())
        };
        Self::of(depth)
    }

    fn of(depth: Depth) -> Self {
        let style = |all: u32, many: u8, sixteen: Color| match depth {
            Depth::None => Style::new(),
            Depth::Sixteen => Style::new().fg(sixteen),
            Depth::Many => Style::new().fg(Color::Indexed(many)),
            Depth::All => Style::new().fg(Color::from_u32(all)),
        };
        Self {
            primary: style(0x0056_65f6, 63, Color::Magenta),
            secondary: style(0x0062_7793, 243, Color::Reset),
            success: style(0x001d_855f, 29, Color::Green),
            warning: style(0x0098_6e03, 130, Color::Yellow),
            danger: style(0x00d2_3c3c, 131, Color::Red),
        }
    }
}

/// What the keyboard is on.
pub(super) const CURRENT: Style = Style::new().add_modifier(Modifier::REVERSED);
pub(super) const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);

fn depth(terminal: &str, color_terminal: &str) -> Depth {
    // Over SSH only the terminal's own name arrives.
    let modern = ["alacritty", "foot", "ghostty", "kitty", "wezterm", "-direct"];
    if ["truecolor", "24bit"].contains(&color_terminal)
        || modern.iter().any(|name| terminal.contains(name))
    {
        Depth::All
    } else if terminal.contains("256") {
        Depth::Many
    } else if terminal.starts_with("vt1") || terminal.starts_with("vt2") {
        Depth::None
    } else {
        Depth::Sixteen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_have_their_colours() {
        assert_eq!(depth("xterm-256color", "truecolor"), Depth::All);
        assert_eq!(depth("xterm-kitty", ""), Depth::All);
        assert_eq!(depth("screen-256color", ""), Depth::Many);
        assert_eq!(depth("linux", ""), Depth::Sixteen);
        assert_eq!(depth("vt220", ""), Depth::None);
    }

    #[test]
    fn colours_can_be_read_on_black_and_on_white() {
        for depth in [Depth::All, Depth::Many] {
            let Palette { primary, secondary, success, warning, danger } = Palette::of(depth);
            for style in [primary, secondary, success, warning, danger] {
                let light = lightness(style.fg.unwrap());
                let (on_black, on_white) = ((light + 0.05) / 0.05, 1.05 / (light + 0.05));
                assert!(on_black > 4.4 && on_white > 4.4, "{style:?}: {on_black}, {on_white}");
            }
        }
    }

    /// The relative luminance of WCAG.
    fn lightness(color: Color) -> f64 {
        let step = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
        let (red, green, blue) = match color {
            Color::Rgb(red, green, blue) => (red, green, blue),
            Color::Indexed(grey @ 232..) => {
                let level = 8 + 10 * (grey - 232);
                (level, level, level)
            }
            Color::Indexed(index) => {
                let cube = index - 16;
                (step(cube / 36), step(cube / 6 % 6), step(cube % 6))
            }
            color => panic!("{color} is the terminal's own"),
        };
        let linear = |channel: u8| {
            let channel = f64::from(channel) / 255.0;
            if channel <= 0.03928 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}
