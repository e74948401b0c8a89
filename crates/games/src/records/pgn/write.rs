//! The export layout: roster tags first, movetext in lines of at most 79 columns.

use std::fmt::{self, Display, Formatter};
use std::time::{SystemTime, UNIX_EPOCH};

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

/// The day of a time, as the tag `Date` has it, in Greenwich; times before 1970 count as its first day.
#[must_use]
pub fn date(time: SystemTime) -> String {
    // Days are counted from 1 March of the year 0, in eras of 400 years.
    let days = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400) + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}.{month:02}.{day:02}", year + era * 400 + later)
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
