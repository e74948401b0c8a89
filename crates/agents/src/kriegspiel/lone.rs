//! A lone king is hunted: tries are chosen by the set of squares on which it may stand, and what the umpire may say.
//!
//! After Bolognesi and Ciancarini: a set is worth the more the fewer squares it has, the nearer they are to the edge and to
//! the own pieces; a try is worth what the worst answer leaves. A try after which the king may be stalemated, or may take
//! something, is played only if all others are as bad. Who has a proof of a win for such a set asks it before.

use scuro_games::chess::{
    BitBoard, Move, OwnPieces, Piece, Square, between, diagonally_ahead, piece_attacks,
};
use scuro_games::kriegspiel::Checks;

/// Own pieces, whose owner is to move, and the squares on which the lone king may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Hunt {
    pub(crate) pieces: OwnPieces,
    pub(crate) kings: BitBoard,
    /// Whether a stalemated side loses.
    pub(crate) stalemate_wins: bool,
}

/// What may come of a try if the umpire says one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Branch {
    /// The checks that are said; `None` if the try is refused.
    pub(crate) said: Option<Checks>,
    /// Squares of the king on which this is said.
    pub(crate) squares: u32,
    /// Those of them on which it is mated, and those on which the game may be drawn or a piece lost.
    pub(crate) mates: u32,
    pub(crate) fails: u32,
    /// Where the king may be at the next try.
    pub(crate) kings: BitBoard,
}

/// What a mate for sure is worth, and what a failure costs at least.
const MATE: f64 = 5_000.0;
const FAIL: f64 = 8_400.0;
/// What it is worth that a try was refused: it cost no move.
const REFUSED: f64 = 0.5;
/// What a square that is near the middle costs.
const MIDDLE: f64 = 0.2;
/// What a step of a pawn is worth.
const STEP: f64 = 3.0;
/// What a queen or rook is worth where pieces are changed or made.
const HEAVY: f64 = 100.0;

/// The distance of a square from the edges, as the thesis weighs it (one quadrant).
const CENTRES: [[f64; 4]; 4] =
    [[1.0, 1.2, 1.4, 1.6], [1.2, 1.7, 2.0, 2.4], [1.4, 2.0, 2.7, 3.5], [1.6, 2.4, 3.5, 4.2]];

impl Hunt {
    /// Calls `visit` with every try that may be legal, castling left out.
    pub(crate) fn each_try(&self, mut visit: impl FnMut(Move)) {
        let king = self.pieces.pieces(Piece::King);
        self.pieces.each_possible(|m| {
            let castles = king.has(m.from()) && (m.from().file() as i8 - m.to().file() as i8).abs() > 1;
            if !castles && !self.pieces.is_pawn_capture(m) {
                visit(m);
            }
        });
    }

    /// The pieces after a try that was made, and all that the umpire may say to it.
    pub(crate) fn branches(&self, m: Move) -> (OwnPieces, Vec<Branch>) {
        let mut blocked = between(m.from(), m.to()) | m.to().bitboard();
        if self.pieces.pieces(Piece::King).has(m.from()) {
            blocked |= piece_attacks(Piece::King, m.to(), BitBoard::EMPTY);
        }
        let mut branches = Vec::with_capacity(4);
        let refused = self.kings & blocked;
        if !refused.is_empty() {
            let squares = refused.len();
            branches.push(Branch { said: None, squares, mates: 0, fails: 0, kings: refused });
        }
        let after = self.pieces.moved(m);
        let (own, attacks) = (after.all(), attacks(&after));
        let danger = attacks.iter().fold(BitBoard::EMPTY, |all, (_, attacked)| all | *attacked);
        for king in self.kings & !blocked {
            let mut checks = Checks::NONE;
            if danger.has(king) {
                let checkers = attacks.iter().filter(|(_, attacked)| attacked.has(king));
                let checkers = checkers.fold(BitBoard::EMPTY, |all, (from, _)| all | from.bitboard());
                checks = Checks::from(king, checkers);
            }
            let flights = piece_attacks(Piece::King, king, BitBoard::EMPTY) & !danger;
            let place = branches.iter().position(|branch| branch.said == Some(checks));
            let place = place.unwrap_or_else(|| {
                let said = Some(checks);
                branches.push(Branch { said, squares: 0, mates: 0, fails: 0, kings: BitBoard::EMPTY });
                branches.len() - 1
            });
            let branch = &mut branches[place];
            branch.squares += 1;
            if flights.is_empty() {
                let won = checks != Checks::NONE || self.stalemate_wins;
                *(if won { &mut branch.mates } else { &mut branch.fails }) += 1;
            } else if !flights.is_disjoint(own) {
                branch.fails += 1;
            }
            branch.kings |= flights & !own;
        }
        (after, branches)
    }

