//! What a player has been told so far, ply by ply: a record looked at from one side.

use thiserror::Error;

use crate::Variant;
use crate::chess::{Board, Color, Move, Seen, Square, color_name};
use crate::fog::{FogOfWar, View};
use crate::kriegspiel::{self, Answer, Kriegspiel, KriegspielState, OwnMen, TurnedAway};
use crate::outcome::Reason;
use crate::picture::Picture;
use crate::rbc::{self, Phase, Rbc, RbcGame, RbcState};
use crate::records::transcript::ruleset_of;
use crate::records::{Ply, Record};
use crate::umpire::Umpire;

/// Why a record cannot be looked at.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ReviewError {
    /// Fewer plies than asked for.
    #[error("ply {asked}: the record has {plies} plies")]
    Ply {
        /// The ply that was asked for.
        asked: usize,
        /// How many there are.
        plies: usize,
    },
    /// Nothing is hidden, or not by these rules.
    #[error("a record of {0} hides nothing")]
    Variant(Variant),
    /// The record breaks its own rules.
    #[error("{0}")]
    Rules(String),
}

/// What a player knows at some ply.
#[derive(Clone, Debug)]
pub struct Known {
    /// What she was told, one line a message, oldest first.
    pub told: Vec<String>,
    /// What she sees.
    pub picture: Picture,
    /// The board field of what she sees, unseen squares `?`.
    pub placement: String,
    /// The messages as values, for whoever works out what they mean.
    pub messages: Messages,
}

/// What a player was told, as the game's own values.
#[derive(Clone, Debug)]
pub enum Messages {
    /// Fog of War: her views are all she gets.
    Views,
    /// Kriegspiel, with its rules.
    Kriegspiel(Kriegspiel, Vec<kriegspiel::Told>),
    /// Reconnaissance Blind Chess, with its rules.
    Rbc(Rbc, Vec<rbc::Told>),
}

/// What `color` knows after the first `plies` plies of `record`.
///
/// # Errors
/// If the record has fewer plies, hides nothing or breaks its rules.
pub fn known(record: &Record, plies: usize, color: Color) -> Result<Known, ReviewError> {
    if plies > record.plies.len() {
        return Err(ReviewError::Ply { asked: plies, plies: record.plies.len() });
    }
    let shown = &record.plies[..plies];
    let mut known = match record.variant {
        Variant::FogOfWar => fog(record.start, shown, color),
        Variant::Kriegspiel => kriegspiel(record, shown, color),
        Variant::Reconnaissance => rbc(record, shown, color),
        Variant::Chess => Err(ReviewError::Variant(Variant::Chess)),
    }?;
    // What ends a game from outside is told to both.
    let outside = [Reason::Resignation, Reason::Timeout, Reason::Agreement].map(Reason::termination);
    let reason = record.termination.as_deref().filter(|reason| outside.contains(reason));
    if let (Some(reason), true) = (reason, plies == record.plies.len()) {
        known.told.push(format!("the game is over: {}, {reason}", record.result));
    }
    Ok(known)
}

fn title(color: Color) -> String {
    format!("{} knows", color_name(color))
}

fn fog(start: Board, plies: &[Ply], color: Color) -> Result<Known, ReviewError> {
    let mut umpire = Umpire::new(FogOfWar { start });
    let mut told = vec![format!("at the start: {}", umpire.view(color))];
    for ply in plies {
        let Ply::Move(m) = *ply else { return Err(ReviewError::Rules("not a move".to_owned())) };
        let side = umpire.state().board().side();
        umpire.play(side, m).map_err(|refusal| ReviewError::Rules(refusal.to_string()))?;
        let who =
            if side == color { format!("you moved {m}") } else { format!("{} moved", color_name(side)) };
        told.push(format!("{who}: {}", umpire.view(color)));
        told.extend(umpire.outcome().map(|outcome| outcome.to_string()));
    }
    let view = View::of(umpire.state().board(), color);
    let picture = Picture::of_view(&title(color), &view);
    Ok(Known { told, picture, placement: view.placement(), messages: Messages::Views })
}

fn kriegspiel(record: &Record, plies: &[Ply], color: Color) -> Result<Known, ReviewError> {
    let ruleset = ruleset_of(record.tag("Ruleset")).map_err(|error| ReviewError::Rules(error.to_string()))?;
    let rules = Kriegspiel { start: record.start, ruleset };
    let mut state = KriegspielState::new(ruleset, record.start);
    let mut told = vec![format!("at the start: {}", state.announcement())];
    let mut messages = Vec::new();
    for ply in plies {
        let attempt = ply.attempt().ok_or_else(|| ReviewError::Rules("not a try".to_owned()))?;
        let before = state.clone();
        let answer = state.take(attempt);
        match answer {
            // A try that misses an obligation is turned away without a word.
            Answer::TurnedAway(TurnedAway::Obliged) => {}
            Answer::TurnedAway(reason) => return Err(ReviewError::Rules(format!("{attempt}: {reason}"))),
            _ => {}
        }
        if let Some(message) = kriegspiel::Told::of(&before, attempt, answer, color) {
            told.push(kriegspiel_line(&message, ruleset, color));
            messages.push(message);
        }
    }
    let men = OwnMen::of(state.board(), color);
    let seen = |square| men.man_on(square).map_or(Seen::Nothing, |piece| Seen::Man(color, piece));
    let picture = Picture::of_squares(&title(color), color, seen);
    let placement = picture.placement();
    Ok(Known { told, picture, placement, messages: Messages::Kriegspiel(rules, messages) })
}

