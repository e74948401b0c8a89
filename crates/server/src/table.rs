//! A game under way with its umpire and its engines, whichever game it is.
//!
//! Everything that is sent to a player comes from its [`Side`] here, which is made of what it is told and nothing else.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use scuro_agents::contestant::{Allowance, Fault};
use scuro_agents::name::Agent;
use scuro_agents::seat::{Place, SeatError, Seated};
use scuro_games::chess::Color;
use scuro_games::outcome::Outcome;
use scuro_games::records::Ply;
use scuro_games::seat::{Heard, Seat};
use scuro_games::umpire::Umpire;
use serde::Serialize;

use crate::hosted::{Account, Hosted, Notice, Phase, Step, Window};
use crate::study::{self, Hint};

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
    /// Its pieces that are gone.
    pub(crate) lost: Vec<char>,
    /// What it knows that it captured.
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

    /// What the side to move may do, by what it was told.
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

    /// What `color` has to do at its turn.
    fn phase(&self, color: Color) -> Phase;

    /// The last window of `color`.
    fn sensed(&self, color: Color) -> Option<Window>;

    /// Lets an agent play `color`. What it missed it will be told.
    fn seat(&mut self, color: Color, agent: Agent, seed: u64);

    /// The work of the engine that plays `color`, if one does and it is its turn.
    fn choice(&mut self, color: Color, allowance: Allowance) -> Option<Choice>;

    /// The work of finding a hint for `color`, whose turn it is.
    fn hint(&self, color: Color) -> Hinting;
}

/// The work of finding a hint; in words, why there is none.
pub(crate) type Hinting = Box<dyn FnOnce() -> Result<Hint, String> + Send>;

/// A table for one of the games.
pub(crate) struct GameTable<G: Hosted> {
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
    /// How much of what its side has heard it has been told.
    told: usize,
}

impl Side {
    fn add(&mut self, side: Color, account: Account, view: String, at: usize) {
        let Account { counts, word, san, text, refused, window, taken } = account;
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

impl<G: Hosted> GameTable<G> {
    /// At the start of a game.
    pub(crate) fn new(game: G) -> GameTable<G> {
        let umpire = Umpire::new(game);
        GameTable { umpire, sides: Default::default(), seen: Vec::new(), engines: [None, None] }
    }

    /// Writes down for `color` what it was told of the last action, the `at`-th; whether it noticed it.
    fn tell(&mut self, color: Color, before: &G::View, own: Option<G::Action>, at: usize) -> bool {
        let (game, seat) = (self.umpire.game(), self.umpire.seat(color));
        let Some(told) = self.umpire.told(color) else { return false };
        let notice = Notice { before, seat, own, told };
        let side = &mut self.sides[color as usize];
        side.lost.extend(notice.losses().into_iter().map(|(piece, _)| char::from(piece)));
        let Some(account) = game.account(&notice) else { return false };
        side.add(notice.side(), account, game.sight(seat), at);
        true
    }

    /// Writes down an action in the umpire's own book.
    fn write_down(&mut self, before: &G::State, side: Color, action: G::Action, at: usize) {
        let step = Step { before, action, after: self.umpire.state(), side };
        let account = self.umpire.game().full_account(&step);
        self.sides[Viewer::Umpire.index()].add(side, account, G::truth(step.after), at);
    }
}

impl<G: Hosted> Table for GameTable<G> {
    fn turn(&self) -> Option<Color> {
        self.umpire.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.umpire.outcome()
    }

    fn moves(&self) -> Vec<Ply> {
        let moves = |color| self.umpire.game().moves(self.umpire.seat(color));
        self.turn().map_or(Vec::new(), moves)
    }

    fn play(&mut self, side: Color, ply: Ply) -> Option<[bool; 3]> {
        let action = G::action(ply)?;
        let (state, views) =
            (self.umpire.state().clone(), Color::ALL.map(|color| self.umpire.view(color).clone()));
        self.umpire.play(side, action).ok()?;
        let at = self.seen.len();
        self.seen.push(Views::new(|color| self.sight(Viewer::Player(color))));
        let [white, black] = Color::ALL
            .map(|color| self.tell(color, &views[color as usize], (side == color).then_some(action), at));
        self.write_down(&state, side, action, at);
        Some([white, black, true])
    }

    fn plies(&self) -> Vec<Ply> {
        self.umpire.actions().iter().map(|&action| G::ply(action)).collect()
    }

    fn side(&self, viewer: Viewer) -> &Side {
        &self.sides[viewer.index()]
    }

    fn sight(&self, viewer: Viewer) -> String {
        match viewer {
            Viewer::Player(color) => self.umpire.game().sight(self.umpire.seat(color)),
            Viewer::Umpire => G::truth(self.umpire.state()),
        }
    }

    fn first(&self, viewer: Viewer) -> String {
        let game = self.umpire.game();
        match viewer {
            Viewer::Player(color) => game.sight(&Seat::new(game, color)),
            Viewer::Umpire => G::truth(&game.start()),
        }
    }

    fn seen(&self) -> &[Views] {
        &self.seen
    }

    fn phase(&self, color: Color) -> Phase {
        G::duty(self.umpire.view(color))
    }

    fn sensed(&self, color: Color) -> Option<Window> {
        G::sensed(self.umpire.view(color))
    }

    fn seat(&mut self, color: Color, agent: Agent, seed: u64) {
        let place = Place { color, seed, margin: Duration::ZERO };
        self.engines[color as usize] = Some(Engine { agent, place, seated: Arc::default(), told: 0 });
    }

    fn choice(&mut self, color: Color, allowance: Allowance) -> Option<Choice> {
        if self.turn() != Some(color) {
            return None;
        }
        let (game, seat) = (self.umpire.game().clone(), self.umpire.seat(color));
        let engine = self.engines[color as usize].as_mut()?;
        let missed: Vec<Heard<G::Action, G::Told>> = seat.heard()[engine.told..].to_vec();
        engine.told = seat.heard().len();
        let (choices, agent, place) = (seat.choices(&game), engine.agent.clone(), engine.place);
        let seated = Arc::clone(&engine.seated);
        Some(Box::new(move || {
            let mut seated = seated.lock().unwrap_or_else(PoisonError::into_inner);
            let contestant = match &mut *seated {
                Some(contestant) => contestant,
                empty => empty.insert(game.seat(&agent, place).map_err(unseated)?),
            };
            missed.iter().for_each(|heard| contestant.see(heard.own, &heard.told));
            contestant.choose(&choices, allowance).map(G::ply)
        }))
    }

    fn hint(&self, color: Color) -> Hinting {
        let (game, heard) = (self.umpire.game().clone(), self.umpire.seat(color).heard().to_vec());
        Box::new(move || study::hint(game, color, &heard))
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
