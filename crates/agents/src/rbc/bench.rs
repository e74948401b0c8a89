//! How fast the players of this game fill their matrix and follow the opponent's turns.

use scuro_games::chess::Color;
use scuro_games::dark::DarkGame;
use scuro_games::player_of;
use scuro_games::rbc::{Rbc, RbcView};
use scuro_games::records::Ply;
use scuro_games::umpire::Umpire;

use super::matrix::Row;
use super::pool::{Pool, Step};
use super::scout::{MOST_BOARDS, MOST_CAREFUL, Values, requests};
use super::turns::{PRIOR, Typed};
use crate::bench::Measured;
use crate::name::Eval;
use crate::player::{Leaves, Playable};

/// Boards whose rows are filled.
const ROWS: usize = 2_000;

/// Boards before the turn that is followed, and how many follow at least.
const NOTICED: usize = 100_000;
const FOLLOWING: usize = 1_000_000;

/// Threads that follow it.
const THREADS: usize = 2;

/// White's boards in the course of a history.
struct Followed {
    rules: Rbc,
    umpire: Umpire<Rbc>,
    pool: Pool,
    leaves: Vec<Values>,
}

impl Followed {
    fn new() -> Option<Followed> {
        let rules = Rbc::default();
        let evaluators = Eval::Net.evaluators(THREADS, rules.value_rules()).ok()?;
        let first = scuro_core::Positions::position(&rules, &rules.first());
        Some(Followed {
            rules,
            umpire: Umpire::new(rules),
            pool: Pool::certain(first, PRIOR, MOST_BOARDS, 1),
            leaves: evaluators.into_iter().map(Leaves::new).collect(),
        })
    }

    /// Plays a ply of a record, and follows it with care on so many boards.
    fn play(&mut self, ply: &str, careful: usize) -> Option<()> {
        let (color, mover) = (Color::White, self.umpire.turn()?);
        let action = Rbc::action(ply.parse::<Ply>().ok()?)?;
        self.umpire.play(mover, action).ok()?;
        let own = (mover == color).then_some(action);
        let step = Step { player: player_of(color), own, told: self.umpire.told(color)? };
        let mut turns: Vec<_> =
            self.leaves.iter_mut().map(|leaves| Typed::new(&self.rules, leaves)).collect();
        self.pool.advance(&self.rules, step, &mut turns, careful).ok()
    }
}

/// Child values a second of one thread, over boards that White holds possible after a history.
pub(crate) fn matrix_values(history: &str, clock: impl Fn() -> f64) -> Option<Measured> {
    let mut followed = Followed::new()?;
    history.split_whitespace().try_for_each(|ply| followed.play(ply, 0))?;
    let view: RbcView = *followed.umpire.seat(Color::White).view();
    let requests = requests(&followed.rules, &view);
    let begun = clock();
    let boards = followed.pool.held().iter().take(ROWS).map(|held| held.board());
    // The board itself is valued too, and is no child.
    let values: usize =
        boards.map(|board| Row::of(board, &requests, &mut followed.leaves[0]).valued() - 1).sum();
    Some(("matrix_values", values as f64 / (clock() - begun), "/s"))
}

/// Milliseconds for a turn of the opponent that takes a hundred thousand boards to a million, as many of them followed with
/// care as players do at most, on a history in which little is seen.
pub(crate) fn notice(history: &str, clock: impl Fn() -> f64) -> Option<Measured> {
    let mut followed = Followed::new()?;
    for ply in history.split_whitespace() {
        let theirs = followed.umpire.turn()? == Color::Black;
        if theirs && ply != "-" && followed.pool.held().len() >= NOTICED {
            followed.pool.limit(NOTICED);
            followed.pool.limit(MOST_BOARDS);
            let begun = clock();
            followed.play(ply, MOST_CAREFUL)?;
            let taken = 1e3 * (clock() - begun);
            return (followed.pool.held().len() >= FOLLOWING).then_some(("notice_1000000", taken, "ms"));
        }
        followed.play(ply, 0)?;
    }
    None
}
