//! Matches: who is stronger, and by how much.
//!
//! From the bottom up: [`control`] is what a move may cost, [`openings`] where games start, [`settings`] what a match
//! is; [`game`] plays one game under the umpire, [`mod@line`] is what is kept of it, [`folder`] where ([`lines`]), [`packed`] for a
//! repository; [`runner`] plays games, [`contest`] those of a match that are missing, [`merge`] joins shards; [`statistics`] and
//! [`sprt`] say what the games are worth, [`summary`] in words, numbers and a picture, [`pgn`] the games themselves.
//! [`league`] is many agents and their [`ratings`], [`grid`] a recorded one as tables, [`experiments`] the matches behind what
//! is claimed, [`report`] their tables. [`beliefs`] and [`stats`] are measured on recorded games. [`tune`] lets
//! weights evolve by matches.

pub mod beliefs;
pub mod contest;
pub mod control;
pub mod experiments;
pub mod folder;
pub mod game;
pub mod grid;
pub mod league;
pub mod line;
pub mod lines;
pub mod merge;
pub mod openings;
pub mod packed;
pub mod pgn;
pub mod ratings;
pub mod report;
pub mod runner;
pub mod settings;
pub mod sprt;
pub mod statistics;
pub mod stats;
pub mod summary;
pub mod tune;
