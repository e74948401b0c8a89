//! The small games by name, as commands take them: `kuhn`, `leduc:3:2`, `dark-hex:2x2`.

use std::ops::RangeInclusive;

use scuro_core::Game;
use thiserror::Error;

use super::blind::BlindTicTacToe;
use super::dark_hex::DarkHex;
use super::efg::TreeGame;
use super::fusion::Fusion;
use super::goofspiel::{Goofspiel, Prizes};
use super::kuhn::Kuhn;
use super::leduc::Leduc;
use super::liars_dice::LiarsDice;
use super::noughts::{Noughts, NoughtsError};
use super::pennies::{Pennies, PennyRules};
use super::phantom::PhantomTicTacToe;

/// How each game is written: its name, and its parameters with those that may be left out in brackets.
pub const FORMS: [&str; 11] = [
    "kuhn[:CARDS]",
    "leduc[:RANKS[:SUITS]]",
    "liars-dice:SIDES",
    "goofspiel:CARDS:random|increasing",
    "dark-hex:ROWSxCOLS",
    "matching-pennies:N[:text]",
    "phantom-ttt[:BOARD]",
    "rbt[:BOARD]",
    "proposition3:N",
    "appendix-c",
    "strategy-fusion[:WORLDS]",
];

/// Any of the small games.
#[derive(Clone, Debug)]
pub enum ToyGame {
    /// Kuhn poker.
    Kuhn(Kuhn),
    /// Leduc poker.
    Leduc(Leduc),
    /// Liar's Dice.
    LiarsDice(LiarsDice),
    /// Goofspiel.
    Goofspiel(Goofspiel),
    /// Abrupt Dark Hex.
    DarkHex(DarkHex),
    /// Matching pennies, proposition 3 and appendix C.
    Pennies(Pennies),
    /// Strategy fusion.
    Fusion(Fusion),
    /// Phantom tic-tac-toe.
    Phantom(PhantomTicTacToe),
    /// Reconnaissance blind tic-tac-toe.
    Blind(BlindTicTacToe),
    /// A game read from a file.
    Tree(TreeGame),
}

/// Code that runs on whichever game it is given.
pub trait Visit {
    /// What it returns.
    type Output;

    /// Runs on `game`, which may also be copied and handed to threads.
    fn game<G: Game<State: Send, Action: Send> + Clone + Sync>(self, game: &G) -> Self::Output;
}

impl ToyGame {
    /// Runs `visitor` on the game.
    pub fn visit<V: Visit>(&self, visitor: V) -> V::Output {
        match self {
            ToyGame::Kuhn(game) => visitor.game(game),
            ToyGame::Leduc(game) => visitor.game(game),
            ToyGame::LiarsDice(game) => visitor.game(game),
            ToyGame::Goofspiel(game) => visitor.game(game),
            ToyGame::DarkHex(game) => visitor.game(game),
            ToyGame::Pennies(game) => visitor.game(game),
            ToyGame::Fusion(game) => visitor.game(game),
            ToyGame::Phantom(game) => visitor.game(game),
            ToyGame::Blind(game) => visitor.game(game),
            ToyGame::Tree(game) => visitor.game(game),
        }
    }
}

/// Why a name stands for no small game.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ToyError {
    /// No game has this name.
    #[error("unknown game '{0}': known are {list}", list = FORMS.join(", "))]
    Unknown(String),
    /// A parameter is missing.
    #[error("'{name}' lacks {part}: write {form}")]
    Missing {
        /// What was written.
        name: String,
        /// What is missing.
        part: &'static str,
        /// How the game is written.
        form: &'static str,
    },
    /// There are more parameters than the game has.
    #[error("'{name}' has '{found}' too much: write {form}")]
    TooMuch {
        /// What was written.
        name: String,
        /// What the game has no use for.
        found: String,
        /// How the game is written.
        form: &'static str,
    },
    /// A parameter is not what the game knows.
    #[error("{part} of {game} must be {known}, not '{found}'")]
    Parameter {
        /// The game.
        game: &'static str,
        /// The parameter.
        part: &'static str,
        /// What it can be.
        known: String,
        /// What was written.
        found: String,
    },
    /// A board that cannot be played on.
    #[error(transparent)]
    Board(#[from] NoughtsError),
}

/// `value`, if it lies in `range`.
pub(super) fn within(
    game: &'static str,
    part: &'static str,
    value: u32,
    range: RangeInclusive<u32>,
) -> Result<u32, ToyError> {
    if range.contains(&value) {
        return Ok(value);
    }
    let known = format!("{} to {}", range.start(), range.end());
    Err(ToyError::Parameter { game, part, known, found: value.to_string() })
}

