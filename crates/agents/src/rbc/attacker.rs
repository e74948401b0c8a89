//! `attacker`: one of four quick attacks on the king, played blindly; then it passes.

use scuro_core::Random;
use scuro_games::chess::{Color, Move, Square};
use scuro_games::rbc::{Rbc, RbcAction, Told};

use crate::contestant::{Allowance, Contestant, Fault};

/// The attacks, as White plays them.
const ATTACKS: [&[[Square; 2]]; 4] = {
    use Square::*;
    [
        &[[B1, C3], [C3, B5], [B5, D6], [D6, E8]],
        &[[B1, C3], [C3, E4], [E4, F6], [F6, E8]],
        &[[G1, H3], [H3, F4], [F4, H5], [H5, F6], [F6, E8]],
        &[[E2, E4], [F1, C4], [D1, H5], [C4, F7], [F7, E8], [H5, E8]],
    ]
};

/// The player.
#[derive(Clone, Debug)]
pub struct Attacker {
    /// What is left of its attack.
    plan: std::vec::IntoIter<Move>,
    random: Random,
}

impl Attacker {
    /// At the start of a game.
    #[must_use]
    pub fn new(_: Rbc, color: Color, seed: u64) -> Attacker {
        let mut random = Random::new(seed);
        let turn = |square: Square| square.relative_to(color);
        let attack = ATTACKS[random.below(ATTACKS.len())];
        let plan: Vec<Move> = attack.iter().map(|&[from, to]| Move::new(turn(from), turn(to))).collect();
        Attacker { plan: plan.into_iter(), random }
    }
}

impl Contestant<Rbc> for Attacker {
    fn see(&mut self, _: Option<RbcAction>, _: &Told) {}

    /// Any sense; the next move of the attack that it may request.
    fn choose(&mut self, choices: &[RbcAction], _: Allowance) -> Result<RbcAction, Fault> {
        if matches!(choices[0], RbcAction::Sense(_)) {
            return Ok(choices[self.random.below(choices.len())]);
        }
        let mut next = self.plan.by_ref().map(|m| RbcAction::Request(Some(m)));
        Ok(next.find(|request| choices.contains(request)).unwrap_or(RbcAction::Request(None)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::ply;
    use scuro_games::outcome::Outcome;
    use scuro_games::umpire::Umpire;

    /// Whom it attacks can stand still: every attack takes the king.
    #[test]
    fn an_attack_takes_a_king_that_does_nothing() {
        struct Idler;
        impl Contestant<Rbc> for Idler {
            fn see(&mut self, _: Option<RbcAction>, _: &Told) {}
            fn choose(&mut self, choices: &[RbcAction], _: Allowance) -> Result<RbcAction, Fault> {
                Ok(*choices.last().unwrap())
            }
        }
        for (seed, color) in (0..20).zip(Color::ALL.into_iter().cycle()) {
            let mut umpire = Umpire::new(Rbc::default());
            let mut attacker = Attacker::new(Rbc::default(), color, seed);
            while umpire.outcome().is_none() {
                let contestants: [&mut dyn Contestant<Rbc>; 2] = if color == Color::White {
                    [&mut attacker, &mut Idler]
                } else {
                    [&mut Idler, &mut attacker]
                };
                ply(&mut umpire, contestants, Allowance::Nodes(1)).unwrap();
            }
            let winner = umpire.outcome().and_then(|outcome: Outcome| outcome.winner);
            assert_eq!(winner, Some(color), "seed {seed}");
        }
    }
}
