//! What clients do that mean harm or know no better: garbage, foreign pages, floods, connections left open.

use std::io::Write;
use std::net::TcpStream;

use scuro_core::Random;
use serde_json::{Value, json};

use crate::support::{Client, Reply, Running, Seat};

/// Texts that are mutated into bodies.
const BODIES: [&str; 12] = [
    r#"{"move":"e2e4"}"#,
    r#"{"game":"fog","side":"white","opponent":"random","seed":1}"#,
    r#"{"game":"kriegspiel","ruleset":"english","start":"4k3/8/8/8/8/8/8/4K3 w - - 0 1"}"#,
    r#"{"game":"rbc","clock":"3m+2s","movetime":"50ms"}"#,
    r#"{"white":"random","black":"greedy"}"#,
    r#"{"draw":"offer"}"#,
    r#"{"join":"00000000000000000000000000000000"}"#,
    r#"{"record":"[Variant \"Fog of War\"]\n\n1. e4 e5 *","side":"white","movetime":"10ms"}"#,
    r#"{"opponent":"obscuro:eval=simple,nodes=10"}"#,
    "{}",
    "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]",
    "\"\\ud800\"",
];

const ENDS: [&str; 12] = [
    "", "/moves", "/resign", "/draw", "/join", "/rematch", "/hint", "/review", "/pgn", "/json", "/events",
    "/x",
];

/// A body that is wrong somewhere, most of the time.
fn mutated(random: &mut Random) -> Vec<u8> {
    let mut bytes = random.pick(&BODIES).unwrap().as_bytes().to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len().max(1));
        match random.below(5) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at.min(bytes.len()), random.word() as u8),
            2 if !bytes.is_empty() => bytes[at] = random.word() as u8,
            3 => bytes.extend_from_slice(random.pick(&BODIES).unwrap().as_bytes()),
            _ => bytes.extend((0..random.below(40)).map(|_| b"{}[]\":,0e9nulltrue\\"[random.below(19)])),
        }
    }
    bytes
}

#[test]
fn ten_thousand_malformed_requests_do_no_harm() {
    let server = Running::start(None);
    let mut client = server.client();
    let mut random = Random::new(20);
    let mut seats: Vec<Seat> = ["fog", "kriegspiel", "rbc"]
        .map(|game| client.make(&json!({ "game": game, "opponent": "human" })))
        .into_iter()
        .collect();
    let before: Vec<Value> = seats.iter_mut().map(|seat| seat.look(&mut client).clone()).collect();
    let mut bad = 0;
    for number in 0..10_000 {
        let seat = random.pick(&seats).unwrap();
        let body = mutated(&mut random);
        let path = match random.below(6) {
            0 => "/api/v1/games".to_owned(),
            1 => "/api/v1/analyses".to_owned(),
            2 => "/api/v1/reviews".to_owned(),
            3 => format!("/api/v1/{}", random.word()),
            _ => seat.path(random.pick(&ENDS).unwrap()),
        };
        // Without the right secret nothing can be changed; with it bodies have to be wrong, which most are.
        let secret =
            if path.ends_with("/moves") { seat.secret.clone() } else { format!("{:032x}", random.word()) };
        let secret = if serde_json::from_slice::<Value>(&body).is_ok() { String::new() } else { secret };
        let method = ["POST", "POST", "POST", "GET", "PUT", "DELETE"][random.below(6)];
        let bearer = format!("Bearer {secret}");
        let reply = client.send(method, &path, &[("Authorization", &bearer)], &body);
        assert!(reply.status < 500 || reply.status == 503, "{number}: {method} {path}: {reply:?}");
        bad += usize::from((400..500).contains(&reply.status));
        if reply.status >= 400 {
            let error = reply.json()["error"].as_str().unwrap().to_owned();
            assert!(!error.contains('\n'), "{error}");
        }
    }
    assert!(bad > 9_000, "only {bad} were refused");
    for (seat, before) in seats.iter_mut().zip(&before) {
        assert_eq!(seat.look(&mut client), before, "a game was harmed");
    }
    server.end();
}

#[test]
fn garbage_instead_of_requests_ends_the_connection_and_nothing_else() {
    let server = Running::start(None);
    let mut random = Random::new(21);
    for _ in 0..200 {
        let mut stream = TcpStream::connect(server.address).unwrap();
        let garbage: Vec<u8> = (0..random.below(300)).map(|_| random.word() as u8).collect();
        let _ = stream.write_all(&garbage);
    }
    // Requests that never end wait by themselves.
    let open: Vec<Client> = (0..50)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            stream
                .write_all(b"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{")
                .unwrap();
            server.client()
        })
        .collect();
    let mut client = server.client();
    let mut seat = client.make(&json!({ "opponent": "random" }));
    seat.play(&mut client, "e2e4");
    drop(open);
    server.end();
}

