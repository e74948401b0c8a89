//! A player that finds exact equilibria of a small trunk: the shell that `zs21` and `baseline` share. They differ in what
//! they do with the trunk of a turn.

use std::time::Instant;

use scuro_core::Random;
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Board, Color, Move};
use scuro_games::fog::{FogOfWar, Told};
use scuro_games::player_of;
use scuro_search::agent::Budget;
use scuro_search::exact::sequence_form::Entry;
use scuro_search::klss::{Insight, Klss, Report, Trunk, Tuning};

use crate::contestant::{Allowance, Contestant, Fault, Notes};
use crate::name::{Eval, EvalError};
use crate::player::{Believer, Imagined, Leaves, Playable, Supposed, sample};

/// Fog of War as rivals search it.
pub(crate) type Fog = Imagined<FogOfWar>;
/// A state of it.
pub(crate) type Position = Supposed<FogOfWar>;

/// The most positions that a belief keeps.
const MOST_POSITIONS: usize = 4_000_000;

/// What a rival values positions with.
pub(crate) type Values = Leaves<Box<dyn Evaluator + Send>>;

/// From the trunk of a turn to a strategy, in a budget that counts from then on.
pub(crate) type Solve =
    fn(&mut Klss<Fog>, &Fog, &mut Values, Trunk<Fog>, Budget, Instant) -> Option<Report<Move>>;

/// The player.
pub struct Rival {
    believer: Believer<FogOfWar>,
    klss: Klss<Fog>,
    leaves: Values,
    random: Random,
    report: Option<Report<Move>>,
    solve: Solve,
}

impl Rival {
    /// At the start of a game that begins with a position known to both.
    pub(crate) fn new(
        game: FogOfWar,
        color: Color,
        eval: &Eval,
        seed: u64,
        solve: Solve,
    ) -> Result<Rival, EvalError> {
        Ok(Rival {
            believer: Believer::new(game, color, seed, MOST_POSITIONS, 1),
            klss: Klss::new(player_of(color), Tuning { seed, ..Tuning::default() }),
            leaves: Leaves::new(eval.evaluators(1, game.value_rules())?.remove(0)),
            random: Random::new(seed),
            report: None,
            solve,
        })
    }

    /// What it knows.
    #[must_use]
    pub fn believer(&self) -> &Believer<FogOfWar> {
        &self.believer
    }

    /// What came of its last turn: rounds completed, nodes and more.
    #[must_use]
    pub fn report(&self) -> Option<&Report<Move>> {
        self.report.as_ref()
    }

    /// Its choice among these moves.
    fn think(&mut self, moves: &[Move], budget: Budget) -> Move {
        let since = Instant::now();
        let Rival { believer, klss, leaves, .. } = self;
        let budget = match believer.budget(budget) {
            // A twentieth is for coming to an end.
            Budget::Time(time) => Budget::Time(time - time / 20),
            budget => budget,
        };
        let (game, key) = (believer.game().clone(), believer.key());
        let believed = believer.belief().positions().len();
        let trunk = klss.prepare(&game, leaves, key, believed, |known, wanted, leaves| {
            believer.fresh(known, wanted, leaves).fresh
        });
        self.report = trunk.and_then(|trunk| (self.solve)(klss, &game, leaves, trunk, budget, since));
        let strategy = self.report.as_ref().map(|report| &report.strategy[..]).unwrap_or_default();
        sample(strategy, moves, &mut self.random)
    }
}

impl Contestant<FogOfWar> for Rival {
    fn see(&mut self, own: Option<Move>, told: &Told) {
        // What nobody can be told changes nothing.
        let _ = self.believer.see(own, told, |_| true, std::slice::from_mut(&mut self.leaves));
        self.klss.see(self.believer.key());
    }

    fn choose(&mut self, moves: &[Move], allowance: Allowance) -> Result<Move, Fault> {
        Ok(self.think(moves, allowance.budget(self.believer.seat().color())))
    }

    fn notes(&self) -> Notes {
        let belief = Some(self.believer.belief().positions().len());
        let Some(report) = &self.report else { return Notes { belief, ..Notes::default() } };
        let best = report.strategy.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        Notes {
            value: Some(report.value),
            belief,
            nodes: Some(report.nodes),
            rounds: Some(report.rounds),
            resolving: Some(report.entry == Entry::Resolve),
            line: best.map(|(m, _)| m.to_string()).into_iter().collect(),
            ..Notes::default()
        }
    }
}

/// Positions are the same if the boards are; captures, checks and promotions are looked at first.
impl<E: Evaluator> Insight<Fog> for Leaves<E> {
    type Place = Board;

    fn place(&self, position: &Position) -> Board {
        *position.state.board()
    }

    fn forcing(&self, _: &Fog, position: &Position, m: Move) -> bool {
        let board = position.state.board();
        let gives_check = || board.play(m).in_check(!board.side());
        board.captured_by(m).is_some() || m.promotion().is_some() || gives_check()
    }
}
