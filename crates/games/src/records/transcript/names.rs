//! Names of moves on a player's own board, where no enemy man is known and more moves seem possible.

use crate::chess::{Move, Naming, OwnPieces, Piece, SanError};

/// The shortest name of a try among all that the player's men could try; a capture is marked if the player
/// knows of it. What no man of hers could do is written in UCI.
#[must_use]
pub fn name(men: &OwnPieces, m: Move, captured: bool) -> String {
    if !men.is_possible(m) {
        return m.to_string();
    }
    naming(men, |m| Some(captured || men.is_pawn_capture(m)), |naming| naming.name(m))
}

/// The try that a text names, also one that none of her men could make.
pub(super) fn read(men: &OwnPieces, text: &str) -> Result<Move, SanError> {
    read_possible(men, text).or_else(|error| text.parse().map_err(|_| error))
}

/// The possible try that a text names.
///
/// # Errors
/// If it names none, or several.
pub fn read_possible(men: &OwnPieces, text: &str) -> Result<Move, SanError> {
    let captures = |m: Move| {
        let pawn = men.man_on(m.from()) == Some(Piece::Pawn);
        pawn.then(|| men.is_pawn_capture(m))
    };
    naming(men, captures, |naming| naming.read(text))
}

fn naming<T>(
    men: &OwnPieces,
    captures: impl Fn(Move) -> Option<bool>,
    then: impl FnOnce(Naming<'_>) -> T,
) -> T {
    let mut moves = Vec::new();
    men.possible_tries(&mut moves);
    // Possible tries are moves of own men: the square they leave is never empty.
    let piece_on = |square| men.man_on(square).unwrap_or(Piece::Pawn);
    then(Naming { moves: &moves, piece_on: &piece_on, captures: &captures })
}
