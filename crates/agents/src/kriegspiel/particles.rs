//! `particles`: tree search over what the player knows, on positions drawn from a weighted belief.
//!
//! A simulation draws a position by its weight. At a node, which is one information key of the player, a try is selected; the
//! umpire answers it on that position. A refusal costs nothing and leads on in the same turn; a move made is answered by an opponent
//! who does not see the player's pieces ([`Foe`]), and what the umpire says to both leads to the next node. After a few own
//! turns the position is valued. A try is worth the mean of what follows where it is legal: that a try was refused costs nothing,
//! so that only its worth if it is made counts.
//!
//! Against a lone king the tables of endings are asked (`endings`), and where they know nothing the set of its squares is
//! searched (`lone`).

use scuro_core::Random;
use scuro_games::chess::{BitBoard, Board, Color, Move, Piece};
use scuro_games::kriegspiel::{Announcement, Answer, KriegspielState, Position, Try};
use scuro_search::belief::Belief;

use super::endings::{LoneKing, proved};
use super::lone::Hunt;
use super::replies::{Foe, Replies};
use super::samplers::Tally;
use super::shell::{Scene, Style, Values, insight};
use crate::contestant::{Insight, near_best};
use crate::opponent::captures;
use crate::opponent::table::Captures;
use scuro_eval::score::exp;

/// Positions that the belief keeps if there is time for them.
pub(crate) const POSITIONS: usize = 100_000;
/// The most positions on which all tries are valued before the search, and the share of the budget that may take.
const GLANCED: usize = 64;
const GLANCE_SHARE: usize = 6;
/// The temperature of the prior over these values, and the share of it that is uniform.
const TEMPERATURE: f64 = 0.06;
const UNIFORM: f64 = 0.1;
/// How much exploring counts.
const EXPLORE: f64 = 0.4;
/// As how many simulations the first estimate of a try counts, and how much less a new try of a later turn seems worth.
const FIRST: f64 = 4.0;
const NEW: f64 = 0.05;
/// What a mate is worth; all else is at most 1.
const MATE: f64 = 1.2;
/// The share of a count of pieces in what a position is worth, and the count that is worth 1: values of chess hardly
/// differ where much is won already.
const COUNTED: f64 = 0.15;
const ALL_COUNTED: f64 = 40.0;
/// What a turn costs: what is won sooner is won more surely.
const TURN: f64 = 0.998;
/// In the first moves tries whose value is so close to the best are as good.
const OPENING: usize = 8;
const MARGIN: f64 = 0.01;
/// The share of the visits of the most visited try that another needs to be played instead.
const VISITED: f64 = 0.5;
/// Tries against a lone king look so many tries further.
const FURTHER: usize = 1;
/// Nodes that looking further at one such try costs.
const HUNT_NODES: usize = 20;

/// The player's style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Particles {
    /// How the opponent replies.
    pub foe: Foe,
    /// How many own turns the tree is deep.
    pub turns: usize,
    /// Sets of squares of a lone king that were met in this game.
    met: Vec<Hunt>,
}

impl Default for Particles {
    fn default() -> Particles {
        Particles { foe: Foe::Blind, turns: 3, met: Vec::new() }
    }
}

impl Style for Particles {
    fn choose(&mut self, scene: &mut Scene<'_>) -> (usize, Vec<Insight>) {
        let Some((belief, _)) = scene.belief else {
            return (scene.random.below(scene.tries.len()), Vec::new());
        };
        if let Some(kings) = lone_king(belief, !scene.me()) {
            return proved_win(scene, belief).unwrap_or_else(|| self.hunt(scene, kings));
        }
        let mut search = Search::new(self, scene, belief);
        search.glance(scene);
        while !scene.meter.is_used_up() {
            search.simulate(scene);
        }
        search.chosen(scene)
    }
}

