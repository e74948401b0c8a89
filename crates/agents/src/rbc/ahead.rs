//! A search in which both sides see the board: moves and passes, some plies ahead.

use scuro_eval::evaluator::Evaluator;
use scuro_games::chess::{Board, Move};

/// Returns the value of `board` to the side to move so many plies ahead, at least one, and the number of positions that
/// were valued.
pub(super) fn ahead(board: &Board, plies: u32, evaluator: &mut impl Evaluator) -> (f32, usize) {
    let mut search = Search { evaluator, valued: 0 };
    let value = search.value(board, plies, [-1.0, 1.0]);
    (value, search.valued)
}

struct Search<'e, E> {
    evaluator: &'e mut E,
    valued: usize,
}

impl<E: Evaluator> Search<'_, E> {
    /// The value to the side to move, exact between the bounds.
    fn value(&mut self, board: &Board, plies: u32, [mut floor, ceiling]: [f32; 2]) -> f32 {
        if board.in_check(!board.side()) {
            return 1.0;
        }
        let turns = self.turns(board);
        if plies == 1 {
            return turns[0].0;
        }
        let mut best = f32::NEG_INFINITY;
        for (_, turn) in turns {
            best = best.max(-self.value(&after(board, turn), plies - 1, [-ceiling, -floor]));
            floor = floor.max(best);
            if floor >= ceiling {
                break;
            }
        }
        best
    }

    /// All moves and the pass with their values, the best first.
    fn turns(&mut self, board: &Board) -> Vec<(f32, Option<Move>)> {
        let (mut moves, mut values) = (Vec::new(), Vec::new());
        board.pseudo_legal(&mut moves);
        if self.evaluator.evaluate(board, &moves, &mut values).is_err() {
            values.resize(moves.len(), 0.0);
        }
        values.push(-self.evaluator.value(&after(board, None)).unwrap_or_default());
        self.valued += values.len();
        let turns = moves.into_iter().map(Some).chain([None]);
        let mut turns: Vec<_> = values.into_iter().zip(turns).collect();
        turns.sort_by(|one, two| two.0.total_cmp(&one.0));
        turns
    }
}

/// The board after a turn.
pub(super) fn after(board: &Board, taken: Option<Move>) -> Board {
    let mut after = *board;
    match taken {
        Some(m) => after.make(m),
        None => after.pass(),
    }
    after
}

#[cfg(test)]
mod tests {
    use scuro_core::Random;
    use scuro_eval::Rules;
    use scuro_eval::quiescence::Quiescence;
    use scuro_eval::simple::Simple;

    use super::*;

    fn simple() -> Quiescence<Simple> {
        Quiescence::simple().under(Rules::Rbc)
    }

    /// The same without bounds and without an order.
    fn slow(board: &Board, plies: u32, evaluator: &mut impl Evaluator) -> f32 {
        if board.in_check(!board.side()) {
            return 1.0;
        }
        let mut moves = Vec::new();
        board.pseudo_legal(&mut moves);
        let turns = moves.into_iter().map(Some).chain([None]);
        let value = |turn| match (turn, plies) {
            (Some(m), 1) => {
                let mut values = Vec::new();
                evaluator.evaluate(board, &[m], &mut values).unwrap();
                values[0]
            }
            (None, 1) => -evaluator.value(&after(board, None)).unwrap(),
            (turn, _) => -slow(&after(board, turn), plies - 1, evaluator),
        };
        turns.map(value).fold(f32::NEG_INFINITY, f32::max)
    }

    #[test]
    fn bounds_and_order_change_no_value() {
        let (mut random, mut evaluator) = (Random::new(7), simple());
        let mut board = Board::start();
        let mut compared = 0;
        for _ in 0..60 {
            let mut moves = Vec::new();
            board.pseudo_legal(&mut moves);
            board.make(moves[random.below(moves.len())]);
            if board.king(board.side()).is_none() {
                break;
            }
            for plies in 1..=2 {
                assert_eq!(ahead(&board, plies, &mut evaluator).0, slow(&board, plies, &mut evaluator));
                compared += 1;
            }
        }
        assert!(compared > 40, "{compared}");
    }

    /// A pawn forks two knights: three plies ahead one is taken.
    #[test]
    fn a_fork_is_seen() {
        let board: Board = "4k3/8/3n1n2/8/4P3/3P4/8/4K3 w - - 0 1".parse().unwrap();
        let [one, three] = [1, 3].map(|plies| ahead(&board, plies, &mut simple()).0);
        assert!(three > one + 0.2, "{one} {three}");
    }

    #[test]
    fn a_king_that_can_be_taken_is_worth_all() {
        let board: Board = "4k3/8/8/8/8/8/8/K3R3 w - - 0 1".parse().unwrap();
        assert_eq!(ahead(&board, 2, &mut simple()).0, 1.0);
    }
}
