//! The traps that others, and we, fell into: each has a test that fails when the trap is put back in.
//!
//! | trap | held by |
//! |---|---|
//! | 1 Resolve is computed, then everything is entered | here, and `gadget::tests::resolve_enters_only_where_it_pays` |
//! | 2 Maxmargin's choice is mine | here, and `gadget::tests::maxmargin_goes_where_i_do_worst` |
//! | 3 the node inside a class is drawn evenly | here |
//! | 4 reach is one part in so many actions | here for weights, for iterations `averages_follow_the_curves_of_openspiel` (`solve.rs`) |
//! | 5 CFR+, its average, the best of that alone | here |
//! | 6 exploring blind to spread | here |
//! | 7 order 3 for order 2 | here, and `orders_one_two_three_on_the_drawn_example` (`knowledge.rs`) |
//! | 8 one thread | here |
//! | 9 the side that does not explore plays its best alone; probabilities for values; fresh alternates without the value expected | here |
//! | 9 the root's mixture as utilities | `gadget::tests::maxmargin_goes_where_i_do_worst` |
//! | 10 a strategy refreshed too late | here, and `the_last_iterate_converges_only_if_alternating_alternates` (`solve.rs`) |
//! | nodes of their infosets outside mine are forgotten | here |
//! | fresh positions share keys | here |
//! | values from the wrong side | here, and for chess `values_are_to_the_player` of the crate of agents |
//! | the gadget's weights as probabilities | here |
//! | noise on pmax | here, and `choose::tests::resolve_makes_it_pure` |
//! | positions without a king in the belief | `a_taken_king_is_not_believed` of the crate of agents |

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashSet;
use std::thread::{self, ThreadId};

use scuro_core::{Game, Key, Node, Player, Turn};
use scuro_games::toy::{Goofspiel, Prizes};
use scuro_search::agent::{Agent, Budget, Expect, Opening, Settings, Thought};
use scuro_search::carry::{Carrying, Fresh, FromBelief, Gift, Moved};
use scuro_search::explore::{Explore, Spread};
use scuro_search::grow::{EndsOnly, Evaluate};
use scuro_search::subgame::{Subgame, SubgameSettings};

const ONE: Turn = Turn::Player(Player::One);
const TWO: Turn = Turn::Player(Player::Two);

/// A game drawn by hand. A state is the number of a point; an action is the number of a child.
#[derive(Clone, Default)]
struct Drawn {
    points: Vec<Point>,
    start: usize,
}

#[derive(Clone)]
struct Point {
    turn: Turn,
    next: Vec<usize>,
    chances: Vec<f64>,
    /// What both players are shown on arriving.
    shown: [u64; 2],
    /// What it is worth to player one before it is looked into.
    value: f64,
}

impl Drawn {
    fn add(&mut self, turn: Turn, shown: [u64; 2], next: &[usize]) -> usize {
        let value = if let Turn::Over(payoff) = turn { payoff } else { 0.0 };
        self.points.push(Point { turn, next: next.to_vec(), chances: Vec::new(), shown, value });
        self.points.len() - 1
    }

    fn end(&mut self, payoff: f64) -> usize {
        self.add(Turn::Over(payoff), [0; 2], &[])
    }

    fn chance(&mut self, chances: &[f64], next: &[usize]) -> usize {
        let point = self.add(Turn::Chance, [0; 2], next);
        self.points[point].chances = chances.to_vec();
        point
    }

    /// A long way on which nothing is decided and everything is seen; at every step it is worth the next of `values`,
    /// and after them what the last one says.
    fn way(&mut self, values: &[f64]) -> usize {
        let last = *values.last().unwrap();
        let mut next = self.end(last);
        for step in (0..LONG).rev() {
            let word = self.points.len() as u64;
            next = self.add(ONE, [word; 2], &[next]);
            self.points[next].value = values.get(step).copied().unwrap_or(last);
        }
        next
    }

