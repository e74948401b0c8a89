//! `scuro agents`: who plays which game, and with which switches.

use std::io::Write;

use clap::Args;
use scuro_agents::level::{LEVELS, Level};
use scuro_agents::name::{AGENTS, Agent, Listed, Switch};
use scuro_games::Variant;
use serde::Serialize;

use super::Answer;
use crate::arguments::{agents_by_games, game_words};

#[derive(Args)]
#[command(
    after_help = "The first value of a switch is the usual one. Switches follow the name, in any order.\n\n\
Example:\n  scuro analyse --side white --nodes 100000 --agent obscuro:order=3,purify=off"
)]
pub(crate) struct Arguments {
    /// One JSON document
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Document {
    agents: Vec<AgentEntry>,
    levels: Vec<LevelEntry>,
}

#[derive(Serialize)]
struct AgentEntry {
    name: &'static str,
    games: &'static [Variant],
    text: &'static str,
    switches: Vec<SwitchEntry>,
}

#[derive(Serialize)]
struct SwitchEntry {
    key: &'static str,
    values: &'static str,
    what: &'static str,
}

#[derive(Serialize)]
struct LevelEntry {
    number: u8,
    agent: &'static str,
    name: &'static str,
    text: &'static str,
    games: &'static [Variant],
}

impl AgentEntry {
    fn of(&Listed { name, games, text, switches }: &Listed) -> AgentEntry {
        let switch = |&Switch { key, values, what }: &Switch| SwitchEntry { key, values, what };
        AgentEntry { name, games, text, switches: switches.iter().map(switch).collect() }
    }
}

impl LevelEntry {
    fn of(level: &'static Level) -> LevelEntry {
        let &Level { number, agent, name, text, .. } = level;
        LevelEntry { number, agent, name, text, games: Agent::Level(level).games() }
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    let document = Document {
        agents: AGENTS.iter().map(AgentEntry::of).collect(),
        levels: LEVELS.iter().map(LevelEntry::of).collect(),
    };
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
    } else {
        print(&document, out)?;
    }
    Ok(Answer::Yes)
}

fn print(document: &Document, out: &mut impl Write) -> anyhow::Result<()> {
    for (games, agents) in agents_by_games() {
        writeln!(out, "Playing {}", game_words(games))?;
        for agent in agents {
            writeln!(out, "  {:12} {}", agent.name, agent.text)?;
        }
        writeln!(out)?;
    }
    for levels in document.levels.chunk_by(|a, b| a.games == b.games) {
        let games = game_words(levels[0].games);
        writeln!(
            out,
            "Levels for people, each stronger than the one before (measured in fog), playing {games}"
        )?;
        for level in levels {
            writeln!(out, "  {:12} {}: {}", level.agent, level.name, level.text)?;
        }
    }
    for agent in document.agents.iter().filter(|agent| !agent.switches.is_empty()) {
        writeln!(out, "\n{}:key=value,...", agent.name)?;
        for SwitchEntry { key, values, what } in &agent.switches {
            writeln!(out, "  {key:10} {values:24} {what}")?;
        }
    }
    Ok(())
}
