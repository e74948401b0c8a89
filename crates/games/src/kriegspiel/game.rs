//! Kriegspiel as a [`Game`]: a try is a ply, and a refused one gives the turn to the same player again.

use scuro_core::{Game, Player, Turn};

use super::announcement::Announcement;
use super::ruleset::Ruleset;
use super::state::KriegspielState;
use super::tries::Try;
use super::view::KriegspielView;
use crate::chess::{Board, Color};
use crate::outcome::Outcome;
use crate::umpire::{Impossible, Refusal, Umpired};
use crate::{color_of, player_of};

/// The rules of Kriegspiel from a given position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kriegspiel {
    /// The position both players know at the start.
    pub start: Board,
    /// What the umpire says, and to whom.
    pub ruleset: Ruleset,
}

/// What a player hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Told {
    /// A move was made, or the game starts: what the umpire announces.
    Made(Announcement),
    /// A try of the player to move was refused.
    Refused {
        /// Whether as nonsense.
        nonsense: bool,
    },
    /// The player to move asked "any?", and this was the answer.
    Answered(bool),
}

impl Game for Kriegspiel {
    type State = KriegspielState;
    type Action = Try;
    type Told = Told;

    fn start(&self) -> KriegspielState {
        KriegspielState::new(self.ruleset, self.start)
    }

    fn turn(&self, state: &KriegspielState) -> Turn {
        match state.outcome() {
            Some(outcome) => Turn::Over(outcome.payoff()),
            None => Turn::Player(player_of(state.board().side())),
        }
    }

    /// What her own information leaves open to the player to move. A try refused in this turn is not offered
    /// again, else a turn would have no end.
    fn actions(&self, state: &KriegspielState, out: &mut Vec<Try>) {
        state.offered(out);
    }

    fn play(&self, state: &KriegspielState, action: Try) -> KriegspielState {
        state.attempt(action).1
    }

    /// A player's own pieces need no word: its moves and the announced captures tell them.
    fn told(&self, state: &KriegspielState, player: Player) -> Option<Told> {
        state.told(color_of(player))
    }

    /// Refused tries are plies, and the opponent may not hear how many there were.
    fn timeable(&self) -> bool {
        false
    }
}

impl Umpired for Kriegspiel {
    type View = KriegspielView;

    fn first_view(&self, color: Color) -> KriegspielView {
        KriegspielView::of(&self.start(), color)
    }

    fn see(&self, view: &mut KriegspielView, own: Option<Try>, told: &Told) -> Result<(), Impossible> {
        view.hear(own, told)
    }

    fn choices(&self, view: &KriegspielView, out: &mut Vec<Try>) {
        view.offered(out);
    }

    fn end(told: &Told) -> Option<Outcome> {
        if let Told::Made(announcement) = told { announcement.end } else { None }
    }

    fn outcome(&self, state: &KriegspielState) -> Option<Outcome> {
        state.outcome()
    }

    /// The umpire answers any try, also one that makes no sense; only what he turns away is not taken.
    fn accept(&self, state: &KriegspielState, action: Try) -> Result<(), Refusal> {
        match state.turns_away(action) {
            None => Ok(()),
            Some(reason) => Err(Refusal::Rules(reason.to_string())),
        }
    }
}
