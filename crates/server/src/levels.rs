//! Who can be played against: the agents by name, and the levels for people.

use std::time::Duration;

use scuro_agents::level::LEVELS;
use scuro_agents::name::{AGENTS, Agent, Eval, NameError, Obscuro};
use scuro_agents::player::Playable;
use scuro_games::chess::Board;
use scuro_games::dark::Rules;
use scuro_games::kriegspiel::Ruleset;
use scuro_games::{Variant, with_game};
use serde::Serialize;

/// An engine that has been asked for.
#[derive(Clone, Debug)]
pub(crate) struct Opponent {
    pub(crate) agent: Agent,
    /// What a move may take if nothing else is said.
    pub(crate) movetime: Duration,
}

/// A level for people, as the page lists it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Level {
    level: u8,
    name: &'static str,
    text: &'static str,
}

/// A name that can be played against.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Listed {
    name: &'static str,
    text: &'static str,
}

/// What a player of the engine may use at most: many games share the machine.
const MOST_MEMORY: usize = 256;
const MOST_POSITIONS: usize = 400_000;
const MOST_SAMPLE: usize = 4_096;

/// Moves take this long unless said otherwise.
const MOVETIME: Duration = Duration::from_secs(1);

/// A level ends by its nodes; this is for slow machines.
const LEVEL_TIME: Duration = Duration::from_secs(5);

/// The levels that are offered.
pub(crate) fn levels() -> Vec<Level> {
    LEVELS.iter().map(|level| Level { level: level.number, name: level.name, text: level.text }).collect()
}

/// The engine of a name, if it plays the game and does nothing here that it should not.
///
/// # Errors
/// In words, why not.
pub(crate) fn opponent(name: &str, game: Variant) -> Result<Opponent, String> {
    let agent: Agent = name.parse().map_err(|error: NameError| error.to_string())?;
    let movetime = if matches!(agent, Agent::Level(_)) { LEVEL_TIME } else { MOVETIME };
    agent.check_seat(game).map_err(|error| error.to_string())?;
    Ok(Opponent { agent: bounded(agent, game)?, movetime })
}

/// The agent with no more than a guest may ask for: no programs, no files, not all memory.
fn bounded(agent: Agent, game: Variant) -> Result<Agent, String> {
    let files = "networks of files are not for guests: eval is net or simple".to_owned();
    let programs = "programs are not for guests".to_owned();
    match agent {
        Agent::Command(_) => Err(programs),
        Agent::Zs21(Eval::File(_)) | Agent::Baseline(Eval::File(_)) => Err(files),
        Agent::Obscuro(name) if matches!(name.eval, Eval::File(_)) => Err(files),
        Agent::Kriegspiel(name) if matches!(name.eval, Eval::File(_)) => Err(files),
        Agent::Rbc(name) if matches!(name.eval, Eval::File(_)) => Err(files),
        Agent::Rbc(name) if name.eval == Eval::Stockfish => Err(programs),
        Agent::Kriegspiel(name) if name.reads_files() => {
            Err("books and weights are not for guests".to_owned())
        }
        Agent::Obscuro(name) => Ok(Agent::Obscuro(Box::new(modest(*name, game)))),
        Agent::Kriegspiel(mut name) => {
            name.positions = name.positions.min(MOST_POSITIONS);
            Ok(Agent::Kriegspiel(name))
        }
        Agent::Rbc(mut name) => {
            name.positions = name.positions.min(MOST_POSITIONS);
            Ok(Agent::Rbc(name))
        }
        agent => Ok(agent),
    }
}

/// The same player with bounds on memory and threads.
pub(crate) fn modest(name: Obscuro, game: Variant) -> Obscuro {
    let positions = name.positions.unwrap_or_else(|| usual_positions(game));
    Obscuro {
        hash: name.hash.min(MOST_MEMORY),
        positions: Some(positions.min(MOST_POSITIONS)),
        sample: name.sample.min(MOST_SAMPLE),
        growers: Some(0),
        ..name
    }
}

/// How many positions a belief of a game keeps unless its player is told otherwise.
fn usual_positions(game: Variant) -> usize {
    fn usual<G: Playable>(_: &G) -> usize {
        G::POSITIONS
    }
    let rules = Rules::new(game, Board::start(), Ruleset::default());
    rules.map_or(0, |rules| with_game!(rules, game => usual(&game)))
}

/// Who can be played against in a game, strongest first.
pub(crate) fn listed(game: Variant) -> Vec<Listed> {
    let plays = AGENTS.iter().filter(|agent| opponent(agent.name, game).is_ok());
    plays.map(|agent| Listed { name: agent.name, text: agent.text }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_cannot_start_programs_read_files_or_take_all_memory() {
        for (name, words) in [
            ("cmd:sh -c ls", "programs are not for guests"),
            ("obscuro:eval=/etc/passwd", "networks of files"),
            ("zs21:eval=/etc/passwd", "networks of files"),
            ("baseline:eval=secret.net", "networks of files"),
            ("level9", "unknown agent"),
            ("level0", "unknown agent"),
        ] {
            assert!(opponent(name, Variant::FogOfWar).unwrap_err().contains(words), "{name}");
        }
        let greedy =
            opponent("obscuro:hash=999999,positions=999999999,growers=99", Variant::FogOfWar).unwrap();
        let Agent::Obscuro(name) = greedy.agent else { panic!("obscuro") };
        assert_eq!((name.hash, name.positions, name.growers), (MOST_MEMORY, Some(MOST_POSITIONS), Some(0)));
        assert!(listed(Variant::FogOfWar).iter().all(|agent| agent.name != "cmd"));
        for name in ["recon", "fianchetto", "strangefish", "trout"] {
            let file = opponent(&format!("{name}:eval=/etc/passwd"), Variant::Reconnaissance);
            assert!(file.unwrap_err().contains("networks of files"), "{name}");
        }
        let engine = opponent("trout:engine=stockfish", Variant::Reconnaissance);
        assert!(engine.unwrap_err().contains("programs are not for guests"));
        let recon = opponent("recon", Variant::Reconnaissance).unwrap().agent;
        let Agent::Rbc(recon) = recon else { panic!("recon") };
        assert_eq!(recon.positions, MOST_POSITIONS);
    }

    #[test]
    fn who_is_listed_plays_the_game_and_sees_no_more_than_its_side() {
        for game in Variant::DARK {
            let names: Vec<&str> = listed(game).iter().map(|agent| agent.name).collect();
            assert!(names.contains(&"obscuro") && names.contains(&"random"), "{game}: {names:?}");
            assert!(!names.contains(&"fleeing"), "{game}");
            assert!(LEVELS.iter().all(|level| opponent(level.agent, game).is_ok()), "{game}");
        }
        for (name, game, words) in [
            ("fleeing", Variant::FogOfWar, "fleeing sees the whole board: it plays in matches alone"),
            ("fleeing", Variant::Kriegspiel, "fleeing does not play Kriegspiel"),
            ("greedy", Variant::Reconnaissance, "greedy does not play Reconnaissance Blind Chess"),
        ] {
            assert_eq!(opponent(name, game).unwrap_err(), words);
        }
    }

    #[test]
    fn a_player_keeps_no_more_positions_than_its_game_and_a_guest_allow() {
        for (game, positions) in [(Variant::FogOfWar, MOST_POSITIONS), (Variant::Kriegspiel, 50_000)] {
            assert_eq!(modest(Obscuro::default(), game).positions, Some(positions), "{game}");
        }
    }
}
