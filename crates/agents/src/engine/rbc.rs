//! Reconnaissance Blind Chess: random senses, and random requests of what her own men can do.

use scuro_core::Random;
use scuro_games::chess::{Board, Color, File, Piece, Rank, Square};
use scuro_games::kriegspiel::OwnMen;
use scuro_games::rbc::{Moved, Phase, requests};

use super::options::Options;
use super::seat::{Heard, Seat, alone, foreign, placement, side_word};
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
            let asked = moved.requested.is_some_and(|requested| requested.from() == m.from());
            let piece = self.men.man_on(m.from());
            let pawn = piece == Some(Piece::Pawn);
            let last = m.to().rank() == Rank::Eighth.relative_to(self.men.color());
            if !asked || piece.is_none() || self.men.all().has(m.to()) {
                return Err(format!("moved: you cannot have made {m}"));
            }
            if m.promotion().is_some() != (pawn && last) {
                return Err(format!(
                    "moved: a pawn that reaches the last rank becomes something, and no other man: {m}"
                ));
            }
            self.men = self.men.moved(m);
        } else if let Some(square) = moved.captured {
            return Err(format!("moved: nothing moved, and nothing was captured on {square}"));
        }
        self.phase = Phase::Sense;
        Ok(())
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

    fn choose(&mut self, _: Go) -> Vec<Answer> {
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
