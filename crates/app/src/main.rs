//! The program `scuro`.
fn main() {}
