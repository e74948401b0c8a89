//! Whole games over the API: every variant, people and engines, what happens beside the moves, and what is kept.

use std::time::Duration;

use crate::support::{Client, Folder, Running, Seat};
use scuro_core::Random;
use serde_json::{Value, json};

/// Plays on with random moves; how many.
fn play_at_random(seat: &mut Seat, client: &mut Client, random: &mut Random, most: usize) -> usize {
    for count in 0..most {
        seat.wait(client);
        if seat.finished() {
            return count;
        }
        let moves = seat.moves();
        let word = random.pick(&moves).unwrap().clone();
        seat.play(client, &word);
    }
    most
}

#[test]
fn whole_games_of_every_variant_against_the_random_mover() {
    let server = Running::start(None);
    let mut client = server.client();
    let mut random = Random::new(7);
    for wanted in [
        json!({ "game": "fog", "opponent": "random", "seed": 1 }),
        json!({ "game": "fog", "opponent": "greedy", "side": "black", "seed": 2 }),
        json!({ "game": "kriegspiel", "opponent": "random", "seed": 3 }),
        json!({ "game": "kriegspiel", "opponent": "random", "ruleset": "english", "side": "black", "seed": 4 }),
        json!({ "game": "kriegspiel", "opponent": "random", "ruleset": "rand", "seed": 5 }),
        json!({ "game": "rbc", "opponent": "random", "seed": 6 }),
    ] {
        let mut seat = client.make(&wanted);
        play_at_random(&mut seat, &mut client, &mut random, 3_000);
        assert!(seat.finished(), "{wanted}");
        let review = seat.ask(&mut client, "GET", "/review", &Value::Null).expect(200);
        let plies = review["plies"].as_array().unwrap();
        assert_eq!(plies.last().unwrap()["truth"], seat.state["truth"], "{wanted}");
        assert_eq!(plies.last().unwrap()["views"], seat.state["views"], "{wanted}");
        assert_eq!(review["result"], seat.state["result"]);
        // What is taken along reads back as the same game.
        let pgn = seat.ask(&mut client, "GET", "/pgn", &Value::Null);
        assert!(pgn.headers.contains("attachment; filename=\"scuro-"), "{}", pgn.headers);
        let again = client.post("/api/v1/reviews", &json!({ "record": pgn.body })).expect(200);
        assert_eq!(again["plies"], review["plies"], "{wanted}");
        let lines = seat.ask(&mut client, "GET", "/json", &Value::Null);
        let again = client.post("/api/v1/reviews", &json!({ "record": lines.body })).expect(200);
        assert_eq!(again["plies"], review["plies"], "{wanted}");
    }
    server.end();
}

#[test]
fn two_people_play_agree_on_a_draw_and_play_again() {
    let server = Running::start(None);
    let mut client = server.client();
    let mut white = client.make(&json!({ "opponent": "human" }));
    let word = white.state["join"].as_str().unwrap().to_owned();
    let mut black = client.join(&white.id, &word);
    assert_eq!(client.post(&white.path("/join"), &json!({ "join": word })).status, 401, "once");
    assert!(white.look(&mut client)["join"].is_null());
    let mut events = black.listen(server.address);
    assert!(events.next().contains("\"turn\":\"white\""));
    white.play(&mut client, "e2e4");
    assert!(events.next().contains("\"turn\":\"black\""));
    black.look(&mut client);
    let entry = &black.state["log"][0];
    assert_eq!((&entry["move"], &entry["text"]), (&Value::Null, &json!("White has moved.")));
    assert_eq!(
        black.ask(&mut client, "POST", "/draw", &json!({ "draw": "accept" })).error(409),
        "there is no offer"
    );
    black.ask(&mut client, "POST", "/draw", &json!({ "draw": "offer" })).expect(200);
    assert_eq!(white.look(&mut client)["draw"], "asked");
    assert_eq!(white.ask(&mut client, "POST", "/rematch", &json!({})).error(403), "the game is not over");
    let state = white.ask(&mut client, "POST", "/draw", &json!({ "draw": "accept" })).expect(200);
    assert_eq!(state["result"]["text"], "Draw: draw agreed");
    // The first who asks makes the next game, the other joins it; the sides are changed.
    let next = Seat::of(white.ask(&mut client, "POST", "/rematch", &json!({})).expect(201));
    assert_eq!(next.state["side"], "black");
    let twice = white.ask(&mut client, "POST", "/rematch", &json!({})).error(409);
    assert_eq!(twice, "you have asked already");
    let other = Seat::of(black.ask(&mut client, "POST", "/rematch", &json!({})).expect(201));
    assert_eq!((&other.id, &other.state["side"]), (&next.id, &json!("white")));
    server.end();
}

