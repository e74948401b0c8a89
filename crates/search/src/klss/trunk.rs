//! The part of a subgame that is written out: points, the infosets they are in, and the matrix of all that.
//!
//! A point that is not expanded is worth what the evaluation says. *Frozen* points are those that I am certainly not
//! at but that they cannot tell from where I may be: there I go on as I planned, so that only they choose, and the
//! matrix has all of it in the row that stands for no action of mine.

use rustc_hash::FxHashMap;
use scuro_core::{Game, Key, Node, Player, Turn};

use crate::exact::LinearError;
use crate::exact::fold::Fold;
use crate::exact::matrix::{Choice, Matrix, Plans};
use crate::exact::oracle;
use crate::exact::sequence_form::Entry;
use crate::grow::Evaluate;
use crate::tree::Link;

/// Above a root there is nothing.
pub(super) const NOTHING: u32 = u32::MAX;

/// A place in the trunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) above: u32,
    /// Which child of the point above it is; at a root: which root.
    pub(super) number: u16,
    /// Roots have depth 1.
    pub(super) depth: u16,
    /// To me, as long as it is not expanded.
    pub(super) value: f64,
    /// Its probability inside its class if both sides play to get there.
    pub(super) weight: f64,
    /// Both sides' last actions.
    pub(super) row: u32,
    pub(super) column: u32,
    pub(super) link: Link,
    pub(super) frozen: bool,
}

/// The side that acts at an expanded point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Acts {
    Me(u32),
    Them(u32),
    Chance,
}

/// What is known of an expanded point.
#[derive(Clone, Debug)]
pub(super) struct Inner<G: Game> {
    pub(super) node: Node<G::State>,
    pub(super) acts: Acts,
    pub(super) actions: Vec<G::Action>,
    pub(super) first_child: u32,
}

impl<G: Game> Inner<G> {
    pub(super) fn children(&self) -> std::ops::Range<usize> {
        self.first_child as usize..self.first_child as usize + self.actions.len()
    }
}

/// What they may know at the roots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Class {
    /// What I could expect without this subgame.
    pub(super) alternate: f64,
    /// What they gave away on the way here.
    pub(super) gift: f64,
    /// The column that stands for it.
    column: usize,
}

/// The size that a trunk had.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    points: usize,
    inners: usize,
    infosets: [usize; 2],
    sequences: [usize; 2],
}

/// The trunk of a subgame.
#[derive(Clone, Debug)]
pub struct Trunk<G: Game> {
    pub(super) me: Player,
    pub(super) points: Vec<Point>,
    pub(super) inners: Vec<Inner<G>>,
    pub(super) roots: Vec<(u32, Node<G::State>)>,
    pub(super) classes: Vec<Class>,
    /// My infosets and theirs.
    pub(super) mine: Vec<Choice>,
    pub(super) theirs: Vec<Choice>,
    numbers: [FxHashMap<Key, u32>; 2],
    rows: usize,
    columns: usize,
    /// By action at the roots what it costs, so that what tells me more is cheaper.
    pub(super) fees: Vec<f64>,
}

impl<G: Game> Trunk<G> {
    /// A trunk without classes and roots.
    pub(super) fn new(me: Player) -> Trunk<G> {
        Trunk {
            me,
            points: Vec::new(),
            inners: Vec::new(),
            roots: Vec::new(),
            columns: 1,
            classes: Vec::new(),
            mine: Vec::new(),
            theirs: Vec::new(),
            numbers: [FxHashMap::default(), FxHashMap::default()],
            rows: 1,
            fees: Vec::new(),
        }
    }

    /// Returns the number of points.
    #[must_use]
    pub fn points(&self) -> usize {
        self.points.len()
    }

    /// Adds a class.
    pub(super) fn add_class(&mut self, alternate: f64, gift: f64) -> usize {
        self.classes.push(Class { alternate, gift, column: self.columns });
        self.columns += 1;
        self.classes.len() - 1
    }

    /// Adds a root to a class.
    pub(super) fn add_root(&mut self, node: Node<G::State>, class: usize, weight: f64, value: f64) -> usize {
        let point = self.points.len();
        self.points.push(Point {
            above: NOTHING,
            number: self.roots.len() as u16,
            depth: 1,
            value,
            weight,
            row: 0,
            column: self.classes[class].column as u32,
            link: Link::LEAF,
            frozen: false,
        });
        self.roots.push((point as u32, node));
        point
    }