    /// The points of a way, from its first one.
    fn on_way(&self, first: usize, point: usize) -> bool {
        (first + 1 - LONG..=first).contains(&point)
    }

    /// The same game with the players' parts exchanged.
    fn mirrored(&self) -> Drawn {
        let mut game = self.clone();
        for point in &mut game.points {
            point.turn = match point.turn {
                Turn::Player(player) => Turn::Player(player.other()),
                Turn::Over(payoff) => Turn::Over(-payoff),
                Turn::Chance => Turn::Chance,
            };
            point.shown.swap(0, 1);
            point.value = -point.value;
        }
        game
    }

    /// The node after these actions.
    fn node(&self, path: &[usize]) -> Node<usize> {
        path.iter().fold(Node::start(self), |node, &action| node.play(self, action))
    }
}

/// How many points a way has.
const LONG: usize = 1500;

impl Game for Drawn {
    type State = usize;
    type Action = usize;
    /// What the point shows, and whether the game is over.
    type Told = (u64, bool);

    fn start(&self) -> usize {
        self.start
    }

    fn turn(&self, &state: &usize) -> Turn {
        self.points[state].turn
    }

    fn actions(&self, &state: &usize, out: &mut Vec<usize>) {
        out.extend(0..self.points[state].next.len());
    }

    fn chances(&self, &state: &usize, out: &mut Vec<f64>) {
        out.extend(&self.points[state].chances);
    }

    fn play(&self, &state: &usize, action: usize) -> usize {
        self.points[state].next[action]
    }

    fn told(&self, &state: &usize, player: Player) -> Option<(u64, bool)> {
        let point = &self.points[state];
        Some((point.shown[player.index()], matches!(point.turn, Turn::Over(_))))
    }
}

/// Values points as they are drawn, and remembers which were looked into.
#[derive(Default)]
struct Drawing {
    expanded: Vec<usize>,
}

impl Evaluate<Drawn> for Drawing {
    fn children(&mut self, game: &Drawn, &state: &usize, actions: &[usize], out: &mut Vec<(f64, bool)>) {
        self.expanded.push(state);
        let children = actions.iter().map(|&action| &game.points[game.points[state].next[action]]);
        out.extend(children.map(|child| (child.value, matches!(child.turn, Turn::Over(_)))));
    }
}

const WHOLE: Budget = Budget::Whole { nodes: 100_000, iterations: 1000 };

fn no_gifts() -> Carrying {
    Carrying { gift: Gift::Off, ..Settings::default().carrying }
}

/// My thought about these fresh positions, the values of which to me are told.
fn think_fresh(game: &Drawn, positions: &[(usize, f64)]) -> (Agent<Drawn>, Thought<usize>) {
    think_fresh_as(Settings::default(), game, positions)
}

fn think_fresh_as(
    settings: Settings,
    game: &Drawn,
    positions: &[(usize, f64)],
) -> (Agent<Drawn>, Thought<usize>) {
    let mut agent = Agent::new(Player::One, Settings { opening: Opening::Fresh, ..settings });
    let fresh = |_: &[&usize]| fresh(positions);
    let thought = agent.think(game, &mut [Drawing::default()], Key::START, fresh, WHOLE).unwrap();
    (agent, thought)
}

fn fresh(positions: &[(usize, f64)]) -> FromBelief<usize> {
    let fresh = positions.iter().map(|&(state, value)| Fresh { state, value, weight: 1.0 }).collect();
    FromBelief { known: Vec::new(), fresh }
}

/// Two points at which I choose between two actions, for these payoffs.
fn two_choices(payoffs: [[f64; 2]; 2]) -> (Drawn, [usize; 2]) {
    let mut game = Drawn::default();
    let points = payoffs.map(|payoffs| {
        let ends = payoffs.map(|payoff| game.end(payoff));
        game.add(ONE, [0; 2], &ends)
    });
    (game, points)
}

