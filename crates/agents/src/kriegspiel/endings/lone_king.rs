//! A belief about a lone king: the own pieces, which are known, and the squares on which it may stand. What follows a
//! try is worked out for all these squares at once.

use std::array;

use scuro_games::chess::piece_attacks;
use scuro_games::chess::{BitBoard, Board, Castling, Color, File, Move, OwnPieces, Piece, Rank, Square};
use scuro_games::kriegspiel::{CheckKind, Checks};

/// The most pieces beside the king.
const MOST: usize = 3;

/// A king and at most three other pieces, none of them a pawn. Its side is to move against a lone king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Army {
    king: Square,
    /// In order, so that equal armies are equal values.
    others: [Option<(Piece, Square)>; MOST],
}

impl Army {
    /// A king and these other pieces; `None` if they are too many or one of them is a pawn or a king.
    pub fn new(king: Square, pieces: impl IntoIterator<Item = (Piece, Square)>) -> Option<Army> {
        let mut pieces = pieces.into_iter();
        let others = array::from_fn(|_| pieces.next());
        let fits = |&(piece, _): &(Piece, Square)| !matches!(piece, Piece::Pawn | Piece::King);
        let army = Army { king, others }.sorted();
        (pieces.next().is_none() && others.iter().flatten().all(fits)).then_some(army)
    }

    /// One side's own pieces.
    #[must_use]
    pub fn of(pieces: &OwnPieces) -> Option<Army> {
        let king = pieces.pieces(Piece::King).next_square()?;
        let kinds = Piece::ALL.into_iter().filter(|&piece| piece != Piece::King);
        Army::new(king, kinds.flat_map(|piece| pieces.pieces(piece).into_iter().map(move |on| (piece, on))))
    }

    fn sorted(mut self) -> Army {
        self.others.sort_unstable_by(|one, other| other.cmp(one));
        self
    }

    /// The square of the king.
    #[must_use]
    pub fn king(&self) -> Square {
        self.king
    }

    /// The other pieces, with their squares.
    pub fn others(&self) -> impl Iterator<Item = (Piece, Square)> + use<> {
        self.others.into_iter().flatten()
    }

    /// The squares of all pieces.
    #[must_use]
    pub fn all(&self) -> BitBoard {
        self.others().fold(self.king.bitboard(), |all, (_, square)| all | square.bitboard())
    }

    /// The squares that a lone king must not enter. It is not in the way of a line, since it leaves its square.
    #[must_use]
    pub fn attacks(&self) -> BitBoard {
        let own = self.all();
        let king = piece_attacks(Piece::King, self.king, own);
        self.others().fold(king, |attacks, (piece, square)| attacks | piece_attacks(piece, square, own))
    }

    /// The squares on which a lone king may stand when this side is to move and nothing else is known.
    #[must_use]
    pub fn anywhere(&self) -> BitBoard {
        !(self.attacks() | self.all())
    }

    /// The army after the move `m` of one of its pieces.
    #[must_use]
    pub fn moved(mut self, m: Move) -> Army {
        if m.from() == self.king {
            self.king = m.to();
            return self;
        }
        for (_, square) in self.others.iter_mut().flatten().filter(|(_, square)| *square == m.from()) {
            *square = m.to();
        }
        self.sorted()
    }

    /// The board with the pieces of `color` and a lone king.
    #[must_use]
    pub fn board(&self, color: Color, lone: Square, side: Color) -> Board {
        let kings = [(color, Piece::King, self.king), (!color, Piece::King, lone)];
        let others = self.others().map(|(piece, square)| (color, piece, square));
        Board::set_up(side, kings.into_iter().chain(others), Castling::NONE, None)
    }

    /// The squares on which a king is in check, by kind.
    fn checked(&self) -> [(CheckKind, BitBoard); 5] {
        let own = self.all();
        let mut checked = CheckKind::ALL.map(|kind| (kind, BitBoard::EMPTY));
        let mut add = |kind: CheckKind, squares: BitBoard| checked[kind as usize].1 |= squares;
        for (piece, from) in self.others() {
            if piece == Piece::Knight {
                add(CheckKind::Knight, piece_attacks(piece, from, own));
                continue;
            }
            let attacks = piece_attacks(piece, from, own);
            add(CheckKind::File, attacks & from.file().bitboard());
            add(CheckKind::Rank, attacks & from.rank().bitboard());
            let diagonal = attacks & !(from.file().bitboard() | from.rank().bitboard());
            let rising = diagonal & rising(from);
            let long = rising & RISING_IS_LONG | diagonal & !rising & !RISING_IS_LONG;
            add(CheckKind::Long, long);
            add(CheckKind::Short, diagonal & !long);
        }
        checked
    }
}

