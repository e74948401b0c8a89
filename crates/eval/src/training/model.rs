//! A network in floats, as it is trained: its value of a record, and how its error changes with every parameter.
//!
//! The sums of columns go through `clamp(x, 0, 1)^2`, the output `z` is worth `tanh(SCALE * z)`, and the loss is the
//! error to the power of 1.5. Loops run over short arrays of fixed length, which the compiler turns into vectors.

use scuro_core::Random;

use super::records::{MOST_MEN, Record};
use crate::features::{BUCKETS, FEATURES};
use crate::network::{Floats, Network, NetworkError};

/// The value of a network's output `z` is `tanh(SCALE * z)`. Below 1, so that output weights are large beside the
/// steps in which they are rounded.
pub const SCALE: f32 = 0.25;

/// Hidden units are a multiple of this.
pub const LANES: usize = 32;

/// Output weights stay within plus and minus this, so that they fit when rounded.
const MOST_OUTPUT: f32 = 127.0 / 64.0;
/// Columns stay within plus and minus this, so that the sum of one a square and a bias fits 16 bits.
const MOST_COLUMN: f32 = 1.97;

/// Parameters in one row: the columns of the inputs, the biases, the output weights of each bucket (for the side to
/// move, then for the other), the output biases.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    hidden: usize,
    /// All parameters.
    pub parameters: Vec<f32>,
}

/// A record with the value it should have.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The position.
    pub record: Record,
    /// Its value to the side to move.
    pub target: f32,
}

/// Sums over samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// The weighted loss.
    pub loss: f64,
    /// The distance to the target.
    pub error: f64,
    /// How many samples.
    pub count: u64,
}

impl Sums {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Sums) -> Sums {
        Sums {
            loss: self.loss + other.loss,
            error: self.error + other.error,
            count: self.count + other.count,
        }
    }

    /// The mean distance to the target.
    #[must_use]
    pub fn mean_error(&self) -> f64 {
        self.error / self.count.max(1) as f64
    }
}

/// What one sample's value is computed from.
struct Pass {
    sums: [Vec<f32>; 2],
    value: f32,
}

impl Model {
    /// A network that has learned nothing.
    #[must_use]
    pub fn new(hidden: usize, seed: u64) -> Model {
        let mut random = Random::new(seed);
        let mut even = |size: f32| (random.unit() as f32 * 2.0 - 1.0) * size;
        let mut model = Model { hidden, parameters: vec![0.0; Model::size(hidden)] };
        let [columns, biases, outputs, _] = model.starts();
        model.parameters[columns..biases].fill_with(|| even(0.1));
        model.parameters[biases..outputs].fill(0.2);
        let last = outputs + BUCKETS * 2 * hidden;
        // The same for all buckets: they part as they learn.
        for unit in 0..2 * hidden {
            let weight = even(1.0 / (2.0 * hidden as f32).sqrt() / SCALE);
            for at in (outputs + unit..last).step_by(2 * hidden) {
                model.parameters[at] = weight.clamp(-MOST_OUTPUT, MOST_OUTPUT);
            }
        }
        model
    }

    /// A network with these parameters; `None` if their number is wrong.
    #[must_use]
    pub fn with(hidden: usize, parameters: Vec<f32>) -> Option<Model> {
        (parameters.len() == Model::size(hidden)).then_some(Model { hidden, parameters })
    }

    /// How many parameters a network with this many hidden units has.
    #[must_use]
    pub fn size(hidden: usize) -> usize {
        FEATURES * hidden + hidden + BUCKETS * 2 * hidden + BUCKETS
    }

    /// Hidden units of one side.
    #[must_use]
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// Where columns, biases, output weights and output biases start.
    fn starts(&self) -> [usize; 4] {
        let biases = FEATURES * self.hidden;
        let outputs = biases + self.hidden;
        [0, biases, outputs, outputs + BUCKETS * 2 * self.hidden]
    }

    /// Columns, biases, output weights and output biases.
    #[must_use]
    pub fn parts(&self) -> [&[f32]; 4] {
        let [_, biases, outputs, last] = self.starts();
        let all = &self.parameters;
        [&all[..biases], &all[biases..outputs], &all[outputs..last], &all[last..]]
    }

