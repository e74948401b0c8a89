//! What a player has been told so far, ply by ply: a record looked at from one side.

use thiserror::Error;

use crate::chess::{Color, color_name};
use crate::dark::{DarkGame, Rules};
use crate::outcome::Reason;
use crate::picture::Picture;
use crate::records::Record;
use crate::umpire::Umpire;
use crate::with_game;

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
    /// Fewer plies that the player noticed than asked for.
    #[error("ply {asked}: {} noticed {plies} plies", color_name(*.color))]
    Noticed {
        /// The ply that was asked for.
        asked: usize,
        /// Who.
        color: Color,
        /// How many it noticed.
        plies: usize,
    },
    /// The record breaks its own rules, or hides nothing.
    #[error("{0}")]
    Rules(String),
}

/// How much of a record is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upto {
    /// All of it.
    End,
    /// So many plies.
    Ply(usize),
    /// So many plies that this player noticed.
    Noticed(Color, usize),
}

/// What a player knows at some ply.
#[derive(Clone, Debug)]
pub struct Known {
    /// What it was told, one line a message, oldest first.
    pub told: Vec<String>,
    /// What it knows of the board.
    pub picture: Picture,
    /// The board field of that, unseen squares `?`.
    pub placement: String,
}

/// The umpire of a record, as far as it is looked at.
///
/// # Errors
/// If the record has fewer plies or breaks its rules.
pub fn replay<G: DarkGame>(game: &G, record: &Record, upto: Upto) -> Result<Umpire<G>, ReviewError> {
    replay_counting(game, record, upto).map(|(umpire, _)| umpire)
}

/// [`replay`], and the number of plies of the record that were looked at, those that are passed over too.
fn replay_counting<G: DarkGame>(
    game: &G,
    record: &Record,
    upto: Upto,
) -> Result<(Umpire<G>, usize), ReviewError> {
    let mut umpire = Umpire::new(game.clone());
    let (plies, mut looked_at) = (record.plies.len(), 0);
    let most = match upto {
        Upto::Ply(asked) if asked > plies => return Err(ReviewError::Ply { asked, plies }),
        Upto::Ply(asked) => asked,
        Upto::End | Upto::Noticed(..) => plies,
    };
    for ply in &record.plies[..most] {
        if let Upto::Noticed(color, asked) = upto
            && umpire.seat(color).heard().len() == asked
        {
            break;
        }
        let wrong = |words: String| ReviewError::Rules(format!("{ply}: {words}"));
        let action = G::action(*ply).ok_or_else(|| wrong("it is of another game".to_owned()))?;
        let Some(side) = umpire.turn() else { return Err(wrong("the game is over".to_owned())) };
        if !game.passes_over(umpire.state(), action) {
            umpire.play(side, action).map_err(|refusal| wrong(refusal.to_string()))?;
        }
        looked_at += 1;
    }
    match upto {
        Upto::Noticed(color, asked) if umpire.seat(color).heard().len() < asked => {
            Err(ReviewError::Noticed { asked, color, plies: umpire.seat(color).heard().len() })
        }
        _ => Ok((umpire, looked_at)),
    }
}

/// What `color` knows at some ply of a record.
///
/// # Errors
/// If the record has fewer plies, hides nothing or breaks its rules.
pub fn known(record: &Record, upto: Upto, color: Color) -> Result<Known, ReviewError> {
    let rules = Rules::of(record).map_err(ReviewError::Rules)?;
    with_game!(rules, game => known_of(&game, record, upto, color))
}

fn known_of<G: DarkGame>(game: &G, record: &Record, upto: Upto, color: Color) -> Result<Known, ReviewError> {
    let (umpire, looked_at) = replay_counting(game, record, upto)?;
    let seat = umpire.seat(color);
    let mut told = game.opening_sentence(color).into_iter().collect::<Vec<_>>();
    for heard in seat.heard() {
        told.extend(game.sentences(color, heard.own, &heard.told));
    }
    // What ends a game from outside is told to both.
    let outside = [Reason::Resignation, Reason::Timeout, Reason::Agreement].map(Reason::termination);
    let reason = record.termination.as_deref().filter(|reason| outside.contains(reason));
    if let (Some(reason), true) = (reason, looked_at == record.plies.len()) {
        told.push(format!("the game is over: {}, {reason}", record.result));
    }
    let picture = G::picture(seat.view(), &format!("{} knows", color_name(color)));
    let placement = picture.placement();
    Ok(Known { told, picture, placement })
}
