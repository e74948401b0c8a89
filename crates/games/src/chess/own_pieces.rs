//! A player's own pieces, and what they alone say about its choices.

use super::{
    BitBoard, Board, Castling, Color, File, Move, PROMOTIONS, Piece, Rank, Square, ahead, castles,
    diagonally_ahead, piece_attacks,
};

/// A player's own pieces and castling rights: all of the board that it knows for certain in Kriegspiel and RBC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OwnPieces {
    color: Color,
    pieces: [BitBoard; 6],
    castling: Castling,
}

impl OwnPieces {
    /// The pieces of `color` on `board`.
    #[must_use]
    #[inline]
    pub fn of(board: &Board, color: Color) -> OwnPieces {
        let pieces = Piece::ALL.map(|piece| board.men(color, piece));
        OwnPieces { color, pieces, castling: board.castling().of(color) }
    }

    /// These pieces of `color`, with these castling rights.
    #[must_use]
    pub fn new(color: Color, pieces: [BitBoard; 6], castling: Castling) -> OwnPieces {
        OwnPieces { color, pieces, castling }
    }

    /// A board with nothing else on it; their owner is to move.
    #[must_use]
    pub fn alone(&self) -> Board {
        let placed = Piece::ALL.into_iter().flat_map(|piece| {
            let on = move |square| (self.color, piece, square);
            self.pieces(piece).into_iter().map(on)
        });
        Board::set_up(self.color, placed, self.castling, None)
    }

    /// Whether a possible move of one of them can capture there, or nothing if that is `None`. A pawn captures with its
    /// diagonal steps alone, on the target or en passant beside it; castling captures nothing.
    #[must_use]
    pub fn may_capture(&self, m: Move, captured: Option<Square>) -> bool {
        let pawn = self.pieces(Piece::Pawn).has(m.from());
        let Some(square) = captured else { return !self.is_pawn_capture(m) };
        let castling = self.pieces(Piece::King).has(m.from()) && castles(Piece::King, m);
        let passing = m.from().rank() == Rank::Fifth.relative_to(self.color)
            && square == Square::new(m.to().file(), m.from().rank())
            && !self.all().has(square);
        if pawn {
            self.is_pawn_capture(m) && (square == m.to() || passing)
        } else {
            square == m.to() && !castling
        }
    }

    /// Whose pieces they are.
    #[must_use]
    pub fn color(&self) -> Color {
        self.color
    }

    /// The squares of the pieces of one kind.
    #[must_use]
    pub fn pieces(&self, piece: Piece) -> BitBoard {
        self.pieces[piece as usize]
    }

    /// The castling rights that are left.
    #[must_use]
    pub fn castling(&self) -> Castling {
        self.castling
    }

    /// The squares of all of them.
    #[must_use]
    #[inline]
    pub fn all(&self) -> BitBoard {
        self.pieces.into_iter().fold(BitBoard::EMPTY, |all, pieces| all | pieces)
    }

    /// The kind of the piece on `square`, if one of them stands there.
    #[must_use]
    #[inline]
    pub fn man_on(&self, square: Square) -> Option<Piece> {
        Piece::ALL.into_iter().find(|&piece| self.pieces(piece).has(square))
    }

    /// The pieces after one of them made the move `m`.
    #[must_use]
    pub fn moved(mut self, m: Move) -> OwnPieces {
        let Some(piece) = self.man_on(m.from()) else { return self };
        self.pieces[piece as usize] ^= m.from().bitboard();
        self.pieces[m.promotion().unwrap_or(piece) as usize] |= m.to().bitboard();
        if castles(piece, m) {
            let (home, goal) = if m.to().file() == File::G { (File::H, File::F) } else { (File::A, File::D) };
            let on = |file: File| Square::new(file, m.to().rank()).bitboard();
            self.pieces[Piece::Rook as usize] ^= on(home) | on(goal);
        }
        self.castling = self.castling.touched(m.from()).touched(m.to());
        self
    }

    /// The pieces after the one on `square` was taken.
    #[must_use]
    pub fn lost(mut self, square: Square) -> OwnPieces {
        self.pieces.iter_mut().for_each(|pieces| *pieces &= !square.bitboard());
        self.castling = self.castling.touched(square);
        self
    }

    /// Appends every possible try: what the pieces could do if there were no enemy, king safety ignored, and the
    /// pawns' diagonal steps. The order depends on the pieces alone.
    pub fn possible_tries(&self, out: &mut Vec<Move>) {
        self.each_possible(|m| out.push(m));
    }

    /// Calls `visit` with every possible try, in the order of [`OwnPieces::possible_tries`].
    #[inline]
    pub fn each_possible(&self, mut visit: impl FnMut(Move)) {
        let own = self.all();
        for piece in Piece::ALL {
            for from in self.pieces(piece) {
                for to in self.targets(piece, from, own) {
                    if piece == Piece::Pawn && self.is_last_rank(to) {
                        PROMOTIONS.into_iter().for_each(|man| visit(Move::promoting(from, to, man)));
                    } else {
                        visit(Move::new(from, to));
                    }
                }
            }
        }
    }

    /// Whether `m` is a possible try.
    #[must_use]
    pub fn is_possible(&self, m: Move) -> bool {
        self.man_on(m.from()).is_some_and(|piece| {
            self.targets(piece, m.from(), self.all()).has(m.to())
                && m.promotion() != Some(Piece::King)
                && m.promotion().is_some() == (piece == Piece::Pawn && self.is_last_rank(m.to()))
        })
    }

    /// Whether a possible try `m` is a diagonal step of a pawn: an attempt to capture with it.
    #[must_use]
    #[inline]
    pub fn is_pawn_capture(&self, m: Move) -> bool {
        m.from().file() != m.to().file() && self.pieces(Piece::Pawn).has(m.from())
    }

    fn is_last_rank(&self, square: Square) -> bool {
        square.rank() == Rank::Eighth.relative_to(self.color)
    }

    /// Where one of them could go if `own` were all the pieces there are.
    #[inline]
    fn targets(&self, piece: Piece, from: Square, own: BitBoard) -> BitBoard {
        match piece {
            Piece::Pawn => {
                let one = ahead(from.bitboard(), self.color) & !own;
                let two = ahead(one & Rank::Third.relative_to(self.color).bitboard(), self.color) & !own;
                let [left, right] = diagonally_ahead(from.bitboard(), self.color);
                one | two | (left | right) & !own
            }
            Piece::King => piece_attacks(piece, from, own) & !own | self.castling_targets(own),
            _ => piece_attacks(piece, from, own) & !own,
        }
    }

    fn castling_targets(&self, own: BitBoard) -> BitBoard {
        let home = Rank::First.relative_to(self.color).bitboard();
        let on =
            |files: [File; 3]| files.into_iter().fold(BitBoard::EMPTY, |set, file| set | file.bitboard());
        let mut targets = BitBoard::EMPTY;
        for (rook, between, goal) in
            [(File::H, [File::F, File::G, File::G], File::G), (File::A, [File::B, File::C, File::D], File::C)]
        {
            if self.castling.has(self.color, rook) && own.is_disjoint(on(between) & home) {
                targets |= goal.bitboard() & home;
            }
        }
        targets
    }
}
