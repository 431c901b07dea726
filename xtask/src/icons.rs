//! `cargo xtask icons`: the pictures in `icons/`, drawn from the SVG sources beside them.
//!
//! The results are committed, so only who changes a source needs this.

use std::{fs, path::Path, process::Command};

use crate::{Result, packages, place, setup};

/// (file, source, size)
const PICTURES: &[(&str, &str, usize)] = &[
    ("32x32.png", SMALL, 32),
    ("64x64.png", LARGE, 64),
    ("128x128.png", LARGE, 128),
    ("128x128@2x.png", LARGE, 256),
    ("icon.png", LARGE, 512),
    ("tray.png", TRAY, 32),
    ("tray@2x.png", TRAY, 64),
];

const LARGE: &str = "icon.svg";
/// Has fewer details, which would blur.
const SMALL: &str = "icon-small.svg";
const TRAY: &str = "tray.svg";

/// Tauri takes the first for the window.
const ICO_SIZES: &[usize] = &[32, 16, 24, 48, 64, 256];

/// (Apple's name for the size, size)
const ICNS_SIZES: &[([u8; 4], usize)] = &[
    (*b"icp4", 16),
    (*b"icp5", 32),
    (*b"ic11", 32),
    (*b"ic12", 64),
    (*b"ic07", 128),
    (*b"ic08", 256),
    (*b"ic13", 256),
    (*b"ic09", 512),
    (*b"ic14", 512),
    (*b"ic10", 1024),
];

pub(crate) fn run() -> Result<()> {
    setup::ensure(&[packages::ICONS])?;
    let folder = place::root().join("icons");
    for &(file, source, size) in PICTURES {
        save(&folder.join(file), &draw(&folder.join(source), size)?)?;
    }

    let app = |size: usize| draw(&folder.join(if size <= 32 { SMALL } else { LARGE }), size);
    let mut pictures = Vec::new();
    for &size in ICO_SIZES {
        pictures.push((size, app(size)?));
    }
    save(&folder.join("icon.ico"), &ico(&pictures))?;

    let mut pictures = Vec::new();
    for &(name, size) in ICNS_SIZES {
        pictures.push((name, app(size)?));
    }
    save(&folder.join("icon.icns"), &icns(&pictures))
}

fn draw(source: &Path, size: usize) -> Result<Vec<u8>> {
    let size = size.to_string();
    let output = Command::new("rsvg-convert")
        .args(["--width", &size, "--height", &size])
        .arg(source)
        .output()
        .map_err(|e| format!("cannot run rsvg-convert: {e}"))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        let problem = String::from_utf8_lossy(&output.stderr);
        Err(format!("cannot draw {}: {}", source.display(), problem.trim()))
    }
}

fn save(file: &Path, bytes: &[u8]) -> Result<()> {
    eprintln!("==> {}", file.display());
    fs::write(file, bytes).map_err(|e| format!("cannot write {}: {e}", file.display()))
}

/// Windows' container: a directory of 16 bytes a picture, then the pictures.
fn ico(pictures: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let mut file = vec![0, 0, 1, 0];
    file.extend(&little(pictures.len())[..2]);
    let mut start = 6 + 16 * pictures.len();
    for (size, png) in pictures {
        // 256 is written as 0.
        let side = little(size % 256)[0];
        file.extend([side, side, 0, 0, 1, 0, 32, 0]);
        file.extend(little(png.len()));
        file.extend(little(start));
        start += png.len();
    }
    for (_, png) in pictures {
        file.extend(png);
    }
    file
}

/// Apple's container: a name and a length before each picture, and before the whole.
fn icns(pictures: &[([u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, png) in pictures {
        body.extend(chunk(*name, png));
    }
    chunk(*b"icns", &body)
}

fn chunk(name: [u8; 4], content: &[u8]) -> Vec<u8> {
    let mut length = little(content.len() + 8);
    length.reverse();
    [&name[..], &length, content].concat()
}

fn little(number: usize) -> [u8; 4] {
    u32::try_from(number).expect("an icon is far below 4 GiB").to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ico_says_where_each_picture_lies() {
        let file = ico(&[(16, vec![7; 3]), (256, vec![8; 5])]);
        assert_eq!(file.len(), 6 + 2 * 16 + 8);
        assert_eq!(&file[..6], [0, 0, 1, 0, 2, 0]);
        assert_eq!(
            &file[22..],
            [&[0, 0, 0, 0, 1, 0, 32, 0, 5, 0, 0, 0, 41, 0, 0, 0][..], &[7; 3], &[8; 5]].concat()
        );
    }

    #[test]
    fn an_icns_names_and_measures_each_picture() {
        let file = icns(&[(*b"ic07", vec![7; 3])]);
        assert_eq!(file, b"icns\0\0\0\x13ic07\0\0\0\x0b\x07\x07\x07");
    }
}
