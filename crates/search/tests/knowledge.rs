//! The knowledge graph against a drawn example, a slow twin on random graphs, and what is known of Fog of War.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashMap;

use scuro_core::{Key, Player, Random};
use scuro_games::chess::Move;
use scuro_games::fog::FogOfWar;
use scuro_search::knowledge::{History, KnowledgeError, KnowledgeGraph};

/// A graph from the numbers of the infosets of both players.
fn graph(infosets: &[(u64, u64)]) -> KnowledgeGraph {
    let keys: Vec<[Key; 2]> =
        infosets.iter().map(|&(one, two)| [Key::START.apart(one), Key::START.apart(two)]).collect();
    KnowledgeGraph::new(&keys)
}

/// The example of the paper's figure 2: I am alone in my infoset at node 0, they cannot tell 0 from 1, I could
/// not tell 1 from 2, they not 2 from 3, and node 4 is known to all not to be.
#[test]
fn orders_one_two_three_on_the_drawn_example() {
    let graph = graph(&[(0, 0), (1, 0), (1, 1), (2, 1), (3, 2)]);
    let nodes: Vec<History> = graph.all().collect();
    let my_infoset = graph.infoset(Player::One, nodes[0]);
    assert_eq!(my_infoset, &nodes[..1]);
    assert!(graph.knowledge_set(my_infoset, 0).is_empty());
    assert_eq!(graph.knowledge_set(my_infoset, 1), &nodes[..1]);
    assert_eq!(graph.knowledge_set(my_infoset, 2), &nodes[..2]);
    assert_eq!(graph.knowledge_set(my_infoset, 3), &nodes[..3]);
    assert_eq!(graph.component(nodes[0]), &nodes[..4]);
    assert_eq!(graph.component_sizes(), [4, 1]);
    let distances: Vec<Option<u32>> = nodes.iter().map(|&node| graph.distance(nodes[0], node)).collect();
    assert_eq!(distances, [Some(0), Some(1), Some(2), Some(3), None]);
    assert_eq!(graph.diameter(|_, _| ()).unwrap().distance, 3);
}

/// All distances by the definition: adjacent when one infoset is shared, then the shortest of all detours.
fn slow_distances(infosets: &[(u64, u64)]) -> Vec<Vec<Option<u32>>> {
    let n = infosets.len();
    let adjacent = |a: usize, b: usize| infosets[a].0 == infosets[b].0 || infosets[a].1 == infosets[b].1;
    let mut distance: Vec<Vec<Option<u32>>> = (0..n)
        .map(|a| (0..n).map(|b| if a == b { Some(0) } else { adjacent(a, b).then_some(1) }).collect())
        .collect();
    for via in 0..n {
        for a in 0..n {
            for b in 0..n {
                if let (Some(x), Some(y)) = (distance[a][via], distance[via][b]) {
                    distance[a][b] = Some(distance[a][b].map_or(x + y, |direct| direct.min(x + y)));
                }
            }
        }
    }
    distance
}

#[test]
fn random_graphs_equal_the_slow_twin() {
    let mut random = Random::new(4);
    for case in 0..300 {
        let count = 1 + random.below(40);
        let kinds = 1 + random.below(60);
        let infosets: Vec<(u64, u64)> =
            (0..count).map(|_| (random.below(kinds) as u64, random.below(kinds) as u64)).collect();
        let (graph, slow) = (graph(&infosets), slow_distances(&infosets));
        for a in graph.all() {
            for b in graph.all() {
                assert_eq!(graph.distance(a, b), slow[a.index()][b.index()], "case {case}");
            }
            for order in 1..5 {
                let mut set = graph.knowledge_set(&[a], order);
                set.sort_unstable();
                let expected: Vec<History> =
                    graph.all().filter(|b| slow[a.index()][b.index()].is_some_and(|d| d < order)).collect();
                assert_eq!(set, expected, "case {case}, order {order}");
            }
        }
        let diameter = graph.diameter(|_, _| ()).unwrap();
        assert_eq!(Some(diameter.distance), slow.iter().flatten().flatten().copied().max(), "case {case}");
        assert_eq!(graph.distance(diameter.pair.0, diameter.pair.1), Some(diameter.distance));
    }
    assert_eq!(KnowledgeGraph::new(&[]).diameter(|_, _| ()), None);
}

/// Histories, infosets of both, components, diameter after 1 to 4 plies, and the pair of the paper.
#[test]
fn fog_of_war_from_the_start() {
    let game = FogOfWar::default();
    for (plies, histories, white, black, components, diameter) in [
        (1, 20, 20, 1, 1, 1),
        (2, 400, 62, 62, 23, 4),
        (3, 8902, 2306, 527, 245, 7),
        (4, 197_742, 20_961, 18_836, 4177, 10),
    ] {
        let mut numbers: HashMap<Vec<Move>, History> = HashMap::new();
        let graph = KnowledgeGraph::of_game(&game, plies, 200_000, |history, moves| {
            numbers.insert(moves.to_vec(), history);
        })
        .unwrap();
        assert_eq!(graph.histories(), histories);
        assert_eq!([Player::One, Player::Two].map(|player| graph.infosets(player)), [white, black]);
        assert_eq!(graph.component_sizes().len(), components);
        assert_eq!(graph.diameter(|_, _| ()).unwrap().distance, diameter);
        if plies == 4 {
            let find =
                |moves: &str| numbers[&moves.split(' ').map(|m| m.parse().unwrap()).collect::<Vec<Move>>()];
            let (a, b) = (find("b1c3 g7g5 g1h3 d7d5"), find("g1f3 e7e5 h2h3 d8h4"));
            assert_eq!(graph.distance(a, b), Some(9));
            assert_eq!(graph.distance(b, a), Some(9));
            assert_eq!(graph.component_sizes()[0], 149_486);
        }
    }
}

#[test]
fn too_many_histories_are_refused() {
    let error = KnowledgeGraph::of_game(&FogOfWar::default(), 3, 8901, |_, _| ()).unwrap_err();
    assert_eq!(error, KnowledgeError::TooMany { limit: 8901, plies: 3 });
    assert_eq!(error.to_string(), "more than 8901 histories of 3 plies");
}
