//! Fog of War as the search plays it: positions, what the player can know of draws on the way there, and values.

use std::sync::Arc;

use scuro_core::{Game, Observer, Player, Turn};
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Board, Color, Move, Piece};
use scuro_games::fog::View;
use scuro_games::{color_of, player_of};
use scuro_search::grow::Evaluate;

use crate::draws::Past;

/// The rules from a position that both players know. A draw is no end here: nobody is told how near it is.
#[derive(Clone, Copy, Debug)]
pub struct Fog {
    /// The first position.
    pub start: Board,
    /// Who thinks.
    pub me: Color,
}

/// A position, and how I came there.
#[derive(Clone, Debug)]
pub struct Position {
    /// The position, without counters.
    pub board: Board,
    /// What I have seen on the way that bears on draws.
    pub past: Arc<Past>,
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
    type State = Position;
    type Action = Move;

    fn start(&self) -> Position {
        let past = Past::first(&View::of(&self.start, self.me), self.start.clock());
        Position { board: self.start.without_counters(), past }
    }

    fn turn(&self, position: &Position) -> Turn {
        match winner(&position.board) {
            Some(Color::White) => Turn::Over(1.0),
            Some(Color::Black) => Turn::Over(-1.0),
            None => Turn::Player(player_of(position.board.side())),
        }
    }

    fn actions(&self, position: &Position, out: &mut Vec<Move>) {
        if winner(&position.board).is_none() {
            position.board.pseudo_legal(out);
        }
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let board = position.board.play(m).without_counters();
        Position { board, past: position.past.next(&View::of(&board, self.me)) }
    }

    fn observe(&self, position: &Position, player: Player, observer: &mut impl Observer) {
        show(&View::of(&position.board, color_of(player)), winner(&position.board), observer);
    }

    fn confirm_ongoing(&self, position: &mut Position) -> bool {
        let doubted = position.past.drawn();
        if doubted {
            position.past = position.past.known_to_go_on();
        }
        doubted
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

    /// What values positions.
    pub(crate) fn evaluator(&mut self) -> &mut E {
        &mut self.evaluator
    }

    /// What a position is worth to White.
    pub fn value(&mut self, board: &Board) -> f64 {
        let value = f64::from(self.evaluator.value(board).unwrap_or_default());
        if board.side() == Color::White { value } else { -value }
    }
}

impl<E: Evaluator> Evaluate<Fog> for Leaves<E> {
    fn children(&mut self, game: &Fog, position: &Position, actions: &[Move], out: &mut Vec<(f64, bool)>) {
        let Position { board, past } = position;
        self.values.clear();
        if self.evaluator.evaluate(board, actions, &mut self.values).is_err() {
            self.values.resize(actions.len(), 0.0);
        }
        let sign = if board.side() == Color::White { 1.0 } else { -1.0 };
        // Where the game may be drawn, I hope for no more than that.
        let capped = |value: f64| if game.me == Color::White { value.min(0.0) } else { value.max(0.0) };
        out.extend(actions.iter().zip(&self.values).map(|(&m, &value)| {
            let (child, value) = (board.play(m), sign * f64::from(value));
            match winner(&child) {
                Some(Color::White) => (1.0, true),
                Some(Color::Black) => (-1.0, true),
                None if past.drawn() || past.near() && past.next(&View::of(&child, game.me)).drawn() => {
                    (capped(value), false)
                }
                None => (value, false),
            }
        }));
    }
}
