//! Which positions fit what a player of Fog of War sees, without working out what she would see in each.
//!
//! Her own men are known, and so is everything on the squares she sees. A position that has the same on those
//! squares gives her the same view if three things agree that she knows although she does not see them: a pawn that
//! cannot step has a man before it, a pawn sees diagonally only what it can take, and a capture en passant shows.

use scuro_core::{Player, Positions};
use scuro_games::chess::{BitBoard, Board, Color, Move, Piece, Rank, Square};
use scuro_games::color_of;
use scuro_games::fog::View;

use crate::fog::Fog;

/// What a position must have to give a view.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    player: Color,
    side: Color,
    own: BitBoard,
    lit: BitBoard,
    pieces: [BitBoard; 6],
    /// Unseen squares on which a man of theirs stands.
    occupied: BitBoard,
    /// Unseen squares on which none of theirs stands.
    empty: BitBoard,
    en_passant: Option<Square>,
}

impl Filter {
    /// The positions that give this view.
    #[must_use]
    pub fn new(view: &View) -> Filter {
        let (player, lit) = (view.player(), view.lit());
        let pawns = view.pieces(Piece::Pawn) & view.own();
        let (mut occupied, mut empty) = (BitBoard::EMPTY, BitBoard::EMPTY);
        for pawn in pawns {
            let forward: i8 = if player == Color::White { 1 } else { -1 };
            let ahead = |steps: i8, aside: i8| pawn.try_offset(aside, forward * steps);
            match ahead(1, 0) {
                Some(first) if !lit.has(first) => occupied |= first.bitboard(),
                Some(first)
                    if view.man_on(first).is_none() && pawn.rank() == Rank::Second.relative_to(player) =>
                {
                    let second = ahead(2, 0).filter(|&second| !lit.has(second));
                    occupied |= second.map_or(BitBoard::EMPTY, Square::bitboard);
                }
                _ => {}
            }
            for aside in [-1, 1] {
                let square = ahead(1, aside).filter(|&square| !lit.has(square));
                empty |= square.map_or(BitBoard::EMPTY, Square::bitboard);
            }
        }
        Filter {
            player,
            side: view.side(),
            own: view.own(),
            lit,
            pieces: Piece::ALL.map(|piece| view.pieces(piece)),
            occupied,
            empty,
            en_passant: view.en_passant(),
        }
    }

    /// Whether the player sees exactly this at `board`.
    #[must_use]
    pub fn fits(&self, board: &Board) -> bool {
        let theirs = board.colors(!self.player);
        board.colors(self.player) == self.own
            && board.side() == self.side
            && self.occupied & !theirs == BitBoard::EMPTY
            && self.empty & theirs == BitBoard::EMPTY
            && Piece::ALL.iter().all(|&piece| board.pieces(piece) & self.lit == self.pieces[piece as usize])
            && (board.side() != self.player || board.en_passant() == self.en_passant)
    }
}

/// What a player of Fog of War learns in a step: her own move if it was hers, and what she sees after it.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    /// Her own move.
    pub own: Option<Move>,
    /// What she sees.
    pub filter: Filter,
}

impl Positions for Fog {
    type Position = Board;
    type Told = Told;

    fn follow(&self, position: &Board, player: Player, told: &Told, out: &mut Vec<Board>) {
        // A position in which my king was taken, or theirs, is not in a belief: the game is over there.
        let keep = |board: Board, out: &mut Vec<Board>| {
            let alive = Color::ALL.into_iter().all(|color| board.king(color).is_some());
            if alive && told.filter.fits(&board) {
                out.push(board.without_counters());
            }
        };
        match told.own {
            Some(m) => keep(position.play(m), out),
            None if position.side() != color_of(player) => {
                position.each_pseudo_legal(|piece, m| {
                    let mut next = *position;
                    next.make_man(piece, m);
                    keep(next, out);
                });
            }
            None => {}
        }
    }
}
