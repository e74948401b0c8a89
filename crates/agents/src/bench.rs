//! Decisions at fixed seeds, and how fast they are made.
//!
//! The histories are fixed, and at each of her turns the player thinks on one thread until she has made so many nodes:
//! then all that she decides is the same on every machine. Its hash is the *signature*: a change that should not change
//! play must not change it.

use scuro_core::{Key, Observer};
use scuro_eval::accumulator::Accumulators;
use scuro_eval::{Network, Quiescence};
use scuro_games::chess::{Board, Color, Move};
use scuro_games::fog::FogOfWar;
use scuro_games::umpire::Umpire;
use scuro_search::agent::{Budget, Opening, Thought};
use scuro_search::subgame::Subgame;

use crate::fog::{Fog, Leaves};
use crate::name::Obscuro;
use crate::player::FogPlayer;

/// New nodes a decision.
pub const NODES: usize = 30_000;

/// A history, and whose thoughts it is about.
struct Scene {
    name: &'static str,
    start: &'static str,
    moves: &'static str,
    color: Color,
}

const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Both colours from the usual position, the one from the start of the game, the other from fresh positions; a middle
/// game with men on both sides under attack; an endgame.
const SCENES: [Scene; 4] = [
    Scene { name: "opening", start: USUAL, moves: DEVELOPED, color: Color::White },
    Scene {
        name: "opening",
        start: USUAL,
        moves: "e2e4 c7c5 g1f3 b8c6 d2d4 c5d4 f3d4 g8f6 b1c3 e7e6 f1e2",
        color: Color::Black,
    },
    Scene {
        name: "middle game",
        start: "r1bqk2r/ppp2ppp/2n2n2/3pp3/1b2P3/2NP1N2/PPP1BPPP/R1BQK2R w KQkq - 0 6",
        moves: "e1g1 d5d4 a2a3 d4c3 a3b4",
        color: Color::Black,
    },
    Scene {
        name: "endgame",
        start: "8/5pk1/6p1/3r4/8/1R4P1/5P1K/8 w - - 0 1",
        moves: "b3b7 d5d2 h2g1 d2d1 g1g2",
        color: Color::White,
    },
];

/// A history in which both sides develop: the tree that is measured starts after it, at what White may believe then.
const DEVELOPED: &str = "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8";

/// A history in which nobody sees much: White's belief grows to hundreds of thousands of positions.
const QUIET: &str = "a2a3 a7a6 h2h3 h7h6 b2b3 b7b6 g2g3 g7g6 e2e3 e7e6 d2d3 d7d6 c2c3 c7c6";

/// A decision.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What kind of position.
    pub name: &'static str,
    /// The first position of the history.
    pub start: &'static str,
    /// The moves since.
    pub moves: Vec<Move>,
    /// Whose decision.
    pub color: Color,
    /// The move that is played most.
    pub chosen: Move,
    /// The thought behind it.
    pub thought: Thought<Move>,
    /// How many positions she held possible.
    pub belief: usize,
}

impl Decision {
    /// The signature of what was decided before and this decision. Words, not bytes, and no pointer-sized numbers go
    /// in: the hash is ours, and the same everywhere.
    fn sign(&self, before: Key) -> Key {
        let Thought { candidates, value, pmax, nodes, infosets, depth, expansions, iterations, .. } =
            &self.thought;
        before.next(Some(self.chosen), |mixer| {
            for candidate in candidates {
                mixer.see(candidate.probability.to_bits());
                mixer.see(candidate.played.to_bits());
                mixer.see(candidate.value.to_bits());
                mixer.see(u64::from(candidate.stable));
            }
            mixer.see(value.to_bits());
            mixer.see(pmax.to_bits());
            for count in [*nodes, *infosets, *depth, self.belief] {
                mixer.see(count as u64);
            }
            mixer.see(*expansions);
            mixer.see(*iterations);
        })
    }
}

fn player(start: Board, color: Color, opening: Option<Opening>) -> Option<FogPlayer> {
    FogPlayer::new(start, color, &Obscuro { opening, ..Obscuro::default() }, Some(1)).ok()
}

/// Makes all decisions, and tells each; the signature at the end. `None` if a history cannot be played or thought
/// about, which a test rules out.
pub fn decide(mut tell: impl FnMut(Decision)) -> Option<u64> {
    let mut signature = Key::START;
    for Scene { name, start, moves, color } in SCENES {
        let first: Board = start.parse().ok()?;
        let mut player = player(first, color, None)?;
        follow(&mut player, first, color, moves, |player, moves| {
            let thought = player.think(Budget::Nodes(NODES))?;
            // Of moves that are played as much, the first.
            let best = thought.candidates.iter().rev().max_by(|a, b| a.played.total_cmp(&b.played))?;
            let (chosen, belief) = (best.action, player.belief().positions().len());
            let decision = Decision { name, start, moves: moves.to_vec(), color, chosen, thought, belief };
            signature = decision.sign(signature);
            tell(decision);
            Some(())
        })?;
    }
    Some(signature.number() as u64)
}

