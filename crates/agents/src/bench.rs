//! Decisions at fixed seeds, and how fast they are made.
//!
//! The histories are fixed, and at each of its turns the player thinks on one thread until it has made so many nodes:
//! then all that it decides is the same on every machine. Its hash is the *signature*: a change that should not change
//! play must not change it.

use scuro_core::Key;
use scuro_eval::accumulator::Accumulators;
use scuro_eval::{Network, Quiescence};
use scuro_games::chess::{Board, Color};
use scuro_games::dark::{DarkGame, Rules};
use scuro_games::player_of;
use scuro_games::rbc::Rbc;
use scuro_games::records::Ply;
use scuro_games::umpire::Umpire;
use scuro_games::{Variant, with_game};
use scuro_search::agent::{Budget, Opening, Thought};
use scuro_search::belief::Belief;
use scuro_search::subgame::Subgame;
use scuro_search::weigh::Weigher;

use crate::kriegspiel::bench as kriegspiel;
use crate::name::{Believing, Eval, Obscuro};
use crate::opponent::models;
use crate::player::{Imagined, Leaves, Playable, Player};
use crate::rbc::bench as rbc;

/// New nodes a decision.
pub const NODES: usize = 30_000;

/// A history, and whose thoughts it is about.
struct Scene {
    game: Variant,
    name: &'static str,
    start: &'static str,
    /// As records write them.
    plies: &'static str,
    color: Color,
}

const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Fog of War: both colours from the usual position, the one from the start of the game, the other from fresh positions; a
/// middle game with pieces on both sides under attack; an endgame. Kriegspiel and RBC: both colours from the usual
/// position, with refused tries, captures and senses on the way; and an endgame.
const SCENES: [Scene; 10] = [
    Scene {
        game: Variant::FogOfWar,
        name: "opening",
        start: USUAL,
        plies: "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8",
        color: Color::White,
    },
    Scene {
        game: Variant::FogOfWar,
        name: "opening",
        start: USUAL,
        plies: "e2e4 c7c5 g1f3 b8c6 d2d4 c5d4 f3d4 g8f6 b1c3 e7e6 f1e2",
        color: Color::Black,
    },
    Scene {
        game: Variant::FogOfWar,
        name: "middle game",
        start: "r1bqk2r/ppp2ppp/2n2n2/3pp3/1b2P3/2NP1N2/PPP1BPPP/R1BQK2R w KQkq - 0 6",
        plies: "e1g1 d5d4 a2a3 d4c3 a3b4",
        color: Color::Black,
    },
    Scene {
        game: Variant::FogOfWar,
        name: "endgame",
        start: "8/5pk1/6p1/3r4/8/1R4P1/5P1K/8 w - - 0 1",
        plies: "b3b7 d5d2 h2g1 d2d1 g1g2",
        color: Color::White,
    },
    Scene {
        game: Variant::Kriegspiel,
        name: "opening",
        start: USUAL,
        plies: "e2e4 d7d5 e4d5 d8d5 b1c3 d5e5 f1e2 c8g4 d2d4 g4e2",
        color: Color::White,
    },
    Scene {
        game: Variant::Kriegspiel,
        name: "opening",
        start: USUAL,
        plies: "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 f3e5",
        color: Color::Black,
    },
    Scene {
        game: Variant::Kriegspiel,
        name: "endgame",
        start: "8/5pk1/6p1/3r4/8/1R4P1/5P1K/8 w - - 0 1",
        plies: "b3b8 d5d2 b8b7 h2g1 g7f6",
        color: Color::White,
    },
    Scene {
        game: Variant::Reconnaissance,
        name: "opening",
        start: USUAL,
        plies: "b7 e2e4 e3 e7e5 d6 g1f3 c4 b8c6 f6 f1c4 f3 g8f6",
        color: Color::White,
    },
    Scene {
        game: Variant::Reconnaissance,
        name: "opening",
        start: USUAL,
        plies: "b7 d2d4 d3 d7d5 d6 c2c4 c4 d5c4 e6 d1a4 b3 -- b7 b1c3",
        color: Color::Black,
    },
    Scene {
        game: Variant::Reconnaissance,
        name: "endgame",
        start: "8/5pk1/6p1/3r4/8/1R4P1/5P1K/8 w - - 0 1",
        plies: "f7 b3b7 c3 d5d2 d2 h2g1",
        color: Color::White,
    },
];

/// Histories in which both sides develop: the tree that is measured starts after it, at what White may believe then.
const DEVELOPED: [&str; 3] = [
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8",
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8",
    "c7 d2d4 d3 d7d5 d6 c2c4 c4 e7e6 e6 b1c3 c3 g8f6 f7 c1g5 f4 f8e7 e7 e2e3 e3 e8g8 f7",
];

