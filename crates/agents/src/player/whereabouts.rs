//! Where the pieces of one side may stand, and how likely.

use scuro_games::chess::{Board, Color, Piece, Square};

/// The probability that each piece of one side stands on each square.
#[derive(Clone, Debug)]
pub struct Whereabouts([[f64; 6]; 64]);

impl Whereabouts {
    /// Of the pieces of `color` on these boards, whose weights sum to one.
    pub fn of<'b>(boards: impl Iterator<Item = (&'b Board, f64)>, color: Color) -> Whereabouts {
        let mut shares = [[0.0; 6]; 64];
        for (board, weight) in boards {
            for square in board.colors(color) {
                shares[square as usize][board.piece_there(square) as usize] += weight;
            }
        }
        Whereabouts(shares)
    }

    /// Of pieces with this share of each square.
    pub fn from_shares(share: impl Fn(Square, Piece) -> f64) -> Whereabouts {
        let mut shares = [[0.0; 6]; 64];
        for square in Square::ALL {
            Piece::ALL
                .iter()
                .for_each(|&piece| shares[square as usize][piece as usize] = share(square, piece));
        }
        Whereabouts(shares)
    }

    /// The probability that such a piece stands there.
    #[must_use]
    pub fn share(&self, square: Square, piece: Piece) -> f64 {
        self.0[square as usize][piece as usize]
    }

    /// The squares where such a piece may stand, the likeliest first.
    #[must_use]
    pub fn likeliest(&self, piece: Piece) -> Vec<(Square, f64)> {
        let all = Square::ALL.into_iter().map(|square| (square, self.share(square, piece)));
        let mut likely: Vec<(Square, f64)> = all.filter(|(_, share)| *share > 0.0).collect();
        likely.sort_by(|a, b| b.1.total_cmp(&a.1));
        likely
    }
}
