//! First moves of games that were won, as they are played until the umpire says something.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use scuro_games::chess::{Board, Color, Move, MoveError};
use scuro_games::kriegspiel::{Answer, KriegspielState, Ruleset, RulesetError, Try};
use scuro_games::outcome::Reason;
use scuro_games::records::Record;
use scuro_games::records::pgn::PgnResult;
use thiserror::Error;

use super::is_silent;

/// The number of players whose games are taken.
const PLAYERS: usize = 10;
/// The least number of moves of an opening.
const LEAST_MOVES: usize = 7;

/// Why a file is no book.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("book={}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A line is no opening.
    #[error("book={}: line {line}: expected white or black and moves, not '{found}'", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The text that was found.
        found: String,
    },
    /// A move cannot be understood.
    #[error("book={}: line {line}: {error}", path.display())]
    Move {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The fault of the line.
        error: MoveError,
    },
}

/// Openings of White and of Black.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book([Vec<Vec<Move>>; 2]);

impl Book {
    /// The openings of a side.
    #[must_use]
    pub fn lines(&self, color: Color) -> &[Vec<Move>] {
        &self.0[color as usize]
    }

    /// Adds an opening of a side.
    pub fn add(&mut self, color: Color, line: Vec<Move>) {
        self.0[color as usize].push(line);
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If there is none, or a line is no opening.
    pub fn read(path: &Path) -> Result<Book, BookError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| BookError::File { path: path.to_owned(), error })?;
        let mut book = Book::default();
        for (line, words) in (1..).zip(text.lines()).filter(|(_, words)| !words.trim().is_empty()) {
            let (color, moves) = match words.trim().split_once(' ') {
                Some(("white", moves)) => (Color::White, moves),
                Some(("black", moves)) => (Color::Black, moves),
                _ => {
                    return Err(BookError::Line { path: path.to_owned(), line, found: words.to_owned() });
                }
            };
            let moves = moves.split_whitespace().map(str::parse).collect::<Result<_, _>>();
            book.add(color, moves.map_err(|error| BookError::Move { path: path.to_owned(), line, error })?);
        }
        Ok(book)
    }

    /// The text of a file: a line for every opening, the side first.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (name, lines) in ["white", "black"].into_iter().zip(&self.0) {
            for line in lines {
                let moves: Vec<String> = line.iter().map(Move::to_string).collect();
                text.push_str(&format!("{name} {}\n", moves.join(" ")));
            }
        }
        text
    }
}

/// A book in the making.
#[derive(Clone, Debug, Default)]
pub struct Compiler {
    /// The wins of each player: the number of its games times the share that it won.
    wins: BTreeMap<String, usize>,
    /// The openings of games that were won by mate, with their players.
    openings: Vec<(String, Color, Vec<Move>)>,
}

impl Compiler {
    /// Takes in a game of Kriegspiel.
    ///
    /// # Errors
    /// If it breaks its own rules.
    pub fn add(&mut self, record: &Record) -> Result<(), String> {
        let winner = match record.result {
            PgnResult::White => Color::White,
            PgnResult::Black => Color::Black,
            _ => return Ok(()),
        };
        let tag = if winner == Color::White { "White" } else { "Black" };
        let player = record.tag(tag).unwrap_or("?").to_owned();
        *self.wins.entry(player.clone()).or_default() += 1;
        if record.reason() == Some(Reason::Mate) && record.start == Board::start() {
            let line = opening(record, winner)?;
            if line.len() >= LEAST_MOVES {
                self.openings.push((player, winner, line));
            }
        }
        Ok(())
    }

    /// The best players, and a book of their openings.
    #[must_use]
    pub fn book(self) -> (Vec<String>, Book) {
        let mut players: Vec<(String, usize)> = self.wins.into_iter().collect();
        players.sort_by_key(|(_, wins)| std::cmp::Reverse(*wins));
        players.truncate(PLAYERS);
        let players: Vec<String> = players.into_iter().map(|(player, _)| player).collect();
        let mut book = Book::default();
        for (player, color, line) in self.openings {
            if players.contains(&player) && !book.lines(color).contains(&line) {
                book.add(color, line);
            }
        }
        (players, book)
    }
}

/// The moves of a side until the umpire says anything.
fn opening(record: &Record, side: Color) -> Result<Vec<Move>, String> {
    let ruleset = record.tag("Ruleset").map_or(Ok(Ruleset::default()), str::parse);
    let ruleset = ruleset.map_err(|error: RulesetError| error.to_string())?;
    let mut state = KriegspielState::new(ruleset, record.start);
    let mut moves = Vec::new();
    for attempt in record.plies.iter().filter_map(|ply| ply.attempt()) {
        let mover = state.board().side();
        match (state.take(attempt), attempt) {
            (Answer::Made(said), _) if !is_silent(&said) => break,
            (Answer::Made(_), Try::Move(m)) if mover == side => moves.push(m),
            (Answer::TurnedAway(reason), _) => return Err(reason.to_string()),
            _ => {}
        }
    }
    Ok(moves)
}
