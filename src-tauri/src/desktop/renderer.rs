//! Chooses how WebKit draws, by what the machine has.

use std::{env, fs};

/// WebKit's DMA-BUF renderer needs a GPU. Without one it starts slower and draws no faster.
const VARIABLE: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";

/// Must be called before the first thread is started.
pub(super) fn choose() {
    if env::var_os(VARIABLE).is_none() && !has_gpu() {
        #[expect(unsafe_code, reason = "WebKit takes this choice from the environment only")]
        // SAFETY: no other thread reads or writes the environment yet.
        unsafe {
            env::set_var(VARIABLE, "1");
        }
    }
}

fn has_gpu() -> bool {
    let Ok(devices) = fs::read_dir("/dev/dri") else { return false };
    devices.flatten().any(|device| device.file_name().to_string_lossy().starts_with("renderD"))
}
