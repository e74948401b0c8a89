//! A transcript from PGN.

use super::names;
use super::write::Boards;
use super::{Code, Made, Teller, ToldTurn, Transcript, Tried, Tries, ruleset_of};
use crate::chess::{Color, MoveRules, OwnPieces, SanError};
use crate::kriegspiel::{Refusals, Ruleset, Try};
use crate::records::pgn::{PgnGame, PgnMove};
use crate::records::record::{Record, RecordError};

impl Transcript {
    /// The game that an extended PGN tells. Without a tag `Filtered` the umpire tells it, without a tag
    /// `Ruleset` it is the ICC's; a move without a comment is told without what was said.
    ///
    /// # Errors
    /// If a tag, a move or a comment cannot be understood; the error says where.
    pub fn from_pgn(game: &PgnGame) -> Result<Transcript, RecordError> {
        let line = game.line;
        let tag_error = |words: String| RecordError::Tag { line, words };
        let ruleset = ruleset_of(game.tag("Ruleset")).map_err(|error| tag_error(error.to_string()))?;
        let teller = match game.tag("Filtered") {
            None => Teller::Umpire,
            Some(text) => text.parse().map_err(|error| tag_error(format!("tag Filtered: {error}")))?,
        };
        let start = Record::start_of(game)?;
        let mut boards = Boards::new(teller, &start);
        let mut side = start.side();
        let mut reader = Reader { teller, ruleset, line, column: 1 };
        let mut turns = Vec::new();
        for written in &game.moves {
            (reader.line, reader.column) = (written.line, written.column);
            let turn = reader.turn(written, side, &boards)?;
            boards.advance(&turn);
            turns.push(turn);
            side = !side;
        }
        let comments = game.moves.last().map_or(&game.before, |last| &last.comments);
        if let Some(rest) = comments.iter().find_map(|comment| comment.strip_prefix("then ")) {
            let (said, tries) = reader.comment(rest, side, boards.men(side).as_ref())?;
            turns.push(ToldTurn { side, tries, made: None, said: Some(said) });
        }
        let record = Record::of_tags(game)?;
        let tags =
            record.tags.into_iter().filter(|(name, _)| name != "Ruleset" && name != "Filtered").collect();
        Ok(Transcript {
            teller,
            ruleset,
            tags,
            start,
            turns,
            result: game.result,
            termination: record.termination,
        })
    }
}

impl Transcript {
    /// As [`Transcript::from_pgn`], but it also has to be true: it is replayed, and what the umpire said is
    /// filled in where the record leaves it out.
    ///
    /// # Errors
    /// If it cannot be understood or cannot be true; the error says where.
    pub fn settled_pgn(game: &PgnGame) -> Result<Transcript, RecordError> {
        Transcript::from_pgn(game)?.settled().map_err(|(turn, words)| {
            // A turn without a move stands in the comments of the last one.
            let place = game.moves.get(turn).or(game.moves.last());
            let (line, column) = place.map_or((game.line, 1), |written| (written.line, written.column));
            RecordError::Comment { line, column, words }
        })
    }
}

/// Where the reader stands, for its errors, and who tells.
struct Reader {
    teller: Teller,
    ruleset: Ruleset,
    line: usize,
    column: usize,
}

impl Reader {
    fn turn(&self, written: &PgnMove, side: Color, boards: &Boards) -> Result<ToldTurn, RecordError> {
        let men = boards.men(side);
        let told = written.comments.iter().find(|comment| is_told(comment));
        let (said, tries) = match told {
            Some(comment) => {
                let (said, tries) = self.comment(comment, side, men.as_ref())?;
                (Some(said), tries)
            }
            None => (None, self.no_tries(side)),
        };
        let wrong = |error| RecordError::Move { line: self.line, column: self.column, error };
        let made = match (boards, &men, written.text.as_str()) {
            (Boards::Own(_), None, "??") => Made::Unknown,
            (Boards::Own(_), None, text) => {
                return Err(
                    self.wrong(format!("'{text}': a filtered record has ?? for the opponent's moves"))
                );
            }
            (_, _, "??") => return Err(wrong(SanError::Shape("??".to_owned()))),
            (Boards::True(board), _, text) => {
                Made::Known(board.parse_san(text, MoveRules::Legal).map_err(wrong)?)
            }
            (Boards::Own(_), Some(men), text) => Made::Known(names::read_possible(men, text).map_err(wrong)?),
        };
        Ok(ToldTurn { side, tries, made: Some(made), said })
    }

