fn main() {
    // The app has it first among its libraries, too, for a quicker start.
    println!("cargo:rustc-link-lib=webkit2gtk-4.1");
}
