//! The root of a subgame: which of their infosets they come in by.
//!
//! They choose a *class*, one of their infosets that meet the subgame. Two ways of choosing run at once over one
//! tree. *Maxmargin*: they pick the class in which I do worst against its alternate value. *Resolve*: each class is
//! as likely as its prior says, and they enter it if that is better for them than the alternate value. The more
//! Resolve wants to enter anywhere, the more it counts: [`Gadget::pmax`] is how much.

use crate::regret::{Update, match_regrets, mean};

/// Predictive regret matching over a few choices, whose numbers are kept in tables of type `T`.
#[derive(Clone, Copy, Debug)]
struct Minimiser<T> {
    regrets: T,
    predictions: T,
    strategy: T,
}

impl<T: Clone + AsRef<[f64]> + AsMut<[f64]>> Minimiser<T> {
    /// Returns one that has not learnt anything, with tables as large as this one.
    fn new(mut table: T) -> Minimiser<T> {
        table.as_mut().fill(0.0);
        let mut strategy = table.clone();
        let choices = strategy.as_ref().len();
        strategy.as_mut().fill(1.0 / choices as f64);
        Minimiser { regrets: table.clone(), predictions: table, strategy }
    }

    /// Learns the utility of every choice. If nothing is expected to be better, the strategy stays.
    fn update(&mut self, utilities: &[f64]) {
        let (regrets, predictions) = (self.regrets.as_mut(), self.predictions.as_mut());
        let strategy = self.strategy.as_mut();
        Update::PREDICTIVE.learn(utilities, mean(utilities, strategy), regrets, predictions);
        match_regrets(regrets, predictions, strategy);
    }
}

/// The root. Tables have one entry per class.
#[derive(Clone, Debug)]
pub struct Gadget {
    /// The alternate value of each class: its value to me if it is not entered.
    pub alternates: Vec<f64>,
    /// The prior probability of each class.
    pub priors: Vec<f64>,
    maxmargin: Minimiser<Vec<f64>>,
    /// For each class whether to enter it, or to stay out.
    resolve: Vec<Minimiser<[f64; 2]>>,
    /// Their gain by entering each class, at the last update.
    pub utilities: Vec<f64>,
    /// The largest probability with which Resolve enters a class.
    pub pmax: f64,
    /// The weight of each class; weights need not sum to one.
    pub weights: Vec<f64>,
    /// The weight added to each class per unit of its prior, so that an action that costs nothing at the classes they come
    /// in by is not played if it costs something at others.
    prior_bonus: f64,
}

impl Gadget {
    /// Returns a root that has not learnt anything.
    #[must_use]
    pub fn new(alternates: Vec<f64>, priors: Vec<f64>, prior_bonus: f64) -> Gadget {
        let classes = alternates.len();
        let mut gadget = Gadget {
            alternates,
            priors,
            maxmargin: Minimiser::new(vec![0.0; classes]),
            resolve: vec![Minimiser::new([0.0; 2]); classes],
            utilities: vec![0.0; classes],
            pmax: 0.0,
            weights: vec![0.0; classes],
            prior_bonus,
        };
        gadget.mix();
        gadget
    }

    /// Learns the present value of every class to me.
    pub fn update(&mut self, worth: impl Iterator<Item = f64>) {
        for ((utility, alternate), worth) in self.utilities.iter_mut().zip(&self.alternates).zip(worth) {
            *utility = alternate - worth;
        }
        self.maxmargin.update(&self.utilities);
        for (minimiser, &utility) in self.resolve.iter_mut().zip(&self.utilities) {
            minimiser.update(&[utility, 0.0]);
        }
        self.mix();
    }

    /// Returns the most they gain by coming in, given the value of each class to them.
    #[must_use]
    pub fn gain(&self, worth: &[f64]) -> f64 {
        let gains = || worth.iter().zip(&self.alternates).map(|(worth, alternate)| alternate + worth);
        let entered: f64 = gains().zip(&self.priors).map(|(gain, prior)| prior * gain.max(0.0)).sum();
        let worst = gains().fold(f64::NEG_INFINITY, f64::max);
        self.pmax * entered + (1.0 - self.pmax) * worst
    }

    fn mix(&mut self) {
        let enter = |minimiser: &Minimiser<[f64; 2]>| minimiser.strategy[0];
        self.pmax = self.resolve.iter().map(enter).fold(0.0, f64::max);
        for (class, weight) in self.weights.iter_mut().enumerate() {
            *weight = self.pmax * self.priors[class] * enter(&self.resolve[class])
                + (1.0 - self.pmax) * self.maxmargin.strategy[class]
                + self.prior_bonus * self.priors[class];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Gadget;

    /// Trap 2: the class is theirs to choose, so it is the one that is worst for me.
    #[test]
    fn maxmargin_goes_where_i_do_worst() {
        let mut gadget = Gadget::new(vec![0.5, 0.0, 0.0], vec![1.0 / 3.0; 3], 0.0);
        for _ in 0..100 {
            gadget.update([0.7, 0.1, 0.4].into_iter());
        }
        // All margins are positive: Resolve stays out, and the smallest margin, 0.1, is chosen.
        assert!(gadget.pmax == 0.0, "{}", gadget.pmax);
        assert!(gadget.weights[1] > 0.99, "{:?}", gadget.weights);
    }

    /// Trap 1: entering follows Resolve's strategy, with the prior as weight.
    #[test]
    fn resolve_enters_only_where_it_pays() {
        let mut gadget = Gadget::new(vec![0.5, 0.0], vec![0.25, 0.75], 0.0);
        for _ in 0..100 {
            gadget.update([0.2, 0.3].into_iter());
        }
        assert!((gadget.pmax - 1.0).abs() < 1e-9);
        assert!(
            (gadget.weights[0] - 0.25).abs() < 1e-9 && gadget.weights[1].abs() < 1e-9,
            "{:?}",
            gadget.weights
        );
    }

    /// With a prior bonus no class is forgotten, whatever the two ways of choosing do.
    #[test]
    fn a_prior_bonus_counts_every_class() {
        let mut gadget = Gadget::new(vec![0.5, 0.0], vec![0.25, 0.75], 0.1);
        for _ in 0..100 {
            gadget.update([0.2, 0.3].into_iter());
        }
        assert!((gadget.weights[0] - 0.275).abs() < 1e-9 && (gadget.weights[1] - 0.075).abs() < 1e-9);
    }
}
