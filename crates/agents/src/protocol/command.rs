//! What a program hears.

use std::fmt;
use std::str::FromStr;

use scuro_games::chess::{Board, Color, Square};
use scuro_games::kriegspiel::Taken;
use scuro_games::rbc::Moved;
use scuro_games::records::pgn::PgnResult;
use scuro_games::records::transcript::Code;

use super::LineError;
use super::parts::{Choice, Go, Window, square, square_word};

/// A line to a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `uci`: who are you?
    Uci,
    /// `isready`: have you heard all I said?
    IsReady,
    /// `setoption name NAME value VALUE`.
    SetOption {
        /// Which option.
        name: String,
        /// What it is from now on.
        value: String,
    },
    /// `ucinewgame`: another game, from the usual position and as White unless told otherwise.
    NewGame,
    /// `start fen FEN`: both players know that the game starts there; `start` is the usual position.
    Start(Board),
    /// `side white` or `side black`: who you are.
    Side(Color),
    /// `view FOGFEN`: what you see now, in Fog of War. Only who knows the side can read it.
    View(String),
    /// `played MOVE`: what you really played.
    Played(Choice),
    /// `umpire ...`: what the umpire of Kriegspiel says.
    Umpire(Said),
    /// `sensed a2=P ...`: what your sense shows.
    Sensed(Window),
    /// `moved REQUESTED TAKEN CAPTURE`: what became of your request.
    Moved(Moved),
    /// `lost SQ`: where they captured.
    Lost(Option<Square>),
    /// `go ...`: choose.
    Go(Go),
    /// `stop`: choose now.
    Stop,
    /// `d`: what do you believe?
    Show,
    /// `gameover RESULT REASON`.
    GameOver(PgnResult, String),
    /// `quit`.
    Quit,
}

/// What the umpire of Kriegspiel says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// A move was made, and this is announced with it.
    Made {
        /// The codes.
        codes: Vec<Code>,
        /// What was captured, if that is told: the word `pawn` or `piece`.
        taken: Option<Taken>,
    },
    /// The try of the player to move is not legal.
    Refused {
        /// Whether the player should have known.
        nonsense: bool,
    },
    /// The answer to "any?".
    Answered(bool),
}

impl FromStr for Command {
    type Err = LineError;

    fn from_str(line: &str) -> Result<Command, LineError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (&first, rest) = words.split_first().ok_or_else(|| LineError::Unknown(String::new()))?;
        let alone =
            |command: Command, line| if rest.is_empty() { Ok(command) } else { Err(LineError::Shape(line)) };
        match first {
            "uci" => alone(Command::Uci, "uci"),
            "isready" => alone(Command::IsReady, "isready"),
            "ucinewgame" => alone(Command::NewGame, "ucinewgame"),
            "stop" => alone(Command::Stop, "stop"),
            "d" => alone(Command::Show, "d"),
            "quit" => alone(Command::Quit, "quit"),
            "setoption" => set_option(rest),
            "start" => start(rest),
            "side" => side(rest),
            "view" if rest.is_empty() => Err(LineError::Shape("view FOGFEN")),
            "view" => Ok(Command::View(rest.join(" "))),
            "played" => match rest {
                [word] => Ok(Command::Played(Choice::parse(word)?)),
                _ => Err(LineError::Shape("played MOVE")),
            },
            "umpire" => said(rest).map(Command::Umpire),
            "sensed" => Window::parse(rest).map(Command::Sensed),
            "moved" => moved(rest),
            "lost" => match rest {
                [word] => Ok(Command::Lost(square(word)?)),
                _ => Err(LineError::Shape("lost SQUARE")),
            },
            "go" => Go::parse(rest).map(Command::Go),
            "gameover" => game_over(rest),
            _ => Err(LineError::Unknown(line.trim().to_owned())),
        }
    }
}

fn set_option(words: &[&str]) -> Result<Command, LineError> {
    const SHAPE: LineError = LineError::Shape("setoption name NAME [value VALUE]");
    let ["name", rest @ ..] = words else { return Err(SHAPE) };
    let end = rest.iter().position(|&word| word == "value").unwrap_or(rest.len());
    if end == 0 {
        return Err(SHAPE);
    }
    let value = rest.get(end + 1..).unwrap_or_default().join(" ");
    Ok(Command::SetOption { name: rest[..end].join(" "), value })
}

fn start(words: &[&str]) -> Result<Command, LineError> {
    match words {
        [] => Ok(Command::Start(Board::start())),
        ["fen", fen @ ..] => fen.join(" ").parse().map(Command::Start).map_err(LineError::refused),
        _ => Err(LineError::Shape("start [fen FEN]")),
    }
}

