//! The player: carries the tree over, grows and solves it, and chooses.
//!
//! Between turns it keeps the tree with its strategies, what it did, and the value it expected. What it sees reaches
//! it as a key, and what may be true as positions that the caller draws from a belief.

use scuro_core::{Game, Key, Node, Player, Random};

use crate::carry::{Carrying, Fresh, Gift, Keep, Moved, Prior};
use crate::choose::{Purify, purified};
use crate::exact::ground::Ground;
use crate::grow::{Evaluate, Explore, Growth, Root, Spread};
use crate::strategy::Strategy;
use crate::tree::InfosetId;

/// Which strategy is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iterate {
    /// The last one.
    Last,
    /// The average of all.
    Average,
}

/// The parts of the player that can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How the tree is carried over.
    pub carrying: Carrying,
    /// Whether my infosets that I am certainly not in keep their strategies (KLSS).
    pub freeze: bool,
    /// Who explores.
    pub explore: Explore,
    /// How spread is measured.
    pub spread: Spread,
    /// Which strategy is played.
    pub iterate: Iterate,
    /// How much of it is mixed.
    pub purify: Purify,
    /// Random numbers.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            carrying: Carrying { order: Some(2), gift: Gift::Split, prior: Prior::Mixed, keep: Keep::All },
            freeze: false,
            explore: Explore::One,
            spread: Spread::Variance,
            iterate: Iterate::Last,
            purify: Purify::On,
            seed: 1,
        }
    }
}

/// How long to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The most nodes; a tree that reaches its ends before is whole.
    pub nodes: usize,
    /// Iterations after the tree has stopped to grow.
    pub iterations: u64,
}

/// An action, and what is thought of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<A> {
    /// The action.
    pub action: A,
    /// As solved.
    pub probability: f64,
    /// As played.
    pub played: f64,
    /// What it is worth to me.
    pub value: f64,
    /// Whether it was in the support since half time.
    pub stable: bool,
}

/// What the player thinks at a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<A> {
    /// The actions in the game's order.
    pub candidates: Vec<Candidate<A>>,
    /// The value that I expect.
    pub value: f64,
    /// How much Resolve is in use.
    pub pmax: f64,
    /// Nodes of the tree.
    pub nodes: usize,
    /// Iterations done.
    pub iterations: u64,
}

/// The player.
#[derive(Clone)]
pub struct Agent<G: Game> {
    me: Player,
    settings: Settings,
    growth: Option<Growth<G>>,
    moved: Option<Moved<G::Action>>,
    expected: f64,
    random: Random,
}

impl<G: Game> Agent<G> {
    /// A player before the first move of a game.
    #[must_use]
    pub fn new(me: Player, settings: Settings) -> Agent<G> {
        let random = Random::new(settings.seed);
        Agent { me, settings, growth: None, moved: None, expected: 1.0, random }
    }

    /// Thinks at a turn at which all that I know is `key`. `fresh` draws positions of the belief that are not among
    /// those shown to it.
    pub fn think(
        &mut self,
        game: &G,
        evaluator: &mut impl Evaluate<G>,
        key: Key,
        fresh: impl FnOnce(&[&G::State]) -> Vec<Fresh<G::State>>,
        budget: Budget,
    ) -> Option<Thought<G::Action>> {
        let mut growth = match (self.growth.take(), self.moved) {
            (Some(growth), Some(moved)) => {
                growth.carry(game, moved, key, self.settings.carrying, fresh, self.expected)?
            }
            _ => self.opening(game),
        };
        growth.grow_all(game, evaluator, budget.nodes);
        let id = *growth.infosets[self.me.index()].get(&key)?;
        let places = growth.solver.tree.infoset(id).places();
        let mut stable = vec![true; places.len()];
        for iteration in 0..budget.iterations {
            growth.iterate();
            if 2 * iteration >= budget.iterations {
                let strategy = &growth.solver.strategy.0[places.clone()];
                stable.iter_mut().zip(strategy).for_each(|(stable, share)| *stable &= *share > 0.0);
            }
        }
        let thought = self.thought(&growth, id, &stable);
        self.expected = thought.value;
        self.growth = Some(growth);
        Some(thought)
    }

