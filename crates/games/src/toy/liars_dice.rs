//! Liar's Dice with one hidden die each: bids on both dice rise until somebody doubts.

use std::fmt;

use scuro_core::{Game, Player, Turn};

use super::ToyTold;
use super::name::{ToyError, within};

/// The rules of Liar's Dice with dice of some number of sides. The highest face is wild: it counts as every
/// face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiarsDice {
    sides: u8,
}

/// One ply of Liar's Dice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LiarsDiceAction {
    /// Chance rolls a die: first that of player one, then that of player two.
    Roll(u8),
    /// At least so many dice show this face. Bids are ordered by number, then by face.
    Bid {
        /// How many dice.
        dice: u8,
        /// The face, from 1.
        face: u8,
    },
    /// The last bid is a lie.
    Liar,
}

impl fmt::Debug for LiarsDiceAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LiarsDiceAction::Roll(face) => write!(f, "{face}"),
            LiarsDiceAction::Bid { dice, face } => write!(f, "{dice}-{face}"),
            LiarsDiceAction::Liar => f.write_str("liar"),
        }
    }
}

/// The dice rolled so far, and the last bid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiarsDiceState {
    dice: [Option<u8>; 2],
    bid: Option<(u8, u8)>,
    mover: Player,
    last: Option<LiarsDiceAction>,
}

impl LiarsDice {
    /// Liar's Dice with dice of `sides` sides.
    ///
    /// # Errors
    /// If there are none or more than 20.
    pub fn new(sides: u32) -> Result<LiarsDice, ToyError> {
        Ok(LiarsDice { sides: within("liars-dice", "SIDES", sides, 1..=20)? as u8 })
    }

    /// Whether the last bid is true.
    fn holds(self, state: &LiarsDiceState) -> bool {
        let (dice, face) = state.bid.unwrap_or((0, 0));
        let counts = |die: &Option<u8>| *die == Some(face) || *die == Some(self.sides);
        state.dice.iter().filter(|die| counts(die)).count() >= usize::from(dice)
    }
}

impl LiarsDiceState {
    /// Who rolled last, if a roll was the last thing to happen.
    fn rolled(&self, player: Player) -> bool {
        player == if self.dice[1].is_some() { Player::Two } else { Player::One }
    }
}

impl Game for LiarsDice {
    type State = LiarsDiceState;
    type Action = LiarsDiceAction;
    type Told = ToyTold;

    fn start(&self) -> LiarsDiceState {
        LiarsDiceState { dice: [None; 2], bid: None, mover: Player::One, last: None }
    }

    fn turn(&self, state: &LiarsDiceState) -> Turn {
        match state.last {
            _ if state.dice[1].is_none() => Turn::Chance,
            // After a doubt the one to move is the one who bid.
            Some(LiarsDiceAction::Liar) => {
                Turn::Over(if self.holds(state) == (state.mover == Player::One) { 1.0 } else { -1.0 })
            }
            _ => Turn::Player(state.mover),
        }
    }

    fn actions(&self, state: &LiarsDiceState, out: &mut Vec<LiarsDiceAction>) {
        match self.turn(state) {
            Turn::Chance => out.extend((1..=self.sides).map(LiarsDiceAction::Roll)),
            Turn::Player(_) => {
                let bids = (1..=2).flat_map(|dice| (1..=self.sides).map(move |face| (dice, face)));
                let higher = bids.filter(|&bid| Some(bid) > state.bid);
                out.extend(higher.map(|(dice, face)| LiarsDiceAction::Bid { dice, face }));
                out.extend(state.bid.map(|_| LiarsDiceAction::Liar));
            }
            Turn::Over(_) => {}
        }
    }

    fn play(&self, state: &LiarsDiceState, action: LiarsDiceAction) -> LiarsDiceState {
        let mut next = LiarsDiceState { last: Some(action), ..*state };
        match action {
            LiarsDiceAction::Roll(face) => {
                next.dice[usize::from(state.dice[0].is_some())] = Some(face);
                return next;
            }
            LiarsDiceAction::Bid { dice, face } => next.bid = Some((dice, face)),
            LiarsDiceAction::Liar => {}
        }
        next.mover = state.mover.other();
        next
    }

    /// Her own roll, that the other rolled, and every bid.
    fn told(&self, state: &LiarsDiceState, player: Player) -> Option<ToyTold> {
        let ply = match state.last {
            None => None,
            Some(LiarsDiceAction::Roll(face)) if state.rolled(player) => Some(u64::from(face)),
            Some(LiarsDiceAction::Roll(_) | LiarsDiceAction::Liar) => Some(0),
            Some(LiarsDiceAction::Bid { dice, face }) => Some(u64::from(dice) << 8 | u64::from(face)),
        };
        ToyTold::new(ply, self.turn(state))
    }

    fn view_name(&self, state: &LiarsDiceState, player: Player) -> String {
        match state.last {
            Some(roll @ LiarsDiceAction::Roll(_)) if state.rolled(player) => format!("{roll:?}"),
            Some(bid @ LiarsDiceAction::Bid { .. }) if state.mover == player => format!("{bid:?}"),
            _ => String::new(),
        }
    }
}