    /// The value of a try that looks so many tries further. `met` says which sets were met before.
    pub(crate) fn value(&self, m: Move, further: usize, met: &impl Fn(&Hunt) -> usize) -> f64 {
        let (after, branches) = self.branches(m);
        let worth = |branch: &Branch| {
            if branch.said.is_none() {
                // Nothing was learnt.
                if branch.kings == self.kings {
                    return f64::NEG_INFINITY;
                }
                return REFUSED + Hunt { kings: branch.kings, ..*self }.best(further, met);
            }
            let next = Hunt { pieces: after, kings: branch.kings, ..*self };
            // No mate to come makes up for a failure, however unlikely.
            let share = f64::from(branch.fails) / f64::from(branch.squares);
            let failing = if branch.fails > 0 { FAIL * (1.0 + share) } else { 0.0 };
            if branch.kings.is_empty() {
                return MATE + further as f64 - failing;
            }
            next.best(further, met) - 3.0 * met(&next) as f64 - failing
        };
        branches.iter().map(worth).fold(f64::INFINITY, f64::min)
    }

    /// The value of the best try that looks so many tries further, or of the set as it is.
    fn best(&self, further: usize, met: &impl Fn(&Hunt) -> usize) -> f64 {
        if further == 0 {
            return self.standing();
        }
        let mut best = f64::NEG_INFINITY;
        self.each_try(|m| best = best.max(self.value(m, further - 1, met)));
        best
    }

    /// The value of the set as it is.
    fn standing(&self) -> f64 {
        let Some(king) = self.pieces.pieces(Piece::King).next_square() else { return f64::NEG_INFINITY };
        let heavy = self.pieces.pieces(Piece::Queen) | self.pieces.pieces(Piece::Rook);
        let (mut far, mut middle) = (0, 0.0);
        for square in self.kings {
            far = far.max(distance(square, king));
            middle += centre(square);
        }
        let quadrants = heavy.into_iter().map(|from| quadrants(from, self.kings)).min().unwrap_or(1);
        let area = f64::from(self.kings.len() * quadrants);
        let mut value = HEAVY * f64::from(heavy.len().min(2)) - f64::from(far) - area - MIDDLE * middle;
        for square in self.pieces.all() {
            match self.pieces.man_on(square) {
                Some(Piece::Pawn) => {
                    let rank = square.rank() as i8;
                    let home = if self.pieces.color() == scuro_games::chess::Color::White { 0 } else { 7 };
                    value += STEP * f64::from((rank - home).abs());
                }
                _ => value -= f64::from(distance(square, king).saturating_sub(1)),
            }
        }
        value
    }
}

/// What every piece attacks, with no king of theirs on the board: it hides no square behind it.
fn attacks(pieces: &OwnPieces) -> Vec<(Square, BitBoard)> {
    let own = pieces.all();
    let mut attacks = Vec::with_capacity(8);
    for piece in Piece::ALL {
        for from in pieces.pieces(piece) {
            let attacked = if piece == Piece::Pawn {
                let [left, right] = diagonally_ahead(from.bitboard(), pieces.color());
                left | right
            } else {
                piece_attacks(piece, from, own)
            };
            attacks.push((from, attacked));
        }
    }
    attacks
}

/// The number of quadrants around a square in which there is one of these.
fn quadrants(from: Square, kings: BitBoard) -> u32 {
    let quadrant =
        |king: Square| u8::from(king.file() > from.file()) + 2 * u8::from(king.rank() > from.rank());
    kings.into_iter().fold(0_u8, |met, king| met | 1 << quadrant(king)).count_ones()
}

fn centre(square: Square) -> f64 {
    let inner = |place: usize| place.min(7 - place);
    CENTRES[inner(square.file() as usize)][inner(square.rank() as usize)]
}

