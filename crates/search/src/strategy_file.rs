//! A strategy as a JSON text: the name of an infoset, its actions, their probabilities.
//!
//! ```text
//! {"format": 1, "J": {"check": 0.75, "bet": 0.25}, "J:check:bet": {"fold": 1.0, "call": 0.0}, ...}
//! ```
//!
//! The number under `format` is [`FORMAT`]; the first files did not have it. An infoset may be called `format` too: it has
//! an object there, not a number.
//! Probabilities are written so that reading gives the same numbers. How infosets are called is [`Names`]'.

use std::fmt;
use std::io::{self, Write};
use std::marker::PhantomData;

use rustc_hash::FxHashMap;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use thiserror::Error;

use crate::names::Names;
use crate::strategy::Strategy;
use crate::tree::{Infoset, Tree};

/// The number of the format that is written; files of newer ones are refused.
pub const FORMAT: u64 = 1;

/// The largest distance from one of the sum of the probabilities of an infoset.
const SLACK: f64 = 1e-6;

/// Why a text is no strategy of a game.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum StrategyFileError {
    /// Not JSON, or not of the right shape.
    #[error("not a strategy {{\"infoset\": {{\"action\": probability}}}}: {0}")]
    Json(String),
    /// Written by a newer program.
    #[error("a strategy of format {0}: this program reads up to {FORMAT}")]
    Newer(u64),
    /// The game has no such infoset.
    #[error("the game has no infoset '{0}'")]
    UnknownInfoset(String),
    /// An infoset is there twice.
    #[error("the infoset '{0}' is there twice")]
    InfosetTwice(String),
    /// An infoset of the game is not there.
    #[error("the infoset '{0}' is missing")]
    MissingInfoset(String),
    /// An error at one infoset.
    #[error("infoset '{label}': {kind}")]
    Infoset {
        /// The infoset.
        label: String,
        /// The error.
        kind: ChoiceError,
    },
}

/// Why an infoset has no distribution over its actions.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ChoiceError {
    /// The infoset has no such action.
    #[error("there is no action '{action}', only {known}")]
    Unknown {
        /// The action.
        action: String,
        /// The names of its actions.
        known: String,
    },
    /// An action is there twice.
    #[error("the action '{0}' is there twice")]
    Twice(String),
    /// An action is not there.
    #[error("the action '{0}' is missing")]
    Missing(String),
    /// A probability below 0 or above 1.
    #[error("the action '{action}' has probability {probability:?}, not one from 0 to 1")]
    Probability {
        /// The action.
        action: String,
        /// Its probability.
        probability: f64,
    },
    /// Probabilities that do not sum to one.
    #[error("the probabilities sum to {0:?}, not to 1")]
    Sum(f64),
}

/// Writes a strategy, one line per infoset.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write(tree: &Tree, names: &Names, strategy: &Strategy, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{{\n  \"format\": {FORMAT}")?;
    for (label, infoset) in names.labels().iter().zip(tree.infosets()) {
        write!(out, ",\n  {}: {{", serde_json::to_string(label)?)?;
        for slot in infoset.slots() {
            let gap = if slot > infoset.first as usize { ", " } else { "" };
            let (name, probability) = (serde_json::to_string(&names.actions()[slot])?, strategy.0[slot]);
            write!(out, "{gap}{name}: {}", serde_json::to_string(&probability)?)?;
        }
        write!(out, "}}")?;
    }
    writeln!(out, "\n}}")
}

/// Reads a strategy for `tree`, whose infosets are called `names`.
///
/// # Errors
/// If the text is not JSON of the right shape, or does not give every infoset, and no other, a distribution over its
/// actions.
pub fn read(tree: &Tree, names: &Names, text: &str) -> Result<Strategy, StrategyFileError> {
    let parsed: Result<Pairs<Member>, _> = serde_json::from_str(text);
    let Pairs(found) = parsed.map_err(|error| StrategyFileError::Json(error.to_string()))?;
    let known: FxHashMap<&str, usize> =
        names.labels().iter().enumerate().map(|(number, label)| (label.as_str(), number)).collect();
    let mut strategy = Strategy(vec![f64::NAN; tree.slots()]);
    let mut seen = vec![false; tree.infosets().len()];
    for (label, member) in found {
        let choices = match member {
            Member::Choices(choices) => choices,
            Member::Number(format) if label == "format" && format <= FORMAT => continue,
            Member::Number(format) if label == "format" => return Err(StrategyFileError::Newer(format)),
            Member::Number(number) => {
                return Err(StrategyFileError::Json(format!("'{label}' is {number}, not an object")));
            }
        };
        let Some(&number) = known.get(label.as_str()) else {
            return Err(StrategyFileError::UnknownInfoset(label));
        };
        if std::mem::replace(&mut seen[number], true) {
            return Err(StrategyFileError::InfosetTwice(label));
        }
        let infoset = tree.infosets()[number];
        let actions = &names.actions()[infoset.slots()];
        choose(infoset, actions, choices.0, &mut strategy)
            .map_err(|kind| StrategyFileError::Infoset { label, kind })?;
    }
    match seen.iter().position(|seen| !seen) {
        Some(missing) => Err(StrategyFileError::MissingInfoset(names.labels()[missing].clone())),
        None => Ok(strategy),
    }
}

/// Writes the probabilities of one infoset into their slots.
fn choose(
    infoset: Infoset,
    names: &[String],
    choices: Vec<(String, f64)>,
    strategy: &mut Strategy,
) -> Result<(), ChoiceError> {
    let slots = &mut strategy.0[infoset.slots()];
    for (action, probability) in choices {
        let Some(slot) = names.iter().position(|name| *name == action) else {
            return Err(ChoiceError::Unknown { action, known: names.join(", ") });
        };
        if !slots[slot].is_nan() {
            return Err(ChoiceError::Twice(action));
        }
        if !(0.0..=1.0 + SLACK).contains(&probability) {
            return Err(ChoiceError::Probability { action, probability });
        }
        slots[slot] = probability;
    }
    if let Some(missing) = slots.iter().position(|probability| probability.is_nan()) {
        return Err(ChoiceError::Missing(names[missing].clone()));
    }
    let sum: f64 = slots.iter().sum();
    if (sum - 1.0).abs() > SLACK {
        return Err(ChoiceError::Sum(sum));
    }
    if (sum - 1.0).abs() > 1e-12 {
        slots.iter_mut().for_each(|probability| *probability /= sum);
    }
    Ok(())
}

/// The value of a member of the JSON object.
enum Member {
    /// The number of the format.
    Number(u64),
    /// An infoset.
    Choices(Pairs<f64>),
}

impl<'de> Deserialize<'de> for Member {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Member, D::Error> {
        deserializer.deserialize_any(MemberVisitor)
    }
}

struct MemberVisitor;

impl<'de> Visitor<'de> for MemberVisitor {
    type Value = Member;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_u64<E>(self, number: u64) -> Result<Member, E> {
        Ok(Member::Number(number))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Member, A::Error> {
        PairsVisitor(PhantomData).visit_map(map).map(Member::Choices)
    }
}

/// The members of a JSON object as they stand there: a name that is there twice is not lost.
struct Pairs<T>(Vec<(String, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Pairs<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pairs<T>, D::Error> {
        deserializer.deserialize_map(PairsVisitor(PhantomData))
    }
}

struct PairsVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for PairsVisitor<T> {
    type Value = Pairs<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<T>, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Pairs(pairs))
    }
}
