//! Weights of beliefs against Bayes by hand: all histories of the opponent are played by the rules, each as likely as the
//! model says of its moves, and what does not fit what was told is dropped.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use scuro_agents::name::{Believing, Eval, Obscuro};
use scuro_agents::opponent::Model;
use scuro_agents::opponent::table::{Captures, Look, Table};
use scuro_agents::player::{Believer, Leaves, Playable, Seen};
use scuro_core::{Game, Positions, Random};
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Board, Color, Move, Square};
use scuro_games::fog::FogOfWar;
use scuro_games::kriegspiel::{Kriegspiel, KriegspielState, Ruleset, Try};
use scuro_games::player_of;
use scuro_games::rbc::{Phase, Rbc, RbcAction, RbcState};
use scuro_games::umpire::Umpire;
use scuro_search::belief::Belief;
use scuro_search::weigh::{OpponentModel, Weigher};

type Values = Leaves<Box<dyn Evaluator + Send>>;

/// Positions with few pieces: all histories of a few turns can be played.
const FEW: [&str; 4] = [
    "4k3/8/3p4/8/8/4P3/8/4K3 w - - 0 1",
    "8/8/2nk4/8/8/3R4/8/4K3 w - - 0 1",
    "4k2r/7p/8/8/8/8/8/R3K3 w Qk - 0 1",
    "8/P6k/8/8/8/8/6p1/4K3 w - - 0 1",
];

/// What is different by hand.
trait ByHand: Playable {
    /// What the side to move can do at a state, each with the move that the model asks about, if it is one.
    fn turns(&self, state: &Self::State) -> Vec<(Self::Action, Option<Option<Move>>)>;
}

impl ByHand for FogOfWar {
    fn turns(&self, state: &Self::State) -> Vec<(Move, Option<Option<Move>>)> {
        let mut moves = Vec::new();
        self.actions(state, &mut moves);
        moves.into_iter().map(|m| (m, Some(Some(m)))).collect()
    }
}

impl ByHand for Kriegspiel {
    fn turns(&self, state: &KriegspielState) -> Vec<(Try, Option<Option<Move>>)> {
        let mut moves = Vec::new();
        if state.outcome().is_none() {
            state.board().legal(&mut moves);
        }
        moves.into_iter().map(|m| (Try::Move(m), Some(Some(m)))).collect()
    }
}

impl ByHand for Rbc {
    fn turns(&self, state: &RbcState) -> Vec<(RbcAction, Option<Option<Move>>)> {
        if state.phase() == Phase::Sense {
            return vec![(RbcAction::Sense(None), None)];
        }
        let mut moves = Vec::new();
        state.board().pseudo_legal(&mut moves);
        let moves = moves.into_iter().map(Some).chain([None]);
        moves.map(|m| (RbcAction::Request(m), Some(m))).collect()
    }
}

fn leaves<G: Playable>(game: &G) -> Values {
    Leaves::new(Eval::Net.evaluators(1, game.value_rules()).unwrap().remove(0))
}

/// The probability of each move on a board: a softmax of what the positions after them are worth, or products of the table.
fn probabilities<G: Playable>(
    board: &Board,
    moves: &[Option<Move>],
    captures: Option<Captures>,
    values: Option<&mut Values>,
) -> Vec<f64> {
    let (mix, shares): (f64, Vec<f64>) = match values {
        Some(values) => {
            let sign = if board.side() == Color::White { 1.0 } else { -1.0 };
            let value = |m: &Option<Move>| {
                let mut after = *board;
                match m {
                    Some(m) => after.make(*m),
                    None => after.pass(),
                }
                if after.king(after.side()).is_none() { 1.0 } else { sign * values.value(&after) }
            };
            let worth: Vec<f64> = moves.iter().map(value).collect();
            (G::HABITS.mix, worth.into_iter().map(|value| (value / G::HABITS.temperature).exp()).collect())
        }
        None => {
            let (look, table) = (Look::of(board, captures), Table::of(G::VARIANT));
            let weight = |m: &Option<Move>| {
                m.map_or(table.pass(), |m| table.weight(&look, board.piece_there(m.from()), m))
            };
            (0.03, moves.iter().map(weight).collect())
        }
    };
    let total: f64 = shares.iter().sum();
    shares.iter().map(|share| (1.0 - mix) * share / total + mix / moves.len() as f64).collect()
}

