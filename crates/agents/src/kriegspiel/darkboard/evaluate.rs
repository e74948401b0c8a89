//! The value of a move: how safe the own pieces are, how well they stand, and how much is known.

use scuro_games::chess::{BitBoard, Piece, Rank, Square, diagonally_ahead, piece_attacks};
use scuro_games::kriegspiel::Taken;

use super::metaposition::{Metaposition, either};
use super::weights::Weights;

/// The value of a certain mate; that of a certain stalemate is the opposite.
pub const WON: f64 = 1000.0;

/// The difficulty of mating a king on each square of a quarter of the board.
const KING_SQUARES: [[f64; 4]; 4] =
    [[1.0, 1.2, 1.4, 1.6], [1.2, 1.7, 2.0, 2.4], [1.4, 2.0, 2.7, 3.5], [1.6, 2.4, 3.5, 4.2]];

/// The age at which nothing is left of what was known of a square.
const FORGOTTEN: f64 = 25.0;

/// The number of the opponent's pieces beside its king from which on a stalemate is near.
const FEW: u8 = 2;

/// The mean value of the opponent's pieces beside pawns and king.
const MEAN_PIECE: f64 = 3.7;

/// The parts of what a move is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Parts {
    /// The own pieces, each by its safety.
    pub material: f64,
    /// Pawns, files, controlled squares.
    pub position: f64,
    /// For taking room from the opponent's king.
    pub mate: f64,
    /// For learning more.
    pub information: f64,
    /// For captures that are expected.
    pub capture: f64,
    /// The danger of a stalemate.
    pub stalemate: f64,
}

impl Parts {
    /// Their sum.
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.material + self.position + self.mate + self.information + self.capture + self.stalemate
    }

    /// All of them with their names.
    #[must_use]
    pub fn named(&self) -> Vec<(&'static str, f64)> {
        vec![
            ("material", self.material),
            ("position", self.position),
            ("mate", self.mate),
            ("information", self.information),
            ("capture", self.capture),
            ("stalemate", self.stalemate),
        ]
    }
}

/// A move and what became of the metaposition by it.
#[derive(Clone, Copy, Debug)]
pub struct Step<'m> {
    /// The metaposition before the move.
    pub before: &'m Metaposition,
    /// Its entropy.
    pub entropy: f64,
    /// The metaposition after the move.
    pub after: &'m Metaposition,
    /// Where the piece that moved stands.
    pub to: Square,
    /// The piece that the move is expected to capture.
    pub taken: Option<Taken>,
}

/// The evaluation of moves.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Its numbers.
    pub weights: Weights,
    /// Whether it looks out for stalemates.
    pub minds_stalemate: bool,
    /// The entropy of a square by age, as a share.
    forgotten: [f64; 256],
}

impl Evaluation {
    /// With these weights.
    #[must_use]
    pub fn new(weights: Weights, minds_stalemate: bool) -> Evaluation {
        let forgotten = std::array::from_fn(|age| (age as f64 / FORGOTTEN).min(1.0));
        Evaluation { weights, minds_stalemate, forgotten }
    }

    /// The value of a move.
    #[must_use]
    pub fn value(&self, step: &Step<'_>) -> Parts {
        let (after, weights) = (step.after, &self.weights);
        let reached = reached(after);
        let capture = match step.taken {
            Some(Taken::Pawn) => weights.captures[0],
            Some(Taken::Piece) => weights.captures[1],
            None => 0.0,
        };
        let mut parts = Parts {
            material: self.material(step, &reached),
            position: self.position(after, &reached),
            information: step.entropy - self.entropy(after),
            capture,
            ..Parts::default()
        };
        if after.army <= FEW + 1 {
            self.end(step, &reached, &mut parts);
        }
        parts
    }

