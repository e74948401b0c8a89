//! A transcript as PGN.

use super::names;
use super::{Code, Made, Teller, ToldTurn, Transcript, Tries};
use crate::Variant;
use crate::chess::{Board, Color, MoveRules, OwnPieces};
use crate::kriegspiel::{Refusals, Try};
use crate::outcome::Reason;
use crate::records::pgn::{PgnGame, PgnMove};
use crate::records::record::pgn_tags;

impl Transcript {
    /// The game as extended PGN. A turn without a move, at the end, becomes a comment that starts with `then`.
    #[must_use]
    pub fn to_pgn(&self) -> PgnGame {
        let mut tags = pgn_tags(
            Variant::Kriegspiel,
            &self.tags,
            &self.start.to_string(),
            self.result,
            self.termination.as_deref(),
        );
        tags.push(("Ruleset".to_owned(), self.ruleset.to_string()));
        tags.push(("Filtered".to_owned(), self.teller.to_string()));
        let mut game = PgnGame { tags, result: self.result, ..PgnGame::default() };
        let mut boards = Boards::new(self.teller, &self.start);
        for (i, turn) in self.turns.iter().enumerate() {
            let men = boards.men(turn.side);
            let comment = comment(turn, men.as_ref());
            let comments = |of: &mut Vec<String>, prefix: &str| {
                of.extend(comment.as_ref().map(|comment| format!("{prefix}{comment}")));
            };
            let Some(made) = turn.made else {
                let place = game.moves.last_mut().map_or(&mut game.before, |last| &mut last.comments);
                comments(place, "then ");
                break;
            };
            let mated =
                i + 1 == self.turns.len() && self.termination.as_deref() == Some(Reason::Mate.termination());
            let text = match made {
                Made::Known(m) => boards.name(m, turn, mated),
                Made::Unknown => "??".to_owned(),
            };
            let mut written = PgnMove { text, ..PgnMove::default() };
            comments(&mut written.comments, "");
            game.moves.push(written);
            boards.advance(turn);
        }
        game
    }
}

/// `said:tries`, if the record tells anything.
fn comment(turn: &ToldTurn, men: Option<&OwnPieces>) -> Option<String> {
    let said: Vec<String> = turn.said.as_ref()?.iter().map(Code::to_string).collect();
    let tries: Vec<String> = match (&turn.tries, men) {
        (Tries::Listed(tries), Some(men)) => tries
            .iter()
            .enumerate()
            .filter_map(|(place, tried)| match tried.attempt {
                // A question that comes first goes without saying where.
                Try::Any => (place > 0).then(|| "any?".to_owned()),
                Try::Move(m) => {
                    let mark = if tried.nonsense { "!" } else { "" };
                    Some(format!("{}{mark}", names::name(men, m, false)))
                }
            })
            .collect(),
        (Tries::Counted(Refusals { illegal, nonsense }), _) => {
            let some = |count: u16, mark: &str| (count > 0).then(|| format!("{count}{mark}"));
            some(*illegal, "").into_iter().chain(some(*nonsense, "!")).collect()
        }
        _ => Vec::new(),
    };
    Some(format!("{}:{}", said.join(","), tries.join(",")))
}

/// The board of the teller: the true one, or her own men alone.
pub(super) enum Boards {
    True(Board),
    Own(OwnPieces),
}

impl Boards {
    pub(super) fn new(teller: Teller, start: &Board) -> Boards {
        match teller {
            Teller::Umpire | Teller::Semi(_) => Boards::True(*start),
            Teller::Player(color) => Boards::Own(OwnPieces::of(start, color)),
        }
    }

    /// The men of `side`, if the teller knows them.
    pub(super) fn men(&self, side: Color) -> Option<OwnPieces> {
        match self {
            Boards::True(board) => Some(OwnPieces::of(board, side)),
            Boards::Own(men) => (men.color() == side).then_some(*men),
        }
    }

    /// The name of a move that was made, by the board of the teller.
    fn name(&self, m: crate::chess::Move, turn: &ToldTurn, mated: bool) -> String {
        let said = |wanted: fn(&Code) -> bool| turn.said.iter().flatten().any(wanted);
        match self {
            Boards::True(board) => board.san(m, MoveRules::Legal),
            Boards::Own(men) => {
                let captured = said(|code| matches!(code, Code::Capture(_)));
                let mark = match said(|code| matches!(code, Code::Check(_))) {
                    true if mated => "#",
                    true => "+",
                    false => "",
                };
                format!("{}{mark}", names::name(men, m, captured))
            }
        }
    }

    /// The board after a turn: moves that are known are made, men that were taken are gone.
    pub(super) fn advance(&mut self, turn: &ToldTurn) {
        match (self, turn.made) {
            (Boards::True(board), Some(Made::Known(m))) => board.make(m),
            (Boards::Own(men), Some(Made::Known(m))) if men.color() == turn.side => *men = men.moved(m),
            (Boards::Own(men), Some(_)) => {
                for code in turn.said.iter().flatten() {
                    if let Code::Capture(square) = code {
                        *men = men.lost(*square);
                    }
                }
            }
            _ => {}
        }
    }
}
