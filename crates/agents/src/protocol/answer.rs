//! What a program says.

use std::fmt;
use std::str::FromStr;

use scuro_games::chess::Square;

use super::LineError;
use super::parts::{Choice, square, square_word};

/// A line from a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// `id name NAME`.
    Name(String),
    /// `id author AUTHOR`.
    Author(String),
    /// `scuro 1`: the version of the dialect.
    Version(u32),
    /// `option ...`.
    Offer(Offer),
    /// `uciok`.
    UciOk,
    /// `readyok`.
    ReadyOk,
    /// `info ...`: what it can tell of its thoughts.
    Info(Info),
    /// `info string ...`.
    Note(String),
    /// `bestmove MOVE`.
    BestMove(Choice),
    /// `bestsense SQ`.
    BestSense(Option<Square>),
    /// `error ...`: the line was unknown or wrong, and changed nothing.
    Error(String),
}

/// An option that a program has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Its name.
    pub name: String,
    /// What it can be.
    pub kind: Kind,
}

/// What an option can be; texts are its value unless it is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Check(String),
    /// A number.
    Spin {
        /// Unless it is set.
        usual: String,
        /// The least.
        min: i64,
        /// The most.
        max: i64,
    },
    /// One of these words.
    Combo {
        /// Unless it is set.
        usual: String,
        /// All of them.
        words: Vec<String>,
    },
    /// Any text.
    Text(String),
    /// Something to do.
    Button,
}

/// What a program can tell of its thoughts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Plies of its longest line.
    pub depth: Option<usize>,
    /// Nodes of its tree.
    pub nodes: Option<usize>,
    /// Infosets of its tree.
    pub infosets: Option<usize>,
    /// How many positions it holds possible.
    pub belief: Option<usize>,
    /// What it expects, in hundredths of a pawn to itself.
    pub score: Option<i32>,
    /// How play may go on.
    pub line: Vec<String>,
}

impl Info {
    /// A score is at most this.
    pub const MOST: i32 = 10_000;

    /// The score of a value in [-1, 1]: a value is the tanh of a sixth of the pawns.
    #[must_use]
    pub fn score_of(value: f64) -> i32 {
        let most = f64::from(Info::MOST);
        let pawns = value.clamp(-1.0, 1.0).atanh() * 6.0;
        (pawns * 100.0).clamp(-most, most).round() as i32
    }

    /// The value in [-1, 1] that the score stands for.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        self.score.map(|score| (f64::from(score) / 600.0).tanh())
    }
}

impl FromStr for Answer {
    type Err = LineError;

    fn from_str(line: &str) -> Result<Answer, LineError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["id", "name", ref name @ ..] => Ok(Answer::Name(name.join(" "))),
            ["id", "author", ref author @ ..] => Ok(Answer::Author(author.join(" "))),
            ["scuro", version] => {
                version.parse().map(Answer::Version).map_err(|_| LineError::part("a version", version))
            }
            ["option", ref rest @ ..] => offer(rest).map(Answer::Offer),
            ["uciok"] => Ok(Answer::UciOk),
            ["readyok"] => Ok(Answer::ReadyOk),
            ["info", "string", ref note @ ..] => Ok(Answer::Note(note.join(" "))),
            ["info", ref rest @ ..] => Ok(Answer::Info(info(rest))),
            ["bestmove", choice] | ["bestmove", choice, "ponder", _] => {
                Choice::parse(choice).map(Answer::BestMove)
            }
            ["bestsense", word] => square(word).map(Answer::BestSense),
            ["error", ref words @ ..] => Ok(Answer::Error(words.join(" "))),
            _ => Err(LineError::Unknown(line.trim().to_owned())),
        }
    }
}

/// What is not known of a line of `info` is left out, as in UCI.
fn info(words: &[&str]) -> Info {
    let mut info = Info::default();
    let mut rest = words;
    while let [key, after @ ..] = rest {
        rest = after;
        let number = || after.first().and_then(|word| word.parse().ok());
        match (*key, after) {
            ("depth", _) => info.depth = number(),
            ("nodes", _) => info.nodes = number(),
            ("infosets", _) => info.infosets = number(),
            ("belief", _) => info.belief = number(),
            ("score", ["cp", score, ..]) => {
                info.score = score.parse().ok().map(|score: i32| score.clamp(-Info::MOST, Info::MOST));
            }
            ("score", ["mate", moves, ..]) => {
                info.score = Some(if moves.starts_with('-') { -Info::MOST } else { Info::MOST });
            }
            ("pv", line) => {
                info.line = line.iter().map(|&word| word.to_owned()).collect();
                return info;
            }
            _ => {}
        }
    }
    info
}

const OPTION: LineError =
    LineError::Shape("option name NAME type check|spin|combo|string|button [default ...] ...");