    /// Roots at which I may be and that are not expanded.
    pub(super) fn unexpanded_roots(&self) -> Vec<usize> {
        let roots = self.roots.iter().map(|(root, _)| *root as usize);
        roots.filter(|&root| self.points[root].link == Link::LEAF && !self.points[root].frozen).collect()
    }

    /// Returns the number of expanded roots at which I may be.
    pub(super) fn expanded_roots(&self) -> usize {
        let roots = self.roots.iter().map(|(root, _)| self.points[*root as usize]);
        roots.filter(|root| root.link.inner().is_some() && !root.frozen).count()
    }

    /// The node of a point.
    pub(super) fn node(&self, game: &G, point: usize) -> Node<G::State> {
        let number = self.points[point].number as usize;
        match (self.inner(point), self.parent(point)) {
            (Some(inner), _) => inner.node.clone(),
            (None, Some(parent)) => parent.node.play(game, parent.actions[number]),
            (None, None) => self.roots[number].1.clone(),
        }
    }

    /// The expanded point above a point, if that is not a root.
    fn parent(&self, point: usize) -> Option<&Inner<G>> {
        let above = self.points[point].above;
        (above != NOTHING).then(|| self.inner(above as usize))?
    }

    /// What is known of a point, if it is expanded.
    pub(super) fn inner(&self, point: usize) -> Option<&Inner<G>> {
        self.points[point].link.inner().map(|id| &self.inners[id.index()])
    }

    /// Writes out the children of a leaf.
    pub(super) fn expand(&mut self, game: &G, evaluator: &mut impl Evaluate<G>, point: usize) {
        let node = self.node(game, point);
        let mut actions = Vec::new();
        game.actions(&node.state, &mut actions);
        let mut values = Vec::with_capacity(actions.len());
        evaluator.children(game, &node.state, &actions, &mut values);
        let sign = if self.me == Player::One { 1.0 } else { -1.0 };
        let values: Vec<(f64, bool)> = values.into_iter().map(|(value, over)| (sign * value, over)).collect();
        self.grow(game, point, node, actions, &values);
    }

    /// Gives a point its children, with these values to me.
    pub(super) fn grow(
        &mut self,
        game: &G,
        point: usize,
        node: Node<G::State>,
        actions: Vec<G::Action>,
        values: &[(f64, bool)],
    ) {
        let here = self.points[point];
        let (acts, chances) = self.actor(game, &node, here, actions.len());
        let first_child = self.points.len() as u32;
        for (number, &(value, over)) in values.iter().enumerate() {
            let after = |choice: &Choice| (choice.first + number) as u32;
            let (row, column) = match acts {
                Acts::Me(id) if !here.frozen => (after(&self.mine[id as usize]), here.column),
                Acts::Them(id) => (here.row, after(&self.theirs[id as usize])),
                _ => (here.row, here.column),
            };
            self.points.push(Point {
                above: point as u32,
                number: number as u16,
                depth: here.depth + 1,
                value,
                weight: here.weight * chances.get(number).copied().unwrap_or(1.0),
                row,
                column,
                link: if over { Link::END } else { Link::LEAF },
                frozen: here.frozen,
            });
        }
        self.points[point].link = Link::to_inner(self.inners.len());
        self.inners.push(Inner { node, acts, actions, first_child });
    }

    /// Returns the present size of the trunk, to come back to.
    pub(super) fn mark(&self) -> Mark {
        let Trunk { points, inners, mine, theirs, rows, columns, .. } = self;
        let [points, inners] = [points.len(), inners.len()];
        Mark { points, inners, infosets: [mine.len(), theirs.len()], sequences: [*rows, *columns] }
    }

    /// Takes back all that grew since the mark was set.
    pub(super) fn back_to(&mut self, mark: Mark) {
        self.points.truncate(mark.points);
        self.inners.truncate(mark.inners);
        self.mine.truncate(mark.infosets[0]);
        self.theirs.truncate(mark.infosets[1]);
        [self.rows, self.columns] = mark.sequences;
        for (numbers, infosets) in self.numbers.iter_mut().zip(mark.infosets) {
            numbers.retain(|_, number| (*number as usize) < infosets);
        }
        for point in &mut self.points {
            if point.link.inner().is_some_and(|id| id.index() >= mark.inners) {
                point.link = Link::LEAF;
            }
        }
    }

