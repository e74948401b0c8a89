//! The laws every game must obey, and the kit that checks them.
//!
//! A search that reads a game through [`Game`] is only as right as the game. [`check`] walks the plays of
//! a game, all of them to some depth or many at random, keeps beside each player's [`Key`] the plain list of
//! what it did and was told, and stops at the first law that does not hold.

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
    /// The same action led to two states that a player can tell apart, or in which it is not the same turn.
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

/// The noticed plies of a player: its own action, if the ply was its own, and what it was told.
type Noticed<G> = Vec<(Option<<G as Game>::Action>, Option<<G as Game>::Told>)>;

/// What the first visitor of an infoset left there.
struct Infoset<G: Game> {
    noticed: Noticed<G>,
    turn: Turn,
    actions: Vec<G::Action>,
    history: Vec<G::Action>,
}

/// An infoset, and the own action after it, if the ply is the player's own.
type Step<G> = (Key, Option<<G as Game>::Action>);

/// What was told after a step, the key that came of it, and where that was first.
struct Telling<G: Game> {
    told: Option<G::Told>,
    key: Key,
    history: Vec<G::Action>,
}

struct Inspector<'g, G: Game> {
    game: &'g G,
    infosets: [FxHashMap<Key, Infoset<G>>; 2],
    tellings: [FxHashMap<Step<G>, Vec<Telling<G>>>; 2],
    checked: Checked,
}

struct Visit<G: Game> {
    node: Node<G::State>,
    noticed: [Noticed<G>; 2],
    history: Vec<G::Action>,
}

