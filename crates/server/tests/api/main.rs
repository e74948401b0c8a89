//! The promises of the server, over real connections.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod abuse;
mod crash;
mod games;
mod load;
mod pairs;
mod secrecy;
mod support;
