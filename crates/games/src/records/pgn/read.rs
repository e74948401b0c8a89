//! Reading PGN from a stream, one game at a time.
//!
//! [`Input`] knows lines, columns and the parts that need no context; [`Draft`] grows the moves of a game;
//! [`PgnReader`] decides what belongs to which game. Variations are opened and closed on a stack of our own,
//! so their depth never becomes the program's.

use std::io::BufRead;
use std::mem;

use super::{MAX_DEPTH, PgnError, PgnErrorKind, PgnGame, PgnMove, PgnResult};

/// The suffixes of moves, in the order of the annotations 1 to 6.
const SUFFIXES: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// Reads the games of a PGN text one after the other.
///
/// - Lines are read as UTF-8; one that is not is read as Latin-1, as old files are.
/// - A tag stands on one line. A tag section ends with an empty line or with the first move.
/// - A game without a result ends, as [`PgnResult::Unknown`], at the next line with a tag in column 1 or at
///   the end of the text.
/// - White space inside comments becomes single blanks. Comments before the tags count as before the first
///   move, comments on the line of the result belong to the last move, and those at the start of a variation
///   to its first move.
/// - After an error the rest of the broken game is skipped: reading goes on at the next line that starts with
///   `[`. A comment that is still open at a line that starts with `[Event "` is taken for a broken one.
/// - A line that starts with `%` is skipped unless it stands in a comment.
///
/// No more than one game and one line are held in memory.
#[derive(Debug)]
pub struct PgnReader<R> {
    input: Input<R>,
    keep_variations: bool,
    section: Section,
    state: State,
}

/// What of a game has been read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Section {
    /// Nothing but comments.
    Before,
    /// Tags and no more.
    Tags,
    /// The tags are over.
    Moves,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Reading,
    /// The last game was broken and its rest must be skipped.
    Broken,
    /// The reader beneath failed.
    Failed,
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        let game = match self.state {
            State::Failed => return None,
            State::Reading => self.game(),
            State::Broken => self.skip_broken().and_then(|()| self.game()),
        };
        self.state = match &game {
            Ok(_) => State::Reading,
            Err(PgnError { kind: PgnErrorKind::Io(_), .. }) => State::Failed,
            Err(_) => State::Broken,
        };
        game.transpose()
    }
}

impl<R: BufRead> PgnReader<R> {
    /// A reader of the games in `reader`.
    #[must_use]
    pub fn new(reader: R) -> PgnReader<R> {
        let input = Input::new(reader);
        PgnReader { input, keep_variations: true, section: Section::Before, state: State::Reading }
    }

    /// Leaves all variations out. They must still be well formed.
    #[must_use]
    pub fn skip_variations(self) -> PgnReader<R> {
        PgnReader { keep_variations: false, ..self }
    }

    /// The next game; `None` at the end of the text.
    fn game(&mut self) -> Result<Option<PgnGame>, PgnError> {
        let mut tags = Vec::new();
        let mut draft = Draft::default();
        let mut line = 0;
        let mut result = None;
        self.section = Section::Before;
        while result.is_none() {
            if self.input.skip_blanks()? && self.section == Section::Tags {
                self.section = Section::Moves;
            }
            let Some(next) = self.input.first() else { break };
            if matches!(next, '{' | ';') {
                draft.comment(self.input.comment()?);
                continue;
            }
            if next == '[' && self.section == Section::Moves && self.input.place.column == 1 {
                break;
            }
            if self.section == Section::Before {
                line = self.input.place.line;
            }
            if next == '[' && self.section != Section::Moves {
                self.section = Section::Tags;
                tags.push(self.input.tag()?);
            } else {
                self.section = Section::Moves;
                result = self.token(next, &mut draft)?;
            }
        }
        if self.section == Section::Before {
            return Ok(None);
        }
        if let Some(result) = result {
            draft.all_closed(|| format!("the result {result}"))?;
            self.comments_of_the_line(&mut draft)?;
        }
        draft.all_closed(|| self.input.found())?;
        let Line { before, moves, .. } = draft.current;
        Ok(Some(PgnGame { tags, before, moves, result: result.unwrap_or_default(), line }))
    }

