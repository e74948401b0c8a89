//! Gambit's `.efg` files: any two-player zero-sum game with perfect recall, as the literature writes its trees.
//!
//! [`read`] turns a text into a [`TreeGame`], which is played and solved like any other game; [`write()`] turns any
//! game that is small enough into a text. The format: a line of `EFG 2 R "title" { "player" "player" }`, a comment
//! if one likes, and then the nodes of the tree, parents before children, first children first:
//!
//! ```text
//! c "name" 1 "infoset" { "heads" 1/2 "tails" 1/2 } 0
//! p "name" 1 1 "infoset" { "call" "fold" } 0
//! t "name" 1 "outcome" { 1, -1 }
//! ```
//!
//! A player's node names the player and her infoset, and a terminal node its outcome. An infoset or an outcome is
//! described where it first appears; later its number is enough.

mod check;
mod read;
mod token;
mod tree;
mod write;

pub use read::read;
pub use token::{EfgError, EfgErrorKind, InfosetName};
pub use tree::{Branch, NodeId, TreeGame};
pub use write::write;