/// The settings of subgames that no player makes.
const SETTINGS: SubgameSettings = SubgameSettings {
    freeze: false,
    explore: Explore::One,
    spread: Spread::Variance,
    averaging: true,
    seed: 0,
};

/// The tree of a game from its start, only its root expanded.
fn rooted(game: &Drawn, settings: Settings) -> Subgame<Drawn> {
    let mut agent = Agent::new(Player::One, settings);
    assert!(agent.prepare(game, Key::START, |_| FromBelief::default()));
    let mut subgame = agent.subgame().unwrap().clone();
    subgame.grow_root(game, &mut Drawing::default());
    subgame
}

/// What a descent looked into, if it came to a leaf. Player one explores in every other one, from the first on.
fn step(subgame: &mut Subgame<Drawn>, game: &Drawn) -> Option<usize> {
    let mut drawing = Drawing::default();
    subgame.iterate();
    let leaf = subgame.descend()?;
    subgame.join(Subgame::make(game, &mut drawing, leaf));
    drawing.expanded.pop()
}

/// Trap 1. At the first position they gain by entering, at the second they do not, and there the other action would
/// be better for me: they are not there.
#[test]
fn entering_follows_resolve() {
    let (game, [entered, left]) = two_choices([[0.2, 0.0], [-0.4, 0.9]]);
    let (_, thought) = think_fresh(&game, &[(entered, 0.5), (left, -0.5)]);
    assert!(thought.candidates[0].probability > 0.999, "{thought:?}");
}

/// Trap 2. The first action has the better margin at one position and the worse one at the other, which is where they
/// go. All margins are positive, so pmax is zero: not a little more.
#[test]
fn the_class_is_theirs_to_choose() {
    let (game, [one, other]) = two_choices([[-0.4, -0.2], [0.5, -0.2]]);
    let (_, thought) = think_fresh(&game, &[(one, -0.5), (other, -0.5)]);
    assert!(thought.candidates[1].probability > 0.999, "{thought:?}");
    assert!(thought.pmax == 0.0, "{thought:?}");
}

/// Chance draws one of two numbers, hidden from both. I choose, unseen by them; they choose, unseen by me; I choose
/// again. The second of my first choices, and the second of theirs, are never made by who knows the payoffs.
fn hidden_choices() -> Drawn {
    let mut game = Drawn::default();
    let mut draws = Vec::new();
    for worth in [0.5, -0.5] {
        let mut mine = Vec::new();
        for loss in [0.0, 0.3] {
            let mut theirs = Vec::new();
            for gain in [0.0, 0.2] {
                let ends = [0.0, -0.1].map(|less| game.end(worth - loss + gain + less));
                theirs.push(game.add(ONE, [0; 2], &ends));
            }
            mine.push(game.add(TWO, [0; 2], &theirs));
        }
        draws.push(game.add(ONE, [0; 2], &mine));
    }
    game.start = game.chance(&[0.9, 0.1], &draws);
    game
}

/// The tree of that game, solved, and carried over to my second choice.
fn carried(game: &Drawn, order: Option<u32>) -> Subgame<Drawn> {
    let mut subgame = rooted(game, Settings::default());
    subgame.grow_all(game, &mut Drawing::default(), 100_000);
    for _ in 0..1000 {
        subgame.iterate();
    }
    let moved = Moved { key: game.node(&[0]).keys[0], action: 0 };
    let key = game.node(&[0, 0, 0]).keys[0];
    subgame.carry(game, moved, key, Carrying { order, ..no_gifts() }, |_| FromBelief::default(), 0.0).unwrap()
}

/// Trap 3 and the first part of 4. They know their own choice, so there are two classes; inside each a node weighs
/// what chance and I did: 0.9 and 0.1 after the choice that I make, nothing after the one that I never make, and the
/// same where they never go.
#[test]
fn inside_a_class_nodes_weigh_what_chance_and_i_did() {
    let carried = carried(&hidden_choices(), Some(2));
    let alternates = &carried.gadget().unwrap().alternates;
    let expected = [0.9 * 0.5 - 0.1 * 0.5, 0.9 * 0.5 - 0.1 * 0.5 + 0.2];
    for (found, expected) in alternates.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-9, "{alternates:?}");
    }
}

