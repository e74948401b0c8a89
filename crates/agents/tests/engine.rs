//! The engine as it is spoken to: lines in, lines out.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{self, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::thread::JoinHandle;
use std::time::Duration;

use scuro_agents::engine;
use scuro_agents::name::{Eval, Obscuro};
use scuro_agents::protocol::{Line, Lines};
use scuro_games::chess::{Board, Color, Move};
use scuro_games::fog::{FogOfWar, View};
use scuro_games::umpire::Umpire;

/// An engine at the other end of two pipes.
struct Other {
    input: Option<PipeWriter>,
    lines: Lines<BufReader<PipeReader>>,
    engine: JoinHandle<io::Result<()>>,
}

impl Other {
    fn new() -> Other {
        let ((heard, input), (output, mut said)) = (pipe().unwrap(), pipe().unwrap());
        let agent = Obscuro { eval: Eval::Simple, growers: Some(0), ..Obscuro::default() };
        let engine = std::thread::spawn(move || engine::run(BufReader::new(heard), &mut said, agent));
        Other { input: Some(input), lines: Lines::new(BufReader::new(output)), engine }
    }

    fn tell(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn hear(&mut self) -> String {
        match self.lines.next() {
            Some(Line::Text(line)) => line,
            other => panic!("{other:?}"),
        }
    }

    /// What it says next that is no thought.
    fn hear_answer(&mut self) -> String {
        loop {
            let heard = self.hear();
            if !heard.starts_with("info depth ") {
                return heard;
            }
        }
    }

    /// What it says to this, up to a line that begins like that.
    fn until(&mut self, line: &str, last: &str) -> String {
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
    fn quiet(&mut self, line: &str) {
        self.tell(line);
        self.tell("isready");
        assert_eq!(self.hear_answer(), "readyok", "{line}");
    }

    fn refuses(&mut self, line: &str, words: &str) {
        self.tell(line);
        let heard = self.hear_answer();
        assert!(heard.starts_with("error ") && heard.contains(words), "{line}: {heard}");
    }

    fn choice(&mut self, line: &str) -> String {
        self.until(line, "best").split(' ').nth(1).unwrap().to_owned()
    }

    /// What it says after nobody tells it anything any more, and that it ends well.
    fn close(mut self) -> Vec<Line> {
        self.input = None;
        let rest = self.lines.by_ref().collect();
        self.engine.join().unwrap().unwrap();
        rest
    }
}

fn view(board: &Board, color: Color) -> String {
    format!("view {}", View::of(board, color))
}

#[test]
fn it_introduces_itself() {
    let mut other = Other::new();
    other.tell("uci");
    let mut lines = vec![other.hear()];
    while lines.last().unwrap() != "uciok" {
        lines.push(other.hear());
    }
    for start in ["id name Scuro", "id author ", "scuro 1"] {
        assert!(lines.iter().any(|line| line.starts_with(start)), "{start}: {lines:?}");
    }
    for name in ["UCI_Variant", "Threads", "Hash", "Ponder", "EvalFile", "Seed"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {name} type "))), "{name}");
    }
    assert_eq!(other.until("isready", "readyok"), "readyok");
    assert_eq!(other.close(), []);
}

/// Every form of `go`, in a game of which it is told its views alone; sometimes without the view after its own move.
#[test]
fn it_plays_fog() {
    for (color, spared) in
        [(Color::White, false), (Color::Black, false), (Color::White, true), (Color::Black, true)]
    {
        let mut other = Other::new();
        other.quiet("setoption name Seed value 5");
        other.quiet(if color == Color::White { "side white" } else { "side black" });
        let mut umpire = Umpire::new(FogOfWar::default());
        let forms = ["nodes 300", "movetime 5", "wtime 900 btime 900 winc 0 binc 0", "nodes 100"];
        let mut forms = forms.into_iter().cycle();
        for ply in 0..16 {
            let Some(turn) = umpire.turn() else { break };
            let m: Move = if turn == color {
                other.choice(&format!("go {}", forms.next().unwrap())).parse().unwrap()
            } else {
                umpire.choices()[ply * 7 % umpire.choices().len()]
            };
            umpire.play(turn, m).unwrap();
            if umpire.outcome().is_none() && !(turn == color && spared) {
                other.quiet(&view(umpire.state().board(), color));
            }
        }
        other.quiet("gameover * enough");
        assert_eq!(other.close(), []);
    }
}

#[test]
fn it_is_heard_while_it_thinks() {
    let mut other = Other::new();
    // Now and then it says what it thinks.
    let info = other.until("go infinite", "info depth ");
    let words: Vec<&str> = info.split(' ').collect();
    let keys = ["depth", "nodes", "infosets", "belief", "score", "pv"];
    let places: Vec<usize> =
        keys.iter().map(|key| words.iter().position(|word| word == key).unwrap()).collect();
    assert!(places.is_sorted(), "{info}");
    other.quiet("isready");
    assert_eq!(other.hear_answer(), "readyok");
    assert!(other.until("d", "info string belief 1 positions").ends_with("exact"));
    other.until("isready", "readyok");
    assert_eq!(other.until("uci", "uciok"), "uciok");
    other.refuses("go nodes 5", "while thinking");
    other.refuses("ucinewgame", "while thinking");
    other.refuses("nonsense", "unknown line");
    other.until("stop", "info depth ");
    assert!(other.hear_answer().starts_with("bestmove "));
    // It may be asked again, and stopping what is not going on is no mistake.
    other.quiet("stop");
    other.choice("go nodes 50");
    other.tell("go infinite");
    let rest = other.close();
    assert!(matches!(&rest[..], [.., Line::Text(last)] if last.starts_with("bestmove ")), "{rest:?}");
}

/// An endless question is answered only when it is told to stop, also where there is nothing to think about.
#[test]
fn quit_ends_it_with_its_choice() {
    for (variant, go) in
        [("fogofwar", "go infinite"), ("kriegspiel", "go infinite"), ("rbc", "go sense infinite")]
    {
        let mut other = Other::new();
        other.quiet(&format!("setoption name UCI_Variant value {variant}"));
        other.quiet(go);
        other.tell("quit");
        let rest = other.close();
        let Some(Line::Text(last)) = rest.last() else { panic!("{rest:?}") };
        assert!(last.starts_with("best"), "{variant}: {last}");
    }
}

#[test]
fn wrong_lines_change_nothing() {
    let mut other = Other::new();
    let start = Board::start();
    for (line, words) in [
        ("go sense", "nothing is sensed"),
        ("played e2e5", "not a move of yours"),
        ("umpire P1", "no meaning in Fog of War"),
        ("lost e4", "no meaning in Fog of War"),
        ("setoption name UCI_Variant value chess", "fogofwar, kriegspiel, rbc"),
        ("setoption name Threads value 0", "1 to 256"),
        ("setoption name Ponder value maybe", "true or false"),
        ("setoption name EvalFile value /no/such/file", "/no/such/file"),
        ("setoption name Colour value red", "unknown option"),
        ("setoption name Seed value 18446744073709551615", "0 to 9223372036854775807"),
        ("setoption name Seed value -1", "0 to 9223372036854775807"),
        ("start fen 8/8/8/8/8/8/8/8 w - - 0 1", ""),
        (&"x".repeat(50_000), "too long"),
    ] {
        other.refuses(line, words);
    }
    // Views: unreadable, with other men, after nothing was played, and such as no move of theirs brings about.
    other.quiet(&view(&start, Color::White));
    let after = |moves: &str| moves.split(' ').fold(start, |board, m| board.play(m.parse().unwrap()));
    other.refuses("view here", "6 fields");
    other.refuses(&view(&after("e2e4"), Color::White), "nothing was played");
    other.quiet("played e2e4");
    other.refuses(&view(&after("d2d4"), Color::White), "your own men");
    other.quiet(&view(&after("e2e4"), Color::White));
    other.refuses("go nodes 10", "not your turn");
    other.refuses("played d2d4", "not a move of yours");
    other.refuses("side black", "the game has begun");
    other.refuses("start", "the game has begun");
    other.refuses(&view(&after("e2e4 d7d5"), Color::White).replace("KQ", "K"), "castling");
    // Black's queen cannot be where White sees it.
    let queen: Board = "rnb1kbnr/pppppppp/8/3q4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2".parse().unwrap();
    other.refuses(&view(&queen, Color::White), "no position fits");
    other.quiet(&view(&after("e2e4 d7d5"), Color::White));
    let best = other.choice("go nodes 100").parse().unwrap();
    assert!(Umpire::new(FogOfWar { start: after("e2e4 d7d5") }).choices().contains(&best));
    other.close();
}

/// It thinks on their time, and what it is told then ends that.
#[test]
fn it_ponders_and_begins_anew() {
    let mut other = Other::new();
    other.quiet("setoption name Ponder value true");
    for _ in 0..2 {
        other.quiet("ucinewgame");
        let mut umpire = Umpire::new(FogOfWar::default());
        for _ in 0..3 {
            let m = other.choice("go nodes 200").parse().unwrap();
            umpire.play(Color::White, m).unwrap();
            other.tell(&view(umpire.state().board(), Color::White));
            std::thread::sleep(Duration::from_millis(5));
            other.until("d", "info string belief");
            other.until("isready", "readyok");
            let reply = umpire.choices()[0];
            umpire.play(Color::Black, reply).unwrap();
            other.quiet(&view(umpire.state().board(), Color::White));
        }
        other.tell(&view(umpire.state().board(), Color::White));
    }
    other.close();
}

#[test]
fn it_follows_kriegspiel_by_the_umpires_words() {
    let mut other = Other::new();
    other.quiet("setoption name UCI_Variant value kriegspiel");
    other.quiet("start fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    let first = other.choice("go");
    // Refused, it tries again without being asked.
    let second = other.choice("umpire illegal");
    assert_ne!(first, second);
    other.quiet("played e1e2");
    other.refuses("umpire Ay", "any?");
    other.refuses("umpire Xe3", "captures nothing on e3");
    other.quiet("umpire Xe2");
    other.refuses("umpire illegal", "not heard");
    other.refuses("umpire nonsense", "nonsense");
    other.refuses("umpire P", "not said");
    other.refuses("umpire Xa1", "no man on a1");
    other.refuses("go", "not your turn");
    other.quiet("umpire CF");
    assert!(other.choice("go nodes 5").starts_with("e2"));
    other.refuses("umpire Ay", "any?");
    other.refuses("view x", "no meaning");
    // English: the question is a try, and its answer asks for the next.
    other.quiet("setoption name Ruleset value english");
    other.quiet("ucinewgame");
    other.quiet("start fen 4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1");
    other.quiet("played any?");
    let capture = other.choice("umpire Ay");
    assert!(["e2d3", "e2f3"].contains(&&*capture), "{capture}");
    other.close();
}

/// Who was told to stop is not told again: the next try comes by itself.
#[test]
fn a_try_after_an_endless_one_is_not_endless() {
    let mut other = Other::new();
    other.quiet("setoption name UCI_Variant value kriegspiel");
    other.quiet("go infinite");
    let first = other.choice("stop");
    assert_ne!(other.choice("umpire illegal"), first);
    // Neither is one of another game.
    other.quiet("umpire");
    other.quiet("ucinewgame");
    other.quiet("played e2e4");
    other.choice("umpire illegal");
    other.close();
}

/// Who asks or complains has not begun to play: options still hold. Drawn moves tell which seed it is.
#[test]
fn only_what_tells_something_begins_a_game() {
    let first = |variant: &str, before: &[&str], seed: u64| {
        let mut other = Other::new();
        other.quiet(&format!("setoption name UCI_Variant value {variant}"));
        for line in before {
            other.tell(line);
        }
        other.tell(&format!("setoption name Seed value {seed}"));
        other.tell("go nodes 1");
        loop {
            let heard = other.hear();
            if heard.starts_with("best") {
                other.close();
                return heard;
            }
        }
    };
    for (variant, wrong) in
        [("kriegspiel", "umpire nonsense"), ("rbc", "moved e2e4 e2e4 -"), ("kriegspiel", "go sense")]
    {
        let choices: Vec<String> = (0..8).map(|seed| first(variant, &[], seed)).collect();
        assert!(choices.iter().any(|choice| *choice != choices[0]), "{choices:?}");
        for before in [&["d"][..], &[wrong], &["d", wrong, "view rubbish", "d"]] {
            let again: Vec<String> = (0..8).map(|seed| first(variant, before, seed)).collect();
            assert_eq!(again, choices, "{variant}: {before:?}");
        }
    }
}

/// What is set in a game holds from the next one on.
#[test]
fn options_wait_for_the_next_game() {
    let mut other = Other::new();
    let after = Board::start().play("e2e4".parse().unwrap());
    other.quiet("played e2e4");
    other.quiet(&view(&after, Color::White));
    for option in ["Ruleset value rand", "UCI_Variant value rbc", "Seed value 9", "Hash value 64"] {
        other.quiet(&format!("setoption name {option}"));
    }
    other.refuses("go sense", "nothing is sensed in Fog of War");
    other.refuses("go", "not your turn");
    assert!(other.until("d", "info string view").contains("/4P3/"));
    other.until("isready", "readyok");
    other.quiet("ucinewgame");
    assert_eq!(other.choice("go sense").len(), 2);
    // What it offers is what it was when it was started.
    other.tell("uci");
    let offers: Vec<String> =
        std::iter::repeat_with(|| other.hear()).take_while(|line| line != "uciok").collect();
    for usual in
        ["Hash type spin default 2048 ", "Ruleset type combo default icc ", "Seed type spin default 1 "]
    {
        assert!(offers.iter().any(|line| line.contains(usual)), "{usual}: {offers:?}");
    }
    other.close();
}

/// Who names growers has said how many threads there are; all others can be told.
#[test]
fn threads_are_offered_unless_growers_are_named() {
    for (growers, offered) in [(None, true), (Some(0), true), (Some(3), false)] {
        let mut said = Vec::new();
        let agent = Obscuro { eval: Eval::Simple, growers, ..Obscuro::default() };
        engine::run(&b"uci\n"[..], &mut said, agent).unwrap();
        let said = String::from_utf8(said).unwrap();
        assert_eq!(said.contains("option name Threads "), offered, "{growers:?}: {said}");
    }
}

#[test]
fn it_follows_rbc_by_what_it_is_told() {
    let mut other = Other::new();
    other.quiet("setoption name UCI_Variant value rbc");
    other.quiet("side black");
    other.refuses("go move", "first comes what you sensed");
    other.refuses("lost e4", "no man on e4");
    other.quiet("lost e7");
    assert_eq!(other.choice("go sense").len(), 2);
    other.refuses("sensed a2=p b2=. a1=. b1=.", "a2");
    other.quiet("sensed e8=k f8=b g8=n e7=P f7=p g7=p e6=. f6=. g6=.");
    other.refuses("go sense", "have sensed");
    other.refuses("lost f7", "have sensed");
    other.choice("go move");
    for (line, words) in [
        ("moved d8d5 d8d7 -", "own is in the way"),
        ("moved 0000 d7d5 -", "cannot have made d7d5"),
        ("moved d7d5 d7d4 -", "cannot have made d7d4"),
        ("moved f8a3 f8b5 -", "cannot have made f8b5"),
        ("moved f8a3 f8c5 c6", "f8c5 captures nothing on c6"),
    ] {
        other.refuses(line, words);
    }
    other.refuses("moved 0000 0000 e4", "nothing moved");
    other.quiet("moved f8e7 f8e7 e7");
    other.quiet("lost -");
    other.quiet("sensed -");
    other.choice("go");
    other.refuses("played e7e5", "no meaning");
    assert!(other.until("d", "info string men").contains("rnbqk1nr/ppppbppp"));
    other.close();
}

/// The exchanges of the contract: what is chosen may differ, and what depends on the machine; nothing else.
#[test]
fn the_contract_shows_what_happens() {
    let page = include_str!("../../../docs/protocol.md");
    for game in ["fogofwar", "kriegspiel", "rbc"] {
        let (_, block) = page.split_once(&format!("```{game}\n")).unwrap();
        let (block, _) = block.split_once("```").unwrap();
        let mut other = Other::new();
        for line in block.lines() {
            match line.split_at(2) {
                ("> ", told) => other.tell(told),
                ("< ", shown) => {
                    let heard = other.hear();
                    let same = match shown.split(' ').next().unwrap() {
                        first @ ("info" | "bestmove" | "bestsense" | "option") => heard.starts_with(first),
                        "error" => heard.split(':').next() == shown.split(':').next(),
                        _ => heard == shown,
                    };
                    assert!(same, "{game}: {shown}: {heard}");
                }
                _ => panic!("{line}"),
            }
        }
        assert_eq!(other.close(), []);
    }
}

/// Any lines in any order: it always gets ready again, and ends well.
#[test]
fn any_lines_in_any_order_leave_it_ready() {
    let pool = [
        "uci",
        "d",
        "stop",
        "ucinewgame",
        "side white",
        "side black",
        "start",
        "go nodes 1",
        "go",
        "go sense nodes 1",
        "go move nodes 1",
        "go infinite",
        "played e2e4",
        "played g8f6",
        "played any?",
        "umpire",
        "umpire P1",
        "umpire illegal",
        "umpire nonsense",
        "umpire Ay",
        "umpire An",
        "umpire Xe4",
        "umpire Xe2 CF",
        "umpire P Pe2 =",
        "sensed -",
        "sensed a2=P b2=P a1=R b1=N",
        "sensed a7=p b7=p a8=r b8=n",
        "moved e2e4 e2e4 -",
        "moved e1g1 e1g1 -",
        "moved e7e8q e7e8q e8",
        "moved 0000 0000 -",
        "lost e2",
        "lost e1",
        "lost -",
        "gameover 1-0 x",
        "setoption name UCI_Variant value rbc",
        "setoption name UCI_Variant value kriegspiel",
        "setoption name UCI_Variant value fogofwar",
        "setoption name Ruleset value english",
        "setoption name Ruleset value rand",
        "setoption name Ruleset value cincinnati",
        "setoption name Ponder value true",
        "start fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "start fen 8/8/8/1k6/1p6/pPp5/PRP5/KB6 w - - 0 1",
        "start fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
        "view ????????/????????/????????/????????/8/8/PPPPPPPP/RNBQKBNR w KQ - - 1",
        "view ????????/????????/1???????/?1?1??1?/1111P111/1111?111/PPPP1PPP/RNBQKBNR b KQ - - 1",
        "view rnbqkbnr/pppppppp/8/8/????????/????????/????????/???????? b kq - - 1",
    ];
    let mut random = scuro_core::Random::new(7);
    for _ in 0..40 {
        let mut other = Other::new();
        for _ in 0..60 {
            let line = random.pick(&pool).unwrap();
            // Nobody need wait: whatever it does, it can be stopped.
            other.tell(if *line == "go" { "go nodes 2" } else { line });
            if random.below(3) == 0 {
                other.tell("stop");
            }
        }
        other.tell("stop");
        other.tell("quit");
        let rest = other.close();
        assert!(rest.len() >= 10, "{rest:?}");
    }
}