/// Follows random games from one side and compares the weights after everything it is told.
fn compare<G: ByHand>(game: &G, seed: u64, careful: bool) -> usize {
    let (color, mut random) = (Color::White, Random::new(seed));
    let mut umpire = Umpire::new(game.clone());
    let mut histories = vec![(game.start(), 1.0)];
    let mut belief = Belief::certain(game.position(&game.start()), 1_000_000, seed);
    let (mut by_model, mut by_hand) = (leaves(game), leaves(game));
    let mut compared = 0;
    // Positions do not know what was repeated: three times takes eight moves.
    while histories.len() < 3_000 && G::true_board(umpire.state()).number() < 4 {
        let Some(mover) = umpire.turn() else { break };
        let choices = game.turns(umpire.state());
        let own_tries = umpire.choices();
        // The own side also tries what is refused.
        let action =
            if mover == color { *random.pick(&own_tries).unwrap() } else { random.pick(&choices).unwrap().0 };
        let heard = umpire.seat(color).heard().to_vec();
        // The last three moves that were announced, by hand.
        let announced: Vec<Option<Square>> =
            heard.iter().filter_map(|heard| G::captured(&heard.told)).collect();
        let captures = [1, 2, 3].map(|back| announced.len().checked_sub(back).and_then(|i| announced[i]));
        let captures = G::TELLS_CAPTURES.then_some(captures);
        umpire.play(mover, action).unwrap();
        let Some(told) = umpire.told(color).filter(|_| umpire.outcome().is_none()) else { continue };
        let own = (mover == color).then_some(action);
        let mut next = Vec::new();
        for (state, weight) in &histories {
            if own.is_some() {
                next.push((game.play(state, action), *weight));
                continue;
            }
            let turns = game.turns(state);
            let moves: Vec<Option<Move>> = turns.iter().filter_map(|(_, m)| *m).collect();
            let values = careful.then_some(&mut by_hand);
            let shares = probabilities::<G>(G::true_board(state), &moves, captures, values);
            for (i, (action, m)) in turns.into_iter().enumerate() {
                next.push((game.play(state, action), weight * if m.is_some() { shares[i] } else { 1.0 }));
            }
        }
        next.retain(|(state, _)| game.told(state, player_of(color)).as_ref() == Some(told));
        histories = next;
        let mut models = [Model::new(game, Some(&mut by_model))];
        models[0].listen(heard.iter().rev().map(|heard| &heard.told));
        let careful = if careful { usize::MAX } else { 0 };
        let weigher = Weigher { models: &mut models, careful };
        belief.weigh(game, player_of(color), own, told, weigher).unwrap();
        let total: f64 = histories.iter().map(|(_, weight)| weight).sum();
        let mut sums: BTreeMap<G::Position, f64> = BTreeMap::new();
        for (state, weight) in &histories {
            *sums.entry(game.position(state)).or_default() += weight / total;
        }
        assert_eq!(sums.len(), belief.positions().len(), "game {seed}");
        for (position, sum) in &sums {
            let weight = belief.weight(position);
            assert!(
                (weight - sum).abs() < 1e-9,
                "{} {seed}, {position:?}: {weight} is {sum} by hand",
                G::VARIANT
            );
        }
        let whole: f64 = belief.weights().unwrap().iter().sum();
        assert!((whole - 1.0).abs() < 1e-9);
        compared += usize::from(histories.len() > 1);
    }
    compared
}

#[test]
fn weights_are_bayes_by_hand() {
    let mut compared = [0; 3];
    for seed in 0..24 {
        let start: Board = FEW[seed as usize % FEW.len()].parse().unwrap();
        let careful = seed % 8 < 4;
        compared[0] += compare(&FogOfWar { start }, seed, careful);
        compared[1] += compare(&Kriegspiel { start, ruleset: Ruleset::Icc }, seed, careful);
        compared[2] += compare(&Rbc { start, ..Rbc::default() }, seed, careful);
    }
    assert!(compared.iter().all(|&times| times > 60), "{compared:?}");
}

