//! The promises of Fog of War: views equal their slow definition and tell nothing that the rules hide.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod slow;

use scuro_core::{Game, Random, Turn};
use scuro_games::chess::{BitBoard, Board, Color, Piece, Square};
use scuro_games::fog::{FogOfWar, View, lit};
use slow::{slow_moves, slow_view};

/// The boards of `games` random games.
fn boards(games: u64) -> Vec<Board> {
    let mut boards = Vec::new();
    for seed in 0..games {
        let mut random = Random::new(seed);
        let game = FogOfWar::default();
        let mut state = game.start();
        while let Turn::Player(_) = game.turn(&state) {
            boards.push(*state.board());
            let mut moves = Vec::new();
            game.actions(&state, &mut moves);
            state = game.play(&state, *random.pick(&moves).unwrap());
        }
    }
    boards
}

#[test]
fn views_equal_the_slow_definition() {
    for board in boards(150) {
        for player in Color::ALL {
            let view = View::of(&board, player);
            assert_eq!(view.placement(), slow_view(&board, player), "{board} {player:?}");
            assert_eq!(View::parse(&view.to_string(), player), Ok(view));
        }
    }
}

/// The board with the man on `from` moved to the empty square `to`, nothing else changed.
fn displaced(board: &Board, from: Square, to: Square) -> Option<Board> {
    let man = board.man_on(from)?;
    let mut rows: Vec<Vec<char>> = (0..8).map(|_| vec!['1'; 8]).collect();
    for square in board.occupied() ^ from.bitboard() ^ to.bitboard() {
        let (color, piece) = if square == to { man } else { board.man_on(square)? };
        rows[7 - square.rank() as usize][square.file() as usize] = scuro_games::chess::letter(piece, color);
    }
    let text = rows.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/");
    let placement = (2..=8).rev().fold(text, |text, n| text.replace(&"1".repeat(n), &n.to_string()));
    let fen = board.to_string();
    let rest: Vec<&str> = fen.split(' ').collect();
    format!("{placement} {} {} {} {} {}", rest[1], rest[2], rest[3], rest[4], rest[5]).parse().ok()
}

/// Moving an unseen man between unseen squares changes nothing I see, unless a pawn of mine looks at one of
/// the two squares: straight ahead it notices blockers, diagonally ahead it sees victims.
#[test]
fn a_view_depends_only_on_what_the_rules_say() {
    let mut moved = 0;
    let mut random = Random::new(9);
    for board in boards(40).into_iter().filter(|board| board.en_passant().is_none()) {
        for player in Color::ALL {
            let seen = lit(&board, player);
            let (unseen_men, unseen_empty): (Vec<Square>, Vec<Square>) =
                (!seen).into_iter().partition(|&square| board.colors(!player).has(square));
            let watched = pawn_watch(&board, player);
            let free = |square: &&Square| !watched.has(**square);
            let men: Vec<Square> = unseen_men.iter().filter(free).copied().collect();
            let targets: Vec<Square> = unseen_empty.iter().filter(free).copied().collect();
            let (Some(&from), Some(&to)) = (random.pick(&men), random.pick(&targets)) else { continue };
            // Displacing may break what a FEN promises (castling rights, pawns on the last rank): skip those.
            let Some(other) = displaced(&board, from, to) else { continue };
            assert_eq!(View::of(&board, player), View::of(&other, player), "{board} {from} {to} {player:?}");
            moved += 1;
        }
    }
    assert!(moved > 3000, "only {moved} cases");
}

/// The squares whose occupation the pawns of `player` notice though they may not see it.
fn pawn_watch(board: &Board, player: Color) -> BitBoard {
    let forward = if player == Color::White { 1 } else { -1 };
    let mut watched = BitBoard::EMPTY;
    for pawn in board.men(player, Piece::Pawn) {
        for (file, rank) in [(0, forward), (0, 2 * forward), (-1, forward), (1, forward)] {
            watched |= pawn.try_offset(file, rank).map_or(BitBoard::EMPTY, Square::bitboard);
        }
    }
    watched
}

/// The side to move knows its moves: they follow from the view, square by square.
#[test]
fn every_target_of_a_move_is_seen() {
    for board in boards(60) {
        let seen = lit(&board, board.side());
        for m in slow_moves(&board, board.side()) {
            assert!(seen.has(m.to()), "{board} {m}");
            assert!(board.captured_by(m).is_none_or(|(square, _)| seen.has(square)), "{board} {m}");
        }
    }
}
