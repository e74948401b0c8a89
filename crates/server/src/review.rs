//! Games that are over, looked at with nothing hidden: what everybody saw ply by ply, and the files to take along.

use std::time::{Duration, UNIX_EPOCH};

use scuro_games::chess::{Board, Color};
use scuro_games::dark::Rules;
use scuro_games::outcome::Outcome;
use scuro_games::records::Record;
use scuro_games::records::convert::{self, Written};
use scuro_games::records::pgn::{self, PgnResult};
use scuro_games::with_game;
use serde_json::{Value, json};

use crate::answer::Failure;
use crate::session::Session;
use crate::state::{Ended, Players, logged};
use crate::table::{GameTable, Table, Viewer, Views};

/// A record of more plies than this is refused.
const MOST_PLIES: usize = 4_000;

/// The record of a game that is over.
pub(crate) fn record(session: &Session) -> Result<Record, Failure> {
    let outcome = session.outcome().ok_or_else(|| Failure::NotNow("the game is not over".to_owned()))?;
    let setup = &session.setup;
    let (start, passed) =
        Board::parse_keeping_passed(&setup.start).map_err(|error| Failure::Internal(error.to_string()))?;
    let name = |color: Color| setup.agents[color as usize].clone().unwrap_or_else(|| "Person".to_owned());
    let tag = |name: &str, value: String| (name.to_owned(), value);
    let mut tags = vec![
        tag("Event", "Scuro".to_owned()),
        tag("Date", pgn::date(UNIX_EPOCH + Duration::from_millis(session.made.unsigned_abs()))),
        tag("White", name(Color::White)),
        tag("Black", name(Color::Black)),
    ];
    tags.extend(setup.ruleset.clone().map(|ruleset| tag("Ruleset", ruleset)));
    let variant = setup.game;
    let mut record = Record {
        variant,
        tags,
        start,
        passed: passed.filter(|_| variant.keeps_passed()),
        plies: session.table.plies(),
        result: PgnResult::Unknown,
        termination: None,
    };
    record.finish(Some(outcome));
    Ok(record)
}

/// The first game of a text.
pub(crate) fn read(text: &str) -> Result<Record, Failure> {
    let games = convert::read(text.as_bytes()).map_err(Failure::malformed)?;
    let record =
        games.first().ok_or_else(|| Failure::malformed("no game"))?.record().map_err(Failure::malformed)?;
    if record.plies.len() > MOST_PLIES {
        return Err(Failure::malformed(format!("a record of more than {MOST_PLIES} plies")));
    }
    Ok(record)
}

/// Everything that happened in a record.
pub(crate) fn review(record: &Record) -> Result<Value, Failure> {
    let mut table = table(record)?;
    let first = Views::new(|color| table.first(Viewer::Player(color)));
    let start = table.first(Viewer::Umpire);
    for (number, ply) in record.plies.iter().enumerate() {
        let wrong = || Failure::malformed(format!("ply {}: {ply} is against the rules", number + 1));
        let side = table.turn().ok_or_else(wrong)?;
        table.play(side, *ply).ok_or_else(wrong)?;
    }
    let mut plies = vec![json!({
        "ply": 0, "side": null, "move": null, "san": null, "text": "", "truth": start, "views": first,
    })];
    for entry in logged(&*table, Viewer::Umpire, true) {
        plies.push(serde_json::to_value(entry).map_err(|error| Failure::Internal(error.to_string()))?);
    }
    let name = |tag| record.tag(tag).map(str::to_owned);
    Ok(json!({
        "game": record.variant.word(),
        "ruleset": record.tag("Ruleset"),
        "players": Players::of(&[name("White"), name("Black")], ""),
        "start": start,
        "result": outcome(record, &*table).map(Ended::of),
        "plies": plies,
    }))
}

/// The end as the moves show it, or else as the record tells it.
fn outcome(record: &Record, table: &dyn Table) -> Option<Outcome> {
    let told = || {
        let winner = match record.result {
            PgnResult::White => Some(Color::White),
            PgnResult::Black => Some(Color::Black),
            PgnResult::Draw => None,
            PgnResult::Unknown => return None,
        };
        record.reason().map(|reason| Outcome { winner, reason })
    };
    table.outcome().or_else(told)
}

fn table(record: &Record) -> Result<Box<dyn Table>, Failure> {
    let rules = Rules::of(record).map_err(Failure::malformed)?;
    Ok(with_game!(rules, game => Box::new(GameTable::new(game)) as Box<dyn Table>))
}

/// A file to take along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Pgn,
    JsonLines,
    /// Of reconchess.
    History,
}

/// A record in a format; the type of the content, and how the name of the file ends.
pub(crate) fn export(
    record: Record,
    format: Format,
) -> Result<(String, &'static str, &'static str), Failure> {
    let games = [Written::Whole(record)];
    let (text, kind, end) = match format {
        Format::Pgn => (convert::to_pgn(&games, None), "application/vnd.chess-pgn", "pgn"),
        Format::JsonLines => (convert::to_json_lines(&games), "application/x-ndjson", "jsonl"),
        Format::History => (convert::to_history(&games), "application/json", "json"),
    };
    Ok((text.map_err(|error| Failure::Conflict(error.to_string()))?, kind, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_no_game_in_the_dark_is_refused_in_one_line() {
        for (text, words) in [
            ("", "no game"),
            ("1. e4 e5 *", "hides nothing"),
            ("[Variant \"Fog of War\"]\n\n1. e4 e5 2. Ke3 *", "Ke3"),
            ("{\"meta\": 1}", ""),
            ("\u{1}\u{2}", ""),
        ] {
            let refused = read(text).and_then(|record| review(&record)).unwrap_err().to_string();
            assert!(refused.contains(words) && !refused.contains('\n'), "{text}: {refused}");
        }
    }
}