/// A message of the umpire of Kriegspiel, as `color` hears it.
#[must_use]
fn kriegspiel_line(message: &kriegspiel::Told, ruleset: kriegspiel::Ruleset, color: Color) -> String {
    use kriegspiel::Told;
    let they = color_name(!color);
    let answer = |yes: bool| if yes { "yes" } else { "no" };
    match message {
        Told::MyRefusal { m, nonsense } => format!("you tried {m}: {}", ruleset.refusal(*nonsense)),
        Told::MyQuestion(yes) => format!("you asked \"any?\": {}", answer(*yes)),
        Told::MyMove(m, said) => format!("you moved {m}: {said}"),
        Told::TheirRefusal { nonsense } => format!("a try of {they}: {}", ruleset.refusal(*nonsense)),
        Told::TheirQuestion(yes) => format!("{they} asked \"any?\": {}", answer(*yes)),
        Told::TheirMove(said) => format!("{they} moved: {said}"),
    }
}

fn rbc(record: &Record, plies: &[Ply], color: Color) -> Result<Known, ReviewError> {
    let wrong = |words: String| ReviewError::Rules(words);
    let rules = RbcGame::from_record(record).map_err(|error| wrong(error.to_string()))?.rules;
    let mut state = rules.first();
    let mut told = Vec::new();
    let mut messages = Vec::new();
    for ply in plies {
        let side = state.board().side();
        let done = match *ply {
            Ply::Sense(square) => rules.sense(&mut state, square).map(|_| ()),
            Ply::Move(m) => rules.request(&mut state, Some(m)).map(|_| ()),
            Ply::Pass => rules.request(&mut state, None).map(|_| ()),
            Ply::Any => return Err(wrong("not a sense or a request".to_owned())),
        };
        done.map_err(|error| wrong(error.to_string()))?;
        told.extend(rbc_line(&state, *ply, side, color));
        messages.extend(state.told(color));
    }
    told.extend(state.outcome().map(|outcome| outcome.to_string()));
    let seen = |square| rbc_square(&state, color, square);
    let picture = Picture::of_squares(&title(color), color, seen);
    let placement = picture.placement();
    Ok(Known { told, picture, placement, messages: Messages::Rbc(rules, messages) })
}

/// What `color` knows of a square: her own men, and what her last sense showed as far as nothing since speaks
/// against it. The enemy may have moved in the meantime.
fn rbc_square(state: &RbcState, color: Color, square: Square) -> Seen {
    let own = state.board().man_on(square).filter(|(owner, _)| *owner == color);
    let sensed = state.sensed(color).filter(|sensed| sensed.area().has(square));
    // Her last move came after her last sense, unless she has sensed and not moved yet.
    let to_move = state.phase() == Phase::Move && state.board().side() == color;
    let taken_by_her = state.moved(color).filter(|_| !to_move).and_then(|moved| moved.captured);
    match (own, sensed) {
        (Some((owner, piece)), _) => Seen::Man(owner, piece),
        _ if taken_by_her == Some(square) => Seen::Empty,
        (None, Some(sensed)) if state.notice(color) != Some(square) || to_move => {
            let enemy = sensed.man_on(square).filter(|(owner, _)| *owner != color);
            enemy.map_or(Seen::Empty, |(owner, piece)| Seen::Man(owner, piece))
        }
        _ => Seen::Nothing,
    }
}

/// What `color` is told on arriving at `state` by a ply of `side`; `None` if nothing.
#[must_use]
pub fn rbc_line(state: &RbcState, ply: Ply, side: Color, color: Color) -> Option<String> {
    let name = |m: Option<Move>| m.map_or("nothing".to_owned(), |m| m.to_string());
    match (ply, side == color) {
        (Ply::Sense(None), true) => Some("you sensed nothing".to_owned()),
        (Ply::Sense(Some(square)), true) => {
            state.sensed(color).map(|sensed| format!("you sensed {square}: {sensed}"))
        }
        (Ply::Sense(_) | Ply::Any, _) => None,
        (Ply::Pass, true) => Some("you passed".to_owned()),
        (_, true) => state.moved(color).map(|moved| {
            let made = match (moved.requested, moved.taken) {
                (asked, made) if asked == made => format!("you moved {}", name(made)),
                (asked, None) => format!("you asked for {}: no move could be made of it", name(asked)),
                (asked, made) => format!("you asked for {}: {} was made", name(asked), name(made)),
            };
            made + &moved.captured.map_or(String::new(), |square| format!(", you captured on {square}"))
        }),
        // The end of the game comes before the notice.
        (_, false) if state.outcome().is_some() => None,
        (_, false) => Some(match state.notice(color) {
            Some(square) => format!("{}'s turn: your man on {square} was captured", color_name(side)),
            None => format!("{}'s turn: nothing of yours was captured", color_name(side)),
        }),
    }
}