impl Particles {
    /// Chooses against a lone king on one of these squares.
    fn hunt(&mut self, scene: &mut Scene<'_>, kings: BitBoard) -> (usize, Vec<Insight>) {
        let stalemate_wins = scene.rules.ruleset.stalemate_loses();
        let hunt = Hunt { pieces: scene.view.pieces, kings, stalemate_wins };
        if scene.view.refused.is_empty() {
            self.met.push(hunt);
        }
        let met = |hunt: &Hunt| self.met.iter().filter(|other| *other == hunt).count();
        let mut open: Vec<(usize, f64)> = Vec::new();
        hunt.each_try(|m| {
            let place = scene.tries.iter().position(|attempt| *attempt == m);
            open.extend(place.map(|place| (place, hunt.value(m, 0, &met))));
        });
        // Those that look best at first are looked into, as many as there is time for.
        open.sort_by(|one, two| two.1.total_cmp(&one.1));
        let mut deeper: Vec<(usize, f64)> = Vec::new();
        for &(place, _) in &open {
            if !deeper.is_empty() && scene.meter.is_used_up() {
                break;
            }
            scene.meter.spend(HUNT_NODES);
            deeper.push((place, hunt.value(scene.tries[place], FURTHER, &met)));
        }
        let values: Vec<f64> = deeper.iter().map(|(_, value)| *value).collect();
        let Some(&(chosen, _)) = deeper.get(near_best(&values, 1e-9, scene.random)) else {
            return (scene.random.below(scene.tries.len()), Vec::new());
        };
        let thought = |&(place, value): &(usize, f64)| {
            let (_, branches) = hunt.branches(scene.tries[place]);
            let refused: u32 =
                branches.iter().filter(|branch| branch.said.is_none()).map(|branch| branch.squares).sum();
            let legal = 1.0 - f64::from(refused) / f64::from(kings.len());
            Insight { chosen: place == chosen, ..insight(scene.tries[place], value, legal) }
        };
        let insights = deeper.iter().filter(|(_, value)| value.is_finite()).map(thought).collect();
        (chosen, insights)
    }
}

/// The try of the tables that mates soonest, if one is proved to win; if possible one after which the pieces do not stand
/// as they did twice before.
fn proved_win(scene: &Scene<'_>, belief: &Belief<Position>) -> Option<(usize, Vec<Insight>)> {
    let lone_king = LoneKing::of(belief.positions().iter().map(|position| position.board()))?;
    let pieces = &scene.view.pieces;
    let stood = |m: Move| {
        let after = pieces.moved(m);
        scene.past.placements.iter().filter(|placement| **placement == after).count()
    };
    let place = |m: Move| scene.tries.iter().position(|attempt| *attempt == m);
    let wins = proved().wins(&lone_king).filter_map(|win| Some((place(win.attempt)?, win)));
    let (chosen, win) = wins.min_by_key(|(_, win)| (stood(win.attempt) >= 2, win.moves))?;
    let mates_in = ("mates in", f64::from(win.moves));
    let mut thought = Insight { chosen: true, ..insight(win.attempt, 1.0, 1.0) };
    thought.parts = vec![("value", 1.0), mates_in];
    Some((chosen, vec![thought]))
}

/// The squares on which a king of `them` may stand, if it has nothing else in any position.
fn lone_king(belief: &Belief<Position>, them: Color) -> Option<BitBoard> {
    let mut kings = BitBoard::EMPTY;
    for position in belief.positions() {
        let theirs = position.board().colors(them);
        if theirs.len() > 1 {
            return None;
        }
        kings |= theirs;
    }
    Some(kings)
}

/// A node: what the player knows there is the same in all simulations that come to it.
struct Node {
    edges: Vec<Edge>,
    visits: f64,
    sum: f64,
}