#[test]
fn foreign_hosts_and_pages_are_refused_everywhere() {
    let server = Running::start(None);
    let mut client = server.client();
    let seat = client.make(&json!({ "opponent": "random" }));
    let upgrade = [
        ("Connection", "upgrade"),
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    let here = server.address.to_string();
    for path in ["/", "/api/v1", "/api/v1/games", &seat.path(""), &seat.path("/events")] {
        for (host, origin) in [
            ("evil.example", None),
            ("evil.example:7878", None),
            (here.as_str(), Some("http://evil.example")),
            (here.as_str(), Some("null")),
            (here.as_str(), Some("file://")),
        ] {
            let mut headers = vec![("Host", host)];
            headers.extend(origin.map(|origin| ("Origin", origin)));
            headers.extend(upgrade.iter().filter(|_| path.ends_with("/events")));
            let reply = client.send("GET", path, &headers, b"");
            assert_eq!(reply.status, 403, "{path} {host} {origin:?}: {reply:?}");
        }
    }
    let ours = format!("http://{here}");
    assert_eq!(client.send("GET", "/api/v1", &[("Origin", &ours)], b"").status, 200);
    server.end();
}

#[test]
fn answers_say_what_browsers_may_do_with_them() {
    let server = Running::start(None);
    let mut client = server.client();
    for path in ["/api/v1", "/", "/no/such/page"] {
        let Reply { headers, .. } = client.send("GET", path, &[], b"");
        for line in [
            "content-security-policy: default-src 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
        ] {
            assert!(headers.contains(line), "{path}: {headers}");
        }
        let policy = headers.lines().find(|line| line.starts_with("content-security")).unwrap();
        assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
    }
    for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/page/index.html", "/.hidden", "//etc/passwd"] {
        assert_eq!(client.send("GET", path, &[], b"").status, 404, "{path}");
    }
    let page = client.send("GET", "/", &[], b"");
    if page.status == 200 {
        let tag = page.headers.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
        assert_eq!(client.send("GET", "/", &[("If-None-Match", &tag)], b"").status, 304);
    }
    server.end();
}

#[test]
fn too_much_too_often_and_too_long_have_their_answers() {
    let server = Running::start(None);
    let mut client = server.client();
    for path in ["/api/v1/games/%ff/moves", "/api/v1/games/%c3/resign"] {
        assert_eq!(client.send("POST", path, &[], b"{}").error(400), "the address cannot be read", "{path}");
    }
    let long = vec![b' '; (64 << 10) + 1];
    assert_eq!(client.send("POST", "/api/v1/games", &[], &long).error(413), "more than 64 kB");
    let long = vec![b' '; (1 << 20) + 1];
    assert_eq!(server.client().send("POST", "/api/v1/reviews", &[], &long).error(413), "more than 1024 kB");
    let statuses: Vec<u16> =
        (0..200).map(|_| client.post("/api/v1/reviews", &json!({ "record": "" })).status).collect();
    assert!(statuses.contains(&400) && statuses.contains(&429), "{statuses:?}");
    // Who asks too often for one thing can still play.
    let mut seat = client.make(&json!({ "opponent": "random" }));
    seat.play(&mut client, "e2e4");
    server.end();
}

#[test]
fn wrong_wishes_are_refused_in_one_line() {
    let server = Running::start(None);
    let mut client = server.client();
    for (wanted, words) in [
        (json!({ "game": "chess" }), "'chess' is not a game: known are fog, kriegspiel, rbc"),
        (json!({ "sides": "white" }), "unknown field"),
        (json!({ "opponent": "cmd:rm -rf ." }), "programs are not for guests"),
        (json!({ "opponent": "obscuro:eval=/etc/passwd" }), "networks of files"),
        (json!({ "opponent": "x".repeat(300) }), "too long"),
        (json!({ "opponent": "fleeing" }), "fleeing sees the whole board: it plays in matches alone"),
        (json!({ "white": "random", "black": "fleeing" }), "fleeing sees the whole board"),
        (json!({ "game": "rbc", "opponent": "zs21" }), "zs21 does not play Reconnaissance Blind Chess"),
        (json!({ "movetime": "5h" }), "not a time"),
        (json!({ "movetime": "10m" }), "at most 60 s"),
        (json!({ "clock": "soon" }), "not a clock"),
        (json!({ "start": "nothing" }), "FEN"),
        (json!({ "start": "8/8/8/8/8/8/8/K7 w - - 0 1" }), ""),
        (json!({ "ruleset": "icc" }), "fog has no rulesets"),
        (json!({ "game": "kriegspiel", "start": "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1" }), "in check"),
        (json!({ "white": "random" }), "either side and opponent"),
        (json!(["fog", "white"]), "an object such as {} is wanted"),
        (json!({ "seed": -1 }), "invalid value"),
    ] {
        let refused = client.post("/api/v1/games", &wanted).error(400);
        assert!(refused.contains(words) && !refused.contains('\n'), "{wanted}: {refused}");
    }
    server.end();
}

#[test]
fn clients_that_do_not_read_or_vanish_are_no_burden_to_the_game() {
    let server = Running::start(None);
    let mut client = server.client();
    let mut seat = client.make(&json!({ "game": "kriegspiel", "opponent": "random", "seed": 3 }));
    let deaf: Vec<_> = (0..20).map(|_| seat.listen(server.address)).collect();
    let mut random = Random::new(9);
    for number in 0..150 {
        seat.wait(&mut client);
        let Some(word) = random.pick(&seat.moves()).cloned() else { break };
        if number % 10 == 0 {
            // Hangs up before the answer: the move is made as a whole or not at all.
            let body = json!({ "move": word }).to_string();
            let head = format!(
                "POST {} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n",
                seat.path("/moves"),
                seat.secret
            );
            let mut stream = TcpStream::connect(server.address).unwrap();
            let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
            stream.write_all(request.as_bytes()).unwrap();
            drop(stream);
        } else {
            let reply = seat.ask(&mut client, "POST", "/moves", &json!({ "move": word }));
            assert!([200, 409].contains(&reply.status), "{reply:?}");
        }
        seat.look(&mut client);
    }
    drop(deaf);
    server.end();
}
