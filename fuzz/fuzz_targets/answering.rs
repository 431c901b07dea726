#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(askdeck_fuzz::answering(bytes)));