/// A try at a node.
struct Edge {
    m: Move,
    prior: f64,
    /// The first estimate of its value, relative to the mean of the node.
    first: f64,
    /// What is added to its value: repetition and patience.
    bonus: f64,
    /// How often it was selected, how often it was legal then, and the sum of values there.
    selected: f64,
    made: f64,
    sum: f64,
    refused: Option<usize>,
    children: Vec<([Announcement; 2], usize)>,
}

impl Edge {
    fn new(m: Move, prior: f64, first: f64, bonus: f64) -> Edge {
        Edge {
            m,
            prior,
            first,
            bonus,
            selected: 0.0,
            made: 0.0,
            sum: 0.0,
            refused: None,
            children: Vec::new(),
        }
    }

    /// Its value where it is legal, at a node whose mean is this.
    fn value(&self, mean: f64) -> f64 {
        (self.sum + FIRST * (mean + self.first)) / (self.made + FIRST) + self.bonus
    }
}

impl Node {
    fn new(edges: Vec<Edge>) -> Node {
        Node { edges, visits: 0.0, sum: 0.0 }
    }

    fn mean(&self) -> f64 {
        if self.visits > 0.0 { self.sum / self.visits } else { 0.0 }
    }

    /// The try to look at next.
    fn selected(&self) -> Option<usize> {
        let (mean, scale) = (self.mean(), EXPLORE * (self.visits + 1.0).sqrt());
        let score = |edge: &Edge| edge.value(mean) + scale * edge.prior / (1.0 + edge.selected);
        let scores = self.edges.iter().map(score);
        scores.enumerate().max_by(|one, two| one.1.total_cmp(&two.1)).map(|(place, _)| place)
    }

    /// The same tries but one, as they look after that was refused.
    fn without(&self, refused: usize) -> Node {
        let mean = self.mean();
        let others = self.edges.iter().enumerate().filter(|(place, _)| *place != refused);
        let copied = others.map(|(_, edge)| {
            let first = edge.value(mean) - edge.bonus - mean;
            Edge::new(edge.m, edge.prior, first, edge.bonus)
        });
        Node { visits: self.visits.min(1.0), sum: mean * self.visits.min(1.0), ..Node::new(copied.collect()) }
    }
}

/// The search of one choice.
struct Search {
    nodes: Vec<Node>,
    replies: Replies,
    /// Sums of the weights of the belief, for drawing.
    weights: Vec<f64>,
    captures: Captures,
    turns: usize,
    me: Color,
    /// How often each try of the root was legal at a glance.
    legal: Vec<f64>,
    tries: Vec<Try>,
}

impl Search {
    fn new(style: &Particles, scene: &Scene<'_>, belief: &Belief<Position>) -> Search {
        let mut total = 0.0;
        let add = |weight: f64| {
            total += weight;
            total
        };
        let captures = captures::<scuro_games::kriegspiel::Kriegspiel>(scene.heard.iter().copied());
        Search {
            nodes: Vec::new(),
            replies: Replies::new(style.foe),
            weights: belief.weighted().map(|held| held.weight).map(add).collect(),
            captures: captures.unwrap_or_default(),
            turns: style.turns.max(1),
            me: scene.me(),
            legal: Vec::new(),
            tries: Vec::new(),
        }
    }

    /// A position of the belief, drawn by its weight.
    fn drawn(&self, belief: &Belief<Position>, random: &mut Random) -> Position {
        let goal = random.unit() * self.weights.last().copied().unwrap_or_default();
        let place = self.weights.partition_point(|sum| *sum <= goal);
        belief.positions()[place.min(self.weights.len() - 1)]
    }

