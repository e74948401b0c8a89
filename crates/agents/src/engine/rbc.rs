//! Reconnaissance Blind Chess: random senses, and random requests of what her own men can do.

use scuro_core::Random;
use scuro_games::chess::{Board, Color, File, Move, Piece, Rank, Square, between};
use scuro_games::kriegspiel::OwnMen;
use scuro_games::rbc::{Moved, Phase, admit, requests};

use super::options::Options;
use super::seat::{Heard, Say, Seat, alone, can_take, foreign, placement, side_word};
use crate::protocol::{Answer, Choice, Command, Go, Window};

pub(super) struct RbcSeat {
    men: OwnMen,
    /// What she does next. Their turns pass without a word, if nothing is lost.
    phase: Phase,
    /// What she last sensed.
    sensed: Option<Window>,
    random: Random,
    begun: bool,
}

impl RbcSeat {
    pub(super) fn new(start: &Board, side: Color, options: &Options) -> RbcSeat {
        let (men, random) = (OwnMen::of(start, side), Random::new(options.seed()));
        RbcSeat { men, phase: Phase::Sense, sensed: None, random, begun: false }
    }

    fn sense(&mut self, window: &Window) -> Result<(), String> {
        if self.phase == Phase::Move {
            return Err("sensed: you have sensed in this turn".to_owned());
        }
        for &(square, man) in &window.men {
            let shown = man.filter(|&(color, _)| color == self.men.color()).map(|(_, piece)| piece);
            if shown != self.men.man_on(square) {
                return Err(format!("sensed: your own men do not stand like that on {square}"));
            }
        }
        (self.phase, self.sensed) = (Phase::Move, Some(window.clone()));
        Ok(())
    }

    fn make(&mut self, moved: &Moved) -> Result<(), String> {
        if self.phase == Phase::Sense {
            return Err("moved: first comes what you sensed".to_owned());
        }
        if let Some(m) = moved.taken {
            if !self.may_become(moved.requested, m)? {
                return Err(format!("moved: you cannot have made {m}"));
            }
            if let Some(square) = moved.captured.filter(|&square| !can_take(&self.men, m, square)) {
                return Err(format!("moved: {m} captures nothing on {square}"));
            }
            self.men = self.men.moved(m);
        } else if let Some(square) = moved.captured {
            return Err(format!("moved: nothing moved, and nothing was captured on {square}"));
        }
        self.phase = Phase::Sense;
        Ok(())
    }

    /// Whether a request may become the move `m`: as it is, or ended by what stands in the way.
    fn may_become(&self, requested: Option<Move>, m: Move) -> Result<bool, String> {
        let Some(requested) = requested else { return Ok(false) };
        let request = admit(&alone(&self.men), requested).map_err(|error| format!("moved: {error}"))?;
        let runs = !matches!(self.men.man_on(m.from()), Some(Piece::King | Piece::Knight));
        let ended = runs
            && m.from() == request.from()
            && m.promotion().is_none()
            && between(request.from(), request.to()).has(m.to());
        Ok(m == request || ended)
    }

    fn lose(&mut self, square: Option<Square>) -> Result<(), String> {
        if self.phase == Phase::Move {
            return Err("lost: you have sensed, and they have not moved since".to_owned());
        }
        if let Some(square) = square {
            self.men.man_on(square).ok_or_else(|| format!("lost: you have no man on {square}"))?;
            self.men = self.men.lost(square);
        }
        Ok(())
    }
}

/// The squares that show nine.
fn inner_squares() -> Vec<Square> {
    let inner = |square: &Square| {
        !matches!(square.file(), File::A | File::H) && !matches!(square.rank(), Rank::First | Rank::Eighth)
    };
    Square::ALL.into_iter().filter(inner).collect()
}

impl Seat for RbcSeat {
    fn hear(&mut self, told: &Command) -> Result<Heard, String> {
        match told {
            Command::Sensed(window) => self.sense(window)?,
            Command::Moved(moved) => self.make(moved)?,
            Command::Lost(square) => self.lose(*square)?,
            told => return Err(foreign(told, "RBC")),
        }
        self.begun = true;
        Ok(Heard::Noted)
    }

    fn has_begun(&self) -> bool {
        self.begun
    }

    fn can_choose(&self, go: Go) -> Result<(), String> {
        match (go.phase, self.phase) {
            (Some(Phase::Sense), Phase::Move) => Err("go sense: you have sensed in this turn".to_owned()),
            (Some(Phase::Move), Phase::Sense) => Err("go move: first comes what you sensed".to_owned()),
            _ => Ok(()),
        }
    }

    fn choose(&mut self, _: Go, _: Say) -> Vec<Answer> {
        self.begun = true;
        vec![match self.phase {
            Phase::Sense => Answer::BestSense(self.random.pick(&inner_squares()).copied()),
            Phase::Move => {
                let mut open = Vec::new();
                requests(&alone(&self.men), &mut open);
                let mut open: Vec<Choice> = open.into_iter().map(Choice::Move).collect();
                open.push(Choice::Pass);
                Answer::BestMove(self.random.pick(&open).copied().unwrap_or(Choice::Pass))
            }
        }]
    }

    fn describe(&self) -> Vec<String> {
        let next = match self.phase {
            Phase::Sense => "sense",
            Phase::Move => "move",
        };
        let sensed = self.sensed.as_ref().map_or("-".to_owned(), Window::to_string);
        vec![
            format!("rbc {}, next a {next}", side_word(self.men.color())),
            format!("men {} {}", placement(&self.men), self.men.castling()),
            format!("sensed {sensed}"),
        ]
    }
}
