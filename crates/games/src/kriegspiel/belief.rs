//! What a player can work out: the positions that fit all she was told, followed step by step.
//!
//! Every filter starts with what costs least: the announced capture names the few moves that can have made
//! it, then the checks, the pawn captures and last the end are compared.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use scuro_core::{Player, Positions};

use super::announcement::{Announcement, Capture, PawnTries};
use super::ending::end_on_board;
use super::game::Kriegspiel;
use super::legality::Threats;
use super::nonsense::is_nonsense;
use super::ruleset::Ruleset;
use super::state::{Answer, KriegspielState, Question};
use super::tries::{OwnMen, Try};
use crate::chess::{BitBoard, Board, Color, Move, Piece, Square, en_passant_victim};
use crate::color_of;
use crate::outcome::{Outcome, Reason};

/// A position without counters, and what of the present turn the rules still look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    board: Board,
    /// The player to move was told "yes" and has not tried a pawn capture since.
    obliged: bool,
    /// Tries of this turn that got "no", where the same try cannot get it twice (Cincinnati).
    noes: u8,
}

impl Position {
    /// The position of a state.
    #[must_use]
    pub fn of(state: &KriegspielState) -> Position {
        let noes = if state.ruleset() == Ruleset::Cincinnati {
            state.refusals(state.board().side()).illegal
        } else {
            0
        };
        Position {
            board: state.board().without_counters(),
            obliged: state.question() == Question::Obliged,
            noes: u8::try_from(noes).unwrap_or(u8::MAX),
        }
    }

    /// The board; its clock is 0 and its move number 1.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether the player to move has to try a pawn capture now, after "yes".
    #[must_use]
    pub fn is_obliged(&self) -> bool {
        self.obliged
    }

    /// How many different tries of this turn got "no"; counted in Cincinnati alone, where it tells something.
    #[must_use]
    pub fn noes(&self) -> u8 {
        self.noes
    }

    fn on(board: Board) -> Position {
        Position { board: board.without_counters(), obliged: false, noes: 0 }
    }
}

/// The board's own key is hash enough.
impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.board.key() ^ u64::from(self.noes) << 1 ^ u64::from(self.obliged));
    }
}

/// An order that means nothing but is the same everywhere: by the board's key first.
impl Ord for Position {
    fn cmp(&self, other: &Position) -> Ordering {
        let turn = |position: &Position| (position.board.key(), position.obliged, position.noes);
        turn(self).cmp(&turn(other)).then_with(|| {
            // Two boards under one key are an accident of 64 bits, but they are two.
            let same = self.board == other.board;
            if same { Ordering::Equal } else { self.board.to_string().cmp(&other.board.to_string()) }
        })
    }
}

impl PartialOrd for Position {
    fn partial_cmp(&self, other: &Position) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What a player is told in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// My try was refused.
    MyRefusal {
        /// The try.
        m: Move,
        /// Whether as nonsense.
        nonsense: bool,
    },
    /// I asked "any?", and this was the answer.
    MyQuestion(bool),
    /// My move was made.
    MyMove(Move, Announcement),
    /// A try of the opponent was refused.
    TheirRefusal {
        /// Whether as nonsense.
        nonsense: bool,
    },
    /// The opponent asked "any?", and this was the answer.
    TheirQuestion(bool),
    /// The opponent's move was made.
    TheirMove(Announcement),
}

impl Told {
    /// What `color` is told when the player to move at `before` makes this attempt and gets this answer;
    /// `None` if she hears nothing.
    #[must_use]
    pub fn of(before: &KriegspielState, attempt: Try, answer: Answer, color: Color) -> Option<Told> {
        let mine = before.board().side() == color;
        let heard = mine || before.ruleset().refusals_are_heard();
        match (attempt, answer) {
            (_, Answer::TurnedAway(_)) => None,
            (Try::Move(m), Answer::Made(announcement)) if mine => Some(Told::MyMove(m, announcement)),
            (_, Answer::Made(announcement)) => Some(Told::TheirMove(announcement)),
            (_, Answer::Yes | Answer::No) if mine => Some(Told::MyQuestion(answer == Answer::Yes)),
            (_, Answer::Yes | Answer::No) => Some(Told::TheirQuestion(answer == Answer::Yes)),
            (Try::Move(m), Answer::Illegal | Answer::Nonsense) if mine => {
                Some(Told::MyRefusal { m, nonsense: answer == Answer::Nonsense })
            }
            (_, Answer::Illegal | Answer::Nonsense) => {
                heard.then_some(Told::TheirRefusal { nonsense: answer == Answer::Nonsense })
            }
        }
    }

    fn is_mine(&self) -> bool {
        matches!(self, Told::MyRefusal { .. } | Told::MyQuestion(_) | Told::MyMove(..))
    }
}

/// Repetition and the clock are no part of a position: an end by one of them fits every position that does
/// not end the game by itself. Followed past the end, the positions are those in which the game ended.
impl Positions for Kriegspiel {
    type Position = Position;
    type Told = Told;

