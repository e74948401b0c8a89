//! Kriegspiel at the server: her own men, and what the umpire says.
//!
//! No move is named in SAN before the end: how much of the origin a name needs would tell which of the other men are
//! pinned.

use scuro_games::chess::{BitBoard, Color, MoveRules, Piece};
use scuro_games::kriegspiel::{
    self, Announcement, Capture, Kriegspiel, KriegspielState, KriegspielView, OwnMen, Taken, Try,
};
use scuro_games::records::Ply;

use super::{Hosted, Step, Told, own_sight};

impl Hosted for Kriegspiel {
    fn action(ply: Ply) -> Option<Try> {
        ply.attempt()
    }

    fn sight(state: &KriegspielState, color: Color) -> String {
        let (men, board) = (OwnMen::of(state.board(), color), state.board());
        let pieces = Piece::ALL.map(|piece| men.pieces(piece));
        own_sight(pieces, color, board.side(), men.castling(), board.number())
    }

    fn men(view: &KriegspielView) -> [BitBoard; 6] {
        Piece::ALL.map(|piece| view.men.pieces(piece))
    }

    fn truth(state: &KriegspielState) -> String {
        state.board().to_string()
    }

    fn told(step: &Step<'_, Kriegspiel>, color: Color) -> Option<Told> {
        use kriegspiel::Told as Message;
        let answer = step.before.attempt(step.action).0;
        let ruleset = step.before.ruleset();
        let word = Some(step.action.to_string());
        let refused = |word, nonsense| {
            let text = ruleset.refusal(nonsense).to_owned();
            Told { word, text, refused: true, ..Told::default() }
        };
        let made = |word, said: Announcement, taken| Told {
            counts: true,
            word,
            text: said.to_string(),
            taken,
            ..Told::default()
        };
        Some(match Message::of(step.before, step.action, answer, color)? {
            Message::MyRefusal { nonsense, .. } => refused(word, nonsense),
            Message::TheirRefusal { nonsense } => refused(None, nonsense),
            Message::MyQuestion(any) | Message::TheirQuestion(any) => answered(any),
            Message::MyMove(_, said) => made(word, said, said.capture.map(taken)),
            Message::TheirMove(said) => made(None, said, None),
        })
    }

    fn whole(step: &Step<'_, Kriegspiel>) -> Told {
        // The mover hears everything there is to hear.
        let told = Kriegspiel::told(step, step.side).unwrap_or_default();
        let san = match step.action {
            Try::Move(m) if told.counts => Some(step.before.board().san(m, MoveRules::Legal)),
            _ => None,
        };
        Told { san, ..told }
    }
}

fn answered(any: bool) -> Told {
    let text = if any { "yes" } else { "no" };
    Told { word: Some(Try::Any.to_string()), text: text.to_owned(), ..Told::default() }
}

/// What the umpire says was taken, as a letter.
fn taken(capture: Capture) -> char {
    match capture.taken {
        Some(Taken::Pawn) => 'p',
        Some(Taken::Piece) | None => '?',
    }
}
