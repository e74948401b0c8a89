//! `semi`: the semi-random player of the thesis. It captures with pawns where it can, takes back, and else plays at random.

use scuro_core::Random;
use scuro_games::chess::{Color, Move};
use scuro_games::kriegspiel::{Kriegspiel, KriegspielView, Told, Try};
use scuro_games::seat::Seat;

use crate::contestant::{Allowance, Contestant, Fault};

/// The player.
#[derive(Clone, Debug)]
pub struct Semi {
    rules: Kriegspiel,
    seat: Seat<Kriegspiel>,
    random: Random,
}

impl Semi {
    /// At the start of a game.
    #[must_use]
    pub fn new(rules: Kriegspiel, color: Color, seed: u64) -> Semi {
        Semi { rules, seat: Seat::new(&rules, color), random: Random::new(seed) }
    }
}

/// The tries among `choices` that come first: asking for pawn captures, pawn captures, then captures where the opponent has
/// just taken. All of them if there is none of these.
fn preferred(view: &KriegspielView, choices: &[Try]) -> Vec<Try> {
    let those = |wanted: &dyn Fn(Move) -> bool| {
        let wanted = |attempt: &Try| matches!(attempt, Try::Move(m) if wanted(*m));
        choices.iter().copied().filter(wanted).collect::<Vec<Try>>()
    };
    if choices.contains(&Try::Any) {
        return vec![Try::Any];
    }
    let pawns = those(&|m| view.pieces.is_pawn_capture(m));
    if !pawns.is_empty() {
        return pawns;
    }
    let lost = view.announcement.capture.map(|capture| capture.square);
    let back = those(&|m| Some(m.to()) == lost);
    if back.is_empty() { choices.to_vec() } else { back }
}

impl Contestant<Kriegspiel> for Semi {
    fn see(&mut self, own: Option<Try>, told: &Told) {
        // What nobody can be told changes nothing.
        let _ = self.seat.see(&self.rules, own, told);
    }

    fn choose(&mut self, choices: &[Try], _: Allowance) -> Result<Try, Fault> {
        let open = preferred(self.seat.view(), choices);
        Ok(open[self.random.below(open.len())])
    }
}

#[cfg(test)]
mod tests {
    use scuro_games::kriegspiel::{KriegspielState, Ruleset};

    use super::*;

    /// What it may play at a position that it hears of, after the tries refused there.
    fn open(ruleset: Ruleset, fen: &str, moves: &[&str]) -> Vec<String> {
        let mut state = KriegspielState::new(ruleset, fen.parse().unwrap());
        for word in moves {
            state.take(word.parse().unwrap());
        }
        let (mut choices, view) = (Vec::new(), KriegspielView::of(&state, state.board().side()));
        view.offered(&mut choices);
        preferred(&view, &choices).iter().map(Try::to_string).collect()
    }

    #[test]
    fn pawns_capture_first_then_what_was_lost_is_taken_back() {
        let pawns = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
        assert_eq!(open(Ruleset::Icc, pawns, &[]), ["e4d5", "e4f5"]);
        assert_eq!(open(Ruleset::Icc, pawns, &["e4f5"]), ["e4d5"]);
        // English: it has to ask first, and is obliged then.
        assert_eq!(open(Ruleset::English, pawns, &[]), ["any?"]);
        assert_eq!(open(Ruleset::English, pawns, &["any?"]), ["e4d5", "e4f5"]);
        let taken = "4k3/8/8/8/1b6/8/3N4/R3K2R b - - 0 1";
        assert_eq!(open(Ruleset::Icc, taken, &["b4d2"]), ["e1d2"]);
        // Nothing to take: all that may be tried.
        assert_eq!(open(Ruleset::Icc, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", &[]).len(), 0);
        assert_eq!(open(Ruleset::Icc, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &[]).len(), 6);
    }
}
