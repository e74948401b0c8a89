//! Fog of War as the search plays it: positions without a past, and their values.
//!
//! Draws are left to the player: the key of a position ignores counters, and what may be drawn as far as she knows
//! is for her to judge.

use scuro_core::{Game, Observer, Player, Turn};
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Board, Color, Move, Piece};
use scuro_games::fog::View;
use scuro_games::{color_of, player_of};
use scuro_search::grow::Evaluate;

/// The rules from a position that both players know, without draws.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fog {
    /// The first position.
    pub start: Board,
}

/// Who has won, if the game is over.
pub(crate) fn winner(board: &Board) -> Option<Color> {
    let lost = Color::ALL.into_iter().find(|&color| board.king(color).is_none());
    lost.or_else(|| (!board.has_pseudo_legal()).then(|| board.side())).map(|lost| !lost)
}

/// What a player is shown, in words; `over` is part of it.
pub fn show(view: &View, over: Option<Color>, observer: &mut impl Observer) {
    observer.see(view.lit().0);
    observer.see(view.own().0);
    for piece in Piece::ALL {
        observer.see(view.pieces(piece).0);
    }
    observer.see(view.en_passant().map_or(64, |square| square as u64));
    observer.see(over.map_or(2, |color| color as u64));
}

impl Game for Fog {
    type State = Board;
    type Action = Move;

    fn start(&self) -> Board {
        self.start.without_counters()
    }

    fn turn(&self, board: &Board) -> Turn {
        match winner(board) {
            Some(Color::White) => Turn::Over(1.0),
            Some(Color::Black) => Turn::Over(-1.0),
            None => Turn::Player(player_of(board.side())),
        }
    }

    fn actions(&self, board: &Board, out: &mut Vec<Move>) {
        if winner(board).is_none() {
            board.pseudo_legal(out);
        }
    }

    fn play(&self, board: &Board, m: Move) -> Board {
        board.play(m).without_counters()
    }

    fn observe(&self, board: &Board, player: Player, observer: &mut impl Observer) {
        show(&View::of(board, color_of(player)), winner(board), observer);
    }
}

/// An evaluator for the search. One that fails has nothing to say: the value is 0.
pub struct Leaves<E> {
    evaluator: E,
    values: Vec<f32>,
}

impl<E: Evaluator> Leaves<E> {
    /// Values positions with `evaluator`.
    pub fn new(evaluator: E) -> Leaves<E> {
        Leaves { evaluator, values: Vec::new() }
    }

    /// What a position is worth to White.
    pub fn value(&mut self, board: &Board) -> f64 {
        let value = f64::from(self.evaluator.value(board).unwrap_or_default());
        if board.side() == Color::White { value } else { -value }
    }
}

impl<E: Evaluator> Evaluate<Fog> for Leaves<E> {
    fn children(&mut self, _: &Fog, board: &Board, actions: &[Move], out: &mut Vec<(f64, bool)>) {
        self.values.clear();
        if self.evaluator.evaluate(board, actions, &mut self.values).is_err() {
            self.values.resize(actions.len(), 0.0);
        }
        let sign = if board.side() == Color::White { 1.0 } else { -1.0 };
        out.extend(actions.iter().zip(&self.values).map(|(&m, &value)| match winner(&board.play(m)) {
            Some(Color::White) => (1.0, true),
            Some(Color::Black) => (-1.0, true),
            None => (sign * f64::from(value), false),
        }));
    }
}
