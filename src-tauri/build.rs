fn main() {
    // Without this line a file newly added to ui/ is not embedded.
    println!("cargo:rerun-if-changed=ui");
    // Named first among the libraries, WebKit finds its own 70,000 symbols first: a tenth of the
    // app's start.
    #[cfg(target_os = "linux")]
    println!("cargo:rustc-link-lib=webkit2gtk-4.1");
    tauri_build::build();
}
