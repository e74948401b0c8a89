//! `scuro engine`: a program that other programs play against.

use std::io::{self, BufReader, Write};

use clap::Args;
use scuro_agents::engine;
use scuro_agents::name::Obscuro;

use super::Answer;
use crate::arguments::agent;

#[derive(Args)]
#[command(
    after_help = "It reads lines and answers them until 'quit' or the end of input. The lines are a dialect of UCI that \
tells what a player is told and never the true board: docs/protocol.md. 'agent' plays Fog of War; Kriegspiel and \
RBC are played at random for now.\n\nExample:\n  \
printf 'uci\\nside white\\ngo movetime 500\\n' | (cat; sleep 1) | scuro engine"
)]
pub(crate) struct Arguments {
    /// Who plays
    #[arg(long, value_name = "NAME", default_value = "obscuro", value_parser = agent)]
    agent: Obscuro,
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    engine::run(BufReader::new(io::stdin()), out, arguments.agent.clone())?;
    Ok(Answer::Yes)
}
