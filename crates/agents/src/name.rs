//! Players as commands name them: `obscuro:order=2,purify=off`, `random`.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use scuro_eval::evaluator::{Evaluator, of_file};
use scuro_eval::uci::{OrElse, Uci, UciError};
use scuro_eval::{Network, NetworkError, Quiescence, Rules};
use scuro_games::Variant;
use scuro_games::chess::Board;
use scuro_search::agent::{Expect, Iterate, Opening, Settings};
use scuro_search::carry::{Gift, Keep, Prior};
use scuro_search::choose::Purify;
use scuro_search::explore::{Explore, Spread};
use thiserror::Error;

use crate::kriegspiel::{self, name::KriegspielAgent};
use crate::level::Level;
use crate::rbc::{self, name::RbcAgent};

/// A player as it is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// How it is called.
    pub name: &'static str,
    /// The games that it plays.
    pub games: &'static [Variant],
    /// How it plays.
    pub text: &'static str,
    /// What can be changed of it.
    pub switches: &'static [Switch],
}

/// Something that can be changed of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// How it is called.
    pub key: &'static str,
    /// What it can be, the usual first; a number stands for any.
    pub values: &'static str,
    /// What it does.
    pub what: &'static str,
}

const FOG: &[Variant] = &[Variant::FogOfWar];
const KRIEGSPIEL: &[Variant] = &[Variant::Kriegspiel];
const RBC: &[Variant] = &[Variant::Reconnaissance];
const ALL: &[Variant] = &Variant::DARK;

/// The players beside the [levels](crate::level::LEVELS): who plays which game.
pub const AGENTS: [Listed; 21] = [
    Listed {
        name: "obscuro",
        games: ALL,
        text: "the player of the paper: belief, subgame, solve and grow, choose",
        switches: &SWITCHES,
    },
    Listed {
        name: "zs21",
        games: FOG,
        text: "the player of the paper before: exact equilibria of a trunk, knowledge of order 1",
        switches: &VALUING,
    },
    Listed {
        name: "baseline",
        games: FOG,
        text: "one ply in the dark, then search as if everything were seen",
        switches: &VALUING,
    },
    Listed {
        name: "greedy",
        games: FOG,
        text: "takes what it sees it can win, and else keeps out of reach of what it sees",
        switches: &[],
    },
    Listed {
        name: "particles",
        games: KRIEGSPIEL,
        text: "weighs all positions that may be; searches what it may hear, against an opponent who does not see it",
        switches: &kriegspiel::name::PARTICLES,
    },
    Listed {
        name: "mcts",
        games: KRIEGSPIEL,
        text: "searches a tree of messages by how likely each is, and counts material",
        switches: &kriegspiel::name::MCTS,
    },
    Listed {
        name: "hs",
        games: KRIEGSPIEL,
        text: "values tries on sampled boards: at first those that fit everything, later the last observation too",
        switches: &kriegspiel::name::POOLING,
    },
    Listed {
        name: "aosp",
        games: KRIEGSPIEL,
        text: "values tries on sampled boards that fit all observations",
        switches: &kriegspiel::name::POOLING,
    },
    Listed {
        name: "los",
        games: KRIEGSPIEL,
        text: "values tries on sampled boards that fit the last observation",
        switches: &kriegspiel::name::LAST,
    },
    Listed {
        name: "semi",
        games: KRIEGSPIEL,
        text: "captures with pawns where it can, takes back, and else plays at random",
        switches: &kriegspiel::name::SEMI,
    },
    Listed {
        name: "recon",
        games: RBC,
        text: "weighs all boards that may be; senses and requests by expected outcome",
        switches: &rbc::name::RECON,
    },
    Listed {
        name: "fianchetto",
        games: RBC,
        text: "Fianchetto, versions 1 to 5: scores of a policy, kept weights, incentives",
        switches: &rbc::name::FIANCHETTO,
    },
    Listed {
        name: "strangefish2",
        games: RBC,
        text: "StrangeFish2: senses by the outcome of the best request after the answer, many small bonuses",
        switches: &rbc::name::PLAIN,
    },
    Listed {
        name: "strangefish",
        games: RBC,
        text: "StrangeFish: senses by impact, requests by mean and least score",
        switches: &rbc::name::PLAIN,
    },
    Listed {
        name: "oracle",
        games: RBC,
        text: "keeps all boards alike; senses where the fewest are left, requests what most of them vote for",
        switches: &rbc::name::PLAIN,
    },
    Listed {
        name: "trout",
        games: RBC,
        text: "one board, squares as last seen; the best move there",
        switches: &rbc::name::PLAIN,
    },
    Listed {
        name: "attacker",
        games: RBC,
        text: "one of four quick attacks on the king; then passes",
        switches: &rbc::name::ATTACKER,
    },
    Listed {
        name: "darkboard",
        games: KRIEGSPIEL,
        text: "Darkboard: one board of possibilities with ages, weighed maximax over expected answers",
        switches: &kriegspiel::name::DARKBOARD,
    },
    Listed { name: "random", games: ALL, text: "plays a uniformly random move", switches: &[] },
    Listed {
        name: "fleeing",
        games: FOG,
        text: "sees the whole board and keeps its king out of reach; in matches alone",
        switches: &[],
    },
    Listed {
        name: "cmd",
        games: ALL,
        text: "cmd:PROGRAM ARGS is a program that speaks the dialect of scuro engine; the games that it offers",
        switches: &[],
    },
];

