//! What lines are made of: how long to think, what is chosen, what a sense shows.

use std::fmt;
use std::time::Duration;

use scuro_games::Variant;
use scuro_games::chess::{BitBoard, Color, Move, Piece, Square, letter, piece_attacks};
use scuro_games::kriegspiel::Try;
use scuro_games::rbc::{Phase, Sensed};

use super::LineError;
use crate::contestant::Allowance;

/// The word of `UCI_Variant` for a game.
#[must_use]
pub fn variant_word(variant: Variant) -> &'static str {
    match variant {
        Variant::Chess => "chess",
        Variant::FogOfWar => "fogofwar",
        Variant::Kriegspiel => "kriegspiel",
        Variant::Reconnaissance => "rbc",
    }
}

/// What a player of any of the games does at a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A move, a try or a request.
    Move(Move),
    /// The question "any?" of Kriegspiel.
    Any,
    /// No move: only in RBC.
    Pass,
}

/// UCI; `any?`; and UCI's null move for a pass.
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Move(m) => m.fmt(f),
            Choice::Any => f.write_str("any?"),
            Choice::Pass => f.write_str("0000"),
        }
    }
}

impl Choice {
    pub(super) fn parse(word: &str) -> Result<Choice, LineError> {
        match word {
            "any?" | "any" => Ok(Choice::Any),
            _ if is_none(word) => Ok(Choice::Pass),
            _ => word.parse().map(Choice::Move).map_err(LineError::refused),
        }
    }
}

impl From<Option<Move>> for Choice {
    fn from(request: Option<Move>) -> Choice {
        request.map_or(Choice::Pass, Choice::Move)
    }
}

impl From<Try> for Choice {
    fn from(attempt: Try) -> Choice {
        match attempt {
            Try::Move(m) => Choice::Move(m),
            Try::Any => Choice::Any,
        }
    }
}

/// Whether a word stands for nothing. Written is `0000` for a move and `-` for a square; the rest is read.
fn is_none(word: &str) -> bool {
    matches!(word, "0000" | "-" | "--" | "pass" | "null" | "none")
}

/// A square, or `-`.
pub(super) fn square(word: &str) -> Result<Option<Square>, LineError> {
    match word {
        _ if is_none(word) => Ok(None),
        _ => word.parse().map(Some).map_err(|_| LineError::part("a square", word)),
    }
}

/// A square as it is written.
pub(super) fn square_word(square: Option<Square>) -> String {
    square.map_or("-".to_owned(), |square| square.to_string())
}

/// `go`: what to choose, and for how long to think.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// In RBC what to choose: a sense, or a move.
    pub phase: Option<Phase>,
    /// For how long; without one as long as the program likes.
    pub limit: Option<Allowance>,
}

/// Nobody thinks longer, and sums of such times do not overflow.
const LONGEST_TIME: u64 = 366 * 24 * 3600 * 1000;

/// For so long a program of ours thinks that is not told for how long.
const USUAL_TIME: Duration = Duration::from_secs(1);

const GO: &str =
    "go [sense|move] [movetime MS | [wtime MS [winc MS]] [btime MS [binc MS]] | nodes N | infinite]";

impl Go {
    /// What a player of `color` is allowed. Clocks of which none is its own are no limit.
    #[must_use]
    pub fn allowance(self, color: Color) -> Allowance {
        match self.limit {
            Some(Allowance::Clock { left, .. }) if left[color as usize].is_none() => {
                Allowance::Time(USUAL_TIME)
            }
            limit => limit.unwrap_or(Allowance::Time(USUAL_TIME)),
        }
    }

    /// Whether only `stop` ends it.
    #[must_use]
    pub fn endless(self) -> bool {
        self.limit == Some(Allowance::Endless)
    }

    pub(super) fn parse(words: &[&str]) -> Result<Go, LineError> {
        let (phase, words) = match words {
            ["sense", rest @ ..] => (Some(Phase::Sense), rest),
            ["move", rest @ ..] => (Some(Phase::Move), rest),
            rest => (None, rest),
        };
        let limit = match words {
            [] => None,
            ["infinite"] => Some(Allowance::Endless),
            ["movetime", time] => Some(Allowance::Time(milliseconds(time)?)),
            ["nodes", nodes] => Some(Allowance::Nodes(count(nodes)?)),
            _ => Some(clock(words)?),
        };
        Ok(Go { phase, limit })
    }
}

