//! Which squares are worth sensing.

use std::collections::HashMap;

use scuro_games::chess::{BitBoard, Board, Color, Piece, Square};
use scuro_games::rbc::{Position, RbcState, inner_squares};

/// So many positions of a belief tell which senses tell them apart.
const LOOKED_AT: usize = 1_000;

/// So many senses are considered at the present turn, and so many later.
const NOW: usize = 6;
const AHEAD: usize = 3;

/// The squares whose windows tell most of these positions apart, best first. A window that tells nothing apart is as good
/// as any other: one of them is enough.
pub(super) fn telling(positions: &[Position]) -> Vec<Square> {
    let step = positions.len().div_ceil(LOOKED_AT).max(1);
    let boards: Vec<&Board> = positions.iter().step_by(step).map(Position::board).collect();
    let mut squares: Vec<(usize, Square)> =
        inner_squares().map(|square| (left_together(&boards, window(square)), square)).collect();
    squares.sort_unstable();
    let together = boards.len() * boards.len();
    let telling = squares.iter().take_while(|(left, _)| *left < together).take(NOW);
    let telling: Vec<Square> = telling.map(|(_, square)| *square).collect();
    if telling.is_empty() { squares.iter().take(1).map(|(_, square)| *square).collect() } else { telling }
}

/// How many pairs of boards look the same through a window, each with itself counted too.
fn left_together(boards: &[&Board], window: BitBoard) -> usize {
    let mut counts: HashMap<[BitBoard; 7], usize> = HashMap::new();
    for board in boards {
        let [pawns, knights, bishops, rooks, queens, kings] =
            Piece::ALL.map(|piece| board.pieces(piece) & window);
        let white = board.colors(Color::White) & window;
        *counts.entry([white, pawns, knights, bishops, rooks, queens, kings]).or_default() += 1;
    }
    counts.values().map(|count| count * count).sum()
}

/// A few squares that are always worth a look to the side to move, by its own pieces alone: around its king, in front of
/// it, and in the middle.
pub(super) fn usual(state: &RbcState) -> impl Iterator<Item = Square> + use<> {
    let board = state.board();
    let king = board.king(board.side()).map(inner);
    let middle =
        if board.side() == Color::White { [Square::D6, Square::E6] } else { [Square::D3, Square::E3] };
    let middle = middle.into_iter().filter(move |&square| king != Some(square));
    king.into_iter().chain(middle).take(AHEAD)
}

/// The square next to `square` that does not lie at the edge.
pub(super) fn inner(square: Square) -> Square {
    let clamp = |index: usize| index.clamp(1, 6);
    let (file, rank) = (square.file() as usize, square.rank() as usize);
    Square::index(clamp(rank) * 8 + clamp(file))
}

/// A square and its neighbours.
pub(super) fn window(square: Square) -> BitBoard {
    scuro_games::chess::piece_attacks(Piece::King, square, BitBoard::EMPTY) | square.bitboard()
}