/// The game of this name.
///
/// # Errors
/// If no game has the name, or its parameters are missing, too many or out of range.
pub fn parse(name: &str) -> Result<ToyGame, ToyError> {
    let mut parts = Parts::new(name)?;
    let game = match parts.game {
        "kuhn" => ToyGame::Kuhn(Kuhn::new(parts.number_or("CARDS", 3)?)?),
        "leduc" => {
            let (ranks, suits) = (parts.number_or("RANKS", 3)?, parts.number_or("SUITS", 2)?);
            ToyGame::Leduc(Leduc::new(ranks, suits)?)
        }
        "liars-dice" => ToyGame::LiarsDice(LiarsDice::new(parts.number("SIDES")?)?),
        "goofspiel" => {
            let (cards, prizes) = (parts.number("CARDS")?, parts.prizes()?);
            ToyGame::Goofspiel(Goofspiel::new(cards, prizes)?)
        }
        "dark-hex" => {
            let (rows, columns) = parts.size()?;
            ToyGame::DarkHex(DarkHex::new(rows, columns)?)
        }
        "matching-pennies" => {
            let (highest, rules) = (parts.number("N")?, parts.penny_rules()?);
            ToyGame::Pennies(Pennies::matching(highest, rules)?)
        }
        "phantom-ttt" => ToyGame::Phantom(PhantomTicTacToe { start: parts.board()? }),
        "rbt" => ToyGame::Blind(BlindTicTacToe { start: parts.board()? }),
        "proposition3" => ToyGame::Pennies(Pennies::proposition3(parts.number("N")?)?),
        "strategy-fusion" => ToyGame::Fusion(Fusion::new(parts.number_or("WORLDS", 5)?)?),
        _ => ToyGame::Pennies(Pennies::appendix_c()),
    };
    parts.finish()?;
    Ok(game)
}

/// A name taken apart at its colons.
struct Parts<'a> {
    name: &'a str,
    game: &'static str,
    form: &'static str,
    rest: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn new(name: &'a str) -> Result<Parts<'a>, ToyError> {
        let (first, rest) = name.split_once(':').map_or((name, None), |(first, rest)| (first, Some(rest)));
        let named = |form: &'static str| form.split(['[', ':']).next().unwrap_or(form);
        let known = FORMS.into_iter().find(|form| named(form) == first);
        let form = known.ok_or_else(|| ToyError::Unknown(name.to_owned()))?;
        Ok(Parts { name, game: named(form), form, rest })
    }

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest.take()?;
        let (part, rest) = rest.split_once(':').map_or((rest, None), |(part, rest)| (part, Some(rest)));
        self.rest = rest;
        Some(part)
    }

    fn wanted(&mut self, part: &'static str) -> Result<&'a str, ToyError> {
        self.next().ok_or_else(|| ToyError::Missing { name: self.name.to_owned(), part, form: self.form })
    }

    fn wrong(&self, part: &'static str, known: &str, found: &str) -> ToyError {
        ToyError::Parameter { game: self.game, part, known: known.to_owned(), found: found.to_owned() }
    }

    fn read(&self, part: &'static str, text: &str) -> Result<u32, ToyError> {
        text.parse().map_err(|_| self.wrong(part, "a whole number", text))
    }

    fn number(&mut self, part: &'static str) -> Result<u32, ToyError> {
        let text = self.wanted(part)?;
        self.read(part, text)
    }

    fn number_or(&mut self, part: &'static str, default: u32) -> Result<u32, ToyError> {
        self.next().map_or(Ok(default), |text| self.read(part, text))
    }

    fn prizes(&mut self) -> Result<Prizes, ToyError> {
        match self.wanted("the order of the prizes")? {
            "random" => Ok(Prizes::Random),
            "increasing" => Ok(Prizes::Increasing),
            other => Err(self.wrong("the order of the prizes", "random or increasing", other)),
        }
    }

    fn size(&mut self) -> Result<(u32, u32), ToyError> {
        let text = self.wanted("ROWSxCOLS")?;
        let wrong = || self.wrong("the size", "ROWSxCOLS, like 2x2", text);
        let (rows, columns) = text.split_once('x').ok_or_else(wrong)?;
        Ok((rows.parse().map_err(|_| wrong())?, columns.parse().map_err(|_| wrong())?))
    }

    fn penny_rules(&mut self) -> Result<PennyRules, ToyError> {
        match self.next() {
            None => Ok(PennyRules::Tables),
            Some("text") => Ok(PennyRules::Text),
            Some(other) => Err(self.wrong("the reading", "text or left out", other)),
        }
    }

    fn board(&mut self) -> Result<Noughts, ToyError> {
        self.next().map_or(Ok(Noughts::default()), |text| Ok(text.parse()?))
    }

    fn finish(mut self) -> Result<(), ToyError> {
        match self.next() {
            None => Ok(()),
            Some(found) => Err(ToyError::TooMuch {
                name: self.name.to_owned(),
                found: found.to_owned(),
                form: self.form,
            }),
        }
    }
}
