//! The quick model: a move is as likely as its looks are, which a table says.
//!
//! What counts is the piece with the squares it leaves and reaches, what it takes and who guards that, whether it was
//! attacked where it stood, whether it gives check, and what a pawn becomes. The weight of a move is the product of what
//! the table says of each.

use std::sync::LazyLock;

use scuro_eval::score::exp;
use scuro_games::Variant;
use scuro_games::chess::{BitBoard, Board, Color, Move, Piece, diagonally_ahead, piece_attacks};

/// Where each group of numbers begins.
const TO: usize = 6 * 64;
const TAKES: usize = TO + 6 * 64;
const LEAVES: usize = TAKES + 6 * 7 * 3;
const CHECKS: usize = LEAVES + 6 * 3;
const BECOMES: usize = CHECKS + 6;
const PASS: usize = BECOMES + 6;
/// How many numbers a table has.
pub const NUMBERS: usize = PASS + 1;

/// What the table says, already as factors.
#[derive(Clone, Debug)]
pub struct Table(Vec<f64>);

static TABLES: LazyLock<[Table; 3]> = LazyLock::new(|| {
    // A test reads them all.
    TEXTS.map(|text| Table::read(text).unwrap_or_else(Table::plain))
});

/// The tables as they were written, in the order of the games.
const TEXTS: [&str; 3] =
    [include_str!("tables/fog.txt"), include_str!("tables/kriegspiel.txt"), include_str!("tables/rbc.txt")];

impl Table {
    /// The table of a game.
    pub fn of(game: Variant) -> &'static Table {
        let place = Variant::DARK.iter().position(|dark| *dark == game).unwrap_or(0);
        &TABLES[place]
    }

    /// A table by which all moves look alike.
    #[must_use]
    pub fn plain() -> Table {
        Table(vec![1.0; NUMBERS])
    }

    /// The table of these logarithms.
    #[must_use]
    pub fn new(logarithms: &[f64]) -> Table {
        Table(logarithms.iter().map(|&number| exp(number)).collect())
    }

    /// Reads what [`write()`] wrote; `None` if that is not it.
    #[must_use]
    pub fn read(text: &str) -> Option<Table> {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let numbers =
            lines.flat_map(str::split_whitespace).map(|word| Some(word.parse::<f64>().ok()? / 100.0));
        let numbers: Vec<f64> = numbers.collect::<Option<_>>()?;
        (numbers.len() == NUMBERS).then(|| Table::new(&numbers))
    }

    /// The weight of a move of `piece`.
    #[inline]
    #[must_use]
    pub fn weight(&self, look: &Look<'_>, piece: Piece, m: Move) -> f64 {
        let mut weight = 1.0;
        look.each(piece, m, |number| weight *= self.0[number]);
        weight
    }

    /// The weight of making no move.
    #[must_use]
    pub fn pass(&self) -> f64 {
        self.0[PASS]
    }
}

/// A table as text: its logarithms in hundredths, 16 a line.
#[must_use]
pub fn write(logarithms: &[f64]) -> String {
    let line = |numbers: &[f64]| {
        let words: Vec<String> =
            numbers.iter().map(|number| format!("{}", (100.0 * number).round())).collect();
        words.join(" ") + "\n"
    };
    logarithms.chunks(16).map(line).collect()
}

/// What a position shows of its moves.
#[derive(Clone, Copy, Debug)]
pub struct Look<'b> {
    board: &'b Board,
    /// What turns squares so that the side to move plays upwards.
    turn: usize,
    /// Squares that pawns of the other side attack, and those that any of its pieces does.
    guarded: [BitBoard; 2],
    /// By piece, the squares from which it attacks the other king.
    checking: [BitBoard; 6],
}

impl<'b> Look<'b> {
    /// What this position shows.
    #[must_use]
    pub fn of(board: &'b Board) -> Look<'b> {
        let (side, occupied) = (board.side(), board.occupied());
        let [left, right] = diagonally_ahead(board.men(!side, Piece::Pawn), !side);
        let mut all = left | right;
        for piece in Piece::ALL.into_iter().filter(|&piece| piece != Piece::Pawn) {
            for square in board.men(!side, piece) {
                all |= piece_attacks(piece, square, occupied);
            }
        }
        let mut checking = [BitBoard::EMPTY; 6];
        if let Some(king) = board.king(!side) {
            checking = Piece::ALL.map(|piece| match piece {
                Piece::Pawn => {
                    let [left, right] = diagonally_ahead(king.bitboard(), !side);
                    left | right
                }
                Piece::King => BitBoard::EMPTY,
                piece => piece_attacks(piece, king, occupied),
            });
        }
        let turn = if side == Color::White { 0 } else { 56 };
        Look { board, turn, guarded: [left | right, all], checking }
    }

    /// Calls `visit` with the numbers of the table that a move of `piece` looks like.
    #[inline]
    pub fn each(&self, piece: Piece, m: Move, mut visit: impl FnMut(usize)) {
        let kind = piece as usize;
        let [pawns, all] = self.guarded;
        let guard = |square: BitBoard| {
            usize::from(!(all & square).is_empty()) + usize::from(!(pawns & square).is_empty())
        };
        let victim = self.board.captured_by(m).map_or(6, |(_, victim)| victim as usize);
        visit(kind * 64 + (m.from() as usize ^ self.turn));
        visit(TO + kind * 64 + (m.to() as usize ^ self.turn));
        visit(TAKES + (kind * 7 + victim) * 3 + guard(m.to().bitboard()));
        visit(LEAVES + kind * 3 + guard(m.from().bitboard()));
        if self.checking[m.promotion().map_or(kind, |piece| piece as usize)].has(m.to()) {
            visit(CHECKS + kind);
        }
        if let Some(piece) = m.promotion() {
            visit(BECOMES + piece as usize);
        }
    }

    /// The number of the table for making no move.
    pub fn pass() -> usize {
        PASS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_whole_and_read_back() {
        assert!(TEXTS.into_iter().all(|text| Table::read(text).is_some()));
        let numbers: Vec<f64> = (0..NUMBERS).map(|i| i as f64 / 100.0 - 4.0).collect();
        let read = Table::read(&write(&numbers)).unwrap();
        assert!(read.0.iter().zip(&numbers).all(|(factor, number)| (factor.ln() - number).abs() < 1e-9));
        assert!(Table::read("1 2 3").is_none());
    }

    /// Black's moves look like White's mirrored ones.
    #[test]
    fn a_move_looks_the_same_from_both_sides() {
        let looks = |fen: &str, m: &str| {
            let board: Board = fen.parse().unwrap();
            let m: Move = m.parse().unwrap();
            let mut numbers = Vec::new();
            Look::of(&board).each(board.piece_there(m.from()), m, |number| numbers.push(number));
            numbers
        };
        let white = looks("4k3/2p5/1n6/8/8/1B6/5R2/4K3 w - - 0 1", "f2e2");
        assert_eq!(white, looks("4k3/5r2/1b6/8/8/1N6/2P5/4K3 b - - 0 1", "f7e7"));
        assert!(white.contains(&(CHECKS + Piece::Rook as usize)));
        let taking = looks("4k3/2p5/1n6/8/8/1R6/5R2/4K3 w - - 0 1", "b3b6");
        let by_pawn = TAKES + (Piece::Rook as usize * 7 + Piece::Knight as usize) * 3 + 2;
        assert!(taking.contains(&by_pawn));
    }
}