#[test]
fn kriegspiel_and_rbc_between_people() {
    let server = Running::start(None);
    let mut client = server.client();
    for (game, words) in [
        ("kriegspiel", ["e2e4", "d7d5", "e4d5", "d8d5"].as_slice()),
        ("rbc", ["e7", "e2e4", "pass", "d7d5", "d5", "e4d5", "pass", "pass"].as_slice()),
    ] {
        let mut white = client.make(&json!({ "game": game, "opponent": "human" }));
        let word = white.state["join"].as_str().unwrap().to_owned();
        let mut black = client.join(&white.id, &word);
        for word in words {
            let seat = if white.look(&mut client)["turn"] == "white" { &mut white } else { &mut black };
            seat.play(&mut client, word);
        }
        black.look(&mut client);
        white.look(&mut client);
        assert_eq!(white.state["taken"], json!(["p"]), "{game}");
        assert_eq!(black.state["lost"], json!(["p"]), "{game}");
        let expected = if game == "rbc" { json!([]) } else { json!(["p"]) };
        assert_eq!(black.state["taken"], expected, "{game}");
        assert_eq!(white.state["ply"], 4, "{game}");
    }
    server.end();
}

#[test]
fn a_server_that_ends_and_starts_again_goes_on_with_its_games() {
    let folder = Folder::new();
    let mut random = Random::new(3);
    let server = Running::start(Some(&folder));
    let mut client = server.client();
    let wanted = [
        json!({ "game": "fog", "opponent": "random", "seed": 1, "clock": "30m+1s" }),
        json!({ "game": "fog", "opponent": "obscuro:eval=simple,nodes=200", "side": "black", "seed": 1 }),
        json!({ "game": "kriegspiel", "opponent": "obscuro:eval=simple,nodes=200", "seed": 1 }),
        json!({ "game": "rbc", "opponent": "level1", "seed": 1 }),
    ];
    let mut seats: Vec<Seat> = wanted.iter().map(|wanted| client.make(wanted)).collect();
    for seat in &mut seats {
        play_at_random(seat, &mut client, &mut random, 5);
        seat.wait(&mut client);
    }
    server.end();
    let server = Running::start(Some(&folder));
    let mut client = server.client();
    for seat in &mut seats {
        let before = seat.state.clone();
        seat.look(&mut client);
        for part in ["view", "moves", "log", "lost", "taken", "ply", "turn", "phase", "sensed", "players"] {
            assert_eq!(seat.state[part], before[part], "{part}");
        }
        assert_eq!(seat.state["clock"]["running"], before["clock"]["running"]);
        play_at_random(seat, &mut client, &mut random, 5);
    }
    server.end();
}

#[test]
fn a_flag_falls_without_anybody_asking() {
    let server = Running::start(None);
    let mut client = server.client();
    let seat = client.make(&json!({ "opponent": "random", "clock": "100ms+0s" }));
    let mut events = seat.listen(server.address);
    assert!(events.next().contains("\"running\":\"white\""));
    let over = events.next();
    assert!(over.contains("Black wins: time forfeit"), "{over}");
    let refused = seat.ask(&mut client, "POST", "/moves", &json!({ "move": "e2e4" })).error(409);
    assert_eq!(refused, "the game is over: Black wins: time forfeit");
    server.end();
}

#[test]
fn two_engines_are_watched_with_nothing_hidden() {
    let server = Running::start(None);
    let mut client = server.client();
    let watcher = client.make(&json!({ "white": "random", "black": "greedy", "seed": 5 }));
    assert_eq!(watcher.state["side"], "watch");
    let mut events = watcher.listen(server.address);
    let mut state: Value = serde_json::from_str(&events.next()).unwrap();
    while !state["finished"].as_bool().unwrap() {
        state = serde_json::from_str(&events.next()).unwrap();
        assert!(state["truth"].is_string() && state["views"]["black"].is_string());
    }
    assert_eq!(watcher.ask(&mut client, "POST", "/resign", &json!({})).error(403), "you watch this game");
    server.end();
}

/// The API lists who plays which game; levels play all of them, and the third one unless somebody else is asked for.
#[test]
fn an_engine_plays_a_few_moves_of_every_game() {
    let server = Running::start(None);
    let mut client = server.client();
    let mut random = Random::new(11);
    let games = client.send("GET", "/api/v1", &[], b"").expect(200)["games"].clone();
    for (game, players) in [("fog", 5), ("kriegspiel", 9), ("rbc", 9)] {
        let listed = games.as_array().unwrap().iter().find(|listed| listed["game"] == game).unwrap();
        assert_eq!(listed["opponents"].as_array().unwrap().len(), players, "{listed}");
        let mut seat = client.make(&json!({ "game": game, "side": "black", "seed": 4 }));
        assert_eq!(seat.state["players"]["white"], "level3", "{game}");
        play_at_random(&mut seat, &mut client, &mut random, 6);
        seat.wait(&mut client);
        assert!(!seat.finished(), "{game}: {}", seat.state["result"]);
        let theirs = seat.state["log"].as_array().unwrap().iter().filter(|entry| entry["side"] == "white");
        assert!(theirs.count() >= 3, "{game}: {}", seat.state["log"]);
    }
    server.end();
}

