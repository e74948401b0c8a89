//! The words of an `.efg` text, each with its place, and what can be wrong with them.

use std::fmt;
use std::iter::Peekable;
use std::str::CharIndices;

use scuro_core::Player;
use thiserror::Error;

/// What is wrong with a text, and where.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("line {line}, column {column}: {kind}")]
pub struct EfgError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub kind: EfgErrorKind,
}

/// What can be wrong with a text.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum EfgErrorKind {
    /// Something else should stand here.
    #[error("expected {wanted}, found {found}")]
    Expected {
        /// What should stand here.
        wanted: &'static str,
        /// What stands here.
        found: String,
    },
    /// A quoted text without its closing quote.
    #[error("a quoted text starts here and never ends")]
    OpenText,
    /// A game of more or fewer than two players.
    #[error("the game has {0} players, only games of two are known")]
    Players(usize),
    /// A node of a player that the game does not have.
    #[error("there is no player {0}, only 1 and 2")]
    NoSuchPlayer(u64),
    /// A node at which nothing can be done.
    #[error("the node has no actions")]
    NoActions,
    /// An infoset whose actions are neither listed here nor before.
    #[error("the actions of infoset {0} are neither listed here nor before")]
    UnknownInfoset(u64),
    /// A draw that is impossible, or more than certain.
    #[error("the action '{action}' of chance has probability {chance}, not one above 0 and at most 1")]
    Probability {
        /// The action.
        action: String,
        /// Its probability.
        chance: f64,
    },
    /// Draws that do not sum to one.
    #[error("the probabilities of chance sum to {0}, not to 1")]
    ProbabilitySum(f64),
    /// Payoffs before the end of the game.
    #[error("the node pays outcome {0} before the game is over: only terminal nodes may pay")]
    EarlyPayoff(u64),
    /// An outcome whose payoffs are neither listed here nor before.
    #[error("the payoffs of outcome {0} are neither listed here nor before")]
    UnknownOutcome(u64),
    /// An outcome with two lists of payoffs.
    #[error("outcome {0} has other payoffs here than before")]
    OutcomeDiffers(u64),
    /// A list of payoffs with more or fewer entries than there are players.
    #[error("the outcome has {0} payoffs, not one for each of the two players")]
    PayoffCount(usize),
    /// Payoffs that do not cancel.
    #[error("the game is not zero-sum: the outcome pays {one} to player 1 and {two} to player 2")]
    NotZeroSum {
        /// The payoff to player one.
        one: f64,
        /// The payoff to player two.
        two: f64,
    },
    /// Actions that would tell nodes of one infoset apart.
    #[error("unequal actions in {0}: all its nodes must have the same, in the same order")]
    UnequalActions(InfosetName),
    /// A player who forgets what she did or knew.
    #[error("imperfect recall: in {0} the player has forgotten what she did or knew before")]
    ImperfectRecall(InfosetName),
    /// Something after the last node.
    #[error("the tree is complete, but {0} follows")]
    Trailing(String),
    /// More nodes than can be numbered.
    #[error("the tree has too many nodes")]
    TooLarge,
}

/// An infoset as the file names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InfosetName {
    /// Whose infoset.
    pub player: Player,
    /// Its number.
    pub number: u64,
    /// Its name, if it has one.
    pub name: String,
}

impl fmt::Display for InfosetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "infoset {} of player {}", self.number, self.player.index() + 1)?;
        if self.name.is_empty() { Ok(()) } else { write!(f, " ('{}')", self.name) }
    }
}

/// Where something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    line: usize,
    column: usize,
}

impl Place {
    pub(super) fn error(self, kind: EfgErrorKind) -> EfgError {
        EfgError { line: self.line, column: self.column, kind }
    }

    /// The error that `found` stands here and not what is wanted.
    fn unexpected(self, wanted: &'static str, found: &Token<'_>) -> EfgError {
        self.error(EfgErrorKind::Expected { wanted, found: found.to_string() })
    }
}

/// A word of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Letters and digits up to the next space, quote, brace or comma.
    Word(&'a str),
    /// What stood between quotes.
    Text(String),
    Open,
    Close,
    Comma,
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(word) => write!(f, "'{}'", short(word)),
            Token::Text(text) => write!(f, "the text \"{}\"", short(text)),
            Token::Open => f.write_str("'{'"),
            Token::Close => f.write_str("'}'"),
            Token::Comma => f.write_str("','"),
            Token::End => f.write_str("the end of the file"),
        }
    }
}

/// The first characters of a text, for a message of one line.
fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.len() == text.len() && line.chars().count() <= 40 {
        return text.to_owned();
    }
    line.chars().take(40).chain(['.', '.', '.']).collect()
}