    /// The tree of a first decision: the game from its start.
    fn opening(&mut self, game: &G) -> Growth<G> {
        let root = Root { node: Node::start(game), mine: true };
        let mut growth = Growth::new(self.me, vec![(root, 0, 1.0, 0.0)], None, self.random.word());
        growth.freeze = self.settings.freeze;
        growth.explore = self.settings.explore;
        growth.spread = self.settings.spread;
        growth
    }

    fn thought(&self, growth: &Growth<G>, id: InfosetId, stable: &[bool]) -> Thought<G::Action> {
        let places = growth.solver.tree.infoset(id).places();
        let strategy = match self.settings.iterate {
            Iterate::Last => growth.solver.strategy.0[places.clone()].to_vec(),
            Iterate::Average => growth.solver.average().0[places.clone()].to_vec(),
        };
        let pmax = growth.gadget.as_ref().map_or(0.0, |gadget| gadget.pmax);
        let played = purified(&strategy, stable, pmax, self.settings.purify);
        let candidates = places.clone().enumerate().map(|(i, place)| Candidate {
            action: growth.actions[place],
            probability: strategy[i],
            played: played[i],
            value: growth.solver.qualities[place],
            stable: stable[i],
        });
        let candidates: Vec<_> = candidates.collect();
        let value = expected(growth)
            .unwrap_or_else(|| candidates.iter().map(|each| each.probability * each.value).sum());
        let (nodes, iterations) = (growth.nodes(), growth.solver.iterations());
        Thought { candidates, value, pmax, nodes, iterations }
    }

    /// I do this, knowing `key`.
    pub fn play(&mut self, key: Key, action: G::Action) {
        self.moved = Some(Moved { key, action });
    }
}

/// What I expect over the roots that I may be at; without a gadget that is for the infoset to say.
fn expected<G: Game>(growth: &Growth<G>) -> Option<f64> {
    let gadget = growth.gadget.as_ref()?;
    let sign = if growth.me == Player::One { 1.0 } else { -1.0 };
    let mine = || growth.solver.starts.iter().zip(&growth.roots).filter(|(_, root)| root.mine);
    let mean = |weights: &[f64]| {
        let (mut sum, mut total) = (0.0, 0.0);
        for (start, _) in mine() {
            let weight = weights[start.class as usize] * start.weight;
            total += weight;
            sum += weight * sign * growth.value(start.node);
        }
        (total > 0.0).then(|| sum / total)
    };
    mean(&gadget.weights).or_else(|| mean(&gadget.priors))
}

/// What the player does at every infoset of a small game that she can come to, by asking her at each of them. The
/// other player's part is uniform, and so is what she never comes to. `asked` hears of every question.
pub fn whole_strategy<G: Game + Clone>(
    game: &G,
    ground: &Ground,
    me: Player,
    settings: Settings,
    evaluator: &mut impl Evaluate<G>,
    budget: Budget,
    mut asked: impl FnMut(),
) -> Strategy {
    let mut strategy = Strategy::uniform(&ground.tree);
    let mut open: Vec<(Agent<G>, InfosetId)> =
        ground.topmost(me).into_iter().map(|id| (Agent::new(me, settings), id)).collect();
    while let Some((mut agent, id)) = open.pop() {
        let key = ground.key(me, ground.nodes(id)[0]);
        asked();
        let Some(thought) = agent.think(game, evaluator, key, |_| Vec::new(), budget) else { continue };
        let places = ground.tree.infoset(id).places();
        for (place, candidate) in places.clone().zip(&thought.candidates) {
            strategy.0[place] = candidate.played;
        }
        for &next in ground.next(id) {
            let before = ground.action_before(next).map_or(0, |(_, action)| action);
            if thought.candidates[before].played > 0.0 {
                let mut agent = agent.clone();
                agent.play(key, thought.candidates[before].action);
                open.push((agent, next));
            }
        }
    }
    strategy
}