/// Checks the laws on the plays of `walks`.
///
/// # Errors
/// The first law found broken, and where.
pub fn check<G: Game>(game: &G, walks: &[Walk]) -> Result<Checked, Broken> {
    let mut inspector = Inspector {
        game,
        infosets: [FxHashMap::default(), FxHashMap::default()],
        tellings: [FxHashMap::default(), FxHashMap::default()],
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
    fn start(&self) -> Visit<G> {
        let node = Node::start(self.game);
        let noticed = Player::BOTH.map(|p| {
            let told = self.game.told(&node.state, p);
            told.into_iter().map(|told| (None, Some(told))).collect()
        });
        Visit { node, noticed, history: Vec::new() }
    }

    fn walk_all(&mut self, visit: &Visit<G>, plies: usize) -> Result<(), Broken> {
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

    /// The visit after `action`, with the laws that playing is deterministic and that keys follow from what is noticed.
    fn play(&mut self, visit: &Visit<G>, action: G::Action) -> Result<Visit<G>, Broken> {
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
            let told = self.game.told(&node.state, p);
            let [before, key] = [&visit.node, &node].map(|node| node.keys[p.index()]);
            self.look_at_step(p, (before, own), &told, key, &history)?;
            if own.is_some() || told.is_some() {
                noticed[p.index()].push((own, told));
            }
        }
        Ok(Visit { node, noticed, history })
    }

    /// Equal keys after equal steps, and so for equal lists.
    fn look_at_step(
        &mut self,
        player: Player,
        step: Step<G>,
        told: &Option<G::Told>,
        key: Key,
        history: &[G::Action],
    ) -> Result<(), Broken> {
        let tellings = self.tellings[player.index()].entry(step).or_default();
        match tellings.iter().find(|telling| telling.told == *told) {
            None => tellings.push(Telling { told: told.clone(), key, history: history.to_vec() }),
            Some(telling) if telling.key == key => {}
            Some(telling) => {
                let what = "one list of observations has two keys";
                let (first, second) = (text(&telling.history), text(history));
                return Err(Broken::Keys { player, what, first, second });
            }
        }
        Ok(())
    }

    /// All laws of one node; the actions there.
    fn look(&mut self, visit: &Visit<G>) -> Result<Vec<G::Action>, Broken> {
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

    /// Equal lists for equal keys; inside an infoset the same turn, actions, order and, where the
    /// game claims it, length.
    fn look_at_infoset(
        &mut self,
        player: Player,
        visit: &Visit<G>,
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
        let what = match (first.turn, turn) {
            (Turn::Over(_), Turn::Over(_)) | (Turn::Chance, Turn::Chance) => None,
            (Turn::Player(a), Turn::Player(b)) if a == b => {
                (a == player && first.actions != actions).then_some("the actions or their order differ")
            }
            _ => Some("a different player is to move"),
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
    use std::cell::Cell;
    use std::hash::{Hash, Hasher};

    use super::*;

    /// Chance hides a coin, then player one, and player two guesses. Each field breaks one law.
    #[derive(Default)]
    struct Coin {
        peek: bool,
        uneven: bool,
        greedy: bool,
        silent: bool,
        endless: bool,
        stuck: bool,
        twice: bool,
        unnoticed: bool,
        blurred: bool,
        split: bool,
        /// How often something was played, if that changes what is played.
        moody: Option<Cell<u8>>,
    }

    #[derive(Clone)]
    struct Hidden(Vec<u8>);

    /// How many plies were played, and a word that a lawful game leaves at 0: it is compared, or hashed, not both.
    #[derive(Clone, Debug)]
    struct Shown {
        plies: usize,
        compared: u8,
        hashed: u8,
    }

    impl PartialEq for Shown {
        fn eq(&self, other: &Shown) -> bool {
            (self.plies, self.compared) == (other.plies, other.compared)
        }
    }

    impl Eq for Shown {}

    impl Hash for Shown {
        fn hash<H: Hasher>(&self, state: &mut H) {
            (self.plies, self.hashed).hash(state);
        }
    }

    impl Game for Coin {
        type State = Hidden;
        type Action = u8;
        type Told = Shown;
        fn start(&self) -> Hidden {
            Hidden(Vec::new())
        }
        fn turn(&self, s: &Hidden) -> Turn {
            match s.0.len() {
                0 => Turn::Chance,
                1 if self.unnoticed => Turn::Chance,
                1 => Turn::Player(Player::One),
                2 => Turn::Player(Player::Two),
                _ => Turn::Over(if self.greedy { 2.0 } else { 1.0 }),
            }
        }
        fn actions(&self, s: &Hidden, out: &mut Vec<u8>) {
            match s.0.len() {
                2 if self.peek => out.extend([s.0[1], 9]),
                2 if self.stuck => {}
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
            let mood = self.moody.as_ref().map_or(0, |times| times.replace(times.get() ^ 1));
            Hidden(s.0.iter().copied().chain([a ^ mood]).collect())
        }
        fn told(&self, s: &Hidden, _: Player) -> Option<Shown> {
            let first = s.0.first().map_or(0, |&coin| coin + 1);
            let compared = if self.blurred { first } else { 0 };
            let hashed = if self.split || self.moody.is_some() { first } else { 0 };
            let unnoticed = self.silent || self.unnoticed && s.0.len() == 1;
            (!unnoticed).then_some(Shown { plies: s.0.len(), compared, hashed })
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
        // Player one knows only its own choice, player two nothing but, at the end, its own guess.
        assert_eq!(checked, Checked { histories: 15, infosets: (1 + 1 + 2 + 2) + (1 + 1 + 1 + 2), ended: 8 });
    }

    #[test]
    fn every_broken_law_is_named() {
        let lawful = Coin::default;
        for (game, words) in [
            (Coin { greedy: true, ..lawful() }, "payoff 2 is outside [-1, 1] after [0, 0, 0]"),
            (
                Coin { endless: true, ..lawful() },
                "actions are offered though the game is over after [0, 0, 0]",
            ),
            (Coin { stuck: true, ..lawful() }, "nothing can be done though the game goes on after [0, 0]"),
            (Coin { twice: true, ..lawful() }, "an action is offered twice after the start"),
            (Coin { uneven: true, ..lawful() }, "chance has probabilities [0.5, 0.6] after the start"),
            (Coin { moody: Some(Cell::new(0)), ..lawful() }, "playing twice gives two outcomes at [0]"),
            (
                Coin { peek: true, ..lawful() },
                "player Two cannot tell [0, 0] from [0, 1], but the actions or their order differ",
            ),
            (
                Coin { silent: true, ..lawful() },
                "player One cannot tell the start from [0], but a different player is to move",
            ),
            (
                Coin { unnoticed: true, ..lawful() },
                "player One cannot tell the start from [0], but their lengths differ in a game that claims to be timeable",
            ),
            (
                Coin { blurred: true, ..lawful() },
                "player One: one key stands for two lists of observations for [0] and [1]",
            ),
            (
                Coin { split: true, ..lawful() },
                "player One: one list of observations has two keys for [0] and [1]",
            ),
        ] {
            assert_eq!(verdict(&game).unwrap_err().to_string(), words);
        }
    }
}
