//! Endings in Fog of War: `obscuro` against a lone king.

use std::time::Duration;

use scuro_agents::contestant::{Allowance, Contestant};
use scuro_agents::name::Obscuro;
use scuro_agents::player::Player;
use scuro_agents::rivals::fleeing::{Fleeing, Omniscient};
use scuro_agents::rivals::random::RandomMover;
use scuro_core::Random;
use scuro_games::chess::{Board, Castling, Color, Move, Piece, Square};
use scuro_games::fog::{FogOfWar, FogState};
use scuro_games::outcome::Outcome;

use super::{Against, Arguments, Interrupt, Results, play, progress};

/// Plays so many games, each from a position of its own that both players know.
pub(super) fn games(arguments: &Arguments, games: u32, interrupt: &Interrupt) -> anyhow::Result<Results> {
    let time = arguments.movetime.unwrap_or(Duration::from_millis(100));
    let bar = progress("games", Some(u64::from(games)));
    let mut results = Results::default();
    for seed in (arguments.seed..).take(games as usize) {
        if interrupt.asked() {
            break;
        }
        let start = fair_start(arguments.ending.pieces(), &mut Random::new(seed));
        let (outcome, moves) = game(start, arguments.against, seed, Allowance::Time(time))?;
        results.add(outcome, moves);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(results)
}

/// One game: `obscuro` against a king that moves at random or flees.
fn game(start: Board, against: Against, seed: u64, allowance: Allowance) -> anyhow::Result<(Outcome, u16)> {
    let game = FogOfWar { start };
    let mut name = Obscuro::default();
    name.settings.seed = seed;
    let mut white = Player::new(game, Color::White, &name, None)?;
    let (mut random, mut fleeing) = (RandomMover::new(seed), Fleeing::new(seed));
    let black = |truth: &FogState, choices: &[Move], _: &Player<FogOfWar>| match against {
        Against::Random => Contestant::<FogOfWar>::choose(&mut random, choices, allowance),
        Against::Worst | Against::Fleeing => Ok(Omniscient::<FogOfWar>::choose(&mut fleeing, truth, choices)),
    };
    play(game, &mut white, black, allowance)
}

/// A random position, White to move, in which neither king and no undefended piece can be taken at once.
fn fair_start(pieces: &[Piece], random: &mut Random) -> Board {
    loop {
        let white = pieces.iter().chain([&Piece::King]).map(|&piece| (Color::White, piece));
        let placed: Vec<(Color, Piece, Square)> = white
            .chain([(Color::Black, Piece::King)])
            .map(|(color, piece)| (color, piece, Square::index(random.below(64))))
            .collect();
        let apart = |(index, (_, piece, square)): (usize, &(Color, Piece, Square))| {
            placed[..index].iter().all(|(_, _, other)| other != square)
                && (*piece != Piece::Pawn || (1..7).contains(&(square.rank() as usize)))
        };
        if placed.iter().enumerate().all(apart) {
            let board = Board::set_up(Color::White, placed, Castling::NONE, None);
            if is_fair(&board) {
                return board;
            }
        }
    }
}

fn is_fair(board: &Board) -> bool {
    let free = |square| !board.attacked(square, Color::Black) || board.attacked(square, Color::White);
    let kings = Color::ALL.into_iter().any(|color| board.in_check(color));
    !kings && board.colors(Color::White).into_iter().all(free)
}