    /// Values all tries on some positions, as samplers do: the priors of the root.
    fn glance(&mut self, scene: &mut Scene<'_>) {
        let Some((belief, _)) = scene.belief else { return };
        let mut tally = Tally::new(scene.tries, scene.sign());
        let most = scene.meter.share(GLANCE_SHARE);
        while tally.boards() < GLANCED && (tally.boards() < 8 || scene.meter.nodes() < most) {
            let position = self.drawn(belief, scene.random);
            scene.meter.spend(tally.add(&position, scene.leaves));
        }
        let means = tally.means();
        let best = means.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        let best = if best.is_finite() { best } else { 0.0 };
        // What was legal nowhere may be legal yet; it is looked at last.
        let first: Vec<f64> =
            means.iter().map(|mean| mean.map_or(-1.0, |mean| (mean - best).max(-1.0))).collect();
        let powers: Vec<f64> = first.iter().map(|first| exp(first / TEMPERATURE)).collect();
        let (total, count) = (powers.iter().sum::<f64>(), powers.len() as f64);
        let edge = |(place, &m): (usize, &Move)| {
            let prior = (1.0 - UNIFORM) * powers[place] / total + UNIFORM / count;
            Edge::new(m, prior, first[place], scene.bonus(m))
        };
        self.nodes.push(Node::new(scene.tries.iter().enumerate().map(edge).collect()));
        self.legal = tally.shares();
    }

    /// One simulation from the root.
    fn simulate(&mut self, scene: &mut Scene<'_>) {
        let Some((belief, _)) = scene.belief else { return };
        let position = self.drawn(belief, scene.random);
        let mut state = KriegspielState::supposed(scene.view, *position.board());
        scene.meter.spend(1);
        self.descend(0, &mut state, self.captures, 1, scene);
    }

    /// The value to the player of a simulation from a node on, at this of its own turns.
    fn descend(
        &mut self,
        node: usize,
        state: &mut KriegspielState,
        captures: Captures,
        turn: usize,
        scene: &mut Scene<'_>,
    ) -> f64 {
        let value = match self.nodes[node].selected() {
            // All tries were refused: the position was wrongly believed.
            None => self.worth(state.board(), scene.leaves),
            Some(place) => self.attempt(node, place, state, captures, turn, scene),
        };
        let Node { visits, sum, .. } = &mut self.nodes[node];
        *visits += 1.0;
        *sum += value;
        value
    }

    /// The value of a simulation that goes on with a try.
    fn attempt(
        &mut self,
        node: usize,
        place: usize,
        state: &mut KriegspielState,
        captures: Captures,
        turn: usize,
        scene: &mut Scene<'_>,
    ) -> f64 {
        let edge = &mut self.nodes[node].edges[place];
        edge.selected += 1.0;
        let Answer::Made(mine) = state.take(Try::Move(edge.m)) else {
            let child = match edge.refused {
                Some(child) => child,
                None => self.grow(node, place),
            };
            return self.descend(child, state, captures, turn, scene);
        };
        let value = match mine.end {
            Some(end) => self.decided(end.payoff()),
            None => self.answered(node, place, state, (mine, captures), turn, scene),
        };
        let edge = &mut self.nodes[node].edges[place];
        edge.made += 1.0;
        edge.sum += value;
        value
    }

    /// The value after a move of the player: the opponent replies, and the player goes on by what is said.
    fn answered(
        &mut self,
        node: usize,
        place: usize,
        state: &mut KriegspielState,
        (mine, captures): (Announcement, Captures),
        turn: usize,
        scene: &mut Scene<'_>,
    ) -> f64 {
        let captures = [mine.capture.map(|capture| capture.square), captures[0], captures[1]];
        let Some(reply) = self.replies.draw(state, captures, scene) else {
            return self.worth(state.board(), scene.leaves);
        };
        let Answer::Made(theirs) = state.take(Try::Move(reply)) else {
            return self.worth(state.board(), scene.leaves);
        };
        if let Some(end) = theirs.end {
            return self.decided(end.payoff());
        }
        let said = [mine, theirs];
        let children = &self.nodes[node].edges[place].children;
        let known = children.iter().find(|(other, _)| *other == said).map(|(_, child)| *child);
        if turn == self.turns {
            return TURN * self.worth(state.board(), scene.leaves);
        }
        let captures = [theirs.capture.map(|capture| capture.square), captures[0], captures[1]];
        let Some(child) = known else {
            // What is new is valued first, and looked into when it is met again.
            let child = self.nodes.len();
            self.nodes[node].edges[place].children.push((said, child));
            let value = self.worth(state.board(), scene.leaves);
            self.nodes.push(Node { visits: 1.0, sum: value, ..Node::new(Vec::new()) });
            return TURN * value;
        };
        if self.nodes[child].edges.is_empty() {
            self.expand(child, state, captures);
        }
        TURN * self.descend(child, state, captures, turn + 1, scene)
    }

