//! Goofspiel: hidden bids for prizes, each card used once, and only who won a prize is told.

use std::cmp::Ordering;
use std::fmt;

use scuro_core::{Game, Player, Turn};

use super::ToyTold;
use super::name::{ToyError, within};

/// The order in which the prizes come up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Prizes {
    /// Chance draws them one by one.
    Random,
    /// The lowest first.
    Increasing,
}

/// The rules of Goofspiel with cards and prizes of 1, 2 and so on.
///
/// Both bid at once, written as player one's ply and then player two's. The higher bid wins the prize, equal bids
/// nobody; whoever has more in prizes at the end wins the game. The last card of each is bid by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goofspiel {
    cards: u8,
    prizes: Prizes,
}

/// One ply of Goofspiel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GoofspielAction {
    /// Chance turns up this prize.
    Prize(u8),
    /// A player bids this card.
    Bid(u8),
}

impl fmt::Debug for GoofspielAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GoofspielAction::Prize(prize) => write!(f, "prize {prize}"),
            GoofspielAction::Bid(card) => write!(f, "{card}"),
        }
    }
}

/// A set of cards: bit `n` is the card `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cards(u16);

impl Cards {
    fn iter(self) -> impl Iterator<Item = u8> {
        (1..16).filter(move |card| self.0 >> card & 1 == 1)
    }

    fn without(self, card: u8) -> Cards {
        Cards(self.0 & !(1 << card))
    }

    fn lowest(self) -> u8 {
        self.0.trailing_zeros() as u8
    }

    fn is_one(self) -> bool {
        self.0.count_ones() == 1
    }
}

/// What the players hold, what they have won, and what is bid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoofspielState {
    hands: [Cards; 2],
    /// The prizes that have not come up yet.
    prizes: Cards,
    prize: Option<u8>,
    /// Player one's bid for it.
    bid: Option<u8>,
    won: [u8; 2],
    last: Option<GoofspielAction>,
    /// Who won the last prize that was bid for: greater if player one.
    result: Option<Ordering>,
    over: bool,
}

impl Goofspiel {
    /// Goofspiel with `cards` cards each.
    ///
    /// # Errors
    /// If there are fewer than 2 or more than 13.
    pub fn new(cards: u32, prizes: Prizes) -> Result<Goofspiel, ToyError> {
        Ok(Goofspiel { cards: within("goofspiel", "CARDS", cards, 2..=13)? as u8, prizes })
    }

    /// Turns up the next prize if chance has no say in it.
    fn turn_up(self, state: &mut GoofspielState) {
        if self.prizes == Prizes::Increasing {
            state.reveal(state.prizes.lowest());
        }
    }
}

impl GoofspielState {
    fn reveal(&mut self, prize: u8) {
        self.prize = Some(prize);
        self.prizes = self.prizes.without(prize);
    }

    /// Both cards are shown, and the prize goes to the higher one.
    fn settle(&mut self, bids: [u8; 2], prize: u8) -> Ordering {
        let result = bids[0].cmp(&bids[1]);
        match result {
            Ordering::Greater => self.won[0] += prize,
            Ordering::Less => self.won[1] += prize,
            Ordering::Equal => {}
        }
        self.hands = [0, 1].map(|i| self.hands[i].without(bids[i]));
        result
    }

    /// What the last ply told `player` of a prize: greater if she won it.
    fn told(&self, player: Player) -> Option<Ordering> {
        let result = self.result?;
        Some(if player == Player::One { result } else { result.reverse() })
    }
}

impl Game for Goofspiel {
    type State = GoofspielState;
    type Action = GoofspielAction;
    type Told = ToyTold;

    fn start(&self) -> GoofspielState {
        let all = Cards((2 << self.cards) - 2);
        let mut state = GoofspielState {
            hands: [all; 2],
            prizes: all,
            prize: None,
            bid: None,
            won: [0; 2],
            last: None,
            result: None,
            over: false,
        };
        self.turn_up(&mut state);
        state
    }

    fn turn(&self, state: &GoofspielState) -> Turn {
        match (state.prize, state.bid) {
            _ if state.over => Turn::Over(match state.won[0].cmp(&state.won[1]) {
                Ordering::Less => -1.0,
                Ordering::Equal => 0.0,
                Ordering::Greater => 1.0,
            }),
            (None, _) => Turn::Chance,
            (Some(_), None) => Turn::Player(Player::One),
            (Some(_), Some(_)) => Turn::Player(Player::Two),
        }
    }

    fn actions(&self, state: &GoofspielState, out: &mut Vec<GoofspielAction>) {
        match self.turn(state) {
            Turn::Chance => out.extend(state.prizes.iter().map(GoofspielAction::Prize)),
            Turn::Player(player) => {
                out.extend(state.hands[player.index()].iter().map(GoofspielAction::Bid));
            }
            Turn::Over(_) => {}
        }
    }

    fn play(&self, state: &GoofspielState, action: GoofspielAction) -> GoofspielState {
        let mut next = GoofspielState { last: Some(action), result: None, ..*state };
        match (action, state.prize, state.bid) {
            (GoofspielAction::Prize(prize), ..) => next.reveal(prize),
            (GoofspielAction::Bid(two), Some(prize), Some(one)) => {
                next.result = Some(next.settle([one, two], prize));
                (next.prize, next.bid) = (None, None);
                if next.prizes.is_one() {
                    let bids = next.hands.map(Cards::lowest);
                    next.settle(bids, next.prizes.lowest());
                    next.over = true;
                } else {
                    self.turn_up(&mut next);
                }
            }
            (GoofspielAction::Bid(one), ..) => next.bid = Some(one),
        }
        next
    }

    /// The prize that chance turned up, that player one has bid, and who won the prize.
    fn told(&self, state: &GoofspielState, player: Player) -> Option<ToyTold> {
        let ply = match (state.last, state.told(player)) {
            (None, _) => None,
            (Some(GoofspielAction::Prize(prize)), _) => Some(u64::from(prize)),
            (Some(GoofspielAction::Bid(_)), None) => Some(0),
            (Some(GoofspielAction::Bid(_)), Some(result)) => Some(result as u64),
        };
        ToyTold::new(ply, self.turn(state))
    }

    fn view_name(&self, state: &GoofspielState, player: Player) -> String {
        match (state.last, state.told(player)) {
            (Some(prize @ GoofspielAction::Prize(_)), _) => format!("{prize:?}"),
            (_, Some(Ordering::Greater)) => "win".to_owned(),
            (_, Some(Ordering::Equal)) => "tie".to_owned(),
            (_, Some(Ordering::Less)) => "loss".to_owned(),
            _ => String::new(),
        }
    }
}
