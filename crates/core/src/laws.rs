//! The laws every game must obey, and the kit that checks them.
//!
//! A search that reads a game through [`Game`] is only as right as the game. [`check`] walks the plays of
//! a game, all of them to some depth or many at random, keeps beside each player's [`Key`] the plain list of
//! what she did and saw, and stops at the first law that does not hold.

use std::fmt::Debug;

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::game::{Game, Node, Player, Turn};
use crate::key::Key;
use crate::random::Random;

/// Which plays of a game to look at.
#[derive(Clone, Copy, Debug)]
pub enum Walk {
    /// Every history of at most this many plies.
    All {
        /// The number of plies.
        plies: usize,
    },
    /// Plays with every action chosen at random.
    Random {
        /// How many plays.
        plays: usize,
        /// Where a play that has not ended is cut.
        plies: usize,
        /// The seed of the choices.
        seed: u64,
    },
}

/// What a check has looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Histories visited.
    pub histories: usize,
    /// Different infosets of both players among them.
    pub infosets: usize,
    /// Histories at which the game was over.
    pub ended: usize,
}

/// A law that does not hold. Histories are written as the list of their actions.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Broken {
    /// The payoff at an end is not in [-1, 1].
    #[error("payoff {payoff} is outside [-1, 1] after {history}")]
    Payoff {
        /// The payoff, as text.
        payoff: String,
        /// Where.
        history: String,
    },
    /// Actions missing where the game goes on, offered where it is over, or offered twice.
    #[error("{what} after {history}")]
    Actions {
        /// What is wrong with the actions.
        what: &'static str,
        /// Where.
        history: String,
    },
    /// Chance probabilities that are not positive, or do not sum to one.
    #[error("chance has probabilities {chances} after {history}")]
    Chance {
        /// The probabilities, as text.
        chances: String,
        /// Where.
        history: String,
    },
    /// The same action led to two different states.
    #[error("playing twice gives two outcomes at {history}")]
    Deterministic {
        /// Where.
        history: String,
    },
    /// Two histories of one infoset differ in who is to move, or in the actions offered, or in their order.
    #[error("player {player:?} cannot tell {first} from {second}, but {what}")]
    Infoset {
        /// Whose infoset.
        player: Player,
        /// What differs.
        what: &'static str,
        /// One history.
        first: String,
        /// The other.
        second: String,
    },
    /// Keys and lists of observations disagree about who knows what.
    #[error("player {player:?}: {what} for {first} and {second}")]
    Keys {
        /// Whose key.
        player: Player,
        /// What is equal and what is not.
        what: &'static str,
        /// One history.
        first: String,
        /// The other.
        second: String,
    },
}

/// One noticed ply of a player: her own action, if it was hers, and the words she was shown.
type Noticed<A> = Vec<(Option<A>, Vec<u64>)>;

/// What the first visitor of an infoset left there.
struct Infoset<A> {
    noticed: Noticed<A>,
    turn: Turn,
    actions: Vec<A>,
    history: Vec<A>,
}

struct Inspector<'g, G: Game> {
    game: &'g G,
    infosets: [FxHashMap<Key, Infoset<G::Action>>; 2],
    keys: [FxHashMap<Noticed<G::Action>, Key>; 2],
    checked: Checked,
}

struct Visit<S, A> {
    node: Node<S>,
    noticed: [Noticed<A>; 2],
    history: Vec<A>,
}

/// Checks the laws on the plays of `walks`.
///
/// # Errors
/// The first law found broken, and where.
pub fn check<G: Game>(game: &G, walks: &[Walk]) -> Result<Checked, Broken> {
    let mut inspector = Inspector {
        game,
        infosets: [FxHashMap::default(), FxHashMap::default()],
        keys: [FxHashMap::default(), FxHashMap::default()],
        checked: Checked::default(),
    };
    for &walk in walks {
        match walk {
            Walk::All { plies } => inspector.walk_all(&inspector.start(), plies)?,
            Walk::Random { plays, plies, seed } => {
                let mut random = Random::new(seed);
                for _ in 0..plays {
                    inspector.walk_random(plies, &mut random)?;
                }
            }
        }
    }
    inspector.checked.infosets = inspector.infosets.iter().map(FxHashMap::len).sum();
    Ok(inspector.checked)
}

