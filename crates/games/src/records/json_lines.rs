//! JSON lines: playouts of other programs, one game a line after a line that tells where they come from.
//!
//! Every entry of a game holds what the source says; where the source is known to differ from the rules, the
//! right value stands under `x` and the name of the deviation under `x.d`.

use std::io::{self, BufRead};

use serde_json::{Map, Value};
use thiserror::Error;

/// The number of the format that is written; files of newer ones are refused.
pub const FORMAT: u64 = 1;

/// Why a file is not of this format.
#[derive(Debug, Error)]
pub enum LinesError {
    /// A line that is not JSON.
    #[error("line {line}, column {column}: not JSON: {what}")]
    Json {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The parser's words.
        what: String,
    },
    /// Written by a newer program.
    #[error("JSON lines of format {0}: this program reads up to {FORMAT}")]
    Newer(u64),
    /// A value that is missing or of the wrong kind.
    #[error("line {line}, {path}: expected {expected}")]
    Value {
        /// The line, from 1.
        line: usize,
        /// Where in the line, such as `p[3].m`.
        path: String,
        /// What should stand there.
        expected: String,
    },
    /// The reader failed.
    #[error("line {line}: cannot read on: {error}")]
    Io {
        /// The line, from 1.
        line: usize,
        /// Why.
        error: io::Error,
    },
}

/// The first line: what was recorded, and how its source is known to differ from the rules.
#[derive(Clone, Debug, Default)]
pub struct Meta {
    /// Which game.
    pub variant: String,
    /// Which rules of that game.
    pub ruleset: String,
    /// The program that was recorded, with its version.
    pub source: String,
    /// The names of the known deviations.
    pub deviations: Vec<String>,
}

/// A game as it stands in its line.
#[derive(Clone, Debug)]
pub struct Line {
    /// The number of the line, from 1.
    pub number: usize,
    /// The game.
    pub value: Map<String, Value>,
}

/// Reads the first line, then the games one by one.
#[derive(Debug)]
pub struct LinesReader<R> {
    reader: R,
    line: usize,
    text: String,
    /// What the first line says.
    pub meta: Meta,
}

impl<R: BufRead> LinesReader<R> {
    /// Reads the first line.
    ///
    /// # Errors
    /// If it is not the line this format starts with.
    pub fn new(reader: R) -> Result<LinesReader<R>, LinesError> {
        let mut lines = LinesReader { reader, line: 0, text: String::new(), meta: Meta::default() };
        let first = lines.next_value()?;
        let meta = first.as_ref().and_then(|first| first.get("meta")).and_then(Value::as_object);
        let meta = meta.ok_or_else(|| wrong(1, "meta", "an object that describes the file"))?;
        if let Some(newer) = meta.get("format").and_then(Value::as_u64).filter(|&format| format > FORMAT) {
            return Err(LinesError::Newer(newer));
        }
        let word = |name: &str| meta.get(name).and_then(Value::as_str).map(str::to_owned);
        lines.meta.variant = word("variant").ok_or_else(|| wrong(1, "meta.variant", "the name of a game"))?;
        lines.meta.ruleset = word("ruleset").unwrap_or_default();
        lines.meta.source = word("source").unwrap_or_default();
        let deviations = match meta.get("deviations") {
            None => &[][..],
            Some(Value::Array(deviations)) => deviations,
            Some(_) => return Err(wrong(1, "meta.deviations", "a list")),
        };
        for (i, deviation) in deviations.iter().enumerate() {
            let name = deviation.get("id").and_then(Value::as_str);
            let name = name.ok_or_else(|| wrong(1, &format!("meta.deviations[{i}].id"), "a name"))?;
            lines.meta.deviations.push(name.to_owned());
        }
        Ok(lines)
    }

    fn next_value(&mut self) -> Result<Option<Value>, LinesError> {
        loop {
            self.text.clear();
            self.line += 1;
            let line = self.line;
            match self.reader.read_line(&mut self.text) {
                Ok(0) => return Ok(None),
                Ok(_) if self.text.trim().is_empty() => {}
                Ok(_) => {
                    return serde_json::from_str(&self.text).map(Some).map_err(|error| {
                        let what = error.to_string();
                        let what = what.split(" at line ").next().unwrap_or_default().to_owned();
                        LinesError::Json { line, column: error.column(), what }
                    });
                }
                Err(error) => return Err(LinesError::Io { line, error }),
            }
        }
    }
}

