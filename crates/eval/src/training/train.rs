//! Training: batches of quiet positions in a shuffled order, a rate that falls along a cosine, and a state that can be
//! kept in a file and taken up again.

use std::f64::consts::PI;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use scuro_core::Random;
use scuro_games::picture::chart::{Axis, Chart};
use thiserror::Error;

use super::model::{Adam, LANES, Model, Sample, Sums};
use super::records::{Shard, save_whole, shard_files};
use super::{TrainingError, Watch, mix};
use crate::features::BUCKETS;

/// Every game whose number leaves this rest is kept for validation.
const VALIDATION: u32 = 64;
/// No more validation samples than this.
const MOST_VALIDATION: usize = 200_000;
/// A value nearer to even than this is level.
const LEVEL: f32 = 0.3;
/// Steps in which the rate grows to its full size.
const WARM_UP: u64 = 200;

/// How to train.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Hidden units of one side.
    pub hidden: usize,
    /// Samples to learn from in all.
    pub positions: u64,
    /// Samples a step.
    pub batch: usize,
    /// The highest rate.
    pub rate: f64,
    /// How much more level positions weigh.
    pub level: f32,
    /// What makes this training different from others.
    pub seed: u64,
    /// How many threads share a batch.
    pub threads: usize,
}

impl Settings {
    /// Steps in all.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.positions.div_ceil(self.batch as u64)
    }

    fn rate_at(&self, step: u64) -> f32 {
        let along = step as f64 / self.steps().max(1) as f64;
        let warm = ((step + 1) as f64 / WARM_UP as f64).min(1.0);
        (self.rate * warm * (0.01 + 0.99 * 0.5 * (1.0 + (PI * along).cos()))) as f32
    }

    /// What must be the same for a state to be taken up again.
    fn fingerprint(&self, samples: usize) -> u64 {
        let Settings { hidden, positions, batch, rate, level, seed, threads } = *self;
        let numbers = [
            hidden as u64,
            positions,
            batch as u64,
            rate.to_bits(),
            u64::from(level.to_bits()),
            seed,
            threads as u64,
            samples as u64,
        ];
        numbers.into_iter().fold(0, mix)
    }
}

/// What to learn from, and what to be measured on: other games.
#[derive(Debug, Default)]
pub struct Samples {
    /// To learn from.
    pub training: Vec<Sample>,
    /// To be measured on.
    pub validation: Vec<Sample>,
}

/// The centipawns that are worth `tanh(1)` by a teacher that looks this deep, in a bucket of men left. A shallow
/// search is too careful, most of all with few men: these were fitted against 190,000 labels of depth 8.
#[must_use]
pub fn teacher_scale(depth: u8, bucket: usize) -> f64 {
    const SHALLOW: [f64; BUCKETS] = [460.0, 440.0, 520.0, 540.0, 560.0, 560.0, 560.0, 540.0];
    if depth < 8 { SHALLOW[bucket] } else { 600.0 }
}

impl Samples {
    /// Reads the quiet records of these folders.
    ///
    /// # Errors
    /// If a file cannot be read or is damaged, or there is none.
    pub fn load(folders: &[PathBuf]) -> Result<Samples, TrainingError> {
        let mut samples = Samples::default();
        for folder in folders {
            for file in shard_files(folder)? {
                samples.add(&Shard::load(&file)?);
            }
        }
        if samples.training.is_empty() {
            return Err(TrainingError::Nothing(folders.first().cloned().unwrap_or_default()));
        }
        // Spread over all games, not the first ones.
        let step = samples.validation.len().div_ceil(MOST_VALIDATION).max(1);
        samples.validation = samples.validation.iter().copied().step_by(step).collect();
        Ok(samples)
    }

    /// Adds the quiet records of a shard.
    pub fn add(&mut self, shard: &Shard) {
        for record in shard.records.iter().filter(|record| record.quiet()) {
            let scale = teacher_scale(shard.depth, record.bucket());
            let sample = Sample { record: *record, target: record.score().value(scale) as f32 };
            if record.game() % VALIDATION == 0 { &mut self.validation } else { &mut self.training }
                .push(sample);
        }
    }
}

/// How far the training had come, and how good it was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Samples learned from.
    pub positions: u64,
    /// Mean error on them since the point before.
    pub training: f64,
    /// Mean error on games not learned from.
    pub validation: f64,
    /// The same where the value is level.
    pub level: f64,
}

/// A training under way.
#[derive(Clone, Debug, PartialEq)]
pub struct Training {
    /// The network.
    pub model: Model,
    /// How good it was, from time to time.
    pub curve: Vec<Point>,
    adam: Adam,
    settings: Settings,
    fingerprint: u64,
    since: Sums,
}

