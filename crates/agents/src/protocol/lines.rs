//! Lines of any stream, however long they claim to be.

use std::io::{self, BufRead, Read};

/// Longer lines are no lines: nobody has that much to say.
pub const LONGEST: usize = 16 << 10;

/// What a stream has next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line, without its end.
    Text(String),
    /// A line that is longer than [`LONGEST`]; its rest was skipped.
    TooLong,
}

/// The lines of a stream, until it ends or fails. What is not UTF-8 is shown as such.
pub struct Lines<R>(R);

impl<R: BufRead> Lines<R> {
    /// Reads lines.
    pub fn new(stream: R) -> Lines<R> {
        Lines(stream)
    }

    fn skip_rest(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.0.fill_buf()?;
            let (used, done) = match buffer.iter().position(|&byte| byte == b'\n') {
                Some(end) => (end + 1, true),
                None => (buffer.len(), buffer.is_empty()),
            };
            self.0.consume(used);
            if done {
                return Ok(());
            }
        }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        let mut bytes = Vec::new();
        let most = LONGEST as u64 + 1;
        let read = self.0.by_ref().take(most).read_until(b'\n', &mut bytes).ok()?;
        if read == 0 {
            return None;
        }
        if bytes.last() != Some(&b'\n') && bytes.len() > LONGEST {
            self.skip_rest().ok()?;
            return Some(Line::TooLong);
        }
        Some(Line::Text(String::from_utf8_lossy(&bytes).trim().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_skipped_and_the_rest_is_read() {
        let long = "x".repeat(100_000);
        let text = format!("one\r\n{long}\ntwo\n\u{fffd}\n\nlast");
        let lines: Vec<Line> = Lines::new(text.as_bytes()).collect();
        let said = |line: &str| Line::Text(line.to_owned());
        assert_eq!(
            lines,
            [said("one"), Line::TooLong, said("two"), said("\u{fffd}"), said(""), said("last")]
        );
        assert_eq!(Lines::new(&b"\xff\xfe\n"[..]).collect::<Vec<_>>(), [said("\u{fffd}\u{fffd}")]);
    }
}
