//! `scuro match` and `merge` as they are run: interrupted, cut into shards, refused.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod program;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use program::{done, json, out, read, refused, scuro, temporary, with_out, words};

/// A match of an agent that thinks, on a budget of nodes.
const MATCH: &str =
    "match obscuro:eval=simple random --game fog --games 24 --nodes 60 --seed 5 --openings book";

/// The whole match, played once for all tests that compare with it.
fn whole(name: &str) -> PathBuf {
    let folder = temporary(name);
    done(&with_out(MATCH, &folder, &[]));
    folder
}

/// Plays a match, killed as soon as there are so many games, again and again, and then to its end; what the last run
/// left.
fn killed_and_resumed(line: &str, folder: &Path, stops: &[usize]) -> Output {
    let lines = || fs::read_to_string(folder.join("games.jsonl")).map_or(0, |text| text.lines().count());
    let arguments = with_out(line, folder, &["--resume", "--concurrency", "2"]);
    for &stop in stops {
        let mut child = Command::new(env!("CARGO_BIN_EXE_scuro"))
            .args(&arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while lines() < stop && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // A line that was half written is dropped, and its game played again.
    let text = fs::read_to_string(folder.join("games.jsonl")).unwrap_or_default();
    if !text.is_empty() {
        fs::write(folder.join("games.jsonl"), format!("{text}{{\"number\":23,\"ga")).unwrap();
    }
    let resumed = scuro(&arguments);
    assert!(resumed.status.success(), "{resumed:?}");
    resumed
}

/// All that does not tell the time is the same in two folders.
fn assert_same_games(one: &Path, other: &Path) {
    for file in ["games.jsonl", "games.pgn", "score.svg", "settings.json"] {
        assert_eq!(read(one, file), read(other, file), "{file}");
    }
}

#[test]
fn a_match_that_is_killed_again_and_again_ends_with_the_same_games() {
    let whole = whole("arena_whole");
    assert_eq!(read(&whole, "games.jsonl").lines().count(), 24);
    let folder = temporary("arena_killed");
    let resumed = killed_and_resumed(MATCH, &folder, &[0, 1, 5, 11]);
    assert_same_games(&folder, &whole);
    let arguments = with_out(MATCH, &folder, &["--resume", "--concurrency", "2"]);
    // A finished match prints its totals, and nothing is played.
    let times = read(&folder, "times.jsonl");
    let again = scuro(&arguments);
    assert_eq!(out(&again).lines().last(), out(&resumed).lines().last());
    assert_eq!(read(&folder, "times.jsonl"), times);
}

/// Kriegspiel's own players on a budget of nodes play the same games again, by any ruleset, which is kept and shown.
#[test]
fn a_ruleset_is_kept_shown_and_refused_where_there_is_none() {
    let line = "match particles:eval=simple semi --game kriegspiel --ruleset cincinnati --nodes 300 --games 2 --turns 12";
    let [whole, folder] = ["whole", "killed"].map(|name| temporary(&format!("arena_ruleset_{name}")));
    let text = done(&with_out(line, &whole, &[]));
    assert!(text.contains("kriegspiel by the ruleset cincinnati, 300 nodes"), "{text}");
    killed_and_resumed(line, &folder, &[0, 1]);
    assert_same_games(&folder, &whole);
    assert_eq!(json(&read(&whole, "settings.json"))["ruleset"], "cincinnati");
    assert!(read(&whole, "games.pgn").contains("[Ruleset \"cincinnati\"]"));
    let report = done(&["verify", whole.join("games.pgn").to_str().unwrap()]);
    assert!(report.contains("disagreements 0"), "{report}");
    let other = line.replace("cincinnati", "english");
    assert!(!scuro(&with_out(&other, &whole, &["--resume"])).status.success());
    refused(
        &words("match random random --game fog --ruleset icc --nodes 1 --games 2"),
        "Fog of War has no rulesets",
    );
    refused(
        &words("match random random --game kriegspiel --ruleset house --nodes 1 --games 2"),
        "unknown ruleset 'house'",
    );
}

/// The player of every game plays the same games again.
#[test]
fn matches_of_other_games_end_with_the_same_games_too() {
    for game in ["kriegspiel", "rbc"] {
        let line = format!("match obscuro random --game {game} --nodes 60 --games 2 --turns 30");
        let [whole, folder] = ["whole", "killed"].map(|name| temporary(&format!("arena_{game}_{name}")));
        done(&with_out(&line, &whole, &[]));
        killed_and_resumed(&line, &folder, &[0, 1]);
        assert_same_games(&folder, &whole);
        assert_eq!(read(&whole, "games.jsonl").lines().count(), 2);
        let report = done(&["verify", whole.join("games.pgn").to_str().unwrap()]);
        assert!(report.contains("disagreements 0"), "{report}");
    }
}

#[test]
fn shards_merge_to_the_same_games_also_as_a_cluster_runs_them() {
    let whole = whole("arena_for_shards");
    let folder = temporary("arena_shards");
    let shards: Vec<PathBuf> = (1..=4).map(|shard| folder.join(format!("part{shard}"))).collect();
    for (index, shard) in shards.iter().enumerate() {
        done(&with_out(MATCH, shard, &["--shard", &format!("{}/4", index + 1)]));
    }
    let merged = folder.join("whole");
    let mut arguments = vec!["merge"];
    arguments.extend(shards.iter().map(|shard| shard.to_str().unwrap()));
    arguments.extend(["--out", merged.to_str().unwrap()]);
    let text = done(&arguments);
    for file in ["games.jsonl", "games.pgn", "score.svg", "settings.json"] {
        assert_eq!(read(&merged, file), read(&whole, file), "{file}");
    }
    let totals = done(&with_out(MATCH, &merged, &["--resume"]));
    assert_eq!(text.lines().last(), totals.lines().last());

    refused(&arguments, "has games already: what is joined goes into a folder of its own");
    refused(&["merge", whole.to_str().unwrap(), "--out", "x"], "is a whole match, not a shard");
    let parts: Vec<&str> = shards.iter().map(|shard| shard.to_str().unwrap()).collect();
    let other = folder.join("other").to_str().unwrap().to_owned();
    refused(&["merge", parts[0], parts[1], parts[3], "--out", &other], "6 of 24 games are missing");
    refused(&["merge", parts[0], parts[0], "--out", &other], "are both shard 1/4");

    slurm(&whole, &folder.join("slurm"));
    kubernetes(&folder.join("kubernetes"));
}

/// The array script, its tasks as processes.
fn slurm(whole: &Path, folder: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut shards = Vec::new();
    for task in 1..=3 {
        let output = Command::new("bash")
            .arg(root.join("scripts/cluster/slurm_array.sh"))
            .arg(folder)
            .args(&words(MATCH)[1..])
            .env("SCURO", env!("CARGO_BIN_EXE_scuro"))
            .env("SLURM_ARRAY_TASK_ID", task.to_string())
            .env("SLURM_ARRAY_TASK_COUNT", "3")
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        shards.push(folder.join(format!("shard-{task}")).to_str().unwrap().to_owned());
    }
    let merged = folder.join("whole");
    let mut arguments = vec!["merge"];
    arguments.extend(shards.iter().map(String::as_str));
    arguments.extend(["--out", merged.to_str().unwrap()]);
    done(&arguments);
    assert_eq!(read(&merged, "games.jsonl"), read(whole, "games.jsonl"));
}

/// The command of the indexed job, its pods as processes; the match is made shorter.
fn kubernetes(folder: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let yaml = fs::read_to_string(root.join("scripts/cluster/kubernetes_job.yaml")).unwrap();
    let command = yaml.split(">-\n").nth(1).unwrap().split("resources:").next().unwrap();
    let command = command.split_whitespace().collect::<Vec<_>>().join(" ");
    let short = "match obscuro:eval=simple random --game fog --games 8 --nodes 60";
    let long = "match obscuro random --game fog --games 400 --nodes 1000";
    assert!(command.contains(long), "{command}");
    let command = command.replace(long, short);
    let bin = Path::new(env!("CARGO_BIN_EXE_scuro")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut arguments = vec!["merge".to_owned()];
    for index in 0..2 {
        let output = Command::new("/bin/sh")
            .args(["-c", &command])
            .env("PATH", &path)
            .env("FOLDER", folder)
            .env("SHARDS", "2")
            .env("JOB_COMPLETION_INDEX", index.to_string())
            .output()
            .unwrap();
        assert!(output.status.success(), "{command}: {output:?}");
        arguments.push(folder.join(format!("shard-{index}")).to_str().unwrap().to_owned());
    }
    let [merged, once] = ["whole", "once"].map(|name| folder.join(name));
    arguments.extend(["--out".to_owned(), merged.to_str().unwrap().to_owned()]);
    done(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    done(&with_out(short, &once, &[]));
    assert_eq!(read(&merged, "games.jsonl"), read(&once, "games.jsonl"));
}

#[test]
fn the_games_of_all_three_are_verified() {
    for game in ["fog", "kriegspiel", "rbc"] {
        let folder = temporary(&format!("arena_{game}"));
        let line = format!("match random random --game {game} --games 6 --nodes 1 --thoughts --turns 90");
        let text = done(&with_out(&line, &folder, &[]));
        assert!(text.lines().last().unwrap().starts_with("random v random: "), "{text}");
        for file in ["games.pgn", "games.jsonl"] {
            let report = done(&["verify", folder.join(file).to_str().unwrap()]);
            assert!(report.contains("disagreements 0, known deviations 0"), "{report}");
            assert!(!report.contains("checked 0"), "{report}");
        }
        let line = json(read(&folder, "games.jsonl").lines().next().unwrap());
        for key in ["white", "black", "start", "moves", "result", "reason"] {
            assert!(line[key].is_string(), "{key}");
        }
        assert!(line["seed"].is_u64());
    }
    // What a player thought stands in the PGN, and in the lines.
    let folder = temporary("arena_thoughts");
    let line = "match obscuro:eval=simple fleeing --game fog --games 2 --nodes 60 --thoughts --turns 12";
    done(&with_out(line, &folder, &[]));
    assert!(read(&folder, "games.pgn").contains("belief 1"), "{}", read(&folder, "games.pgn"));
    let report = done(&["verify", folder.join("games.pgn").to_str().unwrap()]);
    assert!(report.contains("disagreements 0"), "{report}");
}

#[test]
fn json_is_one_document_that_fits_the_text() {
    let line = "match obscuro:eval=simple random --game fog --games 7 --nodes 60 --seed 2";
    let text = done(&words(line));
    let mut arguments = words(line);
    arguments.push("--json");
    let document = json(&done(&arguments));
    for key in ["wins", "draws", "losses", "score", "interval", "elo", "reasons"] {
        assert!(document.get(key).is_some(), "{key}");
    }
    let [wins, draws, losses] = ["wins", "draws", "losses"].map(|key| document[key].as_u64().unwrap());
    assert_eq!(wins + draws + losses, 7);
    let score = (wins as f64 + draws as f64 / 2.0) / 7.0;
    assert!((document["score"].as_f64().unwrap() - score).abs() < 1e-12);
    let [low, high] = [0, 1].map(|end| document["interval"][end].as_f64().unwrap());
    assert!(0.0 <= low && low < score && score <= high && high <= 1.0, "{document}");
    assert_eq!(document["elo"].is_null(), wins == 7 || losses == 7);
    let reasons = document["reasons"].as_object().unwrap();
    assert_eq!(reasons.values().map(|count| count.as_u64().unwrap()).sum::<u64>(), 7);
    let last = text.lines().last().unwrap();
    let begin = format!("obscuro:eval=simple v random: {wins}-{draws}-{losses} score ");
    assert!(last.starts_with(&begin) && last.contains("% (95% ") && last.contains(" elo "), "{last}");
}

#[test]
fn a_clear_difference_stops_the_match_at_the_same_game_however_it_is_played() {
    let line =
        "match obscuro:eval=simple random --game fog --games 4000 --nodes 60 --sprt 0,200 --openings book";
    let [once, beside] = ["arena_sprt", "arena_sprt_beside"].map(temporary);
    let text = done(&with_out(line, &once, &[]));
    assert!(text.contains("sprt") && text.contains("at least 200"), "{text}");
    let games = read(&once, "games.jsonl");
    assert!(games.lines().count() < 200, "{}", games.lines().count());
    scuro(&with_out(line, &beside, &["--concurrency", "2"]));
    assert_eq!(read(&beside, "games.jsonl"), games);
}

#[test]
fn what_cannot_be_played_is_refused_in_one_line_before_the_first_game() {
    let folder = temporary("arena_refused");
    let base = "match random random --game fog --games 4 --nodes 5";
    done(&with_out(base, &folder, &[]));
    refused(&with_out(base, &folder, &[]), "has games already: --resume");
    refused(&with_out(&base.replace("4", "6"), &folder, &["--resume"]), "its games is 4, not 6");
    let other = base.replacen("random", "fleeing", 1);
    refused(&with_out(&other, &folder, &["--resume"]), "holds another match: its agents");
    refused(&with_out(base, &folder, &["--resume", "--seed", "2"]), "its seed is 1, not 2");
    // What is newer is refused by its number, whatever else is new in it; games without a number are the first ones.
    let newer = |file: &str, from: &str, to: &str| {
        let text = read(&folder, file);
        fs::write(folder.join(file), text.replacen(from, to, 1)).unwrap();
        text
    };
    let settings = newer("settings.json", "\"format\": 1", "\"format\": 1, \"mood\": 3");
    refused(&with_out(base, &folder, &["--resume"]), "not the settings of a match: unknown field `mood`");
    fs::write(folder.join("settings.json"), settings).unwrap();
    let settings = newer("settings.json", "\"format\": 1", "\"format\": 2, \"mood\": 3");
    refused(&with_out(base, &folder, &["--resume"]), "a match of format 2: this program reads up to 1");
    fs::write(folder.join("settings.json"), settings).unwrap();
    let games = newer("games.jsonl", "\"format\":1", "\"format\":2");
    refused(
        &with_out(base, &folder, &["--resume"]),
        "line 1: a game of format 2: this program reads up to 1",
    );
    fs::write(folder.join("games.jsonl"), games.replace("\"format\":1,", "")).unwrap();
    // Times are no record.
    let times = newer("times.jsonl", "{", "junk\n{}\n{");
    done(&with_out(base, &folder, &["--resume"]));
    assert_eq!(read(&folder, "times.jsonl"), times);
    refused(&with_out(base, Path::new("/proc/nowhere"), &[]), "/proc/nowhere");
    let file = folder.join("settings.json");
    refused(&with_out(base, &file, &[]), "settings.json");
    let busy = fs::File::open(&folder).unwrap();
    busy.lock().unwrap();
    refused(&with_out(base, &folder, &["--resume"]), "is in use: another match writes there");
    drop(busy);
    let damaged = temporary("arena_damaged");
    done(&with_out(base, &damaged, &[]));
    let games = read(&damaged, "games.jsonl");
    fs::write(damaged.join("games.jsonl"), games.replacen("\"seed\":", "\"seed\":1", 1)).unwrap();
    refused(&with_out(base, &damaged, &["--resume"]), "games.jsonl, line 1");

    let control = "--game fog --games 4";
    for (line, wrong) in [
        ("match nobody random --game fog --games 4 --nodes 5".to_owned(), "unknown agent 'nobody'"),
        ("match obscuro:purify=maybe random --games 4 --nodes 5".to_owned(), "purify must be on|off|raw"),
        ("match obscuro:colour=red random --games 4 --nodes 5".to_owned(), "no switch 'colour'"),
        ("match random:x=1 random --games 4 --nodes 5".to_owned(), "random has no switches"),
        (
            "match obscuro:eval=/no/net random --games 4 --nodes 5".to_owned(),
            "scuro: eval=/no/net: No such file or directory (os error 2)\n",
        ),
        ("match obscuro:purify=on,purify=off random --games 4 --nodes 5".to_owned(), "purify is given twice"),
        (
            "match random fleeing --game rbc --games 4 --nodes 5".to_owned(),
            "fleeing does not play Reconnaissance",
        ),
        (format!("match random random {control}"), "--nodes"),
        (format!("match random random {control} --nodes 5 --movetime 5s"), "cannot be used with"),
        (format!("match random random {control} --movetime 0s"), "'0s' is not a time"),
        (format!("match random random {control} --movetime 5"), "'5' is not a time"),
        (format!("match random random {control} --clock 3m+x"), "'3m+x' is not a clock"),
        (format!("match random random {control} --nodes 0"), "0 is not in"),
        // What is negative is refused by the name of its flag.
        (format!("match random random {control} --nodes -5"), "'-5' for '--nodes <N>'"),
        (format!("match random random {control} --movetime -5s"), "'-5s' for '--movetime <TIME>'"),
        (format!("match random random {control} --clock -5s"), "'-5s' for '--clock <TIME>'"),
        (format!("match random random {control} --nodes 5 --seed -1"), "'-1' for '--seed <S>'"),
        (format!("match random random {control} --nodes 5 --second -5s"), "'-5s' for '--second <CONTROL>'"),
        (format!("match random random {control} --nodes 5 --margin -5s"), "'-5s' for '--margin <TIME>'"),
        (format!("match random random {control} --nodes 5 --turns -5"), "'-5' for '--turns <N>'"),
        (format!("match random random {control} --nodes 5 --concurrency -5"), "'-5' for '--concurrency <N>'"),
        (format!("match random random {control} --nodes 5 --shard -1/4"), "'-1/4' for '--shard <I/N>'"),
        ("match random random --games -4 --nodes 5".to_owned(), "'-4' for '--games <N>'"),
        (format!("match random random {control} --movetime 0.0004ms"), "'0.0004ms' is not a time"),
        (format!("match random random {control} --clock 1s++1s"), "'1s++1s' is not a clock"),
        ("match random random --games 0 --nodes 5".to_owned(), "0 is not in"),
        (format!("match random random {control} --nodes 5 --shard 5/4"), "'5/4' is not a shard"),
        (format!("match random random {control} --nodes 5 --sprt 5,0"), "is not two different Elo numbers"),
        (
            format!("match random random {control} --nodes 5 --sprt 0,5 --shard 1/2"),
            "a shard cannot stop early",
        ),
        (format!("match random random {control} --nodes 5 --openings /no/file"), "/no/file"),
        (format!("match random random {control} --nodes 5 --resume"), "--out"),
        ("experiment cold-fusion".to_owned(), "unknown experiment 'cold-fusion'"),
        ("league /no/league".to_owned(), "/no/league"),
    ] {
        refused(&words(&line), wrong);
    }
    let fen = folder.join("over.fen");
    fs::write(&fen, "8/8/8/8/8/8/8/K7 w - - 0 1\n").unwrap();
    let mut arguments = words(base);
    arguments.extend(["--openings", fen.to_str().unwrap()]);
    refused(&arguments, "over.fen");
}

#[test]
fn what_is_left_out_is_a_setting_too_when_a_match_is_resumed() {
    let folder = temporary("arena_second");
    let base = "match random random --game fog --games 2 --nodes 5";
    done(&with_out(base, &folder, &["--second", "10 nodes"]));
    refused(&with_out(base, &folder, &["--resume"]), r#"its second is "10 nodes", not none"#);
    refused(&with_out(base, &folder, &["--resume", "--second", "20 nodes"]), r#"not "20 nodes""#);
    done(&with_out(base, &folder, &["--resume", "--second", "10 nodes"]));
}

#[test]
fn what_is_not_of_this_match_is_neither_counted_nor_overwritten() {
    let base = "match random random --game fog --games 4 --nodes 5";
    for (name, words) in [
        ("settings.json", "settings.json: not the settings of a match"),
        ("times.jsonl", "has times.jsonl but no settings.json: it is not the folder of a match"),
        ("games.jsonl", "has games.jsonl but no settings.json"),
        ("games.pgn", "has games.pgn but no settings.json"),
        ("score.svg", "has score.svg but no settings.json"),
    ] {
        let folder = temporary("arena_foreign");
        fs::write(folder.join(name), "{\"mine\": true}\n").unwrap();
        refused(&with_out(base, &folder, &["--resume"]), words);
        assert_eq!(read(&folder, name), "{\"mine\": true}\n");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "{name}");
    }
    // Game 2 is in pair 1: not of shard 2/2, which is 0/2.
    let [first, second] = ["arena_shard_1", "arena_shard_2"].map(temporary);
    done(&with_out(base, &first, &["--shard", "1/2"]));
    done(&with_out(base, &second, &["--shard", "2/2"]));
    fs::copy(first.join("games.jsonl"), second.join("games.jsonl")).unwrap();
    refused(&with_out(base, &second, &["--shard", "2/2", "--resume"]), "line 1: game 2 is not played here");
    refused(
        &["merge", second.to_str().unwrap(), "--out", first.join("whole").to_str().unwrap()],
        "line 1: game 2 is not played here",
    );
    // A shard without a game is finished at once, and again.
    let none = temporary("arena_shard_none");
    for _ in 0..2 {
        done(&with_out(base, &none, &["--shard", "5/9", "--resume"]));
    }
}

#[test]
fn warnings_look_at_both_agents_and_at_the_games_there_are() {
    // As many games at a time as there are: one.
    done(&words("match random random --games 1 --nodes 5 --concurrency 1024"));
    let loose = "obscuro:eval=simple,growers=1";
    let line = format!("match random {loose} --games 1 --turns 1");
    for (controls, warned) in
        [(["1s", "5 nodes"], true), (["5 nodes", "1ms"], false), (["5 nodes", "5 nodes"], true)]
    {
        let [first, second] = controls;
        let mut arguments = words(&line);
        match first.strip_suffix(" nodes") {
            Some(nodes) => arguments.extend(["--nodes", nodes]),
            None => arguments.extend(["--movetime", first]),
        }
        arguments.extend(["--second", second]);
        let error = String::from_utf8(scuro(&arguments).stderr).unwrap();
        assert_eq!(
            error.contains("games on a budget of nodes do not repeat"),
            warned,
            "{controls:?}: {error}"
        );
    }
}

#[test]
fn examples_fit_a_line() {
    for command in ["match", "merge", "league"] {
        let help = done(&[command, "--help"]);
        let (_, examples) = help.split_once("Examples:\n").unwrap();
        assert!(examples.lines().all(|line| line.starts_with("  scuro ") && line.len() <= 100), "{examples}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_prints_the_command_that_resumes() {
    let folder = temporary("arena_interrupted");
    let line = "match obscuro:eval=simple random --game fog --games 4000 --nodes 60";
    let output = program::interrupted(&with_out(line, &folder, &[]));
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{error}");
    assert!(error.contains(&line.replace("match", "match --resume")), "{error}");
    assert!(String::from_utf8(output.stdout).unwrap().lines().last().unwrap().contains(" v random: "));
    // The command is taken as it is, also if the agents stand behind `--`.
    let folder = temporary("arena_interrupted_again");
    let line = with_out("match --games 4000 --nodes 60", &folder, &["--", "obscuro:eval=simple", "random"]);
    let mut command: Vec<String> = line.into_iter().map(str::to_owned).collect();
    for _ in 0..2 {
        let output = program::interrupted(&command.iter().map(String::as_str).collect::<Vec<_>>());
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{error}");
        let (_, printed) = error.trim_end().rsplit_once("go on with: ").unwrap();
        command = printed.split(' ').skip(1).map(str::to_owned).collect();
        assert_eq!(command[..2], ["match", "--resume"]);
    }
}

/// A program that plays well as Black and badly as White: what comes and goes passes through it, until then.
const TURNCOAT: &str = r#"
import subprocess, sys, time
bot = subprocess.Popen([sys.executable, BOT], stdin=subprocess.PIPE, text=True)
white = False
for line in sys.stdin:
    white = white or line.strip() == "side white"
    if white and line.startswith("go"):
        bot.kill()
        bot.wait()
        MISDEED
    bot.stdin.write(line)
    bot.stdin.flush()
"#;

#[test]
fn a_program_that_misbehaves_loses_that_game_and_no_other() {
    let folder = temporary("arena_turncoats");
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots/fog_bot.py");
    for (name, misdeed, reason) in [
        ("dies", "sys.exit(7)", "crash"),
        ("closes", "sys.stdout.close(); import os; os.close(1); time.sleep(1000)", "crash"),
        ("hangs", "time.sleep(1000)", "time forfeit"),
        ("illegal", "print('bestmove e2e5', flush=True); continue", "illegal move"),
        ("nonsense", "print('bestmove castle', flush=True); continue", "garbage"),
        ("floods", "[print('x' * 1000, flush=True) for _ in range(100000)]; time.sleep(1000)", "garbage"),
        // The second answer is for a turn that has not come.
        ("eager", "print('bestmove e2e4\\nbestmove d2d4', flush=True); time.sleep(1000)", "time forfeit"),
    ] {
        let script = folder.join(format!("{name}.py"));
        let text =
            TURNCOAT.replace("BOT", &format!("{:?}", bot.to_str().unwrap())).replace("MISDEED", misdeed);
        fs::write(&script, text).unwrap();
        let agent = format!("cmd:python3 {}", script.to_str().unwrap());
        let played = scuro(&words_of(&agent));
        let summary = json(&out(&played));
        assert_eq!(summary["games"], 2, "{name}: {summary}");
        assert_eq!(summary["by_reason"][reason]["losses"], 1, "{name}: {summary}");
        let forfeits = ["crash", "illegal move", "garbage", "time forfeit"];
        let forfeited = forfeits.iter().filter_map(|&reason| summary["reasons"][reason].as_u64());
        assert_eq!(forfeited.sum::<u64>(), 1, "{name}: {summary}");
        let fault = &summary["faults"][0];
        assert_eq!((&fault["reason"], &fault["number"]), (&reason.into(), &0.into()), "{name}: {summary}");
        assert!(fault["agent"] == agent && fault["fault"].is_string(), "{name}: {summary}");
    }
}

/// A short match of an agent whose name has blanks.
fn words_of(agent: &str) -> Vec<&str> {
    let mut all = vec!["match", agent, "random"];
    all.extend(words("--games 2 --movetime 100ms --margin 2s --turns 6 --json"));
    all
}

#[test]
fn a_program_that_is_not_there_is_refused() {
    refused(&words_of("cmd:/no/such/program"), "cannot start '/no/such/program'");
}