/// The one of Reconnaissance Blind Chess with fewer senses: White holds thousands of boards possible in the end.
const HIDDEN: &str = "c7 d2d4 d3 d7d5 d6 c2c4 c4 e7e6 e6 b1c3 c3 g8f6 - c1g5 f4 f8e7 - e2e3 e3 e8g8 -";

/// Histories in which nobody sees much: White's belief grows to many thousand positions.
const QUIET: [&str; 3] = [
    "a2a3 a7a6 h2h3 h7h6 b2b3 b7b6 g2g3 g7g6 e2e3 e7e6 d2d3 d7d6 c2c3 c7c6",
    "a2a3 a7a6 h2h3 h7h6 b2b3 b7b6 g2g3 g7g6",
    "- a2a3 - a7a6 - h2h3 - h7h6 - b2b3 - b7b6 - g2g3 - g7g6",
];

/// The same for longer, until there are a hundred thousand.
const QUIETER: [&str; 3] = [
    "a2a3 a7a6 h2h3 h7h6 b2b3 b7b6 g2g3 g7g6 e2e3 e7e6 d2d3 d7d6 c2c3 c7c6 b1d2 b8d7 d1c2 d8c7 f1e2 f8e7 g1f3 g8f6 \
     e1f1 e8f8 f1g2 f8g7 a1b1 a8b8 h1g1 h8g8",
    "a2a3 a7a6 h2h3 h7h6 b2b3 b7b6 g2g3 g7g6 e2e3 e7e6 d2d3 d7d6",
    "- a2a3 - a7a6 - h2h3 - h7h6 - b2b3 - b7b6 - g2g3 - g7g6 - e2e3 - e7e6 - d2d3 - d7d6 - c2c3 - c7c6",
];

/// A tree that got fewer new nodes than iterations, over so many of them, hardly grows any more.
const STALL: usize = 1_000;

/// A decision.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Which game.
    pub game: Variant,
    /// What kind of position.
    pub name: &'static str,
    /// The first position of the history.
    pub start: &'static str,
    /// What was played since, as records write it.
    pub plies: Vec<String>,
    /// Whose decision.
    pub color: Color,
    /// What is played most.
    pub chosen: String,
    /// The value that is expected.
    pub value: f64,
    /// Nodes of the tree.
    pub nodes: usize,
    /// How many positions were held possible.
    pub belief: usize,
}

/// The signatures of all decisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signatures {
    /// Of each game, in the order of [`Variant::DARK`].
    pub games: [(Variant, u64); 3],
}

impl Signatures {
    /// One for all games.
    #[must_use]
    pub fn total(&self) -> u64 {
        Key::START.sign((), self.games.iter().map(|(_, signature)| *signature)).number() as u64
    }
}

/// The signature of what was decided before and this thought. Words, not bytes, and no pointer-sized numbers go in: the
/// hash is ours, and the same everywhere.
fn sign<A: std::hash::Hash>(before: Key, chosen: A, thought: &Thought<A>, belief: usize) -> Key {
    let Thought { candidates, value, pmax, nodes, infosets, depth, expansions, iterations, .. } = thought;
    let candidates = candidates.iter().flat_map(|candidate| {
        let numbers = [candidate.probability, candidate.played, candidate.value].map(f64::to_bits);
        numbers.into_iter().chain([u64::from(candidate.stable)])
    });
    let values = [value, pmax].map(|number| number.to_bits());
    let counts = [*nodes, *infosets, *depth, belief].map(|count| count as u64);
    before.sign(chosen, candidates.chain(values).chain(counts).chain([*expansions, *iterations]))
}

/// Makes all decisions, and tells each; the signatures at the end. `None` if a history cannot be played or thought
/// about, which a test rules out.
pub fn decide(mut tell: impl FnMut(Decision)) -> Option<Signatures> {
    let mut games = Variant::DARK.map(|game| (game, Key::START));
    for scene in &SCENES {
        let (_, signature) = games.iter_mut().find(|(game, _)| *game == scene.game)?;
        let rules = Rules::new(scene.game, scene.start.parse().ok()?, Default::default())?;
        *signature = with_game!(rules, game => decide_scene(game, scene, *signature, &mut tell))?;
    }
    Some(Signatures { games: games.map(|(game, signature)| (game, signature.number() as u64)) })
}