/// A random game, told to a believer that keeps few positions.
fn follow<G: Playable>(
    game: &G,
    name: &Obscuro,
    seed: u64,
    mut visit: impl FnMut(&Umpire<G>, &Believer<G>, Seen),
) {
    let mut random = Random::new(seed);
    let mut umpire = Umpire::new(game.clone());
    let mut believer = Believer::of(game.clone(), Color::White, name, 1);
    let mut leaves = [leaves(game)];
    for _ in 0..120 {
        let Some(mover) = umpire.turn() else { return };
        let action = *random.pick(&umpire.choices()).unwrap();
        umpire.play(mover, action).unwrap();
        let Some(told) = umpire.told(Color::White).filter(|_| umpire.outcome().is_none()) else { continue };
        let own = (mover == Color::White).then_some(action);
        let seen = believer.see(own, told, |_| true, &mut leaves).unwrap();
        visit(&umpire, &believer, seen);
    }
}

/// Beliefs that are far too small are refilled by positions that follow from earlier turns, and are never empty. What they
/// hold has the player's own pieces, and fits the last thing it was told by the rules.
fn recovers<G: Playable>(game: &G, believing: Believing) -> [usize; 2] {
    let name = Obscuro { belief: Some(believing), positions: Some(40), ..Obscuro::default() };
    let mut counts = [0; 2];
    for seed in 0..12 {
        let mut last = [0; 2];
        follow(game, &name, seed, |umpire, believer, seen| {
            let belief = believer.belief();
            assert!(!belief.positions().is_empty() && belief.positions().len() <= 40);
            let truth = G::true_board(umpire.state());
            for position in belief.positions() {
                let board = G::board(position);
                assert_eq!(board.side(), truth.side());
                assert_eq!(board.colors(Color::White), truth.colors(Color::White), "game {seed}");
            }
            let now = [believer.refilled(), believer.invented()];
            assert_eq!(now[0] > last[0], seen == Seen::Refilled);
            assert_eq!(now[1] > last[1], seen == Seen::Invented);
            if seen == Seen::Invented && believing == Believing::Weighted {
                assert!((belief.invented() - 1.0).abs() < 1e-9);
            }
            last = now;
        });
        counts = [counts[0] + last[0], counts[1] + last[1]];
    }
    counts
}

#[test]
fn thin_beliefs_are_refilled() {
    for believing in [Believing::Uniform, Believing::Weighted] {
        let fog = recovers(&FogOfWar::default(), believing);
        let kriegspiel = recovers(&Kriegspiel::default(), believing);
        let rbc = recovers(&Rbc::default(), believing);
        for [refilled, invented] in [fog, kriegspiel, rbc] {
            assert!(refilled > 20 && refilled > invented, "{fog:?} {kriegspiel:?} {rbc:?}");
        }
    }
}

/// The same seed gives the same weights, with one thread and with several.
#[test]
fn weights_do_not_depend_on_threads() {
    let weigh = |threads: usize| {
        let game = Kriegspiel::default();
        let mut random = Random::new(3);
        let mut umpire = Umpire::new(game);
        let mut belief = Belief::certain(game.position(&game.start()), 3_000, 7);
        for _ in 0..40 {
            let mover = umpire.turn().unwrap();
            let action = *random.pick(&umpire.choices()).unwrap();
            umpire.play(mover, action).unwrap();
            let Some(told) = umpire.told(Color::White) else { continue };
            let own = (mover == Color::White).then_some(action);
            let mut models: Vec<Model<'_, Kriegspiel, Box<dyn Evaluator + Send>>> =
                (0..threads).map(|_| Model::new(&game, None)).collect();
            let weigher = Weigher { models: &mut models, careful: 0 };
            belief.weigh(&game, player_of(Color::White), own, told, weigher).unwrap();
        }
        assert!(belief.is_sample());
        (belief.positions().to_vec(), belief.weights().unwrap().to_vec())
    };
    let one = weigh(1);
    assert!(one.0.len() > 100, "{}", one.0.len());
    assert!(one == weigh(2) && one == weigh(3));
}
