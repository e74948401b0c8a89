//! Information keys: everything a player has done and seen, hashed to 128 bits.
//!
//! A key is a chain. Each ply that a player notices mixes her own action, if the ply was hers, and what
//! she was shown into the key she had before. Two histories are in one infoset of a player exactly when
//! her keys are equal: one step is injective word by word, so only a 128-bit accident can break that.

use std::hash::{Hash, Hasher};

/// A player's whole information.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(u128);

impl Key {
    /// The information of a player before she has seen anything.
    pub const START: Key = Key(0x5ca1_ab1e_0b5c_0720_d15c_0ba1_1ad0_0001);

    /// The key after one ply: `own` is the action if the player took it itself, `told` what it was told. With
    /// neither the ply went unnoticed and the key stays as it is.
    #[must_use]
    pub fn next<A: Hash, T: Hash>(self, own: Option<A>, told: Option<&T>) -> Key {
        let mut mixer = self.mixer();
        if let Some(action) = own {
            mixer.see(OWN_ACTION);
            action.hash(&mut mixer);
            mixer.see(END_OF_ACTION);
        }
        if let Some(told) = told {
            mixer.see(TOLD);
            told.hash(&mut mixer);
        }
        mixer.close(self)
    }

    /// The key after an action and some words: for signatures over what was decided.
    #[must_use]
    pub fn sign<A: Hash>(self, action: A, words: impl IntoIterator<Item = u64>) -> Key {
        let mut mixer = self.mixer();
        mixer.see(OWN_ACTION);
        action.hash(&mut mixer);
        mixer.see(END_OF_ACTION);
        words.into_iter().for_each(|word| mixer.see(word));
        mixer.close(self)
    }

    fn mixer(self) -> Mixer {
        Mixer { low: self.0 as u64, high: (self.0 >> 64) as u64, words: 0 }
    }

    /// A key that no history produces, different for every pair of `self` and `number`: for positions at
    /// which a player is assumed to know everything.
    #[must_use]
    pub fn apart(self, number: u64) -> Key {
        let mut mixer = self.mixer();
        mixer.see(APART);
        mixer.see(number);
        mixer.close(self)
    }

    /// The key as a number, for tables and printing.
    #[must_use]
    pub fn number(self) -> u128 {
        self.0
    }
}

const OWN_ACTION: u64 = 0xac70_0000_0000_0001;
const END_OF_ACTION: u64 = 0xac70_0000_0000_0002;
const APART: u64 = 0xac70_0000_0000_0003;
const TOLD: u64 = 0xac70_0000_0000_0004;

/// The two lanes that a key passes through on its way to the next.
///
/// For a given word the step is a bijection of the 128-bit state, and for a given state it is an
/// injection of the word into the low lane.
struct Mixer {
    low: u64,
    high: u64,
    words: u64,
}

impl Mixer {
    fn close(mut self, before: Key) -> Key {
        if self.words == 0 {
            return before;
        }
        let words = self.words;
        self.see(words);
        Key(u128::from(self.high) << 64 | u128::from(self.low))
    }

    fn see(&mut self, word: u64) {
        self.words += 1;
        self.high = scramble(
            self.high.wrapping_add(self.low.rotate_left(23)) ^ word.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        );
        self.low = scramble(self.low ^ word);
    }
}

/// Actions and what is told are `Hash`: their fields arrive here as words, the same on every machine.
impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.low
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.see(u64::from(byte));
        }
        self.see(bytes.len() as u64);
    }
    fn write_u8(&mut self, i: u8) {
        self.see(u64::from(i));
    }
    fn write_u16(&mut self, i: u16) {
        self.see(u64::from(i));
    }
    fn write_u32(&mut self, i: u32) {
        self.see(u64::from(i));
    }
    fn write_u64(&mut self, i: u64) {
        self.see(i);
    }
    fn write_usize(&mut self, i: usize) {
        self.see(i as u64);
    }
    fn write_isize(&mut self, i: isize) {
        self.see(i as u64);
    }
    fn write_i8(&mut self, i: i8) {
        self.see(i as u64);
    }
    fn write_i16(&mut self, i: i16) {
        self.see(i as u64);
    }
    fn write_i32(&mut self, i: i32) {
        self.see(i as u64);
    }
    fn write_i64(&mut self, i: i64) {
        self.see(i as u64);
    }
}

/// A bijection of 64-bit words in which every input bit reaches every output bit.
fn scramble(mut x: u64) -> u64 {
    x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x = (x ^ (x >> 29)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^ (x >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    type Ply = (Option<u16>, Option<Vec<u16>>);

    fn tell(key: Key, words: Vec<u16>) -> Key {
        key.next(None::<u16>, Some(&words))
    }

    #[test]
    fn a_ply_without_action_or_observation_changes_nothing() {
        assert_eq!(Key::START.next(None::<u16>, None::<&u16>), Key::START);
        assert_ne!(Key::START.next(Some(0u16), None::<&u16>), Key::START);
        assert_ne!(Key::START.next(None::<u16>, Some(&())), Key::START);
    }

    /// Chains of up to three plies with up to two small words each: equal keys exactly for equal lists.
    #[test]
    fn keys_separate_what_lists_separate() {
        let told = [vec![], vec![0], vec![1], vec![0, 0], vec![0, 1], vec![1, 0], vec![u16::MAX]];
        let told: Vec<Option<Vec<u16>>> = told.into_iter().map(Some).chain([None]).collect();
        let plies: Vec<Ply> = [None, Some(0), Some(1)]
            .into_iter()
            .flat_map(|own| told.iter().map(move |told| (own, told.clone())))
            .collect();
        let mut seen: HashMap<Key, Vec<Ply>> = HashMap::new();
        let mut visit = |list: &[&Ply]| {
            let key = list.iter().fold(Key::START, |key, (own, told)| key.next(*own, told.as_ref()));
            let noticed = list.iter().filter(|(own, told)| own.is_some() || told.is_some());
            let noticed: Vec<Ply> = noticed.map(|&ply| ply.clone()).collect();
            let earlier = seen.entry(key).or_insert_with(|| noticed.clone());
            assert_eq!(*earlier, noticed, "two lists under one key");
        };
        for a in &plies {
            for b in &plies {
                for c in &plies {
                    visit(&[a, b, c]);
                }
            }
        }
        // 24 plies, one of them unnoticed: 23 + 23^2 + 23^3 different noticed lists, and the empty one.
        assert_eq!(seen.len(), 1 + 23 + 23 * 23 + 23 * 23 * 23);
    }

    #[test]
    fn apart_is_never_shared() {
        let numbers: std::collections::HashSet<Key> = (0..1000).map(|n| Key::START.apart(n)).collect();
        assert_eq!(numbers.len(), 1000);
        assert!(!numbers.contains(&tell(Key::START, vec![7])));
    }
}
