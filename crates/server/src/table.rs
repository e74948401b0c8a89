//! A game under way with its umpire and its engines, whichever game it is.
//!
//! Everything that is sent to a player comes from her [`Side`] here, which is made of what she is told and nothing else.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use scuro_agents::contestant::{Allowance, Fault};
use scuro_agents::name::Agent;
use scuro_agents::seat::{Place, SeatError, Seated};
use scuro_games::chess::Color;
use scuro_games::outcome::Outcome;
use scuro_games::records::Ply;
use scuro_games::umpire::Umpire;
use serde::Serialize;

use crate::hosted::{Hosted, Phase, Step, Told, Window, losses};

/// What one player, or the umpire, knows of an action.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Entry {
    /// The ply that it is, or during whose turn it was done.
    pub(crate) ply: usize,
    pub(crate) side: Option<&'static str>,
    #[serde(rename = "move")]
    pub(crate) word: Option<String>,
    pub(crate) san: Option<String>,
    pub(crate) text: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) refused: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sensed: Option<Window>,
    /// What was seen after it; for the umpire the true position.
    pub(crate) view: String,
    /// Its place among all actions, for whoever may know that.
    #[serde(skip)]
    pub(crate) at: usize,
}

/// What White and Black see.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Views {
    pub(crate) white: String,
    pub(crate) black: String,
}

/// What a player, or the umpire, has been told so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Side {
    pub(crate) log: Vec<Entry>,
    /// How many plies of it are plies as people count them.
    pub(crate) plies: usize,
    /// Her men that are gone.
    pub(crate) lost: Vec<char>,
    /// What she knows that she took.
    pub(crate) taken: Vec<char>,
}

/// Who looks at a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Viewer {
    /// A player.
    Player(Color),
    /// Who lets two engines play, and sees everything.
    Umpire,
}

impl Viewer {
    /// The places of White, Black and the umpire in lists of three.
    pub(crate) const fn index(self) -> usize {
        match self {
            Viewer::Player(color) => color as usize,
            Viewer::Umpire => 2,
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Viewer::Player(color) => side_word(color),
            Viewer::Umpire => "watch",
        }
    }
}