/// Trap 3 in descents: the first leaf is below the likely draw nine times of ten.
#[test]
fn descents_draw_nodes_by_weight() {
    let mut game = Drawn::default();
    let ways = [0.5, -0.5].map(|worth| game.way(&[worth]));
    let places = ways.map(|way| game.add(ONE, [0; 2], &[way]));
    let theirs = places.map(|place| game.add(TWO, [0; 2], &[place]));
    let mine = theirs.map(|place| game.add(ONE, [0; 2], &[place]));
    game.start = game.chance(&[0.9, 0.1], &mine);
    let mut likely = 0;
    for seed in 0..200 {
        let mut subgame = rooted(&game, Settings { seed, ..Settings::default() });
        for _ in 0..60 {
            step(&mut subgame, &game);
        }
        let moved = Moved { key: game.node(&[0]).keys[0], action: 0 };
        let key = game.node(&[0, 0, 0]).keys[0];
        let mut subgame =
            subgame.carry(&game, moved, key, no_gifts(), |_| FromBelief::default(), 0.0).unwrap();
        let found = step(&mut subgame, &game);
        likely += usize::from(found.is_some_and(|point| game.on_way(ways[0], point) || point == places[0]));
    }
    assert!((160..=195).contains(&likely), "{likely} of 200");
}

/// Traps 5 and 10. I choose, they choose without having seen it. The last iterate is at the only equilibrium, where
/// an average would be on its way, and both choices are played.
#[test]
fn the_last_iterate_is_played_and_mixed() {
    let mut game = Drawn::default();
    let mine = [[0.6, -0.2], [-0.3, 0.1]].map(|payoffs| {
        let ends = payoffs.map(|payoff| game.end(payoff));
        game.add(TWO, [0; 2], &ends)
    });
    game.start = game.add(ONE, [0; 2], &mine);
    let mut agent = Agent::new(Player::One, Settings::default());
    let key = Node::start(&game).keys[0];
    let thought =
        agent.think(&game, &mut [Drawing::default()], key, |_| FromBelief::default(), WHOLE).unwrap();
    let [first, second] = &thought.candidates[..] else { panic!("two choices") };
    assert!((first.probability - 1.0 / 3.0).abs() < 1e-9, "{thought:?}");
    assert!((first.played, second.played) == (first.probability, second.probability), "{thought:?}");
}

/// Trap 6. Two ways are worth the same, and a little less than the third; one of them looked better for some steps.
/// From then on it is looked into more than the other.
#[test]
fn exploring_prefers_what_has_spread() {
    let mut game = Drawn::default();
    let ways = [&[&[0.9; 12][..], &[0.0]].concat()[..], &[0.0], &[0.001]].map(|values| game.way(values));
    game.start = game.add(ONE, [0; 2], &ways);
    let mut subgame = rooted(&game, Settings::default());
    let mut counts = [0; 3];
    for round in 0..1200 {
        if let Some(point) = step(&mut subgame, &game).filter(|_| round >= 40) {
            counts[ways.iter().position(|&way| game.on_way(way, point)).unwrap()] += 1;
        }
    }
    let [wide, narrow, best] = counts;
    assert!(2 * wide > 3 * narrow && narrow > 10 && best > 10, "{counts:?}");
}

