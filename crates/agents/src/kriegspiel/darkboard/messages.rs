//! What the umpire's words on checks and pawn captures rule out.

use scuro_games::chess::{BitBoard, Color, Move, Piece, Square, between, diagonally_ahead, piece_attacks};
use scuro_games::kriegspiel::{CheckKind, Checks, PawnTries};

use super::evolve::Made;
use super::metaposition::{Metaposition, SLIDERS, either, slides};

/// The eight ways along a line, as steps of files and ranks.
const WAYS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// A pawn and a square on which it may take.
type Pair = (Square, Square);

impl Metaposition {
    /// Keeps the king squares at which an own move gives these checks and no others.
    pub(super) fn narrow_king(&mut self, made: Made, checks: Checks) {
        let kings = self.may(Piece::King);
        let left = if checks == Checks::NONE {
            kings & !self.sure_attacks()
        } else {
            let fits = |&king: &Square| self.gives(made, king, checks);
            kings.into_iter().filter(fits).fold(BitBoard::EMPTY, |all, king| all | king.bitboard())
        };
        // An imagined silence may leave no square; then the check was certain.
        if !left.is_empty() {
            self.may[Piece::King as usize] = left;
        }
    }

    /// Whether the move may give a king on `king` these checks, and no others for certain.
    fn gives(&self, made: Made, king: Square, checks: Checks) -> bool {
        let (mut possible, mut certain) = (Checks::NONE, Checks::NONE);
        let closed = self.own.all() | self.any_but_king();
        for piece in Piece::ALL {
            for from in self.own.pieces(piece) {
                let kind = CheckKind::between(king, from);
                if self.may_check(made, piece, from, king) {
                    possible = possible.with(kind);
                }
                let reaches = match piece {
                    Piece::Pawn => self.reach(piece, from),
                    _ => piece_attacks(piece, from, closed),
                };
                if reaches.has(king) {
                    certain = certain.with(kind);
                }
            }
        }
        let kings_touch = self.king().is_some_and(|own| piece_attacks(Piece::King, own, closed).has(king));
        !kings_touch
            && checks.kinds().all(|kind| possible.has(kind))
            && certain.kinds().all(|kind| checks.has(kind))
    }

    /// Whether an own piece on `from` may have begun to attack `king` by the move.
    fn may_check(&self, made: Made, piece: Piece, from: Square, king: Square) -> bool {
        if !SLIDERS.contains(&piece) {
            return from == made.to && piece != Piece::King && self.reach(piece, from).has(king);
        }
        let line = between(from, king);
        if !slides(piece, from, king)
            || !line.is_subset(self.empty)
            || self.behind_pawns(from, true).has(king)
        {
            return false;
        }
        if from == made.to && piece == made.piece {
            // Behind, the king was attacked before; straight ahead too, unless something was taken in between.
            let ahead = between(made.from, king).has(made.to) && made.captured != Some(made.to);
            return made.promoted || !line.has(made.from) && !ahead;
        }
        line.has(made.from) || made.captured.is_some_and(|captured| line.has(captured))
    }

    /// Takes in the checks that the opponent's move gave to the own king.
    pub(super) fn hear_checks(&mut self, checks: Checks) {
        let Some(king) = self.king() else { return };
        self.may[Piece::King as usize] &= !piece_attacks(Piece::King, king, BitBoard::EMPTY);
        let jumps = piece_attacks(Piece::Knight, king, BitBoard::EMPTY);
        if checks.has(CheckKind::Knight) {
            self.must_stand(king, jumps & self.may(Piece::Knight), |_| vec![Piece::Knight]);
        } else {
            self.may[Piece::Knight as usize] &= !jumps;
        }
        let mut checkers = [BitBoard::EMPTY; 5];
        for (file, rank) in WAYS {
            let Some(first) = king.try_offset(file, rank) else { continue };
            let kind = CheckKind::between(king, first);
            if checks.has(kind) {
                checkers[kind as usize] |= self.checkers(king, file, rank);
            } else {
                self.clear_line(king, file, rank);
            }
        }
        for kind in checks.kinds().filter(|&kind| kind != CheckKind::Knight) {
            let me = self.me();
            self.must_stand(king, checkers[kind as usize], |square| checking(me, king, square));
        }
    }

    /// If one square alone is left for a checking piece, it stands there and nothing between it and the king.
    fn must_stand(&mut self, king: Square, squares: BitBoard, kinds: impl Fn(Square) -> Vec<Piece>) {
        if let (Some(square), 1) = (squares.next_square(), squares.len()) {
            self.vacate(between(king, square));
            self.place(square, &kinds(square));
        }
    }

