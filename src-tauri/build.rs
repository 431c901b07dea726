fn main() {
    // Without this line a file newly added to ui/ is not embedded.
    println!("cargo:rerun-if-changed=ui");
    #[cfg(feature = "desktop")]
    tauri_build::build();
}
