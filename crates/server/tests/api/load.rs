//! Many games at once. `SCURO_LOAD_MOVES=40 cargo test -p scuro-server --test api load -- --nocapture` plays longer.

use std::time::{Duration, Instant};

use scuro_core::Random;
use serde_json::{Value, json};

use crate::support::{Folder, Running};

#[test]
fn two_hundred_games_at_once_without_an_error() {
    const GAMES: u64 = 200;
    let moves = std::env::var("SCURO_LOAD_MOVES").ok().and_then(|text| text.parse().ok()).unwrap_or(8);
    let folder = Folder::new();
    let server = Running::start(Some(&folder));
    let begun = Instant::now();
    let mut times: Vec<Duration> = std::thread::scope(|scope| {
        let players: Vec<_> = (0..GAMES)
            .map(|seed| {
                let server = &server;
                let play = move || {
                    let mut client = server.client();
                    let mut random = Random::new(seed);
                    let mut seat = client.make(&json!({ "opponent": "random", "seed": seed }));
                    let mut times = Vec::new();
                    let mut events = seat.listen(server.address);
                    for _ in 0..moves {
                        // As the page does: it is told when it is its turn.
                        while seat.moves().is_empty() && !seat.finished() {
                            let state: Value = serde_json::from_str(&events.next()).unwrap();
                            // What came before her own move is past.
                            if state["ply"].as_u64() >= seat.state["ply"].as_u64() {
                                seat.state = state;
                            }
                        }
                        let Some(word) = random.pick(&seat.moves()).cloned() else { break };
                        let asked = Instant::now();
                        seat.play(&mut client, &word);
                        times.push(asked.elapsed());
                    }
                    times
                };
                std::thread::Builder::new().stack_size(256 << 10).spawn_scoped(scope, play).unwrap()
            })
            .collect();
        players.into_iter().flat_map(|player| player.join().unwrap()).collect()
    });
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    println!(
        "{GAMES} games, {} moves in {:?}: acknowledged after {:?} (half), {:?} (90 %), {:?} (99 %), {:?} (all)",
        times.len(),
        begun.elapsed(),
        at(50),
        at(90),
        at(99),
        at(100)
    );
    server.end();
}
