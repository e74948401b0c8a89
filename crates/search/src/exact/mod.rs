//! Exact solutions of games small enough to be written out, by linear programming.
//!
//! [`sequence_form`] is the matrix of a game and its program; [`ground`] tells for every node what both players
//! know there and how likely it is; [`subgame`] cuts a part out of a game and gives it a gadget; [`nested`] plays
//! a game that way, infoset after infoset. [`matrix`] is a game as a bare matrix that finds what both sides play, and
//! [`fold`] makes it small first.

pub mod fold;
pub mod ground;
pub mod matrix;
pub mod nested;
pub mod oracle;
pub mod sequence_form;
pub mod subgame;

use scuro_core::Player;

pub use matrix::LinearError;
use sequence_form::{Entry, SequenceForm, TieBreak};

use crate::strategy::Strategy;
use crate::tree::Tree;

/// An equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// The value of the game to player one.
    pub value: f64,
    /// The strategies of both players.
    pub strategy: Strategy,
}

/// Returns an equilibrium of the game.
///
/// # Errors
/// If the linear program cannot be solved.
pub fn equilibrium(tree: &Tree) -> Result<Equilibrium, LinearError> {
    let (value, mut strategy) = best_plan(tree, Player::One, |_| 0.0, TieBreak::Vertex)?;
    SequenceForm::whole(tree, Player::Two)
        .solve(Entry::Maxmargin, |_| 0.0, TieBreak::Vertex)?
        .write(&mut strategy);
    Ok(Equilibrium { value, strategy })
}

/// Returns the best worst case of `player`, as a value to player one, and a strategy that has it, if it plays every
/// action at least as often as `least` says of its slot (0 is no bound). The other player's part of it is uniform.
///
/// # Errors
/// If the linear program cannot be solved, as when the bounds of an infoset sum to more than one.
pub fn best_plan(
    tree: &Tree,
    player: Player,
    least: impl Fn(usize) -> f64,
    tie_break: TieBreak,
) -> Result<(f64, Strategy), LinearError> {
    let plan = SequenceForm::whole(tree, player).solve(Entry::Maxmargin, least, tie_break)?;
    let mut strategy = Strategy::uniform(tree);
    plan.write(&mut strategy);
    Ok((if player == Player::One { plan.value } else { -plan.value }, strategy))
}
