//! `random`: a uniformly random action, in every game.

use scuro_core::Random;
use scuro_games::umpire::Umpired;

use crate::contestant::{Allowance, Contestant, Fault};

/// Plays a uniformly random action.
#[derive(Clone, Debug)]
pub struct RandomMover(Random);

impl RandomMover {
    /// With these random numbers.
    #[must_use]
    pub fn new(seed: u64) -> RandomMover {
        RandomMover(Random::new(seed))
    }
}

impl<G: Umpired> Contestant<G> for RandomMover {
    fn see(&mut self, _: Option<G::Action>, _: &G::Told) {}

    fn choose(&mut self, choices: &[G::Action], _: Allowance) -> Result<G::Action, Fault> {
        Ok(choices[self.0.below(choices.len())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scuro_games::chess::{Board, Move};
    use scuro_games::fog::FogOfWar;

    #[test]
    fn a_random_mover_plays_everything_and_repeats_with_its_seed() {
        let mut moves = Vec::new();
        Board::start().pseudo_legal(&mut moves);
        let draw = |seed| {
            let mut mover = RandomMover::new(seed);
            let mut choose =
                || Contestant::<FogOfWar>::choose(&mut mover, &moves, Allowance::Nodes(1)).unwrap();
            (0..400).map(|_| choose()).collect::<Vec<Move>>()
        };
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(4));
        assert!(moves.iter().all(|m| draw(3).contains(m)));
    }
}
