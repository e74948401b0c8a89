//! Subgames cut out by knowledge, and the gadgets that make solving them safe or nearly so.
//!
//! I have come to an infoset and want to do better than my strategy so far, the *context*. A [`Cut`] says how much
//! of the game I look at:
//!
//! * the *roots* are the nodes of the order-k knowledge set of the infoset: order 1 is the infoset itself, order 2
//!   adds what they cannot tell from it, and so on; without an order they are all that common knowledge leaves;
//! * below the roots I choose anew. Of the other nodes that they cannot tell from a root, KLSS keeps the payoffs,
//!   with me *frozen* to the context (they end up in the first row of the matrix); KLUSS drops them. For even
//!   orders and for common knowledge there are none, and both are the same.
//!
//! They start in one of the *classes*: the roots at which they know the same. A class is worth to me what comes of
//! it less its *alternate value*, what the context makes of it, both per chance to come there: that is its
//! *margin*. The context itself has margin 0 everywhere.

use rustc_hash::{FxHashMap, FxHashSet};
use scuro_core::{Key, Player};

use super::ground::Ground;
use super::matrix::LinearError;
use super::sequence_form::{Entry, SequenceForm, TieBreak};
use crate::strategy::Strategy;
use crate::tree::{Event, InfosetId, NodeId};

/// The part that is cut out of a game, and its gadget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The order of the knowledge set that the subgame starts from; `None`: common knowledge.
    pub order: Option<u32>,
    /// Whether what they cannot tell from the roots stays, with me frozen to the context.
    pub frozen: bool,
    /// The gadget.
    pub entry: Entry,
    /// Whether what they gave away on the way (gifts) lowers the alternate values: reach subgame solving.
    pub reach: bool,
    /// Whether of several classes with the same future only one stays. For order 1, and not quite exact.
    pub merge: bool,
}

impl Cut {
    /// Knowledge-limited subgame solving of this order, with maxmargin.
    #[must_use]
    pub fn klss(order: Option<u32>) -> Cut {
        Cut { order, frozen: true, entry: Entry::Maxmargin, reach: false, merge: false }
    }

    /// The same without the frozen part.
    #[must_use]
    pub fn kluss(order: Option<u32>) -> Cut {
        Cut { frozen: false, ..Cut::klss(order) }
    }
}

/// The roots at which they know the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// The roots.
    pub nodes: Vec<NodeId>,
    /// The probability that chance and I come there.
    pub weight: f64,
    /// The value of the context there, gifts not taken off.
    pub alternate: f64,
    /// The gift: what they gave away on the way.
    pub gift: f64,
}

/// A subgame with its gadget.
#[derive(Clone, Debug)]
pub struct ExactSubgame<'g> {
    ground: &'g Ground,
    context: &'g Strategy,
    cut: Cut,
    /// The nodes it starts from.
    pub roots: Vec<NodeId>,
    /// The classes that they can start in.
    pub classes: Vec<Class>,
    /// The matrix; alternate values are taken off, gifts put on.
    pub form: SequenceForm<'g>,
}

impl<'g> ExactSubgame<'g> {
    /// Returns the subgame at `infoset` if so far I have followed `context`; `None` if that never comes there.
    #[must_use]
    pub fn new(
        ground: &'g Ground,
        context: &'g Strategy,
        infoset: InfosetId,
        cut: Cut,
    ) -> Option<ExactSubgame<'g>> {
        if ground.infoset_reach(context, infoset) <= 0.0 {
            return None;
        }
        let me = ground.tree.infoset(infoset).player;
        let roots = ground.knowledge_set(infoset, cut.order);
        let classes = classes(ground, context, me, &roots, cut);
        let weights = classes.iter().map(|class| class.weight).collect();
        let form = SequenceForm::new(&ground.tree, me, weights);
        let mut subgame = ExactSubgame { ground, context, cut, roots, classes, form };
        subgame.fill(me);
        Some(subgame)
    }

    fn fill(&mut self, me: Player) {
        let kept: FxHashSet<NodeId> = self.roots.iter().copied().collect();
        for (number, class) in self.classes.iter().enumerate() {
            let share = |node| weight(self.ground, self.context, me, node) / class.weight;
            for &node in &class.nodes {
                self.form.add(node, number, share(node), None);
            }
            if self.cut.frozen {
                let alike = self.ground.alike(me.other(), class.nodes[0]);
                for node in alike.into_iter().filter(|node| !kept.contains(node)) {
                    self.form.add(node, number, share(node), Some(self.context));
                }
            }
        }
        let worth = self.form.worst_cases(self.context);
        let gifts = self.cut.reach.then(|| Gifts::new(self.ground, self.context, me));
        for (number, class) in self.classes.iter_mut().enumerate() {
            class.alternate = worth[number];
            class.gift = gifts.as_ref().map_or(0.0, |gifts| gifts.before(class.nodes[0]));
            self.form.raise(number, class.gift - class.alternate);
        }
    }

    /// Returns the number of nodes at and below the roots.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.roots.iter().map(|&root| self.ground.size(root)).sum()
    }

    /// Returns the margin of every class if I follow `strategy` below the roots.
    #[must_use]
    pub fn margins(&self, strategy: &Strategy) -> Vec<f64> {
        let mut worth = self.form.worst_cases(strategy);
        worth.truncate(self.classes.len());
        worth
    }

    /// The best value of the gadget, and the context with a plan of that value below the roots. Below, I play
    /// every action at least as often as `least` says of its slot; at the roots I am free.
    ///
    /// # Errors
    /// If the linear program cannot be solved.
    pub fn solve(
        &self,
        least: impl Fn(usize) -> f64,
        tie_break: TieBreak,
    ) -> Result<(f64, Strategy), LinearError> {
        let mut free: FxHashSet<usize> = FxHashSet::default();
        for &root in &self.roots {
            if let Event::Choice(id) = self.ground.tree.event(root) {
                free.extend(self.ground.tree.infoset(id).slots());
            }
        }
        let bound = |slot: usize| if free.contains(&slot) { 0.0 } else { least(slot) };
        let plan = self.form.solve(self.cut.entry, bound, tie_break)?;
        let mut strategy = self.context.clone();
        plan.write(&mut strategy);
        Ok((plan.value, strategy))
    }
}