/// `white` or `black`.
pub(crate) fn side_word(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The work of an engine at its turn.
pub(crate) type Choice = Box<dyn FnOnce() -> Result<Ply, Fault> + Send>;

/// A game under way, whichever it is.
pub(crate) trait Table: Send {
    /// Whose turn it is by the board, if the game goes on.
    fn turn(&self) -> Option<Color>;

    /// How the game ended by the board, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// What the side to move may do, as her own information has it.
    fn moves(&self) -> Vec<Ply>;

    /// Takes a ply of `side`; who noticed something: White, Black, the umpire. `None` if it is not taken.
    fn play(&mut self, side: Color, ply: Ply) -> Option<[bool; 3]>;

    /// What has been played.
    fn plies(&self) -> Vec<Ply>;

    /// What somebody has been told.
    fn side(&self, viewer: Viewer) -> &Side;

    /// What is seen now: a fog FEN, or the true position.
    fn sight(&self, viewer: Viewer) -> String;

    /// What was seen before the first action.
    fn first(&self, viewer: Viewer) -> String;

    /// What both saw after each action.
    fn seen(&self) -> &[Views];

    /// What `color` has to do at her turn.
    fn phase(&self, color: Color) -> Phase;

    /// The last window of `color`.
    fn sensed(&self, color: Color) -> Option<Window>;

    /// Lets an agent play `color`. What it missed it will be shown.
    fn seat(&mut self, color: Color, agent: Agent, seed: u64);

    /// The work of the engine that plays `color`, if one does and it is its turn.
    fn choice(&mut self, color: Color, allowance: Allowance) -> Option<Choice>;
}

/// A table for one of the games.
pub(crate) struct Hall<G: Hosted> {
    game: G,
    umpire: Umpire<G>,
    sides: [Side; 3],
    /// What both saw after each action.
    seen: Vec<Views>,
    engines: [Option<Engine<G>>; 2],
}

/// An engine: sat down when it first has to choose, and locked only where it thinks.
struct Engine<G: Hosted> {
    agent: Agent,
    place: Place,
    seated: Arc<Mutex<Option<Seated<G>>>>,
    /// What it is to be shown before its next choice.
    missed: Vec<(Option<G::Action>, G::View)>,
}

impl Side {
    fn add(&mut self, side: Color, told: Told, view: String, at: usize) {
        let Told { counts, word, san, text, refused, window, taken } = told;
        self.taken.extend(taken);
        let ply = self.plies + 1;
        self.plies += usize::from(counts);
        let side = Some(side_word(side));
        self.log.push(Entry { ply, side, word, san, text, refused, sensed: window, view, at });
    }
}

impl Views {
    /// What is seen by each.
    pub(crate) fn new(sight: impl Fn(Color) -> String) -> Views {
        Views { white: sight(Color::White), black: sight(Color::Black) }
    }
}

impl<G: Hosted> Hall<G> {
    /// At the start of a game.
    pub(crate) fn new(game: G) -> Hall<G> {
        let umpire = Umpire::new(game.clone());
        Hall { umpire, game, sides: Default::default(), seen: Vec::new(), engines: [None, None] }
    }

    /// Writes down for everybody what came of an action; who noticed it.
    fn tell(&mut self, step: &Step<'_, G>) -> [bool; 3] {
        let at = self.seen.len();
        self.seen.push(Views::new(|color| G::sight(step.after, color)));
        for color in Color::ALL.into_iter().filter(|color| *color != step.side) {
            let men = |state| G::men(&self.game.view(state, color));
            let lost = losses(men(step.before), men(step.after));
            self.sides[color as usize].lost.extend(lost.into_iter().map(|(piece, _)| char::from(piece)));
        }
        let [white, black] = Color::ALL.map(|color| match G::told(step, color) {
            Some(told) => {
                self.sides[color as usize].add(step.side, told, G::sight(step.after, color), at);
                true
            }
            None => false,
        });
        self.sides[2].add(step.side, G::whole(step), G::truth(step.after), at);
        [white, black, true]
    }

    /// Shows the engines what came of an action of `side`, when they next have to choose.
    fn note(&mut self, side: Color, action: G::Action) {
        for color in Color::ALL {
            if let Some(engine) = &mut self.engines[color as usize] {
                engine.notice(&self.umpire, color, (side == color).then_some(action));
            }
        }
    }
}

impl<G: Hosted> Engine<G> {
    fn notice(&mut self, umpire: &Umpire<G>, color: Color, own: Option<G::Action>) {
        let shown = own.is_some() || umpire.shows(color);
        if umpire.outcome().is_none() && shown {
            self.missed.push((own, umpire.view(color)));
        }
    }
}

impl<G: Hosted> Table for Hall<G> {
    fn turn(&self) -> Option<Color> {
        self.umpire.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.umpire.outcome()
    }

    fn moves(&self) -> Vec<Ply> {
        self.game.moves(&self.umpire)
    }

    fn play(&mut self, side: Color, ply: Ply) -> Option<[bool; 3]> {
        let action = G::action(ply)?;
        let before = self.umpire.state().clone();
        self.umpire.play(side, action).ok()?;
        self.note(side, action);
        let after = self.umpire.state().clone();
        Some(self.tell(&Step { before: &before, action, after: &after, side }))
    }

    fn plies(&self) -> Vec<Ply> {
        self.umpire.actions().iter().map(|&action| G::ply(action)).collect()
    }

    fn side(&self, viewer: Viewer) -> &Side {
        &self.sides[viewer.index()]
    }

    fn sight(&self, viewer: Viewer) -> String {
        match viewer {
            Viewer::Player(color) => G::sight(self.umpire.state(), color),
            Viewer::Umpire => G::truth(self.umpire.state()),
        }
    }

    fn first(&self, viewer: Viewer) -> String {
        match viewer {
            Viewer::Player(color) => G::sight(&self.game.start(), color),
            Viewer::Umpire => G::truth(&self.game.start()),
        }
    }

    fn seen(&self) -> &[Views] {
        &self.seen
    }

    fn phase(&self, color: Color) -> Phase {
        G::phase(&self.umpire.view(color))
    }

    fn sensed(&self, color: Color) -> Option<Window> {
        G::sensed(&self.umpire.view(color))
    }

    fn seat(&mut self, color: Color, agent: Agent, seed: u64) {
        let place = Place { color, seed, margin: Duration::ZERO };
        let mut engine = Engine { agent, place, seated: Arc::default(), missed: Vec::new() };
        let mut past = Umpire::new(self.game.clone());
        for &action in self.umpire.actions() {
            let Some(side) = past.turn() else { break };
            // The same umpire has taken it before.
            if past.play(side, action).is_ok() {
                engine.notice(&past, color, (side == color).then_some(action));
            }
        }
        self.engines[color as usize] = Some(engine);
    }

    fn choice(&mut self, color: Color, allowance: Allowance) -> Option<Choice> {
        if self.turn() != Some(color) {
            return None;
        }
        let (choices, truth) = (self.umpire.choices(), self.umpire.state().clone());
        let engine = self.engines[color as usize].as_mut()?;
        let (game, agent, place) = (self.game.clone(), engine.agent.clone(), engine.place);
        let (seated, missed) = (Arc::clone(&engine.seated), std::mem::take(&mut engine.missed));
        Some(Box::new(move || {
            let mut seated = seated.lock().unwrap_or_else(PoisonError::into_inner);
            let contestant = match &mut *seated {
                Some(contestant) => contestant,
                empty => empty.insert(game.seat(&agent, place).map_err(unseated)?),
            };
            missed.iter().for_each(|(own, view)| contestant.see(*own, view));
            contestant.shown(&truth);
            contestant.choose(&choices, allowance).map(G::ply)
        }))
    }
}

fn unseated(error: SeatError) -> Fault {
    Fault::Missing(error.to_string())
}

/// A ply as the API writes it.
pub(crate) fn word(ply: Ply) -> String {
    match ply {
        Ply::Sense(None) | Ply::Pass => "pass".to_owned(),
        ply => ply.to_string(),
    }
}
