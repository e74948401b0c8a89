//! `fleeing`: a defender that sees the whole board, for tests: winning against it shows that a won endgame is won in the
//! dark.

use scuro_core::Random;
use scuro_games::chess::{Board, Color, Move, Piece, Square};
use scuro_games::fog::{FogOfWar, FogState};
use scuro_games::kriegspiel::{Kriegspiel, KriegspielState, Try};
use scuro_games::umpire::Umpired;

use super::worth;

/// An opponent that by definition sees the true state: for trials inside this program, never for a seat of a server.
pub trait Omniscient<G: Umpired> {
    /// Its choice at the true state, of which there is at least one.
    fn choose(&mut self, truth: &G::State, choices: &[G::Action]) -> G::Action;
}

/// A defender who sees the whole board and keeps its king out of reach.
///
/// It takes a king if it can. Else the best move is, in this order, one after which its own king cannot be taken; one
/// that wins most men, less what it leaves to be taken; one after which it keeps most safe moves whatever they do; one
/// that has its king nearest to the centre. Random numbers break ties.
#[derive(Clone, Debug)]
pub struct Fleeing {
    random: Random,
}

impl Fleeing {
    /// With these random numbers.
    #[must_use]
    pub fn new(seed: u64) -> Fleeing {
        Fleeing { random: Random::new(seed) }
    }
}

impl Omniscient<FogOfWar> for Fleeing {
    fn choose(&mut self, truth: &FogState, moves: &[Move]) -> Move {
        self.flee(truth.board(), moves)
    }
}

/// A try that is refused tells the other side nothing and costs nothing: only legal ones are looked at.
impl Omniscient<Kriegspiel> for Fleeing {
    fn choose(&mut self, truth: &KriegspielState, choices: &[Try]) -> Try {
        let legal = |attempt: &Try| match attempt {
            Try::Move(m) if truth.is_legal(*m) => Some(*m),
            _ => None,
        };
        let moves: Vec<Move> = choices.iter().filter_map(legal).collect();
        if moves.is_empty() { choices[0] } else { Try::Move(self.flee(truth.board(), &moves)) }
    }
}

impl Fleeing {
    /// Its choice among moves that it can make.
    fn flee(&mut self, board: &Board, moves: &[Move]) -> Move {
        let ranked: Vec<(Safety, Move)> = moves.iter().map(|&m| (Safety::of(board, m), m)).collect();
        let best = ranked.iter().map(|(safety, _)| *safety).max();
        let best: Vec<Move> =
            ranked.iter().filter(|(safety, _)| Some(*safety) == best).map(|(_, m)| *m).collect();
        best[self.random.below(best.len())]
    }
}

/// How well a move keeps out of reach; what counts most comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Safety {
    /// Whether it takes the king.
    wins: bool,
    /// Whether the own king cannot be taken after it.
    safe: bool,
    /// What it takes and makes, less the most valuable loss that it allows.
    men: i32,
    /// Safe moves left after their best answer.
    replies: usize,
    /// How near to the centre the king is.
    central: i32,
}

impl Safety {
    fn of(board: &Board, m: Move) -> Safety {
        let me = board.side();
        let after = board.play(m);
        let taken = board.captured_by(m).map(|(_, piece)| piece);
        let made = m.promotion().map_or(0, |piece| worth(piece) - worth(Piece::Pawn));
        let mut theirs = Vec::new();
        after.pseudo_legal(&mut theirs);
        Safety {
            wins: taken == Some(Piece::King),
            safe: !after.in_check(me),
            men: taken.map_or(0, worth) + made - exposed(&after, me),
            replies: theirs.iter().map(|&answer| replies(&after.play(answer))).min().unwrap_or(MANY),
            central: after.king(me).map_or(0, central),
        }
    }
}

/// More safe moves than anybody has.
const MANY: usize = 1_000;

/// How many moves the side to move has that leave its king out of reach; [`MANY`] if it can take a king.
fn replies(board: &Board) -> usize {
    let mut moves = Vec::new();
    board.pseudo_legal(&mut moves);
    let takes = |m: &Move| board.captured_by(*m).is_some_and(|(_, piece)| piece == Piece::King);
    if board.king(board.side()).is_none() {
        0
    } else if moves.iter().any(takes) {
        MANY
    } else {
        moves.iter().filter(|&&m| !board.play(m).in_check(board.side())).count()
    }
}

/// The most that the other side wins by one capture, less its capturer if that can be taken back.
fn exposed(board: &Board, me: Color) -> i32 {
    let loss = |square: Square| {
        let attackers = board.attackers(square, !me).into_iter();
        let cheapest = attackers.map(|from| worth(board.piece_there(from))).min();
        let back = if board.attacked(square, me) { cheapest } else { Some(0) };
        cheapest.and(back).map_or(0, |back| worth(board.piece_there(square)) - back)
    };
    let men = board.colors(me) & !board.pieces(Piece::King);
    men.into_iter().map(loss).max().unwrap_or(0).max(0)
}

/// How near to the centre a square is, at most 0.
fn central(square: Square) -> i32 {
    let aside = |index: i32| (2 * index - 7).abs() / 2;
    -aside(square.file() as i32) - aside(square.rank() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(board: &Board) -> Vec<Move> {
        let mut moves = Vec::new();
        board.pseudo_legal(&mut moves);
        moves
    }

    /// Every move that it may choose, over many seeds.
    fn fled(fen: &str) -> Vec<String> {
        let board: Board = fen.parse().unwrap();
        let mut chosen: Vec<String> = (0..40)
            .map(|seed| {
                let mut fleeing = Fleeing::new(seed);
                fleeing.flee(&board, &moves(&board)).to_string()
            })
            .collect();
        chosen.sort();
        chosen.dedup();
        chosen
    }

    #[test]
    fn fleeing_runs_by_its_rules_in_their_order() {
        for (fen, chosen) in [
            // Takes the king, though the queen hangs too.
            ("8/8/8/8/8/1QK5/2k5/8 b - - 0 1", vec!["c2c3"]),
            // Takes an undefended queen, not a defended one.
            ("8/8/8/8/8/8/3kQ3/7K b - - 0 1", vec!["d2e2"]),
            ("8/8/8/8/8/8/3k4/3RQ1K1 b - - 0 1", vec!["d2c2"]),
            ("8/8/8/8/8/k7/1Q6/2K5 b - - 0 1", vec!["a3a4"]),
            // Of the ways out of check the one to the centre.
            ("R7/8/8/8/8/8/k7/6K1 b - - 0 1", vec!["a2b3"]),
            // Every square is attacked, and it must move.
            ("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", vec!["a8b7"]),
            // With more pieces: a rook that hangs goes where it is safe, or takes.
            ("4k3/8/8/8/8/1B6/8/r3R1K1 b - - 0 1", vec!["a1e1"]),
            ("7k/pp6/1P6/8/8/8/8/7K b - - 0 1", vec!["a7b6"]),
        ] {
            assert_eq!(fled(fen), chosen, "{fen}");
        }
    }
}
