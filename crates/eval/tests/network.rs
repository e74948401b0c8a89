//! The fast inference against the slow one, and network files whole and broken.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod positions;

use std::sync::Arc;

use positions::{each_random_position, random_network};
use scuro_core::Random;
use scuro_eval::accumulator::{Accumulators, refreshed};
use scuro_eval::features::{BUCKETS, FEATURES, bucket, feature, mirrored};
use scuro_eval::quiescence::{Opinion, Reach};
use scuro_eval::simd::Simd;
use scuro_eval::{Evaluator, Floats, Network, NetworkError, Quiescence};
use scuro_games::chess::{Board, Color, MoveRules, Piece};

/// Every position of random games, kings taken included: sums kept from move to move, with and without AVX2,
/// asked for at every position or only now and then, equal sums made from nothing.
#[test]
fn sums_kept_along_a_game_equal_sums_made_anew() {
    let network = Arc::new(random_network(64, 1));
    let (fast, plain) = (Simd::detect(), Simd::portable());
    let mut random = Random::new(8);
    let (mut seen, mut mirrors, mut kingless) = (0, 0, 0);
    let mut signature = 0u64;
    while seen < 50_000 {
        let mut sums =
            [Accumulators::new(Arc::clone(&network), fast), Accumulators::new(Arc::clone(&network), plain)];
        sums.iter_mut().for_each(|sums| sums.begin(&Board::start()));
        let mut line = vec![Board::start()];
        while line.len() < 40 {
            let board = line[line.len() - 1];
            let expected = refreshed(&network, plain, &board);
            assert_eq!(sums[0].score(&line), expected, "{board}");
            if random.below(3) == 0 {
                assert_eq!(sums[1].score(&line), expected, "{board}");
            }
            assert_eq!(refreshed(&network, fast, &board), expected, "{board}");
            signature = signature.rotate_left(7) ^ expected as u64;
            seen += 1;
            let moves = MoveRules::PseudoLegal.moves(&board);
            if Color::ALL.into_iter().any(|color| board.king(color).is_none()) {
                kingless += 1;
                break;
            }
            let Some(&m) = random.pick(&moves) else { break };
            sums.iter_mut().for_each(|sums| sums.moved(&line, m));
            let after = board.play(m);
            mirrors +=
                usize::from(Color::ALL.into_iter().any(|c| mirrored(&board, c) != mirrored(&after, c)));
            line.push(after);
        }
    }
    assert!(mirrors > 500 && kingless > 50, "{mirrors} {kingless}");
    assert_eq!(
        signature, 0x6a46_523b_4508_d307,
        "the network gives other numbers on this machine: {signature:#x}"
    );
}

/// Children in one batch, static: as if each were asked for on its own.
#[test]
fn children_equal_positions_asked_on_their_own() {
    let network = Arc::new(random_network(32, 2));
    let mut search = Quiescence::of_network(Arc::clone(&network));
    let mut count = 0;
    each_random_position(3, 2_000, |board| {
        let moves = MoveRules::PseudoLegal.moves(board);
        let mut scores = Vec::new();
        search.static_scores(board, &moves, &mut scores);
        for (&m, &score) in moves.iter().zip(&scores) {
            let after = board.play(m);
            if after.king(after.side()).is_some() {
                assert_eq!(score, -refreshed(&network, Simd::portable(), &after), "{board} {m}");
                count += 1;
            }
        }
    });
    assert!(count > 40_000, "{count}");
}

/// Floats, summed in the plainest way, are near the integers made from them.
#[test]
fn integers_are_near_the_floats_they_were_made_from() {
    let mut random = Random::new(4);
    let hidden = 32;
    let mut floats = |count: usize, most: f64| -> Vec<f32> {
        (0..count).map(|_| ((2.0 * random.unit() - 1.0) * most) as f32).collect()
    };
    let (columns, biases) = (floats(FEATURES * hidden, 0.3), floats(hidden, 0.3));
    let (weights, output_biases) = (floats(BUCKETS * 2 * hidden, 0.5), floats(BUCKETS, 0.5));
    let given = Floats {
        feature_weights: &columns,
        feature_biases: &biases,
        output_weights: &weights,
        output_biases: &output_biases,
        scale: 1.25,
    };
    let network = Arc::new(Network::from_floats(&given, "random").unwrap());
    let mut search = Quiescence::of_network(network);
    let (mut worst, mut sum) = (0.0f64, 0.0);
    each_random_position(5, 2_000, |board| {
        let mut z = f64::from(output_biases[bucket(board)]);
        for (half, side) in [board.side(), !board.side()].into_iter().enumerate() {
            for unit in 0..hidden {
                let mut sum = f64::from(biases[unit]);
                for color in Color::ALL {
                    for piece in Piece::ALL {
                        for square in board.men(color, piece) {
                            let input = feature(side, mirrored(board, side), color, piece, square);
                            sum += f64::from(columns[input * hidden + unit]);
                        }
                    }
                }
                let active = sum.clamp(0.0, 1.0).powi(2);
                z += active * f64::from(weights[(bucket(board) * 2 + half) * hidden + unit]);
            }
        }
        let value = f64::from(search.static_value(board).unwrap());
        let difference = (value - (1.25 * z).tanh()).abs();
        (worst, sum) = (worst.max(difference), sum + difference);
    });
    assert!(worst < 0.1 && sum / 2_000.0 < 0.02, "{worst} {}", sum / 2_000.0);
}