    /// Reads what starts with `next` in the movetext. The result of the game, if that is what it is.
    fn token(&mut self, next: char, draft: &mut Draft) -> Result<Option<PgnResult>, PgnError> {
        let place = self.input.place;
        match next {
            '*' | '.' => self.input.step(),
            '(' => {
                self.input.step();
                draft.open(place)?;
            }
            ')' => {
                self.input.step();
                draft.close(place, self.keep_variations)?;
            }
            '$' => {
                self.input.step();
                let digits = self.input.take_while(|c| c.is_ascii_digit());
                let nag = digits.parse().map_err(|_| place.unexpected("$0 to $255", format!("${digits}")))?;
                draft.annotate(place, nag)?;
            }
            '!' | '?' => {
                let marks = self.input.take_while(is_mark);
                if marks == "??" {
                    draft.play(place, marks.to_owned());
                } else {
                    draft.annotate(place, suffix(place, marks)?)?;
                }
            }
            _ if is_symbol(next) => return self.symbol(draft),
            _ => return Err(place.unexpected("a move, a comment or a result", self.input.found())),
        }
        Ok((next == '*').then_some(PgnResult::Unknown))
    }

    /// Reads a move number, a result, or a move with its suffix.
    fn symbol(&mut self, draft: &mut Draft) -> Result<Option<PgnResult>, PgnError> {
        let place = self.input.place;
        let text = self.input.take_while(is_symbol).to_owned();
        if let Some(result) = PgnResult::parse(&text) {
            return Ok(Some(result));
        }
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(None);
        }
        let is_move = text.starts_with(|c: char| c.is_ascii_alphabetic())
            || ["0-0", "--"].iter().any(|start| text.starts_with(start));
        if !is_move {
            return Err(place.unexpected("a move, a move number or a result", format!("{text:?}")));
        }
        draft.play(place, text);
        let place = self.input.place;
        let marks = self.input.take_while(is_mark);
        if !marks.is_empty() {
            draft.annotate(place, suffix(place, marks)?)?;
        }
        Ok(None)
    }

    /// Reads comments for as long as they start on the current line.
    fn comments_of_the_line(&mut self, draft: &mut Draft) -> Result<(), PgnError> {
        loop {
            self.input.take_while(char::is_whitespace);
            match self.input.first() {
                Some('{' | ';') => draft.comment(self.input.comment()?),
                _ => return Ok(()),
            }
        }
    }

    /// Goes to the first line of the game after the broken one, unless that is where the error left us.
    fn skip_broken(&mut self) -> Result<(), PgnError> {
        if self.input.at > 0 {
            let among_tags = self.section == Section::Tags;
            while self.input.next_line()? && among_tags && self.input.line.starts_with('[') {}
        }
        while !self.input.line.starts_with('[') && self.input.next_line()? {}
        Ok(())
    }
}

fn is_symbol(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_+#=:-/".contains(c)
}

fn is_mark(c: char) -> bool {
    matches!(c, '!' | '?')
}

/// The annotation that a suffix stands for.
fn suffix(place: Place, marks: &str) -> Result<u8, PgnError> {
    let nag = (1..).zip(SUFFIXES).find(|&(_, known)| known == marks).map(|(nag, _)| nag);
    nag.ok_or_else(|| place.unexpected("one of ! ? !! ?? !? ?!", marks.to_owned()))
}

/// The moves of a game that is being read, and the variations that are still open.
#[derive(Default)]
struct Draft {
    current: Line,
    /// The lines around the current one; the game itself first.
    outer: Vec<Line>,
}

/// A game or one variation.
#[derive(Default)]
struct Line {
    opened: Place,
    before: Vec<String>,
    moves: Vec<PgnMove>,
}

