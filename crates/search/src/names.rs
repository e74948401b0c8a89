//! The names of the infosets of a tree and of their actions, for strategy files.

use rustc_hash::FxHashSet;
use scuro_core::{Game, Labels, Player};
use thiserror::Error;

use crate::tree::{Event, NodeId, Tree};

/// The names of all infosets of a tree and of their actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    labels: Vec<String>,
    actions: Vec<String>,
}

/// A name stands for two things.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NameError {
    /// Two infosets have one label.
    #[error("two infosets are called '{0}'")]
    Label(String),
    /// Two actions of an infoset have one name.
    #[error("two actions of the infoset '{label}' are called '{action}'")]
    Action {
        /// The infoset.
        label: String,
        /// The name.
        action: String,
    },
}

impl Names {
    /// The names in `tree`, which is that of `game`. An infoset is called by its label, which is its player's;
    /// if any label is one of both players, all have their player before them: `1:LABEL` and `2:LABEL`.
    ///
    /// # Errors
    /// If a name is used twice all the same.
    pub fn of<G: Game>(game: &G, tree: &Tree) -> Result<Names, NameError> {
        let mut leads = vec![false; tree.nodes()];
        mark(tree, tree.root(), &mut vec![false; tree.infosets().len()], &mut leads);
        let names = Names {
            labels: vec![String::new(); tree.infosets().len()],
            actions: vec![String::new(); tree.slots()],
        };
        let mut namer = Namer { game, tree, leads, names };
        let start = game.start();
        namer.walk(tree.root(), &start, &Labels::start(game, &start));
        let mut names = namer.names;
        if names.shared(tree) {
            for (label, infoset) in names.labels.iter_mut().zip(tree.infosets()) {
                *label = format!("{}:{label}", infoset.player.index() + 1);
            }
        }
        names.check(tree)?;
        Ok(names)
    }

    /// Returns the labels of the infosets, in their order in the tree.
    #[must_use]
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Returns the names of the actions, one entry per slot of the tree.
    #[must_use]
    pub fn actions(&self) -> &[String] {
        &self.actions
    }

    /// Whether a label is one of both players.
    fn shared(&self, tree: &Tree) -> bool {
        let of = |player: Player| {
            let labelled = self.labels.iter().zip(tree.infosets());
            labelled.filter(move |(_, infoset)| infoset.player == player).map(|(label, _)| label)
        };
        let first: FxHashSet<&String> = of(Player::One).collect();
        of(Player::Two).any(|label| first.contains(label))
    }

    fn check(&self, tree: &Tree) -> Result<(), NameError> {
        let mut seen = FxHashSet::default();
        for (label, infoset) in self.labels.iter().zip(tree.infosets()) {
            if !seen.insert(label) {
                return Err(NameError::Label(label.clone()));
            }
            let actions = &self.actions[infoset.slots()];
            if let Some(i) = (1..actions.len()).find(|&i| actions[..i].contains(&actions[i])) {
                return Err(NameError::Action { label: label.clone(), action: actions[i].clone() });
            }
        }
        Ok(())
    }
}

/// Marks the nodes on the ways to the first node of every infoset, and tells whether `node` is one of them.
fn mark(tree: &Tree, node: NodeId, seen: &mut [bool], leads: &mut [bool]) -> bool {
    let mut marked = match tree.event(node) {
        Event::Choice(id) => !std::mem::replace(&mut seen[id.index()], true),
        _ => false,
    };
    for child in tree.children(node) {
        marked |= mark(tree, child, seen, leads);
    }
    leads[node.index()] = marked;
    marked
}

/// Plays the game along the marked nodes of its tree, which are few: text is slow.
struct Namer<'a, G: Game> {
    game: &'a G,
    tree: &'a Tree,
    leads: Vec<bool>,
    names: Names,
}

impl<G: Game> Namer<'_, G> {
    fn walk(&mut self, node: NodeId, state: &G::State, labels: &Labels) {
        if !self.leads[node.index()] {
            return;
        }
        let mut actions = Vec::new();
        self.game.actions(state, &mut actions);
        if let Event::Choice(id) = self.tree.event(node) {
            let infoset = self.tree.infoset(id);
            self.names.labels[id.index()] = labels.of(infoset.player).to_owned();
            for (slot, &action) in infoset.slots().zip(&actions) {
                self.names.actions[slot] = self.game.action_name(state, action);
            }
        }
        for (child, &action) in self.tree.children(node).zip(&actions) {
            if self.leads[child.index()] {
                let next = self.game.play(state, action);
                self.walk(child, &next, &labels.play(self.game, state, action, &next));
            }
        }
    }
}
