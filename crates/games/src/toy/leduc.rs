//! Leduc poker: a card each, a round of betting, a card for both, a second round with higher bets.

use std::fmt;

use scuro_core::{Game, Player, Scale, Turn};

use super::ToyTold;
use super::name::{ToyError, within};

/// The rules of Leduc poker with a deck of some ranks in some suits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leduc {
    ranks: u8,
    suits: u8,
}

/// With jacks, queens and kings in two suits.
impl Default for Leduc {
    fn default() -> Leduc {
        Leduc { ranks: 3, suits: 2 }
    }
}

/// One ply of Leduc poker.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LeducAction {
    /// Chance deals a card: to player one, to player two, then between them. Its rank is `card / suits`.
    Deal(u8),
    /// Give up a pot that the opponent has raised.
    Fold,
    /// Check, or call a raise.
    Call,
    /// Bet, or raise a bet.
    Raise,
}

impl fmt::Debug for LeducAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeducAction::Deal(card) => write!(f, "card {}", card + 1),
            LeducAction::Fold => f.write_str("fold"),
            LeducAction::Call => f.write_str("call"),
            LeducAction::Raise => f.write_str("raise"),
        }
    }
}

/// The cards dealt so far, what each player has paid, and where the betting of the round stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeducState {
    cards: [Option<u8>; 2],
    board: Option<u8>,
    paid: [u8; 2],
    raises: u8,
    /// Plies of betting in this round.
    plies: u8,
    /// The betting of the round has ended.
    closed: bool,
    folded: Option<Player>,
    last: Option<LeducAction>,
}

const RAISES_A_ROUND: u8 = 2;
const HIGHEST_STAKE: f64 = 13.0;

impl Leduc {
    /// Leduc poker with `ranks` ranks in `suits` suits.
    ///
    /// # Errors
    /// If there are fewer than 2 or more than 13 ranks, no or more than 4 suits, or too few cards to deal.
    pub fn new(ranks: u32, suits: u32) -> Result<Leduc, ToyError> {
        let ranks = within("leduc", "RANKS", ranks, 2..=13)?;
        let least = if ranks == 2 { 2 } else { 1 };
        let suits = within("leduc", "SUITS", suits, least..=4)?;
        Ok(Leduc { ranks: ranks as u8, suits: suits as u8 })
    }

    fn card_name(self, card: u8) -> String {
        let ranks = if self.ranks == 13 { "23456789TJQKA" } else { "23456789TJQK" };
        let rank = ranks.chars().rev().nth(usize::from(self.ranks - 1 - card / self.suits));
        let suit = "shdc".chars().nth(usize::from(card % self.suits));
        rank.into_iter().chain(suit).collect()
    }

    /// The payoff to player one, in chips, when the cards are shown.
    fn showdown(self, state: &LeducState) -> f64 {
        let rank = |card: Option<u8>| card.map(|card| card / self.suits);
        let hands = state.cards.map(|card| (rank(card) == rank(state.board), rank(card)));
        let stake = f64::from(state.paid[0]);
        match hands[0].cmp(&hands[1]) {
            std::cmp::Ordering::Less => -stake,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Greater => stake,
        }
    }
}

impl LeducState {
    fn mover(&self) -> Player {
        Player::BOTH[usize::from(self.plies % 2)]
    }

    fn facing_a_raise(&self) -> bool {
        self.paid[0] != self.paid[1]
    }

    fn deal(&mut self, card: u8) {
        match self.cards {
            [None, _] => self.cards[0] = Some(card),
            [_, None] => self.cards[1] = Some(card),
            _ => {
                self.board = Some(card);
                (self.raises, self.plies, self.closed) = (0, 0, false);
            }
        }
    }

    /// Who can see the last card, if a card was the last thing to happen.
    fn sees_card(&self, player: Player) -> bool {
        match (self.board, self.cards) {
            (Some(_), _) => true,
            (None, [_, Some(_)]) => player == Player::Two,
            _ => player == Player::One,
        }
    }
}

impl Game for Leduc {
    type State = LeducState;
    type Action = LeducAction;
    type Told = ToyTold;