impl Training {
    /// A new training, perhaps of a network that has learned before.
    #[must_use]
    pub fn new(settings: &Settings, from: Option<Model>, samples: &Samples) -> Training {
        let model = from.unwrap_or_else(|| Model::new(settings.hidden, settings.seed));
        Training {
            adam: Adam::new(model.parameters.len()),
            model,
            curve: Vec::new(),
            settings: settings.clone(),
            fingerprint: settings.fingerprint(samples.training.len()),
            since: Sums::default(),
        }
    }

    /// Samples learned from so far.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.adam.steps * self.settings.batch as u64
    }

    /// Whether there is nothing left to do.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.adam.steps >= self.settings.steps()
    }

    /// Learns until the end, or until told to stop; calls `pause` after every `every` steps and at the end.
    ///
    /// # Errors
    /// If `pause` fails.
    pub fn run<E>(
        &mut self,
        samples: &Samples,
        every: u64,
        watch: &Watch<'_>,
        mut pause: impl FnMut(&Training) -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut pass, mut order) = (u64::MAX, Vec::new());
        let mut gradients = vec![vec![0.0; self.model.parameters.len()]; self.settings.threads.max(1)];
        let batch = self.settings.batch.min(samples.training.len());
        let steps_a_pass = (samples.training.len() / batch) as u64;
        while !self.finished() && !(watch.stop)() {
            if self.adam.steps / steps_a_pass != pass {
                pass = self.adam.steps / steps_a_pass;
                order = shuffled(samples.training.len(), mix(self.settings.seed, pass));
            }
            let from = (self.adam.steps % steps_a_pass) as usize * batch;
            self.step(samples, &order[from..from + batch], &mut gradients);
            (watch.done)(self.settings.batch as u64);
            if self.adam.steps.is_multiple_of(every) || self.finished() {
                self.measure(samples);
                pause(self)?;
            }
        }
        Ok(())
    }

    fn step(&mut self, samples: &Samples, batch: &[u32], gradients: &mut [Vec<f32>]) {
        let part = batch.len().div_ceil(gradients.len());
        let (model, level) = (&self.model, self.settings.level);
        let learn = |gradient: &mut Vec<f32>, part: &[u32]| {
            let samples = part.iter().map(|&i| &samples.training[i as usize]);
            model.gradient(samples, level, gradient)
        };
        let sums = thread::scope(|scope| {
            let parts = gradients.iter_mut().zip(batch.chunks(part));
            let threads: Vec<_> =
                parts.map(|(gradient, part)| scope.spawn(move || learn(gradient, part))).collect();
            // A thread panics only if there is a mistake in it; its part then counts as nothing.
            let sums = threads.into_iter().map(|thread| thread.join().unwrap_or_default());
            sums.fold(Sums::default(), Sums::and)
        });
        self.since = self.since.and(sums);
        let rate = self.settings.rate_at(self.adam.steps);
        self.adam.step(&mut self.model, gradients, batch.len(), rate);
    }

    fn measure(&mut self, samples: &Samples) {
        let level: Vec<Sample> =
            samples.validation.iter().filter(|sample| sample.target.abs() < LEVEL).copied().collect();
        self.curve.push(Point {
            positions: self.positions(),
            training: self.since.mean_error(),
            validation: self.model.measure(&samples.validation).mean_error(),
            level: self.model.measure(&level).mean_error(),
        });
        self.since = Sums::default();
    }
}

/// The numbers below `count` in an order given by the seed.
fn shuffled(count: usize, seed: u64) -> Vec<u32> {
    let mut random = Random::new(seed);
    let mut order: Vec<u32> = (0..count as u32).collect();
    for i in (1..count).rev() {
        order.swap(i, random.below(i + 1));
    }
    order
}

/// What is wrong with the state of a training.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum StateError {
    /// Not such a file, or damaged.
    #[error("not the state of a training, or damaged")]
    Damaged,
    /// Written by a newer program.
    #[error("state of a training, of format {}: this program reads up to 1", char::from(*.0))]
    Newer(u8),
    /// Begun otherwise.
    #[error("begun with other settings or other data; remove it to begin anew")]
    Other,
}

/// The last of its letters is the number of the format.
const MAGIC: &[u8; 16] = b"scuro training1\n";

/// Why bytes are not the state of a training that could be read.
fn unreadable(bytes: &[u8]) -> StateError {
    match bytes.strip_prefix(&MAGIC[..14]) {
        Some([format, b'\n', ..]) if format.is_ascii_digit() && *format > MAGIC[14] => {
            StateError::Newer(*format)
        }
        _ => StateError::Damaged,
    }
}

/// Reads numbers off bytes.
struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn word(&mut self) -> Option<u64> {
        let (word, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*word))
    }

    fn floats(&mut self, count: usize) -> Option<Vec<f32>> {
        let (floats, rest) = self.0.split_at_checked(count.checked_mul(4)?)?;
        self.0 = rest;
        Some(floats.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }

    fn double(&mut self) -> Option<f64> {
        self.word().map(f64::from_bits)
    }
}

