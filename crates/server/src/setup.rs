//! What a game is before its first move: read from a request, kept in the database, made into a table.

use std::time::Duration;

use scuro_arena::control::{self, Control};
use scuro_core::Random;
use scuro_games::Variant;
use scuro_games::chess::{Board, Color};
use scuro_games::dark::Rules;
use scuro_games::kriegspiel::Ruleset;
use scuro_games::with_game;
use serde::{Deserialize, Serialize};

use crate::answer::Failure;
use crate::levels::{self, Opponent};
use crate::secret;
use crate::table::{GameTable, Table, Viewer};

/// The body of a request for a new game.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    game: Option<Variant>,
    side: Option<WantedSide>,
    opponent: Option<String>,
    movetime: Option<String>,
    clock: Option<String>,
    seed: Option<u64>,
    start: Option<String>,
    ruleset: Option<String>,
    white: Option<String>,
    black: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WantedSide {
    #[default]
    White,
    Black,
    Random,
}

/// A game before its first move.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Setup {
    pub(crate) game: Variant,
    pub(crate) ruleset: Option<String>,
    /// The first position, as FEN.
    pub(crate) start: String,
    /// The engines that play White and Black; `None` is a person.
    pub(crate) agents: [Option<String>; 2],
    /// What a move of an engine may take.
    pub(crate) movetime: Option<Control>,
    pub(crate) clock: Option<Control>,
    /// Of the engines.
    pub(crate) seed: u64,
}

/// A move takes at most so long.
const MOST_MOVETIME: Duration = Duration::from_secs(60);

/// Who plays against a person that does not say.
const USUAL_OPPONENT: &str = "level3";

/// The names of engines are no longer than this.
const LONGEST_NAME: usize = 200;

impl Wanted {
    /// What is to be played, and who asked for it.
    pub(crate) fn setup(self) -> Result<(Setup, Viewer), Failure> {
        let game = self.game.unwrap_or(Variant::FogOfWar);
        let seed = self.seed.map_or_else(secret::seed, Ok)?;
        let (agents, viewer) = match (self.white, self.black, self.side, self.opponent) {
            (Some(white), Some(black), None, None) => ([Some(white), Some(black)], Viewer::Umpire),
            (None, None, side, opponent) => {
                let mine = match side.unwrap_or_default() {
                    WantedSide::White => Color::White,
                    WantedSide::Black => Color::Black,
                    WantedSide::Random if Random::new(secret::seed()?).below(2) == 0 => Color::White,
                    WantedSide::Random => Color::Black,
                };
                let opponent = opponent.unwrap_or_else(|| USUAL_OPPONENT.to_owned());
                let mut agents = [None, None];
                agents[!mine as usize] = Some(opponent).filter(|name| name != "human");
                (agents, Viewer::Player(mine))
            }
            _ => return Err(Failure::malformed("either side and opponent, or white and black")),
        };
        let setup = Setup {
            game,
            ruleset: ruleset(game, self.ruleset)?,
            start: self.start.unwrap_or_else(|| Board::start().to_string()),
            agents,
            movetime: self.movetime.map(|text| movetime(&text)).transpose()?,
            clock: self.clock.map(|text| control::clock(&text).map_err(Failure::malformed)).transpose()?,
            seed,
        };
        setup.opponents()?;
        setup.table()?;
        Ok((setup, viewer))
    }
}

fn ruleset(game: Variant, named: Option<String>) -> Result<Option<String>, Failure> {
    match named {
        _ if game.has_rulesets() => {
            let ruleset: Ruleset = named.as_deref().unwrap_or("icc").parse().map_err(Failure::malformed)?;
            Ok(Some(ruleset.to_string()))
        }
        None => Ok(None),
        Some(_) => Err(Failure::malformed(format!("{} has no rulesets", game.word()))),
    }
}

fn movetime(text: &str) -> Result<Control, Failure> {
    let time = control::duration(text).map_err(Failure::malformed)?;
    if time > MOST_MOVETIME {
        return Err(Failure::malformed(format!("movetime is at most {} s", MOST_MOVETIME.as_secs())));
    }
    Ok(Control::Movetime(time))
}

impl Setup {
    /// The engines, where engines play.
    pub(crate) fn opponents(&self) -> Result<[Option<Opponent>; 2], Failure> {
        let engine = |name: &Option<String>| match name {
            None => Ok(None),
            Some(name) if name.len() > LONGEST_NAME => {
                Err(Failure::malformed("the name of the opponent is too long"))
            }
            Some(name) => levels::opponent(name, self.game).map(Some).map_err(Failure::malformed),
        };
        Ok([engine(&self.agents[0])?, engine(&self.agents[1])?])
    }

    /// The table at which it is played.
    pub(crate) fn table(&self) -> Result<Box<dyn Table>, Failure> {
        let rules = self.rules()?;
        rules.check_start().map_err(|words| Failure::malformed(format!("start: {words}")))?;
        Ok(with_game!(rules, game => Box::new(GameTable::new(game)) as Box<dyn Table>))
    }

    /// The rules of the game.
    fn rules(&self) -> Result<Rules, Failure> {
        let (start, passed) = Board::parse_keeping_passed(&self.start).map_err(Failure::malformed)?;
        let ruleset = self.ruleset.as_deref().map(str::parse).transpose().map_err(Failure::malformed)?;
        let rules = Rules::new(self.game, start, ruleset.unwrap_or_default());
        let rules = rules.ok_or_else(|| Failure::malformed(format!("{} hides nothing", self.game)))?;
        Ok(rules.after_passing(passed))
    }

    /// The same game with the sides changed and another seed.
    pub(crate) fn changed_sides(&self) -> Result<Setup, Failure> {
        let [white, black] = self.agents.clone();
        Ok(Setup { agents: [black, white], seed: secret::seed()?, ..self.clone() })
    }
}