/// Returns the probability that chance and I come to `node`.
fn weight(ground: &Ground, context: &Strategy, me: Player, node: NodeId) -> f64 {
    ground.chance(node) * ground.reach(context, me, node)
}

/// The roots by what they know; classes that the context never comes to are left out.
fn classes(ground: &Ground, context: &Strategy, me: Player, roots: &[NodeId], cut: Cut) -> Vec<Class> {
    let mut numbers: FxHashMap<Key, usize> = FxHashMap::default();
    let mut classes: Vec<Class> = Vec::new();
    for &root in roots {
        let number = *numbers.entry(ground.key(me.other(), root)).or_insert(classes.len());
        if number == classes.len() {
            classes.push(Class { nodes: Vec::new(), weight: 0.0, alternate: 0.0, gift: 0.0 });
        }
        classes[number].nodes.push(root);
        classes[number].weight += weight(ground, context, me, root);
    }
    classes.retain(|class| class.weight > 0.0);
    if cut.merge && cut.order == Some(1) {
        let mut kept: Vec<Class> = Vec::new();
        for class in classes {
            let same = |other: &Class| match (&class.nodes[..], &other.nodes[..]) {
                ([one], [another]) => transpositions(ground, me, *one, *another),
                _ => false,
            };
            if !kept.iter().any(same) {
                kept.push(class);
            }
        }
        return kept;
    }
    classes
}

/// Whether two nodes of one infoset of mine have the same future: whoever sees all from there on cannot tell them
/// apart. What they know may have other names below the one than below the other.
#[must_use]
pub fn transpositions(ground: &Ground, me: Player, one: NodeId, another: NodeId) -> bool {
    let mut names = [FxHashMap::default(), FxHashMap::default()];
    same_future(ground, me, [one, another], &mut names)
}

fn same_future(ground: &Ground, me: Player, pair: [NodeId; 2], names: &mut [FxHashMap<Key, Key>; 2]) -> bool {
    let tree = &ground.tree;
    let same_event = match pair.map(|node| tree.event(node)) {
        [Event::End(one), Event::End(another)] => return one == another,
        [Event::Chance(one), Event::Chance(another)] => {
            let count = tree.children(pair[0]).len();
            let chances = |first| tree.chances(first).iter().take(count);
            chances(one).eq(chances(another))
        }
        [Event::Choice(one), Event::Choice(another)] => {
            tree.infoset(one).player == tree.infoset(another).player
        }
        _ => false,
    };
    let mine = pair.map(|node| ground.key(me, node));
    let theirs = pair.map(|node| ground.key(me.other(), node));
    same_event
        && mine[0] == mine[1]
        && *names[0].entry(theirs[0]).or_insert(theirs[1]) == theirs[1]
        && *names[1].entry(theirs[1]).or_insert(theirs[0]) == theirs[0]
        && tree.children(pair[0]).len() == tree.children(pair[1]).len()
        && tree
            .children(pair[0])
            .zip(tree.children(pair[1]))
            .all(|(one, another)| same_future(ground, me, [one, another], names))
}

/// What they gave away: at each of their decisions the value, to me, of what they did less that of the best they
/// could do, both per chance to come there.
struct Gifts<'g> {
    ground: &'g Ground,
    them: Player,
    form: SequenceForm<'g>,
    worth: Vec<f64>,
    context: &'g Strategy,
}

impl<'g> Gifts<'g> {
    fn new(ground: &'g Ground, context: &'g Strategy, me: Player) -> Gifts<'g> {
        let form = SequenceForm::whole(&ground.tree, me);
        let worth = form.worst_cases(context);
        Gifts { ground, them: me.other(), form, worth, context }
    }

    fn before(&self, node: NodeId) -> f64 {
        let mut gift = 0.0;
        let mut action = self.ground.last_action(self.them, node);
        while let Some((id, number)) = action {
            let values: Vec<f64> = (0..self.ground.tree.infoset(id).actions as usize)
                .filter_map(|action| self.form.column(id, action).map(|column| self.worth[column]))
                .collect();
            let best = values.iter().copied().fold(f64::INFINITY, f64::min);
            let me = self.them.other();
            let nodes = self.ground.nodes(id);
            let reach: f64 = nodes.iter().map(|&node| weight(self.ground, self.context, me, node)).sum();
            if reach > 0.0 {
                gift += (values[number] - best) / reach;
            }
            action = self.ground.action_before(id);
        }
        gift
    }
}
