//! `trout`: keeps one board, on which everything stands where it was last seen, and plays the best move there.
//!
//! It senses where it lost a piece; else where the move that it plans takes something; else any square without a piece of its
//! own. It takes the king if it can; on a board that lacks a king it passes.

use scuro_core::Random;
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Board, Color, File, Move, Piece, Square};
use scuro_games::rbc::{Answer, Phase, Rbc, RbcAction, RbcView, Told, inner_squares};
use scuro_games::seat::Seat;

use super::scout::Values;
use super::senses::inner;
use crate::contestant::{Allowance, Contestant, Fault};
use crate::name::{Eval, EvalError};
use crate::player::{Leaves, Playable};

/// The player.
pub struct Trout {
    rules: Rbc,
    seat: Seat<Rbc>,
    /// Their pieces, where they were last seen.
    seen: [Option<Piece>; 64],
    leaves: Values,
    random: Random,
}

impl Trout {
    /// At the start of a game.
    ///
    /// # Errors
    /// If there is no such evaluator.
    pub fn new(game: Rbc, color: Color, eval: &Eval, seed: u64) -> Result<Trout, EvalError> {
        let theirs = |square: Square| game.start.man_on(square).filter(|(owner, _)| *owner != color);
        Ok(Trout {
            seat: Seat::new(&game, color),
            seen: Square::ALL.map(|square| theirs(square).map(|(_, piece)| piece)),
            leaves: Leaves::new(eval.evaluators(1, game.value_rules())?.remove(0)),
            rules: game,
            random: Random::new(seed),
        })
    }

    /// The board as it was last seen, with this player to move.
    fn board(&self) -> Board {
        let pieces = self.seat.view().pieces;
        let (me, them) = (pieces.color(), !pieces.color());
        let mine = pieces.all().into_iter().filter_map(|square| Some((me, pieces.man_on(square)?, square)));
        let theirs =
            Square::ALL.into_iter().filter_map(|square| Some((them, self.seen[square as usize]?, square)));
        // Only those count whose king and rook stand at home.
        let rights = [File::A, File::H].into_iter().fold(pieces.castling(), |all, rook| all.with(them, rook));
        Board::set_up(me, mine.chain(theirs), rights, None)
    }

    /// The move it would make now.
    fn plan(&mut self) -> Option<Move> {
        let board = self.board();
        let king = board.king(!board.side())?;
        board.king(board.side())?;
        let mut moves = Vec::new();
        board.pseudo_legal(&mut moves);
        if let Some(&m) = moves.iter().find(|m| m.to() == king) {
            return Some(m);
        }
        let mut values = Vec::new();
        self.leaves.evaluator().evaluate(&board, &moves, &mut values).ok()?;
        let best = moves.iter().zip(values).max_by(|(_, one), (_, two)| one.total_cmp(two));
        best.map(|(&m, _)| m)
    }

    fn sense(&mut self) -> Square {
        let view = *self.seat.view();
        let target = self.plan().filter(|m| self.seen[m.to() as usize].is_some()).map(Move::to);
        view.notice.or(target).map(inner).unwrap_or_else(|| {
            let open: Vec<Square> =
                inner_squares().filter(|&square| !view.pieces.all().has(square)).collect();
            self.random.pick(&open).copied().unwrap_or(Square::E5)
        })
    }
}

impl Contestant<Rbc> for Trout {
    fn see(&mut self, own: Option<RbcAction>, told: &Told) {
        // What nobody can be told changes nothing.
        if self.seat.see(&self.rules, own, told).is_err() {
            return;
        }
        match told.answer {
            Answer::Sensed(sensed) => {
                for (square, piece) in sensed.squares() {
                    let theirs = piece.filter(|(owner, _)| *owner != self.seat.color());
                    self.seen[square as usize] = theirs.map(|(_, piece)| piece);
                }
            }
            Answer::Moved { captured, .. } => {
                captured.into_iter().for_each(|square| self.seen[square as usize] = None);
            }
            Answer::Waited | Answer::Turn { .. } => {}
        }
        for square in self.seat.view().pieces.all() {
            self.seen[square as usize] = None;
        }
    }

    fn choose(&mut self, choices: &[RbcAction], _: Allowance) -> Result<RbcAction, Fault> {
        let RbcView { phase, .. } = *self.seat.view();
        let choice = match phase {
            Phase::Sense => RbcAction::Sense(Some(self.sense())),
            Phase::Move => RbcAction::Request(self.plan()),
        };
        Ok(if choices.contains(&choice) { choice } else { RbcAction::Request(None) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scuro_games::umpire::Umpire;

    #[test]
    fn it_takes_a_king_that_it_saw_and_looks_where_it_lost_a_piece() {
        let start: Board = "4k3/8/8/8/8/8/8/K3R3 w - - 0 1".parse().unwrap();
        let game = Rbc::endless(start, None);
        let mut umpire = Umpire::new(game);
        let mut trout = Trout::new(game, Color::White, &Eval::Simple, 1).unwrap();
        let sense = trout.choose(&umpire.choices(), Allowance::Nodes(1)).unwrap();
        // The plan is to take the king on e8, next to e7.
        assert_eq!(sense, RbcAction::Sense(Some(Square::E7)));
        umpire.play(Color::White, sense).unwrap();
        trout.see(Some(sense), umpire.told(Color::White).unwrap());
        let request = trout.choose(&umpire.choices(), Allowance::Nodes(1)).unwrap();
        assert_eq!(request.to_string(), "e1e8");
    }
}