/// Waits for an analysis of a game; what it found.
fn analysed(client: &mut Client, seat: &Seat, side: &str) -> Value {
    let wanted = json!({ "id": seat.id, "side": side, "movetime": "20ms" });
    let id = client.ask("POST", "/api/v1/analyses", &seat.secret, &wanted).expect(202)["analysis"].clone();
    let path = format!("/api/v1/analyses/{}", id.as_str().unwrap());
    let findings = loop {
        let findings = client.send("GET", &path, &[], b"").expect(200);
        if findings["done"] == true {
            break findings;
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let last = client.send("GET", &format!("{path}?from=1"), &[], b"").expect(200);
    assert_eq!(last["turns"].as_array().unwrap()[..], findings["turns"].as_array().unwrap()[1..]);
    client.send("DELETE", &path, &[], b"").expect(204);
    assert_eq!(client.send("GET", &path, &[], b"").status, 404);
    assert_eq!(findings["error"], Value::Null);
    findings["turns"].clone()
}

#[test]
fn an_engine_thinks_hints_help_and_a_game_is_analysed() {
    let server = Running::start(None);
    let mut client = server.client();
    let mut seat = client.make(&json!({ "opponent": "level1", "movetime": "50ms" }));
    assert_eq!(seat.play(&mut client, "e2e4")["thinking"], true);
    seat.wait(&mut client);
    let hint = |client: &mut Client| seat.ask(client, "POST", "/hint", &json!({})).expect(200);
    let first = hint(&mut client);
    assert!(seat.moves().contains(&first["move"].as_str().unwrap().to_owned()), "{first}");
    assert_eq!(hint(&mut client), first, "the same information, the same hint");
    let analysis = json!({ "id": seat.id, "side": "black", "movetime": "20ms" });
    let asked = client.ask("POST", "/api/v1/analyses", &seat.secret, &analysis);
    assert_eq!(asked.error(403), "the game is not over");
    seat.ask(&mut client, "POST", "/resign", &json!({})).expect(200);
    let turns = analysed(&mut client, &seat, "black");
    assert_eq!((turns.as_array().unwrap().len(), &turns[0]["ply"]), (1, &json!(1)));
    assert_eq!(turns[0]["belief"], json!({ "size": 20, "exact": true }));
    assert_eq!(turns[0]["squares"]["e1"], json!({ "K": 1.0 }));
    server.end();
}

/// Checks what is said of each choice: nothing where one position is left, then of a sense and of a request. The belief
/// shrinks from the one to the other.
fn check_choices(turns: &[Value]) {
    assert_eq!((&turns[0]["choices"], &turns[2]["belief"]["size"]), (&json!([]), &json!(21)));
    assert!(turns[3]["belief"]["size"].as_u64() < Some(21));
    for (turn, count, part) in [(&turns[2], 36, "nats"), (&turns[3], 1, "mean")] {
        let choices = turn["choices"].as_array().unwrap();
        let scores: Vec<f64> = choices.iter().map(|choice| choice["score"].as_f64().unwrap()).collect();
        assert!(choices.len() >= count && scores.is_sorted_by(|one, next| one >= next), "{turn}");
        assert_eq!(choices.iter().filter(|choice| choice["chosen"] == true).count(), 1);
        for choice in choices {
            assert!(choice["parts"][part].is_number(), "{choice}");
            let answers = choice["answers"].as_array().unwrap();
            let total: f64 = answers.iter().map(|answer| answer["probability"].as_f64().unwrap()).sum();
            assert!(
                answers.is_empty() == (part == "mean") && (answers.is_empty() || (total - 1.0).abs() < 1e-9)
            );
        }
    }
}

/// Hints and analyses of the games in which a turn is more than a move: a refused try, a sense.
#[test]
fn hints_and_analyses_know_tries_and_senses() {
    let server = Running::start(None);
    let mut client = server.client();
    // Each word with whether it is White's; the next is White's.
    let kriegspiel = "e2e4 w, e7e5 b, e4e5 w, d2d4 w, e5d4 b";
    let rbc = "d7 w, e2e4 w, pass b, d7d5 b, d5 w";
    for (game, script, plies, next) in [
        ("kriegspiel", kriegspiel, [0, 2, 3, 5].as_slice(), "d1d4"),
        ("rbc", rbc, [0, 1, 4, 5].as_slice(), "e4d5"),
    ] {
        let mut white = client.make(&json!({ "game": game, "opponent": "human" }));
        let mut black = client.join(&white.id, white.state["join"].as_str().unwrap());
        let mut hints = Vec::new();
        for entry in script.split(", ") {
            let (word, side) = entry.split_once(' ').unwrap();
            if side == "w" {
                white.look(&mut client);
                hints.push(white.ask(&mut client, "POST", "/hint", &json!({})).expect(200));
                let hinted = hints.last().unwrap()["move"].as_str().unwrap();
                assert!(white.moves().contains(&hinted.to_owned()), "{game}: {hinted}");
                assert_eq!(
                    black.ask(&mut client, "POST", "/hint", &json!({})).error(409),
                    "it is not your turn"
                );
            }
            let seat = if side == "w" { &mut white } else { &mut black };
            seat.play(&mut client, word);
        }
        let refused =
            white.look(&mut client)["log"].as_array().unwrap().iter().any(|entry| entry["refused"] == true);
        assert_eq!(refused, game == "kriegspiel");
        assert!(white.moves().contains(&next.to_owned()), "{game}");
        white.ask(&mut client, "POST", "/resign", &json!({})).expect(200);
        let turns = analysed(&mut client, &white, "white");
        let review = white.ask(&mut client, "GET", "/review", &Value::Null).expect(200);
        let turns = turns.as_array().unwrap();
        assert_eq!(
            turns.iter().map(|turn| turn["ply"].as_u64().unwrap()).collect::<Vec<_>>(),
            plies,
            "{game}"
        );
        let words: Vec<&str> = script.split(", ").filter_map(|entry| entry.strip_suffix(" w")).collect();
        for (number, turn) in turns.iter().enumerate() {
            assert_eq!(turn["move"].as_str(), words.get(number).copied(), "{game}");
            assert!(!turn["strategy"].as_array().unwrap().is_empty(), "{turn}");
            assert_eq!(
                review["plies"][turn["ply"].as_u64().unwrap() as usize + 1]["side"].as_str(),
                words.get(number).map(|_| "white")
            );
        }
        assert_eq!(turns[0]["belief"], json!({ "size": 1, "exact": true }), "{game}");
        assert_eq!(turns[0]["squares"]["e8"], json!({ "k": 1.0 }), "{game}");
        assert!(turns.iter().any(|turn| !turn["choices"].is_null()), "{game}");
        if game == "rbc" {
            check_choices(turns);
        }
    }
    server.end();
}

#[test]
fn games_are_listed_searched_and_deleted_from_the_file() {
    let folder = Folder::new();
    let server = Running::start(Some(&folder));
    let mut client = server.client();
    let player =
        client.post("/api/v1/players", &json!({})).expect(201)["player"].as_str().unwrap().to_owned();
    let keeping = [("Scuro-Player", player.as_str())];
    let mut seats = Vec::new();
    for game in ["fog", "kriegspiel", "rbc"] {
        let wanted = json!({ "game": game, "opponent": "random" }).to_string();
        seats.push(Seat::of(client.send("POST", "/api/v1/games", &keeping, wanted.as_bytes()).expect(201)));
    }
    client.make(&json!({ "opponent": "random" }));
    let list = |client: &mut Client, query: &str| {
        client.send("GET", &format!("/api/v1/games{query}"), &keeping, b"").expect(200)
    };
    assert_eq!(list(&mut client, "")["total"], 3);
    assert_eq!(list(&mut client, "?search=RBC")["games"][0]["secret"], json!(seats[2].secret));
    assert_eq!(list(&mut client, "?search=nobody")["total"], 0);
    for (words, total) in [("random%20not%20over", 3), ("random%20Fog%20of%20War", 1), ("random%20draw", 0)] {
        assert_eq!(list(&mut client, &format!("?search={words}"))["total"], total, "{words}");
    }
    assert_eq!(list(&mut client, "?limit=2&offset=2")["games"].as_array().unwrap().len(), 1);
    assert_eq!(client.send("GET", "/api/v1/games?limit=x", &keeping, b"").error(400), "limit is no number");
    assert_eq!(client.send("GET", "/api/v1/games", &[], b"").status, 401);
    seats[0].play(&mut client, "h2h4");
    seats[0].wait(&mut client);
    let gone = seats.remove(0);
    gone.ask(&mut client, "DELETE", "", &Value::Null).expect(204);
    assert_eq!(gone.ask(&mut client, "GET", "", &Value::Null).status, 401);
    assert_eq!(list(&mut client, "?search=fog")["total"], 0);
    // Nothing of it is left in any file.
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, 0o600, "{} holds secrets", path.display());
        }
        let bytes = std::fs::read(&path).unwrap();
        for word in [&gone.id, &gone.secret] {
            let found = bytes.windows(word.len()).any(|part| part == word.as_bytes());
            assert!(!found, "{} has {word}", path.display());
        }
    }
    server.end();
}
