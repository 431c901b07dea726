//! Chooses how WebKit draws, by what the machine has.

use std::{env, fs};

/// What WebKit is told on a machine without a GPU.
const WITHOUT_GPU: [(&str, &str); 2] = [
    // The DMA-BUF renderer starts slower there and draws no faster.
    ("WEBKIT_DISABLE_DMABUF_RENDERER", "1"),
    // Looking for a GPU would load a whole software renderer into the app, which draws nothing.
    ("WEBKIT_WEB_RENDER_DEVICE_FILE", "/dev/null"),
];

/// Must be called before the first thread is started.
pub(super) fn choose() {
    if has_gpu() {
        return;
    }
    for (variable, value) in WITHOUT_GPU {
        if env::var_os(variable).is_none() {
            #[expect(unsafe_code, reason = "WebKit takes this choice from the environment only")]
            // SAFETY: no other thread reads or writes the environment yet.
            unsafe {
                env::set_var(variable, value);
            }
        }
    }
}

fn has_gpu() -> bool {
    let Ok(devices) = fs::read_dir("/dev/dri") else { return false };
    devices.flatten().any(|device| device.file_name().to_string_lossy().starts_with("renderD"))
}
