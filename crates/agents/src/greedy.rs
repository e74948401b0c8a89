//! `greedy`: takes what it sees.
//!
//! It takes the enemy king if it can, else the most valuable man it can take, by its least valuable man; else it makes
//! a move, any of those after which neither the man moved nor the king is attacked by a man that it sees now. Only its
//! last view counts.

use scuro_core::Random;
use scuro_games::chess::{BitBoard, Board, Color, Move, Piece, Square, diagonally_ahead, piece_attacks};
use scuro_games::fog::View;
use scuro_search::agent::Budget;

use crate::contestant::{Contestant, worth};

/// The player.
#[derive(Clone, Debug)]
pub struct Greedy {
    view: View,
    random: Random,
}

impl Greedy {
    /// At the start of a game, with these random numbers.
    #[must_use]
    pub fn new(start: Board, color: Color, seed: u64) -> Greedy {
        Greedy { view: View::of(&start, color), random: Random::new(seed) }
    }

    /// It sees this now.
    pub fn look(&mut self, view: &View) {
        self.view = *view;
    }

    /// Its choice among these moves.
    pub fn think(&mut self, moves: &[Move]) -> Move {
        let view = &self.view;
        let gain = |m: &Move| taken(view, *m).map(|man| (worth(man), -worth(man_on(view, m.from()))));
        let most = moves.iter().filter_map(gain).max();
        let best: Vec<Move> = match most {
            Some(_) => moves.iter().copied().filter(|m| gain(m) == most).collect(),
            None => moves.iter().copied().filter(|&m| looks_safe(view, m)).collect(),
        };
        let open = if best.is_empty() { moves } else { &best };
        open[self.random.below(open.len())]
    }
}

/// The own man on a square.
fn man_on(view: &View, square: Square) -> Piece {
    view.man_on(square).map_or(Piece::Pawn, |(_, piece)| piece)
}

/// The man that a move takes.
fn taken(view: &View, m: Move) -> Option<Piece> {
    let passed = man_on(view, m.from()) == Piece::Pawn && view.en_passant() == Some(m.to());
    let there = view.man_on(m.to()).filter(|(color, _)| *color != view.player()).map(|(_, piece)| piece);
    there.or(passed.then_some(Piece::Pawn))
}

/// Whether no man that is seen attacks the man moved or the king once a move that takes nothing is made.
fn looks_safe(view: &View, m: Move) -> bool {
    let own = view.own() & !m.from().bitboard() | m.to().bitboard();
    let king = if man_on(view, m.from()) == Piece::King {
        m.to().bitboard()
    } else {
        view.pieces(Piece::King) & view.own()
    };
    (attacked(view, own) & (king | m.to().bitboard())).is_empty()
}

/// What the enemy men that are seen attack if `own` is where mine stand.
fn attacked(view: &View, own: BitBoard) -> BitBoard {
    let theirs = |piece: Piece| view.pieces(piece) & !view.own();
    let occupied = Piece::ALL.into_iter().fold(own, |all, piece| all | theirs(piece));
    let [left, right] = diagonally_ahead(theirs(Piece::Pawn), !view.player());
    Piece::ALL[1..].iter().fold(left | right, |all, &piece| {
        theirs(piece).into_iter().fold(all, |all, man| all | piece_attacks(piece, man, occupied))
    })
}

impl Contestant for Greedy {
    fn see(&mut self, _: Option<Move>, view: &View) {
        self.look(view);
    }

    fn choose(&mut self, moves: &[Move], _: Budget) -> Move {
        self.think(moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every move that it may choose, over many seeds.
    fn chosen(fen: &str) -> Vec<String> {
        let board: Board = fen.parse().unwrap();
        let mut moves = Vec::new();
        board.pseudo_legal(&mut moves);
        let mut chosen: Vec<String> =
            (0..60).map(|seed| Greedy::new(board, board.side(), seed).think(&moves).to_string()).collect();
        chosen.sort();
        chosen.dedup();
        chosen
    }

    #[test]
    fn takes_by_its_rules_in_their_order() {
        for (fen, moves) in [
            // The king before the queen.
            ("4k3/8/8/8/q7/8/8/K3R3 w - - 0 1", vec!["e1e8"]),
            // The most valuable man, whatever defends it, by the least valuable.
            ("k7/8/8/2r1p3/3P4/2R5/8/K7 w - - 0 1", vec!["d4c5"]),
            // En passant is a pawn.
            ("k7/8/8/3pP3/8/8/8/K7 w - d6 0 1", vec!["e5d6"]),
            // The king stays out of sight of the rook, and so does who moves.
            (
                "7k/8/8/8/8/8/1r6/K7 b - - 0 1",
                vec![
                    "b2a2", "b2b3", "b2b4", "b2b5", "b2b6", "b2b7", "b2b8", "b2c2", "b2d2", "b2e2", "b2f2",
                    "b2g2", "b2h2", "h8g7", "h8g8", "h8h7",
                ],
            ),
        ] {
            let found = chosen(fen);
            if moves.len() == 1 {
                assert_eq!(found, moves, "{fen}")
            } else {
                assert!(found.iter().all(|m| moves.contains(&m.as_str())), "{fen}: {found:?}")
            }
        }
    }

    /// A rook that White sees covers the b-file and the third rank: the king and the knight keep away from both.
    #[test]
    fn quiet_moves_keep_away_from_men_that_are_seen() {
        let found = chosen("k7/8/8/8/8/1r6/7R/K2N4 w - - 0 1");
        assert!(!found.is_empty());
        for bad in ["a1b1", "a1b2", "d1b2", "d1e3", "d1c3", "h2h3", "h2b2"] {
            assert!(!found.contains(&bad.to_owned()), "{bad} of {found:?}");
        }
    }
}
