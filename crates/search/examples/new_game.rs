//! A new game from nothing to its solution: one player hides a coin in one of three cups, the other gets a hint
//! that is wrong one time in four, and looks into one cup. The left cup pays the hider double.
//!
//!     cargo run --release -p scuro-search --example new_game

use scuro_core::laws::{Walk, check};
use scuro_core::{Game, Player, Turn};
use scuro_search::exact::equilibrium;
use scuro_search::solve::{Method, Solver, Updates};
use scuro_search::tree::Tree;

struct Cups;

/// The cup with the coin, the hint, and the cup that was looked into, as far as the game has come.
#[derive(Clone, Copy, Default)]
struct State {
    coin: Option<u8>,
    hint: Option<u8>,
    guess: Option<u8>,
}

impl Game for Cups {
    type State = State;
    type Action = u8;
    /// The cup that is shown, if one is, and whether the game is over.
    type Told = (Option<u8>, bool);

    fn start(&self) -> State {
        State::default()
    }
    fn turn(&self, state: &State) -> Turn {
        match *state {
            State { coin: None, .. } => Turn::Player(Player::One),
            State { hint: None, .. } => Turn::Chance,
            State { guess: None, .. } => Turn::Player(Player::Two),
            State { coin, guess, .. } if coin == guess => Turn::Over(-0.5),
            State { coin, .. } => Turn::Over(if coin == Some(0) { 1.0 } else { 0.5 }),
        }
    }
    fn actions(&self, state: &State, out: &mut Vec<u8>) {
        if state.guess.is_none() {
            out.extend(0..3);
        }
    }
    fn chances(&self, state: &State, out: &mut Vec<f64>) {
        out.extend((0..3).map(|cup| if Some(cup) == state.coin { 0.75 } else { 0.125 }));
    }
    fn play(&self, state: &State, cup: u8) -> State {
        match *state {
            State { coin: None, .. } => State { coin: Some(cup), ..*state },
            State { hint: None, .. } => State { hint: Some(cup), ..*state },
            _ => State { guess: Some(cup), ..*state },
        }
    }
    fn told(&self, state: &State, player: Player) -> Option<(Option<u8>, bool)> {
        // Both notice every ply; only the seeker sees the hint; at the end all is shown.
        let shown = match state {
            State { guess: Some(_), coin, .. } => *coin,
            State { hint: Some(hint), .. } if player == Player::Two => Some(*hint),
            _ => None,
        };
        Some((shown, state.guess.is_some()))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    check(&Cups, &[Walk::All { plies: 3 }])?;
    let tree = Tree::of_game(&Cups, 1_000, |_, _, _| ())?;
    let mut solver = Solver::new(&tree, Method::PredictiveCfrPlus, Updates::Alternating);
    (0..1_000).for_each(|_| solver.iterate());
    let average = solver.average();
    println!("value {:.6}, exploitability {:.1e}", average.value(&tree), average.exploitability(&tree));
    println!("exactly {:.6}", equilibrium(&tree)?.value);
    println!("hide in cup 1, 2, 3: {:.3?}", &average.0[tree.infosets()[0].slots()]);
    Ok(())
}