impl Draft {
    fn play(&mut self, place: Place, text: String) {
        let mut played = PgnMove { text, line: place.line, column: place.column, ..PgnMove::default() };
        if !self.outer.is_empty() {
            played.comments = mem::take(&mut self.current.before);
        }
        self.current.moves.push(played);
    }

    fn comment(&mut self, comment: String) {
        match self.current.moves.last_mut() {
            Some(last) => last.comments.push(comment),
            None => self.current.before.push(comment),
        }
    }

    fn annotate(&mut self, place: Place, nag: u8) -> Result<(), PgnError> {
        let last = self.current.moves.last_mut();
        last.ok_or_else(|| place.unexpected("a move", "an annotation".to_owned()))?.nags.push(nag);
        Ok(())
    }

    fn open(&mut self, place: Place) -> Result<(), PgnError> {
        if self.current.moves.is_empty() {
            return Err(place.unexpected("a move", "a variation of none".to_owned()));
        }
        if self.outer.len() == MAX_DEPTH {
            return Err(place.error(PgnErrorKind::TooDeep));
        }
        self.outer.push(mem::replace(&mut self.current, Line { opened: place, ..Line::default() }));
        Ok(())
    }

    /// Ends a variation. Of one without moves only the comments remain.
    fn close(&mut self, place: Place, keep: bool) -> Result<(), PgnError> {
        let Some(outer) = self.outer.pop() else {
            return Err(
                place.unexpected("a move, a comment or a result", "a ')' that closes nothing".to_owned())
            );
        };
        let closed = mem::replace(&mut self.current, outer);
        if let Some(varied) = self.current.moves.last_mut().filter(|_| keep) {
            varied.comments.extend(closed.before);
            if !closed.moves.is_empty() {
                varied.variations.push(closed.moves);
            }
        }
        Ok(())
    }

    /// Complains about the innermost variation that is open where `found` tells what stands there.
    fn all_closed(&self, found: impl Fn() -> String) -> Result<(), PgnError> {
        if self.outer.is_empty() {
            return Ok(());
        }
        Err(self.current.opened.error(PgnErrorKind::Unclosed { what: "variation", found: found() }))
    }
}

/// Where something stands in the text.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    line: usize,
    column: usize,
}

impl Place {
    fn error(self, kind: PgnErrorKind) -> PgnError {
        PgnError { line: self.line, column: self.column, kind }
    }

    fn unexpected(self, expected: &'static str, found: String) -> PgnError {
        self.error(PgnErrorKind::Unexpected { expected, found })
    }
}

/// The text, of which one line is held at a time.
#[derive(Debug)]
struct Input<R> {
    reader: R,
    bytes: Vec<u8>,
    /// The current line without its end; empty at the end of the text.
    line: String,
    /// How many bytes of the line have been read: always a boundary between characters.
    at: usize,
    /// Where the next character stands.
    place: Place,
    ended: bool,
}

impl<R: BufRead> Input<R> {
    fn new(reader: R) -> Input<R> {
        let place = Place { line: 0, column: 1 };
        Input { reader, bytes: Vec::new(), line: String::new(), at: 0, place, ended: false }
    }

    /// Goes to the start of the next line. False, and the place stays as it is, at the end of the text.
    fn next_line(&mut self) -> Result<bool, PgnError> {
        self.bytes.clear();
        self.line.clear();
        self.at = 0;
        let next = Place { line: self.place.line + 1, column: 1 };
        let length = self.reader.read_until(b'\n', &mut self.bytes);
        if length.map_err(|error| next.error(PgnErrorKind::Io(error)))? == 0 {
            self.ended = true;
            return Ok(false);
        }
        self.place = next;
        let bytes = self.bytes.strip_prefix(b"\xef\xbb\xbf").filter(|_| self.place.line == 1);
        let bytes = bytes.unwrap_or(&self.bytes);
        match str::from_utf8(bytes) {
            Ok(text) => self.line.push_str(text),
            Err(_) => self.line.extend(bytes.iter().map(|&byte| char::from(byte))),
        }
        self.line.truncate(self.line.trim_end_matches(['\r', '\n']).len());
        Ok(true)
    }

