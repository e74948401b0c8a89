//! The two sides of king and pawn against king: White by its patterns, and Black that knows them.

use rustc_hash::FxHashMap;
use scuro_core::{Player, Positions, Random};
use scuro_games::chess::{Color, Move, Piece, Rank, Square};
use scuro_games::kriegspiel::{
    Announcement, Answer, Checks, Kriegspiel, KriegspielState, Position, Ruleset, Told, Try,
};

use super::certain_win;
use super::pawn::{
    PAWN, PUSHED, Patterns, Possible, QUEENED, first, first_board, hold, lone_squares, white_turns,
};
use crate::contestant::{Allowance, Contestant, Fault};

/// White by its patterns; with a queen by proof.
#[derive(Clone, Debug)]
pub struct PawnPlayer {
    patterns: Patterns,
    belief: Vec<Position>,
    random: Random,
    refused: Vec<Move>,
    /// Whether the pawn's push gave check.
    checked: bool,
}

impl PawnPlayer {
    /// A player at the first position, who knows that Black's king is on one of three squares.
    #[must_use]
    pub fn new(seed: u64) -> PawnPlayer {
        let position = |lone| Position::of(&KriegspielState::new(Ruleset::Icc, first_board(lone)));
        let belief = lone_squares().into_iter().map(position).collect();
        let random = Random::new(seed);
        PawnPlayer { patterns: Patterns::new(), belief, random, refused: Vec::new(), checked: false }
    }

    /// The try by patterns, or when the pawn has been pushed or the king is on the seventh rank, what leads to a queen.
    fn attempt(&mut self) -> Option<Move> {
        let board = *self.belief.first()?.board();
        let (pawn, king) = (board.men(Color::White, Piece::Pawn).next_square()?, board.king(Color::White)?);
        if pawn == PUSHED {
            let step = Move::new(king, Square::new(king.file(), Rank::Seventh));
            let tried = self.checked || king.rank() == Rank::Seventh || self.refused.contains(&step);
            return Some(if tried { self.promotion() } else { step });
        }
        if king.rank() == Rank::Seventh {
            return Some(Move::new(PAWN, PUSHED));
        }
        let mut point = self.random.unit();
        let plan = self.patterns.plan(&self.refused);
        let drawn = plan.iter().find(|(share, _)| {
            point -= share;
            point < 0.0
        });
        drawn.or(plan.last()).map(|&(_, m)| m)
    }

    /// A queen, or a rook where a queen might stalemate.
    fn promotion(&self) -> Move {
        let queen = Move::promoting(PUSHED, QUEENED, Piece::Queen);
        let stalemates = |position: &Position| {
            let end = Ruleset::Icc.end_on_board(&position.board().play(queen));
            end.is_some_and(|end| end.winner.is_none())
        };
        let rook = self.belief.iter().any(stalemates);
        if rook { Move::promoting(PUSHED, QUEENED, Piece::Rook) } else { queen }
    }
}

impl Contestant<Kriegspiel> for PawnPlayer {
    fn see(&mut self, own: Option<Try>, told: &Told) {
        let mut next = Vec::new();
        let game = Kriegspiel::default();
        let follow = game.follow(Player::One, own, told);
        self.belief.iter().for_each(|position| follow(position, &mut next));
        self.belief = next.into_iter().map(|(_, position)| position).collect();
        self.belief.sort_unstable();
        self.belief.dedup();
        match (own, told) {
            (Some(Try::Move(m)), Told::Refused { .. }) => self.refused.push(m),
            (Some(Try::Move(m)), Told::Made(Announcement { checks, .. })) => {
                self.refused.clear();
                self.checked = *checks != Checks::NONE;
                if m.from() == self.patterns.king && m.to().rank() < Rank::Seventh {
                    self.patterns.stepped(m);
                }
            }
            _ => {}
        }
    }

    fn choose(&mut self, choices: &[Try], _: Allowance) -> Result<Try, Fault> {
        let proved = certain_win(self.belief.iter().map(Position::board)).map(|win| win.attempt);
        let m = proved.or_else(|| self.attempt()).map(Try::Move);
        Ok(m.filter(|attempt| choices.contains(attempt)).unwrap_or(choices[0]))
    }
}

/// Black's first square, and where it tried to go since, with whether that was refused.
type History = Vec<(Square, bool)>;

/// Black at its best against the patterns, which it knows, without seeing White.
#[derive(Clone, Debug, Default)]
pub struct BlindDefender {
    history: History,
    /// Its last try.
    last: Option<Try>,
    /// What may be true after a history and what it tries then, kept from game to game.
    decided: FxHashMap<History, Decision>,
}

/// What Black tries, if that matters still, and what may be true.
#[derive(Clone, Debug)]
struct Decision {
    attempt: Option<Try>,
    possible: Vec<Possible>,
}

impl Decision {
    fn new(possible: Vec<Possible>) -> Decision {
        let attempt = if possible.is_empty() { None } else { hold(&possible, f64::INFINITY).1 };
        Decision { attempt, possible }
    }
}

impl BlindDefender {
    /// Begins a game with its king on `lone`.
    pub fn begin(&mut self, lone: Square) {
        (self.history, self.last) = (vec![(lone, false)], None);
        let history = self.history.clone();
        self.decided.entry(history).or_insert_with(|| Decision::new(white_turns(vec![first(lone)]).1));
    }

    /// Takes in the answer to its try, and decides what it does next as long as White follows its patterns.
    fn heard(&mut self, to: Square, refused: bool) {
        let before =
            self.decided.get(&self.history).map(|decision| decision.possible.clone()).unwrap_or_default();
        self.history.push((to, refused));
        if self.decided.contains_key(&self.history) {
            return;
        }
        let mut left = Vec::new();
        for one in before {
            let king = one.state.board().king(Color::Black).unwrap_or(to);
            let (answer, state) = one.state.attempt(Try::Move(Move::new(king, to)));
            if matches!(answer, Answer::Made(_)) != refused && state.outcome().is_none() {
                left.push(Possible { state, ..one });
            }
        }
        let open = if refused { left } else { white_turns(left).1 };
        self.decided.insert(self.history.clone(), Decision::new(open));
    }
}

impl BlindDefender {
    /// Its try, among what it may try. All that it hears is which tries were refused in this turn, and whether it is in check.
    /// Once White has left its patterns, as a check tells, nothing is to be gained but the square before the pawn.
    #[must_use]
    pub fn choose(&mut self, choices: &[Try], refused: &[Move], checked: bool) -> Try {
        self.hear(refused);
        let decided =
            self.decided.get(&self.history).filter(|_| !checked).and_then(|decision| decision.attempt);
        let ahead = |attempt: &&Try| matches!(attempt, Try::Move(m) if m.to() == QUEENED);
        let usual = choices.iter().find(ahead).unwrap_or(&choices[0]);
        let attempt = decided.filter(|attempt| choices.contains(attempt)).unwrap_or(*usual);
        self.last = Some(attempt);
        attempt
    }

    /// Takes in what became of its last try: it was made, unless it is among those that were refused in this turn.
    fn hear(&mut self, refused: &[Move]) {
        if let Some(Try::Move(m)) = self.last {
            self.heard(m.to(), refused.contains(&m));
        }
    }
}