    /// Who acts at a node, with the probabilities if nobody does.
    fn actor(&mut self, game: &G, node: &Node<G::State>, here: Point, actions: usize) -> (Acts, Vec<f64>) {
        match game.turn(&node.state) {
            Turn::Player(player) if player == self.me && here.frozen => (Acts::Me(0), Vec::new()),
            Turn::Player(player) => {
                let mine = player == self.me;
                let (choices, next, before) = if mine {
                    (&mut self.mine, &mut self.rows, here.row)
                } else {
                    (&mut self.theirs, &mut self.columns, here.column)
                };
                let number =
                    *self.numbers[usize::from(!mine)].entry(node.keys[player.index()]).or_insert_with(|| {
                        choices.push(Choice { first: *next, actions, before: before as usize });
                        *next += actions;
                        choices.len() as u32 - 1
                    });
                (if mine { Acts::Me(number) } else { Acts::Them(number) }, Vec::new())
            }
            Turn::Chance | Turn::Over(_) => {
                let mut chances = Vec::new();
                game.chances(&node.state, &mut chances);
                (Acts::Chance, chances)
            }
        }
    }

    /// The infoset that I am in: its number is 0, for it is the first that is met.
    pub(super) fn here(&self) -> Option<Choice> {
        self.mine.first().copied()
    }

    /// My actions there. Frozen roots, at which I have others, may stand before those at which I may be.
    pub(super) fn actions_here(&self) -> &[G::Action] {
        let roots = self.roots.iter().map(|(root, _)| *root as usize);
        let expanded = roots.filter(|&root| !self.points[root].frozen).find_map(|root| self.inner(root));
        expanded.map(|inner| &inner.actions[..]).unwrap_or_default()
    }

    /// The whole subgame as a matrix, with a gadget.
    #[must_use]
    pub fn matrix(&self, entry: Entry) -> Matrix {
        let (count, after) = (self.classes.len(), self.columns);
        let mut columns: Vec<Vec<(usize, f64)>> = vec![Vec::new(); after];
        for class in &self.classes {
            columns[class.column].push((0, class.gift - class.alternate));
        }
        for point in self.points.iter().filter(|point| point.link.inner().is_none() && point.weight > 0.0) {
            columns[point.column as usize].push((point.row as usize, point.weight * point.value));
        }
        columns.iter_mut().for_each(merge);
        // How they come in stands behind all other columns: one column a class, or two, to stay out and to go in.
        let ways = if entry == Entry::Resolve { 2 } else { 1 };
        let mut theirs: Vec<Choice> = match entry {
            Entry::Maxmargin => vec![Choice { first: after, actions: count, before: 0 }],
            Entry::Resolve => {
                columns.iter_mut().flatten().for_each(|(_, entry)| *entry /= count as f64);
                (0..count).map(|class| Choice { first: after + 2 * class, actions: 2, before: 0 }).collect()
            }
        };
        let inside = |(number, class): (usize, &Class)| Choice {
            first: class.column,
            actions: 1,
            before: after + ways * (number + 1) - 1,
        };
        theirs.extend(self.classes.iter().enumerate().map(inside));
        columns.resize_with(after + ways * count, Vec::new);
        theirs.extend(&self.theirs);
        if let Some(here) = self.here() {
            columns[0] = here.sequences().zip(&self.fees).map(|(row, fee)| (row, -fee)).collect();
        }
        Matrix { rows: self.rows, mine: self.mine.clone(), theirs, columns }
    }

    /// Returns the cost of the information fees under a plan of mine.
    pub(super) fn cost(&self, rows: &[f64]) -> f64 {
        let here = self.here().into_iter().flat_map(|here| here.sequences());
        here.zip(&self.fees).map(|(row, fee)| rows[row] * fee).sum()
    }

    /// An equilibrium of the subgame, unless it takes too long. `hint` is one of the same trunk before it grew.
    ///
    /// # Errors
    /// If a linear program cannot be solved.
    pub fn equilibrium(
        &self,
        entry: Entry,
        hint: Option<&Plans>,
        time: Option<std::time::Duration>,
    ) -> Result<Option<Plans>, LinearError> {
        let matrix = self.matrix(entry);
        let fold = Fold::new(&matrix);
        let hint = hint.map(|plans| fold.folded([&plans.rows, &plans.columns]));
        let hint = hint.as_ref().map(|[rows, columns]| [&rows[..], &columns[..]]);
        let small = oracle::equilibrium(&fold.small, hint, time)?;
        let Some(small) = small else { return Ok(None) };
        let mut plans = fold.unfold(&small);
        plans.columns.truncate(self.columns);
        Ok(Some(plans))
    }
}

/// Puts entries in the order of rows, each row once.
fn merge(column: &mut Vec<(usize, f64)>) {
    column.sort_by_key(|&(row, _)| row);
    column.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
}
