//! `zs21`: the dark chess player of *Subgame solving without common knowledge*, appendix D and algorithm 15.
//!
//! The search is [`scuro_search::klss`], which says how it reads the paper. What is of Fog of War is here: the exact
//! belief, which moves are interesting, and the evaluation, which is that
//! of our own player. Draws are capped as there. The strategy is sampled as it was solved.

use std::time::Instant;

use scuro_core::Random;
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Board, Color, Move};
use scuro_games::fog::{FogOfWar, View};
use scuro_games::player_of;
use scuro_search::agent::Budget;
use scuro_search::klss::{Insight, Klss, Report, Tuning};

use crate::contestant::{Allowance, Contestant, Fault, Notes};
use crate::fog::{Fog, Leaves, Position};
use crate::name::{Eval, EvalError};
use crate::watch::{Watch, notes, sample};

/// Positions are the same if the boards are; captures, checks and promotions are looked at first.
impl<E: Evaluator> Insight<Fog> for Leaves<E> {
    type Place = Board;

    fn place(&self, position: &Position) -> Board {
        position.board
    }

    fn forcing(&self, _: &Fog, position: &Position, m: Move) -> bool {
        let board = &position.board;
        let gives_check = || board.play(m).in_check(!board.side());
        board.captured_by(m).is_some() || m.promotion().is_some() || gives_check()
    }
}

/// The player.
pub struct Zs21 {
    watch: Watch,
    klss: Klss<Fog>,
    leaves: Leaves<Box<dyn Evaluator + Send>>,
    random: Random,
    report: Option<Report<Move>>,
}

impl Zs21 {
    /// At the start of a game that begins with a position known to both.
    ///
    /// # Errors
    /// If there is no such evaluator.
    pub fn new(start: Board, color: Color, eval: &Eval, seed: u64) -> Result<Zs21, EvalError> {
        let evaluator = eval.evaluators(1)?.remove(0);
        Ok(Zs21 {
            watch: Watch::new(start, color, seed),
            klss: Klss::new(player_of(color), Tuning { seed, ..Tuning::default() }),
            leaves: Leaves::new(evaluator),
            random: Random::new(seed),
            report: None,
        })
    }

    /// What she has seen.
    #[must_use]
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// What came of her last turn: rounds completed, nodes and more.
    #[must_use]
    pub fn report(&self) -> Option<&Report<Move>> {
        self.report.as_ref()
    }

    /// She sees this after a ply; `own` is her move, if the ply was hers.
    pub fn look(&mut self, own: Option<Move>, view: &View) {
        self.watch.see(own, view);
        self.klss.see(self.watch.key());
    }

    /// Her choice among these moves.
    pub fn think(&mut self, moves: &[Move], budget: Budget) -> Move {
        let since = Instant::now();
        let Zs21 { watch, klss, leaves, .. } = self;
        let budget = watch.budget(budget);
        let (game, key, believed) = (watch.game(), watch.key(), watch.belief().positions().len());
        let fresh = klss.prepare(&game, leaves, key, believed, |known, wanted, leaves| {
            watch.fresh(known, wanted, leaves)
        });
        self.report = fresh.and_then(|trunk| klss.solve(&game, leaves, trunk, budget, since));
        let strategy = self.report.as_ref().map(|report| &report.strategy[..]).unwrap_or_default();
        sample(strategy, moves, &mut self.random)
    }
}

impl Contestant<FogOfWar> for Zs21 {
    fn see(&mut self, own: Option<Move>, view: &View) {
        self.look(own, view);
    }

    fn choose(&mut self, moves: &[Move], allowance: Allowance) -> Result<Move, Fault> {
        Ok(self.think(moves, allowance.budget(self.watch.game().me)))
    }

    fn notes(&self) -> Notes {
        notes(self.report.as_ref(), &self.watch)
    }
}