    fn rest(&self) -> &str {
        &self.line[self.at..]
    }

    /// The next character of the line.
    fn first(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// What stands here, in words.
    fn found(&self) -> String {
        match self.first() {
            Some(c) => format!("{c:?}"),
            None if self.ended => "the end of the text".to_owned(),
            None => "the end of the line".to_owned(),
        }
    }

    /// Passes the next character.
    fn step(&mut self) {
        if let Some(c) = self.first() {
            self.at += c.len_utf8();
            self.place.column += 1;
        }
    }

    /// Passes characters of the line for as long as they are `wanted`.
    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &str {
        let start = self.at;
        self.at += self.rest().find(|c| !wanted(c)).unwrap_or(self.rest().len());
        let taken = &self.line[start..self.at];
        self.place.column += taken.chars().count();
        taken
    }

    /// Passes white space, ends of lines and escaped lines. Whether an empty line was among them.
    fn skip_blanks(&mut self) -> Result<bool, PgnError> {
        let mut empty = false;
        loop {
            let escaped = self.at == 0 && self.rest().starts_with('%');
            self.take_while(|c| c.is_whitespace() || escaped);
            if !self.rest().is_empty() {
                return Ok(empty);
            }
            empty |= self.line.trim_start().is_empty();
            if !self.next_line()? {
                return Ok(empty);
            }
        }
    }

    /// Reads the comment that starts here, its words separated by single blanks.
    fn comment(&mut self) -> Result<String, PgnError> {
        let opened = self.place;
        let to_end_of_line = self.first() == Some(';');
        let mut comment = String::new();
        self.step();
        loop {
            for word in self.take_while(|c| to_end_of_line || c != '}').split_whitespace() {
                if !comment.is_empty() {
                    comment.push(' ');
                }
                comment.push_str(word);
            }
            if to_end_of_line || self.first() == Some('}') {
                self.step();
                return Ok(comment);
            }
            if !self.next_line()? || self.line.starts_with("[Event \"") {
                let found = if self.ended { self.found() } else { "the next game".to_owned() };
                return Err(opened.error(PgnErrorKind::Unclosed { what: "comment", found }));
            }
        }
    }

    /// Reads the tag that starts here: its name and its value.
    fn tag(&mut self) -> Result<(String, String), PgnError> {
        self.step();
        self.take_while(char::is_whitespace);
        let name = self.take_while(|c| is_symbol(c) && c != '/').to_owned();
        if name.is_empty() {
            return Err(self.place.unexpected("the name of a tag", self.found()));
        }
        self.take_while(char::is_whitespace);
        self.expect('"', "'\"' before the value of a tag")?;
        let value = self.tag_value()?;
        self.take_while(char::is_whitespace);
        self.expect(']', "']' after a tag")?;
        Ok((name, value))
    }

    /// Reads up to and with the closing quote. A backslash before anything but `"` and `\` is itself.
    fn tag_value(&mut self) -> Result<String, PgnError> {
        let mut value = String::new();
        loop {
            value.push_str(self.take_while(|c| c != '"' && c != '\\'));
            if self.first() != Some('\\') {
                self.expect('"', "'\"' after the value of a tag")?;
                return Ok(value);
            }
            self.step();
            match self.first() {
                Some(escaped @ ('"' | '\\')) => {
                    self.step();
                    value.push(escaped);
                }
                _ => value.push('\\'),
            }
        }
    }

    fn expect(&mut self, wanted: char, expected: &'static str) -> Result<(), PgnError> {
        if self.first() != Some(wanted) {
            return Err(self.place.unexpected(expected, self.found()));
        }
        self.step();
        Ok(())
    }
}
