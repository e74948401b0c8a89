//! What the players know about what the other knows.
//!
//! Two histories are adjacent when one of the players cannot tell them apart. From a history the player to
//! move considers a set of histories possible, at distance at most 1; the other player, as far as the first knows,
//! may consider those at distance 2 possible, and so on. The order-k knowledge set of an infoset holds the
//! histories at distance less than k; without bound it is the common-knowledge set.
//!
//! The graph is kept as infosets: a history is one infoset of each player, and a step of a search goes from
//! the histories of an infoset to all histories of the infosets they touch.

use rustc_hash::FxHashMap;
use scuro_core::{Game, Key, Node, Player, Turn};
use thiserror::Error;

/// A history of a [`KnowledgeGraph`], by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct History(u32);

impl History {
    /// The history of this number.
    pub(crate) fn from_index(index: usize) -> History {
        History(index as u32)
    }

    /// The number, for tables with one entry per history.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why a graph could not be made.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum KnowledgeError {
    /// More histories than asked for.
    #[error("more than {limit} histories of {plies} plies")]
    TooMany {
        /// The limit.
        limit: usize,
        /// The length of the histories.
        plies: usize,
    },
}

/// Histories and the infosets of both players that they belong to.
#[derive(Clone, Debug)]
pub struct KnowledgeGraph {
    /// For each history its infoset of either player.
    infoset_of: [Vec<u32>; 2],
    /// For each player and infoset the first of its histories in `members`, and one entry past the last.
    starts: [Vec<u32>; 2],
    /// For each player the histories, infoset by infoset.
    members: [Vec<History>; 2],
}

/// The largest distance between two histories, and a pair that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diameter {
    /// The distance.
    pub distance: u32,
    /// Two histories at that distance.
    pub pair: (History, History),
}

impl KnowledgeGraph {
    /// The graph of histories whose players have these keys.
    #[must_use]
    pub fn new(keys: &[[Key; 2]]) -> KnowledgeGraph {
        let infoset_of = Player::BOTH.map(|player| {
            let mut numbers: FxHashMap<Key, u32> = FxHashMap::default();
            keys.iter()
                .map(|pair| {
                    let fresh = numbers.len() as u32;
                    *numbers.entry(pair[player.index()]).or_insert(fresh)
                })
                .collect::<Vec<u32>>()
        });
        let starts = Player::BOTH.map(|player| starts_of(&infoset_of[player.index()]));
        let members = Player::BOTH.map(|player| {
            let mut next = starts[player.index()].clone();
            let mut members = vec![History(0); keys.len()];
            for (history, &infoset) in infoset_of[player.index()].iter().enumerate() {
                let place = &mut next[infoset as usize];
                members[*place as usize] = History(history as u32);
                *place += 1;
            }
            members
        });
        KnowledgeGraph { infoset_of, starts, members }
    }

    /// The graph of all histories of `plies` plies, numbered in the order of the game's actions. A
    /// history in which the game is over is not in it: both players know that. `visit` is shown every history.
    ///
    /// # Errors
    /// If there are more than `limit` histories.
    pub fn of_game<G: Game>(
        game: &G,
        plies: usize,
        limit: usize,
        visit: impl FnMut(History, &[G::Action]),
    ) -> Result<KnowledgeGraph, KnowledgeError> {
        let mut walk = Walk { game, plies, limit, keys: Vec::new(), history: Vec::new(), visit };
        walk.descend(&Node::start(game))?;
        Ok(KnowledgeGraph::new(&walk.keys))
    }

    /// Returns the number of histories.
    #[must_use]
    pub fn histories(&self) -> usize {
        self.infoset_of[0].len()
    }

    /// All histories, in order.
    pub fn all(&self) -> impl Iterator<Item = History> + use<> {
        (0..self.histories() as u32).map(History)
    }

    /// Returns the number of infosets of `player`.
    #[must_use]
    pub fn infosets(&self, player: Player) -> usize {
        self.starts[player.index()].len() - 1
    }

