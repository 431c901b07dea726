//! What is on a screen, looked at again and again: too often for anything to pass unseen.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
};

use askdeck_testkit::{PIXEL, Screen};

/// Looks for bars: long stretches of one dark colour, as full blocks in a text give them.
pub(crate) struct Watch {
    over: Arc<AtomicBool>,
    looks: Arc<AtomicUsize>,
    watching: JoinHandle<usize>,
}

impl Watch {
    pub(super) fn of(screen: Screen) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let looks = Arc::new(AtomicUsize::new(0));
        let (ended, counted) = (Arc::clone(&over), Arc::clone(&looks));
        let watching = thread::spawn(move || {
            let mut seen = 0;
            while !ended.load(Ordering::Relaxed) {
                seen += usize::from(has_bar(&screen));
                counted.fetch_add(1, Ordering::Relaxed);
            }
            seen
        });
        Self { over, looks, watching }
    }

    pub(crate) fn looks(&self) -> usize {
        self.looks.load(Ordering::Relaxed)
    }

    /// In how many looks there was a bar.
    pub(crate) fn ends(self) -> usize {
        self.over.store(true, Ordering::Relaxed);
        self.watching.join().expect("it only reads a file")
    }
}

/// Whether there is a bar on a screen.
pub(super) fn has_bar(screen: &Screen) -> bool {
    /// Wider than a word, and darker than any frame or button.
    const WIDE: usize = 150;
    const DARK: u8 = 0x40;
    // What is quite black is the empty screen.
    let is_ink =
        |pixel: &[u8]| pixel[..3].iter().all(|&part| part < DARK) && pixel[..3] != [0, 0, 0];
    screen.picture().expect("Xvfb keeps its picture").rows().any(|row| {
        let mut wide = 0;
        row.chunks_exact(PIXEL).any(|pixel| {
            wide = if is_ink(pixel) { wide + 1 } else { 0 };
            wide == WIDE
        })
    })
}
