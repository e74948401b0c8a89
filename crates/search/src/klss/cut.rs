//! The next subgame, cut out of the trunk that was solved last.
//!
//! It starts where I know exactly what I know now. What they cannot tell from there is kept frozen. Of several starts
//! with the same future, in random order, only the first stays. What they may know there is a *class*; its alternate
//! value is what my old plan was worth against their best answer, and the gift what their way there cost them, each
//! per chance to come there.

use rustc_hash::{FxHashMap, FxHashSet};
use scuro_core::{Game, Key, Node, Random, Turn};

use super::Insight;
use super::trunk::{Acts, Trunk};
use crate::exact::matrix::Plans;
use crate::exact::sequence_form::Entry;
use crate::tree::NodeState;

/// Points of an old trunk, with their nodes.
type Starts<S> = Vec<(usize, Node<S>)>;

/// Nodes of an old trunk at which they know the same.
#[derive(Clone, Debug)]
struct Together<S> {
    /// Where I may be.
    free: Starts<S>,
    /// Where I am not, though they cannot know it.
    frozen: Starts<S>,
}

/// A trunk that was solved, looked at from what is known now.
pub(super) struct Cut<'t, G: Game> {
    game: &'t G,
    old: &'t Trunk<G>,
    plans: &'t Plans,
    /// By column what it is worth to me if they answer best.
    worth: Vec<f64>,
    /// By infoset of theirs how likely chance and I come there.
    reach: Vec<f64>,
}

