//! What the seats of all games have in common.

use std::sync::Arc;

use scuro_games::chess::{Board, Color, Move, Piece, Square};
use scuro_games::kriegspiel::OwnMen;

use crate::protocol::{Answer, Command, Go};

/// What comes of a line that told something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// It was taken in.
    Noted,
    /// It was taken in, and the player chooses again.
    Again,
}

/// Says something at once, if it can be said without waiting.
pub(super) type Say = Arc<dyn Fn(Answer) + Send + Sync>;

/// A player at a game: what she was told, and how she chooses. Errors are the words after `error`, and change nothing.
pub(super) trait Seat: Send {
    /// Takes in what it was told.
    fn hear(&mut self, told: &Command) -> Result<Heard, String>;

    /// Whether anything has happened in this game.
    fn has_begun(&self) -> bool;

    /// Whether there is something to choose now.
    fn can_choose(&self, go: Go) -> Result<(), String>;

    /// Chooses: thoughts first, the choice last. What it thinks on the way it may `say`.
    fn choose(&mut self, go: Go, say: Say) -> Vec<Answer>;

    /// Whether there is something to think about on their time.
    fn can_ponder(&self) -> bool {
        false
    }

    /// Thinks on their time until told to stop.
    fn ponder(&mut self) {}

    /// What it believes, in lines for people.
    fn describe(&self) -> Vec<String>;
}

/// The words for a line that another game has.
pub(super) fn foreign(told: &Command, game: &str) -> String {
    let line = told.to_string();
    format!("'{}' has no meaning in {game}", line.split(' ').next().unwrap_or_default())
}

/// A board with nothing on it but a player's own men; she is to move.
pub(super) fn alone(men: &OwnMen) -> Board {
    let placed = Piece::ALL.into_iter().flat_map(|piece| {
        let on = move |square| (men.color(), piece, square);
        men.pieces(piece).into_iter().map(on)
    });
    Board::set_up(men.color(), placed, men.castling(), None)
}

/// Whether a move of one of `men` can capture on `square`: on its target, or beside the pawn that takes en passant.
pub(super) fn can_take(men: &OwnMen, m: Move, square: Square) -> bool {
    let passing =
        men.is_pawn_capture(m) && square.file() == m.to().file() && square.rank() == m.from().rank();
    square == m.to() || passing
}

/// The board field of a player's own men.
pub(super) fn placement(men: &OwnMen) -> String {
    let fen = alone(men).to_string();
    fen.split(' ').next().unwrap_or_default().to_owned()
}

/// `white` or `black`.
pub(super) fn side_word(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
