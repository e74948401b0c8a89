//! The invariant of metapositions, against exact beliefs; and what single messages tell.

use scuro_core::Random;
use scuro_games::chess::{Board, File, Piece, Square};
use scuro_games::kriegspiel::{Kriegspiel, Position, Ruleset};
use scuro_games::player_of;
use scuro_games::umpire::Umpire;
use scuro_search::belief::Belief;

use super::weights::Weights;
use super::*;
use crate::play::tell_one;
use crate::rivals::random::RandomMover;

/// The most positions of an exact belief; past that the true position and a sample are looked at.
const BOUND: usize = 500;

fn darkboard(game: Kriegspiel, color: Color, seed: u64) -> Darkboard {
    Darkboard::new(game, color, Evaluation::new(Weights::default(), true), None, seed)
}

/// Why a metaposition does not cover a position, if it does not.
fn uncovered(meta: &Metaposition, board: &Board) -> Option<String> {
    let them = !meta.me();
    for square in Square::ALL {
        let covered = match board.man_on(square) {
            Some((color, piece)) if color == them => meta.may(piece).has(square),
            Some((_, piece)) => meta.own.pieces(piece).has(square),
            None => meta.empty.has(square),
        };
        if !covered {
            return Some(format!("{square} of {board}"));
        }
    }
    for file in File::ALL {
        let pawns = (board.men(them, Piece::Pawn) & file.bitboard()).len() as u8;
        let held = meta.files[file as usize];
        if !(held.least..=held.most).contains(&pawns) {
            return Some(format!("{held:?} pawns on the file of {file} of {board}"));
        }
    }
    let pieces = board.colors(them).len() as u8;
    let pawns = board.men(them, Piece::Pawn).len() as u8;
    let counted = pieces == meta.army && pawns <= meta.pawns;
    (!counted).then(|| format!("{} pieces and {} pawns of {board}", meta.army, meta.pawns))
}

/// One side of a game whose metaposition is watched.
struct Watched {
    player: Darkboard,
    belief: Belief<Position>,
}

impl Watched {
    fn check(&self, truth: &Board, words: &str) {
        let meta = self.player.metaposition();
        let positions = self.belief.positions().iter().map(Position::board);
        for board in positions.chain([truth]) {
            let missing = uncovered(meta, board);
            assert_eq!(missing, None, "{} as {:?}: {words}", self.player.game.ruleset, meta.me());
        }
    }
}

/// Plays a game in which White and Black are `random` or `darkboard`, and checks both metapositions at every ply.
fn watch(game: Kriegspiel, players: [bool; 2], plies: usize, seed: u64) {
    let mut umpire = Umpire::new(game);
    let position = Position::of(umpire.state());
    let mut watched = Color::ALL.map(|color| Watched {
        player: darkboard(game, color, seed),
        belief: Belief::certain(position, BOUND, seed),
    });
    let mut movers = Color::ALL.map(|color| RandomMover::new(seed ^ color as u64));
    let mut line = String::new();
    for _ in 0..plies {
        let Some(side) = umpire.turn() else { break };
        let choices = umpire.choices();
        let own = &mut watched[side as usize].player;
        let action = if players[side as usize] {
            own.choose(&choices, Allowance::Nodes(60)).unwrap()
        } else {
            Contestant::<Kriegspiel>::choose(&mut movers[side as usize], &choices, Allowance::Nodes(1))
                .unwrap()
        };
        umpire.play(side, action).unwrap();
        line.push_str(&format!(" {action}"));
        if umpire.outcome().is_some() {
            break;
        }
        for (color, watched) in Color::ALL.into_iter().zip(&mut watched) {
            tell_one(&umpire, color, side, action, &mut watched.player);
            let Some(told) = umpire.told(color) else { continue };
            let own = (color == side).then_some(action);
            if watched.belief.advance(&game, player_of(color), own, told).is_err() {
                // A sample may run empty; the truth fits always.
                watched.belief = Belief::certain(Position::of(umpire.state()), BOUND, seed);
            }
            watched.check(umpire.state().board(), &line);
        }
    }
}

#[test]
fn what_is_ruled_out_is_never_there() {
    for ruleset in Ruleset::ALL {
        let game = Kriegspiel { ruleset, ..Kriegspiel::default() };
        for seed in 0..6 {
            watch(game, [false, false], 300, seed);
        }
        for seed in 0..2 {
            watch(game, [true, seed % 2 == 0], 300, seed);
        }
    }
}

/// Positions where pawns pass, promote and castle soon.
#[test]
fn what_is_ruled_out_is_never_there_in_odd_positions() {
    for fen in [
        "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
        "4k3/1P1P1P2/8/8/8/8/1p1p1p2/4K3 b - - 0 1",
        "3qk3/8/8/2pPp3/3pP3/8/8/3QK3 w - - 0 1",
        "8/8/3k4/8/8/4K3/8/R7 w - - 0 1",
        "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w KQkq - 0 1",
    ] {
        for ruleset in Ruleset::ALL {
            let game = Kriegspiel { ruleset, start: fen.parse().unwrap() };
            for seed in 0..3 {
                watch(game, [false, false], 120, seed);
            }
            watch(game, [true, true], 120, 1);
        }
    }
}
