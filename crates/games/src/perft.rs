//! Perft: the number of move sequences of a given length, the common yardstick of move generators.
//!
//! Under fog a captured king ends a line, so it counts at full depth only. Draws end nothing here.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::chess::{Board, Move, MoveRules};

/// Sequences of `depth` moves from `board`.
#[must_use]
pub fn perft(board: &Board, rules: MoveRules, depth: u32) -> u64 {
    match (depth, rules) {
        (0, _) => 1,
        _ if board.king(board.side()).is_none() => 0,
        (1, MoveRules::PseudoLegal) => board.count_pseudo_legal(),
        (1, MoveRules::Legal) => rules.moves(board).len() as u64,
        (_, MoveRules::PseudoLegal) => {
            let mut sum = 0;
            board.each_pseudo_legal(|piece, m| {
                let mut after = *board;
                after.make_man(piece, m);
                sum += perft(&after, rules, depth - 1);
            });
            sum
        }
        (_, MoveRules::Legal) => {
            rules.moves(board).into_iter().map(|m| perft(&board.play(m), rules, depth - 1)).sum()
        }
    }
}

/// The same sum, split by the first move, on `threads` threads. `done` hears of every finished move.
#[must_use]
pub fn divide(
    board: &Board,
    rules: MoveRules,
    depth: u32,
    threads: usize,
    done: impl Fn(Move) + Sync,
) -> Vec<(Move, u64)> {
    let moves = if depth == 0 { Vec::new() } else { rules.moves(board) };
    let next = AtomicUsize::new(0);
    let work = || {
        let mut counts = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(&m) = moves.get(index) else { return counts };
            counts.push((index, m, perft(&board.play(m), rules, depth - 1)));
            done(m);
        }
    };
    let mut counts: Vec<(usize, Move, u64)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.clamp(1, moves.len().max(1))).map(|_| scope.spawn(work)).collect();
        // A thread that panicked has broken its promise: pass the panic on.
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_else(|e| std::panic::resume_unwind(e)))
            .collect()
    });
    counts.sort_unstable();
    counts.into_iter().map(|(_, m, count)| (m, count)).collect()
}