impl<'t, G: Game> Cut<'t, G> {
    pub(super) fn new(game: &'t G, old: &'t Trunk<G>, plans: &'t Plans) -> Cut<'t, G> {
        let worth = old.matrix(Entry::Maxmargin).worst_cases(&plans.rows);
        let mut reach = vec![0.0; old.theirs.len()];
        for point in 0..old.points.len() {
            if let Some(Acts::Them(id)) = old.inner(point).map(|inner| inner.acts) {
                reach[id as usize] += old.points[point].weight * plans.rows[old.points[point].row as usize];
            }
        }
        Cut { game, old, plans, worth, reach }
    }

    /// Returns the probability that chance and I come to a point.
    fn likely(&self, point: usize) -> f64 {
        let point = &self.old.points[point];
        point.weight * self.plans.rows[point.row as usize]
    }

    /// The points below `from`, frozen or not, at which `player`, who went through `path` since the roots, knows the
    /// last of it. Only those that I and chance come to.
    fn find(&self, from: usize, player: usize, path: &[Key], out: &mut Starts<G::State>) {
        let Some((last, _)) = path.split_last() else { return };
        let state = self.old.points[from].link.state();
        if state == NodeState::End || self.likely(from) <= 0.0 {
            return;
        }
        if state == NodeState::Leaf {
            let node = self.old.node(self.game, from);
            out.extend((node.keys[player] == *last && self.at_my_turn(&node)).then_some((from, node)));
            return;
        }
        let Some(inner) = self.old.inner(from) else { return };
        if inner.node.keys[player] == *last && self.at_my_turn(&inner.node) {
            out.push((from, inner.node.clone()));
        } else if path.contains(&inner.node.keys[player]) {
            inner.children().for_each(|child| self.find(child, player, path, out));
        }
    }

    fn at_my_turn(&self, node: &Node<G::State>) -> bool {
        self.game.turn(&node.state) == Turn::Player(self.old.me)
    }

    /// Where I may be, by what they know there, in random order; starts with the same future only once, and of those
    /// that were never expanded no more than make up `most`.
    fn together<I: Insight<G>>(
        &self,
        insight: &I,
        path: &[Key],
        most: usize,
        random: &mut Random,
    ) -> Vec<Together<G::State>> {
        let (me, them) = (self.old.me.index(), self.old.me.other().index());
        let mut found = Vec::new();
        for &(root, _) in self.old.roots.iter().filter(|(root, _)| !self.old.points[*root as usize].frozen) {
            self.find(root as usize, me, path, &mut found);
        }
        let mut by_key: FxHashMap<Key, Starts<G::State>> = FxHashMap::default();
        let mut order = Vec::new();
        for (point, node) in found {
            let same = by_key.entry(node.keys[them]).or_default();
            order.extend(same.is_empty().then_some(node.keys[them]));
            same.push((point, node));
        }
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        let expanded = |starts: &Starts<G::State>| starts.iter().any(|(p, _)| self.old.inner(*p).is_some());
        let most_leaves = most.saturating_sub(by_key.values().filter(|starts| expanded(starts)).count());
        let (mut places, mut leaves) = (FxHashSet::default(), 0);
        let mut together = Vec::new();
        for key in order {
            let free = by_key.remove(&key).unwrap_or_default();
            if let [(point, only)] = &free[..] {
                let leaf = self.old.inner(*point).is_none();
                if leaf && leaves >= most_leaves || !places.insert(insight.place(&only.state)) {
                    continue;
                }
                leaves += usize::from(leaf);
            }
            together.push(Together { frozen: self.beside(&free), free });
        }
        together
    }

    /// What they cannot tell from these points, without them.
    fn beside(&self, free: &[(usize, Node<G::State>)]) -> Starts<G::State> {
        let them = self.old.me.other().index();
        let Some((point, node)) = free.first() else { return Vec::new() };
        let mut path = vec![node.keys[them]];
        let mut above = self.old.points[*point].above;
        let mut class = *point;
        while let Some(inner) =
            self.old.points.get(above as usize).and_then(|_| self.old.inner(above as usize))
        {
            path.insert(0, inner.node.keys[them]);
            class = above as usize;
            above = self.old.points[class].above;
        }
        let column = self.old.points[class].column;
        let mut found = Vec::new();
        for &(root, _) in
            self.old.roots.iter().filter(|(root, _)| self.old.points[*root as usize].column == column)
        {
            self.find(root as usize, them, &path, &mut found);
        }
        found.retain(|(point, _)| free.iter().all(|(other, _)| other != point));
        found
    }

    /// What a class is worth under my old plan and their best answer, times how likely chance and I come to it.
    fn alternate(&self, together: &Together<G::State>) -> f64 {
        let (mut sum, mut met) = (0.0, FxHashSet::default());
        for (point, _) in together.free.iter().chain(&together.frozen) {
            self.add_worth(*point, &mut sum, &mut met);
        }
        sum
    }

    fn add_worth(&self, point: usize, sum: &mut f64, met: &mut FxHashSet<u32>) {
        let here = self.old.points[point];
        let Some(inner) = self.old.inner(point) else {
            *sum += self.likely(point) * here.value;
            return;
        };
        match inner.acts {
            Acts::Them(id) => {
                if met.insert(id) {
                    *sum += self.least(id);
                }
            }
            _ => inner.children().for_each(|child| self.add_worth(child, sum, met)),
        }
    }

    /// Returns the value that an infoset of theirs holds me to.
    fn least(&self, id: u32) -> f64 {
        let columns = self.old.theirs[id as usize].sequences();
        columns.map(|column| self.worth[column]).fold(f64::INFINITY, f64::min)
    }

    /// What they gave away by their actions up to a column.
    fn gift(&self, column: usize) -> f64 {
        let id = self.old.theirs.iter().rposition(|choice| choice.sequences().contains(&column));
        let Some(id) = id else { return 0.0 };
        let given = if self.reach[id] > 0.0 {
            (self.worth[column] - self.least(id as u32)) / self.reach[id]
        } else {
            0.0
        };
        given + self.gift(self.old.theirs[id].before)
    }

    /// What a point is worth to me if both go on as planned; where they planned nothing they answer best.
    fn expected(&self, point: usize) -> f64 {
        let Some(inner) = self.old.inner(point) else { return self.old.points[point].value };
        let column = |child: usize| self.old.points[child].column as usize;
        let planned = self.plans.columns[self.old.points[point].column as usize];
        if let Acts::Them(_) = inner.acts
            && planned <= 0.0
        {
            let worth = |child: &usize| self.worth[column(*child)];
            let best = inner.children().min_by(|one, two| worth(one).total_cmp(&worth(two)));
            return best.map_or(0.0, |child| self.expected(child));
        }
        let here = self.likely(point) * planned;
        let share = |child: usize| match inner.acts {
            Acts::Them(_) => self.plans.columns[column(child)] / planned,
            _ if planned > 0.0 => self.likely(child) * planned / here,
            _ => self.likely(child) / self.likely(point),
        };
        inner
            .children()
            .map(|child| (child, share(child)))
            .filter(|(_, share)| *share > 0.0)
            .map(|(child, share)| share * self.expected(child))
            .sum()
    }

    /// What I expected to get where I am now; nothing is known if the trunk does not come here.
    fn hoped(&self, together: &[Together<G::State>]) -> f64 {
        let points = || together.iter().flat_map(|together| together.free.iter().map(|(point, _)| *point));
        let mean = |weight: &dyn Fn(usize) -> f64| {
            let total: f64 = points().map(weight).sum();
            let sum =
                || points().filter(|&p| weight(p) > 0.0).map(|p| weight(p) * self.expected(p)).sum::<f64>();
            (total > 0.0).then(|| sum() / total)
        };
        let planned =
            |point: usize| self.likely(point) * self.plans.columns[self.old.points[point].column as usize];
        mean(&planned).or_else(|| mean(&|point| self.likely(point))).unwrap_or(f64::INFINITY)
    }

    /// The next trunk, without what is fresh, and what I expected.
    pub(super) fn next<I: Insight<G>>(
        &self,
        insight: &I,
        path: &[Key],
        most: usize,
        random: &mut Random,
    ) -> (Trunk<G>, f64) {
        let together = self.together(insight, path, most, random);
        let share = |t: &Together<G::State>| t.free.iter().map(|(point, _)| self.likely(*point)).sum::<f64>();
        let mut next = Trunk::new(self.old.me);
        for together in &together {
            let gift = self.gift(self.old.points[together.free[0].0].column as usize);
            let class = next.add_class(self.alternate(together) / share(together), gift);
            for frozen in [false, true] {
                let nodes = if frozen { &together.frozen } else { &together.free };
                for (point, node) in nodes {
                    self.carry_root(&mut next, class, *point, node, frozen, share(together));
                }
            }
        }
        (next, self.hoped(&together))
    }

    fn carry_root(
        &self,
        next: &mut Trunk<G>,
        class: usize,
        point: usize,
        node: &Node<G::State>,
        frozen: bool,
        share: f64,
    ) {
        let mut node = node.clone();
        // What is below a point at which the game might have been over is not carried over.
        let voided = self.game.confirm_ongoing(&mut node.state);
        let value = self.old.points[point].value;
        let root = next.add_root(node.clone(), class, self.likely(point) / share, value);
        next.points[root].frozen = frozen;
        if !voided {
            self.copy(
                next,
                point,
                root,
                Some(node),
                share,
                self.likely(point) / self.old.points[point].weight,
            );
        }
    }

    /// Copies what is below a point. Where I choose, weights are those of chance, and of my actions before the root;
    /// where I am frozen also of those behind it.
    fn copy(
        &self,
        next: &mut Trunk<G>,
        from: usize,
        to: usize,
        node: Option<Node<G::State>>,
        share: f64,
        mine: f64,
    ) {
        let Some(inner) = self.old.inner(from) else { return };
        let values = |child: usize| {
            let child = self.old.points[child];
            (child.value, child.link.state() == NodeState::End)
        };
        let values: Vec<(f64, bool)> = inner.children().map(values).collect();
        let node = node.unwrap_or_else(|| inner.node.clone());
        let first = next.points.len();
        next.grow(self.game, to, node, inner.actions.clone(), &values);
        for (number, child) in inner.children().enumerate() {
            let copied = first + number;
            let frozen = next.points[copied].frozen;
            let weight = if frozen { self.likely(child) } else { self.old.points[child].weight * mine };
            next.points[copied].weight = weight / share;
        }
        for (number, child) in inner.children().enumerate() {
            if next.points[first + number].weight > 0.0 {
                self.copy(next, child, first + number, None, share, mine);
            }
        }
    }
}
