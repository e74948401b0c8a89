//! Endings against a lone king in Kriegspiel.
//!
//! A [`LoneKing`] is a belief there: the own pieces, and the squares on which their king may stand. A [`Table`] holds
//! beliefs that are proved to be won; [`certain_win`] asks those of king and rook and of king and queen, which are part
//! of the program. `scuro endgame KRK --prove --out FILE` makes such a table.

pub mod hunter;
pub mod lone_king;
pub mod maximin;
pub mod pawn;
pub mod pawn_players;
pub mod prover;
pub mod table;

use std::sync::LazyLock;

use scuro_games::chess::Board;

pub use lone_king::{Army, LoneKing};
pub use table::{Table, Win};

/// The tables of king and rook and of king and queen.
static PROVED: LazyLock<Table> = LazyLock::new(|| {
    let tables: [&[u8]; 2] = [include_bytes!("KRK.table"), include_bytes!("KQK.table")];
    // The tests read both: they are tables.
    tables.into_iter().filter_map(|bytes| Table::read(bytes).ok()).fold(Table::default(), Table::and)
});

/// The table that is part of the program: king and rook, and king and queen, against a lone king.
#[must_use]
pub fn proved() -> &'static Table {
    &PROVED
}

/// The certain win of the side to move, if these positions are all that may be true: a try, and within how many moves it
/// mates whatever the lone king does.
///
/// `None` if the opponent may have more than its king, if the own pieces are not those of a table, or if no win is known
/// for so many squares. Asked again after every answer, with what may be true then, the bound falls with every move made;
/// after a refused try it stays or falls, and the positions are fewer. Draws by repetition are not looked at: a player
/// chooses among [`Table::wins`] if the pieces would stand as they did twice before. It holds under every ruleset. Colours, mirrored and
/// turned boards make no difference.
#[must_use]
pub fn certain_win<'b>(positions: impl IntoIterator<Item = &'b Board>) -> Option<Win> {
    PROVED.win(&LoneKing::of(positions)?)
}
