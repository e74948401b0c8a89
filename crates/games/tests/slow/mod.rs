//! The slow, obvious twins of move generation and views: one man, one direction, one square at a time.

use scuro_games::chess::{Board, Color, Move, Piece, Square};

const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const SLANTED: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const JUMPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The moves `color` would have if it were her turn, with en passant only if it really is.
pub(crate) fn slow_moves(board: &Board, color: Color) -> Vec<Move> {
    let mut moves = Vec::new();
    for from in Square::ALL {
        let Some((owner, piece)) = board.man_on(from) else { continue };
        if owner != color {
            continue;
        }
        match piece {
            Piece::Pawn => pawn_moves(board, color, from, &mut moves),
            Piece::Knight => steps(board, color, from, &JUMPS, 1, &mut moves),
            Piece::Bishop => steps(board, color, from, &SLANTED, 8, &mut moves),
            Piece::Rook => steps(board, color, from, &STRAIGHT, 8, &mut moves),
            Piece::Queen => {
                steps(board, color, from, &STRAIGHT, 8, &mut moves);
                steps(board, color, from, &SLANTED, 8, &mut moves);
            }
            Piece::King => {
                steps(board, color, from, &STRAIGHT, 1, &mut moves);
                steps(board, color, from, &SLANTED, 1, &mut moves);
                castle(board, color, &mut moves);
            }
        }
    }
    moves
}

fn steps(board: &Board, color: Color, from: Square, directions: &[(i8, i8)], most: i8, out: &mut Vec<Move>) {
    for &(file, rank) in directions {
        for distance in 1..=most {
            let Some(to) = from.try_offset(file * distance, rank * distance) else { break };
            match board.man_on(to) {
                Some((owner, _)) if owner == color => break,
                Some(_) => {
                    out.push(Move::new(from, to));
                    break;
                }
                None => out.push(Move::new(from, to)),
            }
        }
    }
}

fn pawn_moves(board: &Board, color: Color, from: Square, out: &mut Vec<Move>) {
    let (forward, home) = if color == Color::White { (1, 1) } else { (-1, 6) };
    let mut targets = Vec::new();
    if let Some(one) = from.try_offset(0, forward).filter(|&to| board.man_on(to).is_none()) {
        targets.push(one);
        if from.rank() as i8 == home {
            targets.extend(one.try_offset(0, forward).filter(|&to| board.man_on(to).is_none()));
        }
    }
    for side in [-1, 1] {
        let Some(to) = from.try_offset(side, forward) else { continue };
        let enemy = board.man_on(to).is_some_and(|(owner, _)| owner != color);
        if enemy || (board.side() == color && board.en_passant() == Some(to)) {
            targets.push(to);
        }
    }
    for to in targets {
        if matches!(to.rank() as usize, 0 | 7) {
            let pieces = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];
            out.extend(pieces.map(|piece| Move::promoting(from, to, piece)));
        } else {
            out.push(Move::new(from, to));
        }
    }
}

fn castle(board: &Board, color: Color, out: &mut Vec<Move>) {
    let rights = board.castling().to_string();
    let letters = if color == Color::White { ['K', 'Q'] } else { ['k', 'q'] };
    let rank = if color == Color::White { '1' } else { '8' };
    let square = |file: char| format!("{file}{rank}").parse::<Square>().unwrap();
    for (letter, between, target) in [(letters[0], "fg", 'g'), (letters[1], "bcd", 'c')] {
        if rights.contains(letter) && between.chars().all(|file| board.man_on(square(file)).is_none()) {
            out.push(Move::new(square('e'), square(target)));
        }
    }
}

/// The board field of the fog FEN, from the definition.
#[allow(dead_code, reason = "not every test binary looks at views")]
pub(crate) fn slow_view(board: &Board, player: Color) -> String {
    let moves = slow_moves(board, player);
    let mut text = String::new();
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            let square = Square::index(rank * 8 + file);
            let own = board.man_on(square).is_some_and(|(owner, _)| owner == player);
            let taken_in_passing = moves.iter().any(|&m| {
                board.captured_by(m).is_some_and(|(victim, _)| board.side() == player && victim == square)
            });
            let seen = own || taken_in_passing || moves.iter().any(|m| m.to() == square);
            if seen && board.man_on(square).is_none() {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            text.push(match board.man_on(square) {
                Some((color, piece)) if seen => scuro_games::chess::letter(piece, color),
                _ => '?',
            });
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}
