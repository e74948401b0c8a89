//! The quick model: a move is as likely as its looks are, which a table says.
//!
//! What counts is the piece with the squares it leaves and reaches, what it takes and who guards that, whether it was
//! attacked where it stood, whether it gives check, and what a pawn becomes; in Kriegspiel also whether it takes where a
//! capture was announced, goes on with what has just taken, answers a check, goes where another piece guards, and how
//! many pieces its side has left. The weight of a move is the product of what the table says of each.

use std::sync::LazyLock;

use scuro_eval::score::exp;
use scuro_games::Variant;
use scuro_games::chess::{BitBoard, Board, Color, Move, Piece, Square, diagonally_ahead, piece_attacks};

/// Where each group of numbers begins.
const TO: usize = 6 * 64;
const TAKES: usize = TO + 6 * 64;
const LEAVES: usize = TAKES + 6 * 7 * 3;
const CHECKS: usize = LEAVES + 6 * 3;
const BECOMES: usize = CHECKS + 6;
const PASS: usize = BECOMES + 6;
/// Captures where the mover knows that the other side has taken: just now, or a turn before.
const RETAKES: usize = PASS + 1;
/// Moves of what has taken a turn before.
const GOES_ON: usize = RETAKES + 2 * 6;
/// Moves out of check, by whether they take.
const EVADES: usize = GOES_ON + 6;
/// Moves to where another own piece guards, by whether they take.
const GUARDED: usize = EVADES + 2 * 6;
/// What is left and reached once more, by how many pieces the mover has.
const PHASES: usize = GUARDED + 2 * 6;
/// How many numbers a table has.
pub const NUMBERS: usize = PHASES + 3 * 2 * 6 * 64;

/// The squares of the last captures, as both sides were told: of the other side just now, of the mover before that, and of
/// the other side before that.
pub type Captures = [Option<Square>; 3];

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
        let mut numbers: Vec<f64> = numbers.collect::<Option<_>>()?;
        // A game may do without the groups from here on.
        if numbers.len() == RETAKES {
            numbers.resize(NUMBERS, 0.0);
        }
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
    more: Option<More>,
}

/// What else counts in a game in which both sides are told of captures.
#[derive(Clone, Copy, Debug)]
struct More {
    captures: Captures,
    /// Squares that own pieces guard, and those that two of them do.
    backed: [BitBoard; 2],
    in_check: bool,
    /// How many pieces the side to move has left: 0 for many, 2 for few.
    phase: usize,
}

impl More {
    fn of(board: &Board, captures: Captures, attacked: BitBoard) -> More {
        let side = board.side();
        let [left, right] = diagonally_ahead(board.men(side, Piece::Pawn), side);
        let (mut once, mut twice) = (left | right, left & right);
        for piece in Piece::ALL.into_iter().filter(|&piece| piece != Piece::Pawn) {
            for square in board.men(side, piece) {
                let attacks = piece_attacks(piece, square, board.occupied());
                twice |= once & attacks;
                once |= attacks;
            }
        }
        let in_check = board.king(side).is_some_and(|king| attacked.has(king));
        let phase = match board.colors(side).len() {
            0..8 => 2,
            8..13 => 1,
            _ => 0,
        };
        More { captures, backed: [once, twice], in_check, phase }
    }

    /// Calls `visit` with the numbers for a move of `piece`, whose squares are also given as the table has them.
    #[inline]
    fn each(&self, piece: Piece, m: Move, turned: [usize; 2], takes: bool, mut visit: impl FnMut(usize)) {
        let (kind, [from, to]) = (piece as usize, turned);
        let phase = PHASES + self.phase * 2 * 6 * 64;
        visit(phase + kind * 64 + from);
        visit(phase + TO + kind * 64 + to);
        let [just, own, before] = self.captures;
        if takes && (Some(m.to()) == just || Some(m.to()) == before) {
            visit(RETAKES + 6 * usize::from(Some(m.to()) != just) + kind);
        }
        if Some(m.from()) == own {
            visit(GOES_ON + kind);
        }
        if self.in_check {
            visit(EVADES + 6 * usize::from(takes) + kind);
        }
        // A piece guards where it goes, but for a pawn that steps ahead.
        if self.backed[usize::from(takes || piece != Piece::Pawn)].has(m.to()) {
            visit(GUARDED + 6 * usize::from(takes) + kind);
        }
    }
}

/// By piece, the squares from which one of the side to move attacks the other king.
pub(crate) fn checking(board: &Board) -> [BitBoard; 6] {
    let Some(king) = board.king(!board.side()) else { return [BitBoard::EMPTY; 6] };
    Piece::ALL.map(|piece| match piece {
        Piece::Pawn => {
            let [left, right] = diagonally_ahead(king.bitboard(), !board.side());
            left | right
        }
        Piece::King => BitBoard::EMPTY,
        piece => piece_attacks(piece, king, board.occupied()),
    })
}

impl<'b> Look<'b> {
    /// What this position shows.
    #[must_use]
    pub fn of(board: &'b Board, captures: Option<Captures>) -> Look<'b> {
        let (side, occupied) = (board.side(), board.occupied());
        let [left, right] = diagonally_ahead(board.men(!side, Piece::Pawn), !side);
        let mut all = left | right;
        for piece in Piece::ALL.into_iter().filter(|&piece| piece != Piece::Pawn) {
            for square in board.men(!side, piece) {
                all |= piece_attacks(piece, square, occupied);
            }
        }
        let turn = if side == Color::White { 0 } else { 56 };
        let more = captures.map(|captures| More::of(board, captures, all));
        Look { board, turn, guarded: [left | right, all], checking: checking(board), more }
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
        let [from, to] = [m.from(), m.to()].map(|square| square as usize ^ self.turn);
        visit(kind * 64 + from);
        visit(TO + kind * 64 + to);
        if let Some(more) = &self.more {
            more.each(piece, m, [from, to], victim < 6, &mut visit);
        }
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
            Look::of(&board, None).each(board.piece_there(m.from()), m, |number| numbers.push(number));
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
