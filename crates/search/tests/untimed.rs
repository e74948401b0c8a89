//! The player in games that are not timeable: a refused try leaves the same side to move, and the other side need not
//! notice it. The carried tree is measured exactly.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Instant;

use scuro_core::{Game, Node, Player, Turn};
use scuro_games::kriegspiel::{Kriegspiel, KriegspielState, Ruleset, Told, Try};
use scuro_games::toy::PhantomTicTacToe;
use scuro_search::agent::{Agent, Budget, Settings, whole_strategy};
use scuro_search::carry::{Carrying, FromBelief};
use scuro_search::choose::Purify;
use scuro_search::exact::ground::Ground;
use scuro_search::grow::EndsOnly;
use scuro_search::measure::{Bounds, Measure};
use scuro_search::solve::{Method, Solver, Updates};
use scuro_search::tree::Tree;

/// Kriegspiel that is drawn after so many plies; both are told of that.
#[derive(Clone, Copy)]
struct Cut {
    game: Kriegspiel,
    plies: u32,
}

impl Game for Cut {
    type State = (KriegspielState, u32);
    type Action = Try;
    type Told = (Option<Told>, bool);

    fn start(&self) -> Self::State {
        (self.game.start(), self.plies)
    }
    fn turn(&self, (state, left): &Self::State) -> Turn {
        match self.game.turn(state) {
            Turn::Player(_) if *left == 0 => Turn::Over(0.0),
            turn => turn,
        }
    }
    fn actions(&self, (state, left): &Self::State, out: &mut Vec<Try>) {
        if *left > 0 {
            self.game.actions(state, out);
        }
    }
    fn play(&self, (state, left): &Self::State, action: Try) -> Self::State {
        (self.game.play(state, action), left - 1)
    }
    fn told(&self, (state, left): &Self::State, player: Player) -> Option<Self::Told> {
        let (told, cut) = (self.game.told(state, player), *left == 0);
        (told.is_some() || cut).then_some((told, cut))
    }
    fn timeable(&self) -> bool {
        false
    }
}

/// What each seat loses to a best response, and the value of the game, which PCFR+ on the whole tree knows.
fn losses<G: Game<State: Send, Action: Send> + Clone + Sync>(
    game: &G,
    order: Option<u32>,
    iterations: u64,
) -> ([f64; 2], f64) {
    let ground = Ground::of_game(game, Tree::of_game(game, 2_000_000, |_, _, _| ()).unwrap());
    let mut solver = Solver::new(&ground.tree, Method::PredictiveCfrPlus, Updates::Alternating);
    (0..200).for_each(|_| solver.iterate());
    let measure = Measure::of(&ground.tree, &solver.average());
    assert!(measure.exploitability() < 1e-4, "{measure:?}");
    let value = Bounds::of(&measure).middle();
    let usual = Settings::default();
    let settings = Settings { carrying: Carrying { order, ..usual.carrying }, purify: Purify::Raw, ..usual };
    let budget = Budget::Whole { nodes: 2_000_000, iterations };
    let losses = Player::BOTH.map(|me| {
        let strategy = whole_strategy(game, &ground, me, settings, &mut EndsOnly, budget, || ());
        let answer = strategy.best_response(&ground.tree, me.other());
        let worth = if me == Player::One { value } else { -value };
        worth + answer
    });
    (losses, value)
}

/// King and rook against king. White has to guess where the king went, and may ask by tries: the value is one half.
#[test]
fn king_and_rook_against_king() {
    for (fen, plies) in [("k7/8/2K5/8/8/8/7R/8 w - - 0 1", 4), ("8/k7/2K5/8/8/8/1R6/8 w - - 0 1", 6)] {
        let start = fen.parse().unwrap();
        let game = Cut { game: Kriegspiel { start, ruleset: Ruleset::Icc }, plies };
        for order in [None, Some(2), Some(1)] {
            let (losses, value) = losses(&game, order, 60);
            assert!((value - 0.5).abs() < 1e-3, "{value}");
            assert!(losses.iter().all(|loss| *loss < 0.01), "{fen}, order {order:?}: {losses:?}");
        }
    }
}

/// Phantom tic-tac-toe from boards with a few stones, at every order.
#[test]
fn phantom_tic_tac_toe() {
    for board in ["xo..x.o..", "x.o.o...x"] {
        let game = PhantomTicTacToe { start: board.parse().unwrap() };
        for order in [None, Some(2), Some(1)] {
            let (losses, _) = losses(&game, order, 100);
            let most = if order.is_none() { 0.001 } else { 0.01 };
            assert!(losses.iter().all(|loss| *loss < most), "{board}, order {order:?}: {losses:?}");
        }
    }
}

/// A refused try leaves me to move with more knowledge: the tree below it is carried over as after any turn, with all
/// that was learnt there.
#[test]
fn a_refused_try_carries_the_tree() {
    let start = "8/k7/2K5/8/8/8/1R6/8 w - - 0 1".parse().unwrap();
    let game = Cut { game: Kriegspiel { start, ruleset: Ruleset::Icc }, plies: 5 };
    let mut agent = Agent::new(Player::One, Settings::default());
    let before = Node::start(&game);
    let budget = Budget::Whole { nodes: 2_000_000, iterations: 20 };
    let key = before.keys[0];
    let thought = agent.think(&game, &mut [EndsOnly], key, |_| FromBelief::default(), budget).unwrap();
    // The black king stands beside that square.
    let action = Try::Move("c6b7".parse().unwrap());
    let after = before.play(&game, action);
    assert_eq!((game.turn(&after.state), after.keys[1]), (Turn::Player(Player::One), before.keys[1]));
    agent.play(key, action);
    let drawn = |known: &[&<Cut as Game>::State]| {
        assert!(!known.is_empty());
        FromBelief::default()
    };
    assert!(agent.prepare(&game, after.keys[0], drawn));
    let carried = agent.subgame().unwrap().nodes();
    assert!(carried > 1_000 && carried < thought.nodes, "{carried} of {}", thought.nodes);
    let nothing = Budget::Whole { nodes: 1, iterations: 1 };
    let again = agent.search(&game, &mut [EndsOnly], after.keys[0], nothing, Instant::now());
    let tried_again = again.unwrap().candidates.iter().any(|candidate| candidate.action == action);
    assert!(!tried_again, "a try that was refused is not offered again in the same turn");
}