fn distance(one: Square, two: Square) -> u32 {
    let files = (one.file() as u32).abs_diff(two.file() as u32);
    files.max((one.rank() as u32).abs_diff(two.rank() as u32))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use scuro_core::Random;
    use scuro_games::chess::{Board, Castling, Color};
    use scuro_games::kriegspiel::{Answer, KriegspielState, Position, Ruleset, Try};

    use super::*;

    /// The twin: the umpire answers on every board, and the king makes every move.
    fn slow_branches(hunt: &Hunt, m: Move) -> BTreeMap<Option<Checks>, [u64; 4]> {
        let mut branches: BTreeMap<Option<Checks>, [u64; 4]> = BTreeMap::new();
        for king in hunt.kings {
            let own = hunt.pieces.all().into_iter();
            let own = own.map(|square| (Color::White, hunt.pieces.man_on(square).unwrap(), square));
            let placed = own.chain([(Color::Black, Piece::King, king)]);
            let board = Board::set_up(Color::White, placed, Castling::NONE, None);
            let (answer, state) = KriegspielState::new(Ruleset::Icc, board).attempt(Try::Move(m));
            let said = if let Answer::Made(announcement) = answer { Some(announcement.checks) } else { None };
            let [squares, mates, fails, kings] = branches.entry(said).or_default();
            *squares += 1;
            let mut flights = BitBoard::EMPTY;
            match (said, state.outcome()) {
                (None, _) => *kings |= king.bitboard().0,
                (_, Some(outcome)) if outcome.winner.is_some() => *mates += 1,
                (_, Some(_)) => *fails += 1,
                _ => {
                    Position::of(&state).each_move(|_, m| flights |= m.to().bitboard());
                    let own = state.board().colors(Color::White);
                    *fails += u64::from(!flights.is_disjoint(own));
                    *kings |= (flights & !own).0;
                }
            }
        }
        branches
    }

    #[test]
    fn branches_are_what_the_umpire_says_on_every_board() {
        let mut random = Random::new(5);
        let kinds = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];
        for round in 0..60 {
            let mut free: Vec<Square> = Square::ALL.to_vec();
            let mut pieces = [BitBoard::EMPTY; 6];
            let mut place = |piece: Piece, random: &mut Random| {
                let open: Vec<usize> = (0..free.len())
                    .filter(|&i| piece != Piece::Pawn || (1..7).contains(&(free[i].rank() as usize)))
                    .collect();
                pieces[piece as usize] |= free.swap_remove(open[random.below(open.len())]).bitboard();
            };
            place(Piece::King, &mut random);
            (0..1 + round % 4).for_each(|_| place(kinds[random.below(5)], &mut random));
            let pieces = OwnPieces::new(Color::White, pieces, Castling::NONE);
            let danger = attacks(&pieces).iter().fold(pieces.all(), |all, (_, attacked)| all | *attacked);
            // A board on which material is not drawn, and any squares that the king may stand on.
            let kings = Square::ALL.into_iter().filter(|&square| !danger.has(square) && random.below(3) > 0);
            let kings = kings.fold(BitBoard::EMPTY, |all, square| all | square.bitboard());
            let light = [Piece::Queen, Piece::Rook, Piece::Pawn];
            if kings.is_empty() || light.iter().all(|&piece| pieces.pieces(piece).is_empty()) {
                continue;
            }
            let hunt = Hunt { pieces, kings, stalemate_wins: false };
            hunt.each_try(|m| {
                let (after, branches) = hunt.branches(m);
                let fast: BTreeMap<_, _> = branches
                    .iter()
                    .map(|it| {
                        (
                            it.said,
                            [u64::from(it.squares), u64::from(it.mates), u64::from(it.fails), it.kings.0],
                        )
                    })
                    .collect();
                let drawn = [Piece::Queen, Piece::Rook, Piece::Pawn]
                    .iter()
                    .all(|&piece| after.pieces(piece).is_empty());
                if !drawn {
                    assert_eq!(fast, slow_branches(&hunt, m), "{m} {hunt:?}");
                }
            });
        }
    }

    /// A king that moves at random is mated within fifty moves, and nothing is lost on the way.
    #[test]
    fn queen_and_rook_mate_a_king_that_moves_at_random() {
        let mut random = Random::new(3);
        for (piece, least) in [(Piece::Queen, 20), (Piece::Rook, 18)] {
            let mut pieces = [BitBoard::EMPTY; 6];
            pieces[Piece::King as usize] = Square::B1.bitboard();
            pieces[piece as usize] = Square::A1.bitboard();
            let own = OwnPieces::new(Color::White, pieces, Castling::NONE);
            let mated = (0..20).filter(|_| is_mated(own, &mut random)).count();
            assert!(mated >= least, "{piece:?}: {mated} of 20");
        }
    }

    fn is_mated(pieces: OwnPieces, random: &mut Random) -> bool {
        let danger = attacks(&pieces).iter().fold(pieces.all(), |all, (_, attacked)| all | *attacked);
        let mut hunt = Hunt { pieces, kings: !danger, stalemate_wins: false };
        let squares: Vec<Square> = hunt.kings.into_iter().collect();
        let mut king = squares[random.below(squares.len())];
        let mut met: Vec<Hunt> = Vec::new();
        let mut moves = 0;
        while moves < 50 {
            let mut best = (f64::NEG_INFINITY, None);
            let count = |hunt: &Hunt| met.iter().filter(|other| *other == hunt).count();
            hunt.each_try(|m| {
                let value = hunt.value(m, 1, &count);
                if value > best.0 {
                    best = (value, Some(m));
                }
            });
            let m = best.1.unwrap();
            let here = Hunt { kings: king.bitboard(), ..hunt };
            let (after, truth) = here.branches(m);
            let (truth, (_, all)) = (truth[0], hunt.branches(m));
            let told = all.iter().find(|branch| branch.said == truth.said).unwrap();
            if truth.said.is_none() {
                hunt.kings = told.kings;
                continue;
            }
            if truth.mates > 0 {
                return true;
            }
            let flights: Vec<Square> = truth.kings.into_iter().collect();
            if truth.fails > 0 || flights.is_empty() {
                return false;
            }
            king = flights[random.below(flights.len())];
            hunt = Hunt { pieces: after, kings: told.kings, ..hunt };
            met.push(hunt);
            moves += 1;
        }
        false
    }
}
