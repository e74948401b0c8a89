//! Where games start: the usual position, a built-in book of short lines, or a file of FENs or PGN. Both players know
//! the position.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use scuro_games::Variant;
use scuro_games::chess::{Board, FenError, Move};
use scuro_games::records::convert::{self, ConvertError, Written};
use scuro_games::records::positions::{ListedError, positions};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// First positions, at least one. Pairs of games take them in turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Openings(Vec<Board>);

/// Why there are no openings.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error("openings {}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file holds games that cannot be read.
    #[error("openings {}: {error}", path.display())]
    Games {
        /// The file.
        path: PathBuf,
        /// Why.
        error: ConvertError,
    },
    /// A line is no position.
    #[error("openings {}, position {number}: {error}", path.display())]
    Position {
        /// The file.
        path: PathBuf,
        /// Which, from 1.
        number: usize,
        /// What is wrong.
        error: ListedError,
    },
    /// A game of which the position after its moves is not known.
    #[error("openings {}, game {number}: {words}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// Which, from 1.
        number: usize,
        /// What is wrong.
        words: String,
    },
    /// Nothing in the file.
    #[error("openings {}: there is no position in it", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// Settings without openings.
    #[error("there is no opening")]
    None,
    /// Settings with a text that is no position.
    #[error("opening: {0}")]
    Fen(#[from] FenError),
}

/// The book: quiet lines of two to four moves of each side, as they are played when little is seen. None lets a man be taken
/// for nothing.
const BOOK: [&str; 24] = [
    "e2e4 e7e6 d2d4 d7d5",
    "e2e4 c7c6 d2d4 d7d5",
    "e2e4 e7e5 g1f3 b8c6",
    "e2e4 e7e5 b1c3 g8f6",
    "e2e4 c7c5 g1f3 b8c6",
    "e2e4 c7c5 c2c3 e7e6",
    "e2e4 g7g6 d2d4 f8g7",
    "e2e4 d7d6 d2d4 g8f6 b1c3 e7e5",
    "d2d4 d7d5 c2c4 c7c6",
    "d2d4 d7d5 c2c4 e7e6",
    "d2d4 d7d5 c1f4 e7e6",
    "d2d4 g8f6 c2c4 e7e6",
    "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7",
    "d2d4 g8f6 g1f3 d7d5",
    "d2d4 f7f5 g2g3 g8f6",
    "c2c4 e7e5 b1c3 b8c6",
    "c2c4 c7c5 g1f3 b8c6",
    "c2c4 e7e6 d2d4 d7d5",
    "g1f3 d7d5 g2g3 c7c6",
    "g1f3 g8f6 c2c4 e7e6",
    "b1c3 d7d5 d2d4 g8f6",
    "e2e3 e7e5 c2c4 g8f6",
    "d2d3 d7d5 b1d2 e7e5",
    "g2g3 e7e5 f1g2 d7d5",
];

impl Openings {
    /// The usual position.
    #[must_use]
    pub fn start() -> Openings {
        Openings(vec![Board::start()])
    }

    /// The built-in book.
    #[must_use]
    pub fn book() -> Openings {
        let after = |line: &str| {
            let moves = line.split(' ').filter_map(|word| word.parse::<Move>().ok());
            moves.fold(Board::start(), |board, m| board.play(m))
        };
        Openings(BOOK.map(after).to_vec())
    }

    /// What a word or a file stands for: `start`, `book`, FENs (one a line) or PGN (the positions after the moves).
    ///
    /// # Errors
    /// If it is a file that holds none.
    pub fn named(word: &str) -> Result<Openings, OpeningsError> {
        match word {
            "start" => Ok(Openings::start()),
            "book" => Ok(Openings::book()),
            path => of_file(Path::new(path)),
        }
    }

    /// The positions.
    #[must_use]
    pub fn positions(&self) -> &[Board] {
        &self.0
    }
}

