//! Which positions are quiet: a network is trained on these alone, because quiescence asks it of no others.

use scuro_games::chess::{Board, Color, Move, Piece};

/// What a man is worth here, in hundredths of a pawn; a king more than all others.
const WORTH: [i32; 6] = [100, 300, 300, 500, 900, 20_000];

/// The most plies that captures are followed.
const DEEPEST: u32 = 8;

/// What a man of this kind is worth by material alone.
#[must_use]
pub fn worth(piece: Piece) -> i32 {
    WORTH[piece as usize]
}

/// What `side` has more than the other.
#[must_use]
pub fn material(board: &Board, side: Color) -> i32 {
    let lead = |piece| board.men(side, piece).len() as i32 - board.men(!side, piece).len() as i32;
    Piece::ALL.into_iter().map(|piece| worth(piece) * lead(piece)).sum()
}

/// Whether the mover's king is not attacked and no sequence of captures and promotions wins material for the mover.
#[must_use]
pub fn quiet(board: &Board) -> bool {
    let now = material(board, board.side());
    !board.in_check(board.side()) && settle(board, now, now + 1) <= now
}

/// The material to the mover once the captures that pay are made, looked for between `low` and `high`.
#[must_use]
pub fn settle(board: &Board, low: i32, high: i32) -> i32 {
    captures_from(board, material(board, board.side()), low, high, DEEPEST)
}

fn captures_from(board: &Board, now: i32, mut low: i32, high: i32, left: u32) -> i32 {
    if now >= high || left == 0 {
        return now;
    }
    low = low.max(now);
    let (mut moves, mut count) = ([(0, 0, Piece::Pawn, Move::new(NOWHERE, NOWHERE)); 128], 0);
    board.each_pseudo_legal(|piece, m| {
        let gain = gain(board, m);
        if gain > 0 && count < moves.len() {
            moves[count] = (worth(piece) - 16 * gain, gain, piece, m);
            count += 1;
        }
    });
    moves[..count].sort_unstable_by_key(|&(order, ..)| order);
    let mut best = now;
    for &(_, gain, piece, m) in &moves[..count] {
        if gain >= worth(Piece::King) {
            return now + gain;
        }
        if now + gain <= low {
            continue;
        }
        let mut child = *board;
        child.make_man(piece, m);
        let value = -captures_from(&child, -(now + gain), -high, -low, left - 1);
        best = best.max(value);
        low = low.max(value);
        if low >= high {
            break;
        }
    }
    best
}

const NOWHERE: scuro_games::chess::Square = scuro_games::chess::Square::A1;

/// What a move wins at once: the man it takes, and the queen that a pawn becomes.
#[must_use]
#[inline]
pub fn gain(board: &Board, m: Move) -> i32 {
    let promotes = match m.promotion() {
        None => 0,
        Some(Piece::Queen) => worth(Piece::Queen) - worth(Piece::Pawn),
        Some(_) => return 0,
    };
    let enemy = board.colors(!board.side());
    if !enemy.has(m.to()) && board.en_passant() != Some(m.to()) {
        return promotes;
    }
    promotes + board.captured_by(m).map_or(0, |(_, piece)| worth(piece))
}
