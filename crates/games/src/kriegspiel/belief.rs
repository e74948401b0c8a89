//! What a player can work out: the positions that fit all she was told, followed step by step.
//!
//! Every filter starts with what costs least: the announced capture names the few moves that can have made
//! it, then the checks, the pawn captures and last the end are compared.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use scuro_core::{Player, Positions};

use super::announcement::{Announcement, Capture, PawnTries};
use super::ending::{DARK, end_on_board};
use super::game::{Kriegspiel, Told};
use super::legality::Threats;
use super::nonsense::is_nonsense;
use super::ruleset::Ruleset;
use super::state::{KriegspielState, Question};
use super::tries::Try;
use crate::chess::{BitBoard, Board, Move, OwnPieces, Piece, Square, en_passant_victim};
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

    /// Calls `visit` with every move that the player to move can make: after "yes" only pawn captures.
    pub fn each_move(&self, mut visit: impl FnMut(Piece, Move)) {
        let everywhere = !BitBoard::EMPTY;
        Threats::of(&self.board).each_legal(&self.board, everywhere, everywhere, |piece, m| {
            if !self.obliged || piece == Piece::Pawn && m.from().file() != m.to().file() {
                visit(piece, m);
            }
        });
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

/// Repetition and the clock are no part of a position: an end by one of them fits every position that does
/// not end the game by itself. Followed past the end, the positions are those in which the game ended.
impl Positions for Kriegspiel {
    type Position = Position;

    fn position(&self, state: &KriegspielState) -> Position {
        Position::of(state)
    }

    fn follow(
        &self,
        player: Player,
        own: Option<Try>,
        told: &Told,
    ) -> impl Fn(&Position, &mut Vec<(Option<Try>, Position)>) + Sync {
        let ruleset = self.ruleset;
        move |position, out| {
            let board = &position.board;
            if (board.side() == color_of(player)) != own.is_some() {
                return;
            }
            let step = Step { ruleset, position, threats: Threats::of(board) };
            match (own, told) {
                (Some(Try::Move(m)), Told::Made(announcement)) => step.my_move(m, announcement, out),
                (None, Told::Made(announcement)) => step.their_move(announcement, out),
                (Some(Try::Any), Told::Answered(any)) => step.question(None, *any, out),
                (None, Told::Answered(any)) => step.question(Some(Try::Any), *any, out),
                (Some(Try::Move(m)), Told::Refused { nonsense }) => {
                    if !step.threats.is_legal(board, m) {
                        out.push((None, step.refused(*nonsense)));
                    }
                }
                (None, Told::Refused { nonsense }) => {
                    if step.can_be_refused(*nonsense) {
                        out.push((None, step.refused(*nonsense)));
                    }
                }
                (Some(Try::Any), _) | (Some(Try::Move(_)), Told::Answered(_)) => {}
            }
        }
    }

    /// The number of each of the opponent's pieces. Of those that were captured it is hardly known what they were.
    fn kind(&self, player: Player, position: &Position) -> u64 {
        let theirs = |piece| position.board.men(!color_of(player), piece);
        let count = |squares: BitBoard| u64::from(squares.len());
        let [bishops, knights, rooks, queens] =
            [Piece::Bishop, Piece::Knight, Piece::Rook, Piece::Queen].map(theirs);
        let counts = [bishops & DARK, bishops & !DARK, knights, rooks, queens].map(count);
        counts.into_iter().fold(0, |kind, count| kind << 4 | count)
    }
}

/// One position that is to be followed.
struct Step<'p> {
    ruleset: Ruleset,
    position: &'p Position,
    threats: Threats,
}

impl Step<'_> {
    fn my_move(&self, m: Move, announcement: &Announcement, out: &mut Vec<(Option<Try>, Position)>) {
        let board = &self.position.board;
        let captures = Capture::of(self.ruleset, board, m);
        let fits = match (captures, announcement.capture) {
            (Some(captured), Some(told)) => captured.fits(told),
            (captured, told) => captured == told,
        };
        if fits && self.threats.is_legal(board, m) {
            out.extend(self.arrival(board.play(m), announcement).map(|position| (None, position)));
        }
    }

    fn their_move(&self, announcement: &Announcement, out: &mut Vec<(Option<Try>, Position)>) {
        let board = &self.position.board;
        // Where the men may have gone: onto the square of the capture, or without one onto an empty square.
        let (goal, passing) = match announcement.capture {
            None => (!board.occupied(), BitBoard::EMPTY),
            Some(told @ Capture { square, .. }) => {
                let mine = board.colors(!board.side()).has(square);
                let pawn = board.pieces(Piece::Pawn).has(square);
                if !mine || !Capture::told(self.ruleset, square, pawn).fits(told) {
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
                let arrived = self.arrival(after, announcement);
                out.extend(arrived.map(|position| (Some(Try::Move(m)), position)));
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

    fn question(&self, theirs: Option<Try>, any: bool, out: &mut Vec<(Option<Try>, Position)>) {
        if any != self.threats.pawn_captures(&self.position.board).is_empty() {
            out.push((theirs, Position { obliged: any, ..*self.position }));
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
        let men = OwnPieces::of(board, board.side());
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
    fn has_tries(&self, men: &OwnPieces, least: u32, filter: impl Fn(Move) -> bool) -> bool {
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