fn of_file(path: &Path) -> Result<Openings, OpeningsError> {
    let path = || path.to_owned();
    let mut bytes = Vec::new();
    let read = File::open(path()).and_then(|mut file| file.read_to_end(&mut bytes));
    read.map_err(|error| OpeningsError::Io { path: path(), error })?;
    let boards = match looks_like_games(&bytes) {
        true => {
            let games =
                convert::read(&*bytes).map_err(|error| OpeningsError::Games { path: path(), error })?;
            let after = |(number, game): (usize, Written)| {
                last_position(&game).map_err(|words| OpeningsError::Game { path: path(), number, words })
            };
            (1..).zip(games).map(after).collect::<Result<Vec<_>, _>>()?
        }
        false => {
            let listed = positions(&*bytes).map_err(|error| OpeningsError::Io { path: path(), error })?;
            let board = |(number, listed): (usize, io::Result<_>)| {
                let listed: scuro_games::records::positions::Listed =
                    listed.map_err(|error| OpeningsError::Io { path: path(), error })?;
                listed.board.map_err(|error| OpeningsError::Position { path: path(), number, error })
            };
            (1..).zip(listed).map(board).collect::<Result<Vec<_>, _>>()?
        }
    };
    if boards.is_empty() { Err(OpeningsError::Empty { path: path() }) } else { Ok(Openings(boards)) }
}

/// PGN begins with a tag, a comment or a move number; a FEN has eight ranks before its first blank.
fn looks_like_games(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    let first = text.trim_start_matches('\u{feff}').split_whitespace().next().unwrap_or_default();
    let gzipped = bytes.starts_with(&[0x1f, 0x8b]);
    !gzipped && !first.is_empty() && !first.starts_with('{') && first.matches('/').count() != 7
}

fn last_position(game: &Written) -> Result<Board, String> {
    let record = game.record().map_err(|error| error.to_string())?;
    match record.variant {
        Variant::Chess | Variant::FogOfWar => Ok(record.moves().fold(record.start, |board, m| board.play(m))),
        variant => Err(format!("a record of {variant} does not show an opening that both know")),
    }
}

impl TryFrom<Vec<String>> for Openings {
    type Error = OpeningsError;

    fn try_from(fens: Vec<String>) -> Result<Openings, OpeningsError> {
        let boards: Vec<Board> = fens.iter().map(|fen| fen.parse()).collect::<Result<_, _>>()?;
        if boards.is_empty() { Err(OpeningsError::None) } else { Ok(Openings(boards)) }
    }
}

impl From<Openings> for Vec<String> {
    fn from(openings: Openings) -> Vec<String> {
        openings.0.iter().map(Board::to_string).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scuro_games::chess::Color;
    use scuro_games::fog::FogOfWar;
    use scuro_games::umpire::Umpire;

    #[test]
    fn the_book_is_played_by_the_rules_and_is_quiet() {
        let mut seen = Vec::new();
        for (line, board) in BOOK.into_iter().zip(Openings::book().0) {
            let mut umpire = Umpire::new(FogOfWar::default());
            for word in line.split(' ') {
                let side = umpire.turn().unwrap();
                umpire.play(side, word.parse().unwrap()).unwrap();
            }
            assert_eq!(*umpire.state().board(), board, "{line}");
            assert!(!board.in_check(Color::White) && !board.in_check(Color::Black), "{line}");
            assert_eq!(board.side(), Color::White, "{line}");
            seen.push(board.to_string());
        }
        seen.sort();
        seen.dedup();
        assert!(seen.len() >= BOOK.len() - 1, "transpositions: {}", BOOK.len() - seen.len());
    }

    #[test]
    fn files_of_fens_and_of_games_give_the_same_positions() {
        let folder = std::env::temp_dir().join(format!("scuro-openings-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let read = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::write(&path, text).unwrap();
            Openings::named(path.to_str().unwrap()).map_err(|error| error.to_string())
        };
        let after = Board::start().play("e2e4".parse().unwrap());
        let both = Openings(vec![after, Board::start()]);
        assert_eq!(read("a.fen", &format!("{after}\n\n{}\n", Board::start())), Ok(both.clone()));
        assert_eq!(read("a.pgn", "[Event \"?\"]\n\n1. e4 *\n\n[Event \"?\"]\n\n*\n"), Ok(both));
        assert_eq!(read("b.pgn", "1. e4 *\n"), Ok(Openings(vec![after])));
        for (name, text, words) in [
            ("c.fen", "", "no position"),
            ("d.fen", "8/8/8/8/8/8/8/x w - - 0 1\n", "position 1"),
            ("e.pgn", "1. e5 *\n", "e5"),
        ] {
            assert!(read(name, text).unwrap_err().contains(words), "{name}");
        }
        assert!(Openings::named("/does/not/exist").is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
