//! Every command and flag. Help, completions and errors all come from here.

use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use scuro_agents::level::LEVELS;
use scuro_agents::name::{self, AGENTS, Agent, Listed, Obscuro};
use scuro_arena::control;
use scuro_games::Variant;
use scuro_games::chess::{Board, Color};
use scuro_games::dark::Rules;
use scuro_games::kriegspiel::{Ruleset, RulesetError};

use crate::commands::{
    agents, analyse, belief, bench, completions, convert, endgame, engine, eval, experiment, exploit,
    knowledge, league, man, matches, merge, net, perft, play, serve, show, solve, table, verify,
};
use crate::version;

/// Chess in the dark: Fog of War, Kriegspiel and Reconnaissance Blind Chess.
///
/// Without a command it opens the page on which people play: `scuro serve`, and a browser.
#[derive(Parser)]
#[command(name = "scuro", version = version::text(), disable_help_subcommand = true, infer_subcommands = false)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve the page on which people play, and its API
    Serve(serve::Arguments),
    /// Play in the terminal against the engine, or any agent
    Play(play::Arguments),
    /// Show a position as White and Black see it, or what the players of a record knew
    Show(show::Arguments),
    /// Replay records under our rules and count disagreements
    Verify(verify::Arguments),
    /// Write records in another format, or as one player tells them
    Convert(convert::Arguments),
    /// Count move sequences, to check and time move generation
    Perft(perft::Arguments),
    /// Measure who knows what about what the other knows, in Fog of War
    Knowledge(knowledge::Arguments),
    /// Value positions, and all their children, with a network and captures played out
    Eval(eval::Arguments),
    /// Solve a small game with hidden information
    Solve(solve::Arguments),
    /// Measure how well a strategy of a small game can be answered
    Exploit(exploit::Arguments),
    /// Make the tables of the paper on knowledge-limited subgames anew
    Table(table::Arguments),
    /// Make and measure networks
    Net(net::Arguments),
    /// Let the player think about a position, from what its side was told alone
    Analyse(analyse::Arguments),
    /// Measure beliefs on recorded games, and fit how the opponent plays
    Belief(belief::Arguments),
    /// Prove and play endings against a lone king
    Endgame(endgame::Arguments),
    /// Let two agents play a match: who is stronger, and by how much?
    Match(matches::Arguments),
    /// Join the shards of a match
    Merge(merge::Arguments),
    /// Let many agents play each other, and rate them
    League(league::Arguments),
    /// Play a recorded experiment again, or list them with their last results
    Experiment(experiment::Arguments),
    /// Play as a program that hears lines, in a dialect of UCI that never tells the true board
    Engine(engine::Arguments),
    /// List the players by name, and their switches
    Agents(agents::Arguments),
    /// Print the signatures of the player's decisions, and how fast they are made
    Bench(bench::Arguments),
    /// Write completions for a shell
    Completions(completions::Arguments),
    /// Write the manual pages
    #[command(hide = true)]
    Man(man::Arguments),
}

/// A side, as written on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Side {
    White,
    Black,
}

impl Side {
    pub(crate) fn color(self) -> Color {
        match self {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

/// The words of games, for help texts: `fog, kriegspiel, rbc`.
pub(crate) fn game_words(games: &[Variant]) -> String {
    games.iter().map(|game| game.word()).collect::<Vec<_>>().join(", ")
}

/// Reads the word of a game in the dark; `--help` lists them.
pub(crate) fn game() -> impl TypedValueParser<Value = Variant> {
    let words = Variant::DARK.map(|game| PossibleValue::new(game.word()).help(game.to_string()));
    PossibleValuesParser::new(words).try_map(|word| word.parse())
}

/// The rules of `game` from `--fen`, by `--ruleset` if it has rulesets.
pub(crate) fn rules(game: Variant, start: Board, ruleset: Option<Ruleset>) -> anyhow::Result<Rules> {
    let rules = Rules::new(game, start, ruleset.unwrap_or_default());
    let rules = rules.with_context(|| format!("{game} hides nothing"))?;
    if ruleset.is_some() && rules.ruleset().is_none() {
        bail!("--ruleset: {game} has no rulesets");
    }
    rules.check_start().map_err(|words| anyhow!("--fen: {words}"))?;
    Ok(rules)
}

/// Reads the name of a ruleset of Kriegspiel.
pub(crate) fn ruleset(text: &str) -> Result<Ruleset, String> {
    text.parse().map_err(|error: RulesetError| error.to_string())
}

/// The agents in groups that play the same games, those that play most first.
pub(crate) fn agents_by_games() -> Vec<(&'static [Variant], Vec<&'static Listed>)> {
    let mut groups: Vec<(&[Variant], Vec<&Listed>)> = Vec::new();
    for agent in &AGENTS {
        match groups.iter_mut().find(|(games, _)| *games == agent.games) {
            Some((_, agents)) => agents.push(agent),
            None => groups.push((agent.games, vec![agent])),
        }
    }
    groups.sort_by_key(|(games, _)| std::cmp::Reverse(games.len()));
    groups
}

/// Who plays what, for help texts.
pub(crate) fn who_plays() -> String {
    let groups = agents_by_games().into_iter().map(|(games, agents)| {
        let names: Vec<&str> = agents.iter().map(|agent| agent.name).collect();
        format!("{} ({})", names.join(", "), game_words(games))
    });
    let levels = LEVELS.first().zip(LEVELS.last()).map(|(first, last)| {
        format!("{} to {} ({})", first.agent, last.agent, game_words(Agent::Level(first).games()))
    });
    format!("Agents: {} (see scuro agents)", groups.chain(levels).collect::<Vec<_>>().join("; "))
}

/// Reads the name of a player.
pub(crate) fn agent(text: &str) -> Result<Obscuro, String> {
    name::parse(text).map_err(|error| error.to_string())
}

/// Reads `62ms`, `5s` or `3m`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    control::duration(text).map_err(|error| error.to_string())
}

/// Reads a time that may be nothing, `0s`.
pub(crate) fn margin(text: &str) -> Result<Duration, String> {
    control::duration_or_none(text).map_err(|error| error.to_string())
}

/// Reads a position; `start` is the usual one.
pub(crate) fn position(text: &str) -> Result<Board, String> {
    match text {
        "start" => Ok(Board::start()),
        _ => text.parse().map_err(|error: scuro_games::chess::FenError| error.to_string()),
    }
}
