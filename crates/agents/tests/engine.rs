//! The engine as it is spoken to: lines in, lines out.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod other;

use std::time::Duration;

use other::Other;
use scuro_agents::name::{Agent, Eval, Obscuro};
use scuro_agents::protocol::{Line, engine};
use scuro_games::chess::{Board, Color, Move};
use scuro_games::fog::{FogOfWar, View};
use scuro_games::umpire::Umpire;

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
    // Views: unreadable, with other pieces, after nothing was played, and such as no move of theirs brings about.
    other.quiet(&view(&start, Color::White));
    let after = |moves: &str| moves.split(' ').fold(start, |board, m| board.play(m.parse().unwrap()));
    other.refuses("view here", "6 fields");
    other.refuses(&view(&after("e2e4"), Color::White), "nothing was played");
    other.quiet("played e2e4");
    other.refuses(&view(&after("d2d4"), Color::White), "your own pieces");
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
    other.quiet("start fen r3k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    let first = other.choice("go nodes 5");
    assert!(["e1d1", "e1e2", "e1f1"].contains(&&*first), "{first} is not legal");
    // Refused, it tries again without being asked.
    other.quiet("played e1d2");
    let second = other.choice("umpire illegal");
    assert!(["e1d1", "e1e2", "e1f1"].contains(&&*second), "{second} is not legal");
    other.quiet("played e1e2");
    other.refuses("umpire Ay", "any?");
    other.refuses("umpire Xe3 piece", "captures nothing on e3");
    other.refuses("umpire Xe2 pawn", "no position fits");
    other.quiet("umpire Xe2 piece");
    other.refuses("umpire illegal", "not heard");
    other.refuses("umpire nonsense", "nonsense");
    other.refuses("umpire P", "not said");
    other.refuses("umpire Xa1", "no piece to lose on a1");
    other.refuses("umpire CN", "no position fits");
    other.refuses("go", "not your turn");
    other.quiet("umpire CR");
    assert!(other.choice("go nodes 5").starts_with("e2"));
    other.refuses("umpire Ay", "any?");
    other.refuses("view x", "no meaning");
    // English: the question is a try, and its answer asks for the next.
    other.quiet("setoption name Ruleset value english");
    other.quiet("ucinewgame");
    other.quiet("start fen 4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1");
    other.quiet("played any?");
    assert_eq!(other.choice("umpire Ay"), "e2d3");
    other.refuses("umpire Xd3 pawn", "not said under the ruleset english");
    other.quiet("umpire Xd3");
    other.close();
}

/// What was captured may be left out: then it may have been anything. Who lost it knows in any case.
#[test]
fn a_capture_may_be_named_or_not() {
    for (line, positions) in [("umpire Xd5", 2), ("umpire Xd5 pawn", 1), ("umpire Xd5 piece", 1)] {
        let mut other = Other::new();
        other.quiet("setoption name UCI_Variant value kriegspiel");
        // A pawn or a knight goes to d5, where the pawn takes it.
        other.quiet("start fen 4k3/8/1n1p4/8/4P3/8/8/4K2R b K - 0 1");
        other.quiet("umpire P1");
        other.choice("go nodes 20");
        other.quiet("played e4d5");
        other.quiet(line);
        let belief = other.until("d", "info string belief");
        assert_eq!(belief, format!("info string belief {positions} positions, exact"), "{line}");
        other.until("isready", "readyok");
        other.quiet("umpire");
        other.choice("go nodes 20");
        other.close();
    }
    let belief = |line: &str| {
        let mut other = Other::new();
        other.quiet("setoption name UCI_Variant value kriegspiel");
        other.quiet("start fen 4k3/8/8/3p4/3NP3/8/8/4K2R b K - 0 1");
        other.refuses("umpire Xe4 piece", "your piece on e4 is of another kind");
        other.quiet(line);
        (other.belief(), other.until("go nodes 20", "info depth ") + &other.hear())
    };
    assert_eq!(belief("umpire Xe4"), belief("umpire Xe4 pawn"));
}

/// Who was told to stop is not told again: the next try comes by itself.
#[test]
fn a_try_after_an_endless_one_is_not_endless() {
    let mut other = Other::new();
    other.quiet("setoption name UCI_Variant value kriegspiel");
    other.quiet("go infinite");
    other.choice("stop");
    other.quiet("played e2d3");
    assert_ne!(other.choice("umpire illegal"), "e2d3");
    // Neither is one of another game.
    other.quiet("umpire");
    other.quiet("ucinewgame");
    other.quiet("played e2d3");
    other.choice("umpire illegal");
    other.close();
}