impl Training {
    /// The state as bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let words = [
            self.fingerprint,
            self.model.hidden() as u64,
            self.adam.steps,
            self.since.error.to_bits(),
            self.since.loss.to_bits(),
            self.since.count,
            self.curve.len() as u64,
        ];
        bytes.extend(words.into_iter().flat_map(u64::to_le_bytes));
        for point in &self.curve {
            bytes.extend(point.positions.to_le_bytes());
            let errors = [point.training, point.validation, point.level];
            bytes.extend(errors.into_iter().flat_map(f64::to_le_bytes));
        }
        for floats in [&self.model.parameters, &self.adam.mean, &self.adam.square] {
            bytes.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
        }
        bytes
    }

    /// Writes the state to a file as a whole.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, file: &Path) -> io::Result<()> {
        save_whole(file, &self.bytes())
    }

    /// Takes up a training whose state is in `bytes`.
    ///
    /// # Errors
    /// If they are damaged, or the training was begun otherwise.
    pub fn resume(bytes: &[u8], settings: &Settings, samples: &Samples) -> Result<Training, StateError> {
        let (fingerprint, mut training) = Training::read(bytes, settings).ok_or_else(|| unreadable(bytes))?;
        training.fingerprint = settings.fingerprint(samples.training.len());
        if fingerprint == training.fingerprint { Ok(training) } else { Err(StateError::Other) }
    }

    fn read(bytes: &[u8], settings: &Settings) -> Option<(u64, Training)> {
        let mut reader = Reader(bytes.strip_prefix(MAGIC)?);
        let (fingerprint, hidden) = (reader.word()?, reader.word()? as usize);
        if hidden == 0 || !hidden.is_multiple_of(LANES) || hidden > 4096 {
            return None;
        }
        let steps = reader.word()?;
        let since = Sums { error: reader.double()?, loss: reader.double()?, count: reader.word()? };
        let mut curve = Vec::new();
        for _ in 0..reader.word()? {
            curve.push(Point {
                positions: reader.word()?,
                training: reader.double()?,
                validation: reader.double()?,
                level: reader.double()?,
            });
        }
        let size = Model::size(hidden);
        let model = Model::with(hidden, reader.floats(size)?)?;
        let adam = Adam { mean: reader.floats(size)?, square: reader.floats(size)?, steps };
        let settings = settings.clone();
        reader
            .0
            .is_empty()
            .then_some((fingerprint, Training { model, curve, adam, settings, fingerprint, since }))
    }
}

/// The network in the state of any training, to learn on from.
///
/// # Errors
/// If the file cannot be read or is damaged.
pub fn model_of(file: &Path) -> Result<Model, TrainingError> {
    let bytes = fs::read(file).map_err(|error| TrainingError::File(file.to_owned(), error))?;
    let any = Settings { hidden: LANES, positions: 1, batch: 1, rate: 0.0, level: 0.0, seed: 0, threads: 1 };
    let read = Training::read(&bytes, &any).map(|(_, training)| training.model);
    read.ok_or_else(|| TrainingError::State(file.to_owned(), unreadable(&bytes)))
}

/// The curve of a training as a picture.
#[must_use]
pub fn chart(title: &str, curve: &[Point]) -> Chart {
    let most = curve.last().map_or(1.0, |point| point.positions as f64 / 1e6);
    let line = |name: &str, of: fn(&Point) -> f64| {
        let points = curve.iter().map(|point| (point.positions as f64 / 1e6, of(point)));
        (name.to_owned(), points.collect::<Vec<_>>())
    };
    let lines = vec![
        line("training", |point| point.training),
        line("other games", |point| point.validation),
        line("other games, level", |point| point.level),
    ];
    // The first points are far above all others.
    let highest = curve.iter().skip(2).flat_map(|point| [point.training, point.validation, point.level]);
    let lowest = highest.clone().fold(1.0, f64::min);
    let low = (lowest * 100.0).floor() / 100.0;
    let high = ((highest.fold(low + 0.01, f64::max) * 100.0).ceil() / 100.0).max(low + 0.01);
    Chart {
        title: title.to_owned(),
        across: plain("million positions", 0.0, most, 0),
        up: plain("mean error", low, high, 3),
        lines: lines.into_iter().map(|(name, points)| (name, within(points, high))).collect(),
        bound: None,
    }
}

fn within(points: Vec<(f64, f64)>, high: f64) -> Vec<(f64, f64)> {
    points.into_iter().filter(|&(_, error)| error <= high).collect()
}

/// An axis counted plainly, with a number at every fifth of it.
fn plain(label: &str, low: f64, high: f64, digits: usize) -> Axis {
    let tick = |i: i32| low + (high - low) * f64::from(i) / 5.0;
    let digits = if digits == 0 && high < 20.0 { 1 } else { digits };
    Axis {
        label: label.to_owned(),
        logarithmic: false,
        low,
        high,
        ticks: (0..=5).map(|i| (tick(i), format!("{:.digits$}", tick(i)))).collect(),
    }
}