    /// The histories that `player` cannot tell from `history`, itself among them.
    #[must_use]
    pub fn infoset(&self, player: Player, history: History) -> &[History] {
        let infoset = self.infoset_of[player.index()][history.index()] as usize;
        let starts = &self.starts[player.index()];
        &self.members[player.index()][starts[infoset] as usize..starts[infoset + 1] as usize]
    }

    /// The order-`order` knowledge set of `set`: the histories at distance less than `order` from it, in the
    /// order they are reached. For an infoset, order 1 is the infoset itself.
    #[must_use]
    pub fn knowledge_set(&self, set: &[History], order: u32) -> Vec<History> {
        let mut search = Search::new(self);
        search.run(self, set, order);
        search.reached
    }

    /// The common-knowledge set of `history`: all histories at any distance.
    #[must_use]
    pub fn component(&self, history: History) -> Vec<History> {
        self.knowledge_set(&[history], u32::MAX)
    }

    /// The sizes of all common-knowledge sets, largest first.
    #[must_use]
    pub fn component_sizes(&self) -> Vec<usize> {
        let mut sizes: Vec<usize> = self.components().iter().map(Vec::len).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes
    }

    /// All common-knowledge sets.
    fn components(&self) -> Vec<Vec<History>> {
        let mut search = Search::new(self);
        let mut known = vec![false; self.histories()];
        let mut components = Vec::new();
        for start in self.all() {
            if known[start.index()] {
                continue;
            }
            search.run(self, &[start], u32::MAX);
            search.reached.iter().for_each(|h| known[h.index()] = true);
            components.push(search.reached.clone());
        }
        components
    }

    /// The number of steps from one history to another; `None` if they are not connected.
    #[must_use]
    pub fn distance(&self, from: History, to: History) -> Option<u32> {
        let mut search = Search::new(self);
        search.run(self, &[from], u32::MAX);
        search.reached.contains(&to).then(|| search.distance[to.index()])
    }

    /// The largest finite distance; `None` if there is no history. `progress` hears how many histories of
    /// the current component are settled, and of how many.
    ///
    /// Most histories need no search of their own. Seen from a middle history, two histories at most r away
    /// from it are at most 2r apart. So searches start from the farthest histories inwards and stop as soon
    /// as the best distance found is at least twice the radius of what is left.
    #[must_use]
    pub fn diameter(&self, mut progress: impl FnMut(usize, usize)) -> Option<Diameter> {
        let mut search = Search::new(self);
        let mut best: Option<Diameter> = None;
        let mut components = self.components();
        components.sort_by_key(|component| std::cmp::Reverse(component.len()));
        for component in components {
            // Distances are below the number of histories, and often far below: skip what cannot win.
            if best.is_some_and(|best| best.distance as usize + 1 >= component.len()) {
                continue;
            }
            self.improve(&mut search, &component, &mut best, &mut progress);
        }
        best
    }

    /// Raises `best` to the diameter of one component, if that is larger.
    fn improve(
        &self,
        search: &mut Search,
        component: &[History],
        best: &mut Option<Diameter>,
        progress: &mut impl FnMut(usize, usize),
    ) {
        let mut consider = |search: &Search, from: History| {
            let to = search.farthest();
            let distance = search.distance[to.index()];
            if best.is_none_or(|best| best.distance < distance) {
                *best = Some(Diameter { distance, pair: (from, to) });
            }
            best.map_or(0, |best| best.distance)
        };
        // Two sweeps find a long path; its middle is a good centre.
        search.run(self, &component[..1], u32::MAX);
        let one_end = search.farthest();
        search.run(self, &[one_end], u32::MAX);
        consider(search, one_end);
        let middle = search.middle(self);
        search.run(self, &[middle], u32::MAX);
        consider(search, middle);
        let by_radius: Vec<(History, u32)> =
            search.reached.iter().rev().map(|&h| (h, search.distance[h.index()])).collect();
        for (settled, (history, radius)) in by_radius.into_iter().enumerate() {
            search.run(self, &[history], u32::MAX);
            if consider(search, history) >= 2 * radius {
                return;
            }
            progress(settled + 1, component.len());
        }
    }
}