    /// The node at which a try has just been refused.
    fn grow(&mut self, node: usize, place: usize) -> usize {
        let child = self.nodes.len();
        let grown = self.nodes[node].without(place);
        self.nodes.push(grown);
        self.nodes[node].edges[place].refused = Some(child);
        child
    }

    /// Writes out the tries of a node. As likely as they look on this position, some of them are looked at first.
    fn expand(&mut self, node: usize, state: &KriegspielState, captures: Captures) {
        self.tries.clear();
        state.offered(&mut self.tries);
        let moves: Vec<Move> = self
            .tries
            .iter()
            .filter_map(|attempt| if let Try::Move(m) = attempt { Some(*m) } else { None })
            .collect();
        let priors = self.replies.looks(state, captures, &moves);
        let edges = moves.iter().zip(priors).map(|(&m, prior)| Edge::new(m, prior, -NEW, 0.0));
        self.nodes[node].edges = edges.collect();
    }

    /// The value of an end to the player.
    fn decided(&self, payoff: f64) -> f64 {
        MATE * if self.me == Color::White { payoff } else { -payoff }
    }

    /// The value of a position to the player.
    fn worth(&self, board: &Board, leaves: &mut Values) -> f64 {
        let value = leaves.value(board);
        let value = if self.me == Color::White { value } else { -value };
        let counted = counted(board, self.me) - counted(board, !self.me);
        (1.0 - COUNTED) * value + COUNTED * (counted / ALL_COUNTED).clamp(-1.0, 1.0)
    }

    /// The try that is played, and what was thought of each.
    fn chosen(&self, scene: &mut Scene<'_>) -> (usize, Vec<Insight>) {
        let root = &self.nodes[0];
        let mean = root.mean();
        let most = root.edges.iter().map(|edge| edge.selected).fold(0.0, f64::max);
        let open: Vec<usize> =
            (0..root.edges.len()).filter(|&place| root.edges[place].selected >= VISITED * most).collect();
        let values: Vec<f64> = open.iter().map(|&place| root.edges[place].value(mean)).collect();
        let margin = if scene.past.moves < OPENING { MARGIN } else { 0.0 };
        let chosen = open[near_best(&values, margin, scene.random)];
        let thought = |(place, edge): (usize, &Edge)| {
            let legal = if edge.selected > 0.0 { edge.made / edge.selected } else { self.legal[place] };
            Insight { chosen: place == chosen, ..insight(edge.m, edge.value(mean), legal) }
        };
        let looked_at =
            root.edges.iter().enumerate().filter(|(place, edge)| edge.made > 0.0 || self.legal[*place] > 0.0);
        (chosen, looked_at.map(thought).collect())
    }
}

/// A count of the pieces of a side, and of the steps of its pawns.
fn counted(board: &Board, color: Color) -> f64 {
    let count = |piece| f64::from(board.men(color, piece).len());
    let steps: i32 = board
        .men(color, Piece::Pawn)
        .into_iter()
        .map(|square| if color == Color::White { square.rank() as i32 - 1 } else { 6 - square.rank() as i32 })
        .sum();
    count(Piece::Pawn)
        + 0.2 * f64::from(steps)
        + 3.0 * (count(Piece::Knight) + count(Piece::Bishop))
        + 5.0 * count(Piece::Rook)
        + 9.0 * count(Piece::Queen)
}