#[test]
fn the_embedded_network_is_whole() {
    let network = Network::embedded();
    assert_eq!(Network::read(&network.write()).as_ref(), Ok(&*network));
}

#[test]
fn the_network_that_counts_men_counts_exactly() {
    let mut search = Quiescence::of_network(Arc::new(Network::material(32).unwrap()));
    for (fen, pawns) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0.0),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 1.0),
        ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", -1.0),
        ("3qk3/8/8/8/8/8/4P3/RN2K3 b - - 0 1", 0.0),
        ("4k3/8/8/8/8/8/QQ6/4K3 w - - 0 1", 18.0),
    ] {
        let value = search.static_value(&fen.parse().unwrap()).unwrap();
        assert!((f64::from(value) - (pawns / 6.0f64).tanh()).abs() < 2e-4, "{fen}: {value}");
    }
}

#[test]
fn broken_files_say_what_was_found_and_what_was_expected() {
    let network = random_network(32, 6);
    let whole = network.write();
    assert_eq!(Network::read(&whole), Ok(network));
    let with = |place: usize, bytes: &[u8]| {
        let mut changed = whole.clone();
        changed[place..place + bytes.len()].copy_from_slice(bytes);
        Network::read(&changed).unwrap_err().to_string()
    };
    for (said, words) in [
        (Network::read(b"").unwrap_err().to_string(), "expected it to begin with 'SCURONET', found ''"),
        (Network::read(b"\x20\x2f\xf3\x7a....").unwrap_err().to_string(), "not a network of Scuro"),
        (Network::read(&whole[..11]).unwrap_err().to_string(), "11 bytes, expected"),
        (Network::read(&whole[..whole.len() - 1]).unwrap_err().to_string(), "bytes, expected"),
        (with(8, &[2, 0, 0, 0]), "network of format 2: this program reads format 1"),
        (with(12, &[33, 0, 0, 0]), "33 hidden units, expected a multiple of 32 up to 1024"),
        (with(12, &[64, 0, 0, 0]), "bytes, expected"),
        (with(20, &[0, 0, 1, 0]), "longer than 4096"),
        (with(3000, &[1, 2, 3, 4]), "damaged network: its hash is"),
    ] {
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn floats_that_are_no_network_are_refused() {
    let hidden = 32;
    let (columns, biases) = (vec![0.0; FEATURES * hidden], vec![0.0; hidden]);
    let (weights, outputs) = (vec![0.0; BUCKETS * 2 * hidden], vec![0.0; BUCKETS]);
    let good = Floats {
        feature_weights: &columns,
        feature_biases: &biases,
        output_weights: &weights,
        output_biases: &outputs,
        scale: 1.0,
    };
    assert!(Network::from_floats(&good, "").is_ok());
    let (full, nan) = (vec![3.0; FEATURES * hidden], vec![f32::NAN; hidden]);
    for (floats, words) in [
        (Floats { feature_weights: &columns[1..], ..good }, "input weights, expected 24576"),
        (Floats { feature_biases: &biases[1..], ..good }, "31 hidden units"),
        (Floats { feature_biases: &nan, ..good }, "input biases that are not finite"),
        (Floats { feature_weights: &full, ..good }, "hidden unit 0 can reach 48960"),
        (Floats { scale: 0.0, ..good }, "the scale 0,"),
        (Floats { scale: f32::NAN, ..good }, "the scale NaN,"),
    ] {
        let said = Network::from_floats(&floats, "").unwrap_err().to_string();
        assert!(said.contains(words), "{said}");
    }
    assert_eq!(Network::material(16).unwrap_err(), NetworkError::Hidden(16));
}

/// Whatever the reach, a decided position is decided.
#[test]
fn all_scores_are_in_range() {
    let mut search = Quiescence::new(
        Accumulators::new(Arc::new(random_network(32, 9)), Simd::detect()),
        Reach { evasions: 2, checks: 2, exchanges: 1, recaptures: 3, margin: 0 },
    );
    each_random_position(10, 2_000, |board| {
        let value = search.value(board).unwrap();
        assert!((-1.0..=1.0).contains(&value), "{board}");
    });
}
