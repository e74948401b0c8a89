//! How a board looks to a person: as text for a terminal, as SVG for a page. Fog is drawn, not left out. And how
//! measurements do: [`chart`].

pub mod chart;
mod svg;
mod text;

use std::fmt;

use crate::chess::{Board, Color, Seen, Square, write_placement};
use crate::fog::View;

pub use svg::svg;
pub use text::{beside, text};

/// A board to draw: a title, which side sits below, and what is on each square.
#[derive(Clone, Debug)]
pub struct Picture {
    title: String,
    below: Color,
    squares: [Seen; 64],
}

impl Picture {
    /// A whole position.
    #[must_use]
    pub fn of_board(title: &str, board: &Board, below: Color) -> Picture {
        let on = |square: Square| {
            board.man_on(square).map_or(Seen::Empty, |(color, piece)| Seen::Man(color, piece))
        };
        Picture { title: title.to_owned(), below, squares: Square::ALL.map(on) }
    }

    /// What a player sees, from her side of the board.
    #[must_use]
    pub fn of_view(title: &str, view: &View) -> Picture {
        Picture {
            title: title.to_owned(),
            below: view.player(),
            squares: Square::ALL.map(|square| view.seen(square)),
        }
    }

    /// What `on` says of each square, from the side of `below`.
    pub(crate) fn of_squares(title: &str, below: Color, on: impl Fn(Square) -> Seen) -> Picture {
        Picture { title: title.to_owned(), below, squares: Square::ALL.map(on) }
    }

    /// The same under another title.
    #[must_use]
    pub fn titled(mut self, title: &str) -> Picture {
        title.clone_into(&mut self.title);
        self
    }

    /// What it is called.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Which side sits below.
    #[must_use]
    pub fn below(&self) -> Color {
        self.below
    }

    /// What is on a square.
    #[must_use]
    pub fn at(&self, square: Square) -> Seen {
        self.squares[square as usize]
    }

    /// The board field of a fog FEN that shows the same.
    #[must_use]
    pub fn placement(&self) -> String {
        struct Placement<'p>(&'p Picture);
        impl fmt::Display for Placement<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_placement(f, |square| self.0.squares[square as usize])
            }
        }
        Placement(self).to_string()
    }

    /// The squares row by row as they are drawn, from the upper left.
    pub fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = (Square, Seen)>> {
        (0..8).map(move |row| {
            (0..8).map(move |column| {
                let (rank, file) =
                    if self.below == Color::White { (7 - row, column) } else { (row, 7 - column) };
                let square = Square::index(rank * 8 + file);
                (square, self.squares[square as usize])
            })
        })
    }
}
