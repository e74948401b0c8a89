//! Kriegspiel as a [`Game`]: a try is a ply, and a refused one gives the turn to the same player again.

use scuro_core::{Game, Observer, Player, Turn};

use super::ruleset::Ruleset;
use super::state::{Heard, KriegspielState};
use super::tries::Try;
use super::view::KriegspielView;
use crate::chess::{Board, Color};
use crate::outcome::Outcome;
use crate::umpire::{Refusal, Umpired};
use crate::{color_of, player_of};

/// The rules of Kriegspiel from a given position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kriegspiel {
    /// The position both players know at the start.
    pub start: Board,
    /// What the umpire says, and to whom.
    pub ruleset: Ruleset,
}

impl Game for Kriegspiel {
    type State = KriegspielState;
    type Action = Try;

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

    /// What is heard. A player's own men need no word: her moves and the announced captures tell them.
    fn observe(&self, state: &KriegspielState, player: Player, observer: &mut impl Observer) {
        match state.heard(color_of(player)) {
            None => {}
            Some(Heard::Refusal { nonsense }) => observer.see(REFUSED + u64::from(nonsense)),
            Some(Heard::Question(any)) => observer.see(ASKED + u64::from(any)),
            Some(Heard::Announcement) => {
                observer.see(ANNOUNCED);
                state.announcement().show(observer);
            }
        }
    }

    /// Refused tries are plies, and the opponent may not hear how many there were.
    fn timeable(&self) -> bool {
        false
    }
}

/// The first word of what is heard tells its kind; the two values of an answer follow its kind.
const ANNOUNCED: u64 = 0;
const REFUSED: u64 = 2;
const ASKED: u64 = 4;

impl Umpired for Kriegspiel {
    type View = KriegspielView;

    fn view(&self, state: &KriegspielState, color: Color) -> KriegspielView {
        KriegspielView::of(state, color)
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
