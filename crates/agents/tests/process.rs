//! Programs that behave badly lose their game, soon and with the reason, and only that.
//!
//! The programs are small scripts. Times are generous where an answer is expected; where none comes, patience is short.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use scuro_agents::contestant::{Allowance, Contestant, Fault};
use scuro_agents::name::Agent;
use scuro_agents::play::{Foul, ply};
use scuro_agents::protocol::process::{Errors, GameSetup, Process};
use scuro_agents::rivals::random::RandomMover;
use scuro_agents::seat::{Place, Seats};
use scuro_games::Variant;
use scuro_games::chess::{Board, Color, Move};
use scuro_games::dark::Rules;
use scuro_games::fog::{FogOfWar, Told, View};
use scuro_games::kriegspiel::Kriegspiel;
use scuro_games::outcome::{Outcome, Reason};
use scuro_games::umpire::{Refusal, Umpire};

/// Enough for any answer that will come.
const LONG: Duration = Duration::from_secs(60);
/// Enough to see that none comes.
const SHORT: Duration = Duration::from_millis(300);

const HEAD: &str = r#"
import sys, time
def say(*lines):
    for line in lines:
        print(line, flush=True)
def hello(line):
    if line == "uci":
        say("id name fake", "scuro 1", "uciok")
    elif line == "isready":
        say("readyok")
"#;

/// A program with this body.
fn fake(name: &str, body: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join(format!("fake_{name}.py"));
    std::fs::write(&file, format!("{HEAD}{body}")).unwrap();
    format!("python3 '{}'", file.display())
}

/// A program that answers what everybody answers, and then does this for each line.
fn fake_that(name: &str, act: &str) -> String {
    let act: String = act.lines().map(|line| format!("    {line}\n")).collect();
    fake(name, &format!("for line in map(str.strip, sys.stdin):\n    hello(line)\n{act}"))
}

fn setup(rules: Rules) -> GameSetup {
    GameSetup::new(rules, Color::White)
}

/// What White is told at the start.
fn first_told() -> Told {
    Told { view: View::of(&Board::start(), Color::White), end: None }
}

fn begun(command: &str) -> Process {
    let mut process = Process::start(command, LONG, Errors::Shown).unwrap();
    process.begin(&setup(Rules::Fog(FogOfWar::default()))).unwrap();
    process
}

/// What comes of its first move.
fn first(process: &mut Process) -> Result<Move, Foul> {
    let mut umpire = Umpire::new(FogOfWar::default());
    ply(&mut umpire, [process, &mut RandomMover::new(1)], Allowance::Time(Duration::from_millis(1)))
}

