//! `scuro engine`: a program that other programs play against.

use std::io::{self, BufReader, Write};
use std::time::Duration;

use clap::Args;
use scuro_agents::name::{Agent, NameError};
use scuro_agents::protocol::engine;
use scuro_agents::protocol::selftest::{self, SelftestError};

use super::{Answer, end_on_interrupt};
use crate::arguments::who_plays;

#[derive(Args)]
#[command(
    after_help = format!("It reads lines and answers them until 'quit' or the end of input. The lines are a dialect of \
UCI that tells what a player is told and never the true board: docs/protocol.md. fleeing and cmd: do not \
play here.\n\n{}\n\nExamples:\n  \
(printf 'uci\\nside white\\ngo movetime 500\\n'; sleep 1) | scuro engine\n  \
scuro engine --agent greedy\n  \
scuro engine --selftest \"python3 examples/bots/fog_bot.py\"", who_plays())
)]
pub(crate) struct Arguments {
    /// Who plays (see scuro agents)
    #[arg(long, value_name = "NAME", default_value = "obscuro", value_parser = agent)]
    agent: Agent,
    /// Test another program that speaks the dialect, step by step; exit code 1 if a step fails, 2 if there is none
    #[arg(long, value_name = "CMD", conflicts_with = "agent")]
    selftest: Option<String>,
    /// With --selftest: how many seconds the program may take to answer
    #[arg(long, value_name = "SECONDS", default_value = "20", requires = "selftest",
        value_parser = clap::value_parser!(u64).range(1..=3600))]
    patience: u64,
}

fn agent(text: &str) -> Result<Agent, String> {
    text.parse().map_err(|error: NameError| error.to_string())
}

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<Answer> {
    if let Some(command) = &arguments.selftest {
        return check(command, Duration::from_secs(arguments.patience), out);
    }
    // A network that is not there is told now, and not in the first game.
    engine::check(&arguments.agent)?;
    engine::run(BufReader::new(io::stdin()), out, arguments.agent.clone())?;
    Ok(Answer::Yes)
}

fn check(command: &str, patience: Duration, out: &mut impl Write) -> anyhow::Result<Answer> {
    end_on_interrupt()?;
    let well = selftest::run(command, patience, &mut |what, step| {
        match step {
            Ok(()) => writeln!(out, "ok      {what}")?,
            Err(why) => writeln!(out, "failed  {what}: {why}")?,
        }
        out.flush()
    });
    let well = well.map_err(|error| match error {
        SelftestError::Told(error) => error.into(),
        SelftestError::Missing(_) => anyhow::Error::from(error),
    })?;
    writeln!(out, "{}", if well { "all well" } else { "not all is well" })?;
    Ok(if well { Answer::Yes } else { Answer::No })
}