/// The only switch of players that value positions.
const VALUING: [Switch; 1] = [EVAL];

/// The switches of `obscuro`.
pub const SWITCHES: [Switch; 21] = [
    Switch {
        key: "purify",
        values: "on|off|raw",
        what: "at most three stable actions; all stable ones; as solved",
    },
    Switch {
        key: "subgame",
        values: "kluss|klss",
        what: "whether my infosets that I am certainly not in are solved too, or frozen",
    },
    Switch { key: "order", values: "2|1|3|inf", what: "how much of what they may know is carried over" },
    Switch {
        key: "opening",
        values: "root|fresh",
        what: "where the first tree starts; unless said, whoever moves second starts fresh",
    },
    Switch {
        key: "gift",
        values: "split|unsplit|off",
        what: "how what they gave away lowers alternate values",
    },
    Switch { key: "carry", values: "all|strategy", what: "what infosets keep from the last turn" },
    Switch { key: "explore", values: "one|two", what: "whether one side explores in a descent, or both" },
    Switch {
        key: "prior",
        values: "mixed|uniform|weighted",
        what: "how likely their infosets are at first: half as expected and half uniform, uniform, half by weight",
    },
    Switch {
        key: "belief",
        values: "weighted|uniform",
        what: "whether positions are drawn by how likely they are, or from all that is possible alike",
    },
    Switch {
        key: "lean",
        values: "0",
        what: "weight added to each of their infosets per unit of its prior, in percent",
    },
    Switch { key: "iterate", values: "last|average", what: "which strategy is played" },
    Switch {
        key: "expect",
        values: "entered|prior",
        what: "over which of their infosets the value that I expect is a mean",
    },
    Switch {
        key: "spread",
        values: "taken|variance|deviation",
        what: "how the spread of a value is measured: over the descents that took the action, or over all",
    },
    EVAL,
    Switch { key: "sample", values: "256", what: "positions that are looked at, if there are that many" },
    Switch {
        key: "positions",
        values: "N",
        what: "positions that the belief keeps; past that it is a sample [by game: 4000000 in Fog of War, 200000 in RBC, 50000 in Kriegspiel]",
    },
    Switch { key: "hash", values: "2048", what: "memory for tree and belief together, in MB" },
    Switch {
        key: "growers",
        values: "N",
        what: "threads that grow the tree, beside the one that solves it; 0: in turns [all cores but one]",
    },
    Switch { key: "nodes", values: "N", what: "the most nodes that are made at a turn" },
    Switch { key: "iterations", values: "N", what: "the most iterations at a turn" },
    SEED,
];

