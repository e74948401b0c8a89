//! A league: everybody plays everybody, and all get ratings. A pairing is a match in a folder of its own, so a league goes
//! on where it stopped, match by match.

use std::path::{Path, PathBuf};

use scuro_agents::name::{Agent, NameError};
use scuro_games::Variant;
use scuro_games::kriegspiel::Ruleset;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::control::Control;
use crate::openings::{Openings, OpeningsError};
use crate::ratings::{Pairing, Ratings, rate};
use crate::settings::{FORMAT, MARGIN, Settings, TURNS, mix};
use crate::statistics::Results;
use crate::summary::Summary;

/// What a league's file says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct League {
    /// Which game.
    #[serde(default = "fog")]
    pub game: Variant,
    /// By which ruleset, if the game has several.
    #[serde(default)]
    pub ruleset: Option<Ruleset>,
    /// The names of the agents.
    pub agents: Vec<String>,
    /// Games of every pairing.
    pub games: u64,
    /// What a move may cost: `62ms`, `200 nodes`, `3m+2s`.
    pub control: Control,
    /// Random numbers.
    #[serde(default = "one")]
    pub seed: u64,
    /// First positions: `start`, `book` or a file.
    #[serde(default = "start")]
    pub openings: String,
}

fn fog() -> Variant {
    Variant::FogOfWar
}

fn one() -> u64 {
    1
}

fn start() -> String {
    "start".to_owned()
}

/// Why a file is no league.
#[derive(Debug, Error)]
pub enum LeagueError {
    /// It cannot be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It is not what a league is written in.
    #[error("{}: {error}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// Why.
        error: serde_json::Error,
    },
    /// Nobody to play with.
    #[error("a league has at least two agents")]
    Few,
    /// A name that stands for nobody.
    #[error(transparent)]
    Name(#[from] NameError),
    /// Somebody is there twice, under one name or two.
    #[error("'{0}' is in the league twice")]
    Twice(String),
    /// A ruleset in a game that has none.
    #[error("ruleset: {0} has no rulesets")]
    Ruleset(Variant),
    /// No openings.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
}

impl League {
    /// Reads a file of JSON.
    ///
    /// # Errors
    /// If it is no league.
    pub fn read(path: &Path) -> Result<League, LeagueError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| LeagueError::Io { path: path.to_owned(), error })?;
        let league: League = serde_json::from_str(&text)
            .map_err(|error| LeagueError::Json { path: path.to_owned(), error })?;
        let agents: Vec<Agent> = league.agents.iter().map(|name| name.parse()).collect::<Result<_, _>>()?;
        if agents.len() < 2 {
            return Err(LeagueError::Few);
        }
        if league.ruleset.is_some() && !league.game.has_rulesets() {
            return Err(LeagueError::Ruleset(league.game));
        }
        let twice = (1..agents.len()).find(|&i| agents[..i].contains(&agents[i]));
        match twice {
            Some(i) => Err(LeagueError::Twice(league.agents[i].clone())),
            None => Ok(league),
        }
    }

    /// The matches: which agents, under which name in the league's folder, and what they play. An agent more, at the end,
    /// adds matches and changes none.
    ///
    /// # Errors
    /// If there are no openings.
    pub fn matches(&self) -> Result<Vec<([usize; 2], String, Settings)>, LeagueError> {
        let openings = Openings::named(&self.openings)?;
        let count = self.agents.len();
        let pairs = (0..count).flat_map(|first| (first + 1..count).map(move |second| [first, second]));
        let settings = |[first, second]: [usize; 2]| {
            // The pairs counted by their second, so that they keep their numbers.
            let number = (second * (second - 1) / 2 + first) as u64;
            let settings = Settings {
                format: FORMAT,
                game: self.game,
                ruleset: self.ruleset.unwrap_or_default(),
                agents: [self.agents[first].clone(), self.agents[second].clone()],
                games: self.games,
                control: self.control,
                second: None,
                seed: mix(self.seed, number),
                openings: openings.clone(),
                margin: MARGIN,
                turns: TURNS,
                sprt: None,
                shard: None,
                thoughts: false,
            };
            ([first, second], format!("{:02}-{:02}", first + 1, second + 1), settings)
        };
        Ok(pairs.map(settings).collect())
    }
}

/// How a league stands.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    /// The agents, the best first.
    pub rows: Vec<Row>,
    /// Whether half a drawn game was added to every pairing, because somebody won or lost all there was.
    pub with_prior: bool,
    /// The matches.
    pub matches: Vec<Summary>,
}

/// An agent of a league.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Who.
    pub agent: String,
    /// In Elo; the mean of all is 0.
    pub rating: f64,
    /// At 95 %.
    pub interval: [f64; 2],
    /// Played games.
    pub games: u64,
    /// The share of points.
    pub score: f64,
}

impl Table {
    /// From the matches that are played, or begun.
    #[must_use]
    pub fn of(agents: &[String], played: Vec<([usize; 2], Summary)>) -> Table {
        let pairings: Vec<Pairing> = played
            .iter()
            .map(|&([first, second], ref summary)| Pairing { first, second, results: summary.results })
            .collect();
        let Ratings { ratings, with_prior } = rate(agents.len(), &pairings);
        let row = |(i, agent): (usize, &String)| {
            let mut all = Results::default();
            for &Pairing { first, second, results: Results { wins, draws, losses } } in &pairings {
                let (won, lost) = if first == i { (wins, losses) } else { (losses, wins) };
                if first == i || second == i {
                    all =
                        Results { wins: all.wins + won, draws: all.draws + draws, losses: all.losses + lost };
                }
            }
            let (elo, error) = (ratings[i].elo, ratings[i].error);
            Row {
                agent: agent.clone(),
                rating: elo,
                interval: [elo - error, elo + error],
                games: all.games(),
                score: all.score(),
            }
        };
        let mut rows: Vec<Row> = agents.iter().enumerate().map(row).collect();
        rows.sort_by(|a, b| b.rating.total_cmp(&a.rating));
        Table { rows, with_prior, matches: played.into_iter().map(|(_, summary)| summary).collect() }
    }

    /// The table as text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for summary in &self.matches {
            text += &format!("{}\n", summary.line());
        }
        text += "\nrating    95%              games  score  agent\n";
        for Row { agent, rating, interval: [low, high], games, score } in &self.rows {
            let interval = format!("{low:.1}..{high:.1}");
            text += &format!("{rating:<9.1} {interval:16} {games:5} {:5.1}%  {agent}\n", 100.0 * score);
        }
        if self.with_prior {
            text += "half a drawn game was added to every pairing: somebody won or lost all\n";
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_more_changes_no_match_there_is() {
        let league = |agents: &[&str]| League {
            game: Variant::FogOfWar,
            ruleset: None,
            agents: agents.iter().map(|&agent| agent.to_owned()).collect(),
            games: 2,
            control: Control::Nodes(5),
            seed: 1,
            openings: start(),
        };
        let all = ["random", "fleeing", "greedy", "level1", "level2"];
        let more = league(&all).matches().unwrap();
        for count in 2..all.len() {
            let fewer = league(&all[..count]).matches().unwrap();
            assert!(fewer.iter().all(|contest| more.contains(contest)), "{count}");
        }
        let mut seeds: Vec<u64> = more.iter().map(|(_, _, settings)| settings.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), more.len());
    }
}