impl<G: Game> Inspector<'_, G> {
    fn start(&self) -> Visit<G::State, G::Action> {
        let node = Node::start(self.game);
        let noticed = Player::BOTH.map(|p| {
            let mut words = Vec::new();
            self.game.observe(&node.state, p, &mut words);
            if words.is_empty() { Vec::new() } else { vec![(None, words)] }
        });
        Visit { node, noticed, history: Vec::new() }
    }

    fn walk_all(&mut self, visit: &Visit<G::State, G::Action>, plies: usize) -> Result<(), Broken> {
        let actions = self.look(visit)?;
        if plies > 0 {
            for action in actions {
                let next = self.play(visit, action)?;
                self.walk_all(&next, plies - 1)?;
            }
        }
        Ok(())
    }

    fn walk_random(&mut self, plies: usize, random: &mut Random) -> Result<(), Broken> {
        let mut visit = self.start();
        for _ in 0..plies {
            let actions = self.look(&visit)?;
            let Some(&action) = random.pick(&actions) else { return Ok(()) };
            visit = self.play(&visit, action)?;
        }
        self.look(&visit).map(|_| ())
    }

    /// The visit after `action`, with the law that playing is deterministic.
    fn play(
        &self,
        visit: &Visit<G::State, G::Action>,
        action: G::Action,
    ) -> Result<Visit<G::State, G::Action>, Broken> {
        let actor = self.game.turn(&visit.node.state);
        let node = visit.node.play(self.game, action);
        let again = visit.node.play(self.game, action);
        let mut history = visit.history.clone();
        history.push(action);
        let turns = [&node, &again].map(|n| self.game.turn(&n.state));
        if node.keys != again.keys || turns[0] != turns[1] {
            return Err(Broken::Deterministic { history: text(&history) });
        }
        let mut noticed = visit.noticed.clone();
        for p in Player::BOTH {
            let own = (actor == Turn::Player(p)).then_some(action);
            let mut words = Vec::new();
            self.game.observe(&node.state, p, &mut words);
            if own.is_some() || !words.is_empty() {
                noticed[p.index()].push((own, words));
            }
        }
        Ok(Visit { node, noticed, history })
    }

    /// All laws of one node; the actions there.
    fn look(&mut self, visit: &Visit<G::State, G::Action>) -> Result<Vec<G::Action>, Broken> {
        let (state, history) = (&visit.node.state, &visit.history);
        let turn = self.game.turn(state);
        let mut actions = Vec::new();
        self.game.actions(state, &mut actions);
        self.checked.histories += 1;
        self.look_at_actions(turn, &actions, history)?;
        match turn {
            Turn::Over(payoff) => {
                self.checked.ended += 1;
                if !(-1.0..=1.0).contains(&payoff) {
                    return Err(Broken::Payoff { payoff: payoff.to_string(), history: text(history) });
                }
            }
            Turn::Chance => {
                let mut chances = Vec::new();
                self.game.chances(state, &mut chances);
                let sum: f64 = chances.iter().sum();
                let right = chances.len() == actions.len() && chances.iter().all(|&c| c > 0.0);
                if !right || (sum - 1.0).abs() > 1e-9 {
                    return Err(Broken::Chance { chances: format!("{chances:?}"), history: text(history) });
                }
            }
            Turn::Player(_) => {}
        }
        for p in Player::BOTH {
            self.look_at_infoset(p, visit, turn, &actions)?;
        }
        Ok(actions)
    }

    fn look_at_actions(
        &self,
        turn: Turn,
        actions: &[G::Action],
        history: &[G::Action],
    ) -> Result<(), Broken> {
        let mut sorted = actions.to_vec();
        sorted.sort_unstable();
        let what = match turn {
            Turn::Over(_) if !actions.is_empty() => "actions are offered though the game is over",
            Turn::Chance | Turn::Player(_) if actions.is_empty() => {
                "nothing can be done though the game goes on"
            }
            _ if sorted.windows(2).any(|pair| pair[0] == pair[1]) => "an action is offered twice",
            _ => return Ok(()),
        };
        Err(Broken::Actions { what, history: text(history) })
    }

    /// Equal keys exactly for equal lists; inside an infoset the same turn, actions, order and, where the
    /// game claims it, length.
    fn look_at_infoset(
        &mut self,
        player: Player,
        visit: &Visit<G::State, G::Action>,
        turn: Turn,
        actions: &[G::Action],
    ) -> Result<(), Broken> {
        let Visit { node, noticed, history } = visit;
        let (key, noticed) = (node.keys[player.index()], &noticed[player.index()]);
        let infosets = &mut self.infosets[player.index()];
        let first = infosets.entry(key).or_insert_with(|| Infoset {
            noticed: noticed.clone(),
            turn,
            actions: actions.to_vec(),
            history: history.clone(),
        });
        let keys = |what| Broken::Keys { player, what, first: text(&first.history), second: text(history) };
        if first.noticed != *noticed {
            return Err(keys("one key stands for two lists of observations"));
        }
        if *self.keys[player.index()].entry(noticed.clone()).or_insert(key) != key {
            return Err(keys("one list of observations has two keys"));
        }
        let what = match (first.turn, turn) {
            (Turn::Over(_), Turn::Over(_)) | (Turn::Chance, Turn::Chance) => None,
            (Turn::Player(a), Turn::Player(b)) if a == b => {
                (a == player && first.actions != actions).then_some("the actions or their order differ")
            }
            _ => Some("it is not the same one's turn"),
        };
        let what = what.or((self.game.timeable() && first.history.len() != history.len())
            .then_some("their lengths differ in a game that claims to be timeable"));
        match what {
            None => Ok(()),
            Some(what) => {
                Err(Broken::Infoset { player, what, first: text(&first.history), second: text(history) })
            }
        }
    }
}

