//! The system's library for trays. It is loaded while the app runs, and Tauri panics without it.

use libloading::Library;

/// In the order in which Tauri looks for them.
const NAMES: [&str; 2] = ["libayatana-appindicator3.so.1", "libappindicator3.so.1"];

pub(super) const MISSING: &str = "no tray: install libayatana-appindicator3.so.1";

pub(super) fn is_there() -> bool {
    #[expect(unsafe_code, reason = "there is no other way to know than to load it")]
    // SAFETY: what it does when loaded, it would do in the next moment for Tauri.
    let loads = |name: &str| unsafe { Library::new(name) }.is_ok();
    NAMES.into_iter().any(loads)
}
