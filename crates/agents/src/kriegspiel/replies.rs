//! How an opponent replies in a search: without seeing the player's pieces, at random, or seeing them all.

use scuro_games::chess::Move;
use scuro_games::dark::DarkGame;
use scuro_games::kriegspiel::{Kriegspiel, KriegspielState, Position};

use super::shell::Scene;
use crate::opponent::TABLE_MIX;
use crate::opponent::table::{Captures, Look, Table};

/// How the opponent is supposed to reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foe {
    /// As moves of those look who do not see what they take: by the table of the opponent's model.
    Blind,
    /// Any legal move.
    Random,
    /// The best move by its value, with everything in sight.
    Seeing,
}

impl Foe {
    /// The opponent of this name.
    pub(super) fn named(name: &str) -> Option<Foe> {
        Some(match name {
            "blind" => Foe::Blind,
            "random" => Foe::Random,
            "seeing" => Foe::Seeing,
            _ => return None,
        })
    }
}

/// Draws replies.
pub(super) struct Replies {
    foe: Foe,
    table: &'static Table,
    moves: Vec<Move>,
    weights: Vec<f64>,
}

impl Replies {
    pub(super) fn new(foe: Foe) -> Replies {
        Replies { foe, table: Table::of(Kriegspiel::VARIANT), moves: Vec::new(), weights: Vec::new() }
    }

    /// A reply of the side to move, which knows of these captures; `None` if it has no move.
    pub(super) fn draw(
        &mut self,
        state: &KriegspielState,
        captures: Captures,
        scene: &mut Scene<'_>,
    ) -> Option<Move> {
        self.weigh(state, captures);
        match self.foe {
            Foe::Random => scene.random.pick(&self.moves).copied(),
            Foe::Seeing => {
                scene.meter.spend(self.moves.len());
                let sign = -scene.sign();
                let values = scene.leaves.after(state.board(), &self.moves).map(|value| sign * value);
                let best = values.enumerate().max_by(|one, two| one.1.total_cmp(&two.1));
                best.map(|(place, _)| self.moves[place])
            }
            Foe::Blind => {
                let mut rest = scene.random.unit() * self.weights.iter().sum::<f64>();
                let drawn = self.weights.iter().position(|weight| {
                    rest -= weight;
                    rest < 0.0
                });
                drawn.or(self.moves.len().checked_sub(1)).map(|place| self.moves[place])
            }
        }
    }

    /// How likely these tries look on a board; what is not legal there looks as unlikely as any move may.
    pub(super) fn looks(&mut self, state: &KriegspielState, captures: Captures, tries: &[Move]) -> Vec<f64> {
        self.weigh(state, captures);
        let total: f64 = self.weights.iter().sum();
        let floor = TABLE_MIX / tries.len().max(1) as f64;
        let look = |m: &Move| {
            let place = self.moves.iter().position(|other| other == m);
            place.map_or(floor, |place| self.weights[place] / total)
        };
        tries.iter().map(look).collect()
    }

    /// Weighs all legal moves by the table, mixed with uniform play.
    fn weigh(&mut self, state: &KriegspielState, captures: Captures) {
        let Replies { table, moves, weights, .. } = self;
        moves.clear();
        weights.clear();
        let look = Look::of(state.board(), Some(captures));
        Position::of(state).each_move(|piece, m| {
            moves.push(m);
            weights.push(table.weight(&look, piece, m));
        });
        let total: f64 = weights.iter().sum();
        let count = weights.len() as f64;
        weights
            .iter_mut()
            .for_each(|weight| *weight = (1.0 - TABLE_MIX) * *weight / total + TABLE_MIX / count);
    }
}

#[cfg(test)]
mod tests {
    use scuro_games::chess::Board;
    use scuro_games::kriegspiel::Ruleset;

    use super::*;
    use crate::opponent::Model;
    use crate::player::Leaves;
    use scuro_eval::evaluator::Evaluator;

    /// The weights are the probabilities of the opponent's model.
    #[test]
    fn replies_are_as_likely_as_the_model_has_them() {
        for fen in [
            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 1",
            "8/5k2/8/3q4/4P3/8/2K5/8 b - - 0 1",
        ] {
            let board: Board = fen.parse().unwrap();
            let state = KriegspielState::new(Ruleset::Icc, board);
            let mut replies = Replies::new(Foe::Blind);
            replies.weigh(&state, [None; 3]);
            let game = Kriegspiel::default();
            let model: Model<'_, Kriegspiel, Box<dyn Evaluator + Send>> =
                Model::new(&game, None::<&mut Leaves<_>>);
            let mut slow = Vec::new();
            model.quick(&Position::of(&state), replies.moves.iter().copied().map(Some), &mut slow);
            assert!(replies.weights.iter().zip(&slow).all(|(one, two)| (one - two).abs() < 1e-12));
            assert!((replies.weights.iter().sum::<f64>() - 1.0).abs() < 1e-9 && slow.len() > 5);
        }
    }
}
