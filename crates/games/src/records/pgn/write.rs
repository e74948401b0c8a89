//! The export layout: roster tags first, movetext in lines of at most 79 columns.

use std::fmt::{self, Display, Formatter};

use super::{PgnGame, PgnMove};

/// The tags that every game should have, in the order of the standard.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// The longest line of movetext, unless a single word is longer.
const WIDTH: usize = 79;

impl Display for PgnGame {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let roster = ROSTER.iter().flat_map(|&name| self.tags.iter().filter(move |tag| tag.0 == name));
        let others = self.tags.iter().filter(|tag| !ROSTER.contains(&tag.0.as_str()));
        for (name, value) in roster.chain(others) {
            let value = value.replace('\\', r"\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        if !self.tags.is_empty() {
            writeln!(f)?;
        }
        let mut text = Movetext { out: f, column: 0, glued: false };
        text.comments(&self.before)?;
        text.moves(&self.moves, Ply::first(self))?;
        text.word(&self.result.to_string())?;
        writeln!(f)
    }
}

/// Whose move it is, and its number.
#[derive(Clone, Copy)]
struct Ply {
    number: u64,
    black: bool,
}

impl Ply {
    /// The first ply of a game: White's move 1 unless the tag `FEN` says otherwise.
    fn first(game: &PgnGame) -> Ply {
        let fields: Vec<&str> = game.tag("FEN").unwrap_or_default().split_whitespace().collect();
        let number = fields.get(5).and_then(|field| field.parse::<u32>().ok()).unwrap_or(1);
        Ply { number: u64::from(number), black: fields.get(1) == Some(&"b") }
    }

    fn next(self) -> Ply {
        Ply { number: self.number + u64::from(self.black), black: !self.black }
    }
}

/// Words on their way into lines.
struct Movetext<'a, 'f> {
    out: &'a mut Formatter<'f>,
    /// Characters in the current line.
    column: usize,
    /// Whether the next word follows the last one without a blank.
    glued: bool,
}

impl Movetext<'_, '_> {
    fn moves(&mut self, moves: &[PgnMove], mut ply: Ply) -> fmt::Result {
        let mut interrupted = true;
        for played in moves {
            if !ply.black {
                self.word(&format!("{}.", ply.number))?;
            } else if interrupted {
                self.word(&format!("{}...", ply.number))?;
            }
            self.word(&played.text)?;
            for nag in &played.nags {
                self.word(&format!("${nag}"))?;
            }
            self.comments(&played.comments)?;
            let variations = played.variations.iter().filter(|line| !line.is_empty());
            for variation in variations.clone() {
                self.word("(")?;
                self.glued = true;
                self.moves(variation, ply)?;
                self.glued = true;
                self.word(")")?;
            }
            interrupted = !played.comments.is_empty() || variations.count() > 0;
            ply = ply.next();
        }
        Ok(())
    }

    fn comments(&mut self, comments: &[String]) -> fmt::Result {
        for comment in comments {
            // A comment of one word is never broken up: readers of records look for it as a whole.
            let text = format!("{{{}}}", comment.replace('}', ")"));
            text.split_whitespace().try_for_each(|word| self.word(word))?;
        }
        Ok(())
    }

    fn word(&mut self, word: &str) -> fmt::Result {
        let blank = self.column > 0 && !self.glued;
        let length = word.chars().count();
        if self.column > 0 && self.column + usize::from(blank) + length > WIDTH {
            self.out.write_str("\n")?;
            self.column = 0;
        } else if blank {
            self.out.write_str(" ")?;
            self.column += 1;
        }
        // At the start of a line these would pass for a tag or an escape, though they stand in a comment.
        if self.column == 0 && word.starts_with(['[', '%']) {
            self.out.write_str(" ")?;
            self.column += 1;
        }
        self.out.write_str(word)?;
        self.column += length;
        self.glued = false;
        Ok(())
    }
}
