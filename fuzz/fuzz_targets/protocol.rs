#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| scuro_fuzz::protocol(data));
