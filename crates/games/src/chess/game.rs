//! Ordinary chess as a [`Game`], in which nothing is hidden: the light against which the dark is compared,
//! and the rules for records without a variant. Draws that a player has to claim do not end it.

use scuro_core::{Game, Observer, Player, Turn};

use super::{Board, Color, Move, MoveRules};
use crate::outcome::{Outcome, Reason};
use crate::player_of;
use crate::umpire::Umpired;

/// The rules of chess from a given position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chess {
    /// The first position.
    pub start: Board,
}

impl Game for Chess {
    type State = Board;
    type Action = Move;

    fn start(&self) -> Board {
        self.start
    }

    fn turn(&self, board: &Board) -> Turn {
        match self.outcome(board) {
            Some(outcome) => Turn::Over(outcome.payoff()),
            None => Turn::Player(player_of(board.side())),
        }
    }

    fn actions(&self, board: &Board, out: &mut Vec<Move>) {
        board.legal(out);
    }

    fn play(&self, board: &Board, action: Move) -> Board {
        board.play(action)
    }

    /// Everything: the position and its counters.
    fn observe(&self, board: &Board, _: Player, observer: &mut impl Observer) {
        observer.see(board.key());
        observer.see(u64::from(board.clock()));
        observer.see(u64::from(board.number()));
    }
}

impl Umpired for Chess {
    type View = Board;

    fn view(&self, board: &Board, _: Color) -> Board {
        *board
    }

    fn outcome(&self, board: &Board) -> Option<Outcome> {
        let side = board.side();
        if !MoveRules::Legal.moves(board).is_empty() {
            None
        } else if board.in_check(side) {
            Some(Outcome::win(!side, Reason::Mate))
        } else {
            Some(Outcome::draw(Reason::Stalemate))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scuro_core::laws::{Walk, check};

    #[test]
    fn obeys_the_laws() {
        check(&Chess::default(), &[Walk::All { plies: 3 }, Walk::Random { plays: 20, plies: 200, seed: 3 }])
            .unwrap();
    }

    #[test]
    fn mate_and_stalemate() {
        for (fen, outcome) in [
            ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", Some(Outcome::win(Color::White, Reason::Mate))),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(Outcome::draw(Reason::Stalemate))),
            ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", None),
        ] {
            assert_eq!(Chess::default().outcome(&fen.parse().unwrap()), outcome, "{fen}");
        }
    }
}
