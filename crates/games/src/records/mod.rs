//! Records: games written down, and the check that they agree with our rules.
//!
//! [`pgn`] reads and writes PGN as text, [`Record`] gives it its meaning as moves on a board, [`game_history`]
//! is the file of Reconnaissance Blind Chess, [`json_lines`] is the format of recorded playouts of other
//! programs, [`match_lines`] that of our matches, [`positions`] are lists of positions, and [`verify`] replays all games.

pub mod convert;
pub mod game_history;
pub mod json_lines;
pub mod match_lines;
pub mod pgn;
mod playouts;
pub mod positions;
mod rbc_pgn;
mod record;
mod source;
pub mod transcript;
pub mod verify;

pub use record::{Ply, Record, RecordError};
pub use source::SourceError;