/// Trap 7, on the example of the paper's figure 2, at my second turn: I know the draw to be the first, they cannot
/// tell it from the second, I could not tell that from the third, nor they that from the fourth; the fifth is known to
/// all not to be.
#[test]
fn order_two_is_their_infosets_that_meet_mine() {
    let mut game = Drawn::default();
    let draws = [(1, 1), (2, 1), (2, 2), (3, 2), (4, 3)].map(|(mine, theirs)| {
        let end = game.end(0.0);
        let last = game.add(ONE, [mine, theirs], &[end]);
        let answer = game.add(TWO, [0; 2], &[last]);
        game.add(ONE, [0; 2], &[answer])
    });
    game.start = game.chance(&[0.2; 5], &draws);
    for (order, roots) in [(Some(1), 1), (Some(2), 2), (Some(3), 3), (None, 4)] {
        // Every root has one child.
        assert_eq!(carried(&game, order).nodes(), 2 * roots, "{order:?}");
    }
}

/// I was shown what chance drew, and they were not: what I know not to be stays in the tree, and counts as much as they
/// think that it may be. Their bluffs are aimed at it.
#[test]
fn what_they_hold_possible_stays() {
    let mut game = Drawn::default();
    let draws = [(1, -1.0), (2, 0.6)].map(|(number, payoff)| {
        let end = game.end(payoff);
        let last = game.add(ONE, [number, 0], &[end]);
        let answer = game.add(TWO, [0; 2], &[last]);
        game.add(ONE, [0; 2], &[answer])
    });
    game.start = game.chance(&[0.2, 0.8], &draws);
    let mut carried = carried(&game, Some(2));
    assert_eq!(carried.nodes(), 4, "two roots with a child each");
    carried.iterate();
    let gadget = carried.gadget().unwrap();
    assert!((gadget.alternates[0] - (0.8 * 0.6 - 0.2)).abs() < 1e-9, "{gadget:?}");
    assert!(gadget.utilities[0].abs() < 1e-9, "{gadget:?}");
}

/// An evaluator that remembers the threads that it was asked on.
#[derive(Default)]
struct Asked {
    threads: HashSet<ThreadId>,
    count: usize,
}

impl<G: Game> Evaluate<G> for Asked {
    fn children(&mut self, game: &G, state: &G::State, actions: &[G::Action], out: &mut Vec<(f64, bool)>) {
        self.threads.insert(thread::current().id());
        self.count += 1;
        EndsOnly.children(game, state, actions, out);
    }
}

/// Trap 8. With more than one evaluator the tree grows on other threads than the one that solves.
#[test]
fn growing_has_threads_of_its_own() {
    let game = Goofspiel::new(5, Prizes::Increasing).unwrap();
    let mut evaluators = [Asked::default(), Asked::default(), Asked::default()];
    let mut agent = Agent::new(Player::One, Settings::default());
    let key = Node::start(&game).keys[0];
    agent.think(&game, &mut evaluators, key, |_| FromBelief::default(), Budget::Nodes(20_000)).unwrap();
    let here = thread::current().id();
    let elsewhere = evaluators.iter().filter(|asked| !asked.threads.contains(&here));
    let elsewhere: usize = elsewhere.map(|asked| asked.count).sum();
    let all: usize = evaluators.iter().map(|asked| asked.count).sum();
    assert!(all > 1000 && 10 * elsewhere > 9 * all, "{elsewhere} of {all}");
    assert!(evaluators[1..].iter().all(|asked| asked.threads.len() == 1));
}

/// Traps 9a and 9c. Both choose, unseen by the other; what follows is long. At the equilibrium both make the first
/// choice nine times of ten, and both choices are worth the same.
#[test]
fn who_does_not_explore_samples_and_who_does_looks_at_values() {
    let mut game = Drawn::default();
    let ways = [[0.1, 0.0], [0.0, 0.9]].map(|payoffs| payoffs.map(|payoff| game.way(&[payoff])));
    let mine = ways.map(|ways| game.add(TWO, [0; 2], &ways));
    game.start = game.add(ONE, [0; 2], &mine);
    let mut subgame = rooted(&game, Settings::default());
    // Their second choice, when they do not explore and when they do, of so many.
    let (mut seconds, mut all) = ([0, 0], [0, 0]);
    for round in 0..1400 {
        let Some(point) = step(&mut subgame, &game).filter(|_| round >= 200) else { continue };
        all[round % 2] += 1;
        seconds[round % 2] += usize::from(ways.iter().any(|ways| game.on_way(ways[1], point)));
    }
    let shares = [0, 1].map(|explore| f64::from(seconds[explore] as u32) / f64::from(all[explore] as u32));
    assert!((0.05..0.17).contains(&shares[0]), "sampled: {shares:?}");
    assert!((0.4..0.75).contains(&shares[1]), "explored: {shares:?}");
}

