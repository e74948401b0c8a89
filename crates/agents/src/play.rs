//! The one place where the umpire plays and the players are told.

use scuro_games::chess::Color;
use scuro_games::umpire::{Refusal, Umpire, Umpired};
use thiserror::Error;

use crate::contestant::{Allowance, Contestant, Fault};

/// Why there was no ply.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Foul {
    /// The side to move did not choose.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The umpire refuses what it chose.
    #[error(transparent)]
    Refusal(#[from] Refusal),
}

/// One ply: the side to move chooses, the umpire plays, and both see what came of it. White is the first of the two.
///
/// # Errors
/// If the game is over, nothing is chosen, or the umpire refuses it.
pub fn ply<G: Umpired>(
    umpire: &mut Umpire<G>,
    contestants: [&mut dyn Contestant<G>; 2],
    allowance: Allowance,
) -> Result<G::Action, Foul> {
    let Some(side) = umpire.turn() else {
        return Err(umpire.outcome().map_or(Refusal::Action("nothing".to_owned()), Refusal::Over).into());
    };
    let action = contestants[side as usize].choose(&umpire.choices(), allowance)?;
    umpire.play(side, action)?;
    tell(umpire, side, action, contestants);
    Ok(action)
}

/// Tells both what came of an action of `side` that the umpire has just taken.
pub fn tell<G: Umpired>(
    umpire: &Umpire<G>,
    side: Color,
    action: G::Action,
    contestants: [&mut dyn Contestant<G>; 2],
) {
    for (color, contestant) in Color::ALL.into_iter().zip(contestants) {
        tell_one(umpire, color, side, action, contestant);
    }
}

/// Tells one of them, who plays `color`.
pub fn tell_one<G: Umpired>(
    umpire: &Umpire<G>,
    color: Color,
    side: Color,
    action: G::Action,
    contestant: &mut dyn Contestant<G>,
) {
    match (umpire.outcome(), umpire.told(color)) {
        (Some(outcome), _) => contestant.over(outcome),
        (None, Some(told)) => contestant.see((color == side).then_some(action), told),
        (None, None) => {}
    }
}
