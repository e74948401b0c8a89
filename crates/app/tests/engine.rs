//! `scuro engine` as it is run: the selftest on ourselves, on a bot, on a program that is none, and the ends of input; and
//! what becomes of other programs that play.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod program;

use program::{out, refused, scuro, scuro_reading, temporary};

fn ourselves() -> String {
    format!("'{}' engine --agent obscuro:eval=simple,growers=0", env!("CARGO_BIN_EXE_scuro"))
}

#[test]
fn the_selftest_passes_on_ourselves_and_on_the_bot() {
    let bot = concat!("python3 '", env!("CARGO_MANIFEST_DIR"), "/../../examples/bots/fog_bot.py'");
    for (command, steps) in [(ourselves().as_str(), 35), (bot, 20)] {
        let output = scuro(&["engine", "--patience", "300", "--selftest", command]);
        let said = out(&output);
        assert!(output.status.success(), "{said}");
        let (last, told) =
            said.lines().collect::<Vec<_>>().split_last().map(|(l, t)| (*l, t.to_vec())).unwrap();
        assert_eq!(last, "all well");
        assert!(told.iter().all(|line| line.starts_with("ok ")) && told.len() >= steps, "{said}");
    }
}

/// Other agents than the usual one, and one that plays RBC alone.
#[test]
fn the_selftest_passes_on_other_agents() {
    let engine = |agent: &str| format!("'{}' engine --agent {agent}", env!("CARGO_BIN_EXE_scuro"));
    let rbc = "sed -u 's/UCI_Variant type combo .*/UCI_Variant type combo default rbc var rbc/'";
    let rbc = format!("sh -c \"{} | {rbc}\"", engine("random"));
    for (command, steps) in [(engine("greedy"), 20), (engine("random"), 25), (rbc, 15)] {
        let output = scuro(&["engine", "--patience", "300", "--selftest", &command]);
        let said = out(&output);
        assert!(output.status.success() && said.lines().count() > steps, "{command}: {said}");
    }
}

/// An agent behind lines is the agent: games are the same ply by ply.
#[test]
fn an_engine_plays_in_a_match_as_its_agent_does() {
    let engine = format!("cmd:'{}' engine --agent random", env!("CARGO_BIN_EXE_scuro"));
    for game in ["fog", "kriegspiel", "rbc"] {
        let games = |agent: &str| {
            let folder = temporary(&format!("engine_match_{game}"));
            let line =
                ["match", agent, agent, "--game", game, "--games", "4", "--nodes", "5", "--turns", "40"];
            let line = [&line[..], &["--out", folder.to_str().unwrap()]].concat();
            assert!(scuro(&line).status.success(), "{line:?}");
            let kept = std::fs::read_to_string(folder.join("games.jsonl")).unwrap();
            assert!(!kept.contains("\"fault\":\""), "{kept}");
            kept.replace(&engine.replace('"', "\\\""), "random")
        };
        assert_eq!(games(&engine), games("random"), "{game}");
    }
}

#[test]
fn the_selftest_tells_what_is_wrong() {
    let folder = temporary("engine");
    let file = folder.join("polite.py");
    std::fs::write(
        &file,
        "import sys\nfor line in sys.stdin:\n    line = line.strip()\n    \
         if line == 'uci': print('scuro 1\\nuciok', flush=True)\n    \
         if line == 'isready': print('readyok', flush=True)\n    if line == 'quit': sys.exit(3)\n    \
         if line.startswith('go '): print('bestmove e2e5', flush=True)\n",
    )
    .unwrap();
    let output =
        scuro(&["engine", "--patience", "60", "--selftest", &format!("python3 '{}'", file.display())]);
    assert_eq!(output.status.code(), Some(1), "{}", out(&output));
    for line in [
        "failed  'xyzzy' is answered by error: no error was said",
        "failed  fogofwar: 12 plies as white, go nodes, movetime and clocks: ply 1: e2e5 is not a move here",
        "failed  quit when idle: exit 0: it ended with exit status: 3",
        "not all is well",
    ] {
        assert!(out(&output).lines().any(|said| said == line), "{line}: {}", out(&output));
    }
    refused(&["engine", "--selftest", "/no/such/program"], "cannot start '/no/such/program'");
}

