//! The umpire: the only one who sees the true board.
//!
//! Terminal play, matches, the server and the checks of records all go through it. It hands each side its
//! view, takes the moves, refuses what is not allowed with the reason, and ends the game.

use scuro_core::{Game, Key, Turn};
use thiserror::Error;

use crate::chess::{Color, color_name};
use crate::outcome::{Outcome, Reason};
use crate::{color_of, player_of};

/// A chess variant under an umpire: a game whose players are White and Black and whose ends have reasons.
pub trait Umpired: Game {
    /// What a player is shown.
    type View: Clone + PartialEq;

    /// What `color` is shown at `state`.
    fn view(&self, state: &Self::State, color: Color) -> Self::View;

    /// How the game ended, if it has.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// Whether the umpire takes `action` from the side to move. What the game offers she takes; a game may
    /// let her take more.
    ///
    /// # Errors
    /// Why not.
    fn accept(&self, state: &Self::State, action: Self::Action) -> Result<(), Refusal> {
        let mut offered = Vec::new();
        self.actions(state, &mut offered);
        if offered.contains(&action) { Ok(()) } else { Err(Refusal::Action(format!("{action:?}"))) }
    }
}

/// Why the umpire refuses.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Refusal {
    /// The game has ended.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// The other side is to move.
    #[error("it is {}'s turn", color_name(*.0))]
    Turn(Color),
    /// Not one of the moves.
    #[error("{0} is not a move here")]
    Action(String),
    /// Against the rules, which say why.
    #[error("{0}")]
    Rules(String),
}

/// A game under way, or over.
#[derive(Clone, Debug)]
pub struct Umpire<G: Umpired> {
    game: G,
    state: G::State,
    actions: Vec<G::Action>,
    resigned: Option<Color>,
}

impl<G: Umpired> Umpire<G> {
    /// A new game.
    pub fn new(game: G) -> Umpire<G> {
        Umpire { state: game.start(), game, actions: Vec::new(), resigned: None }
    }

    /// The true state: for the umpire's own books, reviews and tests, never for a player.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// What has been played.
    pub fn actions(&self) -> &[G::Action] {
        &self.actions
    }

    /// What `color` is shown now.
    pub fn view(&self, color: Color) -> G::View {
        self.game.view(&self.state, color)
    }

    /// Whether `color` is shown anything on arriving here. Of a ply that was not hers and of which she is shown
    /// nothing, she must not notice that there was one.
    pub fn shows(&self, color: Color) -> bool {
        let shown = |mixer: &mut _| self.game.observe(&self.state, player_of(color), mixer);
        Key::START.next(None::<G::Action>, shown) != Key::START
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        let resigned = self.resigned.map(|color| Outcome::win(!color, Reason::Resignation));
        self.game.outcome(&self.state).or(resigned)
    }

    /// Whose turn it is, if the game goes on.
    pub fn turn(&self) -> Option<Color> {
        match (self.outcome(), self.game.turn(&self.state)) {
            (None, Turn::Player(player)) => Some(color_of(player)),
            _ => None,
        }
    }

    /// What the side to move may do. Empty when the game is over.
    pub fn choices(&self) -> Vec<G::Action> {
        let mut choices = Vec::new();
        if self.outcome().is_none() {
            self.game.actions(&self.state, &mut choices);
        }
        choices
    }

    /// Takes an action of `color`.
    ///
    /// # Errors
    /// If the game is over, the other side is to move, or the action is not allowed. Nothing changes then.
    pub fn play(&mut self, color: Color, action: G::Action) -> Result<(), Refusal> {
        self.check_turn(color)?;
        self.game.accept(&self.state, action)?;
        self.state = self.game.play(&self.state, action);
        self.actions.push(action);
        Ok(())
    }

    /// Ends the game in favour of the other side; possible at any time.
    ///
    /// # Errors
    /// If the game is over.
    pub fn resign(&mut self, color: Color) -> Result<(), Refusal> {
        match self.outcome() {
            Some(outcome) => Err(Refusal::Over(outcome)),
            None => {
                self.resigned = Some(color);
                Ok(())
            }
        }
    }

    fn check_turn(&self, color: Color) -> Result<(), Refusal> {
        match self.outcome() {
            Some(outcome) => Err(Refusal::Over(outcome)),
            None if self.game.turn(&self.state) == Turn::Player(player_of(color)) => Ok(()),
            None => Err(Refusal::Turn(!color)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fog::FogOfWar;
    use crate::kriegspiel::{Kriegspiel, Ruleset, Try};

    #[test]
    fn refused_tries_are_shown_only_where_they_are_heard() {
        for (ruleset, heard) in [(Ruleset::Icc, false), (Ruleset::English, true)] {
            let start = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1".parse().unwrap();
            let mut umpire = Umpire::new(Kriegspiel { start, ruleset });
            umpire.play(Color::White, Try::Move("e1d2".parse().unwrap())).unwrap();
            assert_eq!(umpire.turn(), Some(Color::White), "refused: the square is attacked");
            assert!(umpire.shows(Color::White));
            assert_eq!(umpire.shows(Color::Black), heard, "{ruleset:?}");
        }
    }

    #[test]
    fn refuses_with_the_reason_and_changes_nothing() {
        let mut umpire = Umpire::new(FogOfWar::default());
        let refuse = |umpire: &mut Umpire<FogOfWar>, color, m: &str| {
            let before = umpire.state().clone();
            let refusal = umpire.play(color, m.parse().unwrap()).unwrap_err().to_string();
            assert_eq!(*umpire.state(), before);
            refusal
        };
        assert_eq!(refuse(&mut umpire, Color::White, "e2e5"), "e2e5 is not a move here");
        assert_eq!(refuse(&mut umpire, Color::Black, "e7e5"), "it is White's turn");
        umpire.play(Color::White, "e2e4".parse().unwrap()).unwrap();
        umpire.resign(Color::White).unwrap();
        assert_eq!(umpire.turn(), None);
        assert_eq!(umpire.choices(), []);
        assert_eq!(refuse(&mut umpire, Color::Black, "e7e5"), "the game is over: Black wins: resignation");
        assert_eq!(umpire.actions().len(), 1);
    }
}
