//! Nothing hidden leaves the server: two games that differ only in what a player cannot know give her the same bytes.
//!
//! What is masked is what differs between any two games: ids, secrets and times.

use scuro_games::chess::{Board, Color};
use scuro_games::dark::DarkGame;
use scuro_games::fog::FogOfWar;
use scuro_games::kriegspiel::{Kriegspiel, Ruleset};
use scuro_games::rbc::Rbc;
use scuro_games::records::Ply;
use serde_json::{Value, json};

use crate::pairs::{Script, pair};
use crate::support::{Client, Events, Reply, Running, Seat};

/// What a player sends and gets while a script is played.
struct Wiretap<'s> {
    server: &'s Running,
    /// The player, and whoever plays against her.
    clients: [Client; 2],
    heard: Vec<String>,
    secrets: Vec<(String, &'static str)>,
}

impl Wiretap<'_> {
    fn hear(&mut self, what: &str, reply: &Reply) {
        let masked =
            mask(&format!("{what} {} {} {}", reply.status, reply.headers, reply.body), &self.secrets);
        self.heard.push(masked);
    }

    /// The events up to the present STATE.
    fn catch_up(&mut self, seat: &Seat, events: &mut Events, last: &mut String) {
        let reply = seat.ask(&mut self.clients[0], "GET", "", &Value::Null);
        self.hear("state", &reply);
        while mask(last, &self.secrets) != mask(&reply.body, &self.secrets) {
            *last = events.next();
            self.heard.push(mask(last, &self.secrets));
        }
    }
}