/// The squares whose longer diagonal rises towards the h-file.
const RISING_IS_LONG: BitBoard = {
    let (mut squares, mut index) = (0, 0);
    while index < 64 {
        let (file, rank) = (index % 8, index / 8);
        if i32::abs(file - rank) < i32::abs(file + rank - 7) {
            squares |= 1 << index;
        }
        index += 1;
    }
    BitBoard(squares)
};

/// The two quadrants of the board in which the diagonal through `square` that rises towards the h-file lies.
fn rising(square: Square) -> BitBoard {
    let (right, above) = (beyond_file(square), beyond_rank(square));
    right & above | !right & !above
}

/// The squares of the files to the right of a square's.
pub(super) fn beyond_file(square: Square) -> BitBoard {
    // The files up to and including the square's, as one byte that is repeated for every rank.
    let upto = 0xff_u8 >> (7 - square.file() as u8);
    !BitBoard(u64::from(upto) * 0x0101_0101_0101_0101)
}

/// The squares of the ranks above a square's.
pub(super) fn beyond_rank(square: Square) -> BitBoard {
    BitBoard(u64::MAX.checked_shl(8 * (square.rank() as u32 + 1)).unwrap_or(0))
}

/// The squares one king's step away from any of `squares`.
#[must_use]
pub fn neighbours(squares: BitBoard) -> BitBoard {
    let (a, h) = (File::A.bitboard().0, File::H.bitboard().0);
    let aside = (squares.0 & !a) >> 1 | (squares.0 & !h) << 1;
    let row = squares.0 | aside;
    BitBoard(aside | row << 8 | row >> 8)
}

/// What the umpire says to a try, as far as it tells something about a lone king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// The try was refused.
    Refused,
    /// It was made, and gives these checks.
    Made(Checks),
}

/// One answer to a try, and what follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The answer.
    pub heard: Heard,
    /// Where the lone king may stand at the next try, if the game goes on and nothing was lost. None if all are mated.
    pub kings: BitBoard,
    /// Whether the lone king may be stalemated, or take a piece.
    pub fails: bool,
}

impl Answer {
    /// Whether the answer means mate wherever the king stood.
    #[must_use]
    pub fn mates(&self) -> bool {
        self.kings.is_empty() && !self.fails
    }
}

/// Where a lone king may stand, as the owner of the army knows that is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoneKing {
    /// The pieces against it.
    pub army: Army,
    /// Its possible squares, none of them attacked.
    pub kings: BitBoard,
}

impl LoneKing {
    /// The belief of a player who knows its own pieces alone.
    #[must_use]
    pub fn anywhere(army: Army) -> LoneKing {
        LoneKing { army, kings: army.anywhere() }
    }

