//! The contract between the rules of a game and all that plays, searches or checks it.

use std::fmt::Debug;
use std::hash::Hash;

use crate::key::Key;

/// One of the two players of a zero-sum game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// The player whose payoff [`Turn::Over`] carries. In chess: White.
    One,
    /// The opponent of [`Player::One`].
    Two,
}

impl Player {
    /// Both players, in order.
    pub const BOTH: [Player; 2] = [Player::One, Player::Two];

    /// The opponent.
    #[must_use]
    pub fn other(self) -> Player {
        match self {
            Player::One => Player::Two,
            Player::Two => Player::One,
        }
    }

    /// 0 or 1, for tables with one entry a player.
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// Who acts at a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn {
    /// Nature draws one of the actions by [`Game::chances`].
    Chance,
    /// This player chooses one of the actions.
    Player(Player),
    /// The game has ended; the payoff to [`Player::One`], in [-1, 1]. The other player gets its negative.
    Over(f64),
}

/// How a game's usual payoffs follow from those in [-1, 1]: raw = normalised * scale + shift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// What a normalised payoff of one is worth beyond that of zero.
    pub scale: f64,
    /// What a normalised payoff of zero is worth.
    pub shift: f64,
}

/// Payoffs that are counted in [-1, 1] anyway.
impl Default for Scale {
    fn default() -> Scale {
        Scale { scale: 1.0, shift: 0.0 }
    }
}

impl Scale {
    /// The scale on which the raw payoffs `least` and `most` are -1 and 1; if they are equal, both are 0.
    #[must_use]
    pub fn of_range(least: f64, most: f64) -> Scale {
        let scale = most / 2.0 - least / 2.0;
        Scale { scale: if scale > 0.0 { scale } else { 1.0 }, shift: most / 2.0 + least / 2.0 }
    }

    /// The usual payoff.
    #[must_use]
    pub fn raw(self, normalised: f64) -> f64 {
        normalised * self.scale + self.shift
    }

    /// The payoff in [-1, 1].
    #[must_use]
    pub fn normalised(self, raw: f64) -> f64 {
        (raw - self.shift) / self.scale
    }
}

/// The rules of a two-player zero-sum game with hidden information.
///
/// The methods are pure: a state never changes, and equal arguments give equal answers. What must hold
/// between the methods is written down, and checked, in [`crate::laws`].
pub trait Game {
    /// All that the future of a play depends on, and all that is shown on arriving there.
    type State: Clone;
    /// One choice of a player or of chance.
    type Action: Copy + Eq + Ord + Hash + Debug;
    /// The observation of one player at one ply: all that it learns then, beside its own action.
    type Told: Clone + Eq + Hash + Debug;

    /// The state in which every play starts.
    fn start(&self) -> Self::State;

    /// Who acts at `state`, or how the game ended.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends the actions at `state`, in an order that is the same at every state of an infoset.
    /// Appends nothing where the game is over.
    fn actions(&self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// Appends the probability of each action at a chance state, in the order of [`Game::actions`].
    /// Unless a game says otherwise all are equally likely.
    fn chances(&self, state: &Self::State, out: &mut Vec<f64>) {
        let mut actions = Vec::new();
        self.actions(state, &mut actions);
        out.extend(actions.iter().map(|_| 1.0 / actions.len() as f64));
    }

    /// The state after `action`, which must be one of the actions at `state`.
    fn play(&self, state: &Self::State, action: Self::Action) -> Self::State;

    /// What `player` is told on arriving at `state`, at the start of the game too. `None`: it cannot notice that
    /// anything happened.
    fn told(&self, state: &Self::State, player: Player) -> Option<Self::Told>;

    /// Notes that the game is known to go on at `state`, for games with ends that players cannot be sure of beforehand.
    /// Returns true if cached values at and below it must be dropped.
    fn confirm_ongoing(&self, _state: &mut Self::State) -> bool {
        false
    }

    /// Whether all histories of an infoset have the same number of plies.
    fn timeable(&self) -> bool {
        true
    }

    /// What `action` is called at `state`, for people and for files. The actions of a state have different
    /// names, and the names are the same at every state of an infoset.
    fn action_name(&self, _state: &Self::State, action: Self::Action) -> String {
        format!("{action:?}")
    }

    /// What `player` is told on arriving at `state`, as text; empty where that says nothing new. Unless a game
    /// says otherwise, [`Game::told`] as it is printed for debugging.
    fn view_name(&self, state: &Self::State, player: Player) -> String {
        self.told(state, player).map_or(String::new(), |told| format!("{told:?}"))
    }

    /// All that `player` knows at `state`, as text: `before` is the text before the ply, `own` the name of
    /// her action, if the ply was hers. Different infosets in which she acts have different labels; that of a
    /// player who has neither done nor seen anything is `-`.
    fn label(&self, before: &str, own: Option<&str>, state: &Self::State, player: Player) -> String {
        let view = self.view_name(state, player);
        let parts = [before, own.unwrap_or_default(), &view];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty() && *part != "-").collect();
        if parts.is_empty() { "-".to_owned() } else { parts.join(":") }
    }

    /// How the payoffs are usually counted, if not in [-1, 1].
    fn raw(&self) -> Scale {
        Scale::default()
    }
}

/// A state together with what each player knows there: the unit that searches and graphs work on.
#[derive(Clone, Debug)]
pub struct Node<S> {
    /// The true state.
    pub state: S,
    /// The information of [`Player::One`] and of [`Player::Two`].
    pub keys: [Key; 2],
}

impl<S: Clone> Node<S> {
    /// The start of `game`.
    pub fn start<G: Game<State = S>>(game: &G) -> Node<S> {
        let state = game.start();
        let keys = Player::BOTH.map(|p| Key::START.next(None::<G::Action>, game.told(&state, p).as_ref()));
        Node { state, keys }
    }

    /// The node after `action`.
    #[must_use]
    pub fn play<G: Game<State = S>>(&self, game: &G, action: G::Action) -> Node<S> {
        let actor = game.turn(&self.state);
        let state = game.play(&self.state, action);
        let keys = Player::BOTH.map(|p| {
            let own = (actor == Turn::Player(p)).then_some(action);
            self.keys[p.index()].next(own, game.told(&state, p).as_ref())
        });
        Node { state, keys }
    }
}
