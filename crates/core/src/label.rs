//! Labels: everything a player has done and seen, as text. The readable twin of [`Key`](crate::Key).

use crate::game::{Game, Player, Turn};

/// What [`Player::One`] and [`Player::Two`] know, in the words of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels(pub [String; 2]);

impl Labels {
    /// What the players know at the start, `state`.
    pub fn start<G: Game>(game: &G, state: &G::State) -> Labels {
        Labels(Player::BOTH.map(|player| game.label("", None, state, player)))
    }

    /// What they know after `action` has led from the state `from` to the state `to`.
    #[must_use]
    pub fn play<G: Game>(&self, game: &G, from: &G::State, action: G::Action, to: &G::State) -> Labels {
        let actor = game.turn(from);
        Labels(Player::BOTH.map(|player| {
            let own = (actor == Turn::Player(player)).then(|| game.action_name(from, action));
            game.label(self.of(player), own.as_deref(), to, player)
        }))
    }

    /// What `player` knows.
    #[must_use]
    pub fn of(&self, player: Player) -> &str {
        &self.0[player.index()]
    }
}
