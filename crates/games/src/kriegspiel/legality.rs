//! Legal chess, asked for one move, one set of targets or one question at a time, without making lists.

use cozy_chess::{
    get_between_rays, get_bishop_rays, get_knight_moves, get_line_rays, get_pawn_attacks, get_rook_rays,
};

use super::announcement::Checks;
use crate::chess::{
    BitBoard, Board, Castling, Color, File, Move, PROMOTIONS, Piece, Rank, Square, ahead, diagonally_ahead,
    piece_attacks,
};

/// What threatens the king of the side to move. Computed once a position; then every move is quickly judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Threats {
    king: Square,
    checkers: BitBoard,
    pinned: BitBoard,
    /// Where men other than the king may go: anywhere, or onto and before the one man that gives check, or
    /// nowhere. An en passant capture is judged by playing it.
    remedy: BitBoard,
}

impl Threats {
    #[inline]
    pub(super) fn of(board: &Board) -> Threats {
        let side = board.side();
        let mut threats = Threats {
            king: Square::A1,
            checkers: BitBoard::EMPTY,
            pinned: BitBoard::EMPTY,
            remedy: !BitBoard::EMPTY,
        };
        // A side without a king, which no game of Kriegspiel reaches, has nothing to fear.
        let Some(king) = board.king(side) else { return threats };
        let enemy = board.colors(!side);
        threats.king = king;
        threats.checkers = (get_knight_moves(king) & board.pieces(Piece::Knight)
            | get_pawn_attacks(king, side) & board.pieces(Piece::Pawn))
            & enemy;
        let queens = board.pieces(Piece::Queen);
        let snipers = (get_rook_rays(king) & (board.pieces(Piece::Rook) | queens)
            | get_bishop_rays(king) & (board.pieces(Piece::Bishop) | queens))
            & enemy;
        for sniper in snipers {
            let between = get_between_rays(king, sniper) & board.occupied();
            match between.len() {
                0 => threats.checkers |= sniper.bitboard(),
                1 => threats.pinned |= between & board.colors(side),
                _ => {}
            }
        }
        threats.remedy = match (threats.checkers.len(), threats.checkers.next_square()) {
            (1, Some(checker)) => get_between_rays(king, checker) | threats.checkers,
            (0, _) => !BitBoard::EMPTY,
            _ => BitBoard::EMPTY,
        };
        threats
    }

    /// The kinds of check to the side to move.
    #[inline]
    pub(super) fn checks(&self) -> Checks {
        Checks::from(self.king, self.checkers)
    }

    /// Whether the side to move is in check.
    pub(super) fn in_check(&self) -> bool {
        !self.checkers.is_empty()
    }

    /// Whether `m` is a legal move of the side to move.
    pub(super) fn is_legal(&self, board: &Board, m: Move) -> bool {
        let Some((color, piece)) = board.man_on(m.from()) else { return false };
        let promotes = piece == Piece::Pawn && m.to().rank() == Rank::Eighth.relative_to(color);
        color == board.side()
            && m.promotion().is_some() == promotes
            && m.promotion() != Some(Piece::King)
            && reach(board, piece, m.from()).has(m.to())
            && !self.keeps_king_safe(board, piece, m.from(), m.to().bitboard()).is_empty()
    }

    /// Calls `visit` with every legal move onto `goal`; en passant captures only if the square they reach is
    /// in `passing`.
    #[inline]
    pub(super) fn each_legal(
        &self,
        board: &Board,
        goal: BitBoard,
        passing: BitBoard,
        mut visit: impl FnMut(Piece, Move),
    ) {
        let side = board.side();
        let passed = passed(board);
        let last = Rank::Eighth.relative_to(side).bitboard();
        for piece in Piece::ALL {
            let goal = if piece == Piece::Pawn { goal & !passed | passing & passed } else { goal };
            for from in board.men(side, piece) {
                let targets = reach(board, piece, from) & goal;
                if targets.is_empty() {
                    continue;
                }
                for to in self.keeps_king_safe(board, piece, from, targets) {
                    if piece == Piece::Pawn && last.has(to) {
                        PROMOTIONS.into_iter().for_each(|man| visit(piece, Move::promoting(from, to, man)));
                    } else {
                        visit(piece, Move::new(from, to));
                    }
                }
            }
        }
    }