impl<R: BufRead> Iterator for LinesReader<R> {
    type Item = Result<Line, LinesError>;

    fn next(&mut self) -> Option<Result<Line, LinesError>> {
        match self.next_value() {
            Ok(None) => None,
            Ok(Some(Value::Object(value))) => Some(Ok(Line { number: self.line, value })),
            Ok(Some(_)) => Some(Err(wrong(self.line, "line", "an object"))),
            Err(error) => Some(Err(error)),
        }
    }
}

fn wrong(line: usize, path: &str, expected: &str) -> LinesError {
    LinesError::Value { line, path: path.to_owned(), expected: expected.to_owned() }
}

impl Line {
    /// A text of the game itself.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn text(&self, name: &str) -> Result<&str, LinesError> {
        self.value.get(name).and_then(Value::as_str).ok_or_else(|| wrong(self.number, name, "a text"))
    }

    /// The entries of the game, in order.
    ///
    /// # Errors
    /// If they are not a list of objects.
    pub fn entries(&self) -> Result<Vec<Entry<'_>>, LinesError> {
        let list = self.value.get("p").and_then(Value::as_array);
        let list = list.ok_or_else(|| wrong(self.number, "p", "a list of entries"))?;
        let entry = |(index, value): (usize, &'_ Value)| match value {
            Value::Object(_) => Ok(()),
            _ => Err(wrong(self.number, &format!("p[{index}]"), "an object")),
        };
        list.iter().enumerate().try_for_each(entry)?;
        let entries = list.iter().enumerate().filter_map(|(index, value)| {
            value.as_object().map(|fields| Entry { line: self.number, index, fields })
        });
        Ok(entries.collect())
    }
}

/// One entry of a game: a ply, a try or a turn.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'l> {
    /// The line of the game, from 1.
    pub line: usize,
    /// The place among the entries of the game, from 0.
    pub index: usize,
    /// What it says.
    pub fields: &'l Map<String, Value>,
}

impl<'l> Entry<'l> {
    /// What the source says; `None` if nothing.
    #[must_use]
    pub fn source(&self, name: &str) -> Option<&'l Value> {
        self.fields.get(name)
    }

    /// What is right where the source is wrong: `Some(None)` if the right thing is to say nothing.
    #[must_use]
    pub fn correction(&self, name: &str) -> Option<Option<&'l Value>> {
        let value = self.fields.get("x")?.get(name)?;
        Some(if value.is_null() { None } else { Some(value) })
    }

    /// The deviations that this entry admits to.
    pub fn deviations(&self) -> impl Iterator<Item = &'l str> + use<'l> {
        let names = self.fields.get("x").and_then(|x| x.get("d"));
        let names: Vec<&str> = match names {
            Some(Value::String(name)) => vec![name.as_str()],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        names.into_iter()
    }

    /// A text of this entry.
    ///
    /// # Errors
    /// If it is there but not a text.
    pub fn text(&self, name: &str) -> Result<Option<&'l str>, LinesError> {
        match self.fields.get(name) {
            None => Ok(None),
            Some(value) => value.as_str().map(Some).ok_or_else(|| self.wrong(name, "a text")),
        }
    }

    /// The error that `name` is not what was expected.
    #[must_use]
    pub fn wrong(&self, name: &str, expected: &str) -> LinesError {
        wrong(self.line, &format!("p[{}].{name}", self.index), expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_newer_is_refused_by_its_number() {
        let read = |format: &str| {
            let line = format!("{{\"meta\": {{{format}\"variant\": \"fog\", \"deviations\": 3}}}}\n");
            LinesReader::new(line.as_bytes()).unwrap_err().to_string()
        };
        assert_eq!(read("\"format\": 2, "), "JSON lines of format 2: this program reads up to 1");
        for known in ["", "\"format\": 1, "] {
            assert_eq!(read(known), "line 1, meta.deviations: expected a list");
        }
    }
}
