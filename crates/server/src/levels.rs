//! Who can be played against: the agents by name, and the levels for people.

use std::time::Duration;

use scuro_agents::level::LEVELS;
use scuro_agents::name::{AGENTS, Agent, Eval, NameError, Obscuro};
use scuro_arena::settings::GameName;
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
pub(crate) fn opponent(name: &str, game: GameName) -> Result<Opponent, String> {
    let agent: Agent = name.parse().map_err(|error: NameError| error.to_string())?;
    let movetime = if matches!(agent, Agent::Level(_)) { LEVEL_TIME } else { MOVETIME };
    if game != GameName::Fog && agent != Agent::Random {
        return Err(format!("{name} does not play {}: only random does", game.word()));
    }
    Ok(Opponent { agent: bounded(agent)?, movetime })
}

/// The agent with no more than a guest may ask for: no programs, no files, not all memory.
fn bounded(agent: Agent) -> Result<Agent, String> {
    let files = "networks of files are not for guests: eval is net or simple".to_owned();
    match agent {
        Agent::Command(_) => Err("programs are not for guests".to_owned()),
        Agent::Zs21(Eval::File(_)) | Agent::Baseline(Eval::File(_)) => Err(files),
        Agent::Obscuro(name) if matches!(name.eval, Eval::File(_)) => Err(files),
        Agent::Obscuro(name) => Ok(Agent::Obscuro(Box::new(modest(*name)))),
        agent => Ok(agent),
    }
}

/// The same player with bounds on memory and threads.
pub(crate) fn modest(name: Obscuro) -> Obscuro {
    Obscuro {
        hash: name.hash.min(MOST_MEMORY),
        positions: name.positions.min(MOST_POSITIONS),
        sample: name.sample.min(MOST_SAMPLE),
        growers: Some(0),
        ..name
    }
}

/// Who can be played against in a game, strongest first.
pub(crate) fn listed(game: GameName) -> Vec<Listed> {
    let plays = |name: &&(&str, &str)| opponent(name.0, game).is_ok();
    AGENTS.iter().filter(plays).map(|&(name, text)| Listed { name, text }).collect()
}

/// What is missing in a game, in words for people.
pub(crate) fn missing(game: GameName) -> Option<&'static str> {
    match game {
        GameName::Fog => None,
        GameName::Kriegspiel | GameName::Rbc => {
            Some("The engine does not play this game yet: play another person, or moves at random.")
        }
    }
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
            assert!(opponent(name, GameName::Fog).unwrap_err().contains(words), "{name}");
        }
        let greedy = opponent("obscuro:hash=999999,positions=999999999,growers=99", GameName::Fog).unwrap();
        let Agent::Obscuro(name) = greedy.agent else { panic!("obscuro") };
        assert_eq!((name.hash, name.positions, name.growers), (MOST_MEMORY, MOST_POSITIONS, Some(0)));
        assert!(opponent("level3", GameName::Fog).is_ok());
        assert!(opponent("obscuro", GameName::Rbc).unwrap_err().contains("only random does"));
        assert!(listed(GameName::Fog).iter().all(|agent| agent.name != "cmd"));
        assert_eq!(listed(GameName::Kriegspiel).len(), 1);
    }
}