fn decide_scene<G: Playable>(
    game: G,
    scene: &Scene,
    mut signature: Key,
    tell: &mut impl FnMut(Decision),
) -> Option<Key> {
    let mut player = player(&game, scene.color, None)?;
    follow(&game, &mut player, scene.plies, |player, umpire| {
        let belief = player.belief().positions().len();
        let thought = player.think(Budget::Nodes(NODES))?;
        // Of actions that are played as much, the first.
        let best = thought.candidates.iter().rev().max_by(|a, b| a.played.total_cmp(&b.played))?;
        signature = sign(signature, best.action, thought, belief);
        tell(Decision {
            game: scene.game,
            name: scene.name,
            start: scene.start,
            plies: umpire.actions().iter().map(|&action| G::ply(action).to_string()).collect(),
            color: scene.color,
            chosen: G::ply(best.action).to_string(),
            value: thought.value,
            nodes: thought.nodes,
            belief,
        });
        Some(())
    })?;
    Some(signature)
}

fn player<G: Playable>(game: &G, color: Color, opening: Option<Opening>) -> Option<Player<G>> {
    Player::new(game.clone(), color, &Obscuro { opening, ..Obscuro::default() }, Some(1)).ok()
}

/// Tells a player what it is told in a history; `at_turn` is called at each of its turns.
fn follow<G: Playable>(
    game: &G,
    player: &mut Player<G>,
    plies: &str,
    mut at_turn: impl FnMut(&mut Player<G>, &Umpire<G>) -> Option<()>,
) -> Option<()> {
    let color = player.color();
    let mut umpire = Umpire::new(game.clone());
    for word in plies.split_whitespace() {
        let mover = umpire.turn()?;
        if mover == color {
            at_turn(player, &umpire)?;
        }
        let action = G::action(word.parse::<Ply>().ok()?)?;
        umpire.play(mover, action).ok()?;
        if let Some(told) = umpire.told(color) {
            player.see((mover == color).then_some(action), told).ok()?;
        }
    }
    if umpire.turn() == Some(color) { at_turn(player, &umpire) } else { Some(()) }
}

/// A tree of a middle game, grown and solved on one thread.
pub struct MiddleGame<G: Playable> {
    game: Imagined<G>,
    evaluator: Leaves<Quiescence<Accumulators>>,
    /// The tree.
    pub tree: Subgame<Imagined<G>>,
}

impl<G: Playable> MiddleGame<G> {
    /// The tree before it has grown. `None` if there is none, which a test rules out.
    #[must_use]
    pub fn new(game: G) -> Option<MiddleGame<G>> {
        let mut player = player(&game, Color::White, Some(Opening::Fresh))?;
        follow(&game, &mut player, of::<G>(DEVELOPED), |_, _| Some(()))?;
        player.think(Budget::Nodes(1))?;
        let network = Quiescence::of_network(Network::embedded()).under(game.value_rules());
        Some(MiddleGame {
            game: player.believer().game().clone(),
            evaluator: Leaves::new(network),
            tree: player.tree()?.clone(),
        })
    }

    /// Grows it to so many nodes, with as many expansions after each iteration of the solver as cost about the same. Stops
    /// early if it hardly grows any more: descents may all come to ends.
    pub fn grow(&mut self, nodes: usize) {
        let (mut visits, mut before) = (self.tree.visits(), self.tree.nodes());
        for iteration in 1_usize.. {
            if self.tree.nodes() >= nodes {
                return;
            }
            self.tree.iterate();
            let visited = self.tree.visits() - visits;
            visits = self.tree.visits();
            for _ in 0..=visited / 3_000 {
                if let Some(leaf) = self.tree.descend() {
                    self.tree.join(Subgame::make(&self.game, &mut self.evaluator, leaf));
                }
            }
            if iteration.is_multiple_of(STALL) {
                if self.tree.nodes() < before + STALL {
                    return;
                }
                before = self.tree.nodes();
            }
        }
    }

    /// How fast it grows and is solved as large as it is, in so many attempts to expand a leaf and so many iterations.
    /// `clock` tells seconds.
    pub fn measure(&mut self, attempts: usize, iterations: usize, clock: impl Fn() -> f64) -> Vec<Measured> {
        let MiddleGame { tree, game, evaluator } = self;
        let before = tree.nodes();
        let begun = clock();
        let leaves: Vec<_> = (0..attempts).filter_map(|_| tree.descend()).collect();
        let descended = clock();
        let made: Vec<_> = leaves.into_iter().map(|leaf| Subgame::make(game, evaluator, leaf)).collect();
        let valued = clock();
        let expansions = made.len() as f64;
        made.into_iter().for_each(|made| tree.join(made));
        let joined = clock();
        let visits = tree.visits();
        for _ in 0..iterations {
            tree.iterate();
        }
        let solved = clock();
        let new = (tree.nodes() - before) as f64;
        let visits = (tree.visits() - visits) as f64;
        vec![
            ("expansions", expansions / (joined - begun), "/s"),
            ("new_nodes", new / (joined - begun), "/s"),
            ("grower_nodes", new / (valued - descended), "/s"),
            ("solver_visits", visits / (solved - joined), "/s"),
            ("iteration", 1e3 * (solved - joined) / iterations as f64, "ms"),
            ("memory", tree.bytes() as f64 / tree.nodes() as f64, "bytes/node"),
        ]
    }
}

