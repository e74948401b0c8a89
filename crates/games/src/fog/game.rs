//! Fog of War as a [`Game`]: how it ends, and what its players observe ply by ply.

use scuro_core::{Game, Observer, Player, Turn};

use super::view::View;
use crate::chess::{Board, Color, Move, Piece};
use crate::outcome::{Outcome, Reason};
use crate::umpire::Umpired;
use crate::{color_of, player_of};

/// The rules of Fog of War chess from a given position.
#[derive(Clone, Copy, Debug, Default)]
pub struct FogOfWar {
    /// The position both players know at the start.
    pub start: Board,
}

/// A position of a game under way, with the past that repetition needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FogState {
    board: Board,
    /// Keys of the positions since the last capture or pawn move, the present one last.
    past: Vec<u64>,
    outcome: Option<Outcome>,
}

impl FogState {
    /// The first state of a game: a position without a past.
    #[must_use]
    pub fn new(board: Board) -> FogState {
        FogState::arrive(board, Vec::new())
    }

    /// The true position.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// How the game ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The state after a move of the side to move.
    #[must_use]
    pub fn play(&self, m: Move) -> FogState {
        let board = self.board.play(m);
        let past = if board.clock() == 0 { Vec::new() } else { self.past.clone() };
        FogState::arrive(board, past)
    }

    fn arrive(board: Board, mut past: Vec<u64>) -> FogState {
        past.push(board.key());
        let times = past.iter().filter(|&&key| key == board.key()).count();
        let outcome = if let Some(color) = Color::ALL.into_iter().find(|&c| board.king(c).is_none()) {
            Some(Outcome::win(!color, Reason::KingCaptured))
        } else if !board.has_pseudo_legal() {
            Some(Outcome::win(!board.side(), Reason::NoMove))
        } else if times >= 3 {
            Some(Outcome::draw(Reason::Repetition))
        } else if board.clock() >= 100 {
            Some(Outcome::draw(Reason::FiftyMoves))
        } else {
            None
        };
        FogState { board, past, outcome }
    }
}

impl Game for FogOfWar {
    type State = FogState;
    type Action = Move;

    fn start(&self) -> FogState {
        FogState::new(self.start)
    }

    fn turn(&self, state: &FogState) -> Turn {
        match state.outcome {
            Some(outcome) => Turn::Over(outcome.payoff()),
            None => Turn::Player(player_of(state.board.side())),
        }
    }

    fn actions(&self, state: &FogState, out: &mut Vec<Move>) {
        if state.outcome.is_none() {
            state.board.pseudo_legal(out);
        }
    }

    fn play(&self, state: &FogState, action: Move) -> FogState {
        state.play(action)
    }

    /// The view, and whether and how the game is over. The en passant square is a word of its own: the
    /// squares it lights may be lit already, and still there is one move more.
    fn observe(&self, state: &FogState, player: Player, observer: &mut impl Observer) {
        let view = View::of(&state.board, color_of(player));
        observer.see(view.lit().0);
        observer.see(view.own().0);
        for piece in Piece::ALL {
            observer.see(view.pieces(piece).0);
        }
        observer.see(view.en_passant().map_or(64, |square| square as u64));
        observer.see(state.outcome.map_or(3, |outcome| outcome.payoff() as i64 as u64));
    }
}

impl Umpired for FogOfWar {
    type View = View;

    fn view(&self, state: &FogState, color: Color) -> View {
        View::of(&state.board, color)
    }

    fn outcome(&self, state: &FogState) -> Option<Outcome> {
        state.outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scuro_core::laws::{Walk, check};

    fn play(fen: &str, moves: &str) -> FogState {
        moves
            .split_whitespace()
            .fold(FogState::new(fen.parse().unwrap()), |state, m| state.play(m.parse().unwrap()))
    }

    #[test]
    fn ends_by_the_rules_in_their_order() {
        use Color::{Black, White};
        let shuffle = "b1c3 b8c6 c3b1 c6b8 ";
        let start = Board::start().to_string();
        for (fen, moves, outcome) in [
            ("8/8/8/1k6/1p6/pPp5/PRP5/KB6 w - - 0 1", "", Some(Outcome::win(Black, Reason::NoMove))),
            ("4k3/8/8/8/8/8/8/4QK2 w - - 99 80", "e1e8", Some(Outcome::win(White, Reason::KingCaptured))),
            ("4k3/8/8/8/8/8/8/3QK3 w - - 99 80", "d1d2", Some(Outcome::draw(Reason::FiftyMoves))),
            ("4k3/8/8/8/8/8/4P3/3QK3 w - - 99 80", "e2e3", None),
            ("8/8/8/8/8/8/8/k1K5 w - - 0 1", "", None),
            (&start, shuffle, None),
            (&start, &shuffle.repeat(2), Some(Outcome::draw(Reason::Repetition))),
            // Castling rights lost on the way: the start itself never comes back.
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1g1 e8d8 g1h1 d8e8 h1g1 e8d8 g1h1 d8e8", None),
        ] {
            assert_eq!(play(fen, moves).outcome(), outcome, "{fen} {moves}");
        }
    }

    #[test]
    fn both_reasons_at_once_are_repetition() {
        let state = play("4k3/8/8/8/8/8/8/4K2R w - - 92 80", "h1g1 e8d8 g1h1 d8e8 h1g1 e8d8 g1h1 d8e8");
        assert_eq!(state.outcome(), Some(Outcome::draw(Reason::Repetition)));
        assert_eq!(state.board().clock(), 100);
    }

    #[test]
    fn obeys_the_laws() {
        let walks = [Walk::All { plies: 3 }, Walk::Random { plays: 200, plies: 60, seed: 1 }];
        let checked = check(&FogOfWar::default(), &walks).unwrap();
        assert!(checked.histories > 9323 + 5000, "{checked:?}");
        for fen in [
            // En passant that shows in no square: the rooks see e3 and e4 anyway.
            "k3r3/8/8/8/r2p3r/8/4P3/K7 w - - 0 1",
            "8/8/8/1k6/1p6/pPp5/PRP5/KB6 b - - 0 1",
            "4k3/8/8/8/8/8/8/R3K2R w KQ - 97 1",
            "k7/6P1/8/8/8/8/1p6/7K w - - 0 1",
        ] {
            let game = FogOfWar { start: fen.parse().unwrap() };
            check(&game, &[Walk::All { plies: 3 }, Walk::Random { plays: 100, plies: 40, seed: 2 }]).unwrap();
        }
    }
}
