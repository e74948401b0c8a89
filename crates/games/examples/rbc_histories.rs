//! Writes random games of Reconnaissance Blind Chess as `GameHistory` files, for
//! `scripts/check_rbc_histories.py` to load and replay with the reference implementation.
//!
//! `cargo run --release -p scuro-games --example rbc_histories -- DIRECTORY [GAMES]`

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use scuro_core::Random;
use scuro_games::chess::{Board, Color, Move, Piece, Square};
use scuro_games::outcome::{Outcome, Reason};
use scuro_games::rbc::{Rbc, RbcGame, RbcTurn, requests};
use scuro_games::records::game_history::GameHistory;

/// The usual start, and positions that bring every special case within a few turns.
const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "4k3/1p1p1p1p/8/P1P1P1P1/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1",
    "4k3/1p1p1p1p/8/P1P1P1P1/p1p1p1p1/8/1P1P1P1P/4K3 b - - 0 9",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 90 30",
    "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1",
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let directory = PathBuf::from(arguments.next().ok_or("expected a directory to write to")?);
    let games: u64 = arguments.next().map_or(Ok(200), |text| text.parse())?;
    fs::create_dir_all(&directory)?;
    for number in 0..games {
        let history = GameHistory::of(&random_game(number)?)?;
        fs::write(directory.join(format!("game_{number:04}.json")), history.to_json())?;
    }
    println!("wrote {games} games to {}", directory.display());
    Ok(())
}

/// A game of two players who sense and request anything that is allowed. Some games have limits, and some are
/// given up, lost on time, cut, or broken off between sense and request.
fn random_game(number: u64) -> Result<RbcGame, Box<dyn Error>> {
    let mut random = Random::new(number);
    let start: Board = STARTS[number as usize % STARTS.len()].parse()?;
    let rules = Rbc {
        start,
        passed: None,
        full_turn_limit: (random.below(4) == 0).then(|| start.number() + random.below(12) as u16),
        reversible_moves_limit: Some(if random.below(4) == 0 { start.clock() + 8 } else { 100 }),
    };
    let stop = if random.below(3) == 0 { random.below(30) } else { usize::MAX };
    let mut state = rules.first();
    let mut turns = Vec::new();
    while state.outcome().is_none() && turns.len() < stop {
        let turn =
            RbcTurn { sense: any_square(&mut random), request: any_request(state.board(), &mut random) };
        state = rules.turn_played(&state, turn)?.after;
        turns.push(turn);
    }
    let mut game = RbcGame {
        rules,
        names: [format!("white {number}"), "black \"é\"".to_owned()],
        turns,
        unfinished: None,
        outcome: state.outcome(),
    };
    if game.outcome.is_none() {
        let loser = if random.below(2) == 0 { Color::White } else { Color::Black };
        game.outcome = match random.below(3) {
            0 => Some(Outcome::win(loser, Reason::Resignation)),
            1 => Some(Outcome::win(loser, Reason::Timeout)),
            _ => None,
        };
        // Without a whole turn the file would not tell the first position.
        game.unfinished = (random.below(3) == 0 && !game.turns.is_empty()).then(|| any_square(&mut random));
    }
    Ok(game)
}

fn any_square(random: &mut Random) -> Option<Square> {
    Square::try_index(random.below(66))
}

/// Any request, sometimes a pass, sometimes a promotion without its letter.
fn any_request(board: &Board, random: &mut Random) -> Option<Move> {
    if random.below(20) == 0 {
        return None;
    }
    let mut list = Vec::new();
    requests(board, &mut list);
    let &request = random.pick(&list)?;
    let plain = request.promotion() == Some(Piece::Queen) && random.below(2) == 0;
    Some(if plain { Move::new(request.from(), request.to()) } else { request })
}
