//! A league: everybody plays everybody, or some agents play some others, and all get ratings. A pairing is a match in a
//! folder of its own, so a league goes on where it stopped, match by match.

use std::path::{Path, PathBuf};

use scuro_agents::name::{Agent, NameError};
use scuro_games::Variant;
use scuro_games::kriegspiel::Ruleset;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::control::Control;
use crate::openings::{Openings, OpeningsError};
use crate::ratings::{Pairing, Ratings, rate};
use crate::settings::{Settings, mix};
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
    /// The agents that each of them plays; if there are none, they play each other.
    #[serde(default)]
    pub against: Vec<String>,
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
    /// The heading of its report.
    #[serde(default)]
    pub title: String,
    /// Published results, as they are printed: for each agent those against the others, or none; an empty one is unknown.
    #[serde(default)]
    pub paper: Vec<Vec<String>>,
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
    /// Published results that stand for no match.
    #[error("the published results need a row for each of the first agents, empty or with {0} results")]
    Paper(usize),
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
        let everybody = league.everybody();
        if everybody.len() < 2 || league.agents.is_empty() {
            return Err(LeagueError::Few);
        }
        if league.ruleset.is_some() && !league.game.has_rulesets() {
            return Err(LeagueError::Ruleset(league.game));
        }
        for names in [&everybody, &league.against] {
            let agents: Vec<Agent> = names.iter().map(|name| name.parse()).collect::<Result<_, _>>()?;
            if let Some(i) = (1..agents.len()).find(|&i| agents[..i].contains(&agents[i])) {
                return Err(LeagueError::Twice(names[i].clone()));
            }
        }
        let columns = league.against.len();
        let fits = |row: &Vec<String>| row.is_empty() || row.len() == columns;
        if league.paper.len() > league.agents.len() || !league.paper.iter().all(fits) {
            return Err(LeagueError::Paper(columns));
        }
        Ok(league)
    }

    /// All agents, each once: those of the list, then those against whom they play.
    #[must_use]
    pub fn everybody(&self) -> Vec<String> {
        let more = self.against.iter().filter(|name| !self.agents.contains(name));
        self.agents.iter().chain(more).cloned().collect()
    }

    /// The matches: which two of everybody, under which name in the league's folder, and what they play. An agent more, at
    /// the end of its list, adds matches and changes none.
    ///
    /// # Errors
    /// If there are no openings.
    pub fn matches(&self) -> Result<Vec<([usize; 2], String, Settings)>, LeagueError> {
        let openings = Openings::named(&self.openings)?;
        let everybody = self.everybody();
        let settings = |Paired { agents, place: [first, second], number }: Paired| {
            let names = agents.map(|agent| everybody[agent].clone());
            let seed = mix(self.seed, number as u64);
            let settings = Settings {
                ruleset: self.ruleset.unwrap_or_default(),
                openings: openings.clone(),
                ..Settings::new(self.game, names, self.games, self.control, seed)
            };
            (agents, format!("{:02}-{:02}", first + 1, second + 1), settings)
        };
        Ok(self.pairs(&everybody).into_iter().map(settings).collect())
    }

    /// The pairs in the order in which they play: row by row.
    fn pairs(&self, everybody: &[String]) -> Vec<Paired> {
        let count = self.agents.len();
        if self.against.is_empty() {
            // Counted by their second.
            let pair = |[first, second]: [usize; 2]| Paired {
                agents: [first, second],
                place: [first, second],
                number: second * (second - 1) / 2 + first,
            };
            let pairs = (0..count).flat_map(|first| (first + 1..count).map(move |second| [first, second]));
            return pairs.map(pair).collect();
        }
        let others = self.against.iter().filter_map(|name| everybody.iter().position(|agent| agent == name));
        let others: Vec<usize> = others.collect();
        // Counted along the diagonals.
        let pair = |row: usize, column: usize| Paired {
            agents: [row, others[column]],
            place: [row, column],
            number: (row + column) * (row + column + 1) / 2 + row,
        };
        (0..count)
            .flat_map(|row| (0..others.len()).map(move |column| (row, column)))
            .map(|(r, c)| pair(r, c))
            .collect()
    }
}

/// Two agents of a league.
#[derive(Clone, Copy, Debug)]
struct Paired {
    /// Their numbers among everybody.
    agents: [usize; 2],
    /// Their numbers in the two lists, or in the one.
    place: [usize; 2],
    /// The number of the match, which agents at the end of a list do not change.
    number: usize,
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

    fn league(agents: &[&str], against: &[&str]) -> League {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        League {
            game: Variant::FogOfWar,
            ruleset: None,
            agents: names(agents),
            against: names(against),
            games: 2,
            control: Control::Nodes(5),
            seed: 1,
            openings: start(),
            title: String::new(),
            paper: Vec::new(),
        }
    }

    fn seeds_differ(league: &League) {
        let matches = league.matches().unwrap();
        let mut seeds: Vec<u64> = matches.iter().map(|(_, _, settings)| settings.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), matches.len());
    }

    #[test]
    fn an_agent_more_changes_no_match_there_is() {
        let all = ["random", "fleeing", "greedy", "level1", "level2"];
        let more = league(&all, &[]);
        for count in 2..all.len() {
            let fewer = league(&all[..count], &[]).matches().unwrap();
            assert!(fewer.iter().all(|contest| more.matches().unwrap().contains(contest)), "{count}");
        }
        seeds_differ(&more);
    }

    #[test]
    fn rows_play_columns_and_more_of_both_change_nothing() {
        let (rows, columns) = (["random", "level1", "level2"], ["fleeing", "random", "greedy"]);
        let more = league(&rows, &columns);
        assert_eq!(more.everybody(), ["random", "level1", "level2", "fleeing", "greedy"]);
        let matches = more.matches().unwrap();
        let pairs: Vec<[usize; 2]> = matches.iter().map(|(pair, _, _)| *pair).collect();
        assert_eq!(pairs, [[0, 3], [0, 0], [0, 4], [1, 3], [1, 0], [1, 4], [2, 3], [2, 0], [2, 4]]);
        assert_eq!((matches[5].1.as_str(), &matches[5].2.agents[1]), ("02-03", &"greedy".to_owned()));
        let played = |league: &League| -> Vec<(String, Settings)> {
            league.matches().unwrap().into_iter().map(|(_, name, settings)| (name, settings)).collect()
        };
        for (rows, columns) in
            [(&rows[..2], &columns[..]), (&rows, &columns[..1]), (&rows[..1], &columns[..2])]
        {
            let fewer = played(&league(rows, columns));
            assert!(fewer.iter().all(|contest| played(&more).contains(contest)), "{rows:?} {columns:?}");
        }
        seeds_differ(&more);
    }
}
