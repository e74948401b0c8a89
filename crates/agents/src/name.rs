//! Players as commands name them: `obscuro:order=2,purify=off`.

use scuro_search::agent::{Iterate, Opening, Settings};
use scuro_search::carry::{Gift, Keep, Prior};
use scuro_search::choose::Purify;
use scuro_search::grow::{Explore, Spread};
use thiserror::Error;

/// The switches of `obscuro`: key, what it can be (the usual first), and what it does.
pub const SWITCHES: [(&str, &str, &str); 12] = [
    ("purify", "on|off|raw", "at most three stable actions; all stable ones; as solved"),
    ("subgame", "kluss|klss", "whether my infosets that I am certainly not in are solved too, or frozen"),
    ("order", "2|1|3|inf", "how much of what they may know is carried over"),
    ("opening", "root|fresh", "where the first tree starts; unless said, fog as Black starts fresh"),
    ("gift", "split|unsplit|off", "how what they gave away lowers alternate values"),
    ("carry", "all|strategy", "what infosets keep from the last turn"),
    ("explore", "one|two", "whether one side explores in a descent, or both"),
    ("prior", "mixed|uniform", "how likely their infosets are at first"),
    ("iterate", "last|average", "which strategy is played"),
    ("spread", "variance|deviation", "how the spread of a value is measured"),
    ("sample", "256", "positions that are looked at, if there are that many"),
    ("seed", "1", "random numbers"),
];

/// The player of the paper, with its switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Obscuro {
    /// How it searches.
    pub settings: Settings,
    /// Where the first tree starts, if that is not left to the game.
    pub opening: Option<Opening>,
    /// How many positions it looks at.
    pub sample: usize,
}

impl Default for Obscuro {
    fn default() -> Obscuro {
        Obscuro { settings: Settings::default(), opening: None, sample: 256 }
    }
}

/// Why a name stands for no player.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NameError {
    /// No player has the name.
    #[error("unknown agent '{0}': known is obscuro[:key=value,...]")]
    Unknown(String),
    /// No switch has the key.
    #[error("obscuro has no switch '{found}': known are {known}", known = SWITCHES.map(|switch| switch.0).join(", "))]
    Switch {
        /// What was written.
        found: String,
    },
    /// A switch cannot be that.
    #[error("{key} must be {known}, not '{found}'")]
    Value {
        /// The switch.
        key: &'static str,
        /// What it can be.
        known: &'static str,
        /// What was written.
        found: String,
    },
}

/// The player of this name.
///
/// # Errors
/// If no player has the name, or a switch or its value is unknown.
pub fn parse(name: &str) -> Result<Obscuro, NameError> {
    let (agent, switches) = name.split_once(':').unwrap_or((name, ""));
    if agent != "obscuro" {
        return Err(NameError::Unknown(name.to_owned()));
    }
    let mut obscuro = Obscuro::default();
    for switch in switches.split(',').filter(|switch| !switch.is_empty()) {
        let (key, value) = switch.split_once('=').unwrap_or((switch, ""));
        let Some(&(key, known, _)) = SWITCHES.iter().find(|known| known.0 == key) else {
            return Err(NameError::Switch { found: key.to_owned() });
        };
        set(&mut obscuro, key, value).ok_or(NameError::Value { key, known, found: value.to_owned() })?;
    }
    Ok(obscuro)
}

/// Sets a switch; `None` if it cannot be that.
fn set(obscuro: &mut Obscuro, key: &str, value: &str) -> Option<()> {
    let Obscuro { settings, opening, sample } = obscuro;
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
        ("iterate", "last") => settings.iterate = Iterate::Last,
        ("iterate", "average") => settings.iterate = Iterate::Average,
        ("spread", "variance") => settings.spread = Spread::Variance,
        ("spread", "deviation") => settings.spread = Spread::Deviation,
        ("sample", number) => *sample = number.parse().ok().filter(|&sample| sample > 0)?,
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
        for (key, values, _) in SWITCHES {
            let usual = values.split('|').next().unwrap();
            let read = parse(&format!("obscuro:{key}={usual}")).map(|read| Obscuro { opening: None, ..read });
            assert_eq!(read, Ok(Obscuro::default()), "{key}");
            for value in values.split('|') {
                assert!(parse(&format!("obscuro:{key}={value}")).is_ok(), "{key}={value}");
            }
        }
    }

    #[test]
    fn what_is_unknown_is_named() {
        for (name, words) in [
            ("stockfish", "unknown agent 'stockfish'"),
            ("obscuro:depth=3", "no switch 'depth'"),
            ("obscuro:order=5", "order must be 2|1|3|inf, not '5'"),
            ("obscuro:sample=0", "sample must be 256, not '0'"),
        ] {
            assert!(parse(name).unwrap_err().to_string().contains(words), "{name}");
        }
    }
}