/// The words of a text one by one, with one word of foresight.
pub(super) struct Tokens<'a> {
    text: &'a str,
    chars: Peekable<CharIndices<'a>>,
    here: Place,
    next: Token<'a>,
    place: Place,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Result<Tokens<'a>, EfgError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let here = Place { line: 1, column: 1 };
        let chars = text.char_indices().peekable();
        let mut tokens = Tokens { text, chars, here, next: Token::End, place: here };
        tokens.advance()?;
        Ok(tokens)
    }

    /// The next word.
    pub(super) fn peek(&self) -> &Token<'a> {
        &self.next
    }

    /// Where the next word stands.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Takes the next word.
    pub(super) fn take(&mut self) -> Result<Token<'a>, EfgError> {
        let next = std::mem::replace(&mut self.next, Token::End);
        self.advance()?;
        Ok(next)
    }

    /// Takes the next word if it is `token`; whether it was.
    pub(super) fn skip(&mut self, token: &Token<'_>) -> Result<bool, EfgError> {
        let found = self.next == *token;
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Takes the next word if it is a text.
    pub(super) fn text_if_any(&mut self) -> Result<Option<String>, EfgError> {
        match self.next {
            Token::Text(ref mut text) => {
                let text = std::mem::take(text);
                self.advance()?;
                Ok(Some(text))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn text(&mut self, wanted: &'static str) -> Result<String, EfgError> {
        let place = self.place;
        match self.take()? {
            Token::Text(text) => Ok(text),
            other => Err(place.unexpected(wanted, &other)),
        }
    }

    pub(super) fn expect(&mut self, token: &Token<'_>, wanted: &'static str) -> Result<(), EfgError> {
        if self.skip(token)? { Ok(()) } else { Err(self.unexpected(wanted)) }
    }

    /// A whole number.
    pub(super) fn whole(&mut self, wanted: &'static str) -> Result<u64, EfgError> {
        self.read_word(wanted, |word| word.parse().ok())
    }

    /// A number: whole, decimal or a fraction.
    pub(super) fn number(&mut self, wanted: &'static str) -> Result<f64, EfgError> {
        self.read_word(wanted, number)
    }

    fn read_word<T>(
        &mut self,
        wanted: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, EfgError> {
        let value = match self.next {
            Token::Word(word) => read(word),
            _ => None,
        };
        let value = value.ok_or_else(|| self.unexpected(wanted))?;
        self.advance()?;
        Ok(value)
    }

    /// The error that the next word is not what is wanted.
    pub(super) fn unexpected(&self, wanted: &'static str) -> EfgError {
        self.place.unexpected(wanted, &self.next)
    }

    fn advance(&mut self) -> Result<(), EfgError> {
        while self.chars.peek().is_some_and(|(_, c)| c.is_whitespace()) {
            self.step();
        }
        self.place = self.here;
        self.next = match self.chars.peek() {
            None => Token::End,
            Some(&(start, c)) => match c {
                '{' => self.single(Token::Open),
                '}' => self.single(Token::Close),
                ',' => self.single(Token::Comma),
                '"' => self.quoted()?,
                _ => self.word(start),
            },
        };
        Ok(())
    }

    fn step(&mut self) -> Option<char> {
        let (_, c) = self.chars.next()?;
        if c == '\n' {
            self.here = Place { line: self.here.line + 1, column: 1 };
        } else {
            self.here.column += 1;
        }
        Some(c)
    }

    fn single(&mut self, token: Token<'a>) -> Token<'a> {
        self.step();
        token
    }

    fn word(&mut self, start: usize) -> Token<'a> {
        let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | ',' | '"');
        while self.chars.peek().is_some_and(|&(_, c)| !ends(c)) {
            self.step();
        }
        let end = self.chars.peek().map_or(self.text.len(), |&(at, _)| at);
        Token::Word(&self.text[start..end])
    }

    /// A text between quotes, in which `\"` stands for a quote and `\\` for a backslash.
    fn quoted(&mut self) -> Result<Token<'a>, EfgError> {
        let open = self.place.error(EfgErrorKind::OpenText);
        self.step();
        let mut text = String::new();
        loop {
            match self.step().ok_or_else(|| open.clone())? {
                '"' => return Ok(Token::Text(text)),
                '\\' => match self.chars.peek() {
                    Some(&(_, c @ ('"' | '\\'))) => {
                        self.step();
                        text.push(c);
                    }
                    _ => text.push('\\'),
                },
                c => text.push(c),
            }
        }
    }
}

/// Reads `3`, `-0.25`, `1e-3` or `1/3`.
fn number(text: &str) -> Option<f64> {
    let value = match text.split_once('/') {
        Some((above, below)) => decimal(above)? / decimal(below)?,
        None => decimal(text)?,
    };
    value.is_finite().then_some(value)
}

fn decimal(text: &str) -> Option<f64> {
    let numeric = text.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E'));
    if numeric { text.parse().ok() } else { None }
}

/// `text` between quotes, so that it is read as the same text.
pub(super) fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
