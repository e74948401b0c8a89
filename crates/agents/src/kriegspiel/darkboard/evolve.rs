//! How a metaposition changes by the player's own tries: a move that is made, and one that is refused.

use scuro_games::chess::{BitBoard, File, Move, Piece, Rank, Square, between, piece_attacks};
use scuro_games::kriegspiel::{Announcement, Capture, Checks, Taken};

use super::metaposition::{Metaposition, SLIDERS, ahead, slides};

/// How much older a square gets on which a piece was run into.
const RAN_INTO: u8 = 10;

/// An own move that was made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    /// The piece as it stands now, a promoted one.
    pub piece: Piece,
    /// Where it comes from; of castling, the rook.
    pub from: Square,
    /// Where it stands.
    pub to: Square,
    /// The square of a capture.
    pub captured: Option<Square>,
    /// Whether it was a pawn before.
    pub promoted: bool,
}

/// The way of a rook in castling, if `m` is that.
fn castled(piece: Piece, m: Move) -> Option<(Square, Square)> {
    let castles = piece == Piece::King && (m.from() as u8).abs_diff(m.to() as u8) == 2;
    let files = if m.to().file() == File::G { (File::H, File::F) } else { (File::A, File::D) };
    let on = |file| Square::new(file, m.to().rank());
    castles.then(|| (on(files.0), on(files.1)))
}

impl Metaposition {
    /// The metaposition after the own move `m` and what was said of it.
    #[must_use]
    pub fn after_own(&self, m: Move, said: &Announcement) -> Metaposition {
        let mut next = self.clone();
        let piece = self.own.man_on(m.from()).unwrap_or(Piece::Pawn);
        let captured = said.capture.map(|capture| capture.square);
        said.capture.iter().for_each(|&capture| next.count_captured(m, capture));
        next.own = self.own.moved(m);
        let (from, to) = castled(piece, m).unwrap_or((m.from(), m.to()));
        let way = between(m.from(), from) | between(m.from(), m.to()) | m.from().bitboard() | from.bitboard();
        next.vacate(way | m.to().bitboard() | captured.map_or(BitBoard::EMPTY, Square::bitboard));
        let moved = if castled(piece, m).is_some() { Piece::Rook } else { piece };
        let made = Made {
            piece: m.promotion().unwrap_or(moved),
            from,
            to,
            captured,
            promoted: m.promotion().is_some(),
        };
        next.narrow_king(made, said.checks);
        next.checked = said.checks != Checks::NONE;
        let double = piece == Piece::Pawn && (m.from() as u8).abs_diff(m.to() as u8) == 16;
        next.my_passed = ahead(m.from().bitboard(), self.me()).next_square().filter(|_| double);
        (next.their_passed, next.their_tries) = (BitBoard::EMPTY, said.tries);
        next.hear_their_tries();
        next.settle();
        next
    }

    /// Counts what the own move `m` takes.
    fn count_captured(&mut self, m: Move, capture: Capture) {
        let square = capture.square;
        let others = self.may[1..].iter().any(|may| may.has(square));
        let pawn = match capture.taken {
            Some(taken) => Some(taken == Taken::Pawn),
            // Only a pawn is taken beside the square of arrival.
            None if square != m.to() => Some(true),
            None if !self.may(Piece::Pawn).has(square) => Some(false),
            None => (!others).then_some(true),
        };
        let file = &mut self.files[square.file() as usize];
        if pawn != Some(false) {
            file.least = file.least.saturating_sub(1);
        }
        if pawn == Some(true) {
            file.most = file.most.saturating_sub(1);
            self.pawns = self.pawns.saturating_sub(1);
        }
        self.army = self.army.saturating_sub(1).max(1);
    }

    /// The metaposition after the try `m` was refused, in check or not, and the move that may take what stood in the way:
    /// the same piece, less far.
    #[must_use]
    pub fn after_refusal(&self, m: Move, in_check: bool) -> (Metaposition, Option<Move>) {
        let mut next = self.clone();
        let Some(piece) = self.own.man_on(m.from()) else { return (next, None) };
        if piece == Piece::King {
            if self.is_lone_king() && castled(piece, m).is_none() {
                next.narrow_refused(piece_attacks(Piece::King, m.to(), BitBoard::EMPTY));
            }
            return (next, None);
        }
        let captures = self.own.is_pawn_capture(m);
        if in_check || captures || piece == Piece::Knight || self.may_be_pinned(m) {
            return (next, None);
        }
        let way = between(m.from(), m.to());
        let way = if piece == Piece::Pawn { way | m.to().bitboard() } else { way };
        let obstacles = way & self.any();
        if self.is_lone_king() {
            next.narrow_refused(obstacles);
        }
        let power = match (obstacles.len(), piece) {
            (1, _) => {
                next.occupy(obstacles);
                let age = &mut next.ages[obstacles.0.trailing_zeros() as usize];
                *age = age.saturating_add(RAN_INTO);
                None
            }
            (0, _) | (_, Piece::Pawn) => None,
            _ => obstacles.into_iter().max_by_key(|&square| between(m.from(), square).len()),
        };
        next.settle();
        (next, power.map(|to| Move::new(m.from(), to)))
    }

    /// The lone king stands on one of these squares.
    fn narrow_refused(&mut self, squares: BitBoard) {
        let left = self.may(Piece::King) & squares;
        if !left.is_empty() {
            self.may[Piece::King as usize] = left;
            self.settle();
        }
    }

    /// Whether the own piece that makes the move `m` may be pinned, and leave the line.
    pub(super) fn may_be_pinned(&self, m: Move) -> bool {
        let Some(king) = self.king() else { return false };
        if !slides(Piece::Queen, king, m.from()) || !between(king, m.from()).is_subset(self.empty) {
            return false;
        }
        SLIDERS.into_iter().filter(|&piece| slides(piece, king, m.from())).any(|piece| {
            let pinners = piece_attacks(piece, m.from(), self.blockers()) & self.may(piece);
            pinners.into_iter().any(|pinner| {
                let line = between(king, pinner);
                line.has(m.from()) && !(line | pinner.bitboard()).has(m.to())
            })
        })
    }

    /// Whether a pawn of the opponent on `pawn` may be pinned, so that it cannot take on `to`.
    pub(super) fn their_pawn_may_be_pinned(&self, pawn: Square, to: Square) -> bool {
        let lines = piece_attacks(Piece::Queen, pawn, self.blockers());
        let kings = lines & self.may(Piece::King);
        if kings.is_empty() {
            return false;
        }
        SLIDERS.into_iter().any(|piece| {
            let pinners = self.own.pieces(piece) & lines;
            pinners.into_iter().filter(|&pinner| slides(piece, pinner, pawn)).any(|pinner| {
                kings.into_iter().any(|king| {
                    let line = between(king, pinner);
                    line.has(pawn) && !(line | pinner.bitboard()).has(to)
                })
            })
        })
    }
}

/// Whether a try is bound to fail after `refused` failed out of check: the same piece farther on the same ray.
#[must_use]
pub fn is_longer(m: Move, refused: Move) -> bool {
    m.from() == refused.from() && between(m.from(), m.to()).has(refused.to())
}

/// The rank on which pawns of the opponent become pieces.
pub(super) fn their_last_rank(meta: &Metaposition) -> BitBoard {
    Rank::First.relative_to(meta.me()).bitboard()
}