    /// What is told of the tries when nothing is written.
    fn no_tries(&self, side: Color) -> Tries {
        match self.teller {
            Teller::Semi(color) | Teller::Player(color) if color != side => {
                if self.ruleset.refusals_are_heard() {
                    Tries::Counted(Refusals::default())
                } else {
                    Tries::Untold
                }
            }
            _ => Tries::Listed(Vec::new()),
        }
    }

    fn wrong(&self, words: String) -> RecordError {
        RecordError::Comment { line: self.line, column: self.column, words }
    }

    /// Takes `said:tries` apart.
    fn comment(
        &self,
        comment: &str,
        side: Color,
        men: Option<&OwnPieces>,
    ) -> Result<(Vec<Code>, Tries), RecordError> {
        let (said, tried) = comment
            .split_once(':')
            .ok_or_else(|| self.wrong(format!("'{comment}' has no colon between what was said and tried")))?;
        let words = |text| str::split(text, ',').map(str::trim).filter(|word: &&str| !word.is_empty());
        let said: Result<Vec<Code>, _> = words(said).map(str::parse).collect();
        let said = said.map_err(|error| self.wrong(error.to_string()))?;
        let tries = match (self.no_tries(side), men) {
            (Tries::Listed(_), Some(men)) => Tries::Listed(self.listed(words(tried), men)?),
            (Tries::Counted(_), _) => Tries::Counted(self.counted(words(tried))?),
            (told, _) if words(tried).next().is_none() => told,
            _ => return Err(self.wrong(format!("'{tried}': these tries cannot be known to who tells"))),
        };
        Ok((said.clone(), place_question(tries, &said)))
    }

    fn listed<'t>(
        &self,
        words: impl Iterator<Item = &'t str>,
        men: &OwnPieces,
    ) -> Result<Vec<Tried>, RecordError> {
        words
            .map(|word| {
                let (name, nonsense) = word.strip_suffix('!').map_or((word, false), |name| (name, true));
                let attempt = match name {
                    "any?" => Try::Any,
                    _ => Try::Move(names::read(men, name).map_err(|error| self.wrong(error.to_string()))?),
                };
                Ok(Tried { attempt, nonsense })
            })
            .collect()
    }

    fn counted<'t>(&self, words: impl Iterator<Item = &'t str>) -> Result<Refusals, RecordError> {
        let mut refusals = Refusals::default();
        for word in words {
            let (number, count) = match word.strip_suffix('!') {
                Some(number) => (number, &mut refusals.nonsense),
                None => (word, &mut refusals.illegal),
            };
            let digits = number.bytes().all(|byte| byte.is_ascii_digit());
            match number.parse() {
                Ok(number) if digits && *count == 0 => *count = number,
                _ => return Err(self.wrong(format!("'{word}' is not a number of tries, or the second one"))),
            }
        }
        Ok(refusals)
    }
}

/// A question whose place is not written came before all tries.
fn place_question(tries: Tries, said: &[Code]) -> Tries {
    let asked = said.iter().any(|code| matches!(code, Code::Asked(_)));
    match tries {
        Tries::Listed(mut list) if asked && list.iter().all(|tried| tried.attempt != Try::Any) => {
            list.insert(0, Tried { attempt: Try::Any, nonsense: false });
            Tries::Listed(list)
        }
        tries => tries,
    }
}

/// Whether a comment is the umpire's and not a reader's: it has a colon, and before it only single words
/// between commas.
fn is_told(comment: &str) -> bool {
    let single = |word: &str| word.split_whitespace().count() <= 1;
    comment.split_once(':').is_some_and(|(said, _)| said.split(',').all(single))
}