fn side(words: &[&str]) -> Result<Command, LineError> {
    match words {
        ["white"] => Ok(Command::Side(Color::White)),
        ["black"] => Ok(Command::Side(Color::Black)),
        _ => Err(LineError::Shape("side white|black")),
    }
}

fn said(words: &[&str]) -> Result<Said, LineError> {
    match words {
        ["illegal"] => return Ok(Said::Refused { nonsense: false }),
        ["nonsense"] => return Ok(Said::Refused { nonsense: true }),
        _ => {}
    }
    let kind = |word: &str| match word {
        "pawn" => Some(Taken::Pawn),
        "piece" => Some(Taken::Piece),
        _ => None,
    };
    let kinds: Vec<Taken> = words.iter().filter_map(|word| kind(word)).collect();
    let codes = words.iter().filter(|word| kind(word).is_none());
    let codes = codes.map(|word| word.parse()).collect::<Result<Vec<Code>, _>>();
    let codes = codes.map_err(LineError::refused)?;
    let captures = codes.iter().filter(|code| matches!(code, Code::Capture(_))).count();
    match (&codes[..], &kinds[..]) {
        ([Code::Asked(any)], []) => Ok(Said::Answered(*any)),
        _ if codes.iter().any(|code| matches!(code, Code::Asked(_))) => {
            Err(LineError::Shape("umpire Ay, or An, alone"))
        }
        (_, []) => Ok(Said::Made { codes, taken: None }),
        (_, &[taken]) if captures == 1 => Ok(Said::Made { codes, taken: Some(taken) }),
        _ => Err(LineError::Shape("umpire Xe4 pawn, or umpire Xe4 piece")),
    }
}

fn moved(words: &[&str]) -> Result<Command, LineError> {
    let [requested, taken, captured] = words else {
        return Err(LineError::Shape("moved REQUESTED TAKEN CAPTURE"));
    };
    let choice = |word: &str| match Choice::parse(word)? {
        Choice::Move(m) => Ok(Some(m)),
        Choice::Pass => Ok(None),
        Choice::Any => Err(LineError::part("a move", word)),
    };
    let (requested, taken, captured) = (choice(requested)?, choice(taken)?, square(captured)?);
    Ok(Command::Moved(Moved { requested, taken, captured }))
}

