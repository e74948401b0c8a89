//! Any other contestant at a seat: what it may be told, its seat alone decides.

use scuro_games::seat::Seat;

use super::seat::{Say, Sitter, likely_squares};
use crate::contestant::{Allowance, Fault, Notes};
use crate::protocol::dialect::{Dialect, Step};
use crate::protocol::{Answer, Go, Info};
use crate::seat::Seated;

/// A contestant that hears what its seat has heard when it is asked: the answer to its last move may end the game, and
/// then it is told nothing.
pub(super) struct Plain<G: Dialect> {
    game: G,
    seat: Seat<G>,
    contestant: Seated<G>,
    /// How much of what the seat has heard it was told.
    told: usize,
}

impl<G: Dialect> Plain<G> {
    pub(super) fn new(game: G, seat: Seat<G>, contestant: Seated<G>) -> Plain<G> {
        Plain { game, seat, contestant, told: 0 }
    }
}

impl<G: Dialect> Sitter<G> for Plain<G> {
    fn seat(&self) -> &Seat<G> {
        &self.seat
    }

    fn take_in(&mut self, steps: &[Step<G>]) -> Result<Vec<Answer>, String> {
        let mut seat = self.seat.clone();
        for step in steps {
            seat.see(&self.game, step.own, &step.told).map_err(|error| error.to_string())?;
        }
        self.seat = seat;
        Ok(Vec::new())
    }

    /// Not everybody can be stopped: until told to stop it thinks as if it were told nothing.
    fn choose(
        &mut self,
        choices: &[G::Action],
        allowance: Allowance,
        _: Say,
    ) -> Result<(G::Action, Vec<Answer>), Fault> {
        for heard in &self.seat.heard()[self.told..] {
            self.contestant.see(heard.own, &heard.told);
        }
        self.told = self.seat.heard().len();
        let usual = Go::default().allowance(self.seat.color());
        let allowance = if allowance == Allowance::Endless { usual } else { allowance };
        let chosen = self.contestant.choose(choices, allowance)?;
        Ok((chosen, thoughts(self.contestant.notes()).into_iter().collect()))
    }

    /// What it believed when it last chose, if it keeps a belief.
    fn believes(&self) -> Vec<String> {
        let Some(size) = self.contestant.notes().belief else { return Vec::new() };
        let whereabouts = self.contestant.whereabouts();
        let squares = whereabouts.iter().flat_map(|it| likely_squares(it, !self.seat.color()));
        let first = format!("belief {size} positions, at the last choice");
        [first].into_iter().chain(squares).collect()
    }
}

/// What a contestant tells of its choice, if it tells anything.
fn thoughts(notes: Notes) -> Option<Answer> {
    let silent = notes == Notes::default();
    let Notes { value, belief, nodes, depth, line, .. } = notes;
    let score = value.map(Info::score_of);
    (!silent).then_some(Answer::Info(Info { depth, nodes, infosets: None, belief, score, line }))
}
