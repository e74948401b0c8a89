//! What the paper prints in its tables 1 and 2, and the games and bounds that it stands for.

/// Which actions of player one a blueprint has to play now and then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bounded {
    /// All.
    All,
    /// Bets, and raises where they are told apart from bets.
    Bet,
    /// Folds.
    Fold,
}

impl Bounded {
    /// Whether it is the action of this name.
    pub(super) fn holds(self, action: &str) -> bool {
        match self {
            Bounded::All => true,
            Bounded::Bet => action == "bet" || action == "raise",
            Bounded::Fold => action == "fold",
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Bounded::All => "all",
            Bounded::Bet => "bet",
            Bounded::Fold => "fold",
        }
    }
}

/// A row of table 1.
pub(super) struct Blueprint {
    pub(super) name: &'static str,
    pub(super) game: &'static str,
    pub(super) bounded: Bounded,
    pub(super) loss: f64,
    pub(super) after: f64,
}

const fn blueprint(
    name: &'static str,
    game: &'static str,
    bounded: Bounded,
    loss: f64,
    after: f64,
) -> Blueprint {
    Blueprint { name, game, bounded, loss, after }
}

pub(super) static BLUEPRINTS: &[Blueprint] = &[
    blueprint("2x2 Abrupt Dark Hex", "dark-hex:2x2", Bounded::All, 0.0683, 0.0625),
    blueprint("4-card Goofspiel, random order", "goofspiel:4:random", Bounded::All, 0.171, 0.077),
    blueprint("4-card Goofspiel, increasing order", "goofspiel:4:increasing", Bounded::All, 0.17, 0.0),
    blueprint("Kuhn poker", "kuhn", Bounded::All, 0.0124, 0.0015),
    blueprint("Kuhn poker, bets bounded", "kuhn", Bounded::Bet, 0.0035, 0.0),
    blueprint("3-rank Leduc poker", "leduc", Bounded::All, 0.0207, 0.0191),
    blueprint("3-rank Leduc poker, folds bounded", "leduc", Bounded::Fold, 0.0065, 0.0057),
    blueprint("3-rank Leduc poker, bets bounded", "leduc", Bounded::Bet, 0.0097, 0.0096),
    blueprint("Liar's Dice, 5-sided die", "liars-dice:5", Bounded::All, 0.181, 0.125),
    blueprint("100-matching pennies", "matching-pennies:100", Bounded::All, 0.0013, 0.0098),
];

/// A row of table 2. Averages that repeat the one before are left out in print.
pub(super) struct PaperGame {
    pub(super) name: &'static str,
    pub(super) game: &'static str,
    pub(super) nodes: usize,
    pub(super) infosets: usize,
    pub(super) diameter: u32,
    pub(super) average: &'static [f64],
}

const fn game(
    name: &'static str,
    game: &'static str,
    nodes: usize,
    infosets: usize,
    diameter: u32,
    average: &'static [f64],
) -> PaperGame {
    PaperGame { name, game, nodes, infosets, diameter, average }
}

pub(super) static GAMES: &[PaperGame] = &[
    game("2x2 Abrupt Dark Hex", "dark-hex:2x2", 471, 94, 13, &[5.23, 12.0, 18.17, 22.04, 29.58]),
    game("4-card Goofspiel, random order", "goofspiel:4:random", 26773, 3608, 4, &[5.84, 8.90, 9.19, 9.20]),
    game(
        "4-card Goofspiel, increasing order",
        "goofspiel:4:increasing",
        1077,
        162,
        4,
        &[5.83, 9.05, 9.31, 9.32],
    ),
    game("Kuhn poker", "kuhn", 58, 12, 3, &[2.5, 3.5, 4.0]),
    game("3-rank Leduc poker", "leduc", 9457, 936, 3, &[6.14, 14.71, 15.40]),
    game("Liar's Dice, 5-sided die", "liars-dice:5", 51181, 5120, 2, &[7.0, 15.0]),
    game("100-matching pennies", "matching-pennies:100", 701, 101, 99, &[3.63, 4.29, 4.93, 5.57, 35.97]),
];
