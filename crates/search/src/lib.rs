//! The search, for any game. It never names chess.
//!
//! The steps of a move decision: [`belief`], what a player can work out; [`knowledge`], what one player knows that the
//! other knows; [`carry`], last turn's tree limited to that, and [`gadget`], its new root; [`solve`] and [`grow`] (where:
//! [`explore`]), which [`agent`] lets run at once; [`choose`], what is played. Below them [`tree`], a game written out ([`size`] tells
//! beforehand how large that is), and [`strategy`], what players do there. For small games [`measure`] tells how good
//! that is and [`exact`] what cannot be done better; with [`names`] a strategy becomes a [`strategy_file`]. [`klss`] is
//! another player, which solves its trunk exactly.

pub mod agent;
pub mod belief;
pub mod carry;
pub mod choose;
pub mod exact;
pub mod explore;
pub mod gadget;
pub mod grow;
pub mod klss;
pub mod knowledge;
pub mod measure;
pub mod names;
mod regret;
mod report;
mod response;
mod settings;
pub mod size;
pub mod solve;
pub mod strategy;
pub mod strategy_file;
pub mod subgame;
mod think;
pub mod tree;
