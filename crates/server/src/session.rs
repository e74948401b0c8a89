//! One game with its seats: what its players may do beside their moves, its clocks, and what is kept of it.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use scuro_agents::contestant::{Allowance, Fault};
use scuro_arena::control::Control;
use scuro_games::chess::Color;
use scuro_games::outcome::{Outcome, Reason};
use scuro_games::records::Ply;

use crate::answer::Failure;
use crate::clock::Clock;
use crate::hosted::Phase;
use crate::levels::Opponent;
use crate::secret;
use crate::setup::Setup;
use crate::store::{Kept, Progress, Saved, SeatRow};
use crate::table::{Choice, Table, Viewer, side_word, word};

/// A game with its seats.
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) setup: Setup,
    pub(crate) table: Box<dyn Table>,
    engines: [Option<Opponent>; 2],
    /// White's, Black's and the umpire's, as far as they are taken.
    pub(crate) seats: [Option<Seat>; 3],
    pub(crate) clock: Option<Clock>,
    /// Who offers a draw.
    pub(crate) draw: Option<Color>,
    /// The end, if the board does not show it.
    ended: Option<Outcome>,
    /// The word with which the other player joins, as long as it has not.
    pub(crate) invitation: Option<String>,
    pub(crate) rematch: Option<Rematch>,
    /// Whether an engine is at work.
    pub(crate) thinking: bool,
    /// Whether it is no longer what is kept: it was deleted, or could not be written.
    pub(crate) gone: bool,
    /// The fall of a flag for which somebody waits.
    pub(crate) watched_fall: Option<Instant>,
    /// When it was made.
    pub(crate) made: i64,
    /// How many plies are in the database.
    kept_plies: usize,
}

/// A seat that a person has.
#[derive(Clone, Debug)]
pub(crate) struct Seat {
    pub(crate) secret: String,
    /// Under which name its owner keeps games.
    pub(crate) player: Option<String>,
    changed: i64,
}

/// The game that follows.
#[derive(Clone, Debug)]
pub(crate) struct Rematch {
    pub(crate) id: String,
    pub(crate) invitation: Option<String>,
    /// Who made it, as long as that is remembered.
    pub(crate) by: Option<Viewer>,
}

/// Who noticed a change: White, Black, the umpire.
pub(crate) type Noticed = [bool; 3];

/// Everybody.
pub(crate) const ALL: Noticed = [true; 3];

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    // Before 1970 it is 0.
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    i64::try_from(since).unwrap_or(i64::MAX)
}

impl Session {
    /// A new game, with a seat for whoever asked for it.
    pub(crate) fn new(setup: Setup, viewer: Viewer, player: Option<String>) -> Result<Session, Failure> {
        let mut session = Session::at_start(secret::word()?, setup, now())?;
        session.seats[viewer.index()] = Some(Seat { secret: secret::word()?, player, changed: session.made });
        let people = session.engines.iter().filter(|engine| engine.is_none()).count();
        session.invitation = if people == 2 { Some(secret::word()?) } else { None };
        session.run_clock();
        Ok(session)
    }

    fn at_start(id: String, setup: Setup, made: i64) -> Result<Session, Failure> {
        let engines = setup.opponents()?;
        let mut table = setup.table()?;
        for color in Color::ALL {
            if let Some(engine) = &engines[color as usize] {
                table.seat(color, engine.agent.clone(), setup.seed.wrapping_add(color as u64));
            }
        }
        Ok(Session {
            id,
            clock: setup.clock.and_then(Clock::new),
            setup,
            table,
            engines,
            seats: [None, None, None],
            draw: None,
            ended: None,
            invitation: None,
            rematch: None,
            thinking: false,
            gone: false,
            watched_fall: None,
            made,
            kept_plies: 0,
        })
    }

