//! The one answer of the umpire that is expected of each move.

use scuro_games::chess::{Move, Piece, Square, between, diagonally_ahead};
use scuro_games::kriegspiel::{Announcement, Capture, Checks, PawnTries, Ruleset, Taken};

use super::evaluate::room;
use super::metaposition::{Metaposition, either};

impl Metaposition {
    /// The answer that is expected of the own move `m` of a piece: it is legal and silent, but for captures that are
    /// certain or that a power move is for, and for pawns that may take the piece.
    #[must_use]
    pub fn predict_own(&self, piece: Piece, m: Move, power: bool) -> Announcement {
        let square = self.predict_capture(piece, m, power);
        let pawn = square.is_some_and(|square| self.may(Piece::Pawn).has(square));
        let taken = if pawn { Taken::Pawn } else { Taken::Piece };
        let takers = either(diagonally_ahead(m.to().bitboard(), self.me())) & self.may(Piece::Pawn);
        let tried = piece != Piece::King && !takers.is_empty();
        Announcement {
            next: !self.me(),
            capture: square.map(|square| Capture { square, taken: Some(taken) }),
            promotion: m.promotion().is_some() && self.ruleset.says_promotions(),
            checks: Checks::NONE,
            end: None,
            tries: tries(self.ruleset, u8::from(tried)),
        }
    }

    /// The square on which the own move `m` is expected to capture.
    #[must_use]
    pub fn predict_capture(&self, piece: Piece, m: Move, power: bool) -> Option<Square> {
        if piece == Piece::Pawn {
            let beside = Square::new(m.to().file(), m.from().rank());
            let square = if self.any_but_king().has(m.to()) { m.to() } else { beside };
            return (m.from().file() != m.to().file()).then_some(square);
        }
        (power || self.sure().has(m.to())).then_some(m.to())
    }

    /// The metaposition that is expected after the own move `m`. Where the opponent has nothing but its king, the worse of
    /// silence and check is expected, as in the endings that metapositions were invented for.
    #[must_use]
    pub fn expect_own(&self, m: Move, said: &Announcement) -> Metaposition {
        let mut next = self.after_own(m, said);
        if self.is_lone_king() {
            let checked = self.may(Piece::King) & next.sure_attacks();
            if room(checked) > room(next.may(Piece::King)) {
                next.may[Piece::King as usize] = checked;
                next.checked = true;
            }
        }
        next
    }

    /// Returns how likely it seems that the own move `m` is legal: what is not placed for certain stands anywhere alike.
    #[must_use]
    pub fn chance_to_be_legal(&self, piece: Piece, m: Move) -> f64 {
        let open = self.any() & self.empty;
        let unplaced = f64::from(self.army) - f64::from(self.sure().len());
        let density = (unplaced / f64::from(open.len().max(1))).clamp(0.0, 1.0);
        let free =
            |square: Square| if open.has(square) { 1.0 - density } else { f64::from(self.empty.has(square)) };
        let way = between(m.from(), m.to());
        match (piece, m.from().file() == m.to().file()) {
            (Piece::Pawn, false) => self.share_of_tries(),
            (Piece::Pawn, true) => (way | m.to().bitboard()).into_iter().map(free).product(),
            _ => way.into_iter().map(free).product(),
        }
    }

    /// The share of the own pawn captures that may be which are there.
    fn share_of_tries(&self) -> f64 {
        let targets = self.any_but_king() | self.their_passed;
        let open = |pawn: Square| (self.reach(Piece::Pawn, pawn) & targets).len();
        let pawns = self.own.pieces(Piece::Pawn);
        let all: u32 = pawns.into_iter().filter(|&pawn| self.my_tries.allow(pawn)).map(open).sum();
        let count = match self.my_tries {
            PawnTries::Count(count) => u32::from(count),
            PawnTries::Fact(fact) => u32::from(fact),
            PawnTries::From(squares) => squares.len(),
            PawnTries::Unsaid => 0,
        };
        f64::from(count.min(all)) / f64::from(all.max(1))
    }

    /// The answer that is expected of a turn of the opponent: silence.
    #[must_use]
    pub fn predict_theirs(&self) -> Announcement {
        Announcement {
            next: self.me(),
            capture: None,
            promotion: false,
            checks: Checks::NONE,
            end: None,
            tries: tries(self.ruleset, 0),
        }
    }
}

/// So many pawn captures, where they are told.
fn tries(ruleset: Ruleset, count: u8) -> PawnTries {
    if ruleset == Ruleset::English { PawnTries::Unsaid } else { PawnTries::Count(count) }
}
