//! Evolution of the weights of `darkboard`: a population plays a knockout, and who gets far has children.
//!
//! Everything is kept in a folder: the weights of every generation, and its pairings as matches. What is there is not
//! done again, so that evolution goes on wherever it was interrupted, and several programs can share its pairings.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use scuro_agents::kriegspiel::darkboard::weights::{Weights, WeightsError};
use scuro_core::Random;
use scuro_games::Variant;
use thiserror::Error;

use crate::contest::MatchError;
use crate::control::Control;
use crate::folder::{Folder, FolderError};
use crate::lines::{self, LinesError};
use crate::settings::{Settings, Shard, mix};
use crate::statistics::Results;

/// The number of individuals of a generation, a power of two.
pub const POPULATION: usize = 16;
/// The number of children of the winner, the finalist and the two that they beat.
const CHILDREN: [usize; 4] = [8, 4, 2, 2];
/// The share of weights that change in a child.
const CHANGED: f64 = 0.2;
/// How far weights change in children of the winner and of others, as the deviation of a logarithm.
const SPREADS: [f64; 2] = [0.2, 0.35];
/// How often the games of other shards are looked for.
const PATIENCE: Duration = Duration::from_millis(500);

/// Why evolution cannot go on.
#[derive(Debug, Error)]
pub enum TuneError {
    /// A file of weights cannot be read.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// A file cannot be written.
    #[error(transparent)]
    Lines(#[from] LinesError),
    /// The games of another shard cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A pairing cannot be played.
    #[error(transparent)]
    Match(#[from] MatchError),
}

/// An evolution, which is kept in a folder.
#[derive(Clone, Debug)]
pub struct Evolution {
    /// Where it is kept.
    pub folder: PathBuf,
    /// The number of games of a pairing.
    pub games: u64,
    /// The number of metapositions of a choice.
    pub nodes: usize,
    /// Random numbers.
    pub seed: u64,
    /// Which pairings are played here, if not all.
    pub shard: Option<Shard>,
}

/// Two individuals that are to play.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// Where their games are kept.
    pub folder: PathBuf,
    /// What they play.
    pub settings: Settings,
    /// Whether they play here, or another shard lets them.
    pub is_here: bool,
}

/// The individuals of a generation that got farthest: the winner, the finalist and the two that they beat.
pub type Ranking = [usize; 4];

impl Evolution {
    /// The weights of an individual of a generation, both counted from 1.
    #[must_use]
    pub fn weights_file(&self, generation: u32, individual: usize) -> PathBuf {
        self.generation(generation).join(format!("{:02}.weights", individual + 1))
    }

    fn generation(&self, generation: u32) -> PathBuf {
        self.folder.join(format!("generation-{generation:03}"))
    }

    /// Writes the weights of a generation that are not there yet: the children of the one before, or changes of the usual
    /// weights.
    ///
    /// # Errors
    /// If the weights of a parent cannot be read, or those of a child not be written.
    pub fn begin(&self, generation: u32, parents: Option<&Ranking>) -> Result<(), TuneError> {
        let folder = self.generation(generation);
        std::fs::create_dir_all(&folder).map_err(|error| lines::io_error(&folder, error))?;
        for individual in 0..POPULATION {
            let file = self.weights_file(generation, individual);
            if file.exists() {
                continue;
            }
            let rank = rank_of_parent(individual);
            let mut weights = match parents {
                Some(parents) => Weights::read(&self.weights_file(generation - 1, parents[rank]))?,
                None => Weights::default(),
            };
            // The first is its parent again, so that the best is never lost.
            if individual > 0 {
                let number = u64::from(generation) * POPULATION as u64 + individual as u64;
                let spread = SPREADS[usize::from(rank > 0 || parents.is_none())];
                change(&mut weights, spread, &mut Random::new(mix(self.seed, number)));
            }
            lines::save(&file, weights.text().as_bytes())?;
        }
        Ok(())
    }

    /// Lets a generation play a knockout; `play` gives the results of a pairing, or nothing if it was stopped.
    ///
    /// # Errors
    /// If `play` fails.
    pub fn tournament<E>(
        &self,
        generation: u32,
        mut play: impl FnMut(&Pairing) -> Result<Option<Results>, E>,
    ) -> Result<Option<Ranking>, E> {
        let mut left: Vec<usize> = (0..POPULATION).collect();
        let mut beaten = Vec::new();
        for round in 1.. {
            let [_, _, ..] = left[..] else { break };
            let mut winners = Vec::new();
            for (number, two) in left.chunks_exact(2).enumerate() {
                let pairing = self.pairing(generation, round, number, [two[0], two[1]]);
                let Some(results) = play(&pairing)? else { return Ok(None) };
                // At equal scores the child of the better parent goes on.
                let first = results.wins >= results.losses;
                winners.push(two[usize::from(!first)]);
                beaten.push(two[usize::from(first)]);
            }
            left = winners;
        }
        let mut ranking = left.into_iter().chain(beaten.into_iter().rev());
        Ok(Some(std::array::from_fn(|_| ranking.next().unwrap_or_default())))
    }