/// The player of the paper, with its switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obscuro {
    /// How it searches.
    pub settings: Settings,
    /// Where the first tree starts, if that is not left to the game.
    pub opening: Option<Opening>,
    /// What values positions.
    pub eval: Eval,
    /// From which belief positions are drawn, if that is not left to the game.
    pub belief: Option<Believing>,
    /// How many positions it looks at.
    pub sample: usize,
    /// How many positions its belief keeps, if that is not left to the game.
    pub positions: Option<usize>,
    /// Memory for tree and belief together, in MB.
    pub hash: usize,
    /// How many threads grow the tree, if that is not left to the machine.
    pub growers: Option<usize>,
}

impl Default for Obscuro {
    fn default() -> Obscuro {
        Obscuro {
            settings: Settings::default(),
            opening: None,
            eval: Eval::Net,
            belief: None,
            sample: 256,
            positions: None,
            hash: 2048,
            growers: None,
        }
    }
}

/// From which belief positions are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Believing {
    /// All that is possible is equally likely.
    Uniform,
    /// By how likely the opponent came there.
    Weighted,
}

/// What values positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Eval {
    /// The network inside.
    Net,
    /// A count of men.
    Simple,
    /// The network of a file.
    File(PathBuf),
    /// An installed Stockfish, and the network inside where that cannot answer.
    Stockfish,
}

/// Why there is no evaluator.
#[derive(Debug, Error)]
pub enum EvalError {
    /// The file cannot be read.
    #[error("eval={}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file is no network.
    #[error("eval={}: {error}", path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// Why.
        error: NetworkError,
    },
    /// There is no such engine.
    #[error("engine=stockfish: {0}")]
    Engine(#[from] UciError),
}

/// The switch of every player that values positions ([`Eval::named`]).
pub(crate) const EVAL: Switch = Switch {
    key: "eval",
    values: "net|simple|FILE",
    what: "the network inside, a count of pieces, or the network of a file",
};
/// The switch of every player that draws random numbers.
pub(crate) const SEED: Switch = Switch { key: "seed", values: "1", what: "random numbers" };

impl Eval {
    /// What a switch calls so.
    pub(crate) fn named(value: &str) -> Option<Eval> {
        match value {
            "" => None,
            "net" => Some(Eval::Net),
            "simple" => Some(Eval::Simple),
            file => Some(Eval::File(file.into())),
        }
    }

    /// So many evaluators, one a thread, for positions under these rules.
    ///
    /// # Errors
    /// If a file cannot be read or is no network.
    pub fn evaluators(
        &self,
        threads: usize,
        rules: Rules,
    ) -> Result<Vec<Box<dyn Evaluator + Send>>, EvalError> {
        let each = |make: &dyn Fn() -> Box<dyn Evaluator + Send>| (0..threads).map(|_| make()).collect();
        match self {
            Eval::Net => {
                let network = Network::embedded();
                Ok(each(&|| Box::new(Quiescence::of_network(network.clone()).under(rules))))
            }
            Eval::Simple => Ok(each(&|| Box::new(Quiescence::simple().under(rules)))),
            Eval::File(path) => of_path(path, threads, rules),
            Eval::Stockfish => (0..threads).map(|_| stockfish(rules)).collect(),
        }
    }
}

/// How deep Stockfish searches.
const DEPTH: u32 = 8;

fn stockfish(rules: Rules) -> Result<Box<dyn Evaluator + Send>, EvalError> {
    let mut engine = Uci::new(Uci::stockfish_program(), DEPTH);
    engine.think(&Board::start(), 1)?;
    let network = Quiescence::of_network(Network::embedded()).under(rules);
    Ok(Box::new(OrElse::new(engine, network)))
}