fn starts_of(infoset_of: &[u32]) -> Vec<u32> {
    let count = infoset_of.iter().max().map_or(0, |&last| last as usize + 1);
    let mut starts = vec![0; count + 1];
    for &infoset in infoset_of {
        starts[infoset as usize + 1] += 1;
    }
    for i in 0..count {
        starts[i + 1] += starts[i];
    }
    starts
}

/// A walk over all histories of one length.
struct Walk<'g, G: Game, V> {
    game: &'g G,
    plies: usize,
    limit: usize,
    keys: Vec<[Key; 2]>,
    history: Vec<G::Action>,
    visit: V,
}

impl<G: Game, V: FnMut(History, &[G::Action])> Walk<'_, G, V> {
    fn descend(&mut self, node: &Node<G::State>) -> Result<(), KnowledgeError> {
        if let Turn::Over(_) = self.game.turn(&node.state) {
            return Ok(());
        }
        if self.history.len() == self.plies {
            if self.keys.len() == self.limit {
                return Err(KnowledgeError::TooMany { limit: self.limit, plies: self.plies });
            }
            (self.visit)(History(self.keys.len() as u32), &self.history);
            self.keys.push(node.keys);
            return Ok(());
        }
        let mut actions = Vec::new();
        self.game.actions(&node.state, &mut actions);
        for action in actions {
            self.history.push(action);
            self.descend(&node.play(self.game, action))?;
            self.history.pop();
        }
        Ok(())
    }
}

/// A breadth-first search; its tables serve many searches.
struct Search {
    /// Of the reached histories.
    distance: Vec<u32>,
    /// In which search each history and each infoset was last reached.
    round: u32,
    history_round: Vec<u32>,
    infoset_round: [Vec<u32>; 2],
    /// The reached histories, nearest first.
    reached: Vec<History>,
}

impl Search {
    fn new(graph: &KnowledgeGraph) -> Search {
        Search {
            distance: vec![0; graph.histories()],
            round: 0,
            history_round: vec![0; graph.histories()],
            infoset_round: Player::BOTH.map(|player| vec![0; graph.infosets(player)]),
            reached: Vec::new(),
        }
    }

    /// Reaches everything at distance less than `order` from `sources`.
    fn run(&mut self, graph: &KnowledgeGraph, sources: &[History], order: u32) {
        self.round += 1;
        self.reached.clear();
        if order == 0 {
            return;
        }
        for &source in sources {
            self.reach(source, 0);
        }
        let mut next = 0;
        while let Some(&history) = self.reached.get(next) {
            next += 1;
            let distance = self.distance[history.index()] + 1;
            if distance >= order {
                return;
            }
            for player in Player::BOTH {
                let infoset = graph.infoset_of[player.index()][history.index()] as usize;
                let round = &mut self.infoset_round[player.index()][infoset];
                if *round != self.round {
                    *round = self.round;
                    graph.infoset(player, history).iter().for_each(|&member| self.reach(member, distance));
                }
            }
        }
    }

    fn reach(&mut self, history: History, distance: u32) {
        let round = &mut self.history_round[history.index()];
        if *round != self.round {
            *round = self.round;
            self.distance[history.index()] = distance;
            self.reached.push(history);
        }
    }

    /// The history reached last. A run from at least one source reaches at least that.
    fn farthest(&self) -> History {
        self.reached[self.reached.len() - 1]
    }

    /// A history halfway between the source and the farthest one.
    fn middle(&self, graph: &KnowledgeGraph) -> History {
        let mut history = self.farthest();
        let half = self.distance[history.index()] / 2;
        while self.distance[history.index()] > half {
            let nearer = Player::BOTH
                .into_iter()
                .flat_map(|player| graph.infoset(player, history))
                .find(|other| self.distance[other.index()] < self.distance[history.index()]);
            let Some(&other) = nearer else { break };
            history = other;
        }
        history
    }
}
