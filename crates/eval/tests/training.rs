//! The pipeline that makes networks: records, quiet positions, gradients, and a training that can be interrupted.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;
use scuro_core::Random;
use scuro_eval::features;
use scuro_eval::training::Watch;
use scuro_eval::training::model::{Model, Sample};
use scuro_eval::training::quiet::quiet;
use scuro_eval::training::records::{Record, RecordsError, Score, Shard};
use scuro_eval::training::train::{Samples, Settings, StateError, Training};
use scuro_games::chess::Board;

/// A position some random plies from the start.
fn board(seed: u64, plies: usize) -> Board {
    let (mut random, mut board) = (Random::new(seed), Board::start());
    for _ in 0..plies {
        let mut moves = Vec::new();
        board.pseudo_legal(&mut moves);
        let next = random.pick(&moves).map(|&m| board.play(m));
        match next.filter(|next| next.king(next.side()).is_some()) {
            Some(next) => board = next,
            None => break,
        }
    }
    board
}

proptest! {
    #[test]
    fn records_round_trip(seed: u64, plies in 0usize..120, cp in -30_000i32..=30_000, mate: bool, gives: bool, quiet: bool, game: u32) {
        let board = board(seed, plies);
        let score = if mate { Score::Mate(gives) } else { Score::Centipawns(cp) };
        let record = Record::new(&board, score, quiet, game).unwrap();
        prop_assert_eq!(record.fen().parse(), Ok(board.without_counters()));
        prop_assert_eq!((record.score(), record.quiet(), record.game()), (score, quiet, game));
        let shard = Shard { depth: 3, records: vec![record; 3] };
        prop_assert_eq!(Shard::parse(&shard.bytes()), Ok(shard));
    }

    #[test]
    fn a_record_has_the_inputs_of_its_board(seed: u64, plies in 0usize..120) {
        let board = board(seed, plies);
        let record = Record::new(&board, Score::Centipawns(0), true, 0).unwrap();
        let (inputs, count) = record.inputs();
        for (side, inputs) in [board.side(), !board.side()].into_iter().zip(inputs) {
            let mirrored = features::mirrored(&board, side);
            let expected: Vec<u16> = board
                .occupied()
                .into_iter()
                .map(|square| {
                    let (color, piece) = board.man_on(square).unwrap();
                    features::feature(side, mirrored, color, piece, square) as u16
                })
                .collect();
            prop_assert_eq!(&inputs[..count], &expected[..]);
        }
        prop_assert_eq!(record.bucket(), features::bucket(&board));
    }
}

#[test]
fn damaged_records_are_refused() {
    let record = Record::new(&Board::start(), Score::Centipawns(12), true, 7).unwrap();
    let whole = Shard { depth: 1, records: vec![record; 2] }.bytes();
    assert_eq!(Shard::parse(b"PGN"), Err(RecordsError::Foreign));
    assert_eq!(Shard::parse(&[b'x'; 200]), Err(RecordsError::Foreign));
    let mut newer = whole.clone();
    newer[13] = b'2';
    let error = Shard::parse(&newer).unwrap_err();
    assert_eq!(error.to_string(), "records of format 2: this program reads up to 1");
    assert_eq!(Shard::parse(&whole[..whole.len() - 5]), Err(RecordsError::Size { expected: 2, found: 59 }));
    for at in 32..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x40;
        assert!(matches!(Shard::parse(&bytes), Err(RecordsError::Sum { .. })), "byte {at}");
    }
}