    fn follow(&self, position: &Position, player: Player, told: &Told, out: &mut Vec<Position>) {
        let step = Step { ruleset: self.ruleset, position, threats: Threats::of(&position.board) };
        if (position.board.side() == color_of(player)) != told.is_mine() {
            return;
        }
        match *told {
            Told::MyMove(m, announcement) => step.my_move(m, &announcement, out),
            Told::TheirMove(announcement) => step.their_move(&announcement, out),
            Told::MyQuestion(any) | Told::TheirQuestion(any) => step.question(any, out),
            Told::MyRefusal { m, nonsense } => {
                if !step.threats.is_legal(&position.board, m) {
                    out.push(step.refused(nonsense));
                }
            }
            Told::TheirRefusal { nonsense } => {
                if step.can_be_refused(nonsense) {
                    out.push(step.refused(nonsense));
                }
            }
        }
    }
}

/// One position that is to be followed.
struct Step<'p> {
    ruleset: Ruleset,
    position: &'p Position,
    threats: Threats,
}

impl Step<'_> {
    fn my_move(&self, m: Move, announcement: &Announcement, out: &mut Vec<Position>) {
        let board = &self.position.board;
        if Capture::of(self.ruleset, board, m) == announcement.capture && self.threats.is_legal(board, m) {
            out.extend(self.arrival(board.play(m), announcement));
        }
    }

    fn their_move(&self, announcement: &Announcement, out: &mut Vec<Position>) {
        let board = &self.position.board;
        // Where the men may have gone: onto the square of the capture, or without one onto an empty square.
        let (goal, passing) = match announcement.capture {
            None => (!board.occupied(), BitBoard::EMPTY),
            Some(Capture { square, taken }) => {
                let mine = board.colors(!board.side()).has(square);
                let pawn = board.pieces(Piece::Pawn).has(square);
                if !mine || Capture::told(self.ruleset, square, pawn).taken != taken {
                    return;
                }
                let passed = board.en_passant().filter(|&passed| en_passant_victim(passed) == square);
                (square.bitboard(), passed.map_or(BitBoard::EMPTY, Square::bitboard))
            }
        };
        self.threats.each_legal(board, goal, passing, |piece, m| {
            let promotion = m.promotion().is_some() && self.ruleset.says_promotions();
            let captures = piece == Piece::Pawn && m.from().file() != m.to().file();
            if promotion == announcement.promotion && (captures || !self.position.obliged) {
                let mut after = *board;
                after.make_man(piece, m);
                out.extend(self.arrival(after, announcement));
            }
        });
    }

    /// The position on `board`, just reached, if all that is announced there fits.
    #[inline]
    fn arrival(&self, board: Board, announcement: &Announcement) -> Option<Position> {
        let threats = Threats::of(&board);
        if threats.checks() != announcement.checks {
            return None;
        }
        let captures = threats.pawn_captures(&board);
        let fits = announcement.tries == PawnTries::Unsaid
            || announcement.tries == PawnTries::of(self.ruleset, captures);
        if !fits || !self.end_fits(&board, &threats, announcement.end) {
            return None;
        }
        let useless = board.en_passant().is_some_and(|passed| !captures.reach(passed));
        Some(Position::on(if useless { board.without_en_passant() } else { board }))
    }

    fn end_fits(&self, board: &Board, threats: &Threats, announced: Option<Outcome>) -> bool {
        let by_history =
            |outcome: &Outcome| matches!(outcome.reason, Reason::Repetition | Reason::FiftyMoves);
        end_on_board(self.ruleset, board, threats) == announced.filter(|outcome| !by_history(outcome))
    }

    fn question(&self, any: bool, out: &mut Vec<Position>) {
        if any != self.threats.pawn_captures(&self.position.board).is_empty() {
            out.push(Position { obliged: any, ..*self.position });
        }
    }

    /// The same position after a refusal.
    fn refused(&self, nonsense: bool) -> Position {
        let counts = self.ruleset == Ruleset::Cincinnati && !nonsense;
        let noes = self.position.noes.saturating_add(u8::from(counts));
        Position { obliged: false, noes, ..*self.position }
    }

    /// Whether the player to move has a try that is refused in this way.
    fn can_be_refused(&self, nonsense: bool) -> bool {
        let board = &self.position.board;
        let men = OwnMen::of(board, board.side());
        match self.ruleset {
            _ if nonsense => self.ruleset.knows_nonsense(),
            Ruleset::English if self.position.obliged => self.has_tries(&men, 1, |m| men.is_pawn_capture(m)),
            // Any impossible try is called illegal.
            Ruleset::Icc | Ruleset::English => true,
            Ruleset::Cincinnati | Ruleset::Rand { .. } => {
                let announcement = self.announcement();
                self.has_tries(&men, u32::from(self.position.noes) + 1, |m| {
                    !is_nonsense(self.ruleset, &men, &announcement, m)
                })
            }
        }
    }

    /// Whether at least `least` possible tries that pass `filter` are not legal.
    fn has_tries(&self, men: &OwnMen, least: u32, filter: impl Fn(Move) -> bool) -> bool {
        let mut found = 0;
        men.each_possible(|m| {
            if found < least && filter(m) && !self.threats.is_legal(&self.position.board, m) {
                found += 1;
            }
        });
        found >= least
    }

    /// What holds for the present turn, as far as nonsense depends on it.
    fn announcement(&self) -> Announcement {
        let board = &self.position.board;
        Announcement {
            next: board.side(),
            capture: None,
            promotion: false,
            checks: self.threats.checks(),
            end: None,
            tries: PawnTries::of(self.ruleset, self.threats.pawn_captures(board)),
        }
    }
}