/// A program that does not speak the dialect, or not of this game, is found out before the first game.
#[test]
fn a_program_that_cannot_play_is_refused() {
    let folder = temporary("engine_foreign");
    let file = folder.join("chess.py");
    let text = "import sys\nfor line in sys.stdin: print('uciok' if line == 'uci\\n' else '', flush=True)\n";
    std::fs::write(&file, text).unwrap();
    let bot = concat!("cmd:python3 '", env!("CARGO_MANIFEST_DIR"), "/../../examples/bots/fog_bot.py'");
    for (agent, game, words) in [
        (format!("cmd:python3 '{}'", file.display()), "fog", "does not speak the dialect: no line 'scuro 1'"),
        (bot.to_owned(), "rbc", "does not play Reconnaissance Blind Chess"),
        (bot.to_owned(), "kriegspiel", "does not play Kriegspiel"),
    ] {
        let line = ["match", "random", &agent, "--game", game, "--games", "2", "--nodes", "5"];
        refused(&line, words);
    }
}

/// Ctrl-C ends a match, its programs in the middle of their thoughts, and what these have started.
#[test]
#[cfg(target_os = "linux")]
fn nobody_is_left_after_an_interrupt() {
    use std::process::{Command, Stdio};
    use std::thread::sleep;
    use std::time::Duration;
    let folder = temporary("engine_interrupted");
    let [script, thinking] = ["thinker.py", "thinking"].map(|name| folder.join(name));
    let text = "import os, subprocess, sys, time\nfor line in map(str.strip, sys.stdin):\n    \
        if line == 'uci': print('scuro 1\\nuciok', flush=True)\n    \
        if line == 'isready': print('readyok', flush=True)\n    if line.startswith('go'):\n        \
        helper = subprocess.Popen(['sleep', '1000'])\n        open('DRAFT', 'w').write(f'{os.getpid()} {helper.pid}')\n        \
        os.rename('DRAFT', 'DONE')\n        time.sleep(1000)\n";
    let text = text.replace("DRAFT", &format!("{}.draft", thinking.display()));
    std::fs::write(&script, text.replace("DONE", thinking.to_str().unwrap())).unwrap();
    let agent = format!("cmd:python3 '{}'", script.display());
    let mut child = Command::new(env!("CARGO_BIN_EXE_scuro"))
        .args(["match", &agent, "random", "--games", "2", "--movetime", "10m"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !thinking.exists() {
        assert_eq!(child.try_wait().unwrap(), None);
        sleep(Duration::from_millis(5));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    for process in std::fs::read_to_string(&thinking).unwrap().split(' ') {
        // One whom nobody has buried yet is dead all the same.
        let runs = || {
            let status = std::fs::read_to_string(format!("/proc/{process}/status"));
            status.is_ok_and(|status| !status.contains("State:\tZ"))
        };
        let gone = (0..2000).any(|_| {
            sleep(Duration::from_millis(5));
            !runs()
        });
        assert!(gone, "{process}");
    }
}

/// The end of input, however it comes, ends the search with its choice and the program with 0.
#[test]
fn the_end_of_input_ends_it_well() {
    for input in ["go infinite\n", "go infinite", "go infinite\nquit\nnonsense\n"] {
        let output = scuro_reading(&["engine", "--agent", "obscuro:eval=simple,growers=0"], input.as_bytes());
        assert!(output.status.success() && output.stderr.is_empty(), "{input}");
        let said = out(&output);
        assert!(said.lines().last().unwrap().starts_with("bestmove "), "{said}");
        assert_eq!(said.matches("bestmove").count(), 1, "{said}");
    }
    let output = scuro_reading(&["engine"], b"\xff\xfe\x00\n\n\r\nfoo\n");
    assert!(output.status.success());
    assert_eq!(out(&output).lines().filter(|line| line.starts_with("error ")).count(), 2, "{}", out(&output));
}

#[test]
fn wrong_arguments_are_refused() {
    refused(&["engine", "--agent", "nobody"], "unknown agent 'nobody'");
    refused(&["engine", "--agent", "obscuro:eval=/no/such"], "eval=/no/such");
    refused(&["engine", "--agent", "fleeing"], "fleeing sees the whole board");
    refused(&["engine", "--agent", "cmd:cat"], "cmd: names a program that is an engine itself");
    refused(&["engine", "--agent", "greedy:x=1"], "greedy has no switches");
    refused(&["engine", "--patience", "5"], "--selftest");
    refused(&["engine", "--selftest", "x", "--agent", "obscuro"], "--agent");
}