fn offer(words: &[&str]) -> Result<Offer, LineError> {
    let ["name", rest @ ..] = words else { return Err(OPTION) };
    let end = rest.iter().position(|&word| word == "type").filter(|&end| end > 0).ok_or(OPTION)?;
    let (name, rest) = (rest[..end].join(" "), &rest[end + 1..]);
    let (&kind, rest) = rest.split_first().ok_or(OPTION)?;
    // The words after a key, up to the next one.
    let after = |key: &str| -> String {
        let mut words = rest.iter().skip_while(|&&word| word != key).skip(1);
        let keys = ["default", "min", "max", "var"];
        let words: Vec<&str> = words.by_ref().take_while(|word| !keys.contains(word)).copied().collect();
        words.join(" ")
    };
    let bound = |key| after(key).parse().map_err(|_| OPTION);
    let usual = after("default");
    let kind = match kind {
        "check" => Kind::Check(usual),
        "spin" => Kind::Spin { usual, min: bound("min")?, max: bound("max")? },
        "combo" => {
            let words = rest.split(|&word| word == "var").skip(1);
            Kind::Combo { usual, words: words.map(|words| words.join(" ")).collect() }
        }
        "string" => Kind::Text(usual),
        "button" => Kind::Button,
        _ => return Err(LineError::part("a type of options", kind)),
    };
    Ok(Offer { name, kind })
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Name(name) => write!(f, "id name {name}"),
            Answer::Author(author) => write!(f, "id author {author}"),
            Answer::Version(version) => write!(f, "scuro {version}"),
            Answer::Offer(offer) => offer.fmt(f),
            Answer::UciOk => f.write_str("uciok"),
            Answer::ReadyOk => f.write_str("readyok"),
            Answer::Info(info) => info.fmt(f),
            Answer::Note(note) => write!(f, "info string {note}"),
            Answer::BestMove(choice) => write!(f, "bestmove {choice}"),
            Answer::BestSense(square) => write!(f, "bestsense {}", square_word(*square)),
            Answer::Error(error) => write!(f, "error {error}"),
        }
    }
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        let default = |usual: &str| match usual {
            "" => String::new(),
            usual => format!(" default {usual}"),
        };
        match &self.kind {
            Kind::Check(usual) => write!(f, "check{}", default(usual)),
            Kind::Spin { usual, min, max } => write!(f, "spin{} min {min} max {max}", default(usual)),
            Kind::Combo { usual, words } => {
                write!(f, "combo{}", default(usual))?;
                words.iter().try_for_each(|word| write!(f, " var {word}"))
            }
            Kind::Text(usual) => write!(f, "string{}", default(usual)),
            Kind::Button => f.write_str("button"),
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        let counts = [
            ("depth", self.depth),
            ("nodes", self.nodes),
            ("infosets", self.infosets),
            ("belief", self.belief),
        ];
        for (key, count) in counts {
            count.map_or(Ok(()), |count| write!(f, " {key} {count}"))?;
        }
        self.score.map_or(Ok(()), |score| write!(f, " score cp {score}"))?;
        if self.line.is_empty() { Ok(()) } else { write!(f, " pv {}", self.line.join(" ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_round_trips() {
        for line in [
            "id name Scuro 0.1.0",
            "id author nobody",
            "scuro 1",
            "option name UCI_Variant type combo default fogofwar var fogofwar var kriegspiel var rbc",
            "option name Hash type spin default 2048 min 1 max 1048576",
            "option name Ponder type check default false",
            "option name EvalFile type string default <empty>",
            "option name Clear Hash type button",
            "uciok",
            "readyok",
            "info depth 4 nodes 1200 infosets 300 belief 20 score cp -31 pv e2e4 e7e5",
            "info string anything",
            "bestmove e2e4",
            "bestmove 0000",
            "bestmove any?",
            "bestsense e4",
            "bestsense -",
            "error unknown line 'x'",
        ] {
            assert_eq!(line.parse::<Answer>().map(|answer| answer.to_string()), Ok(line.to_owned()));
        }
        let patient = "info depth 4 seldepth 6 time 12 nps 5 nodes 7 score mate -3".parse::<Answer>();
        assert_eq!(
            patient.map(|info| info.to_string()),
            Ok("info depth 4 nodes 7 score cp -10000".to_owned())
        );
        let pondering = "bestmove e7e8q ponder a7a6".parse::<Answer>();
        assert_eq!(pondering.map(|best| best.to_string()), Ok("bestmove e7e8q".to_owned()));
    }

    #[test]
    fn nonsense_is_no_answer() {
        for line in [
            "",
            "hello",
            "scuro",
            "scuro x",
            "bestmove",
            "bestmove e9",
            "bestmove (none)",
            "bestmove a b c",
            "bestsense z1",
            "option",
            "option name x",
            "option name x type spin",
            "option name x type odd",
        ] {
            assert!(line.parse::<Answer>().is_err(), "{line}");
        }
    }

    #[test]
    fn values_become_scores_and_scores_values() {
        for value in [-0.9, -0.2, 0.0, 0.31, 0.999] {
            let info = Info { score: Some(Info::score_of(value)), ..Info::default() };
            assert!((info.value().unwrap() - value).abs() < 0.002, "{value}");
        }
        assert_eq!([1.0, -1.0, 5.0].map(Info::score_of), [10_000, -10_000, 10_000]);
        assert_eq!(Info::score_of(f64::NAN), 0);
    }
}