    /// The belief of the side to move in all of these positions; `None` if their own pieces are not the same, the
    /// opponent has more than a king or the army is not one.
    pub fn of<'b>(boards: impl IntoIterator<Item = &'b Board>) -> Option<LoneKing> {
        let mut belief: Option<LoneKing> = None;
        for board in boards {
            let side = board.side();
            let army = match &belief {
                None => Army::of(&OwnPieces::of(board, side))?,
                Some(LoneKing { army, .. }) if army.all() == board.colors(side) => *army,
                Some(_) => return None,
            };
            let lone = board.king(!side).filter(|king| board.colors(!side) == king.bitboard())?;
            let kings = belief.map_or(BitBoard::EMPTY, |belief| belief.kings) | lone.bitboard();
            belief = Some(LoneKing { army, kings });
        }
        belief
    }

    /// Calls `visit` with every try that may be legal.
    pub fn each_try(&self, mut visit: impl FnMut(Move)) {
        let own = self.army.all();
        for (piece, from) in [(Piece::King, self.army.king)].into_iter().chain(self.army.others()) {
            for to in piece_attacks(piece, from, own) & !own {
                visit(Move::new(from, to));
            }
        }
    }

    /// Every try that may be legal.
    #[must_use]
    pub fn tries(&self) -> Vec<Move> {
        let mut tries = Vec::with_capacity(32);
        self.each_try(|m| tries.push(m));
        tries
    }

    /// Every answer that the try `m` may get.
    ///
    /// A piece other than the king is never in the way of the lone king nor shields it: the squares that it can go to are
    /// attacked, so that the lone king is not there.
    #[must_use]
    pub fn answers(&self, m: Move) -> Answers {
        let near = |square: Square| square.bitboard() | neighbours(square.bitboard());
        let refused = if m.from() == self.army.king { self.kings & near(m.to()) } else { BitBoard::EMPTY };
        let mut answers = Answers::default();
        if !refused.is_empty() {
            answers.push(Answer { heard: Heard::Refused, kings: refused, fails: false });
        }
        let after = self.army.moved(m);
        let (own, free) = (after.all(), !after.attacks());
        let mobile = neighbours(free);
        let mut made = |checks: Checks, kings: BitBoard| {
            if !kings.is_empty() {
                let reached = neighbours(kings) & free;
                let stalemated = checks == Checks::NONE && !(kings & !mobile).is_empty();
                let fails = stalemated || !(reached & own).is_empty();
                answers.push(Answer { heard: Heard::Made(checks), kings: reached & !own, fails });
            }
        };
        each_class(self.kings & !refused, Checks::NONE, &after.checked(), &mut made);
        answers
    }

    /// What is known after this answer to the try `m`.
    #[must_use]
    pub fn after(&self, m: Move, answer: &Answer) -> LoneKing {
        let army = if answer.heard == Heard::Refused { self.army } else { self.army.moved(m) };
        LoneKing { army, kings: answer.kings }
    }

    /// The same belief as all that follow from it by turning and mirroring the board.
    ///
    /// The kinds of check are the same after a turn, or change places.
    #[must_use]
    pub fn canonical(&self) -> LoneKing {
        let king = self.army.king;
        let mut seen = *self;
        if king.file() > File::D {
            seen = seen.mapped(Square::flip_file, BitBoard::flip_files);
        }
        if king.rank() > Rank::Fourth {
            seen = seen.mapped(Square::flip_rank, BitBoard::flip_ranks);
        }
        let other = seen.mapped(|square| Square::index(transposed_index(square as usize)), transposed);
        let (king, mirrored) = (seen.army.king, other.army.king);
        match (king.rank() as u8).cmp(&(mirrored.rank() as u8)) {
            std::cmp::Ordering::Less => seen,
            std::cmp::Ordering::Equal => seen.min(other),
            std::cmp::Ordering::Greater => other,
        }
    }

    fn mapped(&self, square: impl Fn(Square) -> Square, squares: impl Fn(BitBoard) -> BitBoard) -> LoneKing {
        let others = self.army.others.map(|other| other.map(|(piece, on)| (piece, square(on))));
        let army = Army { king: square(self.army.king), others }.sorted();
        LoneKing { army, kings: squares(self.kings) }
    }
}

fn transposed_index(index: usize) -> usize {
    index % 8 * 8 + index / 8
}

/// The squares mirrored at the diagonal from a1 to h8.
fn transposed(squares: BitBoard) -> BitBoard {
    let mut bits = squares.0;
    for (shift, mask) in
        [(28, 0x0f0f_0f0f_0000_0000_u64), (14, 0x3333_0000_3333_0000), (7, 0x5500_5500_5500_5500)]
    {
        let swap = mask & (bits ^ bits << shift);
        bits ^= swap ^ swap >> shift;
    }
    BitBoard(bits)
}

/// Calls `visit` with the kings that are in the same checks, class by class.
fn each_class(
    kings: BitBoard,
    checks: Checks,
    checked: &[(CheckKind, BitBoard)],
    visit: &mut impl FnMut(Checks, BitBoard),
) {
    match checked.split_first() {
        None => visit(checks, kings),
        Some((&(_, squares), rest)) if (squares & kings).is_empty() => each_class(kings, checks, rest, visit),
        Some((&(kind, squares), rest)) => {
            each_class(kings & !squares, checks, rest, visit);
            each_class(kings & squares, checks.with(kind), rest, visit);
        }
    }
}

/// The answers to a try.
#[derive(Clone, Copy, Debug)]
pub struct Answers {
    list: [Answer; Answers::MOST],
    len: usize,
}

impl Answers {
    /// Refused, none, five kinds of check and ten pairs of them.
    const MOST: usize = 17;

    fn push(&mut self, answer: Answer) {
        self.list[self.len] = answer;
        self.len += 1;
    }
}

impl Default for Answers {
    fn default() -> Answers {
        let nothing = Answer { heard: Heard::Refused, kings: BitBoard::EMPTY, fails: false };
        Answers { list: [nothing; Answers::MOST], len: 0 }
    }
}

impl std::ops::Deref for Answers {
    type Target = [Answer];

    fn deref(&self) -> &[Answer] {
        &self.list[..self.len]
    }
}
