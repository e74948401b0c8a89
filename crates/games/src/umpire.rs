//! The umpire: the only one who sees the true board.
//!
//! Terminal play, matches, the server and the checks of records all go through it. It hands each side its
//! view, takes the moves, refuses what is not allowed with the reason, and ends the game.

use std::fmt::Debug;

use scuro_core::{Game, Turn};
use thiserror::Error;

use crate::chess::{Color, color_name};
use crate::outcome::{Outcome, Reason};
use crate::seat::Seat;
use crate::{color_of, player_of};

/// A chess variant under an umpire: a game whose players are White and Black and whose ends have reasons.
pub trait Umpired: Game {
    /// What a player knows of the present by all that it was told.
    type View: Clone + PartialEq + Debug + Send;

    /// The view of `color` before anything has happened: the start is known to both.
    fn first_view(&self, color: Color) -> Self::View;

    /// Takes in what the owner of a view is told; `own` is its own action, if the ply was its own.
    ///
    /// # Errors
    /// If nobody can be told that at this view. Nothing changes then.
    fn see(
        &self,
        view: &mut Self::View,
        own: Option<Self::Action>,
        told: &Self::Told,
    ) -> Result<(), Impossible>;

    /// Appends what the owner of a view may do, as [`Game::actions`] does at every state that gives the view; nothing
    /// if it is not its turn.
    fn choices(&self, view: &Self::View, out: &mut Vec<Self::Action>);

    /// The end of the game, if that is what is told.
    fn end(told: &Self::Told) -> Option<Outcome>;

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

/// What nobody can be told at this moment, in words for the one who said it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct Impossible(pub String);

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
    seats: [Seat<G>; 2],
    told: [Option<G::Told>; 2],
    resigned: Option<Color>,
}

impl<G: Umpired> Umpire<G> {
    /// A new game.
    pub fn new(game: G) -> Umpire<G> {
        let state = game.start();
        let seats = Color::ALL.map(|color| Seat::new(&game, color));
        let told = Color::ALL.map(|color| game.told(&state, player_of(color)));
        Umpire { state, game, actions: Vec::new(), seats, told, resigned: None }
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The true state: for the umpire's own books, reviews and tests, never for a player.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// What has been played.
    pub fn actions(&self) -> &[G::Action] {
        &self.actions
    }

    /// What `color` was told at the last ply, or at the start; `None` if it must not notice that there was one.
    pub fn told(&self, color: Color) -> Option<&G::Told> {
        self.told[color as usize].as_ref()
    }

    /// What `color` has been told so far, and what it knows and may do by that.
    pub fn seat(&self, color: Color) -> &Seat<G> {
        &self.seats[color as usize]
    }

    /// What `color` knows now.
    pub fn view(&self, color: Color) -> &G::View {
        self.seat(color).view()
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
        for seat in &mut self.seats {
            let (own, to) = ((seat.color() == color).then_some(action), seat.color());
            let told = self.game.told(&self.state, player_of(to));
            if let Some(told) = &told {
                let seen = seat.see(&self.game, own, told);
                debug_assert_eq!(seen, Ok(()), "{action:?} as told to {to}");
            }
            self.told[to as usize] = told;
        }
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
            assert!(umpire.told(Color::White).is_some());
            assert_eq!(umpire.told(Color::Black).is_some(), heard, "{ruleset:?}");
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
