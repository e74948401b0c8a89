//! A seat at a game: what its player was told, and what follows from that alone.

use scuro_core::Key;

use crate::chess::Color;
use crate::outcome::Outcome;
use crate::player_of;
use crate::umpire::{Impossible, Umpired};

/// One thing that a player was told, and its own action, if the ply was its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heard<A, T> {
    /// Its own action.
    pub own: Option<A>,
    /// What it was told.
    pub told: T,
}

/// What one player knows of a game by what it was told: its key, its view, its choices.
#[derive(Clone, Debug)]
pub struct Seat<G: Umpired> {
    color: Color,
    key: Key,
    view: G::View,
    end: Option<Outcome>,
    heard: Vec<Heard<G::Action, G::Told>>,
}

impl<G: Umpired> Seat<G> {
    /// At the start of `game`, which both players know.
    pub fn new(game: &G, color: Color) -> Seat<G> {
        let told = game.told(&game.start(), player_of(color));
        Seat {
            color,
            key: Key::START.next(None::<G::Action>, told.as_ref()),
            view: game.first_view(color),
            end: told.as_ref().and_then(G::end),
            heard: Vec::new(),
        }
    }

    /// Whose seat it is.
    pub fn color(&self) -> Color {
        self.color
    }

    /// All that its player has done and been told.
    pub fn key(&self) -> Key {
        self.key
    }

    /// What its player knows of the present.
    pub fn view(&self) -> &G::View {
        &self.view
    }

    /// The end of the game, if the player was told of it.
    pub fn end(&self) -> Option<Outcome> {
        self.end
    }

    /// Everything that the player has noticed since the start, oldest first.
    pub fn heard(&self) -> &[Heard<G::Action, G::Told>] {
        &self.heard
    }

    /// Takes in what the player is told after a ply; `own` is its action, if the ply was its own.
    ///
    /// # Errors
    /// If nobody can be told that now. Nothing changes then.
    pub fn see(&mut self, game: &G, own: Option<G::Action>, told: &G::Told) -> Result<(), Impossible> {
        if let Some(end) = self.end {
            return Err(Impossible(format!("the game is over: {end}")));
        }
        game.see(&mut self.view, own, told)?;
        self.key = self.key.next(own, Some(told));
        self.end = G::end(told);
        self.heard.push(Heard { own, told: told.clone() });
        Ok(())
    }

    /// What the player may do; nothing if it is not its turn, or the game is over.
    pub fn choices(&self, game: &G) -> Vec<G::Action> {
        let mut choices = Vec::new();
        if self.end.is_none() {
            game.choices(&self.view, &mut choices);
        }
        choices
    }
}