    fn start(&self) -> LeducState {
        LeducState {
            cards: [None; 2],
            board: None,
            paid: [1; 2],
            raises: 0,
            plies: 0,
            closed: false,
            folded: None,
            last: None,
        }
    }

    fn turn(&self, state: &LeducState) -> Turn {
        match (state.folded, state.closed, state.board) {
            (Some(Player::One), ..) => Turn::Over(-f64::from(state.paid[0]) / HIGHEST_STAKE),
            (Some(Player::Two), ..) => Turn::Over(f64::from(state.paid[1]) / HIGHEST_STAKE),
            (None, true, Some(_)) => Turn::Over(self.showdown(state) / HIGHEST_STAKE),
            (None, true, None) => Turn::Chance,
            _ if state.cards[1].is_none() => Turn::Chance,
            _ => Turn::Player(state.mover()),
        }
    }

    fn actions(&self, state: &LeducState, out: &mut Vec<LeducAction>) {
        match self.turn(state) {
            Turn::Chance => {
                let free = (0..self.ranks * self.suits).filter(|&card| !state.cards.contains(&Some(card)));
                out.extend(free.map(LeducAction::Deal));
            }
            Turn::Player(_) => {
                out.extend(state.facing_a_raise().then_some(LeducAction::Fold));
                out.push(LeducAction::Call);
                out.extend((state.raises < RAISES_A_ROUND).then_some(LeducAction::Raise));
            }
            Turn::Over(_) => {}
        }
    }

    fn play(&self, state: &LeducState, action: LeducAction) -> LeducState {
        let mut next = LeducState { last: Some(action), ..*state };
        let (me, they) = (state.mover().index(), state.mover().other().index());
        match action {
            LeducAction::Deal(card) => {
                next.deal(card);
                return next;
            }
            LeducAction::Fold => next.folded = Some(state.mover()),
            LeducAction::Call => {
                next.closed = state.facing_a_raise() || state.plies > 0;
                next.paid[me] = state.paid[they];
            }
            LeducAction::Raise => {
                next.paid[me] = state.paid[they] + if state.board.is_some() { 4 } else { 2 };
                next.raises += 1;
            }
        }
        next.plies += 1;
        next
    }

    /// Her own card and the card between the players when they are dealt, that a card was dealt when it is
    /// the other's, and what was bet.
    fn told(&self, state: &LeducState, player: Player) -> Option<ToyTold> {
        let ply = match state.last {
            None => None,
            Some(LeducAction::Deal(card)) if state.sees_card(player) => Some(4 + u64::from(card)),
            Some(LeducAction::Deal(_)) => Some(0),
            Some(LeducAction::Fold) => Some(1),
            Some(LeducAction::Call) => Some(2),
            Some(LeducAction::Raise) => Some(3),
        };
        ToyTold::new(ply, self.turn(state))
    }

    fn action_name(&self, state: &LeducState, action: LeducAction) -> String {
        match action {
            LeducAction::Deal(card) => self.card_name(card),
            LeducAction::Fold => "fold".to_owned(),
            LeducAction::Call => if state.facing_a_raise() { "call" } else { "check" }.to_owned(),
            LeducAction::Raise => if state.raises > 0 { "raise" } else { "bet" }.to_owned(),
        }
    }

    fn view_name(&self, state: &LeducState, player: Player) -> String {
        let own = state.mover() != player;
        let name = match state.last {
            Some(LeducAction::Deal(card)) if state.sees_card(player) => return self.card_name(card),
            Some(LeducAction::Fold) if !own => "fold",
            Some(LeducAction::Call) if !own => {
                if state.raises > 0 {
                    "call"
                } else {
                    "check"
                }
            }
            Some(LeducAction::Raise) if !own => {
                if state.raises > 1 {
                    "raise"
                } else {
                    "bet"
                }
            }
            _ => "",
        };
        name.to_owned()
    }

    fn raw(&self) -> Scale {
        Scale { scale: HIGHEST_STAKE, shift: 0.0 }
    }
}
