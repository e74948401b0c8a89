//! `greedy`: takes what it sees.
//!
//! It takes the enemy king if it can, else the most valuable man that it sees it can win, by its least valuable man: one
//! worth no less than who takes it, or one that no other man it sees defends. Else it makes a move, any of those after
//! which neither the man moved nor the king is attacked by a man that it sees now. Only its last view counts.

use scuro_core::Random;
use scuro_games::chess::{BitBoard, Board, Color, Move, Piece, Square, diagonally_ahead, piece_attacks};
use scuro_games::fog::{FogOfWar, Told, View};

use super::worth;
use crate::contestant::{Allowance, Contestant, Fault};

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

    /// Its choice among these moves.
    pub fn think(&mut self, moves: &[Move]) -> Move {
        glance(&self.view, moves, &mut self.random)
    }
}

/// The move among these that looks best by what is seen now.
pub fn glance(view: &View, moves: &[Move], random: &mut Random) -> Move {
    let gain = |m: &Move| won(view, *m).map(|man| (worth(man), -worth(man_on(view, m.from()))));
    let most = moves.iter().filter_map(gain).max();
    let best: Vec<Move> = match most {
        Some(_) => moves.iter().copied().filter(|m| gain(m) == most).collect(),
        None => moves.iter().copied().filter(|&m| looks_safe(view, m)).collect(),
    };
    let open = if best.is_empty() { moves } else { &best };
    open[random.below(open.len())]
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

/// The man that a move wins, as far as can be seen.
fn won(view: &View, m: Move) -> Option<Piece> {
    let man = taken(view, m)?;
    let even = man == Piece::King || worth(man) >= worth(man_on(view, m.from()));
    (even || !attacked(view, m).has(m.to())).then_some(man)
}

/// Whether no man that is seen attacks the man moved or the king once a move is made.
fn looks_safe(view: &View, m: Move) -> bool {
    let king = if man_on(view, m.from()) == Piece::King {
        m.to().bitboard()
    } else {
        view.pieces(Piece::King) & view.own()
    };
    (attacked(view, m) & (king | m.to().bitboard())).is_empty()
}

/// What the enemy men that are seen attack once a move is made.
fn attacked(view: &View, m: Move) -> BitBoard {
    let own = view.own() & !m.from().bitboard() | m.to().bitboard();
    let theirs = |piece: Piece| view.pieces(piece) & !view.own() & !m.to().bitboard();
    let occupied = Piece::ALL.into_iter().fold(own, |all, piece| all | theirs(piece));
    let [left, right] = diagonally_ahead(theirs(Piece::Pawn), !view.player());
    Piece::ALL[1..].iter().fold(left | right, |all, &piece| {
        theirs(piece).into_iter().fold(all, |all, man| all | piece_attacks(piece, man, occupied))
    })
}

impl Contestant<FogOfWar> for Greedy {
    fn see(&mut self, _: Option<Move>, told: &Told) {
        self.view = told.view;
    }

    fn choose(&mut self, moves: &[Move], _: Allowance) -> Result<Move, Fault> {
        Ok(self.think(moves))
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
            ("q3k3/8/8/8/8/8/8/K3R3 w - - 0 1", vec!["e1e8"]),
            // The most valuable man, by the least valuable.
            ("k7/8/8/2r1p3/3P4/2R5/8/K7 w - - 0 1", vec!["d4c5"]),
            // En passant is a pawn.
            ("k7/8/8/3pP3/8/8/8/K7 w - d6 0 1", vec!["e5d6"]),
            // A pawn that a seen bishop defends is not worth a rook, but the bishop may be had for a knight.
            ("k7/8/8/5b2/4p3/6N1/8/K3R3 w - - 0 1", vec!["g3f5"]),
        ] {
            assert_eq!(chosen(fen), moves, "{fen}");
        }
    }

    /// A man that is defended as far as can be seen is let be, and one whose defender is hidden is taken.
    #[test]
    fn what_is_seen_to_be_defended_is_let_be() {
        assert_eq!(chosen("k7/8/8/8/3pb3/8/8/K2R4 w - - 0 1"), ["d1d4"]);
        // The queens see two pawns, of which the one defends the other.
        assert_eq!(chosen("k7/8/2p5/3p4/8/8/8/K1QQ4 w - - 0 1"), ["c1c6"]);
        // Two rooks that defend each other are seen by the queen alone: no quiet move goes where they look.
        let found = chosen("7k/8/8/8/2r3r1/8/K3Q3/8 w - - 0 1");
        assert!(found.contains(&"e2e3".to_owned()), "{found:?}");
        for bad in ["e2c4", "e2g4", "e2c2", "e2g2", "e2e4"] {
            assert!(!found.contains(&bad.to_owned()), "{bad} of {found:?}");
        }
    }
}
