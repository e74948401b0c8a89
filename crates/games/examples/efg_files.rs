//! Writes small games as Gambit files, and beside each the nodes that a reader should find in it, for
//! `scripts/check_efg.py` to load with OpenSpiel.
//!
//! `cargo run --release -p scuro-games --example efg_files -- DIRECTORY`
//!
//! A line of NAME.nodes is a node, in the order of a walk that goes down first: `end PAYOFF` to player one, `chance
//! PROBABILITY...`, or `choice PLAYER KEY` where KEY is all that the player knows.

use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

use scuro_core::{Game, Node, Turn};
use scuro_games::toy::{Visit, efg, parse};

const GAMES: [&str; 9] = [
    "kuhn",
    "kuhn:5",
    "leduc",
    "liars-dice:3",
    "goofspiel:4:increasing",
    "dark-hex:2x2",
    "matching-pennies:100",
    "proposition3:10",
    "phantom-ttt:xox.o....",
];

struct List;

impl Visit for List {
    type Output = (String, String);

    fn game<G: Game>(self, game: &G) -> (String, String) {
        let mut nodes = String::new();
        list(game, &Node::start(game), &mut nodes);
        (efg::write(game, "a small game"), nodes)
    }
}

fn list<G: Game>(game: &G, node: &Node<G::State>, out: &mut String) {
    let mut actions = Vec::new();
    game.actions(&node.state, &mut actions);
    let line = match game.turn(&node.state) {
        Turn::Over(payoff) => format!("end {}", game.raw().raw(payoff)),
        Turn::Chance => {
            let mut chances = Vec::new();
            game.chances(&node.state, &mut chances);
            chances.iter().fold("chance".to_owned(), |line, chance| format!("{line} {chance}"))
        }
        Turn::Player(player) => {
            let index = player.index();
            format!("choice {index} {:x} {}", node.keys[index].number(), actions.len())
        }
    };
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{line}");
    for action in actions {
        list(game, &node.play(game, action), out);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let directory = PathBuf::from(env::args().nth(1).ok_or("expected a directory to write to")?);
    fs::create_dir_all(&directory)?;
    for name in GAMES {
        let (text, nodes) = parse(name)?.visit(List);
        let file = directory.join(name.replace(':', "_"));
        fs::write(file.with_extension("efg"), text)?;
        fs::write(file.with_extension("nodes"), nodes)?;
    }
    println!("wrote {} games to {}", GAMES.len(), directory.display());
    Ok(())
}