/// The text without ids, secrets and times.
fn mask(text: &str, secrets: &[(String, &'static str)]) -> String {
    let mut text = secrets.iter().fold(text.to_owned(), |text, (word, name)| text.replace(word, name));
    for key in ["\"made\":", "\"changed\":", "\"clock\":{\"white\":", ",\"black\":", "\"increment\":"] {
        let mut masked = String::new();
        let mut rest = text.as_str();
        while let Some(at) = rest.find(key) {
            let (before, after) = rest.split_at(at + key.len());
            masked += before;
            rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
        }
        text = masked + rest;
    }
    text
}

/// Plays a script between two people on a server; all that `player` gets.
fn traffic(server: &Running, wanted: &Value, player: Color, script: &Script) -> Vec<String> {
    let mut tap = Wiretap {
        server,
        clients: [server.client(), server.client()],
        heard: Vec::new(),
        secrets: Vec::new(),
    };
    let keeper =
        tap.clients[0].post("/api/v1/players", &json!({})).expect(201)["player"].as_str().unwrap().to_owned();
    let mut wanted = wanted.clone();
    wanted["opponent"] = json!("human");
    wanted["side"] = json!(if player == Color::White { "white" } else { "black" });
    let made = tap.clients[0].send(
        "POST",
        "/api/v1/games",
        &[("Scuro-Player", &keeper)],
        wanted.to_string().as_bytes(),
    );
    let mine = Seat::of(made.clone().expect(201));
    let word = mine.state["join"].as_str().unwrap().to_owned();
    tap.secrets = vec![
        (mine.id.clone(), "ID"),
        (mine.secret.clone(), "SECRET"),
        (word.clone(), "JOIN"),
        (keeper.clone(), "PLAYER"),
    ];
    tap.hear("made", &made);
    let theirs = tap.clients[1].join(&mine.id, &word);
    let mut events = mine.listen(tap.server.address);
    let mut last = events.next();
    tap.heard.push(mask(&last, &tap.secrets));
    for (number, (side, word)) in script.iter().enumerate() {
        let body = json!({ "move": word });
        if *side == player {
            // What cannot be done is answered alike too.
            for wrong in ["a1a8", "e7e5", "e5e6", "d8h4", "a5", "pass", "e9"] {
                if wrong != word && !mine_has(&mut tap.clients[0], &mine, wrong) {
                    let reply = mine.ask(&mut tap.clients[0], "POST", "/moves", &json!({ "move": wrong }));
                    assert!((400..500).contains(&reply.status), "{wrong}: {reply:?}");
                    tap.hear(wrong, &reply);
                }
            }
            let reply = mine.ask(&mut tap.clients[0], "POST", "/moves", &body);
            assert_eq!(reply.status, 200, "{word}: {reply:?}");
            tap.hear("moved", &reply);
        } else {
            let early = mine.ask(&mut tap.clients[0], "POST", "/moves", &body);
            assert_eq!(early.clone().error(409), "it is not your turn");
            theirs.ask(&mut tap.clients[1], "POST", "/moves", &body).expect(200);
        }
        // The other side's actions have no number that she could count: what she asks now is what she sees.
        let turn_ends = script.get(number + 1).is_none_or(|(next, _)| next == &player) || *side == player;
        if turn_ends {
            tap.catch_up(&mine, &mut events, &mut last);
        }
    }
    for end in ["/review", "/pgn", "/json"] {
        let reply = mine.ask(&mut tap.clients[0], "GET", end, &Value::Null);
        assert_eq!(reply.status, 403);
        tap.hear(end, &reply);
    }
    let list = tap.clients[0].send("GET", "/api/v1/games", &[("Scuro-Player", &keeper)], b"");
    tap.hear("list", &list);
    // What the engine advises comes from what she was told, in every game.
    let mut mine = mine;
    if !mine.look(&mut tap.clients[0])["moves"].as_array().unwrap().is_empty() {
        let hint = mine.ask(&mut tap.clients[0], "POST", "/hint", &json!({}));
        assert_eq!(hint.status, 200, "{hint:?}");
        tap.hear("hint", &hint);
    }
    assert!(events.is_silent(), "an event that tells something");
    tap.heard
}

fn mine_has(client: &mut Client, seat: &Seat, word: &str) -> bool {
    let mut seat = seat.clone();
    seat.look(client);
    seat.moves().contains(&word.to_owned())
}

fn compare(server: &Running, wanted: &Value, player: Color, scripts: &[Script; 2]) {
    let [one, other] = scripts.each_ref().map(|script| traffic(server, wanted, player, script));
    for (number, (one, other)) in one.iter().zip(&other).enumerate() {
        assert_eq!(one, other, "message {number} of {wanted}, {scripts:?}");
    }
    assert_eq!(one.len(), other.len(), "{wanted}, {scripts:?}");
}

fn api_word(ply: Ply) -> String {
    match ply {
        Ply::Sense(None) | Ply::Pass => "pass".to_owned(),
        ply => ply.to_string(),
    }
}

/// Pairs of random games; in all of them together many actions differ.
fn compare_random<G: DarkGame>(game: &G, wanted: &Value, seeds: std::ops::Range<u64>) {
    let server = Running::start(None);
    let mut differing = 0;
    for seed in seeds {
        for player in Color::ALL {
            let (scripts, differ) = pair(game, player, 24, seed, |action| api_word(G::ply(action)));
            differing += differ;
            compare(&server, wanted, player, &scripts);
        }
    }
    assert!(differing > 20, "{wanted}: only {differing} actions differ");
    server.end();
}

#[test]
fn fog_of_war_tells_nothing_but_the_view() {
    compare_random(&FogOfWar::default(), &json!({ "game": "fog", "clock": "10m+1s" }), 1..6);
}

#[test]
fn kriegspiel_tells_nothing_but_what_the_umpire_says() {
    for ruleset in Ruleset::ALL {
        let game = Kriegspiel { start: Board::start(), ruleset };
        compare_random(&game, &json!({ "game": "kriegspiel", "ruleset": ruleset.to_string() }), 1..4);
    }
}

#[test]
fn reconnaissance_tells_nothing_but_windows_and_notices() {
    compare_random(&Rbc::default(), &json!({ "game": "rbc" }), 1..6);
}

fn script(first: Color, words: &str) -> Script {
    let mut side = first;
    let each = words.split(' ').map(|word| {
        let entry = (side, word.to_owned());
        side = !side;
        entry
    });
    each.collect()
}

#[test]
fn known_leak_a_promotion_out_of_sight_changes_no_count_of_men() {
    let start = "7k/7p/8/8/8/8/p6P/4K2B b - - 0 40";
    let scripts = ["a2a1n e1e2", "h8g8 e1e2"].map(|words| script(Color::Black, words));
    // The bishop sees the diagonal to a8, not a1 or g8.
    let server = Running::start(None);
    compare(&server, &json!({ "game": "fog", "start": start }), Color::White, &scripts);
    let scripts = ["a2a1n e1e2", "a2a1b e1e2"].map(|words| script(Color::Black, words));
    compare(&server, &json!({ "game": "kriegspiel", "start": start }), Color::White, &scripts);
    server.end();
}

#[test]
fn known_leak_a_pawn_move_out_of_sight_resets_no_clock_that_is_shown() {
    let start = "7k/7p/8/8/8/8/8/K7 b - - 30 40";
    let server = Running::start(None);
    for game in ["fog", "kriegspiel"] {
        let scripts = ["h7h6 a1a2", "h8g8 a1a2"].map(|words| script(Color::Black, words));
        compare(&server, &json!({ "game": game, "start": start }), Color::White, &scripts);
    }
    let scripts = ["pass h7h6 pass a1a2", "e4 h8g8 pass a1a2"].map(|words| {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let sides = [Color::Black, Color::Black, Color::White, Color::White];
        sides.into_iter().zip(words).collect::<Script>()
    });
    compare(&server, &json!({ "game": "rbc", "start": start }), Color::White, &scripts);
    server.end();
}

#[test]
fn known_leak_the_name_of_a_move_tells_no_way_that_is_blocked() {
    // With a knight on f1 only one rook can go to d1: its move would be Rd1 there, and Rad1 here.
    let start = "6k1/8/8/8/8/6n1/K7/R6R b - - 0 1";
    let server = Running::start(None);
    let scripts = ["g3f1 a1d1", "g3e4 a1d1"].map(|words| script(Color::Black, words));
    compare(&server, &json!({ "game": "kriegspiel", "start": start }), Color::White, &scripts);
    let sides = [Color::Black, Color::Black, Color::White, Color::White];
    let turns = |words: [&str; 4]| sides.into_iter().zip(words.map(str::to_owned)).collect::<Script>();
    let scripts = [["pass", "g3f1", "pass", "a1d1"], ["pass", "g3e4", "pass", "a1d1"]].map(turns);
    compare(&server, &json!({ "game": "rbc", "start": start }), Color::White, &scripts);
    server.end();
}

#[test]
fn known_leak_touching_a_hidden_man_tells_nothing() {
    let server = Running::start(None);
    let mut client = server.client();
    let seat = client.make(&json!({ "opponent": "human" }));
    let mut refused =
        |word: &str| seat.ask(&mut client, "POST", "/moves", &json!({ "move": word })).error(409);
    // A man of the other side, an empty square in the dark: the same words.
    for word in ["e7e5", "g8f6", "e5e4", "a6a5"] {
        assert_eq!(refused(word), format!("{word} is not one of your moves"));
    }
    server.end();
}

#[test]
fn known_leak_nobody_else_watches_a_game_of_people() {
    let server = Running::start(None);
    let mut client = server.client();
    let mine = client.make(&json!({ "opponent": "human" }));
    let word = mine.state["join"].as_str().unwrap().to_owned();
    let theirs = client.join(&mine.id, &word);
    let stranger = client.make(&json!({ "opponent": "random" }));
    assert_ne!(mine.secret, theirs.secret);
    let no_game = "0".repeat(32);
    for end in ["", "/review", "/pgn", "/json", "/history"] {
        for (id, secret) in [
            (&mine.id, ""),
            (&mine.id, word.as_str()),
            (&mine.id, stranger.secret.as_str()),
            (&mine.id, mine.id.as_str()),
            (&no_game, mine.secret.as_str()),
        ] {
            let path = format!("/api/v1/games/{id}{end}");
            let refused = client.ask("GET", &path, secret, &Value::Null).error(401);
            assert_eq!(refused, "no such game, or not your secret");
        }
    }
    for secret in [&stranger.secret, &word] {
        let mut events = Events::open(server.address, &mine.id, secret);
        assert_eq!(events.next(), "{\"error\":\"no such game, or not your secret\"}");
    }
    server.end();
}

#[test]
fn an_unheard_try_changes_nothing_that_the_other_player_can_ask_for() {
    let server = Running::start(None);
    let mut client = server.client();
    let keeper =
        client.post("/api/v1/players", &json!({})).expect(201)["player"].as_str().unwrap().to_owned();
    let start = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
    let wanted =
        json!({ "game": "kriegspiel", "opponent": "human", "side": "black", "start": start }).to_string();
    let mine = Seat::of(
        client.send("POST", "/api/v1/games", &[("Scuro-Player", &keeper)], wanted.as_bytes()).expect(201),
    );
    let theirs = client.join(&mine.id, mine.state["join"].as_str().unwrap());
    let mut events = mine.listen(server.address);
    events.next();
    let ask = |client: &mut Client| {
        let list = client.send("GET", "/api/v1/games", &[("Scuro-Player", &keeper)], b"").body;
        (list, mine.ask(client, "GET", "", &Value::Null).body)
    };
    let before = ask(&mut client);
    let tried = theirs.ask(&mut client, "POST", "/moves", &json!({ "move": "e1d2" })).expect(200);
    assert_eq!(tried["log"][0]["refused"], true);
    assert_eq!(ask(&mut client), before);
    assert!(events.is_silent());
    server.end();
}
