//! What was acknowledged is there after the process was killed.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use scuro_core::Random;
use scuro_server::{Options, Server};
use serde_json::{Value, json};

use crate::support::{Client, Folder, Running, Seat};

const FOLDER: &str = "SCURO_TEST_FOLDER";

/// A server in a process of its own: this test program, asked for the test that serves.
fn start(folder: &Folder) -> (Child, SocketAddr) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["crash::serves_until_it_is_killed", "--exact", "--ignored", "--nocapture"])
        .env(FOLDER, folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let address =
        lines.map_while(Result::ok).find_map(|line| line.split("listening on ").nth(1)?.parse().ok());
    (child, address.unwrap())
}

#[test]
#[ignore = "is the other process of the test below"]
fn serves_until_it_is_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let options = Options { port: Some(0), data: Some(folder.into()), threads: Some(2), host: None };
    let server = Server::bind(&options).unwrap();
    println!("listening on {}", server.address());
    server.run();
}

#[test]
fn killed_in_the_middle_of_fifty_games_no_acknowledged_move_is_lost() {
    const GAMES: usize = 50;
    let folder = Folder::new();
    let (mut child, address) = start(&folder);
    let mut client = Client::new(address);
    let games = ["fog", "kriegspiel", "rbc"];
    let seats: Vec<Seat> = (0..GAMES)
        .map(|number| {
            client.make(&json!({ "game": games[number % 3], "opponent": "random", "seed": number }))
        })
        .collect();
    let killed = AtomicBool::new(false);
    // Several players at several games each, until there is nobody to answer.
    let played: Vec<Seat> = std::thread::scope(|scope| {
        let players: Vec<_> = seats
            .chunks(10)
            .enumerate()
            .map(|(number, seats)| {
                let killed = &killed;
                scope.spawn(move || play_on(address, seats.to_vec(), number as u64, killed))
            })
            .collect();
        std::thread::sleep(Duration::from_millis(1_500));
        child.kill().unwrap();
        killed.store(true, Ordering::Relaxed);
        players.into_iter().flat_map(|player| player.join().unwrap()).collect()
    });
    child.wait().unwrap();
    let own = |state: &Value| {
        let log = state["log"].as_array().unwrap().clone();
        let side = state["side"].clone();
        log.into_iter().filter(move |entry| entry["side"] == side).collect::<Vec<Value>>()
    };
    let server = Running::start(Some(&folder));
    let mut client = server.client();
    let mut acknowledged = 0;
    for mut seat in played {
        let before = own(&seat.state);
        acknowledged += before.len();
        seat.look(&mut client);
        // After the end entries tell more than before.
        let after = own(&seat.state);
        assert!(after.len() >= before.len(), "{} of {} own actions are left", after.len(), before.len());
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(
                (&before["move"], &before["text"], &before["view"]),
                (&after["move"], &after["text"], &after["view"])
            );
        }
        if !seat.finished() {
            seat.wait(&mut client);
        }
    }
    assert!(acknowledged > 2 * GAMES, "only {acknowledged} moves were acknowledged before the end");
    server.end();
}

/// Plays at random until the server is gone; the seats with the last state that was acknowledged.
fn play_on(address: SocketAddr, mut seats: Vec<Seat>, seed: u64, killed: &AtomicBool) -> Vec<Seat> {
    let mut random = Random::new(seed);
    let mut client = Client::new(address);
    while !killed.load(Ordering::Relaxed) {
        for seat in &mut seats {
            let word = random.pick(&seat.moves()).cloned();
            let Some(reply) = (match word {
                Some(word) => seat.try_ask(&mut client, "POST", "/moves", &json!({ "move": word })),
                None => seat.try_ask(&mut client, "GET", "", &Value::Null),
            }) else {
                return seats;
            };
            assert_eq!(reply.status, 200, "{reply:?}");
            seat.state = reply.json();
        }
    }
    seats
}

#[test]
fn one_folder_has_one_server() {
    let folder = Folder::new();
    let server = Running::start(Some(&folder));
    let options =
        Options { port: Some(0), data: Some(folder.path().to_owned()), threads: Some(1), host: None };
    let refused = Server::bind(&options).err().unwrap().to_string();
    assert!(refused.contains("another scuro uses it"), "{refused}");
    server.end();
    Server::bind(&options).unwrap();
}

#[test]
fn a_port_that_is_taken_is_an_error_only_if_it_was_asked_for() {
    let server = Running::start(None);
    let taken = server.address.port();
    let options = |port| Options { port, data: None, threads: Some(1), host: None };
    let refused = Server::bind(&options(Some(taken))).err().unwrap().to_string();
    assert!(refused.contains(&format!("port {taken}")), "{refused}");
    let [one, other] = [Server::bind(&options(None)).unwrap(), Server::bind(&options(None)).unwrap()];
    assert!(one.address().port() >= scuro_server::PORT && other.address().port() != one.address().port());
    server.end();
}