/// Who asks or complains has not begun to play: options still hold. Thoughts tell which seed it is.
#[test]
fn only_what_tells_something_begins_a_game() {
    let first = |variant: &str, before: &[&str], seed: u64| {
        let mut other = Other::new();
        other.quiet(&format!("setoption name UCI_Variant value {variant}"));
        for line in before {
            other.tell(line);
        }
        other.tell(&format!("setoption name Seed value {seed}"));
        other.tell("go nodes 100");
        let mut thought = String::new();
        loop {
            let heard = other.hear();
            if heard.starts_with("best") {
                other.close();
                return thought + &heard;
            }
            thought = heard;
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
    assert_eq!(other.choice("go sense nodes 5").len(), 2);
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
        engine::run(&b"uci\n"[..], &mut said, Agent::Obscuro(Box::new(agent))).unwrap();
        let said = String::from_utf8(said).unwrap();
        assert_eq!(said.contains("option name Threads "), offered, "{growers:?}: {said}");
    }
}

#[test]
fn it_follows_rbc_by_what_it_is_told() {
    let mut other = Other::new();
    other.quiet("setoption name UCI_Variant value rbc");
    other.quiet("start fen rnbqkbnr/ppppp1pp/5P2/8/8/8/PPPPP1PP/RNBQKBNR w KQkq - 0 1");
    other.quiet("side black");
    other.refuses("go move", "first comes what you sensed");
    other.refuses("lost e4", "no piece to lose on e4");
    other.refuses("lost a7", "no position fits");
    other.quiet("lost e7");
    assert_eq!(other.choice("go sense nodes 5").len(), 2);
    other.refuses("sensed a2=p b2=. a1=. b1=.", "a2");
    other.quiet("sensed e8=k f8=b g8=n e7=P f7=. g7=p e6=. f6=. g6=.");
    other.refuses("go sense", "have sensed");
    other.refuses("lost g7", "they have not moved since");
    other.choice("go move nodes 5");
    for (line, words) in [
        ("moved d8d5 d8d7 -", "own is in the way"),
        ("moved 0000 d7d5 -", "cannot have made d7d5"),
        ("moved d7d5 d7d4 -", "cannot have made d7d4"),
        ("moved f8a3 f8b5 -", "cannot have made f8b5"),
        ("moved f8a3 f8c5 c6", "cannot have made f8c5 and captured on c6"),
    ] {
        other.refuses(line, words);
    }
    other.refuses("moved 0000 0000 e4", "nothing moved");
    other.quiet("moved f8e7 f8e7 e7");
    other.quiet("lost -");
    other.quiet("sensed -");
    other.choice("go nodes 5");
    other.refuses("played e7e5", "no meaning");
    assert!(other.until("d", "info string pieces").contains("rnbqk1nr/ppppb1pp"));
    other.close();
}

/// After these lines it is told something that cannot be, if anything, and then asked to choose: what it says to that, what
/// it then believes, and its last thought with its choice.
fn after_impossible(
    game: &[&str],
    impossible: Option<&str>,
    then: &[&str],
    go: &str,
) -> (Vec<String>, String) {
    let mut other = Other::new();
    game.iter().for_each(|line| other.quiet(line));
    if let Some(line) = impossible {
        let before = other.belief();
        other.refuses(line, "");
        assert_eq!(other.belief(), before, "{line}");
    }
    then.iter().for_each(|line| other.quiet(line));
    let belief = other.belief();
    assert!(belief.iter().any(|line| line.ends_with("exact")), "{belief:?}");
    let thought = other.until(go, "info depth ") + &other.hear();
    other.close();
    (belief, thought)
}

/// As long as it knows all that may be, what cannot be is refused and forgotten.
#[test]
fn what_cannot_be_leaves_no_trace() {
    let kriegspiel = ["setoption name UCI_Variant value kriegspiel", "played e2e4"];
    let answered = [kriegspiel[0], kriegspiel[1], "umpire"];
    let [white, black] =
        ["side white", "side black"].map(|side| ["setoption name UCI_Variant value rbc", side]);
    let sensed = [white[0], white[1], "sensed -"];
    let moved = [&sensed[..], &["moved e2e4 e2e4 -"]].concat();
    let window = "sensed d4=. e4=P f4=. d3=. e3=. f3=. d2=P e2=. f2=P";
    for (game, wrong, then, go) in [
        // A knight that checks, a piece that is captured, a legal try that is refused.
        (&kriegspiel[..], "umpire CN", &["umpire", "umpire"][..], "go nodes 100"),
        (&kriegspiel, "umpire illegal", &["umpire", "umpire"], "go nodes 100"),
        (&answered, "umpire CF", &["umpire"], "go nodes 100"),
        (&answered, "umpire Xe4 pawn", &["umpire"], "go nodes 100"),
        (&answered, "umpire Xe5 pawn", &["umpire"], "go nodes 100"),
        (&answered, "umpire P1 Xe4", &["umpire P1"], "go nodes 100"),
        // A capture that nobody can make, and a pawn that nothing stops.
        (&black, "lost d7", &["lost -"], "go sense nodes 100"),
        (&sensed, "moved e2e4 e2e3 -", &["moved e2e4 e2e4 -"], "go sense nodes 100"),
        (&moved, "lost e4", &["lost -"], "go sense nodes 100"),
        // What goes without saying is not taken in if what is said is wrong.
        (&black, &window.replace("e4=P", "e4=Q"), &[window], "go move nodes 100"),
        (&black, &window.replace("e4=P", "e4=Q"), &[], "go sense nodes 100"),
        (&black, "go move", &["lost -"], "go sense nodes 100"),
    ] {
        let told = after_impossible(game, Some(wrong), then, go);
        assert_eq!(told, after_impossible(game, None, then, go), "{wrong}");
    }
}

/// Where it holds only a sample of what may be, it believes what it is told, and says that nothing fitted.
#[test]
fn a_sample_that_nothing_fits_is_made_anew() {
    let note = "info string nothing that was believed fits: positions are invented";
    let begun = |game: &[&str]| {
        let mut other = Other::believing(Some(1));
        game.iter().for_each(|line| other.quiet(line));
        other
    };
    let mut rbc = begun(&["setoption name UCI_Variant value rbc", "side black"]);
    rbc.tell("sensed d4=. e4=Q f4=. d3=. e3=. f3=. d2=P e2=. f2=P");
    assert_eq!(rbc.hear(), note);
    let belief = rbc.belief();
    for line in ["info string belief 1 positions, a sample", "info string Q e4 1.000"] {
        assert!(belief.iter().any(|told| told == line), "{belief:?}");
    }
    rbc.choice("go move nodes 20");
    rbc.close();
    let game = ["setoption name UCI_Variant value kriegspiel", "played e2e4", "umpire", "umpire"];
    let mut kriegspiel = begun(&game);
    // Nothing refuses the king's step: so it is told, and chooses again.
    kriegspiel.quiet("played e1e2");
    kriegspiel.tell("umpire illegal");
    assert_eq!(kriegspiel.hear(), note);
    assert_ne!(kriegspiel.until("isready", "bestmove "), "bestmove e1e2");
    kriegspiel.close();
    // A queen gives no check like a knight's.
    let mut kriegspiel = begun(&game);
    kriegspiel.quiet("played d1h5");
    kriegspiel.tell("umpire CN");
    assert_eq!(kriegspiel.hear(), note);
    assert!(kriegspiel.belief().iter().any(|line| line.ends_with("positions, a sample")));
    // What was invented may not fit what comes next.
    kriegspiel.tell("umpire");
    kriegspiel.until("isready", "readyok");
    kriegspiel.choice("go nodes 20");
    kriegspiel.close();
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
        "umpire Xd5 pawn",
        "umpire Xe2 piece",
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

/// The real game tells of a move that takes the king before it says that the game is over.
#[test]
fn a_move_that_takes_the_king_is_no_contradiction() {
    let mut other = Other::new();
    for line in [
        "setoption name UCI_Variant value rbc",
        "start fen 4k3/8/8/8/8/8/8/K3R3 w - - 0 1",
        "side white",
        "sensed -",
        "moved e1e8 e1e8 e8",
        "gameover 1-0 king captured",
    ] {
        other.quiet(line);
    }
}