    /// A game that was kept. Its clock goes on from here.
    pub(crate) fn of(kept: Kept) -> Result<Session, Failure> {
        let damaged = |words: &str| Failure::Internal(format!("game {}: {words}", kept.id));
        let setup: Setup = serde_json::from_str(&kept.setup).map_err(|error| damaged(&error.to_string()))?;
        let mut session = Session::at_start(kept.id.clone(), setup, kept.made)?;
        for (side, ply) in &kept.plies {
            let side = color_of(side).ok_or_else(|| damaged("no side"))?;
            let ply = ply.parse().map_err(|_| damaged("no ply"))?;
            session.table.play(side, ply).ok_or_else(|| damaged("a ply against the rules"))?;
        }
        session.kept_plies = kept.plies.len();
        let Progress { left, draw, winner, reason, invitation, rematch, rematch_invitation, .. } =
            kept.progress;
        for row in kept.seats {
            let viewer = viewer_of(&row.side).ok_or_else(|| Failure::Internal("no seat".to_owned()))?;
            let seat = Seat { secret: row.secret, player: row.player, changed: row.changed };
            session.seats[viewer.index()] = Some(seat);
        }
        if let (Some(clock), [Some(white), Some(black)]) = (&mut session.clock, left) {
            *clock = clock.with_left([white, black].map(|left| u64::try_from(left).unwrap_or(0)));
        }
        session.draw = draw.as_deref().and_then(color_of);
        let reason = reason.as_deref().and_then(Reason::from_termination);
        let winner = winner.as_deref().and_then(color_of);
        session.ended =
            reason.filter(|_| session.table.outcome().is_none()).map(|reason| Outcome { winner, reason });
        session.invitation = invitation;
        session.rematch = rematch.map(|id| Rematch { id, invitation: rematch_invitation, by: None });
        session.run_clock();
        Ok(session)
    }

    /// Who has this secret.
    pub(crate) fn viewer(&self, word: &str) -> Option<Viewer> {
        let viewers = [Viewer::Player(Color::White), Viewer::Player(Color::Black), Viewer::Umpire];
        let owns = |viewer: &Viewer| {
            self.seats[viewer.index()].as_ref().is_some_and(|seat| secret::same(&seat.secret, word))
        };
        viewers.into_iter().find(owns)
    }