fn of_path(path: &Path, threads: usize, rules: Rules) -> Result<Vec<Box<dyn Evaluator + Send>>, EvalError> {
    let bytes = std::fs::read(path).map_err(|error| EvalError::File { path: path.to_owned(), error })?;
    let read =
        |_| of_file(&bytes, rules).map_err(|error| EvalError::Network { path: path.to_owned(), error });
    (0..threads).map(read).collect()
}

/// Why a name stands for no player.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NameError {
    /// No player has the name.
    #[error("unknown agent '{0}': known are {known}, level1 to level8", known = AGENTS.map(|agent| agent.name).join(", "))]
    Unknown(String),
    /// No program is named.
    #[error("cmd: wants a program, as in cmd:./bot --fast")]
    Program,
    /// A player without switches has been given some.
    #[error("{agent} has no switches: '{found}'")]
    Switchless {
        /// The player.
        agent: &'static str,
        /// What was written.
        found: String,
    },
    /// Another player than the one who is wanted here.
    #[error("'{0}' has no search; use obscuro[:key=value,...]")]
    NotSearching(String),
    /// No switch has the key.
    #[error("{agent} has no switch '{found}': known are {}", keys(known))]
    Switch {
        /// The player.
        agent: &'static str,
        /// What was written.
        found: String,
        /// The switches that it has.
        known: &'static [Switch],
    },
    /// A switch is there twice.
    #[error("{0} is given twice")]
    Twice(&'static str),
    /// A switch cannot be that.
    #[error("{key} must be {}, not '{found}'", possible(known))]
    Value {
        /// The switch.
        key: &'static str,
        /// What it can be, as in [`SWITCHES`].
        known: &'static str,
        /// What was written.
        found: String,
    },
}

fn keys(switches: &[Switch]) -> String {
    switches.iter().map(|switch| switch.key).collect::<Vec<_>>().join(", ")
}

/// What a switch can be, in words: numbers stand in [`SWITCHES`] as the usual one, or as `N` if there is none.
fn possible(known: &str) -> String {
    match known.parse::<f64>() {
        Ok(_) => format!("a number such as {known}"),
        Err(_) if known == "N" => "a number".to_owned(),
        Err(_) => known.to_owned(),
    }
}

/// Any player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agent {
    /// The player of the paper.
    Obscuro(Box<Obscuro>),
    /// The player of the paper before, with what values its positions.
    Zs21(Eval),
    /// One ply in the dark, then as if everything were seen, with what values its positions.
    Baseline(Eval),
    /// A level for people.
    Level(&'static Level),
    /// Takes what it sees.
    Greedy,
    /// Plays a uniformly random move.
    Random,
    /// Sees everything and keeps its king out of reach.
    Fleeing,
    /// A player of Reconnaissance Blind Chess alone.
    Rbc(Box<RbcAgent>),
    /// A player of Kriegspiel alone.
    Kriegspiel(Box<KriegspielAgent>),
    /// A program, with its arguments.
    Command(String),
}

impl FromStr for Agent {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Agent, NameError> {
        let (agent, switches) = name.split_once(':').unwrap_or((name, ""));
        let plain = |agent, player| match switches {
            "" => Ok(player),
            _ => Err(NameError::Switchless { agent, found: switches.to_owned() }),
        };
        match agent {
            "obscuro" => switched("obscuro", &SWITCHES, switches, Obscuro::default(), set)
                .map(|obscuro| Agent::Obscuro(Box::new(obscuro))),
            "zs21" => valuing("zs21", switches).map(Agent::Zs21),
            "baseline" => valuing("baseline", switches).map(Agent::Baseline),
            "greedy" => plain("greedy", Agent::Greedy),
            "random" => plain("random", Agent::Random),
            "fleeing" => plain("fleeing", Agent::Fleeing),
            agent if KriegspielAgent::is_called(agent) => {
                KriegspielAgent::named(agent, switches).map(|agent| Agent::Kriegspiel(Box::new(agent)))
            }
            agent if RbcAgent::is_called(agent) => {
                RbcAgent::named(agent, switches).map(|agent| Agent::Rbc(Box::new(agent)))
            }
            agent if KriegspielAgent::is_called(agent) => {
                KriegspielAgent::named(agent, switches).map(|agent| Agent::Kriegspiel(Box::new(agent)))
            }
            "cmd" if switches.trim().is_empty() => Err(NameError::Program),
            "cmd" => Ok(Agent::Command(switches.trim().to_owned())),
            agent => match Level::called(agent) {
                Some(level) => plain(level.agent, Agent::Level(level)),
                None => Err(NameError::Unknown(name.to_owned())),
            },
        }
    }
}

