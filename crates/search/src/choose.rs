//! From a solved strategy to what is played.
//!
//! An action is *stable* if it has been played at every iteration since half of the search was done. Where the
//! subgame is safe (Resolve never enters) the player mixes between its best action and at most two other stable
//! ones; else it plays the best alone.

/// How much of the mixing is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purify {
    /// At most three stable actions, one where Resolve is in use.
    On,
    /// All stable actions.
    Off,
    /// As solved.
    Raw,
}

/// The most actions that are mixed.
const MOST: usize = 3;

/// Returns the probabilities with which actions are played. What is taken from an action goes to the best one.
#[must_use]
pub fn purified(strategy: &[f64], stable: &[bool], pmax: f64, purify: Purify) -> Vec<f64> {
    let best = (0..strategy.len()).fold(0, |best, i| if strategy[i] > strategy[best] { i } else { best });
    let mut kept: Vec<usize> = (0..strategy.len()).filter(|&i| stable[i] || i == best).collect();
    match purify {
        Purify::Raw => return strategy.to_vec(),
        Purify::Off => {}
        Purify::On if pmax > 0.0 => kept = vec![best],
        Purify::On => {
            kept.sort_by(|&a, &b| strategy[b].total_cmp(&strategy[a]));
            kept.truncate(MOST);
        }
    }
    let mut played = vec![0.0; strategy.len()];
    for (i, share) in strategy.iter().enumerate() {
        played[if kept.contains(&i) { i } else { best }] += share;
    }
    played
}

#[cfg(test)]
mod tests {
    use super::{Purify, purified};

    #[test]
    fn at_most_three_stable_actions_are_mixed() {
        let strategy = [0.1, 0.3, 0.2, 0.25, 0.15];
        let stable = [true, true, false, true, true];
        let played = purified(&strategy, &stable, 0.0, Purify::On);
        assert_eq!(played, [0.0, 0.3 + 0.1 + 0.2, 0.0, 0.25, 0.15]);
        let played = purified(&strategy, &stable, 0.0, Purify::Off);
        assert_eq!(played, [0.1, 0.5, 0.0, 0.25, 0.15]);
        assert_eq!(purified(&strategy, &stable, 0.5, Purify::Raw), strategy);
    }

    /// Where Resolve enters anywhere the choice is pure, even if nothing is stable.
    #[test]
    fn resolve_makes_it_pure() {
        assert_eq!(purified(&[0.4, 0.6], &[true, true], 1e-9, Purify::On), [0.0, 1.0]);
        assert_eq!(purified(&[0.4, 0.6], &[false, false], 0.0, Purify::On), [0.0, 1.0]);
    }
}
