//! First moves of games that were won, as they are played until the umpire says something.

use std::path::{Path, PathBuf};

use scuro_games::chess::{Color, Move, MoveError};
use thiserror::Error;

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
        /// What is there.
        found: String,
    },
    /// A move cannot be understood.
    #[error("book={}: line {line}: {error}", path.display())]
    Move {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
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
