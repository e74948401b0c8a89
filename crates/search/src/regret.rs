//! Regret matching: from the values of actions to how often they are played.
//!
//! The one update of regrets and the one strategy that follows from them, for the infosets of a tree
//! ([`solve`](crate::solve)) and for the root of a subgame ([`gadget`](crate::gadget)).

/// How regrets are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Regrets as they are, plain average.
    Cfr,
    /// Regrets never below zero, the average weighted by the iteration.
    CfrPlus,
    /// CFR+ that expects the last regret once more; the average weighted by the square of the iteration.
    PredictiveCfrPlus,
    /// Old regrets fade: positive ones as t^1.5, negative ones by half, the average as t^2.
    Discounted,
}

impl Method {
    /// Returns the weight of an iteration in the average.
    pub(crate) fn average_weight(self, iteration: u64) -> f64 {
        let time = iteration as f64;
        match self {
            Method::Cfr => 1.0,
            Method::CfrPlus => time,
            Method::PredictiveCfrPlus | Method::Discounted => time * time,
        }
    }
}

/// The update of regrets in one iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Update {
    method: Method,
    /// What is left of a positive regret, if regrets fade.
    fading: f64,
}

impl Update {
    /// Predictive CFR+, which is the same in every iteration.
    pub(crate) const PREDICTIVE: Update = Update { method: Method::PredictiveCfrPlus, fading: 1.0 };

    /// Returns the update of this iteration.
    pub(crate) fn new(method: Method, iteration: u64) -> Update {
        let time = iteration as f64;
        Update { method, fading: time.powf(1.5) / (time.powf(1.5) + 1.0) }
    }

    /// Adds the regrets of one iteration, given the `values` of all actions and their mean under the strategy. The
    /// prediction is the last regret if the method has one, else zero.
    #[inline]
    pub(crate) fn learn(self, values: &[f64], mean: f64, regrets: &mut [f64], predictions: &mut [f64]) {
        for ((total, prediction), value) in regrets.iter_mut().zip(predictions).zip(values) {
            let regret = value - mean;
            let sum = *total + regret;
            *total = match self.method {
                Method::Cfr => sum,
                Method::CfrPlus | Method::PredictiveCfrPlus => sum.max(0.0),
                Method::Discounted if sum > 0.0 => sum * self.fading,
                Method::Discounted => sum / 2.0,
            };
            *prediction = if self.method == Method::PredictiveCfrPlus { regret } else { 0.0 };
        }
    }
}

/// Returns the mean of values under a strategy.
#[inline]
pub(crate) fn mean(values: &[f64], strategy: &[f64]) -> f64 {
    values.iter().zip(strategy).map(|(value, probability)| value * probability).sum()
}

/// Makes a strategy proportional to the positive part of the regrets and predictions. Returns false, and leaves it as it
/// is, if nothing is positive.
#[inline]
pub(crate) fn match_regrets(regrets: &[f64], predictions: &[f64], strategy: &mut [f64]) -> bool {
    let known = || regrets.iter().zip(predictions);
    let expected = || known().map(|(regret, prediction)| (regret + prediction).max(0.0));
    let total: f64 = expected().sum();
    if total > 0.0 {
        strategy.iter_mut().zip(expected()).for_each(|(probability, part)| *probability = part / total);
    }
    total > 0.0
}
