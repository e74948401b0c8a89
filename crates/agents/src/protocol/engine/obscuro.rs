//! The player of the paper at a seat: it says what it thinks, and does not believe what cannot be.

use std::sync::Arc;

use scuro_games::seat::Seat;
use scuro_search::agent::{ProgressSink, Thought};

use super::seat::{Say, Sitter, likely_squares};
use crate::contestant::{Allowance, Contestant, Fault};
use crate::player::Player;
use crate::protocol::dialect::{Dialect, Step};
use crate::protocol::{Answer, Info};

/// What a player of so many possible positions thinks of an action.
fn info<G: Dialect>(thought: &Thought<G::Action>, chosen: G::Action, belief: usize) -> Info {
    let candidate = thought.candidates.iter().find(|candidate| candidate.action == chosen);
    let word = |action: G::Action| G::ply(action).to_string();
    let mut line: Vec<String> =
        candidate.map_or(Vec::new(), |it| it.line.iter().map(|&action| word(action)).collect());
    if line.first() != Some(&word(chosen)) {
        line.insert(0, word(chosen));
    }
    Info {
        depth: Some(thought.depth),
        nodes: Some(thought.nodes),
        infosets: Some(thought.infosets),
        belief: Some(belief),
        score: Some(Info::score_of(thought.value)),
        line,
    }
}

impl<G: Dialect> Sitter<G> for Player<G> {
    fn seat(&self) -> &Seat<G> {
        Player::seat(self)
    }

    fn take_in(&mut self, steps: &[Step<G>]) -> Result<Vec<Answer>, String> {
        let invented = self.see_if_possible(steps);
        let invented = invented.map_err(|_| "no position fits it and what was told before".to_owned())?;
        let note = "nothing that was believed fits: positions are invented";
        Ok(invented.then(|| Answer::Note(note.to_owned())).into_iter().collect())
    }

    fn choose(
        &mut self,
        choices: &[G::Action],
        allowance: Allowance,
        say: Say,
    ) -> Result<(G::Action, Vec<Answer>), Fault> {
        let belief = self.belief().positions().len();
        let sink: ProgressSink<G::Action> = Arc::new(move |thought| {
            let best = thought.candidates.iter().max_by(|one, two| one.played.total_cmp(&two.played));
            best.into_iter().for_each(|best| say(Answer::Info(info::<G>(thought, best.action, belief))));
        });
        self.on_progress(Some(sink));
        let chosen = Contestant::choose(self, choices, allowance);
        self.on_progress(None);
        let chosen = chosen?;
        let thought = self.thought().into_iter();
        Ok((chosen, thought.map(|thought| Answer::Info(info::<G>(thought, chosen, belief))).collect()))
    }

    fn can_ponder(&self) -> bool {
        self.tree().is_some()
    }

    fn ponder(&mut self) {
        Player::ponder(self);
    }

    fn believes(&self) -> Vec<String> {
        let belief = self.belief();
        let (size, me) = (belief.positions().len(), self.color());
        let exact = if belief.is_sample() { "a sample" } else { "exact" };
        let mut lines = vec![format!("belief {size} positions, {exact}")];
        let (refilled, invented) = (self.believer().refilled(), self.believer().invented());
        if refilled + invented > 0 {
            lines.push(format!("refilled {refilled} times, invented {invented} times"));
        }
        lines.extend(likely_squares(&self.whereabouts(), !me));
        lines
    }
}