    /// The network in whole numbers, as it is run.
    ///
    /// # Errors
    /// If a parameter is too large for it.
    pub fn network(&self, description: &str) -> Result<Network, NetworkError> {
        let [feature_weights, feature_biases, output_weights, output_biases] = self.parts();
        let floats = Floats { feature_weights, feature_biases, output_weights, output_biases, scale: SCALE };
        Network::from_floats(&floats, description)
    }

    /// How large the parameter of this number may become.
    fn most(&self, number: usize) -> f32 {
        let [_, _, outputs, last] = self.starts();
        match number {
            _ if number < outputs => MOST_COLUMN,
            _ if number < last => MOST_OUTPUT,
            _ => f32::INFINITY,
        }
    }

    /// The value of a record to the side to move.
    #[must_use]
    pub fn value(&self, record: &Record) -> f32 {
        let (inputs, count) = record.inputs();
        let mut pass = Pass { sums: [vec![0.0; self.hidden], vec![0.0; self.hidden]], value: 0.0 };
        self.forward(&inputs, count, record.bucket(), &mut pass);
        pass.value
    }

    /// The errors over samples.
    #[must_use]
    pub fn measure(&self, samples: &[Sample]) -> Sums {
        let mut pass = Pass { sums: [vec![0.0; self.hidden], vec![0.0; self.hidden]], value: 0.0 };
        let mut sums = Sums::default();
        for sample in samples {
            let (inputs, count) = sample.record.inputs();
            self.forward(&inputs, count, sample.record.bucket(), &mut pass);
            let error = (pass.value - sample.target).abs();
            sums.error += f64::from(error);
            sums.loss += f64::from(error * error.sqrt());
            sums.count += 1;
        }
        sums
    }

    #[inline]
    fn forward(&self, inputs: &[[u16; MOST_MEN]; 2], count: usize, bucket: usize, pass: &mut Pass) {
        let [columns, biases, outputs, output_biases] = self.parts();
        let mut z = output_biases[bucket];
        for (side, (inputs, sums)) in inputs.iter().zip(&mut pass.sums).enumerate() {
            add_columns(columns, biases, &inputs[..count], sums);
            let weights = &outputs[(2 * bucket + side) * self.hidden..][..self.hidden];
            let mut total = [0f32; LANES];
            for (sums, weights) in sums.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0) {
                for i in 0..LANES {
                    let unit = sums[i].clamp(0.0, 1.0);
                    total[i] += unit * unit * weights[i];
                }
            }
            z += total.iter().sum::<f32>();
        }
        pass.value = (SCALE * z).tanh();
    }

    /// Adds to `gradient` what every parameter does to the loss of these samples. Level positions weigh up to
    /// `1 + level` times as much as decided ones.
    pub fn gradient<'s>(
        &self,
        samples: impl Iterator<Item = &'s Sample>,
        level: f32,
        gradient: &mut [f32],
    ) -> Sums {
        let mut pass = Pass { sums: [vec![0.0; self.hidden], vec![0.0; self.hidden]], value: 0.0 };
        let mut sums = Sums::default();
        for sample in samples {
            let (inputs, count) = sample.record.inputs();
            let bucket = sample.record.bucket();
            self.forward(&inputs, count, bucket, &mut pass);
            let error = pass.value - sample.target;
            let weight = 1.0 + level * (1.0 - sample.target.abs()).powi(2);
            sums.error += f64::from(error.abs());
            sums.loss += f64::from(weight * error.abs() * error.abs().sqrt());
            sums.count += 1;
            let of_value = weight * 1.5 * error.abs().sqrt() * error.signum();
            let of_z = of_value * (1.0 - pass.value * pass.value) * SCALE;
            self.backward(&inputs, count, bucket, of_z, &mut pass, gradient);
        }
        sums
    }

    #[inline]
    fn backward(
        &self,
        inputs: &[[u16; MOST_MEN]; 2],
        count: usize,
        bucket: usize,
        of_z: f32,
        pass: &mut Pass,
        gradient: &mut [f32],
    ) {
        let [_, biases, outputs, output_biases] = self.starts();
        let hidden = self.hidden;
        gradient[output_biases + bucket] += of_z;
        for (side, (inputs, sums)) in inputs.iter().zip(&mut pass.sums).enumerate() {
            let at = outputs + (2 * bucket + side) * hidden;
            let weights = self.parameters[at..at + hidden].as_chunks::<LANES>().0;
            let of_weights = gradient[at..at + hidden].as_chunks_mut::<LANES>().0;
            for ((sums, weights), of_weights) in
                sums.as_chunks_mut::<LANES>().0.iter_mut().zip(weights).zip(of_weights)
            {
                for i in 0..LANES {
                    let unit = sums[i].clamp(0.0, 1.0);
                    of_weights[i] += of_z * unit * unit;
                    // From here on the sum's place holds what the sum does to the loss.
                    let slope = if sums[i] < 1.0 { 2.0 * unit } else { 0.0 };
                    sums[i] = of_z * weights[i] * slope;
                }
            }
            let (of_columns, of_rest) = gradient.split_at_mut(biases);
            spread(sums, &inputs[..count], of_columns);
            for (to, &of_sum) in of_rest[..hidden].iter_mut().zip(sums.iter()) {
                *to += of_sum;
            }
        }
    }
}

