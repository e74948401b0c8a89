#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| scuro_fuzz::positions_any(data));
