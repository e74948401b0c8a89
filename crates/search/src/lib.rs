//! The search, for any game. It never names chess.
//!
//! The steps of a move decision: [`belief`], the positions that may be true, how likely they are ([`weigh`]), and how
//! lost ones are found again ([`refill`]); [`knowledge`], what one player knows that
//! the other knows; [`carry`], last turn's tree limited to that; [`subgame`], the tree of this turn, with its root, the
//! [`gadget`]; [`solve`] and [`grow`] (guided by [`explore`]), which [`agent`] runs at once; [`choose`], the action that is
//! played. Below them are [`tree`], a game written out ([`size`] estimates how large that is), and [`strategy`], what
//! players do there. For small games [`measure`] tells how good a strategy is and [`exact`] finds the best; [`observable`]
//! makes strategies from the game with nothing hidden; with [`names`] a strategy becomes a [`strategy_file`]. [`klss`] is another player, which solves its trunk exactly;
//! [`certain`] finds plans that win whatever is true.

pub mod agent;
pub mod belief;
pub mod carry;
pub mod certain;
pub mod choose;
pub mod exact;
pub mod explore;
pub mod gadget;
pub mod grow;
pub mod klss;
pub mod knowledge;
pub mod measure;
pub mod names;
pub mod observable;
pub mod refill;
mod regret;
mod report;
mod response;
mod settings;
pub mod size;
pub mod solve;
pub mod strategy;
pub mod strategy_file;
pub mod subgame;
mod thin;
mod think;
pub mod tree;
pub mod weigh;
