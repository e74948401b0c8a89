//! throwaway
use scuro_agents::contestant::*;
use scuro_agents::greedy::Greedy;
use scuro_agents::name::Eval;
use scuro_agents::zs21::Zs21;
use scuro_games::chess::*;
use scuro_games::fog::FogOfWar;
use scuro_games::umpire::Umpire;
use scuro_search::agent::Budget;
use std::time::{Duration, Instant};
enum P {
    Z(Box<Zs21>),
    G(Greedy),
    R(RandomMover),
    O(Box<Thinker>),
    B(Box<scuro_agents::baseline::Baseline>),
}
impl P {
    fn c(&mut self) -> &mut dyn Contestant {
        match self {
            P::Z(z) => &mut **z,
            P::G(g) => g,
            P::R(r) => r,
            P::O(o) => &mut **o,
            P::B(b) => &mut **b,
        }
    }
}
fn make(n: &str, start: Board, c: Color, seed: u64) -> P {
    match n {
        "zs21" => P::Z(Box::new(Zs21::new(start, c, &Eval::Net, seed).unwrap())),
        "greedy" => P::G(Greedy::new(start, c, seed)),
        "random" => P::R(RandomMover::new(seed)),
        "baseline" => {
            P::B(Box::new(scuro_agents::baseline::Baseline::new(start, c, &Eval::Net, seed).unwrap()))
        }
        _ => {
            let name = scuro_agents::name::parse(n).unwrap();
            P::O(Box::new(Thinker::new(
                scuro_agents::player::FogPlayer::new(start, c, &name, Some(1)).unwrap(),
                seed,
            )))
        }
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: u64 = a[3].parse().unwrap();
    let ms: u64 = a[4].parse().unwrap();
    let verbose = a.get(5).is_some();
    let base: u64 = a.get(6).map_or(0, |s| s.parse().unwrap());
    let (mut w, mut d, mut l) = (0, 0, 0);
    let mut rounds = vec![];
    let mut late = 0;
    let mut sol = vec![];
    let mut nodes = vec![];
    let mut reasons = std::collections::BTreeMap::new();
    let mut resolve = 0;
    let mut maxms = 0u128;
    let mut bl = vec![];
    for g in 0..n {
        let start = Board::start();
        let mut u = Umpire::new(FogOfWar { start });
        let a_white = g % 2 == 0;
        let s = base + g / 2 * 2 + 1000;
        let (na, nb) = if a_white { (&a[1], &a[2]) } else { (&a[2], &a[1]) };
        let mut p = [make(na, start, Color::White, s), make(nb, start, Color::Black, s + 1)];
        let mut plies = 0;
        let mut line = String::new();
        while u.outcome().is_none() && plies < 400 {
            let side = u.state().board().side() as usize;
            let t = Instant::now();
            let [p0, p1] = &mut p;
            let m = ply(&mut u, [p0.c(), p1.c()], Budget::Time(Duration::from_millis(ms))).unwrap();
            let el = t.elapsed().as_millis();
            plies += 1;
            line += &format!("{m} ");
            maxms = maxms.max(el);
            if el as u64 > ms + ms / 5 + 20 {
                late += 1;
            }
            if let P::Z(z) = &p[side] {
                if let Some(r) = z.report() {
                    rounds.push(r.rounds);
                    sol.push(r.solving.as_micros() as f64 / 1000.0);
                    nodes.push(r.nodes);
                    bl.push(z.watch().belief().positions().len());
                    if format!("{:?}", r.entry) == "Resolve" {
                        resolve += 1
                    }
                    if verbose {
                        println!(
                            "{plies} {m} belief {} rounds {} nodes {} roots {} carried {} entry {:?} value {:.3} solving {:?} total {el} {:?}",
                            z.watch().belief().positions().len(),
                            r.rounds,
                            r.nodes,
                            r.roots,
                            r.carried,
                            r.entry,
                            r.value,
                            r.solving,
                            {
                                let mut s: Vec<_> = r
                                    .strategy
                                    .iter()
                                    .filter(|x| x.1 > 0.0)
                                    .map(|x| format!("{} {:.2}", x.0, x.1))
                                    .collect();
                                s.truncate(6);
                                s
                            }
                        );
                    }
                }
            }
        }
        let o = u.outcome();
        let white = o.map_or(0.0, |o| o.payoff());
        let sc = if a_white { white } else { -white };
        if sc > 0.0 {
            w += 1
        } else if sc < 0.0 {
            l += 1
        } else {
            d += 1
        }
        *reasons.entry(o.map_or("limit".into(), |o| format!("{:?}", o.reason))).or_insert(0) += 1;
        if verbose {
            println!("game {g} {na} v {nb}: {o:?} {line}");
        }
        eprintln!("game {g}: {w}-{d}-{l} plies {plies}");
    }
    let med = |v: &mut Vec<f64>| {
        v.sort_by(f64::total_cmp);
        if v.is_empty() { 0.0 } else { v[v.len() / 2] }
    };
    println!(
        "{} v {} at {ms}: {w}-{d}-{l} score {:.1}% {reasons:?} late {late} max {maxms}ms",
        a[1],
        a[2],
        100.0 * (w as f64 + d as f64 / 2.0) / n as f64
    );
    let mut r: Vec<f64> = rounds.iter().map(|&x| x as f64).collect();
    let mut nn: Vec<f64> = nodes.iter().map(|&x| x as f64).collect();
    let mut b: Vec<f64> = bl.iter().map(|&x| x as f64).collect();
    println!(
        "zs21 turns {} rounds median {} mean {:.2} nodes median {} solving median {:.1}ms resolve {:.2} belief median {}",
        r.len(),
        med(&mut r),
        rounds.iter().sum::<usize>() as f64 / rounds.len().max(1) as f64,
        med(&mut nn),
        med(&mut sol),
        resolve as f64 / rounds.len().max(1) as f64,
        med(&mut b)
    );
}
