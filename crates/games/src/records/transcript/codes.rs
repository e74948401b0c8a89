//! What the umpire said, as the codes of a comment.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::chess::Square;
use crate::kriegspiel::{Announcement, CheckKind, PawnTries};

/// One thing that the umpire said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// `Ay`, `An`: the mover asked "any?", and this was the answer.
    Asked(bool),
    /// `Xe4`: a man was captured there.
    Capture(Square),
    /// `=`: a pawn was promoted.
    Promotion,
    /// `CR`, `CF`, `CL`, `CS`, `CN`: check along the rank, the file, a diagonal, or by a knight.
    Check(CheckKind),
    /// `P2`: the next player has so many pawn captures.
    Tries(u8),
    /// `P`: the next player has a pawn capture.
    SomeTry,
    /// `Pe4`: the next player's pawn there has a capture.
    TryFrom(Square),
}

const CHECKS: [(CheckKind, &str); 5] = [
    (CheckKind::Rank, "CR"),
    (CheckKind::File, "CF"),
    (CheckKind::Long, "CL"),
    (CheckKind::Short, "CS"),
    (CheckKind::Knight, "CN"),
];

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Code::Asked(yes) => f.write_str(if *yes { "Ay" } else { "An" }),
            Code::Capture(square) => write!(f, "X{square}"),
            Code::Promotion => f.write_str("="),
            Code::Check(kind) => {
                f.write_str(CHECKS.iter().find(|(known, _)| known == kind).map_or("", |(_, code)| code))
            }
            Code::Tries(count) => write!(f, "P{count}"),
            Code::SomeTry => f.write_str("P"),
            Code::TryFrom(square) => write!(f, "P{square}"),
        }
    }
}

/// A text that is no code.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("'{0}' is nothing an umpire says: known are Ay, An, Xe4, =, CR, CF, CL, CS, CN, P, P2, Pe4")]
pub struct CodeError(String);

impl FromStr for Code {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Code, CodeError> {
        let check = CHECKS.iter().find(|(_, code)| *code == text).map(|&(kind, _)| Code::Check(kind));
        let square = |text: &str| text.parse::<Square>().ok();
        let count = |text: &str| text.parse::<u8>().ok().filter(|&n| n > 0 && !text.starts_with('+'));
        let code = match text {
            "Ay" => Some(Code::Asked(true)),
            "An" => Some(Code::Asked(false)),
            "=" => Some(Code::Promotion),
            "P" => Some(Code::SomeTry),
            _ => check.or_else(|| match text.split_at_checked(1)? {
                ("X", rest) => square(rest).map(Code::Capture),
                ("P", rest) => count(rest).map(Code::Tries).or_else(|| square(rest).map(Code::TryFrom)),
                _ => None,
            }),
        };
        code.ok_or_else(|| CodeError(text.to_owned()))
    }
}

impl Code {
    /// The codes of an announcement: capture, promotion, checks, pawn captures.
    #[must_use]
    pub fn said_in(announcement: &Announcement) -> Vec<Code> {
        let mut codes = Vec::new();
        codes.extend(announcement.capture.map(|capture| Code::Capture(capture.square)));
        codes.extend(announcement.promotion.then_some(Code::Promotion));
        codes.extend(announcement.checks.kinds().map(Code::Check));
        match announcement.tries {
            PawnTries::Count(count) if count > 0 => codes.push(Code::Tries(count)),
            PawnTries::Fact(true) => codes.push(Code::SomeTry),
            PawnTries::From(squares) => codes.extend(squares.into_iter().map(Code::TryFrom)),
            PawnTries::Unsaid | PawnTries::Count(_) | PawnTries::Fact(false) => {}
        }
        codes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_round_trip_and_nothing_else_is_one() {
        for text in ["Ay", "An", "Xe4", "=", "CR", "CF", "CL", "CS", "CN", "P", "P2", "P16", "Pe4"] {
            assert_eq!(text.parse::<Code>().map(|code| code.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "A", "X", "X9", "Xe9", "C", "CX", "P0", "P+1", "P300", "Pe", "é", "x"] {
            assert!(text.parse::<Code>().unwrap_err().to_string().contains(&format!("'{text}'")));
        }
    }
}
