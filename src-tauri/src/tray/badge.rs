//! The number on the icon: a disc in its corner, drawn pixel by pixel.

use askdeck_core::deck::Quiet;
use tauri::image::Image;

use super::TrayState;

/// What the icon says of those who wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Badge {
    /// At most ten, which stands for all that is more than nine.
    count: usize,
    colour: Colour,
}

type Colour = [u8; 3];
type Point = (f32, f32);

const CALLING: Colour = [0xdc, 0x26, 0x26];
const QUIET: Colour = [0x64, 0x74, 0x8b];
const WHITE: Colour = [0xff; 3];

// Lengths and places, in pixels of an icon that is 64 wide.
const CENTRE: Point = (44.0, 20.0);
const RADIUS: f32 = 20.0;
/// Free of the icon, so that the disc stands out from it.
const GAP: f32 = 3.0;
const PEN: f32 = 2.6;

/// The digits as strokes of a pen, for a font would be much for eleven characters. Each pair of
/// figures is a point: across from 0 to 6, and down from 0 to 9.
const DIGITS: [&str; 10] = [
    "",
    "12 40 49",
    "02 20 40 62 63 09 69",
    "00 60 34 44 66 67 49 19 08",
    "59 50 06 66",
    "60 10 14 44 66 67 49 19 08",
    "50 30 03 07 29 49 67 66 44 24 06",
    "00 60 29",
    "24 13 12 20 40 52 53 44 66 67 49 29 07 06 24 44",
    "19 39 66 62 40 20 02 03 25 45 63",
];
const PLUS: [&str; 2] = ["05 65", "32 38"];

impl Badge {
    pub(super) fn of(state: &TrayState) -> Self {
        let colour = if state.quiet == Quiet::Off { CALLING } else { QUIET };
        Self { count: state.waiting.len().min(10), colour }
    }

    pub(super) fn draw_on(self, icon: &Image) -> Image<'static> {
        let mut pixels = icon.rgba().to_vec();
        if self.count > 0 {
            let strokes = self.strokes();
            for (place, pixel) in places(icon.width()).zip(pixels.chunks_exact_mut(4)) {
                let from_centre = distance(place, (CENTRE, CENTRE));
                clear(pixel, covered(from_centre - RADIUS - GAP));
                lay(pixel, self.colour, covered(from_centre - RADIUS));
                let from_pen = strokes.iter().map(|&stroke| distance(place, stroke));
                lay(pixel, WHITE, covered(from_pen.fold(f32::MAX, f32::min) - PEN));
            }
        }
        Image::new_owned(pixels, icon.width(), icon.height())
    }

    /// The straight lines of what stands in the disc.
    fn strokes(self) -> Vec<(Point, Point)> {
        let Some(digit) = DIGITS.get(self.count) else {
            let nine = lines(DIGITS[9], -6.8, 2.0);
            return nine.chain(PLUS.iter().flat_map(|line| lines(line, 1.8, 1.7))).collect();
        };
        lines(digit, -3.0, 2.4).collect()
    }
}

/// The lines between the points of a path, which starts so far from the centre and has this scale.
fn lines(path: &str, start: f32, scale: f32) -> impl Iterator<Item = (Point, Point)> {
    let at = move |pair: &str| {
        let mut figures = pair.bytes().map(|figure| f32::from(figure - b'0'));
        let mut next = || figures.next().unwrap_or_default();
        (CENTRE.0 + (start + next()) * scale, CENTRE.1 + (next() - 4.5) * scale)
    };
    path.split(' ').map(at).zip(path.split(' ').skip(1).map(at))
}

/// The middles of all pixels of a square, row by row.
fn places(width: u32) -> impl Iterator<Item = Point> {
    let width = u16::try_from(width).unwrap_or(u16::MAX);
    let middle = |pixel| f32::from(pixel) + 0.5;
    (0..width).flat_map(move |y| (0..width).map(move |x| (middle(x), middle(y))))
}

fn distance((x, y): Point, (a, b): (Point, Point)) -> f32 {
    let (along_x, along_y) = (b.0 - a.0, b.1 - a.1);
    let length = along_x.mul_add(along_x, along_y * along_y).max(f32::MIN_POSITIVE);
    let part = (((x - a.0) * along_x + (y - a.1) * along_y) / length).clamp(0.0, 1.0);
    (x - a.0 - part * along_x).hypot(y - a.1 - part * along_y)
}

/// How much of a pixel lies within an edge, by how far its middle lies outside.
fn covered(outside: f32) -> f32 {
    (0.5 - outside).clamp(0.0, 1.0)
}

fn clear(pixel: &mut [u8], part: f32) {
    pixel[3] = mixed(pixel[3], 0, part);
}

fn lay(pixel: &mut [u8], colour: Colour, part: f32) {
    // A colour that nobody has seen must not show at the edge.
    let share = if pixel[3] == 0 && part > 0.0 { 1.0 } else { part };
    for (old, new) in pixel.iter_mut().zip(colour) {
        *old = mixed(*old, new, share);
    }
    pixel[3] = mixed(pixel[3], 0xff, part);
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what lies between two bytes is a byte"
)]
fn mixed(old: u8, new: u8, part: f32) -> u8 {
    (f32::from(old) * (1.0 - part) + f32::from(new) * part).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(waiting: usize, quiet: Quiet) -> Vec<u8> {
        let waiting = vec![(String::new(), String::new()); waiting];
        let state = TrayState { waiting, quiet, starts_at_login: false };
        let icon = Image::new_owned(vec![1; 64 * 64 * 4], 64, 64);
        Badge::of(&state).draw_on(&icon).rgba().to_vec()
    }

    fn has(pixels: &[u8], [red, green, blue]: Colour) -> bool {
        pixels.chunks_exact(4).any(|pixel| pixel == [red, green, blue, 0xff])
    }

    #[test]
    fn tray_icon_without_a_badge() {
        assert_eq!(drawn(0, Quiet::Off), vec![1; 64 * 64 * 4]);
    }

    #[test]
    fn every_count_looks_different_up_to_more_than_nine() {
        let all: Vec<_> = (0..=10).map(|count| drawn(count, Quiet::Off)).collect();
        for (count, one) in all.iter().enumerate() {
            assert!(all[..count].iter().all(|other| other != one), "{count}");
        }
        assert_eq!(drawn(11, Quiet::Off), all[10]);
    }

    #[test]
    fn do_not_disturb_still_counts_but_does_not_call() {
        let (calling, quiet) = (drawn(3, Quiet::Off), drawn(3, Quiet::OneHour));
        assert!(has(&calling, CALLING) && has(&calling, WHITE));
        assert!(has(&quiet, QUIET) && has(&quiet, WHITE) && !has(&quiet, CALLING));
        assert_eq!(quiet, drawn(3, Quiet::UntilISay));
    }
}