    /// How the game ended, if it has.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.ended.or(self.table.outcome())
    }

    /// Whose turn it is, if the game goes on.
    pub(crate) fn turn(&self) -> Option<Color> {
        self.table.turn().filter(|_| self.ended.is_none())
    }

    /// Whether an engine plays `color`.
    pub(crate) fn has_engine(&self, color: Color) -> bool {
        self.engines[color as usize].is_some()
    }

    fn check_going_on(&self) -> Result<(), Failure> {
        match self.outcome() {
            Some(outcome) => Err(Failure::Conflict(format!("the game is over: {outcome}"))),
            None => Ok(()),
        }
    }

    /// Takes what a player does at its turn.
    pub(crate) fn act(&mut self, color: Color, text: &str) -> Result<Noticed, Failure> {
        self.check_going_on()?;
        if self.turn() != Some(color) {
            return Err(Failure::Conflict("it is not your turn".to_owned()));
        }
        let meant = match (text, self.table.phase(color)) {
            ("pass", Phase::Sense) => Some(Ply::Sense(None)),
            ("pass", Phase::Move) => Some(Ply::Pass),
            _ => text.parse().ok(),
        };
        let offered = meant.filter(|ply| word(*ply) == text && self.table.moves().contains(ply));
        // The text comes back only if it is a word of the language of moves.
        let wrong = || match meant {
            Some(ply) => Failure::Conflict(format!("{} is not one of your moves", word(ply))),
            None => Failure::Malformed("that is no move such as e2e4".to_owned()),
        };
        self.take(color, offered.ok_or_else(wrong)?)
    }

    /// Takes what an engine chose.
    pub(crate) fn act_for_engine(
        &mut self,
        color: Color,
        chosen: Option<Result<Ply, Fault>>,
    ) -> Result<Noticed, Failure> {
        self.thinking = false;
        self.check_going_on()?;
        match chosen {
            Some(Ok(ply)) if self.turn() == Some(color) => self.take(color, ply),
            _ => Ok(self.end(Outcome::win(!color, Reason::Crash))),
        }
    }

    fn take(&mut self, color: Color, ply: Ply) -> Result<Noticed, Failure> {
        let refused = || Failure::Conflict("that is not one of your moves".to_owned());
        let mut noticed = self.table.play(color, ply).ok_or_else(refused)?;
        // An offer stands until the other side moves.
        if self.draw == Some(!color) && self.turn() != Some(color) {
            self.draw = None;
            noticed = ALL;
        }
        self.run_clock();
        Ok(noticed)
    }

    /// Ends the game from outside.
    fn end(&mut self, outcome: Outcome) -> Noticed {
        self.ended = Some(outcome);
        self.draw = None;
        self.run_clock();
        ALL
    }

    /// Ends the game if a clock has run out.
    pub(crate) fn flag(&mut self) -> Option<Noticed> {
        let (color, falls) = self.clock?.falls()?;
        (Instant::now() >= falls).then(|| self.end(Outcome::win(!color, Reason::Timeout)))
    }

    /// A player gives up.
    pub(crate) fn resign(&mut self, color: Color) -> Result<Noticed, Failure> {
        self.check_going_on()?;
        Ok(self.end(Outcome::win(!color, Reason::Resignation)))
    }

    /// A player offers a draw, or answers an offer. Engines decline.
    pub(crate) fn draw(&mut self, color: Color, said: Draw) -> Result<Noticed, Failure> {
        self.check_going_on()?;
        let nothing = || Failure::Conflict("there is no offer".to_owned());
        match (said, self.draw) {
            (Draw::Offer | Draw::Accept, Some(offers)) if offers != color => {
                return Ok(self.end(Outcome::draw(Reason::Agreement)));
            }
            (Draw::Offer, _) if self.has_engine(!color) => return Ok([false; 3]),
            (Draw::Offer, _) => self.draw = Some(color),
            (Draw::Decline, Some(offers)) if offers != color => self.draw = None,
            (Draw::Accept | Draw::Decline, _) => return Err(nothing()),
        }
        Ok(ALL)
    }

    /// The other player takes its seat.
    pub(crate) fn join(
        &mut self,
        invitation: &str,
        player: Option<String>,
    ) -> Result<(Viewer, Noticed), Failure> {
        let invited = self.invitation.as_deref().is_some_and(|word| secret::same(word, invitation));
        let open = Color::ALL.into_iter().find(|&color| self.seats[color as usize].is_none());
        let (true, Some(color)) = (invited, open) else { return Err(Failure::Secret) };
        self.seats[color as usize] = Some(Seat { secret: secret::word()?, player, changed: now() });
        self.invitation = None;
        self.run_clock();
        Ok((Viewer::Player(color), ALL))
    }

    /// A person leaves a seat for good; whether nobody is left.
    pub(crate) fn leave(&mut self, viewer: Viewer) -> bool {
        if let (Viewer::Player(color), None) = (viewer, self.outcome()) {
            self.end(Outcome::win(!color, Reason::Resignation));
        }
        self.seats[viewer.index()] = None;
        // An open seat that nobody can be invited to any more does not keep a game.
        self.seats.iter().all(Option::is_none)
    }

    /// The clock of the side to move runs once everybody is there.
    fn run_clock(&mut self) {
        let turn = self.turn().filter(|_| self.invitation.is_none());
        if let Some(clock) = &mut self.clock {
            clock.turn_to(turn, Instant::now());
        }
    }

    /// The work of the engine whose turn it is, if one's, and nobody does it yet.
    pub(crate) fn choice(&mut self) -> Option<(Color, Choice)> {
        let color = self.turn().filter(|_| !self.thinking)?;
        let engine = self.engines[color as usize].as_ref()?;
        let allowance = match (&self.clock, self.setup.movetime) {
            (Some(clock), _) => clock.allowance(Instant::now()),
            (None, Some(Control::Movetime(time))) => Allowance::Time(time),
            (None, _) => Allowance::Time(engine.movetime),
        };
        let choice = self.table.choice(color, allowance)?;
        self.thinking = true;
        Some((color, choice))
    }

    /// The least time between two plies: what is watched should be seen.
    pub(crate) fn pace(&self) -> Duration {
        match (&self.seats[Viewer::Umpire.index()], self.setup.movetime) {
            (Some(_), Some(Control::Movetime(time))) => time,
            _ => Duration::ZERO,
        }
    }

    /// What is kept of a new game.
    pub(crate) fn kept(&self) -> Result<Kept, Failure> {
        let setup =
            serde_json::to_string(&self.setup).map_err(|error| Failure::Internal(error.to_string()))?;
        Ok(Kept {
            id: self.id.clone(),
            setup,
            game: self.setup.game.word().to_owned(),
            agents: self.setup.agents.clone(),
            made: self.made,
            progress: self.progress(),
            seats: self.seat_rows(ALL),
            plies: Vec::new(),
        })
    }

    /// What has changed since the last time, for those who noticed.
    pub(crate) fn saved(&mut self, noticed: Noticed) -> Saved {
        let (now, plies) = (now(), self.table.plies());
        let umpire = &self.table.side(Viewer::Umpire).log;
        let side = |number: usize| umpire.get(number).and_then(|entry| entry.side).unwrap_or("white");
        let fresh = plies.iter().enumerate().skip(self.kept_plies);
        let fresh = fresh.map(|(number, ply)| (number as i64, side(number), ply.to_string())).collect();
        self.kept_plies = plies.len();
        for (seat, _) in self.seats.iter_mut().zip(noticed).filter(|(_, noticed)| *noticed) {
            seat.iter_mut().for_each(|seat| seat.changed = now);
        }
        let (progress, seats) = (self.progress(), self.seat_rows(noticed));
        Saved { id: self.id.clone(), progress, seats, plies: fresh, now }
    }

    fn progress(&self) -> Progress {
        let outcome = self.outcome();
        let left = self.clock.map(|clock| clock.left(Instant::now()));
        let left = |color: Color| left.and_then(|left| i64::try_from(left[color as usize]).ok());
        Progress {
            turn: self.turn().map(|color| side_word(color).to_owned()),
            left: Color::ALL.map(left),
            draw: self.draw.map(|color| side_word(color).to_owned()),
            winner: outcome.and_then(|outcome| outcome.winner).map(|color| side_word(color).to_owned()),
            reason: outcome.map(|outcome| outcome.reason.termination().to_owned()),
            invitation: self.invitation.clone(),
            rematch: self.rematch.as_ref().map(|rematch| rematch.id.clone()),
            rematch_invitation: self.rematch.as_ref().and_then(|rematch| rematch.invitation.clone()),
        }
    }

    fn seat_rows(&self, noticed: Noticed) -> Vec<SeatRow> {
        let viewers = [Viewer::Player(Color::White), Viewer::Player(Color::Black), Viewer::Umpire];
        let row = |viewer: Viewer| {
            let seat = self.seats[viewer.index()].as_ref().filter(|_| noticed[viewer.index()])?;
            Some(SeatRow {
                side: viewer.word().to_owned(),
                secret: seat.secret.clone(),
                player: seat.player.clone(),
                ply: self.table.side(viewer).plies as i64,
                changed: seat.changed,
            })
        };
        viewers.into_iter().filter_map(row).collect()
    }
}

/// What can be said of a draw.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Draw {
    Offer,
    Accept,
    Decline,
}

fn color_of(word: &str) -> Option<Color> {
    Color::ALL.into_iter().find(|&color| side_word(color) == word)
}

fn viewer_of(word: &str) -> Option<Viewer> {
    color_of(word).map(Viewer::Player).or((word == "watch").then_some(Viewer::Umpire))
}
