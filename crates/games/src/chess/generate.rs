//! Which moves there are: by the men alone (pseudo-legal), or as chess has it (legal).

use cozy_chess::{BitBoard, Color, File, Piece, Rank, Square};

use super::attacks::{ahead, diagonally_ahead, piece_attacks};
use super::board::Board;
use super::moves::{Move, PROMOTIONS, castles};

impl Board {
    /// Appends every move that the men can make, whatever becomes of the king: the moves of Fog of War.
    ///
    /// The order depends on the mover's own men and their moves alone.
    pub fn pseudo_legal(&self, out: &mut Vec<Move>) {
        self.each_pseudo_legal(|_, m| out.push(m));
    }

    /// Calls `visit` with every pseudo-legal move, in the order of [`Board::pseudo_legal`].
    #[inline]
    pub fn each_pseudo_legal(&self, visit: impl FnMut(Piece, Move)) {
        self.each_move_among(BitBoard::FULL, |_, _, targets| targets, visit);
    }

    /// Calls `visit` with the pseudo-legal moves of the men on `squares` to the targets that `choose` leaves them.
    #[inline]
    pub fn each_move_among(
        &self,
        squares: BitBoard,
        choose: impl Fn(Piece, Square, BitBoard) -> BitBoard,
        mut visit: impl FnMut(Piece, Move),
    ) {
        self.each_man_among(squares, |piece, from, targets| {
            for to in choose(piece, from, targets) {
                if piece == Piece::Pawn && matches!(to.rank(), Rank::First | Rank::Eighth) {
                    PROMOTIONS
                        .into_iter()
                        .for_each(|promotion| visit(piece, Move::promoting(from, to, promotion)));
                } else {
                    visit(piece, Move::new(from, to));
                }
            }
        });
    }

    /// Appends the moves of ordinary chess, in the order of [`Board::pseudo_legal`]. No king is ever taken.
    pub fn legal(&self, out: &mut Vec<Move>) {
        let first = out.len();
        self.pseudo_legal(out);
        let mut kept = first;
        for i in first..out.len() {
            if self.keeps_king_safe(out[i]) {
                out[kept] = out[i];
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// Whether a pseudo-legal move is a move of ordinary chess.
    fn keeps_king_safe(&self, m: Move) -> bool {
        let side = self.side();
        if self.men(!side, Piece::King).has(m.to()) {
            return false;
        }
        if castles(self.piece_there(m.from()), m) {
            let crossed = Square::index((m.from() as usize + m.to() as usize) / 2);
            if self.in_check(side) || self.attacked(crossed, !side) {
                return false;
            }
        }
        !self.play(m).in_check(side)
    }

    /// How many pseudo-legal moves there are, without making a list.
    #[must_use]
    pub fn count_pseudo_legal(&self) -> u64 {
        let mut count = 0;
        self.each_piece_group(BitBoard::FULL, |_, _, targets| count += u64::from(targets.len()));
        let last = promotion_rank(self.side());
        let [single, double, left, right] = self.pawn_targets();
        for targets in [single, double, left, right] {
            count += u64::from(targets.len()) + 3 * u64::from((targets & last).len());
        }
        count
    }

    /// Whether there is any pseudo-legal move.
    #[must_use]
    pub fn has_pseudo_legal(&self) -> bool {
        let pawns = self.pawn_targets();
        let mut found = pawns.iter().any(|targets| !targets.is_empty());
        if !found {
            self.each_piece_group(BitBoard::FULL, |_, _, targets| found |= !targets.is_empty());
        }
        found
    }

    /// Whether `m` is a pseudo-legal move here.
    #[must_use]
    pub fn is_pseudo_legal(&self, m: Move) -> bool {
        let mut found = false;
        self.each_man(|piece, from, targets| {
            if from == m.from() && targets.has(m.to()) {
                let promotes = piece == Piece::Pawn && promotion_rank(self.side()).has(m.to());
                found = promotes == m.promotion().is_some() && m.promotion() != Some(Piece::King);
            }
        });
        found
    }

    /// Calls `visit` with every man of the side to move and the set of its targets, in the order of
    /// [`Board::pseudo_legal`].
    #[inline]
    pub fn each_man(&self, visit: impl FnMut(Piece, Square, BitBoard)) {
        self.each_man_among(BitBoard::FULL, visit);
    }

    /// [`Board::each_man`] for the men on some squares only.
    #[inline]
    fn each_man_among(&self, squares: BitBoard, mut visit: impl FnMut(Piece, Square, BitBoard)) {
        let side = self.side();
        let (occupied, enemy) = (self.occupied(), self.colors(!side) | passed(self));
        for from in self.men(side, Piece::Pawn) & squares {
            let one = ahead(from.bitboard(), side) & !occupied;
            let two = ahead(one & third_rank(side), side) & !occupied;
            let [left, right] = diagonally_ahead(from.bitboard(), side);
            visit(Piece::Pawn, from, one | two | (left | right) & enemy);
        }
        self.each_piece_group(squares, visit);
    }

    /// The targets of every man on `squares` but the pawns.
    #[inline]
    fn each_piece_group(&self, squares: BitBoard, mut visit: impl FnMut(Piece, Square, BitBoard)) {
        let side = self.side();
        let (occupied, free) = (self.occupied(), !self.colors(side));
        for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
            for from in self.men(side, piece) & squares {
                visit(piece, from, piece_attacks(piece, from, occupied) & free);
            }
        }
        for from in self.men(side, Piece::King) & squares {
            let steps = piece_attacks(Piece::King, from, occupied) & free;
            visit(Piece::King, from, steps | self.castling_targets(occupied));
        }
    }

    /// Where the pawns can step once, step twice, take towards the a-file and take towards the h-file.
    #[inline]
    fn pawn_targets(&self) -> [BitBoard; 4] {
        let side = self.side();
        let pawns = self.men(side, Piece::Pawn);
        let (empty, enemy) = (!self.occupied(), self.colors(!side) | passed(self));
        let single = ahead(pawns, side) & empty;
        let double = ahead(single & third_rank(side), side) & empty;
        let [left, right] = diagonally_ahead(pawns, side);
        [single, double, left & enemy, right & enemy]
    }

    /// The squares to which the king can castle: the right is there and none of `occupied` stands between.
    #[inline]
    pub(crate) fn castling_targets(&self, occupied: BitBoard) -> BitBoard {
        let side = self.side();
        let mut targets = BitBoard::EMPTY;
        if self.castling().of(side) == super::Castling::NONE {
            return targets;
        }
        let home = Rank::First.relative_to(side);
        let on = |files: &[File]| {
            files.iter().fold(BitBoard::EMPTY, |set, &file| set | Square::new(file, home).bitboard())
        };
        let free = |files: &[File]| occupied.is_disjoint(on(files));
        if self.castling().has(side, File::H) && free(&[File::F, File::G]) {
            targets |= on(&[File::G]);
        }
        if self.castling().has(side, File::A) && free(&[File::B, File::C, File::D]) {
            targets |= on(&[File::C]);
        }
        targets
    }
}

/// The en passant square as a set.
fn passed(board: &Board) -> BitBoard {
    board.en_passant().map_or(BitBoard::EMPTY, Square::bitboard)
}

/// The rank on which a double step of `color` passes over.
pub(crate) fn third_rank(color: Color) -> BitBoard {
    Rank::Third.relative_to(color).bitboard()
}

/// The rank on which the pawns of `color` become pieces.
pub(crate) fn promotion_rank(color: Color) -> BitBoard {
    Rank::Eighth.relative_to(color).bitboard()
}
