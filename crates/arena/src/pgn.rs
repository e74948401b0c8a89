//! The games of a match as PGN, with what the players thought as comments if that was kept.

use scuro_games::dark::{DarkGame, Rules};
use scuro_games::records::pgn::{PgnGame, PgnMove};
use scuro_games::records::{Record, RecordError};
use scuro_games::umpire::Umpire;
use scuro_games::with_game;
use thiserror::Error;

use crate::line::{GameLine, LineError};
use crate::settings::Settings;

/// Why a game has no PGN.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PgnExportError {
    /// Its line cannot be read.
    #[error("game {number}: {error}")]
    Line {
        /// Which.
        number: u64,
        /// What is wrong.
        error: LineError,
    },
    /// Its moves are not by the rules.
    #[error("game {number}: {error}")]
    Record {
        /// Which.
        number: u64,
        /// What is wrong.
        error: RecordError,
    },
}

/// All games, in the order given.
///
/// # Errors
/// If the moves of one are not by the rules.
pub fn write<'g>(
    settings: &Settings,
    games: impl Iterator<Item = &'g GameLine>,
) -> Result<String, PgnExportError> {
    let texts: Result<Vec<String>, PgnExportError> =
        games.map(|game| write_game(settings, game).map(|pgn| pgn.to_string())).collect();
    Ok(texts?.join("\n"))
}

fn write_game(settings: &Settings, game: &GameLine) -> Result<PgnGame, PgnExportError> {
    let number = game.number;
    let mut record = game.record().map_err(|error| PgnExportError::Line { number, error })?;
    let [white, black] = settings.controls(&settings.planned(number)).map(|control| control.to_string());
    let control = if white == black { white } else { format!("{white} v {black}") };
    record.tags.push(("TimeControl".to_owned(), control));
    record.tags.extend(game.fault.iter().map(|fault| ("Fault".to_owned(), tag_text(fault))));
    let mut pgn = record.to_pgn().map_err(|error| PgnExportError::Record { number, error })?;
    if !game.thoughts.is_empty() {
        comment(&mut pgn.moves, &game.thoughts, &turn_lengths(&record));
    }
    Ok(pgn)
}

/// A tag is one line.
fn tag_text(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect()
}

/// How many plies each turn has that came to its end.
fn turn_lengths(record: &Record) -> Vec<usize> {
    fn lengths<G: DarkGame>(game: G, record: &Record) -> Vec<usize> {
        let mut umpire = Umpire::new(game);
        let (mut lengths, mut length) = (Vec::new(), 0);
        for action in record.plies.iter().filter_map(|&ply| G::action(ply)) {
            let Some(side) = umpire.turn().filter(|&side| umpire.play(side, action).is_ok()) else { break };
            length += 1;
            if umpire.turn() != Some(side) {
                lengths.push(std::mem::take(&mut length));
            }
        }
        lengths
    }
    Rules::of(record).map_or(Vec::new(), |rules| with_game!(rules, game => lengths(game, record)))
}

/// Adds the thoughts of a turn to its move.
fn comment(moves: &mut [PgnMove], thoughts: &[String], lengths: &[usize]) {
    let mut rest = thoughts;
    for (written, &length) in moves.iter_mut().zip(lengths) {
        let (here, later) = rest.split_at(length.min(rest.len()));
        let words: Vec<&str> = here.iter().map(String::as_str).filter(|words| !words.is_empty()).collect();
        if !words.is_empty() {
            // A brace would end the comment.
            written.comments.push(words.join(" / ").replace(['{', '}', ':'], " "));
        }
        rest = later;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use scuro_agents::name::Agent;
    use scuro_games::records::verify::verify;

    use super::*;
    use crate::game::{self, Costs};
    use crate::settings::tests::settings;
    use scuro_games::Variant;

    /// Thoughts of every ply are comments, and what the comments of a game mean to its readers stays.
    #[test]
    fn games_with_thoughts_are_verified() {
        for game in Variant::DARK {
            let agents = ["random".to_owned(), "random".to_owned()];
            let settings = Settings { game, agents, turns: 30, thoughts: true, ..settings(2) };
            let line = |number: u64| {
                let planned = settings.planned(number);
                let rules = settings.rules(planned.start).unwrap();
                let costs = Costs {
                    controls: settings.controls(&planned),
                    margin: settings.margin,
                    thoughts: settings.thoughts,
                };
                let seats = [(&Agent::Random, planned.seed), (&Agent::Random, planned.seed + 1)];
                let mut played = game::play(rules, settings.turns, costs, seats, &AtomicBool::new(false))
                    .unwrap()
                    .unwrap();
                assert_eq!(played.thoughts.len(), played.plies.len());
                let words = "value +0.100, belief 7, resolving, line e2e4 {e7e5}";
                played.thoughts.iter_mut().for_each(|thought| words.clone_into(thought));
                GameLine::of(&settings, &planned, played)
            };
            let games = [line(0), line(1)];
            let text = write(&settings, games.iter()).unwrap();
            assert!(text.contains("belief 7, resolving"), "{text}");
            let report = verify(text.as_bytes(), &mut || ()).unwrap();
            assert!(report.disagreements == 0 && report.checked > 20, "{game:?}: {report} {:?}", report.kept);
        }
    }
}
