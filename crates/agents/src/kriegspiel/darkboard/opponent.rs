//! How a metaposition changes by a turn of the opponent: every piece that may be there makes every move it may make.

use scuro_games::chess::{BitBoard, File, Piece, Rank, Square, between, diagonally_ahead, piece_attacks};
use scuro_games::kriegspiel::{Announcement, CheckKind, Checks};

use super::evolve::their_last_rank;
use super::metaposition::{Metaposition, ahead, either};

/// The pieces that a pawn can become.
const PROMOTED: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// A turn of the opponent on its way.
struct Turn<'m> {
    before: &'m Metaposition,
    said: &'m Announcement,
    /// Where pieces may arrive.
    goal: BitBoard,
    /// Where pawns may arrive by taking in passing.
    passing: BitBoard,
    /// Where they have arrived, by kind.
    arrived: [BitBoard; 6],
    /// Squares that a piece may have left.
    left: BitBoard,
    /// Pawns that may have captured.
    takers: BitBoard,
    /// Files on which a pawn may have been promoted without a capture.
    promoted: BitBoard,
}

impl Metaposition {
    /// The metaposition after a turn of the opponent and what was said of it.
    #[must_use]
    pub fn after_theirs(&self, said: &Announcement) -> Metaposition {
        let turn = Turn::made(self, said);
        let mut next = self.clone();
        next.count_pawns(&turn);
        for (may, arrived) in next.may.iter_mut().zip(turn.arrived) {
            *may |= arrived;
        }
        // A king that is alone has to move.
        if self.is_lone_king() && !turn.arrived[Piece::King as usize].is_empty() {
            next.may[Piece::King as usize] = turn.arrived[Piece::King as usize];
        }
        next.empty |= turn.left;
        if let Some(capture) = said.capture {
            next.own = self.own.lost(capture.square);
            // Who takes in passing does not stand where it took.
            if turn.arrived.iter().all(|arrived| !arrived.has(capture.square)) {
                next.vacate(capture.square.bitboard());
                next.occupy(turn.passing);
            } else if !turn.passing.is_empty() {
                next.empty |= capture.square.bitboard();
            }
        }
        let second = Rank::Second.relative_to(!self.me()).bitboard();
        let steps = ahead(self.may(Piece::Pawn) & second, !self.me()) & self.empty;
        let double = said.capture.is_none() && !said.promotion;
        next.their_passed = if double { steps } else { BitBoard::EMPTY };
        (next.my_passed, next.my_tries, next.checked) = (None, said.tries, false);
        next.hear_checks(said.checks);
        next.hear_my_tries(said.checks != Checks::NONE);
        next.settle();
        next.grow_older();
        next
    }

    /// Counts pawns that may have changed files, or become pieces.
    fn count_pawns(&mut self, turn: &Turn<'_>) {
        for file in File::ALL {
            let pawns = &mut self.files[file as usize];
            if !((turn.takers | turn.promoted) & file.bitboard()).is_empty() {
                pawns.least = pawns.least.saturating_sub(1);
            }
        }
        if turn.said.promotion {
            self.pawns = self.pawns.saturating_sub(1);
        }
        let Some(capture) = turn.said.capture.filter(|_| !turn.takers.is_empty()) else { return };
        if their_last_rank(self).has(capture.square) {
            return;
        }
        let pieces = turn.arrived[1..].iter().any(|arrived| arrived.has(capture.square));
        let target = &mut self.files[capture.square.file() as usize];
        target.most = (target.most + 1).min(self.pawns);
        target.least += u8::from(!pieces);
    }
}

