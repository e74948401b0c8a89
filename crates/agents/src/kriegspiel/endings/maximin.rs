//! The seed's way to play against a lone king: the belief is a metaposition, valued by how far it is from mate, and the
//! best try is the one whose worst answer is best.

use scuro_games::chess::{BitBoard, File, Move, Piece, Rank, Square};

use super::lone_king::{Answer, Heard, LoneKing, beyond_file, beyond_rank};

/// The value of a belief in which nothing can be lost at once.
const SAFE: f64 = 840.0;
/// The value of a mate.
const MATE: f64 = 5_000.0;
/// The value of a try that may lose a piece or stalemate.
const UNSAFE: f64 = 0.0;
/// The value of a try that is refused wherever the king stands.
const VAIN: f64 = -MATE;
/// What it is worth that a refused try costs no move.
const REFUSAL: f64 = 0.5;
/// The share of the matrix of squares in the value.
const MATRIX_WEIGHT: f64 = 0.2;

/// How good a square is for a lone king, of one quadrant from the corner on.
const MATRIX: [[f64; 4]; 4] =
    [[1.0, 1.2, 1.4, 1.6], [1.2, 1.7, 2.0, 2.4], [1.4, 2.0, 2.7, 3.5], [1.6, 2.4, 3.5, 4.2]];

/// The value of a belief by itself, its owner to move: the higher, the nearer to mate.
#[must_use]
pub fn evaluate(belief: &LoneKing) -> f64 {
    let LoneKing { army, kings } = *belief;
    let quadrants = army.others().find(|(piece, _)| matches!(piece, Piece::Rook | Piece::Queen));
    let quadrants = quadrants.map_or(1, |(_, square)| quadrants_entered(square, kings));
    let apart: u32 = army.others().map(|(_, square)| distance(square, army.king()) - 1).sum();
    SAFE - f64::from(farthest(army.king(), kings))
        - f64::from(kings.len() * quadrants)
        - f64::from(apart)
        - MATRIX_WEIGHT * matrix(kings)
}

fn distance(one: Square, other: Square) -> u32 {
    let files = (one.file() as u32).abs_diff(other.file() as u32);
    files.max((one.rank() as u32).abs_diff(other.rank() as u32))
}

/// The largest distance of any of `kings` from `square`.
fn farthest(square: Square, kings: BitBoard) -> u32 {
    let ends = |indices: u32, from: u32| {
        let (first, last) = (indices.trailing_zeros(), 31 - indices.leading_zeros());
        from.abs_diff(first).max(from.abs_diff(last))
    };
    if kings.is_empty() {
        return 0;
    }
    let in_file = |file: &File| !(file.bitboard() & kings).is_empty();
    let in_rank = |rank: &Rank| !(rank.bitboard() & kings).is_empty();
    let files = File::ALL.into_iter().filter(in_file).fold(0, |set, file| set | 1 << file as u32);
    let ranks = Rank::ALL.into_iter().filter(in_rank).fold(0, |set, rank| set | 1 << rank as u32);
    ends(files, square.file() as u32).max(ends(ranks, square.rank() as u32))
}

/// How many of the four parts into which a piece's lines divide the board hold a king.
fn quadrants_entered(square: Square, kings: BitBoard) -> u32 {
    let (right, above) = (beyond_file(square), beyond_rank(square));
    let parts = [right & above, right & !above, !right & above, !right & !above];
    parts.into_iter().filter(|part| !part.is_disjoint(kings)).count() as u32
}

/// The sum of the matrix over `kings`.
fn matrix(kings: BitBoard) -> f64 {
    const CLASSES: [(f64, BitBoard); 10] = classes();
    CLASSES.into_iter().map(|(worth, squares)| worth * f64::from((squares & kings).len())).sum()
}

/// The squares of each number of the matrix.
const fn classes() -> [(f64, BitBoard); 10] {
    let mut classes = [(0.0, BitBoard::EMPTY); 10];
    let (mut class, mut file) = (0, 0);
    while file < 4 {
        let mut rank = file;
        while rank < 4 {
            let mut squares = 0_u64;
            let mut turn = 0;
            while turn < 8 {
                let (x, y) = if turn & 4 == 0 { (file, rank) } else { (rank, file) };
                let x = if turn & 1 == 0 { x } else { 7 - x };
                let y = if turn & 2 == 0 { y } else { 7 - y };
                squares |= 1 << (8 * y + x);
                turn += 1;
            }
            classes[class] = (MATRIX[file][rank], BitBoard(squares));
            class += 1;
            rank += 1;
        }
        file += 1;
    }
    classes
}

/// The value of the try `m` at its worst answer, with so many more own tries looked at after it.
#[must_use]
pub fn value_of_try(belief: &LoneKing, m: Move, depth: u32) -> f64 {
    let answers = belief.answers(m);
    let vain = |answer: &Answer| answer.heard == Heard::Refused && answer.kings == belief.kings;
    if answers.iter().any(vain) {
        return VAIN;
    }
    if answers.iter().any(|answer| answer.fails) {
        return UNSAFE;
    }
    answers.iter().map(|answer| value_of_answer(belief, m, answer, depth)).fold(f64::INFINITY, f64::min)
}

/// The value of a belief after an answer to a try that does not fail.
pub(super) fn value_of_answer(belief: &LoneKing, m: Move, answer: &Answer, depth: u32) -> f64 {
    if answer.mates() {
        return MATE + f64::from(depth);
    }
    let next = belief.after(m, answer);
    let value = if depth == 0 { evaluate(&next) } else { value(&next, depth - 1) };
    if answer.heard == Heard::Refused { value + REFUSAL } else { value }
}

/// The value of the best try.
#[must_use]
pub fn value(belief: &LoneKing, depth: u32) -> f64 {
    let mut best = f64::NEG_INFINITY;
    belief.each_try(|m| best = best.max(value_of_try(belief, m, depth)));
    best
}

/// Whether the value of a try says that it loses nothing.
#[must_use]
pub fn is_safe(value: f64) -> bool {
    value > UNSAFE
}
