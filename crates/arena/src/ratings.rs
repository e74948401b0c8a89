//! Ratings of many agents from the games between them: the model of Bradley and Terry, a draw being half a win.
//!
//! The ratings are those under which everybody's expected points are the points that were made. Their errors come from
//! the spread of the results: draws make it smaller than that of won and lost games alone.

use crate::statistics::{Results, Z95};

/// Elo for one step of the natural logarithm of strength.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The games of two agents; results are those of the first.
#[derive(Clone, Copy, Debug)]
pub struct Pairing {
    /// The first.
    pub first: usize,
    /// The second.
    pub second: usize,
    /// What came out.
    pub results: Results,
}

/// What an agent is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// In Elo; the mean over all agents is 0.
    pub elo: f64,
    /// Half the interval at 95 %.
    pub error: f64,
}

/// Ratings, and how they were found.
#[derive(Clone, Debug)]
pub struct Ratings {
    /// Of each agent.
    pub ratings: Vec<Rating>,
    /// Whether half a drawn game was added to every pairing, because somebody won or lost all there was.
    pub with_prior: bool,
}

/// The points of a pairing: games, points of the first, share of draws.
#[derive(Clone, Copy)]
struct Points {
    first: usize,
    second: usize,
    games: f64,
    points: f64,
    drawn: f64,
}

/// Rates so many agents by their games.
#[must_use]
pub fn rate(agents: usize, pairings: &[Pairing]) -> Ratings {
    let with_prior = !is_connected(agents, pairings);
    let points: Vec<Points> = pairings.iter().map(|pairing| Points::of(pairing, with_prior)).collect();
    let strengths = likeliest(agents, &points);
    let variances = variances(&strengths, &points);
    let rating =
        |i: usize| Rating { elo: ELO * strengths[i], error: ELO * Z95 * variances[i].max(0.0).sqrt() };
    Ratings { ratings: (0..agents).map(rating).collect(), with_prior }
}

impl Points {
    fn of(pairing: &Pairing, with_prior: bool) -> Points {
        let &Pairing { first, second, results } = pairing;
        let half = if with_prior { 0.5 } else { 0.0 };
        let games = results.games() as f64 + half;
        let points = results.wins as f64 + results.draws as f64 / 2.0 + half / 2.0;
        let drawn = if games > 0.0 { (results.draws as f64 + half) / games } else { 0.0 };
        Points { first, second, games, points, drawn }
    }

    fn expected(&self, strengths: &[f64]) -> f64 {
        1.0 / (1.0 + (strengths[self.second] - strengths[self.first]).exp())
    }
}

/// Whether everybody can be reached from everybody by points that were made: else there are no ratings.
fn is_connected(agents: usize, pairings: &[Pairing]) -> bool {
    let beats = |i: usize, j: usize| {
        pairings.iter().any(|&Pairing { first, second, results: Results { wins, draws, losses } }| {
            (first, second) == (i, j) && wins + draws > 0 || (second, first) == (i, j) && losses + draws > 0
        })
    };
    let reaches_all = |edge: &dyn Fn(usize, usize) -> bool| {
        let mut reached = vec![false; agents];
        let mut open = vec![0];
        while let Some(i) = open.pop() {
            if !std::mem::replace(&mut reached[i], true) {
                open.extend((0..agents).filter(|&j| edge(i, j)));
            }
        }
        reached.into_iter().all(|reached| reached)
    };
    agents == 0 || reaches_all(&beats) && reaches_all(&|i, j| beats(j, i))
}

/// The strengths whose expected points are the points made; their mean is 0. Newton's method with steps that are kept
/// short.
fn likeliest(agents: usize, points: &[Points]) -> Vec<f64> {
    let mut strengths = vec![0.0; agents];
    for _ in 0..500 {
        let mut excess = vec![0.0; agents];
        for pairing in points {
            let lead = pairing.points - pairing.games * pairing.expected(&strengths);
            excess[pairing.first] += lead;
            excess[pairing.second] -= lead;
        }
        let information = information(&strengths, points, |_, spread| spread);
        let Some(steps) = solve(information, &excess) else { break };
        let longest = steps.iter().fold(0.0f64, |longest, step| longest.max(step.abs()));
        let shorten = if longest > 1.0 { 1.0 / longest } else { 1.0 };
        strengths.iter_mut().zip(&steps).for_each(|(strength, step)| *strength += shorten * step);
        if longest < 1e-12 {
            break;
        }
    }
    let mean = strengths.iter().sum::<f64>() / agents.max(1) as f64;
    strengths.iter().map(|strength| strength - mean).collect()
}

/// The sum over pairings of games times a spread, as a matrix: from the pairing and the spread of won and lost games.
fn information(strengths: &[f64], points: &[Points], spread: impl Fn(&Points, f64) -> f64) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; strengths.len()]; strengths.len()];
    for pairing in points {
        let expected = pairing.expected(strengths);
        let weight = pairing.games * spread(pairing, expected * (1.0 - expected));
        let (i, j) = (pairing.first, pairing.second);
        matrix[i][i] += weight;
        matrix[j][j] += weight;
        matrix[i][j] -= weight;
        matrix[j][i] -= weight;
    }
    matrix
}