impl Turn<'_> {
    /// All that may have moved, as far as what was said lets it.
    fn made<'m>(before: &'m Metaposition, said: &'m Announcement) -> Turn<'m> {
        let square = said.capture.map(|capture| capture.square);
        let behind = |&passed: &Square| ahead(passed.bitboard(), before.me()).next_square() == square;
        let passed = before.my_passed.filter(|passed| square.is_some() && behind(passed));
        let mut turn = Turn {
            before,
            said,
            goal: square.map_or(before.empty, Square::bitboard),
            passing: BitBoard::EMPTY,
            arrived: [BitBoard::EMPTY; 6],
            left: BitBoard::EMPTY,
            takers: BitBoard::EMPTY,
            promoted: BitBoard::EMPTY,
        };
        turn.move_pawns(passed);
        if said.promotion {
            return turn;
        }
        if said.checks.has(CheckKind::Knight) {
            turn.move_pieces(Piece::Knight);
            return turn;
        }
        for piece in PROMOTED {
            turn.move_pieces(piece);
        }
        turn.move_king();
        turn
    }

    fn move_pieces(&mut self, piece: Piece) {
        let before = self.before;
        let mut goal = self.goal;
        if let Some(king) = before.king().filter(|_| self.said.checks.has(CheckKind::Knight)) {
            goal &= piece_attacks(Piece::Knight, king, BitBoard::EMPTY);
        }
        let blockers = before.blockers();
        let upright = matches!(piece, Piece::Rook | Piece::Queen);
        for from in before.may(piece) {
            let mut reach = piece_attacks(piece, from, blockers) & goal;
            if upright {
                reach &= !before.behind_pawns(from, false);
            }
            self.arrive(piece, from, reach);
        }
    }

    fn move_king(&mut self) {
        let before = self.before;
        let own = self.said.capture.map_or(before.own, |capture| before.own.lost(capture.square));
        let open = self.goal & !before.sure_attacks_of(&own);
        for from in before.may(Piece::King) {
            self.arrive(Piece::King, from, piece_attacks(Piece::King, from, BitBoard::EMPTY) & open);
        }
        if self.said.capture.is_none() && !before.checked {
            self.castle(open);
        }
    }

    fn castle(&mut self, open: BitBoard) {
        let home = Rank::First.relative_to(!self.before.me());
        let on = |file| Square::new(file, home);
        for (rook, king_to, rook_to) in [(File::H, File::G, File::F), (File::A, File::C, File::D)] {
            let way = between(on(File::E), on(rook));
            let safe = on(king_to).bitboard() | on(rook_to).bitboard();
            if self.before.castling.has(!self.before.me(), rook)
                && way.is_subset(self.before.empty)
                && safe.is_subset(open)
            {
                self.arrive(Piece::King, on(File::E), on(king_to).bitboard());
                self.arrive(Piece::Rook, on(rook), on(rook_to).bitboard());
            }
        }
    }

    /// Pawns step ahead or take; one that passes its last rank becomes a piece.
    fn move_pawns(&mut self, passed: Option<Square>) {
        let (before, them) = (self.before, !self.before.me());
        let knight_check = self.said.checks.has(CheckKind::Knight);
        let (third, last) = (Rank::Third.relative_to(them).bitboard(), their_last_rank(before));
        let mute = before.ruleset.says_promotions() && !self.said.promotion;
        let allowed = match (self.said.promotion || knight_check, mute) {
            (true, _) => last,
            (false, true) => !last,
            (false, false) => !BitBoard::EMPTY,
        };
        for from in before.may(Piece::Pawn) {
            if self.said.capture.is_none() {
                let one = ahead(from.bitboard(), them) & before.empty;
                let two = ahead(one & third, them) & before.empty;
                let reach = (one | two) & allowed;
                if !(reach & last).is_empty() {
                    self.promoted |= from.bitboard();
                }
                self.arrive_pawn(from, reach, last);
            } else if before.their_tries.allow(from) {
                let takes = either(diagonally_ahead(from.bitboard(), them)) & allowed;
                let in_passing = takes & passed.map_or(BitBoard::EMPTY, Square::bitboard);
                let reach = takes & self.goal | in_passing;
                if !reach.is_empty() {
                    self.takers |= from.bitboard();
                    self.passing |= in_passing;
                    self.arrive_pawn(from, reach, last);
                }
            }
        }
    }

    fn arrive_pawn(&mut self, from: Square, reach: BitBoard, last: BitBoard) {
        self.arrive(Piece::Pawn, from, reach & !last);
        let knight_check = self.said.checks.has(CheckKind::Knight);
        for piece in PROMOTED.into_iter().filter(|&piece| !knight_check || piece == Piece::Knight) {
            self.arrive(piece, from, reach & last);
        }
    }

    fn arrive(&mut self, piece: Piece, from: Square, reach: BitBoard) {
        self.arrived[piece as usize] |= reach;
        if !reach.is_empty() {
            self.left |= from.bitboard();
        }
    }
}
