//! Ordinary chess as a [`Game`], in which nothing is hidden: the light against which the dark is compared,
//! and the rules for records without a variant. Draws that a player has to claim do not end it.

use scuro_core::{Game, Player, Turn};

use super::{Board, Color, Move, MoveRules};
use crate::outcome::{Outcome, Reason};
use crate::player_of;
use crate::umpire::{Impossible, Umpired};

/// The rules of chess from a given position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chess {
    /// The first position.
    pub start: Board,
}

/// A position of a game under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChessState {
    /// The position.
    pub board: Board,
    outcome: Option<Outcome>,
}

impl ChessState {
    /// The state at `board`.
    #[must_use]
    pub fn new(board: Board) -> ChessState {
        let side = board.side();
        let outcome = if !MoveRules::Legal.moves(&board).is_empty() {
            None
        } else if board.in_check(side) {
            Some(Outcome::win(!side, Reason::Mate))
        } else {
            Some(Outcome::draw(Reason::Stalemate))
        };
        ChessState { board, outcome }
    }
}

impl Game for Chess {
    type State = ChessState;
    type Action = Move;
    /// The position with its clock and its number.
    type Told = (Board, u16, u16);

    fn start(&self) -> ChessState {
        ChessState::new(self.start)
    }

    fn turn(&self, state: &ChessState) -> Turn {
        match state.outcome {
            Some(outcome) => Turn::Over(outcome.payoff()),
            None => Turn::Player(player_of(state.board.side())),
        }
    }

    fn actions(&self, state: &ChessState, out: &mut Vec<Move>) {
        state.board.legal(out);
    }

    fn play(&self, state: &ChessState, action: Move) -> ChessState {
        ChessState::new(state.board.play(action))
    }

    /// Everything: the position and its counters.
    fn told(&self, state: &ChessState, _: Player) -> Option<(Board, u16, u16)> {
        Some((state.board, state.board.clock(), state.board.number()))
    }
}

impl Umpired for Chess {
    type View = Board;

    fn first_view(&self, _: Color) -> Board {
        self.start
    }

    fn see(&self, view: &mut Board, _: Option<Move>, told: &(Board, u16, u16)) -> Result<(), Impossible> {
        *view = told.0;
        Ok(())
    }

    fn end(told: &(Board, u16, u16)) -> Option<Outcome> {
        ChessState::new(told.0).outcome
    }

    fn choices(&self, view: &Board, out: &mut Vec<Move>) {
        view.legal(out);
    }

    fn outcome(&self, state: &ChessState) -> Option<Outcome> {
        state.outcome
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
            assert_eq!(ChessState::new(fen.parse().unwrap()).outcome, outcome, "{fen}");
        }
    }
}