    /// The entropy of a metaposition: where something may stand, and how long ago that was known better.
    #[must_use]
    pub fn entropy(&self, meta: &Metaposition) -> f64 {
        let old = |squares: BitBoard| -> f64 {
            squares.into_iter().map(|square| self.forgotten[usize::from(meta.ages[square as usize])]).sum()
        };
        let kinds: f64 =
            Piece::ALL.iter().map(|&p| self.weights.entropy[p as usize] * old(meta.may(p))).sum();
        let rank = |rank: Rank| old(meta.may(Piece::Pawn) & rank.relative_to(meta.me()).bitboard());
        let [third, second] = self.weights.runners;
        kinds + third * rank(Rank::Third) + second * rank(Rank::Second)
    }

    /// The value of the own pieces, each times its safety.
    fn material(&self, step: &Step<'_>, reached: &[BitBoard; 6]) -> f64 {
        let (meta, weights) = (step.after, &self.weights);
        let total = f64::from(meta.total_age().max(1));
        let strength = f64::from(meta.army - 1) / 15.0;
        let pawn = if can_mate(meta) { 1.0 } else { weights.hopeful };
        let mut sum = 0.0;
        for piece in Piece::ALL {
            let value = weights.values[piece as usize] * if piece == Piece::Pawn { pawn } else { 1.0 };
            for square in meta.own.pieces(piece) {
                let defender = reached.iter().position(|reached| reached.has(square));
                if meta.is_lone_king() {
                    // A king that is in check may take too.
                    let kings = step.before.may(Piece::King);
                    let takers = piece_attacks(Piece::King, square, BitBoard::EMPTY) & kings;
                    let hangs = defender.is_none() && piece != Piece::King && !takers.is_empty();
                    sum += value * if hangs { 1.0 - weights.hanging } else { 1.0 };
                    continue;
                }
                let magnified = if square == step.to { weights.moved } else { 1.0 };
                let mut danger = (magnified * danger(meta, square, total)).min(1.0);
                if let Some(defender) = defender {
                    danger *= weights.protection[defender] * strength;
                }
                sum += value * (1.0 - danger);
            }
        }
        sum
    }

    fn position(&self, meta: &Metaposition, reached: &[BitBoard; 6]) -> f64 {
        let weights = &self.weights;
        let (own, me) = (&meta.own, meta.me());
        let steps = |pawn: Square| (pawn.rank().relative_to(me) as i32 - 1).max(0);
        let advance: i32 = own.pieces(Piece::Pawn).into_iter().map(|pawn| steps(pawn).pow(2)).sum();
        let queens = own.pieces(Piece::Queen).len().saturating_sub(1);
        let mut files = 0.0;
        for (file, pawns) in scuro_games::chess::File::ALL.into_iter().zip(meta.files) {
            if pawns.most == 0 {
                let own = (own.pieces(Piece::Pawn) & file.bitboard()).len();
                files += weights.open_file[0] + weights.open_file[1] * f64::from(own);
            }
        }
        let controlled = reached.iter().fold(BitBoard::EMPTY, |all, &one| all | one).len();
        let control = weights.control[usize::from(meta.army <= 5)];
        weights.advance * f64::from(advance)
            + weights.second_queen * f64::from(queens)
            + files
            + control * f64::from(controlled)
    }

    /// What counts when the opponent has few pieces left: the room of its king, mates and stalemates.
    fn end(&self, step: &Step<'_>, reached: &[BitBoard; 6], parts: &mut Parts) {
        let (after, weights) = (step.after, &self.weights);
        let attacks = after.sure_attacks();
        let kings = step.before.may(Piece::King);
        let share = |part: u32| f64::from(part) / f64::from(kings.len().max(1));
        if balance(weights, after) > 0.0 && can_mate(after) {
            let left = after.may(Piece::King);
            let room = room(left);
            let far = after
                .king()
                .map_or(0, |own| left.into_iter().map(|king| distance(own, king)).max().unwrap_or(0));
            let progress = 30.0 / room.max(1.0) - weights.room * room - weights.approach * f64::from(far);
            parts.mate = weights.mate[usize::from(after.army - 1)] * progress;
            if after.is_lone_king() {
                let mated = share(stuck(kings & attacks, attacks));
                parts.mate += if mated == 1.0 { WON } else { weights.mate_chance * mated };
            }
        }
        if self.minds_stalemate && !after.ruleset.stalemate_loses() {
            // Other pieces may stand in the way of an attack, or not.
            let attacks = reached.iter().fold(attacks, |all, &reached| all | reached);
            let stalemated = share(stuck(kings & !attacks, attacks | after.sure()));
            parts.stalemate = match (stalemated == 1.0, after.is_lone_king()) {
                (true, true) => -WON,
                (_, true) => -weights.stalemate * (stalemated + f64::from(stalemated > 0.0)),
                _ => -weights.stalemate * stalemated,
            };
        }
    }
}