/// Trap 9c at the root, where they choose between two positions of the same margin, one nine times of ten.
#[test]
fn they_explore_the_root_by_what_they_gain() {
    let mut game = Drawn::default();
    let ways = [[0.1, 0.0], [0.0, 0.9]].map(|payoffs| payoffs.map(|payoff| game.way(&[payoff])));
    let places = ways.map(|ways| game.add(ONE, [0; 2], &ways));
    let fresh = fresh(&places.map(|place| (place, -0.5)));
    let mut subgame = Subgame::of_fresh(Player::One, Key::START, fresh, no_gifts(), 1.0, SETTINGS).unwrap();
    subgame.grow_root(&game, &mut Drawing::default());
    let (mut seconds, mut all) = (0, 0);
    for round in 0..1400 {
        let found = step(&mut subgame, &game);
        let Some(point) = found.filter(|_| round >= 200 && round % 2 == 1) else { continue };
        all += 1;
        seconds += usize::from(ways[1].iter().any(|&way| game.on_way(way, point)));
    }
    let share = f64::from(seconds as u32) / f64::from(all);
    let weights = &subgame.gadget().unwrap().weights;
    assert!(weights[1] > 0.0 && weights[1] < 0.3, "{weights:?}");
    assert!((0.4..0.75).contains(&share), "{share} of {all}");
}

/// Trap 9d: a fresh position promises no more than I expected.
#[test]
fn fresh_alternates_are_at_most_what_i_expected() {
    let (game, [one, other]) = two_choices([[0.0; 2]; 2]);
    let fresh = fresh(&[(one, 0.7), (other, -0.3)]);
    let subgame: Subgame<Drawn> =
        Subgame::of_fresh(Player::One, Key::START, fresh, no_gifts(), 0.2, SETTINGS).unwrap();
    assert_eq!(subgame.gadget().unwrap().alternates, [0.2, -0.3]);
    assert_eq!(subgame.nodes(), 2, "{}", game.points.len());
}

/// At fresh positions they know everything: they answer each as it deserves.
#[test]
fn fresh_positions_share_no_keys() {
    let mut game = Drawn::default();
    let places = [[-1.0, 1.0], [1.0, -1.0]].map(|payoffs| {
        let ends = payoffs.map(|payoff| game.end(payoff));
        let answer = game.add(TWO, [0; 2], &ends);
        game.add(ONE, [0; 2], &[answer])
    });
    let (agent, thought) = think_fresh(&game, &places.map(|place| (place, 0.5)));
    let gadget = agent.subgame().unwrap().gadget().unwrap();
    assert!(gadget.utilities.iter().all(|utility| (utility - 1.5).abs() < 1e-9), "{gadget:?}");
    assert!((thought.value + 1.0).abs() < 1e-9, "{thought:?}");
}

