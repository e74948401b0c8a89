//! What a match is: the agents, the game, the control, the openings, the seed. Two matches with the same settings and a
//! budget of nodes are the same games.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use scuro_agents::name::{Agent, NameError};
use scuro_agents::seat::SeatError;
use scuro_core::Random;
use scuro_games::Variant;
use scuro_games::chess::{Board, Color};
use scuro_games::dark::Rules;
use scuro_games::kriegspiel::Ruleset;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::control::{Control, duration_or_none, time_text};
use crate::game;
use crate::openings::Openings;
use crate::sprt::Hypotheses;

/// The number of the format in which settings and games are written.
pub const FORMAT: u32 = 1;

/// How late a move may be if nothing else is said.
pub const MARGIN: Duration = Duration::from_millis(200);

/// How many turns a side may have if nothing else is said.
pub const TURNS: u32 = 400;

/// Which pairs of a match are played here: every so many, from the one with that number on, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// Which.
    pub index: u64,
    /// Of how many.
    pub count: u64,
}

/// A text that is no shard.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "'{0}' is not a shard such as 1/4: 0/4 to 3/4 are all of four (4/4 is 0/4, which plays the first pair)"
)]
pub struct ShardError(String);

/// Reads `I/N`, I from 1 to N or from 0 to N - 1: `0/4` and `4/4` are the same.
impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let wrong = || ShardError(text.to_owned());
        let (index, count) = text.split_once('/').ok_or_else(wrong)?;
        let (index, count): (u64, u64) =
            (index.parse().map_err(|_| wrong())?, count.parse().map_err(|_| wrong())?);
        if count == 0 || index > count {
            return Err(wrong());
        }
        Ok(Shard { index: index % count, count })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", if self.index == 0 { self.count } else { self.index }, self.count)
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Shard, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

/// A match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// [`FORMAT`].
    pub format: u32,
    /// Which game.
    pub game: Variant,
    /// By which ruleset, if the game has several.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub ruleset: Ruleset,
    /// The names of the agents. In games with an even number the first has White.
    pub agents: [String; 2],
    /// How many games.
    pub games: u64,
    /// What a move may cost.
    pub control: Control,
    /// What a move of the second agent may cost, if not the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<Control>,
    /// Random numbers.
    pub seed: u64,
    /// Where games start.
    pub openings: Openings,
    /// How late a move may be.
    #[serde(with = "time_words")]
    pub margin: Duration,
    /// How many turns a side may have; then the game is drawn.
    pub turns: u32,
    /// What stops the match early.
    pub sprt: Option<Hypotheses>,
    /// Which part of the match this is.
    pub shard: Option<Shard>,
    /// Whether what the players thought is kept.
    pub thoughts: bool,
}

/// The usual ruleset goes without saying.
fn is_usual(ruleset: &Ruleset) -> bool {
    *ruleset == Ruleset::default()
}