/// The variance of every strength, counted from the mean of all.
fn variances(strengths: &[f64], points: &[Points]) -> Vec<f64> {
    let n = strengths.len();
    let likelihood = information(strengths, points, |_, spread| spread);
    // A drawn game is a quarter less spread than a decided one.
    let observed = information(strengths, points, |pairing, spread| (spread - pairing.drawn / 4.0).max(0.0));
    let column = |i: usize| {
        // One unit for an agent, taken from all alike: the direction in which its rating leaves the mean.
        let unit: Vec<f64> = (0..n).map(|j| f64::from(u8::from(i == j)) - 1.0 / n as f64).collect();
        solve(likelihood.clone(), &unit).unwrap_or_else(|| vec![f64::INFINITY; n])
    };
    let variance = |i: usize| {
        let column = column(i);
        let product = |row: &Vec<f64>| row.iter().zip(&column).map(|(a, b)| a * b).sum::<f64>();
        observed.iter().map(product).zip(&column).map(|(a, b)| a * b).sum()
    };
    (0..n).map(variance).collect()
}

/// Solves a system whose rows sum to 0, with a solution that sums to 0; none if it has more freedom than that.
fn solve(mut matrix: Vec<Vec<f64>>, right: &[f64]) -> Option<Vec<f64>> {
    let n = right.len();
    let mut right = right.to_vec();
    // Adding the same to every entry fixes the sum and changes nothing else.
    matrix.iter_mut().flatten().for_each(|entry| *entry += 1.0);
    for i in 0..n {
        let pivot = (i..n).max_by(|&a, &b| matrix[a][i].abs().total_cmp(&matrix[b][i].abs()))?;
        matrix.swap(i, pivot);
        right.swap(i, pivot);
        if matrix[i][i].abs() < 1e-300 {
            return None;
        }
        let (above, below) = matrix.split_at_mut(i + 1);
        let top = &above[i];
        for (number, row) in (i + 1..).zip(below) {
            let factor = row[i] / top[i];
            row.iter_mut().zip(top).skip(i).for_each(|(entry, above)| *entry -= factor * above);
            right[number] -= factor * right[i];
        }
    }
    for i in (0..n).rev() {
        let rest: f64 = (i + 1..n).map(|k| matrix[i][k] * right[k]).sum();
        right[i] = (right[i] - rest) / matrix[i][i];
    }
    right.iter().all(|number| number.is_finite()).then_some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairing(first: usize, second: usize, wins: u64, draws: u64, losses: u64) -> Pairing {
        Pairing { first, second, results: Results { wins, draws, losses } }
    }

    /// Stigler's citations between four journals, as the R package BradleyTerry2 fits them (its vignette, section 2.1):
    /// logits and standard errors, counted from Biometrika.
    #[test]
    fn ratings_agree_with_bradley_terry2() {
        let [biometrika, communications, jasa, jrss] = [0, 1, 2, 3];
        let pairings = [
            pairing(biometrika, communications, 730, 0, 33),
            pairing(biometrika, jasa, 498, 0, 320),
            pairing(biometrika, jrss, 221, 0, 284),
            pairing(communications, jasa, 68, 0, 813),
            pairing(communications, jrss, 17, 0, 276),
            pairing(jasa, jrss, 142, 0, 325),
        ];
        let rated = rate(4, &pairings);
        assert!(!rated.with_prior);
        let logit = |i: usize| (rated.ratings[i].elo - rated.ratings[biometrika].elo) / ELO;
        for (journal, published) in [(communications, -2.94907), (jasa, -0.47957), (jrss, 0.26895)] {
            assert!((logit(journal) - published).abs() < 6e-6, "{} is not {published}", logit(journal));
        }
    }

    /// The example of K. Laskos (TalkChess, "EloStat, Bayeselo and Ordo"): 75 %, 75 % and 90 % are 191 Elo apart.
    #[test]
    fn ratings_agree_with_an_example_that_can_be_done_by_hand() {
        let rated = rate(3, &[pairing(0, 1, 18, 9, 3), pairing(1, 2, 18, 9, 3), pairing(0, 2, 24, 6, 0)]);
        let elos: Vec<i64> = rated.ratings.iter().map(|rating| rating.elo.round() as i64).collect();
        assert_eq!(elos, [191, 0, -191]);
    }

    /// Two agents: the difference is the Elo of the match, its error that of independent games.
    #[test]
    fn two_agents_are_rated_as_in_a_match() {
        let rated = rate(2, &[pairing(0, 1, 136, 111, 96)]);
        let [first, second] = [rated.ratings[0], rated.ratings[1]];
        assert!((first.elo - second.elo - 40.70).abs() < 0.005);
        // fastchess: 30.43; counted from the mean of both, each has half of it, to first order.
        assert!((2.0 * first.error - 30.43).abs() < 0.2, "{}", first.error);
    }

    #[test]
    fn who_won_everything_gets_a_rating_all_the_same() {
        let rated = rate(3, &[pairing(0, 1, 10, 0, 0), pairing(1, 2, 5, 0, 5), pairing(0, 2, 10, 0, 0)]);
        assert!(rated.with_prior);
        assert!(rated.ratings[0].elo > 300.0 && rated.ratings.iter().all(|rating| rating.error.is_finite()));
        assert!(rate(2, &[]).ratings.iter().all(|rating| rating.elo == 0.0));
    }
}
