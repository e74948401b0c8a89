//! Kriegspiel: ordinary chess in which each player sees only her own men, tries moves, and hears from an
//! umpire who sees both boards.
//!
//! [`Ruleset`] is what the umpire says and to whom, [`Announcement`] what he says after a move,
//! [`KriegspielState`] the umpire himself: he answers any [`Try`], possible or not. [`Kriegspiel`] makes a
//! [`scuro_core::Game`] of it, [`Told`] is what a player hears, and [`Position`] what it can work out.

mod announcement;
mod belief;
mod ending;
mod game;
mod legality;
mod nonsense;
mod ruleset;
mod state;
mod tries;
mod view;

pub(crate) use announcement::square_names;
pub use announcement::{Announcement, Capture, CheckKind, Checks, PawnTries, Taken};
pub use belief::Position;
pub(crate) use ending::dead_material;
pub use game::{Kriegspiel, Told};
pub use legality::PawnCaptures;
pub use ruleset::{Ruleset, RulesetError, Stalemate};
pub use state::{Answer, KriegspielState, Question, Refusals, TurnedAway};
pub use tries::Try;
pub use view::KriegspielView;