/// The history of a game in a list with one for each.
fn of<G: DarkGame>(histories: [&'static str; 3]) -> &'static str {
    let place = Variant::DARK.into_iter().position(|game| game == G::VARIANT);
    histories[place.unwrap_or(0)]
}

/// A speed or a size: its name, how much, and of what.
pub type Measured = (&'static str, f64, &'static str);

/// How fast the belief of a player goes through the moves of positions that it holds possible, on a history in which it
/// sees little. `None` if it cannot be played, which a test rules out.
pub fn believe<G: Playable>(game: &G, clock: impl Fn() -> f64) -> Option<Measured> {
    let color = Color::White;
    let name = Obscuro { belief: Some(Believing::Uniform), ..Obscuro::default() };
    let mut player = Player::new(game.clone(), color, &name, Some(1)).ok()?;
    let mut umpire = Umpire::new(game.clone());
    let (mut candidates, mut seconds) = (0, 0.0);
    for word in of::<G>(QUIET).split_whitespace() {
        let mover = umpire.turn()?;
        let action = G::action(word.parse::<Ply>().ok()?)?;
        umpire.play(mover, action).ok()?;
        if mover != color {
            let moves = |position| Board::count_pseudo_legal(G::board(position));
            candidates += player.belief().positions().iter().map(moves).sum::<u64>();
        }
        let told = umpire.told(color)?;
        let begun = clock();
        player.see((mover == color).then_some(action), told).ok()?;
        seconds += clock() - begun;
    }
    Some(("belief_candidates", candidates as f64 / seconds, "/s"))
}

/// Threads that weigh a belief.
const WEIGHERS: usize = 2;

/// Milliseconds that a belief of so many positions takes for a turn of the opponent if all of them are weighed with care, or
/// none, on the history in which little is seen. `None` if the belief never gets so large, which a test rules out.
pub fn weigh<G: Playable>(game: &G, positions: usize, careful: bool, clock: impl Fn() -> f64) -> Option<f64> {
    let (color, careful) = (Color::White, if careful { positions } else { 0 });
    let evaluators = Eval::Net.evaluators(WEIGHERS, game.value_rules()).ok()?;
    let mut leaves: Vec<_> = evaluators.into_iter().map(Leaves::new).collect();
    let mut belief = Belief::certain(game.position(&game.start()), 2 * positions, 1).with_threads(WEIGHERS);
    let mut umpire = Umpire::new(game.clone());
    for word in of::<G>(QUIETER).split_whitespace() {
        let mover = umpire.turn()?;
        let action = G::action(word.parse::<Ply>().ok()?)?;
        umpire.play(mover, action).ok()?;
        let (own, told) = ((mover == color).then_some(action), umpire.told(color)?);
        let moves = own.is_none() && G::reply(action).is_some();
        if moves && belief.positions().len() >= positions {
            belief.limit(positions);
            let kept = belief.positions()[..positions].to_vec();
            belief.replace(&kept).ok()?;
            let mut models = models(game, &mut leaves, WEIGHERS);
            let weigher = Weigher { models: &mut models, careful };
            let begun = clock();
            belief.weigh(game, player_of(color), own, told, weigher).ok()?;
            return Some(1e3 * (clock() - begun));
        }
        belief.advance(game, player_of(color), own, told).ok()?;
    }
    None
}

/// How fast this machine is now in one game, on one thread; the tree has so many nodes. `None` if there is none, which a
/// test rules out.
pub fn measure(game: Variant, nodes: usize, clock: impl Fn() -> f64) -> Option<Vec<Measured>> {
    let rules = Rules::new(game, Board::start(), Default::default())?;
    let mut measured = with_game!(rules, game => {
        let mut tree = MiddleGame::new(game)?;
        tree.grow(nodes);
        let mut measured = tree.measure(2000, 20, &clock);
        measured.push(believe(&game, &clock)?);
        measured.push(("weigh_20000_network", weigh(&game, 20_000, true, &clock)?, "ms"));
        measured.push(("weigh_100000_table", weigh(&game, 100_000, false, &clock)?, "ms"));
        Some(measured)
    })?;
    match game {
        Variant::Kriegspiel => measured.push(kriegspiel::darkboard(&clock)?),
        Variant::Reconnaissance => {
            measured.push(rbc::matrix_values(HIDDEN, &clock)?);
            measured.push(rbc::notice(of::<Rbc>(QUIETER), &clock)?);
        }
        _ => {}
    }
    Some(measured)
}
