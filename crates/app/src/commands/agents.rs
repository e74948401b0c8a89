//! `scuro agents`: the players by name, and their switches.

use std::collections::BTreeMap;
use std::io::Write;

use clap::Args;
use scuro_agents::level::LEVELS;
use scuro_agents::name::{AGENTS, SWITCHES};
use serde::Serialize;

use super::Answer;

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

#[derive(Serialize)]
struct Document {
    agents: BTreeMap<&'static str, &'static str>,
    levels: Vec<LevelLine>,
    switches: Vec<Switch>,
}

#[derive(Serialize)]
struct LevelLine {
    number: u8,
    agent: &'static str,
    name: &'static str,
    text: &'static str,
    nodes: usize,
}

#[derive(Serialize)]
struct Switch {
    key: &'static str,
    values: &'static str,
    what: &'static str,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    if arguments.json {
        let switches = SWITCHES.into_iter().map(|(key, values, what)| Switch { key, values, what });
        let levels = LEVELS.iter().map(|level| LevelLine {
            number: level.number,
            agent: level.agent,
            name: level.name,
            text: level.text,
            nodes: level.nodes,
        });
        let document = Document {
            agents: AGENTS.into_iter().collect(),
            levels: levels.collect(),
            switches: switches.collect(),
        };
        writeln!(out, "{}", serde_json::to_string(&document)?)?;
        return Ok(Answer::Yes);
    }
    for (name, what) in AGENTS {
        writeln!(out, "{name:10} {what}")?;
    }
    writeln!(out, "\nLevels for people, each stronger than the one before; Fog of War")?;
    for level in &LEVELS {
        writeln!(out, "{:10} {}: {}", level.agent, level.name, level.text)?;
    }
    writeln!(out, "\nobscuro:key=value,...")?;
    for (key, values, what) in SWITCHES {
        writeln!(out, "  {key:10} {values:24} {what}")?;
    }
    Ok(Answer::Yes)
}
