//! What a choice may cost, and what it has cost so far.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Counts the nodes of a choice, and says when it has to end.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    deadline: Option<Instant>,
    most: usize,
    nodes: usize,
    stop: Option<Arc<AtomicBool>>,
}

impl Meter {
    /// For at most so many nodes.
    pub(crate) fn of_nodes(most: usize, stop: Option<Arc<AtomicBool>>) -> Meter {
        Meter { deadline: None, most, nodes: 0, stop }
    }

    /// Until then.
    pub(crate) fn until(deadline: Instant, stop: Option<Arc<AtomicBool>>) -> Meter {
        Meter { deadline: Some(deadline), most: usize::MAX, nodes: 0, stop }
    }

    /// The same, and no more nodes than these.
    pub(crate) fn at_most(self, nodes: usize) -> Meter {
        Meter { most: self.most.min(nodes), ..self }
    }

    /// Whether the choice has to end.
    pub(crate) fn is_used_up(&self) -> bool {
        let stopped = self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        stopped || self.nodes >= self.most || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// So many more nodes were made.
    pub(crate) fn spend(&mut self, nodes: usize) {
        self.nodes += nodes;
    }

    /// One of so many parts of the nodes, or any number of them if there is no bound.
    pub(crate) fn share(&self, parts: usize) -> usize {
        if self.most == usize::MAX { usize::MAX } else { self.most / parts }
    }

    /// The nodes so far.
    pub(crate) fn nodes(&self) -> usize {
        self.nodes
    }
}