    /// The squares along a line from the own king from which a piece may give check.
    fn checkers(&self, king: Square, file: i8, rank: i8) -> BitBoard {
        let mut checkers = BitBoard::EMPTY;
        let mut next = king.try_offset(file, rank);
        while let Some(square) = next {
            if self.own.all().has(square) {
                break;
            }
            if checking(self.me(), king, square).into_iter().any(|piece| self.may(piece).has(square)) {
                checkers |= square.bitboard();
            }
            if !self.empty.has(square) {
                break;
            }
            next = square.try_offset(file, rank);
        }
        checkers
    }

    /// No piece gives check along a line from the own king.
    fn clear_line(&mut self, king: Square, file: i8, rank: i8) {
        let straight = file == 0 || rank == 0;
        let me = self.me();
        let own = self.own.all();
        let near = either(diagonally_ahead(king.bitboard(), me));
        let mut next = king.try_offset(file, rank);
        while let Some(square) = next.filter(|&square| !own.has(square)) {
            let bit = square.bitboard();
            self.may[Piece::Queen as usize] &= !bit;
            self.may[if straight { Piece::Rook } else { Piece::Bishop } as usize] &= !bit;
            if near.has(square) {
                self.may[Piece::Pawn as usize] &= !bit;
            }
            if self.any().has(square) {
                break;
            }
            next = square.try_offset(file, rank);
        }
    }

    /// Takes in what was said of the player's own pawn captures, in check or not.
    pub(super) fn hear_my_tries(&mut self, in_check: bool) {
        let (mut pairs, mut none): (Vec<Pair>, BitBoard) = (Vec::new(), BitBoard::EMPTY);
        let targets = self.any_but_king() | self.their_passed;
        for from in self.own.pieces(Piece::Pawn) {
            for to in self.reach(Piece::Pawn, from) & targets {
                if self.my_tries.allow(from) {
                    pairs.push((from, to));
                } else if !in_check && !self.may_be_pinned(Move::new(from, to)) {
                    none |= to.bitboard();
                }
            }
        }
        self.vacate(none);
        pairs.retain(|(_, to)| !none.has(*to));
        for (from, to) in certain(self.my_tries, &pairs) {
            let passing = pairs.iter().any(|pair| *pair == (from, to) && self.their_passed.has(to));
            if !passing {
                self.occupy(to.bitboard());
                self.may[Piece::King as usize] &= !to.bitboard();
            }
        }
    }

    /// Takes in what was said of the opponent's pawn captures.
    pub(super) fn hear_their_tries(&mut self) {
        if self.their_tries == PawnTries::Unsaid {
            return;
        }
        let targets = self.own.all() & !self.own.pieces(Piece::King);
        let passed = self.my_passed.map_or(BitBoard::EMPTY, Square::bitboard);
        let near = either(diagonally_ahead(targets | passed, self.me()));
        let (mut pairs, mut none): (Vec<Pair>, BitBoard) = (Vec::new(), BitBoard::EMPTY);
        for from in self.may(Piece::Pawn) & near {
            for to in either(diagonally_ahead(from.bitboard(), !self.me())) & (targets | passed) {
                if self.their_tries.allow(from) {
                    pairs.push((from, to));
                } else if !self.checked && targets.has(to) && !self.their_pawn_may_be_pinned(from, to) {
                    none |= from.bitboard();
                }
            }
        }
        self.may[Piece::Pawn as usize] &= !none;
        for (from, _) in certain(self.their_tries, &pairs) {
            self.place(from, &[Piece::Pawn]);
        }
        if let PawnTries::From(squares) = self.their_tries {
            squares.into_iter().for_each(|square| self.place(square, &[Piece::Pawn]));
        }
    }
}

/// The pieces that attack the own king from a square on a line with it.
fn checking(me: Color, king: Square, square: Square) -> Vec<Piece> {
    let straight = slides(Piece::Rook, king, square);
    let mut kinds = vec![Piece::Queen, if straight { Piece::Rook } else { Piece::Bishop }];
    if either(diagonally_ahead(king.bitboard(), me)).has(square) {
        kinds.push(Piece::Pawn);
    }
    kinds
}

/// The pairs that are certainly captures, of all that may be.
fn certain(tries: PawnTries, pairs: &[Pair]) -> Vec<Pair> {
    match tries {
        PawnTries::Count(count) if usize::from(count) == pairs.len() => pairs.to_vec(),
        PawnTries::Fact(true) if pairs.len() == 1 => pairs.to_vec(),
        PawnTries::From(_) => {
            let only = |pair: &&Pair| pairs.iter().filter(|other| other.0 == pair.0).count() == 1;
            pairs.iter().filter(only).copied().collect()
        }
        _ => Vec::new(),
    }
}