    /// Whether the side to move has any legal move.
    #[inline]
    pub(super) fn has_move(&self, board: &Board) -> bool {
        let side = board.side();
        let free = board.men(side, Piece::Pawn) & !self.pinned;
        if !(ahead(free, side) & !board.occupied() & self.remedy).is_empty() {
            return true;
        }
        // The king last: it asks for each square whether it is attacked. Castling is never the only move.
        Piece::ALL.into_iter().any(|piece| {
            board.men(side, piece).into_iter().any(|from| {
                let targets = reach(board, piece, from);
                !targets.is_empty() && !self.keeps_king_safe(board, piece, from, targets).is_empty()
            })
        })
    }

    /// The legal pawn captures of the side to move.
    #[inline]
    pub(super) fn pawn_captures(&self, board: &Board) -> PawnCaptures {
        let side = board.side();
        let pawns = board.men(side, Piece::Pawn);
        let victims = (board.colors(!side) & !board.pieces(Piece::King)) | passed(board);
        let [left, right] = diagonally_ahead(pawns, side).map(|targets| targets & victims);
        let mut captures = PawnCaptures { side, left, right };
        if self.pinned.is_disjoint(pawns) && passed(board).is_empty() {
            captures.left &= self.remedy;
            captures.right &= self.remedy;
        } else {
            let keeps_safe = |from: Square, to: Square| {
                !self.keeps_king_safe(board, Piece::Pawn, from, to.bitboard()).is_empty()
            };
            let of_left = left.into_iter().filter(|&to| keeps_safe(origin(to, side, 1), to));
            captures.left = of_left.fold(BitBoard::EMPTY, |set, to| set | to.bitboard());
            let of_right = right.into_iter().filter(|&to| keeps_safe(origin(to, side, -1), to));
            captures.right = of_right.fold(BitBoard::EMPTY, |set, to| set | to.bitboard());
        }
        captures
    }

    /// Those of the `targets`, all in reach of the man on `from`, that do not leave the king in check.
    #[inline]
    fn keeps_king_safe(&self, board: &Board, piece: Piece, from: Square, targets: BitBoard) -> BitBoard {
        if piece == Piece::King {
            return self.safe_king_targets(board, from, targets);
        }
        let passed = if piece == Piece::Pawn { passed(board) & targets } else { BitBoard::EMPTY };
        let mut safe = targets & !passed & self.remedy;
        if self.pinned.has(from) {
            safe &= get_line_rays(self.king, from);
        }
        if let Some(to) = passed.next_square()
            && !board.play(Move::new(from, to)).in_check(board.side())
        {
            safe |= passed;
        }
        safe
    }

    fn safe_king_targets(&self, board: &Board, from: Square, targets: BitBoard) -> BitBoard {
        let side = board.side();
        // The king does not hide the squares behind it.
        let occupied = board.occupied() ^ from.bitboard();
        let attacked = |square: Square| attacked(board, square, !side, occupied);
        let mut safe = BitBoard::EMPTY;
        for to in targets {
            let castles = (from as u8).abs_diff(to as u8) == 2;
            let crossed = Square::index((from as usize + to as usize) / 2);
            if !attacked(to) && !(castles && (self.in_check() || attacked(crossed))) {
                safe |= to.bitboard();
            }
        }
        safe
    }
}

/// The legal pawn captures of one side, as pairs of squares: a capture that promotes is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PawnCaptures {
    side: Color,
    /// Where pawns take towards the a-file.
    left: BitBoard,
    /// Where pawns take towards the h-file.
    right: BitBoard,
}

impl PawnCaptures {
    /// The legal pawn captures of the side to move.
    #[must_use]
    pub fn of(board: &Board) -> PawnCaptures {
        Threats::of(board).pawn_captures(board)
    }

