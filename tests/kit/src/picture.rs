//! The pixels of a virtual screen, read from the file in which Xvfb keeps them (XWD format).

use std::{
    collections::HashSet,
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use crate::Result;

pub struct Screen {
    file: PathBuf,
    layout: Layout,
}

/// What is on the screen at one moment; four bytes a pixel.
#[derive(Clone, PartialEq)]
pub struct Picture {
    pub stride: usize,
    pub bytes: Vec<u8>,
}

/// A part of the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
}

pub const PIXEL: usize = 4;

#[derive(Debug, PartialEq)]
struct Layout {
    /// Where the pixels begin.
    start: u64,
    height: usize,
    stride: usize,
}

impl Screen {
    pub fn open(file: &Path) -> Result<Self> {
        let mut header = [0; 100];
        File::open(file)
            .and_then(|mut file| file.read_exact(&mut header))
            .map_err(|e| format!("cannot read the screen from {}: {e}", file.display()))?;
        Ok(Self { file: file.to_path_buf(), layout: Layout::read(&header)? })
    }

    pub fn picture(&self) -> Result<Picture> {
        let mut bytes = vec![0; self.layout.height * self.layout.stride];
        File::open(&self.file)
            .and_then(|mut file| {
                file.seek(SeekFrom::Start(self.layout.start))?;
                file.read_exact(&mut bytes)
            })
            .map_err(|e| format!("cannot read the screen: {e}"))?;
        Ok(Picture { stride: self.layout.stride, bytes })
    }
}

impl Picture {
    pub fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes.chunks_exact(self.stride)
    }

    /// How many colours a part of it has; text has dozens, an empty window one or two.
    pub fn colours(&self, area: Area) -> usize {
        let colours: HashSet<&[u8]> = self
            .rows()
            .skip(area.y)
            .take(area.height)
            .flat_map(|row| row.chunks_exact(PIXEL).skip(area.x).take(area.width))
            .collect();
        colours.len()
    }
}

impl Layout {
    fn read(header: &[u8; 100]) -> Result<Self> {
        let field = |index: usize| {
            let bytes = &header[index * 4..index * 4 + 4];
            bytes.iter().fold(0_usize, |number, &byte| number << 8 | usize::from(byte))
        };
        let (size, version, height, bits, stride, colours) =
            (field(0), field(1), field(5), field(11), field(12), field(19));
        if version != 7 || bits != 8 * PIXEL {
            return Err(format!("the screen has XWD version {version} and {bits} bits a pixel"));
        }
        // Each entry of the colour map takes 12 bytes.
        Ok(Self { start: (size + colours * 12) as u64, height, stride })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_where_the_pixels_are() {
        let mut header = [0; 100];
        for (index, value) in [(0, 160_u32), (1, 7), (5, 800), (11, 32), (12, 5120), (19, 256)] {
            header[index * 4..index * 4 + 4].copy_from_slice(&value.to_be_bytes());
        }
        let layout = Layout { start: 160 + 256 * 12, height: 800, stride: 5120 };
        assert_eq!(Layout::read(&header), Ok(layout));
    }

    #[test]
    fn refuses_another_format() {
        assert!(Layout::read(&[0; 100]).is_err());
    }

    #[test]
    fn counts_the_colours_of_a_part() {
        let mut bytes = vec![0; 4 * 4 * PIXEL];
        bytes[5 * PIXEL] = 1;
        bytes[6 * PIXEL] = 2;
        let picture = Picture { stride: 4 * PIXEL, bytes };
        assert_eq!(picture.colours(Area { x: 0, y: 0, width: 4, height: 4 }), 3);
        assert_eq!(picture.colours(Area { x: 0, y: 2, width: 4, height: 2 }), 1);
    }
}
