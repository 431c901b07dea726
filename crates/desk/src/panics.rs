//! What a panic does to a program.

use std::{panic, process};

use askdeck_core::panics;

/// Ends the program with the first panic that nobody catches, in whichever thread: without that
/// thread it would only seem to work.
pub fn end_the_program() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !panics::is_guarded() {
            report(info);
            process::abort();
        }
    }));
}