#[test]
fn quiet_positions_have_nothing_to_win() {
    for (name, fen, expected) in [
        ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true),
        ("a free pawn", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", false),
        ("a protected pawn, taken by a pawn", "4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", true),
        ("a protected pawn, taken by a rook", "4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", true),
        ("a protected knight, taken by a pawn", "4k3/8/2p5/3n4/4P3/8/8/4K3 w - - 0 1", false),
        ("in check", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", false),
        ("a new queen", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", false),
        ("a new queen that is taken", "1r2k3/P7/8/8/8/8/8/4K3 b - - 0 1", true),
        ("en passant", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", false),
        ("the king can be taken", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1", false),
    ] {
        assert_eq!(quiet(&fen.parse().unwrap()), expected, "{name}");
    }
}

/// Random positions, worth what a simple rule says.
fn samples(count: u64) -> Samples {
    let mut shard = Shard { depth: 8, records: Vec::new() };
    for seed in 0..count {
        let board = board(seed, 20 + (seed % 60) as usize);
        let score =
            Score::Centipawns(scuro_eval::training::quiet::material(&board, board.side()).clamp(-2000, 2000));
        shard.records.push(Record::new(&board, score, true, seed as u32).unwrap());
    }
    let mut samples = Samples::default();
    samples.add(&shard);
    samples
}

/// The slow twin of the gradient: the difference that a small change of one parameter makes.
#[test]
fn gradients_equal_finite_differences() {
    let samples: Vec<Sample> = samples(12).training;
    let level = 1.5;
    let loss = |model: &Model| {
        samples
            .iter()
            .map(|sample| {
                let error = f64::from(model.value(&sample.record) - sample.target).abs();
                let weight = f64::from(1.0 + level * (1.0 - sample.target.abs()).powi(2));
                weight * error.powf(1.5)
            })
            .sum::<f64>()
    };
    let mut model = Model::new(32, 5);
    let mut gradient = vec![0.0; model.parameters.len()];
    let sums = model.gradient(samples.iter(), level, &mut gradient);
    assert!((sums.loss - loss(&model)).abs() < 1e-3);
    let mut random = Random::new(9);
    let (mut checked, mut size) = (0, 0f64);
    let outputs = 769 * 32;
    while checked < 300 {
        let at = if checked % 2 == 0 {
            random.below(outputs)
        } else {
            outputs + random.below(gradient.len() - outputs)
        };
        if gradient[at].abs() < 1e-3 {
            continue;
        }
        let (was, change) = (model.parameters[at], 2e-3);
        model.parameters[at] = was + change;
        let above = loss(&model);
        model.parameters[at] = was - change;
        let below = loss(&model);
        model.parameters[at] = was;
        let expected = (above - below) / f64::from(2.0 * change);
        let error = (f64::from(gradient[at]) - expected).abs();
        assert!(error < 0.02 * expected.abs() + 2e-3, "parameter {at}: {} for {expected}", gradient[at]);
        size = size.max(expected.abs());
        checked += 1;
    }
    assert!(size > 0.05, "{size}");
}

fn settings(threads: usize) -> Settings {
    Settings { hidden: 32, positions: 64 * 250, batch: 64, rate: 5e-3, level: 0.5, seed: 3, threads }
}

fn unwatched(training: &mut Training, samples: &Samples, stop_at: u64) {
    let steps = AtomicU64::new(0);
    let watch = Watch {
        stop: &|| steps.load(Ordering::Relaxed) >= stop_at,
        done: &|_| {
            steps.fetch_add(1, Ordering::Relaxed);
        },
    };
    training.run(samples, 50, &watch, |_| Ok::<(), ()>(())).unwrap();
}

#[test]
fn training_lowers_the_error() {
    let samples = samples(2000);
    assert!(samples.validation.len() > 20 && samples.training.len() > 1900);
    let mut training = Training::new(&settings(2), None, &samples);
    let before = training.model.measure(&samples.validation).mean_error();
    unwatched(&mut training, &samples, u64::MAX);
    let after = training.model.measure(&samples.validation).mean_error();
    assert!(training.finished() && after < 0.75 * before, "{before} to {after}");
    assert_eq!(training.curve.len(), 5);
    assert!(training.model.network("").is_ok());
}

#[test]
fn an_interrupted_training_goes_on_as_if_it_had_not_been() {
    let samples = samples(700);
    for threads in [1, 2] {
        let settings = settings(threads);
        let mut whole = Training::new(&settings, None, &samples);
        unwatched(&mut whole, &samples, u64::MAX);
        let mut first = Training::new(&settings, None, &samples);
        unwatched(&mut first, &samples, 77);
        let mut second = Training::resume(&first.bytes(), &settings, &samples).unwrap();
        assert_eq!(second, first);
        unwatched(&mut second, &samples, u64::MAX);
        assert_eq!(second, whole);
    }
}

#[test]
fn a_foreign_state_is_refused() {
    let samples = samples(200);
    let training = Training::new(&settings(1), None, &samples);
    let bytes = training.bytes();
    let other = Settings { rate: 1e-3, ..settings(1) };
    assert_eq!(Training::resume(&bytes, &other, &samples), Err(StateError::Other));
    assert_eq!(Training::resume(&bytes[..bytes.len() - 1], &settings(1), &samples), Err(StateError::Damaged));
    assert_eq!(Training::resume(b"", &settings(1), &samples), Err(StateError::Damaged));
}
