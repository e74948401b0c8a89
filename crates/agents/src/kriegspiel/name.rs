//! The players of Kriegspiel by name, with their switches.

use std::path::PathBuf;

use scuro_games::chess::Color;
use scuro_games::kriegspiel::Kriegspiel;

use super::darkboard::Darkboard;
use super::darkboard::book::Book;
use super::darkboard::evaluate::Evaluation;
use super::darkboard::weights::Weights;
use crate::name::{NameError, Switch, switched};
use crate::seat::{SeatError, Seated};

/// A player of this game alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KriegspielAgent {
    kind: Kind,
    seed: u64,
}

/// Which player it is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Darkboard(DarkboardName),
}

/// What can be changed of `darkboard`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct DarkboardName {
    minds_stalemate: bool,
    book: Option<PathBuf>,
    weights: Option<PathBuf>,
}

const SEED: Switch = Switch { key: "seed", values: "1", what: "random numbers" };

/// The switches of `darkboard`.
pub(crate) const DARKBOARD: [Switch; 4] = [
    Switch { key: "stalemate", values: "on|off", what: "whether it looks out for stalemates" },
    Switch { key: "book", values: "none|FILE", what: "openings, as scuro book writes them" },
    Switch {
        key: "weights",
        values: "usual|FILE",
        what: "the numbers of its evaluation, as scuro tune writes them",
    },
    SEED,
];

impl KriegspielAgent {
    /// Whether a player has this name.
    pub(crate) fn is_called(name: &str) -> bool {
        kind(name).is_some()
    }

    /// The player of this name with these switches.
    pub(crate) fn named(name: &str, text: &str) -> Result<KriegspielAgent, NameError> {
        let Some((agent, kind, switches)) = kind(name) else {
            return Err(NameError::Unknown(name.to_owned()));
        };
        let player = KriegspielAgent { kind, seed: 1 };
        switched(agent, switches, text, player, |player, key, value| match (key, &mut player.kind) {
            ("seed", _) => {
                player.seed = value.parse().ok()?;
                Some(())
            }
            (key, Kind::Darkboard(darkboard)) => darkboard.set(key, value),
        })
    }

    /// Its name without switches.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.kind {
            Kind::Darkboard(_) => "darkboard",
        }
    }

    /// Whether it needs files, which are not for guests.
    #[must_use]
    pub fn reads_files(&self) -> bool {
        match &self.kind {
            Kind::Darkboard(name) => name.book.is_some() || name.weights.is_some(),
        }
    }

    /// The player at the start of a game.
    ///
    /// # Errors
    /// If a file that it needs cannot be read.
    pub fn seat(&self, game: Kriegspiel, color: Color, seed: u64) -> Result<Seated<Kriegspiel>, SeatError> {
        // The seed of its name is one more number that makes games differ.
        let seed = seed.wrapping_add(self.seed);
        match &self.kind {
            Kind::Darkboard(name) => Ok(Box::new(name.seat(game, color, seed)?)),
        }
    }
}

impl DarkboardName {
    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        let file = |usual: &str| (value != usual).then(|| PathBuf::from(value));
        match (key, value) {
            (_, "") => return None,
            ("stalemate", "on" | "off") => self.minds_stalemate = value == "on",
            ("book", _) => self.book = file("none"),
            ("weights", _) => self.weights = file("usual"),
            _ => return None,
        }
        Some(())
    }

    fn seat(&self, game: Kriegspiel, color: Color, seed: u64) -> Result<Darkboard, SeatError> {
        let book = self.book.as_deref().map(Book::read).transpose()?;
        let weights = self.weights.as_deref().map_or(Ok(Weights::default()), Weights::read)?;
        let evaluation = Evaluation::new(weights, self.minds_stalemate);
        Ok(Darkboard::new(game, color, evaluation, book.as_ref(), seed))
    }
}

/// The player of a name as it is without switches, with its name and the switches that it has.
fn kind(name: &str) -> Option<(&'static str, Kind, &'static [Switch])> {
    let darkboard = DarkboardName { minds_stalemate: true, book: None, weights: None };
    Some(match name {
        "darkboard" => ("darkboard", Kind::Darkboard(darkboard), &DARKBOARD),
        _ => return None,
    })
}
