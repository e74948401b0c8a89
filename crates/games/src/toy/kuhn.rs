//! Kuhn poker: one card each, one bet. The smallest game in which one must bluff.

use std::fmt;

use scuro_core::{Game, Player, Scale, Turn};

use super::ToyTold;
use super::name::{ToyError, within};

/// The rules of Kuhn poker with some number of cards, each of another rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kuhn {
    cards: u8,
}

/// With a jack, a queen and a king.
impl Default for Kuhn {
    fn default() -> Kuhn {
        Kuhn { cards: 3 }
    }
}

/// One ply of Kuhn poker.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KuhnAction {
    /// Chance deals a card: first to player one, then to player two.
    Deal(u8),
    /// Check, or fold to a bet.
    Pass,
    /// Bet, or call a bet.
    Bet,
}

impl fmt::Debug for KuhnAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KuhnAction::Deal(card) => write!(f, "card {}", card + 1),
            KuhnAction::Pass => f.write_str("pass"),
            KuhnAction::Bet => f.write_str("bet"),
        }
    }
}

/// Where the betting stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Betting {
    Open,
    Checked,
    Bet,
    CheckedBet,
    CheckedTwice,
    Called,
    Folded(Player),
}

/// The cards dealt so far, and the betting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KuhnState {
    cards: [Option<u8>; 2],
    betting: Betting,
    last: Option<KuhnAction>,
}

impl Kuhn {
    /// Kuhn poker with `cards` cards.
    ///
    /// # Errors
    /// If there are fewer than 2 or more than 100.
    pub fn new(cards: u32) -> Result<Kuhn, ToyError> {
        Ok(Kuhn { cards: within("kuhn", "CARDS", cards, 2..=100)? as u8 })
    }

    fn card_name(self, card: u8) -> String {
        match (self.cards, card) {
            (3, 0) => "J".to_owned(),
            (3, 1) => "Q".to_owned(),
            (3, 2) => "K".to_owned(),
            _ => (card + 1).to_string(),
        }
    }
}

impl KuhnState {
    /// 1 if player one has the higher card, else -1.
    fn winner(&self) -> f64 {
        if self.cards[0] > self.cards[1] { 1.0 } else { -1.0 }
    }

    fn facing_a_bet(&self) -> bool {
        matches!(self.betting, Betting::Bet | Betting::CheckedBet)
    }

    /// Who was dealt the last card, if a card was the last thing to happen.
    fn dealt_to(&self) -> Option<Player> {
        let second = self.cards[1].is_some();
        let dealt = matches!(self.last, Some(KuhnAction::Deal(_)));
        dealt.then_some(if second { Player::Two } else { Player::One })
    }
}

impl Game for Kuhn {
    type State = KuhnState;
    type Action = KuhnAction;
    type Told = ToyTold;

    fn start(&self) -> KuhnState {
        KuhnState { cards: [None; 2], betting: Betting::Open, last: None }
    }

    fn turn(&self, state: &KuhnState) -> Turn {
        match state.betting {
            _ if state.cards[1].is_none() => Turn::Chance,
            Betting::Open | Betting::CheckedBet => Turn::Player(Player::One),
            Betting::Checked | Betting::Bet => Turn::Player(Player::Two),
            Betting::CheckedTwice => Turn::Over(state.winner() / 2.0),
            Betting::Called => Turn::Over(state.winner()),
            Betting::Folded(Player::One) => Turn::Over(-0.5),
            Betting::Folded(Player::Two) => Turn::Over(0.5),
        }
    }

    fn actions(&self, state: &KuhnState, out: &mut Vec<KuhnAction>) {
        match self.turn(state) {
            Turn::Chance => {
                let free = (0..self.cards).filter(|&card| state.cards[0] != Some(card));
                out.extend(free.map(KuhnAction::Deal));
            }
            Turn::Player(_) => out.extend([KuhnAction::Pass, KuhnAction::Bet]),
            Turn::Over(_) => {}
        }
    }

    fn play(&self, state: &KuhnState, action: KuhnAction) -> KuhnState {
        let mut next = KuhnState { last: Some(action), ..*state };
        next.betting = match (state.betting, action) {
            (betting, KuhnAction::Deal(card)) => {
                next.cards[usize::from(state.cards[0].is_some())] = Some(card);
                betting
            }
            (Betting::Open, KuhnAction::Pass) => Betting::Checked,
            (Betting::Open, KuhnAction::Bet) => Betting::Bet,
            (Betting::Checked, KuhnAction::Bet) => Betting::CheckedBet,
            (Betting::Bet, KuhnAction::Pass) => Betting::Folded(Player::Two),
            (Betting::CheckedBet, KuhnAction::Pass) => Betting::Folded(Player::One),
            (_, KuhnAction::Pass) => Betting::CheckedTwice,
            (_, KuhnAction::Bet) => Betting::Called,
        };
        next
    }

    /// Her own card when it is dealt, that a card was dealt when it is the other's, and what was bet.
    fn told(&self, state: &KuhnState, player: Player) -> Option<ToyTold> {
        let ply = match state.last {
            None => None,
            Some(KuhnAction::Deal(card)) if state.dealt_to() == Some(player) => Some(3 + u64::from(card)),
            Some(KuhnAction::Deal(_)) => Some(0),
            Some(KuhnAction::Pass) => Some(1),
            Some(KuhnAction::Bet) => Some(2),
        };
        ToyTold::new(ply, self.turn(state))
    }

    fn action_name(&self, state: &KuhnState, action: KuhnAction) -> String {
        match (action, state.facing_a_bet()) {
            (KuhnAction::Deal(card), _) => self.card_name(card),
            (KuhnAction::Pass, false) => "check".to_owned(),
            (KuhnAction::Pass, true) => "fold".to_owned(),
            (KuhnAction::Bet, false) => "bet".to_owned(),
            (KuhnAction::Bet, true) => "call".to_owned(),
        }
    }

    fn view_name(&self, state: &KuhnState, player: Player) -> String {
        match (state.last, state.betting) {
            (Some(KuhnAction::Deal(card)), _) if state.dealt_to() == Some(player) => self.card_name(card),
            (_, Betting::Checked) if player == Player::Two => "check".to_owned(),
            (_, Betting::Bet) if player == Player::Two => "bet".to_owned(),
            (_, Betting::CheckedBet) if player == Player::One => "bet".to_owned(),
            _ => String::new(),
        }
    }

    fn raw(&self) -> Scale {
        Scale { scale: 2.0, shift: 0.0 }
    }
}
