//! How likely the opponent's turns are, for three types of opponents: one that plays well, one that plays anything, and one
//! that mostly passes. Which type it is shows in what the player is told.

use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Board, Move};
use scuro_games::rbc::{Position, Rbc};

use super::pool::{Turns, Weights};
use crate::opponent::{Habits, Model, softened, valued_replies};
use crate::player::Leaves;

/// How likely each type is at first: it plays by values, uniformly, or passes.
pub const PRIOR: Weights = [0.6, 0.3, 0.1];

/// How much of every weight flows back to the prior at a turn of the opponent.
pub const FLOW: f64 = 0.03;

/// The habits of an opponent that plays by values: a softmax, mixed with uniform play. On turns of trout and StrangeFish2 the
/// best are close to these.
pub const ENGINE: Habits = Habits { temperature: 0.05, mix: 0.2 };

/// How often a passer passes.
const PASSES: f64 = 0.9;

/// All turns count alike, whoever plays.
pub struct Alike;

impl Turns for Alike {
    fn likelihoods(&mut self, _: &Board, turns: &[Option<Move>], _: bool, out: &mut Vec<Weights>) {
        out.extend(turns.iter().map(|_| [1.0, 0.0, 0.0]));
    }
}

/// The three types.
pub struct Typed<'l, E> {
    rules: &'l Rbc,
    leaves: &'l mut Leaves<E>,
    replies: Vec<(Option<Move>, f64)>,
    quick: Vec<f64>,
}

impl<'l, E: Evaluator + Send> Typed<'l, E> {
    /// With an evaluator for boards that are followed with care; the others go by the table of the opponent model.
    pub fn new(rules: &'l Rbc, leaves: &'l mut Leaves<E>) -> Typed<'l, E> {
        Typed { rules, leaves, replies: Vec::new(), quick: Vec::new() }
    }
}

impl<E: Evaluator + Send> Turns for Typed<'_, E> {
    fn likelihoods(&mut self, board: &Board, turns: &[Option<Move>], careful: bool, out: &mut Vec<Weights>) {
        let position = Position::new(board);
        let count = if careful {
            valued_replies(self.rules, &position, self.leaves, &mut self.replies);
            softened(&mut self.replies, ENGINE.temperature, ENGINE.mix);
            self.replies.len()
        } else {
            board.count_pseudo_legal() as usize + 1
        };
        self.quick.clear();
        if !careful {
            Model::<Rbc, E>::new(self.rules, None).quick(&position, turns.iter().copied(), &mut self.quick);
        }
        let (uniform, others) = (1.0 / count as f64, (count - 1).max(1) as f64);
        out.extend(turns.iter().enumerate().map(|(i, turn)| {
            let engine = if careful {
                self.replies.iter().find(|(m, _)| m == turn).map_or(0.0, |(_, share)| *share)
            } else {
                self.quick[i]
            };
            let passer = if turn.is_none() { PASSES } else { (1.0 - PASSES) / others };
            [engine, uniform, passer]
        }));
    }
}