/// Shows a player her views of a history; `at_turn` is called at each of her turns, with the moves so far.
fn follow(
    player: &mut FogPlayer,
    start: Board,
    color: Color,
    moves: &str,
    mut at_turn: impl FnMut(&mut FogPlayer, &[Move]) -> Option<()>,
) -> Option<()> {
    let mut umpire = Umpire::new(FogOfWar { start });
    for word in moves.split_whitespace() {
        let mover = umpire.turn()?;
        if mover == color {
            at_turn(player, umpire.actions())?;
        }
        let m: Move = word.parse().ok()?;
        umpire.play(mover, m).ok()?;
        player.see((mover == color).then_some(m), &umpire.view(color)).ok()?;
    }
    if umpire.turn() == Some(color) { at_turn(player, umpire.actions()) } else { Some(()) }
}

/// A tree of a middle game, grown and solved on one thread.
pub struct MiddleGame {
    game: Fog,
    evaluator: Leaves<Quiescence<Accumulators>>,
    /// The tree.
    pub growth: Subgame<Fog>,
}

impl MiddleGame {
    /// The tree before it has grown. `None` if there is none, which a test rules out.
    #[must_use]
    pub fn new() -> Option<MiddleGame> {
        let start = Board::start();
        let mut player = player(start, Color::White, Some(Opening::Fresh))?;
        follow(&mut player, start, Color::White, DEVELOPED, |_, _| Some(()))?;
        player.think(Budget::Nodes(1))?;
        let evaluator = Leaves::new(Quiescence::of_network(Network::embedded()));
        Some(MiddleGame { game: Fog { start, me: Color::White }, evaluator, growth: player.tree()?.clone() })
    }

    /// Grows it to so many nodes, with as many expansions after each iteration of the solver as cost about the same.
    pub fn grow(&mut self, nodes: usize) {
        let mut visits = self.growth.visits();
        while self.growth.nodes() < nodes {
            self.growth.iterate();
            let visited = self.growth.visits() - visits;
            visits = self.growth.visits();
            for _ in 0..=visited / 3_000 {
                if let Some(leaf) = self.growth.descend() {
                    self.growth.join(Subgame::make(&self.game, &mut self.evaluator, leaf));
                }
            }
        }
    }

    /// How fast it grows and is solved as large as it is, in so many attempts to expand a leaf and so many iterations.
    /// `clock` tells seconds.
    pub fn measure(&mut self, attempts: usize, iterations: usize, clock: impl Fn() -> f64) -> Vec<Measured> {
        let MiddleGame { growth, game, evaluator } = self;
        let before = growth.nodes();
        let begun = clock();
        let leaves: Vec<_> = (0..attempts).filter_map(|_| growth.descend()).collect();
        let descended = clock();
        let made: Vec<_> = leaves.into_iter().map(|leaf| Subgame::make(game, evaluator, leaf)).collect();
        let valued = clock();
        let expansions = made.len() as f64;
        made.into_iter().for_each(|made| growth.join(made));
        let joined = clock();
        let visits = growth.visits();
        for _ in 0..iterations {
            growth.iterate();
        }
        let solved = clock();
        let new = (growth.nodes() - before) as f64;
        let visits = (growth.visits() - visits) as f64;
        vec![
            ("expansions", expansions / (joined - begun), "/s"),
            ("new_nodes", new / (joined - begun), "/s"),
            ("grower_nodes", new / (valued - descended), "/s"),
            ("solver_visits", visits / (solved - joined), "/s"),
            ("iteration", 1e3 * (solved - joined) / iterations as f64, "ms"),
            ("memory", growth.bytes() as f64 / growth.nodes() as f64, "bytes/node"),
        ]
    }
}

/// A speed or a size: its name, how much, and of what.
pub type Measured = (&'static str, f64, &'static str);

/// How fast the belief of a player goes through the moves of positions that she holds possible, on a history in which
/// she sees little. `None` if it cannot be played, which a test rules out.
pub fn believe(clock: impl Fn() -> f64) -> Option<Measured> {
    let (start, color) = (Board::start(), Color::White);
    let mut player = player(start, color, None)?;
    let mut umpire = Umpire::new(FogOfWar { start });
    let (mut candidates, mut seconds) = (0, 0.0);
    for word in QUIET.split_whitespace() {
        let mover = umpire.turn()?;
        let m: Move = word.parse().ok()?;
        umpire.play(mover, m).ok()?;
        if mover != color {
            let mut moves = Vec::new();
            player.belief().positions().iter().for_each(|board| board.pseudo_legal(&mut moves));
            candidates += moves.len();
        }
        let view = umpire.view(color);
        let begun = clock();
        player.see((mover == color).then_some(m), &view).ok()?;
        seconds += clock() - begun;
    }
    Some(("belief_candidates", candidates as f64 / seconds, "/s"))
}