fn clock(words: &[&str]) -> Result<Allowance, LineError> {
    let mut times = [None; 4];
    let (pairs, []) = words.as_chunks::<2>() else { return Err(LineError::Shape(GO)) };
    for [key, value] in pairs {
        let place = ["wtime", "btime", "winc", "binc"].iter().position(|known| known == key);
        let Some(place) = place.filter(|&place| times[place].is_none()) else {
            return Err(LineError::Shape(GO));
        };
        times[place] = Some(milliseconds(value)?);
    }
    let [white, black, winc, binc] = times;
    // An increment needs a clock that it is added to, and there is at least one.
    let clockless =
        |left: Option<Duration>, increment: Option<Duration>| left.is_none() && increment.is_some();
    if white.or(black).is_none() || clockless(white, winc) || clockless(black, binc) {
        return Err(LineError::Shape(GO));
    }
    Ok(Allowance::Clock { left: [white, black], increment: [winc, binc].map(Option::unwrap_or_default) })
}

/// A time. A clock may be past its end: that is no time left.
fn milliseconds(word: &str) -> Result<Duration, LineError> {
    let number: i64 = word.parse().map_err(|_| LineError::part("a time in milliseconds", word))?;
    Ok(Duration::from_millis(number.max(0).unsigned_abs().min(LONGEST_TIME)))
}

fn count(word: &str) -> Result<usize, LineError> {
    let number = word.parse().ok().filter(|&number| number > 0 && !word.starts_with('+'));
    number.ok_or_else(|| LineError::part("a number of nodes", word))
}

impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Allowance::Time(time) => write!(f, "movetime {}", whole(*time)),
            Allowance::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Allowance::Clock { left, increment } => {
                let increment = [0, 1].map(|side| left[side].map(|_| increment[side]));
                let times = ["wtime", "btime", "winc", "binc"].iter().zip(left.iter().chain(&increment));
                let told = times.filter_map(|(word, time)| time.map(|time| (word, whole(time))));
                for (i, (word, time)) in told.enumerate() {
                    write!(f, "{}{word} {time}", if i == 0 { "" } else { " " })?;
                }
                Ok(())
            }
            Allowance::Endless => f.write_str("infinite"),
        }
    }
}

/// Milliseconds; a part of one is one, for no time at all is something else.
fn whole(time: Duration) -> u128 {
    time.as_nanos().div_ceil(1_000_000)
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        match self.phase {
            Some(Phase::Sense) => f.write_str(" sense")?,
            Some(Phase::Move) => f.write_str(" move")?,
            None => {}
        }
        self.limit.map_or(Ok(()), |limit| write!(f, " {limit}"))
    }
}

/// What a sense shows: the square that was named, and the men on it and beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The square that was named; `None` if nothing was sensed.
    pub square: Option<Square>,
    /// The squares that were shown, each with its man.
    pub men: Vec<(Square, Option<(Color, Piece)>)>,
}

impl From<&Sensed> for Window {
    fn from(sensed: &Sensed) -> Window {
        Window { square: sensed.square(), men: sensed.squares().collect() }
    }
}

impl Window {
    pub(super) fn parse(words: &[&str]) -> Result<Window, LineError> {
        if words.is_empty() || matches!(words, [word] if is_none(word)) {
            return Ok(Window { square: None, men: Vec::new() });
        }
        let men = words.iter().map(|word| man(word)).collect::<Result<Vec<_>, _>>()?;
        let shown = men.iter().fold(BitBoard::EMPTY, |shown, (square, _)| shown | square.bitboard());
        let square = Square::ALL.into_iter().find(|&square| area(square) == shown);
        match square {
            Some(square) if men.len() == shown.len() as usize => Ok(Window { square: Some(square), men }),
            _ => Err(LineError::part("a square with its neighbours", &words.join(" "))),
        }
    }
}

/// A square and its neighbours.
fn area(square: Square) -> BitBoard {
    piece_attacks(Piece::King, square, BitBoard::EMPTY) | square.bitboard()
}

/// `a2=P`, `b1=.`.
fn man(word: &str) -> Result<(Square, Option<(Color, Piece)>), LineError> {
    let wrong = || LineError::part("a square and what stands on it, as in e4=P or e4=.", word);
    let (square, man) = word.split_once('=').ok_or_else(wrong)?;
    let square = square.parse().map_err(|_| wrong())?;
    if man == "." {
        return Ok((square, None));
    }
    let men = Color::ALL.into_iter().flat_map(|color| Piece::ALL.map(|piece| (color, piece)));
    let known = men.into_iter().find(|&(color, piece)| man == letter(piece, color).to_string());
    Ok((square, Some(known.ok_or_else(wrong)?)))
}

/// `a2=P b2=P a1=R b1=.`, or `-`.
impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.men.is_empty() {
            return f.write_str("-");
        }
        for (i, (square, man)) in self.men.iter().enumerate() {
            let gap = if i == 0 { "" } else { " " };
            write!(f, "{gap}{square}={}", man.map_or('.', |(color, piece)| letter(piece, color)))?;
        }
        Ok(())
    }
}