/// The player of this name, who has to be one that thinks.
///
/// # Errors
/// If no such player has the name, or a switch or its value is unknown.
pub fn parse(name: &str) -> Result<Obscuro, NameError> {
    match name.parse()? {
        Agent::Obscuro(obscuro) => Ok(*obscuro),
        _ => Err(NameError::NotSearching(name.to_owned())),
    }
}

/// Reads the switches of a player, each of which `set` sets unless it cannot be that.
pub(crate) fn switched<T>(
    agent: &'static str,
    known: &'static [Switch],
    text: &str,
    mut player: T,
    set: impl Fn(&mut T, &str, &str) -> Option<()>,
) -> Result<T, NameError> {
    let mut given = Vec::new();
    for switch in text.split_terminator(',') {
        let (key, value) = switch.split_once('=').unwrap_or((switch, ""));
        let Some(&Switch { key, values, .. }) = known.iter().find(|known| known.key == key) else {
            return Err(NameError::Switch { agent, found: key.to_owned(), known });
        };
        if given.contains(&key) {
            return Err(NameError::Twice(key));
        }
        given.push(key);
        let wrong = NameError::Value { key, known: values, found: value.to_owned() };
        set(&mut player, key, value).ok_or(wrong)?;
    }
    Ok(player)
}

/// Sets a switch to what was read, if anything was.
pub(crate) fn set_to<T>(switch: &mut T, value: Option<T>) -> Option<()> {
    *switch = value?;
    Some(())
}

/// What values the positions of a player whose only switch that is.
fn valuing(agent: &'static str, switches: &str) -> Result<Eval, NameError> {
    switched(agent, &VALUING, switches, Eval::Net, |eval, _, value| {
        *eval = Eval::named(value)?;
        Some(())
    })
}

/// More threads than this are a mistake.
const MOST_GROWERS: usize = 255;

/// More memory than this is a mistake, in MB.
pub(crate) const MOST_MEMORY: usize = 1 << 20;