/// The other seat of the mirrored game is the same seat: at the first turn, and at the second with the tree carried
/// over and a fresh position in it.
#[test]
fn values_are_to_the_player() {
    let mut game = hidden_choices();
    let ends = [0.35, 0.15].map(|payoff| game.end(payoff));
    let answers = ends.map(|end| game.add(TWO, [0; 2], &[end]));
    let outside = game.add(ONE, [0; 2], &answers);
    let think = |game: &Drawn, me: Player, iterations: u64| {
        let settings = Settings { carrying: no_gifts(), ..Settings::default() };
        let mut agent = Agent::new(me, settings);
        let keys = [&[0][..], &[0, 0, 0]].map(|path| game.node(path).keys[me.index()]);
        let budget = |nodes| Budget::Whole { nodes, iterations };
        let mut drawing = [Drawing::default()];
        let first =
            agent.think(game, &mut drawing, keys[0], |_| FromBelief::default(), budget(1000)).unwrap();
        agent.play(keys[0], 0);
        let more = |_: &[&usize]| fresh(&[(outside, 0.3)]);
        // Nothing grows: the fresh position counts as what it was said to be worth.
        let second = agent.think(game, &mut drawing, keys[1], more, budget(0)).unwrap();
        let gadget = agent.subgame().unwrap().gadget().unwrap().clone();
        ([first, second], gadget.alternates, gadget.utilities)
    };
    // After one iteration it still shows which child looked best.
    for iterations in [1, 7] {
        let mine = think(&game, Player::One, iterations);
        assert_eq!(mine, think(&game.mirrored(), Player::Two, iterations));
        assert!(mine.0[0].value > 0.2 && mine.1[2] > 0.2, "{mine:?}");
    }
}

/// What was never solved is explored by what it looks worth to its player: where I do not go, they look into what is
/// worth -0.1 before what is worth 0.3.
#[test]
fn first_values_are_to_the_player() {
    let mut game = Drawn::default();
    let [good, bad, better] = [0.1, 0.3, -0.1].map(|value| game.way(&[value]));
    let theirs = game.add(TWO, [0; 2], &[bad, better]);
    game.start = game.add(ONE, [0; 2], &[good, theirs]);
    let mut found = 0;
    for seed in 0..60 {
        let (explore, spread) = (Explore::Two, Spread::Deviation);
        let mut subgame = rooted(&game, Settings { explore, spread, seed, ..Settings::default() });
        let mut below = (0..60).filter_map(|_| step(&mut subgame, &game));
        let first = below.find(|&point| point != theirs && !game.on_way(good, point));
        assert!(first.is_none_or(|point| game.on_way(better, point)), "seed {seed}");
        found += usize::from(first.is_some());
    }
    assert!(found > 30, "{found}");
}

/// Resolve enters one position of two, so the weights of the root sum to a half; what I expect is a mean all the same.
#[test]
fn weights_of_the_root_are_no_probabilities() {
    let (game, [entered, left]) = two_choices([[0.2, 0.0], [-0.4, 0.9]]);
    let (agent, thought) = think_fresh(&game, &[(entered, 0.5), (left, -0.5)]);
    let subgame = agent.subgame().unwrap();
    let weights = &subgame.gadget().unwrap().weights;
    assert!((weights[0] - 0.5).abs() < 1e-6 && weights[1] < 1e-6, "{weights:?}");
    assert!((thought.value - 0.2).abs() < 1e-6, "{thought:?}");
    let shares: Vec<f64> = subgame.positions().iter().map(|position| position.1).collect();
    assert!((shares[0] - 1.0).abs() < 1e-6, "{shares:?}");
    // As likely as they were before the search, the position that is left alone counts too.
    let settings = Settings { expect: Expect::Prior, ..Settings::default() };
    let (_, thought) = think_fresh_as(settings, &game, &[(entered, 0.5), (left, -0.5)]);
    assert!((thought.value - (0.2 - 0.4) / 2.0).abs() < 1e-6, "{thought:?}");
}

/// Where all margins are positive pmax is exactly zero, and so both actions of a mixed solution are played.
#[test]
fn a_safe_subgame_is_played_mixed() {
    let (game, places) = two_choices([[0.1, 0.0], [0.0, 0.9]]);
    let (_, thought) = think_fresh(&game, &places.map(|place| (place, -0.5)));
    assert!(thought.pmax == 0.0, "{thought:?}");
    assert!(thought.candidates.iter().all(|candidate| candidate.played > 0.05), "{thought:?}");
}