/// The biases and the columns of all inputs, summed.
#[inline]
fn add_columns(columns: &[f32], biases: &[f32], inputs: &[u16], sums: &mut [f32]) {
    let hidden = sums.len();
    for (chunk, (sums, biases)) in
        sums.as_chunks_mut::<LANES>().0.iter_mut().zip(biases.as_chunks::<LANES>().0).enumerate()
    {
        let mut total = *biases;
        for &input in inputs {
            let at = usize::from(input) * hidden + chunk * LANES;
            let Some(column) = columns[at..].first_chunk::<LANES>() else { continue };
            for i in 0..LANES {
                total[i] += column[i];
            }
        }
        *sums = total;
    }
}

/// What the sums do to the loss, added to every column they are made of.
#[inline]
fn spread(of_sums: &[f32], inputs: &[u16], of_columns: &mut [f32]) {
    let hidden = of_sums.len();
    for (chunk, of_sums) in of_sums.as_chunks::<LANES>().0.iter().enumerate() {
        let of_sums = *of_sums;
        for &input in inputs {
            let at = usize::from(input) * hidden + chunk * LANES;
            let Some(column) = of_columns[at..].first_chunk_mut::<LANES>() else { continue };
            for i in 0..LANES {
                column[i] += of_sums[i];
            }
        }
    }
}

/// Adam: steps that follow the mean of late gradients, by how much these vary.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// Running means of gradients.
    pub mean: Vec<f32>,
    /// Running means of their squares.
    pub square: Vec<f32>,
    /// Steps made.
    pub steps: u64,
}

/// Parameters that one thread moves at a time.
const BLOCK: usize = 1 << 14;

impl Adam {
    /// Before the first step.
    #[must_use]
    pub fn new(size: usize) -> Adam {
        Adam { mean: vec![0.0; size], square: vec![0.0; size], steps: 0 }
    }

    /// Moves the parameters against the sum of the gradients, which become zero.
    pub fn step(&mut self, model: &mut Model, gradients: &mut [Vec<f32>], count: usize, rate: f32) {
        const MEAN: f32 = 0.9;
        const SQUARE: f32 = 0.999;
        self.steps += 1;
        let by = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let rate = rate * (1.0 - SQUARE.powi(by)).sqrt() / (1.0 - MEAN.powi(by));
        let share = 1.0 / count as f32;
        let (total, rest) = match gradients.split_first_mut() {
            Some(split) => split,
            None => return,
        };
        for other in rest {
            for (to, of) in total.iter_mut().zip(other.iter_mut()) {
                *to += *of;
                *of = 0.0;
            }
        }
        let hidden = model.hidden;
        let starts = model.starts();
        let bounds = [(0, starts[2]), (starts[2], starts[3]), (starts[3], Model::size(hidden))];
        for (from, to) in bounds {
            let most = model.most(from);
            for from in (from..to).step_by(BLOCK) {
                let range = from..(from + BLOCK).min(to);
                let moments = self.mean[range.clone()].iter_mut().zip(&mut self.square[range.clone()]);
                let parameters = model.parameters[range.clone()].iter_mut().zip(&mut total[range]);
                for ((parameter, gradient), (mean, square)) in parameters.zip(moments) {
                    let of = *gradient * share;
                    *gradient = 0.0;
                    *mean = MEAN * *mean + (1.0 - MEAN) * of;
                    *square = SQUARE * *square + (1.0 - SQUARE) * of * of;
                    *parameter = (*parameter - rate * *mean / (square.sqrt() + 1e-8)).clamp(-most, most);
                }
            }
        }
    }
}
