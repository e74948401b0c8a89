//! Two players in one seat: one chooses the senses, the other the requests. Both are told everything.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use scuro_games::outcome::Outcome;
use scuro_games::rbc::{Rbc, RbcAction, Told};

use crate::contestant::{Allowance, Contestant, Fault, Insight, Notes};
use crate::player::Whereabouts;
use crate::seat::Seated;

/// A player made of two.
pub(super) struct Blend {
    senses: Seated<Rbc>,
    requests: Seated<Rbc>,
    sensed: bool,
}

impl Blend {
    /// One player for the senses, one for the requests, both at the start of the game.
    pub(super) fn new(senses: Seated<Rbc>, requests: Seated<Rbc>) -> Blend {
        Blend { senses, requests, sensed: false }
    }

    /// The player that chose last.
    fn last(&self) -> &Seated<Rbc> {
        if self.sensed { &self.senses } else { &self.requests }
    }
}

impl Contestant<Rbc> for Blend {
    fn see(&mut self, own: Option<RbcAction>, told: &Told) {
        self.senses.see(own, told);
        self.requests.see(own, told);
    }

    fn choose(&mut self, choices: &[RbcAction], allowance: Allowance) -> Result<RbcAction, Fault> {
        self.sensed = matches!(choices.first(), Some(RbcAction::Sense(_)));
        let chooser = if self.sensed { &mut self.senses } else { &mut self.requests };
        chooser.choose(choices, allowance)
    }

    fn notes(&self) -> Notes {
        self.last().notes()
    }

    fn insights(&self) -> &[Insight] {
        self.last().insights()
    }

    fn whereabouts(&self) -> Option<Whereabouts> {
        self.senses.whereabouts()
    }

    fn stop_by(&mut self, stop: Arc<AtomicBool>) {
        self.senses.stop_by(stop.clone());
        self.requests.stop_by(stop);
    }

    fn over(&mut self, outcome: Outcome) {
        self.senses.over(outcome);
        self.requests.over(outcome);
    }
}
