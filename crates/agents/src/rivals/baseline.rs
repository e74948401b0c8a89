//! `baseline`: the yardstick of ZS21 (*Subgame solving without common knowledge*), which reckons with hidden information for one ply only.
//!
//! It is "the same algorithm, except that it only performs imperfect-information search to depth 1, and after that uses
//! perfect-information evaluation with iterative deepening". So: as many positions of the exact belief as `zs21` looks at,
//! each known to the opponent; what each own move is worth in each of them, all men in sight, by a search that goes one
//! ply deeper in every round; and the equilibrium of that matrix with its gadget. A trunk of one ply holds nothing of the
//! next turn, so every position is fresh at every turn, and nothing was expected.
//!
//! Readings where the paper is silent: the alternate value of a position is what the same search finds it worth, that of
//! its best move; a round that is not finished in time counts for the positions that it has come to, all moves of a
//! position to the same depth.

use scuro_core::Game;
use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Board, Color, Move};
use scuro_games::fog::{FogOfWar, won};
use scuro_search::klss::Stop;

use super::shell::{Fog, Position, Rival, Values};
use crate::name::{Eval, EvalError};

impl Rival {
    /// `baseline` at the start of a game that begins with a position known to both.
    ///
    /// # Errors
    /// If there is no such evaluator.
    pub fn baseline(game: FogOfWar, color: Color, eval: &Eval, seed: u64) -> Result<Rival, EvalError> {
        Rival::new(game, color, eval, seed, |klss, game, leaves, trunk, budget, since| {
            let deepen = |leaves: &mut Values,
                          position: &Position,
                          moves: &[Move],
                          plies: usize,
                          values: &mut Vec<f64>,
                          stop: Stop<'_>| {
                deepen(game, leaves.evaluator(), position, moves, plies, values, stop).is_some()
            };
            klss.solve_flat(game, leaves, trunk, budget, since, deepen)
        })
    }
}

/// What each move is worth to who makes it if one looks so many plies beyond it; `None` if told to stop.
fn deepen<E: Evaluator>(
    game: &Fog,
    evaluator: &mut E,
    position: &Position,
    moves: &[Move],
    plies: usize,
    values: &mut Vec<f64>,
    stop: Stop<'_>,
) -> Option<()> {
    for &m in moves {
        let child = game.play(position, m);
        let value = -f64::from(lookahead(evaluator, child.state.board(), plies, -1.0, 1.0, stop)?);
        // Where the game may be drawn, she hopes for no more than that.
        let doubted = child.memory.drawn() && child.state.outcome().is_none();
        values.push(if doubted { value.min(0.0) } else { value });
    }
    Some(())
}

/// Alpha-beta: what a position is worth to its side to move, all men in sight; `None` if told to stop.
fn lookahead<E: Evaluator>(
    evaluator: &mut E,
    board: &Board,
    plies: usize,
    mut alpha: f32,
    beta: f32,
    stop: Stop<'_>,
) -> Option<f32> {
    if let Some(outcome) = won(board) {
        return Some(if outcome.winner == Some(board.side()) { 1.0 } else { -1.0 });
    }
    let (mut moves, mut values) = (Vec::new(), Vec::new());
    board.pseudo_legal(&mut moves);
    if stop(moves.len()) {
        return None;
    }
    if evaluator.evaluate(board, &moves, &mut values).is_err() {
        values.resize(moves.len(), 0.0);
    }
    let mut ordered: Vec<(f32, Move)> = values.into_iter().zip(moves).collect();
    ordered.sort_by(|one, two| two.0.total_cmp(&one.0));
    if plies <= 1 {
        return Some(ordered.first().map_or(-1.0, |(value, _)| *value));
    }
    let mut best = -1.0f32;
    for (_, m) in ordered {
        let value = -lookahead(evaluator, &board.play(m), plies - 1, -beta, -alpha, stop)?;
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    Some(best)
}
