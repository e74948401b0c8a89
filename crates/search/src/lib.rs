//! The search, for any game. It never names chess.
//!
//! Now here: [`belief`], what a player can work out; [`knowledge`], what one player knows that the other knows;
//! [`tree`], a game written out ([`size`] tells beforehand how large that is), [`strategy`], what players do there,
//! and [`measure`], how good that is; [`solve`], how to do better; [`exact`], what cannot be done better. With
//! [`names`] a strategy becomes a [`strategy_file`]. The other steps of a move decision will stand beside them.

pub mod agent;
pub mod belief;
pub mod carry;
pub mod choose;
pub mod exact;
pub mod gadget;
pub mod grow;
pub mod knowledge;
pub mod measure;
pub mod names;
pub mod size;
pub mod solve;
pub mod strategy;
pub mod strategy_file;
pub mod tree;
