//! Games before they are solved: how large they are, and which laws they must keep.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use scuro_core::{Game, Player, Turn};
use scuro_games::toy::{LiarsDice, PhantomTicTacToe};
use scuro_search::size::{BYTES_A_NODE, estimate, needed};
use scuro_search::solve::{Method, Solver, Updates};
use scuro_search::tree::{Tree, TreeError};

fn nodes(game: &impl Game) -> f64 {
    Tree::of_game(game, 10_000_000, |_, _, _| ()).unwrap().nodes() as f64
}

#[test]
fn estimates_are_near_the_truth() {
    let dice = LiarsDice::new(5).unwrap();
    let phantom = PhantomTicTacToe { start: "xoxo.....".parse().unwrap() };
    for (estimated, counted) in [(estimate(&dice), nodes(&dice)), (estimate(&phantom), nodes(&phantom))] {
        assert!((0.8..1.25).contains(&(estimated / counted)), "{estimated} {counted}");
    }
}

/// What is set aside for a solver is at least what it takes, and not much.
#[test]
fn solvers_take_what_is_set_aside() {
    let tree = Tree::of_game(&LiarsDice::new(5).unwrap(), 100_000, |_, _, _| ()).unwrap();
    let solver = Solver::new(&tree, Method::PredictiveCfrPlus, Updates::Alternating);
    let taken = tree.bytes() + solver.bytes();
    assert!((taken..taken + taken / 2).contains(&needed(&tree)), "{taken} {}", needed(&tree));
    assert!((needed(&tree) as f64) < BYTES_A_NODE * tree.nodes() as f64);
}

/// Chance says a word, and player one another, without having heard the first.
struct Broken {
    /// Whether she has more words after the second of chance.
    unequal: bool,
    payoff: f64,
}

impl Game for Broken {
    type State = Vec<u8>;
    type Action = u8;
    type Told = ();

    fn start(&self) -> Vec<u8> {
        Vec::new()
    }

    fn turn(&self, said: &Vec<u8>) -> Turn {
        match said.len() {
            0 => Turn::Chance,
            1 => Turn::Player(Player::One),
            _ => Turn::Over(self.payoff),
        }
    }

    fn actions(&self, said: &Vec<u8>, out: &mut Vec<u8>) {
        out.extend(0..if self.unequal && said.first() == Some(&1) { 3 } else { 2 });
    }

    fn play(&self, said: &Vec<u8>, word: u8) -> Vec<u8> {
        said.iter().copied().chain([word]).collect()
    }

    fn told(&self, _: &Vec<u8>, _: Player) -> Option<()> {
        None
    }
}

#[test]
fn broken_laws_are_refused() {
    let written = |unequal, payoff| Tree::of_game(&Broken { unequal, payoff }, 100, |_, _, _| ()).map(|_| ());
    assert_eq!(written(false, 1.0), Ok(()));
    assert_eq!(written(true, 1.0), Err(TreeError::Actions { player: Player::One }));
    assert_eq!(written(false, -1.5), Err(TreeError::Payoff { payoff: -1.5 }));
    assert!(matches!(written(false, f64::NAN), Err(TreeError::Payoff { .. })));
    let small = Tree::of_game(&Broken { unequal: false, payoff: 0.0 }, 5, |_, _, _| ());
    assert_eq!(small.map(|_| ()), Err(TreeError::TooLarge { limit: 5 }));
}
