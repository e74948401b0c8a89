//! Runs every fuzz target on its kept corpus and on mutations of it. Seeded: a failure repeats.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use scuro_core::Random;
use scuro_fuzz::TARGETS;

const MUTATIONS: usize = 40_000;

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

/// Deletes, doubles, swaps, overwrites or joins parts of the corpus, one to four times.
fn mutate(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut data = random.pick(corpus).cloned().unwrap_or_default();
    for _ in 0..=random.below(4) {
        let place = random.below(data.len() + 1);
        let end = (place + random.below(12)).min(data.len());
        match random.below(6) {
            0 => drop(data.drain(place..end)),
            1 => {
                let piece = data[place..end].to_vec();
                data.splice(place..place, piece);
            }
            2 if place < data.len() => data[place] = random.below(256) as u8,
            3 => data.insert(place, b" \n/?-x#+{}()[]\"$;%0189KQkqnbrPwae="[random.below(34)]),
            4 => data.truncate(place),
            _ => {
                let other = random.pick(corpus).cloned().unwrap_or_default();
                let from = random.below(other.len() + 1);
                data.truncate(place);
                data.extend(&other[from..]);
            }
        }
    }
    data
}

#[test]
fn targets_hold_on_the_corpus_and_its_mutations() {
    for (name, target) in TARGETS {
        let corpus = corpus(name);
        assert!(!corpus.is_empty(), "{name} has no corpus");
        corpus.iter().for_each(|data| target(data));
        let mut random = Random::new(1);
        for _ in 0..MUTATIONS {
            target(&mutate(&corpus, &mut random));
        }
    }
}
