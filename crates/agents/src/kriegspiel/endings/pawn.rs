//! King and pawn against king in Kriegspiel: not a certain win, but one that can be mixed for.
//!
//! White has Kd5 and a pawn on d6, Black's king is on c8, d8 or e8. White steps to c6 or e6 and, after Black's move, tries
//! to go on to the seventh rank: if that is legal the pawn gets through. If not, White either steps back and begins
//! anew, which risks nothing, or pushes the pawn: that wins if Black stands on d8 and draws if Black stands before White's
//! king. A Black that is on d8 whenever White tries is safe from tries and loses to pushes; one that is beside d8 has
//! guessed the side of White's king or lost. That is Colonel Blotto's problem: with Γ the value of the cycles that are
//! left, stepping back is worth Γ or (1 + Γ) / 2 and pushing 1 or 1/2, so that n cycles would be worth n / (n + 1). Black
//! has more: it can lose a move by d7 or b8, and the draw by repetition bounds the cycles, since each square from which
//! White tries can be entered but twice whatever Black does. So the probabilities are those that a search by coordinates
//! found to be worth most in the whole game.
//!
//! [`value`] is what these patterns are worth against a Black that knows them and does not see White: the induction is
//! carried out over everything that it can do, with the umpire's answers.

use scuro_games::chess::{BitBoard, Board, Castling, Color, Move, Piece, Rank, Square, piece_attacks};
use scuro_games::kriegspiel::{Answer, Checks, KriegspielState, Ruleset, Try};

/// Where White's king stands at first.
const FIRST: Square = Square::D5;
/// Where the pawn stands at first, and where it goes from there.
pub(super) const PAWN: Square = Square::D6;
pub(super) const PUSHED: Square = Square::D7;
pub(super) const QUEENED: Square = Square::D8;
/// The squares of White's king from which it may try the seventh rank.
const ADVANCED: [Square; 2] = [Square::C6, Square::E6];
/// The squares from which it guards the pawn meanwhile.
const REST: [Square; 3] = [Square::C5, Square::D5, Square::E5];
/// So often may an advanced square be entered whatever Black does: the third time may be a draw by repetition.
const OFTEN: u8 = 2;
/// How probable the push is when a try was refused in the first, second, third and last cycle.
const PUSH: [f64; 4] = [0.36, 0.41, 0.33, 1.0];
/// How probable d5 is, and not the square beside it, when White steps back in the first, second and third cycle.
const HOME: [f64; 3] = [0.66, 0.5, 0.5];
/// How probable the side of the cycle before is in the second, third and last cycle.
const SAME: [f64; 3] = [0.34, 0.5, 0.5];

/// The squares on which Black's king may stand at first.
#[must_use]
pub fn lone_squares() -> BitBoard {
    [Square::C8, Square::D8, Square::E8].into_iter().collect()
}

/// The first position, with Black's king on `lone`.
#[must_use]
pub fn first_board(lone: Square) -> Board {
    let pieces = [
        (Color::White, Piece::King, FIRST),
        (Color::White, Piece::Pawn, PAWN),
        (Color::Black, Piece::King, lone),
    ];
    Board::set_up(Color::White, pieces, Castling::NONE, None)
}

/// What White does by its patterns until the pawn is pushed or its king is on the seventh rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Patterns {
    pub(super) king: Square,
    /// How often each advanced square was entered, and which one last.
    advanced: [u8; 2],
    last: usize,
}

impl Patterns {
    pub(super) fn new() -> Patterns {
        Patterns { king: FIRST, advanced: [0; 2], last: 0 }
    }

    /// The king's step to the seventh rank, if it is advanced.
    fn test(&self) -> Option<Move> {
        ADVANCED.contains(&self.king).then(|| self.step(Square::new(self.king.file(), Rank::Seventh)))
    }

    /// The next try, each with its probability, after these of the present turn were refused.
    pub(super) fn plan(&self, refused: &[Move]) -> Vec<(f64, Move)> {
        let push = Move::new(PAWN, PUSHED);
        let plans = match self.test() {
            Some(test) => vec![vec![(1.0, test)], self.push_or_step_back(push)],
            None => vec![self.advances(true), self.advances(false), self.rests(), vec![(1.0, push)]],
        };
        let open = plans.into_iter().map(|plan| mixture(plan, refused)).find(|plan| !plan.is_empty());
        open.unwrap_or_else(|| vec![(1.0, push)])
    }

    fn step(&self, to: Square) -> Move {
        Move::new(self.king, to)
    }

    fn entered(&self) -> usize {
        usize::from(self.advanced[0] + self.advanced[1])
    }

    fn push_or_step_back(&self, push: Move) -> Vec<(f64, Move)> {
        let cycle = self.entered().clamp(1, PUSH.len()) - 1;
        let (push_share, home) = (PUSH[cycle], HOME[cycle.min(HOME.len() - 1)]);
        let beside = self.step(Square::new(self.king.file(), FIRST.rank()));
        let back = 1.0 - push_share;
        vec![(push_share, push), (back * home, self.step(FIRST)), (back * (1.0 - home), beside)]
    }

