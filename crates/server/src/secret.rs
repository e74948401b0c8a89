//! Words that nobody guesses: ids, secrets of seats, invitations; and seeds.

use std::fmt::Write;

use crate::answer::Failure;

/// How many hex digits a word has: 128 bits.
const LENGTH: usize = 32;

/// A new word.
pub(crate) fn word() -> Result<String, Failure> {
    let mut bytes = [0; LENGTH / 2];
    getrandom::fill(&mut bytes).map_err(|error| Failure::Internal(error.to_string()))?;
    Ok(bytes.iter().fold(String::with_capacity(LENGTH), |mut word, byte| {
        // Writing to a string does not fail.
        let _ = write!(word, "{byte:02x}");
        word
    }))
}

/// A new seed.
pub(crate) fn seed() -> Result<u64, Failure> {
    getrandom::u64().map_err(|error| Failure::Internal(error.to_string()))
}

/// Whether a text can be such a word.
pub(crate) fn is_word(text: &str) -> bool {
    text.len() == LENGTH && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether two words are the same, in a time that does not tell where they differ.
pub(crate) fn same(one: &str, other: &str) -> bool {
    let differing = one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differing == 0
}