    fn pairing(&self, generation: u32, round: u32, number: usize, two: [usize; 2]) -> Pairing {
        let agent =
            |individual| format!("darkboard:weights={}", self.weights_file(generation, individual).display());
        let place = u64::from(generation) << 16 | u64::from(round) << 8 | number as u64;
        let (control, seed) = (Control::Nodes(self.nodes), mix(self.seed, place));
        let settings = Settings::new(Variant::Kriegspiel, two.map(agent), self.games, control, seed);
        let name = format!("round-{round}-{:02}-{:02}", two[0] + 1, two[1] + 1);
        let here = |Shard { index, count }: Shard| number as u64 % count == index;
        let is_here = self.shard.is_none_or(here);
        Pairing { folder: self.generation(generation).join(name), settings, is_here }
    }
}

impl Pairing {
    /// Waits until another shard has played it; nothing if it was stopped.
    ///
    /// # Errors
    /// If its games cannot be read.
    pub fn wait(&self, stop: &AtomicBool) -> Result<Option<Results>, TuneError> {
        while !stop.load(Ordering::Relaxed) {
            let results = played(&self.folder)?;
            if results.games() >= self.settings.games {
                return Ok(Some(results));
            }
            thread::sleep(PATIENCE);
        }
        Ok(None)
    }
}

/// The results of the games in a folder, none if it is not there yet.
fn played(folder: &Path) -> Result<Results, FolderError> {
    let mut results = Results::default();
    if folder.join(crate::folder::GAMES).exists() {
        let (_, folder) = Folder::read(folder)?;
        folder.games.values().for_each(|game| results.add(game.score_of_first()));
    }
    Ok(results)
}

/// The rank of the parent of an individual.
fn rank_of_parent(individual: usize) -> usize {
    let mut before = 0;
    let ends = CHILDREN.map(|children| {
        before += children;
        before
    });
    ends.into_iter().position(|end| individual < end).unwrap_or(0)
}

/// Multiplies some of the weights with random factors.
fn change(weights: &mut Weights, spread: f64, random: &mut Random) {
    for weight in weights.each() {
        if random.unit() < CHANGED {
            // Twelve uniform numbers are as good as normal.
            let normal = (0..12).map(|_| random.unit()).sum::<f64>() - 6.0;
            *weight *= (spread * normal).exp();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evolution(folder: &Path) -> Evolution {
        Evolution { folder: folder.to_owned(), games: 2, nodes: 10, seed: 5, shard: None }
    }

    /// An individual wins against all that are smaller.
    fn by_number(pairing: &Pairing) -> Result<Option<Results>, TuneError> {
        let wins = |first: bool| Results { wins: u64::from(first), draws: 1, losses: u64::from(!first) };
        let [first, second] = &pairing.settings.agents;
        Ok(Some(wins(first > second)))
    }

    #[test]
    fn a_knockout_ranks_and_children_follow_their_parents() {
        let folder = std::env::temp_dir().join(format!("scuro-tune-{}", std::process::id()));
        let evolution = evolution(&folder);
        evolution.begin(1, None).unwrap();
        let ranking = evolution.tournament(1, by_number).unwrap().unwrap();
        // The halves of the board meet in the final.
        assert_eq!(ranking, [15, 7, 11, 3]);
        evolution.begin(2, Some(&ranking)).unwrap();
        let weights =
            |generation, individual| Weights::read(&evolution.weights_file(generation, individual)).unwrap();
        assert_eq!(weights(1, 0), Weights::default());
        assert_ne!(weights(1, 1), Weights::default());
        assert_eq!(weights(2, 0), weights(1, 15));
        // A weight that did not change is that of the parent.
        let same = |child: usize, parent: usize| {
            let (mut child, mut parent) = (weights(2, child), weights(1, parent));
            child.each().zip(parent.each()).filter(|(child, parent)| child == parent).count()
        };
        for (child, parent) in [(1, 15), (7, 15), (8, 7), (11, 7), (12, 11), (14, 3), (15, 3)] {
            assert!(same(child, parent) > 20, "{child} of {parent}");
        }
        // What is there stays.
        let before = weights(2, 3);
        evolution.begin(2, Some(&[0, 1, 2, 3])).unwrap();
        assert_eq!(weights(2, 3), before);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn shards_share_the_pairings_and_a_stop_ends_a_knockout() {
        let mut here = [0; 2];
        for shard in 0..2 {
            let evolution =
                Evolution { shard: Some(Shard { index: shard, count: 2 }), ..evolution(Path::new("none")) };
            let mut play = |pairing: &Pairing| {
                here[shard as usize] += usize::from(pairing.is_here);
                by_number(pairing)
            };
            evolution.tournament(1, &mut play).unwrap();
        }
        // The final has one pairing.
        assert_eq!(here, [8, 7]);
        let evolution = evolution(Path::new("none"));
        let stopped = evolution.tournament(1, |_| Ok::<_, TuneError>(None)).unwrap();
        assert_eq!(stopped, None);
        let pairing = evolution.pairing(1, 1, 0, [0, 1]);
        assert!(pairing.wait(&AtomicBool::new(true)).unwrap().is_none());
    }
}
