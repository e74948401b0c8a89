//! Matching pennies over a number that chance draws and of which each player sees a part: the running example of
//! the paper on subgame solving without common knowledge (Zhang and Sandholm 2021), its proposition 3 and the
//! worked example of its appendix C.

use std::fmt;

use scuro_core::{Game, Player, Scale, Turn};

use super::ToyTold;
use super::name::{ToyError, within};

/// What the players see of the number `n`, and what they play for. N is the highest number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PennyRules {
    /// The reading that fits the paper's tables: player one sees (n + 1) / 2, player two n / 2, both rounded
    /// down; two heads pay n, two tails N + 1 - n.
    Tables,
    /// As the paper's section 4 words it: player one sees n / 2, player two (n + 1) / 2; two heads pay n, two
    /// tails N - n.
    Text,
    /// Proposition 3: player one sees n, player two nothing; player two wins if the pennies match.
    Proposition3,
    /// Appendix C: as the tables with N = 4, and a fifth draw that ends the game with nothing won.
    AppendixC,
}

/// A game of matching pennies after a draw of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pennies {
    highest: u32,
    rules: PennyRules,
}

/// One ply of matching pennies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PennyAction {
    /// Chance draws this number; 0 is the draw of appendix C that ends the game.
    Draw(u32),
    /// The player shows heads.
    Heads,
    /// The player shows tails.
    Tails,
}

impl fmt::Debug for PennyAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PennyAction::Draw(0) => f.write_str("e"),
            PennyAction::Draw(number) => write!(f, "{number}"),
            PennyAction::Heads => f.write_str("h"),
            PennyAction::Tails => f.write_str("t"),
        }
    }
}

/// The number and the pennies shown so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PennyState {
    number: Option<u32>,
    pennies: [Option<PennyAction>; 2],
}

impl Pennies {
    /// N-matching pennies with the numbers 1 to `highest`; see [`PennyRules::Tables`] and [`PennyRules::Text`].
    ///
    /// # Errors
    /// If `highest` is 0 or more than 65,535.
    pub fn matching(highest: u32, rules: PennyRules) -> Result<Pennies, ToyError> {
        Ok(Pennies { highest: within("matching-pennies", "N", highest, 1..=65_535)?, rules })
    }

    /// The counterexample of proposition 3 with the numbers 1 to `highest`.
    ///
    /// # Errors
    /// If `highest` is 0 or more than 65,535.
    pub fn proposition3(highest: u32) -> Result<Pennies, ToyError> {
        let highest = within("proposition3", "N", highest, 1..=65_535)?;
        Ok(Pennies { highest, rules: PennyRules::Proposition3 })
    }

    /// The worked example of appendix C.
    #[must_use]
    pub fn appendix_c() -> Pennies {
        Pennies { highest: 4, rules: PennyRules::AppendixC }
    }

    /// What `player` is shown of `number`.
    fn seen(self, number: u32, player: Player) -> Option<u32> {
        match (self.rules, player) {
            (PennyRules::Proposition3, Player::One) => Some(number),
            (PennyRules::Proposition3, Player::Two) => None,
            (PennyRules::Tables | PennyRules::AppendixC, Player::One) => Some(number.div_ceil(2)),
            (PennyRules::Tables | PennyRules::AppendixC, Player::Two) => Some(number / 2),
            (PennyRules::Text, Player::One) => Some(number / 2),
            (PennyRules::Text, Player::Two) => Some(number.div_ceil(2)),
        }
    }

    /// The payoff to player one as the rules state it.
    fn paid(self, number: u32, [one, two]: [PennyAction; 2]) -> f64 {
        let matching = f64::from(u8::from(one == two));
        let highest = f64::from(self.highest);
        match (self.rules, one) {
            (PennyRules::Proposition3, _) => 1.0 - 2.0 * matching,
            (_, PennyAction::Heads) => matching * f64::from(number),
            (PennyRules::Text, _) => matching * (highest - f64::from(number)),
            _ => matching * (highest + 1.0 - f64::from(number)),
        }
    }
}

impl Game for Pennies {
    type State = PennyState;
    type Action = PennyAction;
    type Told = ToyTold;

    fn start(&self) -> PennyState {
        PennyState { number: None, pennies: [None; 2] }
    }

    fn turn(&self, state: &PennyState) -> Turn {
        match (state.number, state.pennies) {
            (None, _) => Turn::Chance,
            (Some(0), _) => Turn::Over(self.raw().normalised(0.0)),
            (_, [None, _]) => Turn::Player(Player::One),
            (_, [_, None]) => Turn::Player(Player::Two),
            (Some(number), [Some(one), Some(two)]) => {
                Turn::Over(self.raw().normalised(self.paid(number, [one, two])))
            }
        }
    }

    fn actions(&self, state: &PennyState, out: &mut Vec<PennyAction>) {
        match self.turn(state) {
            Turn::Chance => {
                out.extend((1..=self.highest).map(PennyAction::Draw));
                out.extend((self.rules == PennyRules::AppendixC).then_some(PennyAction::Draw(0)));
            }
            Turn::Player(_) => out.extend([PennyAction::Heads, PennyAction::Tails]),
            Turn::Over(_) => {}
        }
    }

    fn play(&self, state: &PennyState, action: PennyAction) -> PennyState {
        let mut next = *state;
        match action {
            PennyAction::Draw(number) => next.number = Some(number),
            penny => next.pennies[usize::from(state.pennies[0].is_some())] = Some(penny),
        }
        next
    }

    /// Her part of the number, and that a penny was put down.
    fn told(&self, state: &PennyState, player: Player) -> Option<ToyTold> {
        let ply = match (state.number, state.pennies[0]) {
            (None, _) => None,
            (Some(number), None) => Some(self.seen(number, player).map_or(0, |part| 1 + u64::from(part))),
            (Some(_), Some(_)) => Some(0),
        };
        ToyTold::new(ply, self.turn(state))
    }

    fn view_name(&self, state: &PennyState, player: Player) -> String {
        let number = state.number.filter(|_| state.pennies[0].is_none());
        number.and_then(|number| self.seen(number, player)).map_or_else(String::new, |part| part.to_string())
    }

    fn raw(&self) -> Scale {
        match self.rules {
            PennyRules::Proposition3 => Scale::default(),
            _ => Scale::of_range(0.0, f64::from(self.highest)),
        }
    }
}