fn fault(process: &mut Process) -> Fault {
    match first(process) {
        Err(Foul::Fault(fault)) => fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_program_that_behaves_plays() {
    let act = r#"if line.startswith("go"): say("info depth 3 nodes 7 belief 5 score cp 60 pv e2e4 e7e5", "bestmove e2e4")"#;
    let mut process = begun(&fake_that("good", act));
    assert_eq!(process.name(), "fake");
    assert_eq!(first(&mut process).map(|m| m.to_string()), Ok("e2e4".to_owned()));
    let notes = Contestant::<FogOfWar>::notes(&process);
    assert_eq!((notes.depth, notes.nodes, notes.belief), (Some(3), Some(7), Some(5)));
    assert!((notes.value.unwrap() - 0.1_f64.tanh()).abs() < 1e-9);
    assert_eq!(notes.line, ["e2e4", "e7e5"]);
}

#[test]
fn what_cannot_be_started_says_why() {
    for (command, words) in [
        ("/no/such/program", "cannot start '/no/such/program'"),
        ("", "no program is named"),
        ("'open", "a quotation has no end"),
    ] {
        let Err(Fault::Missing(why)) = Process::start(command, LONG, Errors::Hidden) else {
            panic!("{command}")
        };
        assert!(why.contains(words), "{why}");
    }
}

#[test]
fn a_bad_handshake_is_noticed() {
    let start =
        |name, body: &str, patience| Process::start(&fake(name, body), patience, Errors::Hidden).err();
    assert_eq!(start("mute", "time.sleep(1000)", SHORT), Some(Fault::Silent));
    let gone = start("gone", "sys.exit(3)", LONG);
    assert!(matches!(&gone, Some(Fault::Gone(why)) if why.contains('3')), "{gone:?}");
    let foreign = start("foreign", "say('id name chess', 'uciok')\ntime.sleep(1000)", LONG);
    assert!(
        matches!(&foreign, Some(Fault::Foreign(why)) if why.contains("no line 'scuro 1'")),
        "{foreign:?}"
    );
    let newer = start("newer", "say('scuro 2', 'uciok')\ntime.sleep(1000)", LONG);
    assert!(matches!(&newer, Some(Fault::Foreign(why)) if why.contains("version 2")), "{newer:?}");
    let mut other = begun(&fake_that("other", "pass"));
    assert!(!other.plays(Variant::Kriegspiel));
    let refused = other.begin(&setup(Rules::Kriegspiel(Kriegspiel::default())));
    let Err(Fault::Foreign(why)) = refused else { panic!("{refused:?}") };
    assert!(why.ends_with("fake_other.py'' does not play Kriegspiel"), "{why}");
}

/// A file that is not there yet, for a program to write to.
fn notes(name: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("notes_{name}"));
    let _ = std::fs::remove_file(&file);
    file
}

/// A program that writes down what it hears.
fn scribe(name: &str, offers: &str) -> (String, PathBuf) {
    let file = notes(name);
    let body = format!(
        "notes = open({:?}, 'w')\nfor line in map(str.strip, sys.stdin):\n    \
         print(line, file=notes, flush=True)\n    if line == 'uci': say({offers})\n    hello(line)\n    \
         if line.startswith('go'): say('bestmove e2e4')\n    if line == 'quit': sys.exit()\n",
        file.to_str().unwrap()
    );
    (fake(name, &body), file)
}

#[test]
fn it_hears_how_the_game_ended_and_may_quit() {
    let (command, file) = scribe("quits", "");
    let mut process = begun(&command);
    first(&mut process).unwrap();
    Contestant::<FogOfWar>::over(&mut process, Outcome::win(Color::White, Reason::Timeout));
    drop(process);
    let heard = std::fs::read_to_string(file).unwrap();
    assert!(heard.ends_with("\ngameover 1-0 time forfeit\nquit\n"), "{heard}");
}

/// It thinks on one thread, and its seed is one that it can have.
#[test]
fn a_program_in_a_match_is_told_what_makes_games_fair() {
    let offers = "'option name Threads type spin default 4 min 1 max 8', \
                  'option name Seed type spin default 1 min 1 max 10'";
    for (seed, told) in [(3, 4), (u64::MAX, 6)] {
        let (command, file) = scribe("fair", offers);
        let place = Place { color: Color::White, seed, margin: SHORT };
        drop(FogOfWar::default().seat(&Agent::Command(command), place).unwrap());
        let heard = std::fs::read_to_string(file).unwrap();
        let options = format!("setoption name Threads value 1\nsetoption name Seed value {told}\n");
        assert!(heard.contains(&options), "{heard}");
    }
}

/// Nobody is left, whether it quits or is killed.
#[test]
#[cfg(target_os = "linux")]
fn what_it_has_started_ends_with_it() {
    for (name, act) in [("leaves", "if line == 'quit': sys.exit()"), ("stays", "")] {
        let file = notes(name);
        let body = format!(
            "import subprocess\nhelper = subprocess.Popen(['sleep', '1000'])\n\
             open({:?}, 'w').write(str(helper.pid))\nwhile True:\n    \
             line = sys.stdin.readline().strip()\n    hello(line)\n    {act}\n",
            file.to_str().unwrap(),
        );
        drop(begun(&fake(name, &body)));
        let helper = std::fs::read_to_string(file).unwrap();
        let since = Instant::now();
        // One whom nobody has buried yet is dead all the same.
        let runs = || {
            let status = std::fs::read_to_string(format!("/proc/{helper}/status"));
            status.is_ok_and(|status| !status.contains("State:\tZ"))
        };
        while runs() {
            assert!(since.elapsed() < LONG, "{name}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Nodes are no excuse for silence, unless they are given time.
#[test]
fn patience_holds_on_a_budget_of_nodes() {
    let mut process = begun(&fake_that("slow", "if line.startswith('go'): time.sleep(1000)"));
    process.patience = SHORT;
    let mut umpire = Umpire::new(FogOfWar::default());
    let since = Instant::now();
    let played = ply(&mut umpire, [&mut process, &mut RandomMover::new(1)], Allowance::Nodes(1));
    assert_eq!(played, Err(Foul::Fault(Fault::Silent)));
    assert!(since.elapsed() < LONG);
}

/// Of what it complained first is why it has no answer.
#[test]
fn its_first_complaint_is_told() {
    let act = "if line.startswith(('played', 'go')): say('error of ' + line.split()[0])";
    let mut process = begun(&fake_that("complains", act));
    assert_eq!(fault(&mut process), Fault::Nonsense("error of go".to_owned()));
    let mut process = begun(&fake_that("complains", act));
    Contestant::<FogOfWar>::see(&mut process, Some("e2e4".parse().unwrap()), &first_told());
    assert_eq!(fault(&mut process), Fault::Nonsense("error of played".to_owned()));
}

#[test]
fn it_dies() {
    let mut process = begun(&fake_that("dies", "if line.startswith('go'): sys.exit(7)"));
    let Fault::Gone(why) = fault(&mut process) else { panic!() };
    assert!(why.contains('7'), "{why}");
    // And stays dead.
    assert!(matches!(fault(&mut process), Fault::Gone(_)));
}

#[test]
fn it_hangs() {
    for (name, act) in [
        ("hangs", "if line.startswith('go'): time.sleep(1000)"),
        // It hangs before it is ready for the question.
        ("unready", "if line.startswith('view'): say('readyok'); time.sleep(1000)"),
    ] {
        let mut process = begun(&fake_that(name, act));
        process.patience = SHORT;
        let since = Instant::now();
        assert_eq!(fault(&mut process), Fault::Silent, "{name}");
        assert!(since.elapsed() < LONG);
    }
}

#[test]
fn it_speaks_nonsense() {
    let said = |name, line: &str| {
        fault(&mut begun(&fake_that(name, &format!("if line.startswith('go'): say({line})"))))
    };
    let nonsense = |line: &str| Fault::Nonsense(line.to_owned());
    assert_eq!(said("nonsense", "*['I like e4'] * 2000"), nonsense("I like e4"));
    assert_eq!(said("nomove", "'bestmove (none)'"), nonsense("bestmove (none)"));
    assert_eq!(said("pass", "'bestmove 0000'"), nonsense("bestmove 0000"));
    assert_eq!(said("sense", "'bestsense e4'"), nonsense("bestsense e4"));
    assert_eq!(said("error", "'error what?'"), nonsense("error what?"));
    assert_eq!(said("bytes", "*['\\x00\\x1b'] * 2000"), nonsense("\u{fffd}\u{fffd}"));
    assert_eq!(said("long", "'x' * 10_000_000, *['y'] * 2000"), nonsense("a line without an end"));
}

#[test]
fn it_plays_illegally() {
    let mut process = begun(&fake_that("illegal", "if line.startswith('go'): say('bestmove e2e5')"));
    assert!(matches!(first(&mut process), Err(Foul::Refusal(Refusal::Action(_)))));
}

#[test]
fn it_floods() {
    for (name, line) in [("floods", "'info depth 1'"), ("babbles", "'spam'"), ("spills", "'x' * 100000")] {
        let act = format!("if line.startswith('go'):\n    while True: print({line})");
        let mut process = begun(&fake_that(name, &act));
        process.patience = SHORT;
        let since = Instant::now();
        assert!(matches!(fault(&mut process), Fault::Silent | Fault::Nonsense(_)), "{name}");
        assert!(since.elapsed() < LONG);
    }
    // Between turns nobody listens: then it has to wait, and nothing piles up here.
    let act = "if line.startswith('side'):\n    while True: print('info depth 1')";
    let mut process = Process::start(&fake_that("pours", act), LONG, Errors::Hidden).unwrap();
    process.patience = SHORT;
    assert!(process.begin(&setup(Rules::Fog(FogOfWar::default()))).is_err());
}

#[test]
fn it_does_not_read() {
    let mut process =
        begun(&fake_that("deaf", "if line.startswith('view'): say('readyok'); time.sleep(1000)"));
    process.patience = SHORT;
    for _ in 0..10_000 {
        Contestant::<FogOfWar>::see(&mut process, None, &first_told());
    }
    assert_eq!(fault(&mut process), Fault::Silent);
}

#[test]
fn it_closes_its_pipe() {
    let act = "if line.startswith('go'):\n    sys.stdout.close(); import os; os.close(1); time.sleep(1000)";
    let mut process = begun(&fake_that("closes", act));
    let Fault::Gone(why) = fault(&mut process) else { panic!() };
    assert!(why.contains("closed its pipe"), "{why}");
}

#[test]
fn it_answers_for_the_wrong_turn() {
    // Twice at its own turn, and once at theirs: only the answer to the question counts.
    let act = r#"
if line.startswith("go"):
    turn = globals().get("turn", 0) + 1
    say("bestmove " + ["e2e4", "d2d4"][turn - 1], "bestmove a2a3")
elif line.startswith("view"):
    say("bestmove h2h3")"#;
    let mut process = begun(&fake_that("early", act));
    let mut umpire = Umpire::new(FogOfWar::default());
    let mut other = RandomMover::new(1);
    for wanted in ["e2e4", "d2d4"] {
        let played = ply(&mut umpire, [&mut process, &mut other], Allowance::Nodes(1)).unwrap();
        assert_eq!(played.to_string(), wanted);
        ply(&mut umpire, [&mut process, &mut other], Allowance::Nodes(1)).unwrap();
    }
}