/// The number of king squares all of whose neighbours are closed.
fn stuck(kings: BitBoard, closed: BitBoard) -> u32 {
    let neighbours = |king: Square| piece_attacks(Piece::King, king, BitBoard::EMPTY);
    kings.into_iter().filter(|&king| neighbours(king).is_subset(closed)).count() as u32
}

/// The squares that own pieces may reach, by kind.
fn reached(meta: &Metaposition) -> [BitBoard; 6] {
    Piece::ALL.map(|piece| match piece {
        Piece::Pawn => either(diagonally_ahead(meta.own.pieces(piece), meta.me())),
        _ => meta
            .own
            .pieces(piece)
            .into_iter()
            .fold(BitBoard::EMPTY, |all, from| all | meta.reach(piece, from)),
    })
}

/// How likely it seems that the own piece on `square` is taken: the share of all ages from where that may happen.
fn danger(meta: &Metaposition, square: Square, total: f64) -> f64 {
    let lines = piece_attacks(Piece::Queen, square, meta.own.all());
    let area = (lines | piece_attacks(Piece::Knight, square, BitBoard::EMPTY)) & !meta.own.all();
    let age: u32 = area.into_iter().map(|square| u32::from(meta.ages[square as usize])).sum();
    let pawns = either(diagonally_ahead(square.bitboard(), meta.me())) & meta.may(Piece::Pawn);
    let envelope = |pawn: Square| (meta.may(Piece::Pawn) & pawn.file().bitboard()).len();
    let by_pawns: f64 = pawns.into_iter().map(|pawn| 1.0 / f64::from(envelope(pawn))).sum();
    f64::from(age) / total + by_pawns
}

/// Whether the own pieces can mate a lone king.
fn can_mate(meta: &Metaposition) -> bool {
    let own = |piece: Piece| meta.own.pieces(piece);
    let light = own(Piece::Bishop) & BitBoard::LIGHT_SQUARES;
    let bishops = !light.is_empty() && own(Piece::Bishop) != light;
    let minor = !own(Piece::Bishop).is_empty() && !own(Piece::Knight).is_empty();
    bishops || minor || !(own(Piece::Rook) | own(Piece::Queen)).is_empty()
}

/// The own material less that of the opponent, as far as it is known.
#[must_use]
pub fn balance(weights: &Weights, meta: &Metaposition) -> f64 {
    let own = |piece: Piece| weights.values[piece as usize] * f64::from(meta.own.pieces(piece).len());
    let mine: f64 = Piece::ALL[..5].iter().map(|&piece| own(piece)).sum();
    let pawns = meta.pawns.min(meta.army - 1);
    mine - weights.values[0] * f64::from(pawns) - MEAN_PIECE * f64::from(meta.army - 1 - pawns)
}

/// The number of steps of a king from one square to another.
fn distance(one: Square, other: Square) -> u8 {
    let files = (one.file() as u8).abs_diff(other.file() as u8);
    files.max((one.rank() as u8).abs_diff(other.rank() as u8))
}

/// How much room these squares give a king.
#[must_use]
pub fn room(kings: BitBoard) -> f64 {
    kings.into_iter().map(hardness).sum()
}

/// The difficulty of mating a king on a square.
fn hardness(square: Square) -> f64 {
    let fold = |place: usize| place.min(7 - place);
    KING_SQUARES[fold(square.rank() as usize)][fold(square.file() as usize)]
}
