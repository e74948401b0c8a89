//! How likely the opponent's turns are, for five types of opponents: one that plays well, one that plays anything, one that
//! mostly passes, one that likes to attack the king unseen, and one that also goes where it soon can. Which type it is shows in
//! what the player is told.

use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{BitBoard, Board, Move, Piece, piece_attacks};
use scuro_games::rbc::{Position, Rbc};

use super::pool::{Turns, Weights};
use crate::opponent::table::checking;
use crate::opponent::{Habits, Model, softened, valued_replies};
use crate::player::Leaves;

/// How likely each type is at first: it plays by values, uniformly, passes, sneaks up on the king, or raids it.
pub const PRIOR: Weights = [0.4, 0.2, 0.1, 0.2, 0.1];

/// The weights of types for who knows but one.
pub const ONE: Weights = [1.0, 0.0, 0.0, 0.0, 0.0];

/// How much of every weight flows back to the prior at a turn of the opponent.
pub const FLOW: f64 = 0.03;

/// The habits of an opponent that plays by values: a softmax, mixed with uniform play. On turns of trout and StrangeFish2 the
/// best are close to these.
pub const ENGINE: Habits = Habits { temperature: 0.05, mix: 0.2 };

/// How often a passer passes.
const PASSES: f64 = 0.9;

/// How often a sneak or a raider attacks the king where that can be done without taking anything, each way alike; where it
/// cannot, a raider goes as often where its next step would. Else they play by values.
const SNEAKS: f64 = 0.5;

/// All turns count alike, whoever plays.
pub struct Alike;

impl Turns for Alike {
    fn likelihoods(&mut self, _: &Board, turns: &[Option<Move>], _: bool, out: &mut Vec<Weights>) {
        out.extend(turns.iter().map(|_| ONE));
    }
}

/// The five types.
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
        let sneaks = Sneaks::of(board);
        let (uniform, others) = (1.0 / count as f64, (count - 1).max(1) as f64);
        out.extend(turns.iter().enumerate().map(|(i, turn)| {
            let engine = if careful {
                self.replies.iter().find(|(m, _)| m == turn).map_or(0.0, |(_, share)| *share)
            } else {
                self.quick[i]
            };
            let passer = if turn.is_none() { PASSES } else { (1.0 - PASSES) / others };
            let raider = match sneaks.ways {
                0 => engine,
                ways => {
                    let sneaks = turn.is_some_and(|m| sneaks.has(board, m));
                    (1.0 - SNEAKS) * engine + if sneaks { SNEAKS / f64::from(ways) } else { 0.0 }
                }
            };
            let sneak = if sneaks.at_once { raider } else { engine };
            [engine, uniform, passer, sneak, raider]
        }));
    }
}

/// The moves with which a sneak attacks the king, or if there are none those after which its next step can.
struct Sneaks {
    /// From where pieces of the side to move would attack the king, by kind of piece.
    from: [BitBoard; 6],
    /// Whether that can be done at once.
    at_once: bool,
    /// How many such moves there are.
    ways: u32,
}

impl Sneaks {
    fn of(board: &Board) -> Sneaks {
        let mut sneaks = Sneaks { from: checking(board), at_once: true, ways: 0 };
        sneaks.count(board);
        if sneaks.ways == 0 {
            sneaks.at_once = false;
            sneaks.count(board);
        }
        sneaks
    }

    fn count(&mut self, board: &Board) {
        let mut ways = 0;
        board.each_pseudo_legal(|_, m| ways += u32::from(self.has(board, m)));
        self.ways = ways;
    }

    /// Whether a move is one of them.
    fn has(&self, board: &Board, m: Move) -> bool {
        let piece = m.promotion().unwrap_or_else(|| board.piece_there(m.from()));
        let there = self.from[piece as usize];
        let sneaks = if self.at_once {
            there.has(m.to())
        } else {
            let steps = piece_attacks(piece, m.to(), board.occupied()) & !board.colors(board.side());
            piece != Piece::Pawn && !steps.is_disjoint(there)
        };
        sneaks && !board.occupied().has(m.to())
    }
}