/// Times in files are written as on the command line.
mod time_words {
    use super::{Duration, duration_or_none, time_text};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&time_text(*time))
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Duration, D::Error> {
        duration_or_none(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Why a match cannot be played.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// A name that stands for nobody.
    #[error(transparent)]
    Name(#[from] NameError),
    /// Somebody who cannot play.
    #[error(transparent)]
    Seat(#[from] SeatError),
    /// A format of another time.
    #[error("a match of format {0}: this program reads up to {FORMAT}")]
    Format(u32),
    /// A ruleset in a game that has none.
    #[error("ruleset {ruleset}: {game} has no rulesets")]
    Ruleset {
        /// The ruleset.
        ruleset: Ruleset,
        /// The game.
        game: Variant,
    },
    /// No games.
    #[error("a match has at least one game")]
    NoGames,
    /// No turns.
    #[error("a side has at least one turn")]
    NoTurns,
    /// A part cannot know when the whole may stop.
    #[error("a shard cannot stop early: --sprt is for a match that is played in one place")]
    ShardedSprt,
    /// A position from which the game cannot be played.
    #[error("opening {number} ({start}): {words}")]
    Opening {
        /// Its number, from 1.
        number: usize,
        /// Its position.
        start: Board,
        /// What is wrong.
        words: String,
    },
}

/// One game of a match, before it is played.
#[derive(Clone, Debug)]
pub struct Planned {
    /// Its number, from 0.
    pub number: u64,
    /// Which of the agents has White: 0 or 1.
    pub white: usize,
    /// The first position.
    pub start: Board,
    /// Random numbers.
    pub seed: u64,
}

impl Planned {
    /// The random numbers of a side.
    #[must_use]
    pub fn seed_of(&self, color: Color) -> u64 {
        mix(self.seed, color as u64)
    }
}

/// A number that looks unlike both, and is below 2^53 so that every reader of JSON keeps it.
pub(crate) fn mix(seed: u64, number: u64) -> u64 {
    let first = Random::new(seed).word();
    Random::new(first.wrapping_add(number)).word() >> 11
}

impl Settings {
    /// A match from the usual start under the usual rules, in which both may spend the same.
    #[must_use]
    pub fn new(game: Variant, agents: [String; 2], games: u64, control: Control, seed: u64) -> Settings {
        Settings {
            format: FORMAT,
            game,
            ruleset: Ruleset::default(),
            agents,
            games,
            control,
            second: None,
            seed,
            openings: Openings::start(),
            margin: MARGIN,
            turns: TURNS,
            sprt: None,
            shard: None,
            thoughts: false,
        }
    }

    /// Finds out before the first game whether the match can be played.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn check(&self) -> Result<[Agent; 2], SettingsError> {
        if self.format > FORMAT {
            return Err(SettingsError::Format(self.format));
        }
        if !is_usual(&self.ruleset) && !self.game.has_rulesets() {
            return Err(SettingsError::Ruleset { ruleset: self.ruleset, game: self.game });
        }
        if self.games == 0 {
            return Err(SettingsError::NoGames);
        }
        if self.turns == 0 {
            return Err(SettingsError::NoTurns);
        }
        if self.sprt.is_some() && self.shard.is_some() {
            return Err(SettingsError::ShardedSprt);
        }
        let [first, second] = &self.agents;
        let agents: [Agent; 2] = [first.parse()?, second.parse()?];
        for (number, &start) in (1..).zip(self.openings.positions()) {
            let rules = self.rules(start)?;
            let wrong = |words| SettingsError::Opening { number, start, words };
            rules.check_start().map_err(wrong)?;
        }
        game::check_agents(self.rules(self.planned(0).start)?, &agents)?;
        Ok(agents)
    }

    /// The rules of a game from `start`.
    ///
    /// # Errors
    /// If nothing is hidden in it.
    pub fn rules(&self, start: Board) -> Result<Rules, SeatError> {
        let rules = Rules::new(self.game, start, self.ruleset).ok_or(SeatError::Light(self.game))?;
        Ok(rules.limited(self.turns))
    }

    /// What the moves of White and Black may cost in a game.
    #[must_use]
    pub fn controls(&self, planned: &Planned) -> [Control; 2] {
        let both = [self.control, self.second.unwrap_or(self.control)];
        [both[planned.white], both[1 - planned.white]]
    }

    /// Whether the game of this number is played here.
    #[must_use]
    pub fn plays(&self, number: u64) -> bool {
        let here = |Shard { index, count }: Shard| number / 2 % count == index;
        number < self.games && self.shard.is_none_or(here)
    }

    /// The numbers of the games that are played here, in order.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        (0..self.games).filter(|&number| self.plays(number))
    }

    /// The game of this number. It does not depend on the others.
    #[must_use]
    pub fn planned(&self, number: u64) -> Planned {
        let positions = self.openings.positions();
        let start = positions[(number / 2) as usize % positions.len()];
        Planned { number, white: (number % 2) as usize, start, seed: mix(self.seed, number) }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A short match between random movers.
    pub(crate) fn settings(games: u64) -> Settings {
        let agents = ["random", "fleeing"].map(str::to_owned);
        Settings::new(Variant::FogOfWar, agents, games, Control::Nodes(10), 7)
    }

    #[test]
    fn settings_read_as_they_are_written() {
        let mut whole = settings(5);
        for shard in [None, Some("1/4".parse().unwrap()), Some("4/4".parse().unwrap())] {
            whole.shard = shard;
            let text = serde_json::to_string(&whole).unwrap();
            assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), whole, "{text}");
            assert!(!text.contains("ruleset"), "{text}");
        }
        whole.ruleset = Ruleset::Cincinnati;
        let text = serde_json::to_string(&whole).unwrap();
        assert!(text.contains("\"ruleset\":\"cincinnati\""), "{text}");
        assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), whole, "{text}");
    }

    #[test]
    fn shards_share_the_games_of_a_match() {
        for games in [1, 8, 13] {
            let mut numbers = Vec::new();
            for shard in ["1/3", "2/3", "0/3"] {
                let part = Settings { shard: Some(shard.parse().unwrap()), ..settings(games) };
                numbers.extend(part.numbers());
            }
            numbers.sort_unstable();
            assert_eq!(numbers, (0..games).collect::<Vec<_>>());
        }
        assert_eq!("0/3".parse::<Shard>(), "3/3".parse());
        for (shard, first) in
            [("0/3", [0, 1, 6]), ("1/3", [2, 3, 8]), ("2/3", [4, 5, 10]), ("3/3", [0, 1, 6])]
        {
            let part = Settings { shard: Some(shard.parse().unwrap()), ..settings(20) };
            assert_eq!(part.numbers().take(3).collect::<Vec<_>>(), first, "{shard}");
        }
        for text in ["", "3", "4/3", "1/0", "-1/3", "a/b", "1/2/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn games_have_numbers_of_their_own_and_pairs_an_opening() {
        let settings = settings(200);
        let mut seeds: Vec<u64> =
            (0..200).flat_map(|n| Color::ALL.map(|color| settings.planned(n).seed_of(color))).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 400);
        let [first, second] = [0, 1].map(|number| settings.planned(number));
        assert_eq!((first.white, second.white, first.start), (0, 1, second.start));
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let base = settings(4);
        for (settings, words) in [
            (Settings { games: 0, ..base.clone() }, "at least one game"),
            (Settings { turns: 0, ..base.clone() }, "at least one turn"),
            (
                Settings { ruleset: Ruleset::English, ..base.clone() },
                "ruleset english: Fog of War has no rulesets",
            ),
            (Settings { format: 9, ..base.clone() }, "format 9"),
            (
                Settings {
                    shard: Some("1/2".parse().unwrap()),
                    sprt: Some("0,5".parse().unwrap()),
                    ..base.clone()
                },
                "a shard cannot stop early",
            ),
            (Settings { game: Variant::Reconnaissance, ..base.clone() }, "fleeing does not play"),
            (Settings { agents: ["a".to_owned(), "b".to_owned()], ..base.clone() }, "unknown agent 'a'"),
        ] {
            assert!(settings.check().unwrap_err().to_string().contains(words), "{words}");
        }
        assert!(base.check().is_ok());
    }
}