fn text<A: Debug>(history: &[A]) -> String {
    if history.is_empty() { "the start".to_owned() } else { format!("{history:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Observer;

    /// Player one hides a coin, player two guesses. Each field breaks one law.
    #[derive(Default)]
    struct Coin {
        peek: bool,
        uneven: bool,
        greedy: bool,
        silent: bool,
        endless: bool,
        twice: bool,
    }

    #[derive(Clone)]
    struct Hidden(Vec<u8>);

    impl Game for Coin {
        type State = Hidden;
        type Action = u8;
        fn start(&self) -> Hidden {
            Hidden(Vec::new())
        }
        fn turn(&self, s: &Hidden) -> Turn {
            match s.0.len() {
                0 => Turn::Chance,
                1 => Turn::Player(Player::One),
                2 => Turn::Player(Player::Two),
                _ => Turn::Over(if self.greedy { 2.0 } else { 1.0 }),
            }
        }
        fn actions(&self, s: &Hidden, out: &mut Vec<u8>) {
            match s.0.len() {
                2 if self.peek => out.extend([s.0[1], 9]),
                0..=2 if self.twice => out.extend([0, 0]),
                0..=2 => out.extend([0, 1]),
                3 if self.endless => out.push(0),
                _ => {}
            }
        }
        fn chances(&self, _: &Hidden, out: &mut Vec<f64>) {
            out.extend(if self.uneven { [0.5, 0.6] } else { [0.5, 0.5] });
        }
        fn play(&self, s: &Hidden, a: u8) -> Hidden {
            Hidden(s.0.iter().copied().chain([a]).collect())
        }
        fn observe(&self, s: &Hidden, _: Player, o: &mut impl Observer) {
            if !self.silent {
                o.see(s.0.len() as u64);
            }
        }
    }

    fn verdict(game: &Coin) -> Result<Checked, Broken> {
        let all = check(game, &[Walk::All { plies: 4 }]);
        let random = check(game, &[Walk::Random { plays: 40, plies: 4, seed: 5 }]);
        assert_eq!(all.is_ok(), random.is_ok(), "{all:?} {random:?}");
        all
    }

    #[test]
    fn a_lawful_game_passes() {
        let checked = verdict(&Coin::default()).unwrap();
        // Player one knows only her own choice, player two nothing but, at the end, her own guess.
        assert_eq!(checked, Checked { histories: 15, infosets: (1 + 1 + 2 + 2) + (1 + 1 + 1 + 2), ended: 8 });
    }

    #[test]
    fn every_broken_law_is_named() {
        let broken = |game: Coin| verdict(&game).unwrap_err();
        assert!(matches!(
            broken(Coin { peek: true, ..Coin::default() }),
            Broken::Infoset { player: Player::Two, .. }
        ));
        assert!(matches!(broken(Coin { uneven: true, ..Coin::default() }), Broken::Chance { .. }));
        assert!(matches!(broken(Coin { greedy: true, ..Coin::default() }), Broken::Payoff { .. }));
        assert!(matches!(broken(Coin { silent: true, ..Coin::default() }), Broken::Infoset { .. }));
        assert!(matches!(broken(Coin { endless: true, ..Coin::default() }), Broken::Actions { .. }));
        assert!(matches!(broken(Coin { twice: true, ..Coin::default() }), Broken::Actions { .. }));
    }
}
