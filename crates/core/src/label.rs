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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Scale;

    /// Each player says a number in turn; both hear it as twice as much.
    struct Saying;

    impl Game for Saying {
        type State = Vec<u64>;
        type Action = u64;
        type Told = u64;
        fn start(&self) -> Vec<u64> {
            Vec::new()
        }
        fn turn(&self, said: &Vec<u64>) -> Turn {
            Player::BOTH.get(said.len()).map_or(Turn::Over(0.0), |&player| Turn::Player(player))
        }
        fn actions(&self, said: &Vec<u64>, out: &mut Vec<u64>) {
            out.extend(if said.len() < 2 { 0..20 } else { 0..0 });
        }
        fn play(&self, said: &Vec<u64>, number: u64) -> Vec<u64> {
            said.iter().copied().chain([number]).collect()
        }
        fn told(&self, said: &Vec<u64>, _: Player) -> Option<u64> {
            said.last().map(|number| 2 * number)
        }
    }

    #[test]
    fn without_names_of_its_own_a_game_has_labels_too() {
        let start = Saying.start();
        let labels = Labels::start(&Saying, &start);
        assert_eq!(labels, Labels(["-".to_owned(), "-".to_owned()]));
        let next = Saying.play(&start, 7);
        let labels = labels.play(&Saying, &start, 7, &next);
        assert_eq!(labels, Labels(["7:14".to_owned(), "14".to_owned()]));
        let labels = labels.play(&Saying, &next, 3, &Saying.play(&next, 3));
        assert_eq!((labels.of(Player::One), labels.of(Player::Two)), ("7:14:6", "14:3:6"));
    }

    #[test]
    fn payoffs_change_scale_and_back() {
        for (least, most) in [(-13.0, 13.0), (0.0, 100.0), (-1.0, 5.0)] {
            let scale = Scale::of_range(least, most);
            assert_eq!([least, most].map(|raw| scale.normalised(raw)), [-1.0, 1.0]);
            assert_eq!([-1.0, 1.0].map(|payoff| scale.raw(payoff)), [least, most]);
        }
        assert_eq!(Scale::of_range(2.0, 2.0).normalised(2.0), 0.0);
        assert_eq!(Saying.raw(), Scale { scale: 1.0, shift: 0.0 });
    }
}
