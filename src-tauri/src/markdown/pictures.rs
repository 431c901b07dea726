//! Pictures that a text carries in itself. Nothing is ever loaded for one.

use std::borrow::Cow;

/// As many bytes of pictures are shown in one text.
const MOST_BYTES: usize = 2 * 1024 * 1024;
/// A small file can hold a picture that takes gigabytes to show.
const MOST_PIXELS: u64 = 25_000_000;
/// How far into a file its size is looked for: cameras write pages before it.
const LOOKED_AT: usize = 128 * 1024;

const START: &str = "](data:image/";
/// Stands for the data, in a text from which it was taken out.
const MARK: char = '…';

pub(super) struct Picture {
    /// All of its address.
    pub(super) source: String,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// The markdown with short addresses for the pictures in it, which would be long to read for a parser
/// as for a person; and the pictures that can be shown.
pub(super) fn taken_out(markdown: &str) -> (Cow<'_, str>, Vec<Picture>) {
    if !markdown.contains(START) {
        return (Cow::Borrowed(markdown), Vec::new());
    }
    let mut short = String::with_capacity(markdown.len() / 2);
    let mut pictures = Vec::new();
    let mut room = MOST_BYTES;
    let mut rest = markdown;
    while let Some(at) = rest.find(START) {
        let (before, from) = rest.split_at(at + 2);
        short.push_str(before);
        let is_address = |c: char| c.is_ascii_alphanumeric() || ":/;,+=".contains(c);
        let end = from.find(|c| !is_address(c)).unwrap_or(from.len());
        let (address, after) = from.split_at(end);
        let (kind, data) = address.split_once(',').unwrap_or((address, ""));
        short.push_str(kind);
        short.push(',');
        short.push(MARK);
        let bytes = data.len() / 4 * 3;
        if let Some((width, height)) = size(kind, data).filter(|_| bytes <= room) {
            room -= bytes;
            short.push_str(&pictures.len().to_string());
            pictures.push(Picture { source: address.to_owned(), width, height });
        }
        rest = after;
    }
    short.push_str(rest);
    (Cow::Owned(short), pictures)
}

/// The picture that an address stands for.
pub(super) fn at<'a>(pictures: &'a [Picture], address: &str) -> Option<&'a Picture> {
    let number = address.strip_prefix("data:image/")?.split_once(MARK)?.1;
    pictures.get(number.parse::<usize>().ok()?)
}

/// How many pixels a picture has, if it is what it says that it is and not too large to show.
fn size(kind: &str, data: &str) -> Option<(u32, u32)> {
    let bytes = decoded(&data[..data.len().min(LOOKED_AT)])?;
    let (width, height) = match kind {
        "data:image/png;base64" => png(&bytes),
        "data:image/gif;base64" => gif(&bytes),
        "data:image/jpeg;base64" => jpeg(&bytes),
        "data:image/webp;base64" => webp(&bytes),
        _ => None,
    }?;
    let pixels = u64::from(width) * u64::from(height);
    (1..=MOST_PIXELS).contains(&pixels).then_some((width, height))
}

fn png(bytes: &[u8]) -> Option<(u32, u32)> {
    let header = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")?;
    let number = |at: usize| Some(u32::from_be_bytes(header.get(at..at + 4)?.try_into().ok()?));
    Some((number(0)?, number(4)?))
}

fn gif(bytes: &[u8]) -> Option<(u32, u32)> {
    let header = bytes.strip_prefix(b"GIF87a").or_else(|| bytes.strip_prefix(b"GIF89a"))?;
    let number = |at: usize| Some(u16::from_le_bytes(header.get(at..at + 2)?.try_into().ok()?));
    Some((number(0)?.into(), number(2)?.into()))
}

fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut rest = bytes.strip_prefix(b"\xff\xd8")?;
    loop {
        let [0xff, kind, high, low, ..] = *rest else { return None };
        let segment = &rest[2..];
        // Frames; the others of these numbers are tables.
        if matches!(kind, 0xc0..=0xcf) && !matches!(kind, 0xc4 | 0xc8 | 0xcc) {
            let number =
                |at: usize| Some(u16::from_be_bytes(segment.get(at..at + 2)?.try_into().ok()?));
            return Some((number(5)?.into(), number(3)?.into()));
        }
        rest = segment.get(u16::from_be_bytes([high, low]).max(2).into()..)?;
    }
}

fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    let chunk = bytes.strip_prefix(b"RIFF")?.get(4..)?.strip_prefix(b"WEBP")?;
    let (name, data) = (chunk.get(..4)?, chunk.get(8..)?);
    let byte = |at: usize| data.get(at).copied().map(u32::from);
    match name {
        b"VP8 " => {
            let side = |at: usize| Some((byte(at)? | byte(at + 1)? << 8) & 0x3fff);
            Some((side(6)?, side(8)?))
        }
        b"VP8L" => {
            let bits = byte(1)? | byte(2)? << 8 | byte(3)? << 16 | byte(4)? << 24;
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8X" => {
            let side = |at: usize| Some((byte(at)? | byte(at + 1)? << 8 | byte(at + 2)? << 16) + 1);
            Some((side(4)?, side(7)?))
        }
        _ => None,
    }
}

/// Base64, as far as it goes.
fn decoded(data: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(data.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for c in data.trim_end_matches('=').bytes() {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One pixel.
    const PNG: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const GIF: &str =
        "data:image/gif;base64,R0lGODlhAgADAIAAAAAAAP///yH5BAEAAAAALAAAAAACAAMAAAIDhG8FADs=";

    #[test]
    fn pictures_are_taken_out_with_their_size() {
        let text = format!("a ![one]({PNG}) b ![two]({GIF})");
        let (short, pictures) = taken_out(&text);
        assert_eq!(short, "a ![one](data:image/png;base64,…0) b ![two](data:image/gif;base64,…1)");
        let one = at(&pictures, "data:image/png;base64,…0").unwrap();
        assert_eq!((one.source.as_str(), one.width, one.height), (PNG, 1, 1));
        let two = at(&pictures, "data:image/gif;base64,…1").unwrap();
        assert_eq!((two.width, two.height), (2, 3));
        assert!(at(&pictures, "data:image/gif;base64,…7").is_none());
    }

    #[test]
    fn what_is_no_picture_or_too_large_is_not_shown() {
        // The header of a PNG of 30,000 by 30,000.
        let bomb = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAdTAAAHUwCAYAAAA=";
        let large = format!("{}{}", PNG.trim_end_matches('='), "A".repeat(MOST_BYTES * 4 / 3 + 8));
        let svg = "data:image/svg+xml;base64,PHN2Zy8+";
        for address in [
            bomb,
            &large,
            svg,
            "data:image/png;base64,",
            "data:image/png,x",
            "data:image/png;base64,AAAA",
        ] {
            let text = format!("![x]({address})");
            let (short, pictures) = taken_out(&text);
            assert!(pictures.is_empty(), "{short}");
            assert!(short.len() < 60, "{short}");
        }
    }

    #[test]
    fn every_kind_tells_its_size() {
        let bytes = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x0b\x08\0\x10\0\x20\x01";
        assert_eq!(jpeg(bytes), Some((32, 16)));
        assert_eq!(jpeg(b"\xff\xd8\xff\xe0\0\0"), None);
        assert_eq!(webp(b"RIFF....WEBPVP8X....\0\0\0\0\x09\0\0\x04\0\0"), Some((10, 5)));
        assert_eq!(webp(b"RIFF....WEBPVP8 ....\0\0\0\x9d\x01\x2a\x0a\0\x05\0"), Some((10, 5)));
        assert_eq!(webp(b"RIFF....WEBPVP8L....\x2f\x09\0\x01\0"), Some((10, 5)));
    }
}
