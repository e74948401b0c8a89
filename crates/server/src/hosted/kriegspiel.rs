//! Kriegspiel at the server: own pieces, and what the umpire says.
//!
//! No move is named in SAN before the end: how much of the origin a name needs would tell which of the other pieces are
//! pinned.

use scuro_games::chess::{MoveRules, OwnPieces};
use scuro_games::kriegspiel::{Capture, Kriegspiel, KriegspielView, Taken, Told, Try};
use scuro_games::seat::Seat;

use super::{Account, Hosted, Notice, Step, own_sight};

impl Hosted for Kriegspiel {
    fn sight(&self, seat: &Seat<Kriegspiel>) -> String {
        let view = seat.view();
        let moves = seat.heard().iter().filter(|heard| matches!(heard.told, Told::Made(_))).count();
        // A move has two halves, and the first position may be in the middle of one.
        let halves = moves + self.start.side() as usize;
        let number = usize::from(self.start.number()) + halves / 2;
        own_sight(&view.pieces, view.announcement.next, u16::try_from(number).unwrap_or(u16::MAX))
    }

    fn own_pieces(view: &KriegspielView) -> OwnPieces {
        view.pieces
    }

    fn account(&self, notice: &Notice<'_, Kriegspiel>) -> Option<Account> {
        Some(heard(self, notice.own, notice.told))
    }

    fn full_account(&self, step: &Step<'_, Kriegspiel>) -> Account {
        // The mover hears everything there is to hear.
        let told = step.after.told(step.side);
        let account = told.map_or_else(Account::default, |told| heard(self, Some(step.action), &told));
        match step.action {
            Try::Move(m) if account.counts => Account {
                san: Some(step.before.board().san(m, MoveRules::Legal)),
                taken: step.captured_by(m),
                ..account
            },
            _ => account,
        }
    }
}

/// What the umpire says to one player, whose try it was if there is one.
fn heard(game: &Kriegspiel, own: Option<Try>, told: &Told) -> Account {
    let word = own.map(|own| own.to_string());
    match *told {
        Told::Refused { nonsense } => {
            let text = game.ruleset.refusal(nonsense).to_owned();
            Account { word, text, refused: true, ..Account::default() }
        }
        Told::Answered(any) => Account {
            word: Some(Try::Any.to_string()),
            text: if any { "yes" } else { "no" }.to_owned(),
            ..Account::default()
        },
        Told::Made(said) => Account {
            counts: true,
            word,
            text: said.to_string(),
            taken: said.capture.filter(|_| own.is_some()).map(taken),
            ..Account::default()
        },
    }
}

/// What the umpire says was captured, as a letter.
fn taken(capture: Capture) -> char {
    match capture.taken {
        Some(Taken::Pawn) => 'p',
        Some(Taken::Piece) | None => '?',
    }
}