    /// The steps to advanced squares that were not entered often; from d5, if asked for, to the others.
    fn advances(&self, seldom: bool) -> Vec<(f64, Move)> {
        let same = if self.entered() == 0 { 0.5 } else { SAME[(self.entered() - 1).min(SAME.len() - 1)] };
        let near = piece_attacks(Piece::King, self.king, BitBoard::EMPTY);
        let sides = (0..ADVANCED.len()).filter(|&side| near.has(ADVANCED[side]));
        let sides =
            sides.filter(|&side| (self.advanced[side] < OFTEN) == seldom && (seldom || self.king == FIRST));
        sides
            .map(|side| (if side == self.last { same } else { 1.0 - same }, self.step(ADVANCED[side])))
            .collect()
    }

    /// The steps to squares that guard the pawn.
    fn rests(&self) -> Vec<(f64, Move)> {
        let near = piece_attacks(Piece::King, self.king, BitBoard::EMPTY);
        REST.into_iter().filter(|&square| near.has(square)).map(|square| (1.0, self.step(square))).collect()
    }

    /// Takes in that the king's step `m` was made.
    pub(super) fn stepped(&mut self, m: Move) {
        self.king = m.to();
        if let Some(side) = ADVANCED.iter().position(|&square| square == m.to()) {
            self.advanced[side] += 1;
            self.last = side;
        }
    }
}

/// The moves of a plan that were not refused, with shares that sum to one.
fn mixture(mut plan: Vec<(f64, Move)>, refused: &[Move]) -> Vec<(f64, Move)> {
    plan.retain(|(share, m)| *share > 0.0 && !refused.contains(m));
    let total: f64 = plan.iter().map(|(share, _)| share).sum();
    plan.iter_mut().for_each(|(share, _)| *share /= total);
    plan
}

/// What may be true, as Black sees it: with which weight, where everything stands, and where White is in its patterns.
#[derive(Clone, Debug)]
pub(super) struct Possible {
    pub(super) weight: f64,
    pub(super) state: KriegspielState,
    pub(super) patterns: Patterns,
}

/// The share of games that White wins by its patterns from all three first positions, whatever Black does, who knows the
/// patterns and its own king but does not see White.
#[must_use]
pub fn value() -> f64 {
    let values = lone_squares().into_iter().map(|lone| {
        let (won, open) = white_turns(vec![first(lone)]);
        won + hold(&open, f64::INFINITY).0
    });
    values.sum::<f64>() / f64::from(lone_squares().len())
}

pub(super) fn first(lone: Square) -> Possible {
    let state = KriegspielState::new(Ruleset::Icc, first_board(lone));
    Possible { weight: 1.0, state, patterns: Patterns::new() }
}

/// The least weight that White wins, Black to move, and Black's try; not looked for if it is not below `limit`.
pub(super) fn hold(possible: &[Possible], limit: f64) -> (f64, Option<Try>) {
    let mut tries = Vec::new();
    possible.iter().take(1).for_each(|first| first.state.offered(&mut tries));
    let mut best = (limit, None);
    for attempt in tries {
        let (mut made, mut refused) = (Vec::new(), Vec::new());
        for one in possible {
            let (answer, state) = one.state.attempt(attempt);
            let list = if let Answer::Made(_) = answer { &mut made } else { &mut refused };
            list.push(Possible { state, ..one.clone() });
        }
        // A try that is refused for certain tells nothing.
        if made.is_empty() {
            continue;
        }
        made.retain(|one| one.state.outcome().is_none());
        let (mut won, open) = white_turns(made);
        if won < best.0 && !open.is_empty() {
            won += hold(&open, best.0 - won).0;
        }
        if won < best.0 && !refused.is_empty() {
            won += hold(&refused, best.0 - won).0;
        }
        if won < best.0 {
            best = (won, Some(attempt));
        }
    }
    best
}

/// White's turn in all that may be true: the weight of what is won by then, and what is open. What is drawn is left out.
pub(super) fn white_turns(mut possible: Vec<Possible>) -> (f64, Vec<Possible>) {
    let (mut won, mut open) = (0.0, Vec::new());
    while let Some(one) = possible.pop() {
        for (share, m) in one.patterns.plan(one.state.refused()) {
            let (answer, state) = one.state.attempt(Try::Move(m));
            let weight = share * one.weight;
            let Answer::Made(announcement) = answer else {
                possible.push(Possible { weight, state, patterns: one.patterns });
                continue;
            };
            let through =
                m.from() == PAWN && announcement.checks == Checks::NONE || one.patterns.test() == Some(m);
            if announcement.end.is_some() || m.from() == PAWN && !through {
                continue;
            }
            if through {
                won += weight;
            } else {
                let mut patterns = one.patterns;
                patterns.stepped(m);
                open.push(Possible { weight, state, patterns });
            }
        }
    }
    (won, open)
}