fn game_over(words: &[&str]) -> Result<Command, LineError> {
    let [result, reason @ ..] = words else { return Err(LineError::Shape("gameover RESULT REASON")) };
    let result = PgnResult::parse(result).ok_or_else(|| LineError::part("1-0, 0-1, 1/2-1/2 or *", result))?;
    Ok(Command::GameOver(result, reason.join(" ")))
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Said::Made { codes, taken } => codes.iter().try_for_each(|code| {
                let kind = match (code, taken) {
                    (Code::Capture(_), Some(Taken::Pawn)) => " pawn",
                    (Code::Capture(_), Some(Taken::Piece)) => " piece",
                    _ => "",
                };
                write!(f, " {code}{kind}")
            }),
            Said::Refused { nonsense: false } => f.write_str(" illegal"),
            Said::Refused { nonsense: true } => f.write_str(" nonsense"),
            Said::Answered(any) => write!(f, " {}", Code::Asked(*any)),
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value } if value.is_empty() => write!(f, "setoption name {name}"),
            Command::SetOption { name, value } => write!(f, "setoption name {name} value {value}"),
            Command::NewGame => f.write_str("ucinewgame"),
            Command::Start(board) => write!(f, "start fen {board}"),
            Command::Side(Color::White) => f.write_str("side white"),
            Command::Side(Color::Black) => f.write_str("side black"),
            Command::View(view) => write!(f, "view {view}"),
            Command::Played(choice) => write!(f, "played {choice}"),
            Command::Umpire(said) => write!(f, "umpire{said}"),
            Command::Sensed(window) => write!(f, "sensed {window}"),
            Command::Moved(Moved { requested, taken, captured }) => {
                let [requested, taken] = [*requested, *taken].map(Choice::from);
                write!(f, "moved {requested} {taken} {}", square_word(*captured))
            }
            Command::Lost(square) => write!(f, "lost {}", square_word(*square)),
            Command::Go(go) => go.fmt(f),
            Command::Stop => f.write_str("stop"),
            Command::Show => f.write_str("d"),
            Command::GameOver(result, reason) if reason.is_empty() => write!(f, "gameover {result}"),
            Command::GameOver(result, reason) => write!(f, "gameover {result} {reason}"),
            Command::Quit => f.write_str("quit"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written as it is read.
    #[test]
    fn every_line_round_trips() {
        for line in [
            "uci",
            "isready",
            "setoption name UCI_Variant value fogofwar",
            "setoption name Clear Hash",
            "setoption name EvalFile value a file with blanks",
            "ucinewgame",
            "start fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "side white",
            "side black",
            "view ????????/????????/????????/????????/????????/????????/???3??/???1K1?? w - - - 1",
            "played e2e4",
            "played any?",
            "umpire",
            "umpire P1 Xf5 CF",
            "umpire Xd5 pawn",
            "umpire P1 Xf5 piece CF",
            "umpire Ay",
            "umpire illegal",
            "umpire nonsense",
            "sensed a2=P b2=P a1=R b1=.",
            "sensed -",
            "moved e2e4 e2e3 -",
            "moved 0000 0000 -",
            "moved d4e3 d4e3 e4",
            "lost e4",
            "lost -",
            "go",
            "go sense",
            "go move movetime 100",
            "go movetime 100",
            "go nodes 1000",
            "go infinite",
            "go wtime 60000 btime 50000 winc 1000 binc 0",
            "go wtime 60000 winc 1000",
            "go move btime 50000 binc 0",
            "stop",
            "d",
            "gameover 1-0 king captured",
            "gameover 1/2-1/2",
            "gameover * the opponent is gone",
            "quit",
        ] {
            assert_eq!(line.parse::<Command>().map(|command| command.to_string()), Ok(line.to_owned()));
        }
    }

    /// What is understood, and how it is written.
    #[test]
    fn lines_are_read_with_some_patience() {
        for (line, written) in [
            ("  isready  ", "isready"),
            ("start", "start fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            ("moved pass null none", "moved 0000 0000 -"),
            ("umpire piece CF Xd5", "umpire CF Xd5 piece"),
            ("sensed", "sensed -"),
            ("go binc 5 wtime -20 btime 7", "go wtime 0 btime 7 winc 0 binc 5"),
            ("go wtime 5", "go wtime 5 winc 0"),
            ("go movetime 9223372036854775807", "go movetime 31622400000"),
        ] {
            assert_eq!(line.parse::<Command>().map(|command| command.to_string()), Ok(written.to_owned()));
        }
    }

    #[test]
    fn wrong_lines_name_what_is_wrong() {
        for (line, words) in [
            ("", "unknown line ''"),
            ("castle now", "unknown line 'castle now'"),
            ("uci now", "expected 'uci'"),
            ("setoption UCI_Variant", "expected 'setoption name"),
            ("setoption name value x", "expected 'setoption name"),
            ("start e2e4", "expected 'start [fen FEN]'"),
            ("start fen 8/8", "FEN"),
            ("side red", "expected 'side white|black'"),
            ("view", "expected 'view FOGFEN'"),
            ("played e2e9", "'e9' is not a square"),
            ("umpire P1 Q", "'Q' is nothing an umpire says"),
            ("umpire Ay P1", "alone"),
            ("umpire Ay pawn", "alone"),
            ("umpire pawn", "expected 'umpire Xe4 pawn, or umpire Xe4 piece'"),
            ("umpire Xd5 pawn piece", "expected 'umpire Xe4 pawn"),
            ("umpire Xd5 Xe5 pawn", "expected 'umpire Xe4 pawn"),
            ("sensed e4", "'e4' is not a square and what stands on it"),
            ("sensed e4=P", "is not a square with its neighbours"),
            ("moved e2e4 e2e4", "expected 'moved REQUESTED TAKEN CAPTURE'"),
            ("moved any? e2e4 -", "'any?' is not a move"),
            ("lost", "expected 'lost SQUARE'"),
            ("lost i9", "'i9' is not a square"),
            ("go movetime", "expected 'go "),
            ("go depth 3", "expected 'go "),
            ("go movetime soon", "'soon' is not a time"),
            ("go nodes 0", "'0' is not a number of nodes"),
            ("go winc 5", "expected 'go "),
            ("go wtime 5 binc 5", "expected 'go "),
            ("go wtime 5 wtime 6", "expected 'go "),
            ("gameover", "expected 'gameover RESULT REASON'"),
            ("gameover 2-0", "'2-0' is not 1-0"),
        ] {
            let error = line.parse::<Command>().unwrap_err().to_string();
            assert!(error.contains(words), "{line}: {error}");
        }
    }
}
