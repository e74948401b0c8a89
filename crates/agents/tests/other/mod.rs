//! The engine as it is spoken to: lines in, lines out.

#![allow(dead_code, reason = "every test uses a part of it")]

use std::io::{self, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::thread::JoinHandle;

use scuro_agents::name::{Agent, Eval, Obscuro};
use scuro_agents::protocol::{Line, Lines, engine};

/// An engine at the other end of two pipes.
pub(crate) struct Other {
    input: Option<PipeWriter>,
    lines: Lines<BufReader<PipeReader>>,
    engine: JoinHandle<io::Result<()>>,
}

impl Other {
    pub(crate) fn new() -> Other {
        Other::believing(None)
    }

    /// One whose belief keeps at most so many positions.
    pub(crate) fn believing(positions: Option<usize>) -> Other {
        let agent = Obscuro { eval: Eval::Simple, growers: Some(0), positions, ..Obscuro::default() };
        Other::of(Agent::Obscuro(Box::new(agent)))
    }

    /// One with this agent.
    pub(crate) fn of(agent: Agent) -> Other {
        let ((heard, input), (output, mut said)) = (pipe().unwrap(), pipe().unwrap());
        let engine = std::thread::spawn(move || engine::run(BufReader::new(heard), &mut said, agent));
        Other { input: Some(input), lines: Lines::new(BufReader::new(output)), engine }
    }

    pub(crate) fn tell(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    pub(crate) fn hear(&mut self) -> String {
        match self.lines.next() {
            Some(Line::Text(line)) => line,
            other => panic!("{other:?}"),
        }
    }

    /// What it says next that is no thought.
    pub(crate) fn hear_answer(&mut self) -> String {
        loop {
            let heard = self.hear();
            if !heard.starts_with("info depth ") {
                return heard;
            }
        }
    }

    /// What it says to this, up to a line that begins like that.
    pub(crate) fn until(&mut self, line: &str, last: &str) -> String {
        self.tell(line);
        loop {
            let heard = self.hear();
            if heard.starts_with(last) {
                return heard;
            }
            assert!(!heard.starts_with("error"), "{line}: {heard}");
        }
    }

    /// It says nothing to this.
    pub(crate) fn quiet(&mut self, line: &str) {
        self.tell(line);
        self.tell("isready");
        assert_eq!(self.hear_answer(), "readyok", "{line}");
    }

    pub(crate) fn refuses(&mut self, line: &str, words: &str) {
        self.tell(line);
        let heard = self.hear_answer();
        assert!(heard.starts_with("error ") && heard.contains(words), "{line}: {heard}");
    }

    /// What it says to `d`.
    pub(crate) fn belief(&mut self) -> Vec<String> {
        self.tell("d");
        self.tell("isready");
        std::iter::repeat_with(|| self.hear()).take_while(|line| line != "readyok").collect()
    }

    pub(crate) fn choice(&mut self, line: &str) -> String {
        self.until(line, "best").split(' ').nth(1).unwrap().to_owned()
    }

    /// What it says after nobody tells it anything any more, and that it ends well.
    pub(crate) fn close(mut self) -> Vec<Line> {
        self.input = None;
        let rest = self.lines.by_ref().collect();
        self.engine.join().unwrap().unwrap();
        rest
    }
}