/// Sets a switch; `None` if it cannot be that.
fn set(obscuro: &mut Obscuro, key: &str, value: &str) -> Option<()> {
    let Obscuro { settings, opening, eval, belief, sample, positions, hash, growers } = obscuro;
    let count = || value.parse::<usize>().ok().filter(|&count| count > 0);
    match (key, value) {
        ("purify", "on") => settings.purify = Purify::On,
        ("purify", "off") => settings.purify = Purify::Off,
        ("purify", "raw") => settings.purify = Purify::Raw,
        ("subgame", "kluss") => settings.freeze = false,
        ("subgame", "klss") => settings.freeze = true,
        ("order", "inf") => settings.carrying.order = None,
        ("order", "1" | "2" | "3") => settings.carrying.order = value.parse().ok(),
        ("opening", "root") => *opening = Some(Opening::Root),
        ("opening", "fresh") => *opening = Some(Opening::Fresh),
        ("gift", "split") => settings.carrying.gift = Gift::Split,
        ("gift", "unsplit") => settings.carrying.gift = Gift::Unsplit,
        ("gift", "off") => settings.carrying.gift = Gift::Off,
        ("carry", "all") => settings.carrying.keep = Keep::All,
        ("carry", "strategy") => settings.carrying.keep = Keep::Strategy,
        ("explore", "one") => settings.explore = Explore::One,
        ("explore", "two") => settings.explore = Explore::Two,
        ("prior", "mixed") => settings.carrying.prior = Prior::Mixed,
        ("prior", "uniform") => settings.carrying.prior = Prior::Uniform,
        ("prior", "weighted") => settings.carrying.prior = Prior::Weighted,
        ("belief", "uniform") => *belief = Some(Believing::Uniform),
        ("belief", "weighted") => *belief = Some(Believing::Weighted),
        ("lean", _) => {
            settings.carrying.prior_bonus = value.parse().ok().filter(|&percent| percent <= 100)?;
        }
        ("expect", "entered") => settings.expect = Expect::Entered,
        ("expect", "prior") => settings.expect = Expect::Prior,
        ("iterate", "last") => settings.iterate = Iterate::Last,
        ("iterate", "average") => settings.iterate = Iterate::Average,
        ("spread", "variance") => settings.spread = Spread::Variance,
        ("spread", "deviation") => settings.spread = Spread::Deviation,
        ("spread", "taken") => settings.spread = Spread::Taken,
        ("eval", _) => *eval = Eval::named(value)?,
        ("sample", _) => *sample = count()?,
        ("positions", _) => *positions = Some(count()?),
        ("hash", _) => *hash = count().filter(|&hash| hash <= MOST_MEMORY)?,
        ("growers", number) => {
            *growers = Some(number.parse().ok().filter(|&growers| growers <= MOST_GROWERS)?);
        }
        ("nodes", _) => settings.nodes = Some(count()?),
        ("iterations", _) => settings.iterations = Some(count()? as u64),
        ("seed", number) => settings.seed = number.parse().ok()?,
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_are_read_in_any_order() {
        assert_eq!(parse("obscuro"), Ok(Obscuro::default()));
        let read = parse("obscuro:seed=7,order=inf,purify=raw").unwrap();
        assert_eq!(read, parse("obscuro:purify=raw,order=inf,seed=7").unwrap());
        assert_eq!((read.settings.seed, read.settings.carrying.order), (7, None));
        // The first of the values of a switch is the usual one.
        for Switch { key, values, .. } in SWITCHES.into_iter().filter(|switch| switch.values != "N") {
            let usual = values.split('|').next().unwrap();
            let read = parse(&format!("obscuro:{key}={usual}")).map(|read| Obscuro {
                opening: None,
                belief: None,
                ..read
            });
            assert_eq!(read, Ok(Obscuro::default()), "{key}");
            for value in values.split('|') {
                assert!(parse(&format!("obscuro:{key}={value}")).is_ok(), "{key}={value}");
            }
        }
    }

    #[test]
    fn what_is_unknown_is_named() {
        for (name, words) in [
            ("stockfish", "unknown agent 'stockfish': known are obscuro, zs21"),
            ("random", "'random' has no search"),
            ("zs21:depth=3", "zs21 has no switch 'depth': known are eval"),
            ("baseline:eval=", "eval must be net|simple|FILE, not ''"),
            ("cmd: ", "cmd: wants a program, as in cmd:./bot --fast"),
            ("random:seed=1", "random has no switches: 'seed=1'"),
            ("obscuro:depth=3", "no switch 'depth'"),
            ("obscuro:order=5", "order must be 2|1|3|inf, not '5'"),
            ("obscuro:sample=0", "sample must be a number such as 256, not '0'"),
            ("obscuro:nodes=many", "nodes must be a number, not 'many'"),
            ("obscuro:purify=on,purify=off", "purify is given twice"),
            ("obscuro:,,", "no switch ''"),
            ("obscuro:seed=1,,order=2", "no switch ''"),
            ("obscuro:hash=17592186044416", "hash must be a number such as 2048, not '17592186044416'"),
        ] {
            assert!(parse(name).unwrap_err().to_string().contains(words), "{name}");
        }
    }
}
