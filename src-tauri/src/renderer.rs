//! Chooses how WebKit works: without a compiler for scripts, and drawing by what the machine has.

use std::{
    env,
    ffi::{c_char, c_int, c_void},
    fs,
};

use libloading::{Library, Symbol};

/// WebKit's DMA-BUF renderer needs a GPU. Without one it starts slower and draws no faster.
const NO_DMABUF: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
/// Our page has little to compute. Without the compiler its process is 9 MB smaller, and holds no
/// memory into which a payload that breaks WebKit could write a program.
const COMPILER: &str = "JSC_useJIT";
/// Where EGL looks for drivers.
const DRIVERS: &str = "__EGL_VENDOR_LIBRARY_FILENAMES";

/// Must be called before the first thread is started.
pub(super) fn choose() {
    if env::var_os(COMPILER).is_none() {
        set(COMPILER, Some("0"));
    }
    if has_gpu() {
        return;
    }
    if env::var_os(NO_DMABUF).is_none() {
        set(NO_DMABUF, Some("1"));
    }
    if env::var_os(DRIVERS).is_none() {
        set(DRIVERS, Some("/dev/null"));
        look_for_drivers();
        // The web process, which draws, still has to find one.
        set(DRIVERS, None);
    }
}

fn has_gpu() -> bool {
    let Ok(devices) = fs::read_dir("/dev/dri") else { return false };
    devices.flatten().any(|device| device.file_name().to_string_lossy().starts_with("renderD"))
}

#[expect(unsafe_code, reason = "these choices are taken from the environment only")]
fn set(variable: &str, value: Option<&str>) {
    // SAFETY: no other thread reads or writes the environment yet.
    unsafe {
        match value {
            Some(value) => env::set_var(variable, value),
            None => env::remove_var(variable),
        }
    }
}

/// EGL looks for drivers once in a process. Found later, when WebKit asks, the only one would be a
/// software renderer: 80 ms and 25 MB for an app that draws nothing by itself.
#[expect(unsafe_code, reason = "EGL has no other interface")]
fn look_for_drivers() {
    type QueryString = unsafe extern "C" fn(*mut c_void, c_int) -> *const c_char;
    const EXTENSIONS: c_int = 0x3055;
    // SAFETY: this is the signature of eglQueryString, which without a display tells what the
    // library itself can do. WebKit has the library loaded already.
    unsafe {
        let Ok(egl) = Library::new("libEGL.so.1") else { return };
        if let Ok(query) = egl.get::<QueryString>(b"eglQueryString") {
            let query: Symbol<QueryString> = query;
            query(std::ptr::null_mut(), EXTENSIONS);
        }
    }
}