    /// How many there are.
    #[must_use]
    pub fn count(self) -> u32 {
        self.left.len() + self.right.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        (self.left | self.right).is_empty()
    }

    /// Whether one of them goes to `square`.
    #[must_use]
    pub fn reach(self, square: Square) -> bool {
        (self.left | self.right).has(square)
    }

    /// The squares of the pawns that have one.
    #[must_use]
    pub fn origins(self) -> BitBoard {
        diagonally_ahead(self.left, !self.side)[1] | diagonally_ahead(self.right, !self.side)[0]
    }

    /// The two squares of every capture.
    pub fn pairs(self) -> impl Iterator<Item = (Square, Square)> {
        let left = self.left.into_iter().map(move |to| (origin(to, self.side, 1), to));
        left.chain(self.right.into_iter().map(move |to| (origin(to, self.side, -1), to)))
    }

    /// The only capture, if there is exactly one; it promotes to a queen.
    #[must_use]
    pub fn only(self) -> Option<Move> {
        let (from, to) = self.pairs().next().filter(|_| self.count() == 1)?;
        let promotes = to.rank() == Rank::Eighth.relative_to(self.side);
        Some(if promotes { Move::promoting(from, to, Piece::Queen) } else { Move::new(from, to) })
    }
}

/// The square from which a pawn of `side` takes on `to`, `files` to the right of it.
fn origin(to: Square, side: Color, files: isize) -> Square {
    let ranks = if side == Color::White { -8 } else { 8 };
    Square::index((to as isize + ranks + files) as usize)
}

/// The squares that the man on `from`, of the side to move, can go to, king safety ignored. Kings are not
/// taken.
#[inline]
fn reach(board: &Board, piece: Piece, from: Square) -> BitBoard {
    let side = board.side();
    let occupied = board.occupied();
    let free = !(board.colors(side) | board.pieces(Piece::King));
    match piece {
        Piece::Pawn => {
            let one = ahead(from.bitboard(), side) & !occupied;
            let two = ahead(one & Rank::Third.relative_to(side).bitboard(), side) & !occupied;
            let [left, right] = diagonally_ahead(from.bitboard(), side);
            one | two | (left | right) & (board.colors(!side) & free | passed(board))
        }
        Piece::King => piece_attacks(piece, from, occupied) & free | castling_reach(board),
        _ => piece_attacks(piece, from, occupied) & free,
    }
}

fn castling_reach(board: &Board) -> BitBoard {
    let side = board.side();
    let mut targets = BitBoard::EMPTY;
    if board.castling().of(side) == Castling::NONE {
        return targets;
    }
    let home = Rank::First.relative_to(side).bitboard();
    for (rook, between, goal) in [(File::H, 0x60, File::G), (File::A, 0x0e, File::C)] {
        let between = BitBoard(between | between << 56) & home;
        if board.castling().has(side, rook) && board.occupied().is_disjoint(between) {
            targets |= goal.bitboard() & home;
        }
    }
    targets
}

/// Whether a man of `by` attacks `square` when `occupied` are the squares that stop a line.
#[inline]
fn attacked(board: &Board, square: Square, by: Color, occupied: BitBoard) -> bool {
    let queens = board.pieces(Piece::Queen);
    let reaches = |piece: Piece| piece_attacks(piece, square, occupied);
    let straight = reaches(Piece::Rook) & (board.pieces(Piece::Rook) | queens);
    let slanted = reaches(Piece::Bishop) & (board.pieces(Piece::Bishop) | queens);
    let jumps = reaches(Piece::Knight) & board.pieces(Piece::Knight);
    let beside = reaches(Piece::King) & board.pieces(Piece::King);
    let pawns = get_pawn_attacks(square, !by) & board.pieces(Piece::Pawn);
    !((straight | slanted | jumps | beside | pawns) & board.colors(by)).is_empty()
}

/// The en passant square as a set.
fn passed(board: &Board) -> BitBoard {
    board.en_passant().map_or(BitBoard::EMPTY, Square::bitboard)
}
