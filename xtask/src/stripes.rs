//! A text that can be recognised on a screen, whatever its font, size and colours.
//!
//! Full blocks beside low ones give, in each row of pixels, stripes of equal width in two colours.
//! Neither backgrounds nor ordinary text look like that.

use askdeck_testkit::{PIXEL, Picture};

pub(crate) const TEXT: &str = "█▁█▁█▁█▁█▁█▁█▁█▁█▁█▁";

/// Fewer than the text gives, since its ends run into the background.
const ENOUGH: usize = 14;
/// What is narrower is the blurred edge of a stripe.
const EDGE: usize = 2;
/// Every other row is enough: a line of text has a dozen.
const STEP: usize = 2;
const ROWS: usize = 3;

/// How many lines of [`TEXT`] are painted.
pub(crate) fn lines(picture: &Picture) -> usize {
    let mut lines = 0;
    let mut rows = 0;
    for row in picture.rows().step_by(STEP) {
        if striped(row) {
            rows += 1;
            if rows == ROWS {
                lines += 1;
            }
        } else {
            rows = 0;
        }
    }
    lines
}

struct Stripe {
    shade: u8,
    width: usize,
}

fn striped(row: &[u8]) -> bool {
    // One comparison tells that a row has one colour, and most rows have.
    if row[PIXEL..] == row[..row.len() - PIXEL] {
        return false;
    }
    let stripes: Vec<Stripe> =
        stripes(row).into_iter().filter(|stripe| stripe.width > EDGE).collect();
    let mut count = 2;
    for three in stripes.windows(3) {
        let [a, b, c] = three else { continue };
        let alike = a.shade.abs_diff(c.shade) < 24 && a.width.abs_diff(c.width) <= EDGE;
        let even = a.width.abs_diff(b.width) <= 2 * EDGE;
        let distinct = a.shade.abs_diff(b.shade) > 48;
        count = if alike && even && distinct { count + 1 } else { 2 };
        if count >= ENOUGH {
            return true;
        }
    }
    false
}

/// The row as neighbouring stretches of one shade each.
fn stripes(row: &[u8]) -> Vec<Stripe> {
    let mut stripes: Vec<Stripe> = Vec::new();
    // Green stands for brightness.
    for shade in row.chunks_exact(PIXEL).map(|pixel| pixel[1]) {
        match stripes.last_mut() {
            Some(last) if last.shade.abs_diff(shade) < 12 => last.width += 1,
            _ => stripes.push(Stripe { shade, width: 1 }),
        }
    }
    stripes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture of the given rows, each a list of (shade, width).
    fn picture(rows: &[Vec<(u8, usize)>]) -> Picture {
        let rows: Vec<Vec<u8>> = rows
            .iter()
            .map(|row| {
                row.iter().flat_map(|&(shade, width)| [shade; PIXEL].repeat(width)).collect()
            })
            .collect();
        Picture { stride: rows[0].len(), bytes: rows.concat() }
    }

    fn striped_row() -> Vec<(u8, usize)> {
        let mut row = vec![(30, 40)];
        for _ in 0..10 {
            row.extend([(120, 1), (240, 10), (90, 1), (30, 10)]);
        }
        row
    }

    #[test]
    fn finds_each_line_of_blocks() {
        let blank = vec![(30, 260)];
        let rows = [
            vec![blank.clone(); 4],
            vec![striped_row(); 8],
            vec![blank.clone(); 4],
            vec![striped_row(); 8],
        ];
        assert_eq!(lines(&picture(&rows.concat())), 2);
    }

    #[test]
    fn sees_nothing_in_plain_and_in_uneven_rows() {
        assert_eq!(lines(&picture(&vec![vec![(30, 260)]; 20])), 0);
        let uneven: Vec<(u8, usize)> =
            (0..40).map(|i| (if i % 2 == 0 { 30 } else { 240 }, 3 + i * 7 % 23)).collect();
        assert_eq!(lines(&picture(&vec![uneven; 20])), 0);
    }
}
