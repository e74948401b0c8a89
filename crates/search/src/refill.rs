//! A belief that has run thin or empty is refilled from what was believed at earlier turns.
//!
//! A sample loses positions for ever, and when little of it fits what the player is told, other positions must exist
//! that fit as well. They follow from positions of earlier turns by moves that were not kept then. So snapshots of earlier
//! turns are replayed: all that was told since is known now, and what does not fit it is dropped before there is too much.
//!
//! A thin belief is filled up from the latest snapshots, a few positions at a time, so that each has many followers. Where
//! nothing fits at all, the latest snapshots are wrong as well: each is replayed as a whole, and the next one is twice as old,
//! back to the start of the game, at which nothing is wrong.

use scuro_core::{Player, Positions, Random};

use crate::belief::{Belief, Numbering, Weighted, scale};
use crate::thin::thin_positions;
use crate::weigh::{OpponentModel, follow_each, merged};

/// The number of the last turns that are all remembered.
const RECENT: usize = 8;
/// The most positions of a turn that are remembered.
const REMEMBERED: usize = 20_000;
/// The number of positions that are replayed at a time for a thin belief.
const GROUP: usize = 16;
/// The most positions of a group that are kept on the way.
const WIDTH: usize = 512;
/// The most positions of a whole snapshot that are kept on the way.
const WIDEST: usize = 131_072;
/// How many times the width may be kept before an action of the player itself, which rules out more than it adds.
const SLACK: usize = 4;

/// What was believed at earlier turns: at all of the last, every second, fourth and so on of those before, and the first.
#[derive(Clone, Debug)]
pub struct Snapshots<P> {
    /// The number of turns so far.
    turns: usize,
    kept: Vec<Snapshot<P>>,
}

/// The belief at a turn, after a number of steps.
#[derive(Clone, Debug)]
struct Snapshot<P> {
    turn: usize,
    steps: usize,
    positions: Vec<Weighted<P>>,
}

/// What a refill is for, and what it may cost.
#[derive(Clone, Copy, Debug)]
pub struct RefillBounds {
    /// Whether nothing is believed any more, not just little.
    pub empty: bool,
    /// The number of positions at which the search ends.
    pub positions: usize,
    /// About how many positions are followed at most; at own actions, which cost less, somewhat more.
    pub followed: usize,
}

impl<P> Default for Snapshots<P> {
    fn default() -> Snapshots<P> {
        Snapshots { turns: 0, kept: Vec::new() }
    }
}

impl<P: Copy + Eq + Ord + std::hash::Hash + Send + Sync> Snapshots<P> {
    /// Remembers what `player` believes after so many steps, at the next turn.
    pub fn remember<G>(
        &mut self,
        game: &G,
        player: Player,
        steps: usize,
        belief: &Belief<P>,
        random: &mut Random,
    ) where
        G: Positions<Position = P>,
    {
        // Positions that are equally likely are in a random order.
        let looked_at = if belief.weights().is_some() { usize::MAX } else { REMEMBERED };
        let mut positions: Vec<_> = belief.weighted().take(looked_at).collect();
        thin_positions(game, player, &mut positions, REMEMBERED, random);
        self.kept.push(Snapshot { turn: self.turns, steps, positions });
        self.turns += 1;
        // A turn stays twice as long for every time that its number can be halved, the first for ever.
        let stays = |turn: usize| turn == 0 || (self.turns - turn) >> turn.trailing_zeros() <= RECENT;
        self.kept.retain(|snapshot| stays(snapshot.turn));
    }

    /// Positions that fit all `steps`: what `player` did, if a step was its own, and what it was told; and how many were
    /// followed for them. The latest snapshots come first, and the weights of what follows from each sum to one; without a
    /// model all moves are equally likely.
    pub fn refill<G, M>(
        &self,
        game: &G,
        player: Player,
        steps: &[(Option<G::Action>, &G::Told)],
        model: Option<&mut M>,
        bounds: RefillBounds,
        random: &mut Random,
    ) -> (Vec<Weighted<P>>, usize)
    where
        G: Positions<Position = P>,
        M: OpponentModel<G>,
    {
        let starts = if bounds.empty { self.ever_older() } else { self.kept.iter().rev().collect() };
        let mut replay = Replay { game, player, steps, model, random };
        let (mut found, mut left): (Vec<Weighted<P>>, usize) = (Vec::new(), bounds.followed);
        for (done, start) in starts.iter().enumerate() {
            // Each may use up its share of what is left, and ends what it began; the last may use all of it.
            let share = left / (starts.len() - done);
            let (first, mut used) = (found.len(), 0);
            let to_go = (steps.len() - start.steps).max(1);
            let (group, width) = if bounds.empty {
                (REMEMBERED, (share / to_go).clamp(GROUP, WIDEST))
            } else {
                (GROUP, (left / to_go).clamp(GROUP, WIDTH))
            };
            for group in drawn(&start.positions, replay.random).chunks(group) {
                if found.len() >= bounds.positions || used >= share {
                    break;
                }
                let (mut reached, followed) = replay.from(start.steps, group.to_vec(), width);
                found.append(&mut reached);
                used += followed;
            }
            left = left.saturating_sub(used);
            scale(&mut found[first..]);
            if found.len() >= bounds.positions || left == 0 {
                break;
            }
        }
        (found, bounds.followed - left)
    }

    /// The last snapshot that is not all invented, then each time the next that is at least twice as old, and the first.
    fn ever_older(&self) -> Vec<&Snapshot<P>> {
        let mut age = 0;
        let older = |snapshot: &&Snapshot<P>| {
            let older = snapshot.turn == 0
                || self.turns - snapshot.turn >= 2 * age
                    && !snapshot.positions.iter().all(|held| held.invented);
            if older {
                age = self.turns - snapshot.turn;
            }
            older
        };
        self.kept.iter().rev().filter(older).collect()
    }
}

/// The steps that are replayed, and all that it takes.
struct Replay<'r, G: Positions, M> {
    game: &'r G,
    player: Player,
    steps: &'r [(Option<G::Action>, &'r G::Told)],
    model: Option<&'r mut M>,
    random: &'r mut Random,
}

impl<G: Positions, M: OpponentModel<G>> Replay<'_, G, M> {
    /// What follows from these positions, which are of the time before a step, and how many were followed. About `width` are
    /// kept on the way.
    fn from(
        &mut self,
        first: usize,
        mut held: Vec<Weighted<G::Position>>,
        width: usize,
    ) -> (Vec<Weighted<G::Position>>, usize) {
        let mut followed = 0;
        for (place, &(own, told)) in self.steps.iter().enumerate().skip(first) {
            let most = if own.is_some() { SLACK * width } else { width };
            thin_positions(self.game, self.player, &mut held, most, self.random);
            followed += held.len().min(width);
            let mut next = Vec::new();
            if let Some(model) = self.model.as_deref_mut() {
                model.listen(self.steps[..place].iter().rev().map(|(_, told)| *told));
            }
            follow_each(self.game, (self.player, own, told), &held, self.model.as_deref_mut(), &mut next);
            let many = next.len() > WIDTH.max(held.len());
            held = if many { merged(next, Numbering(self.random.word())) } else { next };
        }
        (held, followed)
    }
}

/// The positions in a random order in which heavy ones come early.
fn drawn<P: Copy>(positions: &[Weighted<P>], random: &mut Random) -> Vec<Weighted<P>> {
    let mut order: Vec<(f64, Weighted<P>)> =
        positions.iter().map(|&held| (random.exponential() / held.weight, held)).collect();
    order.sort_unstable_by(|one, two| one.0.total_cmp(&two.0));
    order.into_iter().map(|(_, held)| held).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::tests::Line;

    /// All steps are equally likely; counts the places from which they were taken.
    #[derive(Default)]
    struct Counter {
        followed: usize,
    }

    impl OpponentModel<Line> for Counter {
        fn probabilities(
            &mut self,
            _: &i32,
            _: Option<i32>,
            followers: &[(Option<i32>, i32)],
            _: bool,
            out: &mut Vec<f64>,
        ) {
            self.followed += 1;
            out.extend(followers.iter().map(|_| 0.125));
        }
    }

    fn remember(snapshots: &mut Snapshots<i32>, place: i32) {
        let (steps, belief) = (snapshots.turns, Belief::certain(place, 10, 1));
        snapshots.remember(&Line, Player::One, steps, &belief, &mut Random::new(1));
    }

    #[test]
    fn snapshots_reach_back_to_the_start() {
        let mut snapshots = Snapshots::default();
        for turns in 1..=300 {
            remember(&mut snapshots, 0);
            let kept: Vec<usize> = snapshots.kept.iter().map(|snapshot| snapshot.turn).collect();
            assert_eq!(kept[0], 0);
            assert!(kept.ends_with(&(turns - turns.min(RECENT)..turns).collect::<Vec<_>>()), "{kept:?}");
            assert!(kept.len() <= 40, "{kept:?}");
            let ages: Vec<usize> = snapshots.ever_older().iter().map(|old| turns - old.turn).collect();
            assert!(ages[0] == 1 && ages.last() == Some(&turns), "{ages:?}");
            let (last, doubled) = (ages.len() - 1, |two: &[usize]| (2..=3).contains(&(two[1] / two[0])));
            assert!(ages[..last].windows(2).all(doubled), "{ages:?}");
        }
    }

    /// Every turn but the first was believed wrongly: only the start leads to what fits, and it leads to all of it.
    #[test]
    fn an_empty_belief_is_found_again_from_the_start() {
        let told: Vec<Option<i32>> = (0..20).map(|step| Some(if step % 2 == 0 { 1 } else { 0 })).collect();
        let steps: Vec<(Option<i32>, &Option<i32>)> = told.iter().map(|told| (None, told)).collect();
        let (mut snapshots, mut exact) = (Snapshots::default(), Belief::certain(0, 1_000, 1));
        remember(&mut snapshots, 0);
        for (step, told) in told.iter().enumerate() {
            exact.advance(&Line, Player::One, None, told).unwrap();
            // Nothing stays where it is, so nowhere is the same told twice.
            let next = told.map(|told| 1 - told).unwrap_or_default();
            if step + 1 < steps.len() {
                remember(&mut snapshots, 999 + next);
            }
        }
        let found = |followed: usize| {
            let bounds = RefillBounds { empty: true, positions: 1_000, followed };
            let no_model = None::<&mut Counter>;
            let (found, _) =
                snapshots.refill(&Line, Player::One, &steps, no_model, bounds, &mut Random::new(1));
            let mut places: Vec<i32> = found.iter().map(|held| held.position).collect();
            places.sort_unstable();
            places.dedup();
            places
        };
        let mut all = exact.positions().to_vec();
        all.sort_unstable();
        assert_eq!(found(1_000_000), all);
        // Little work finds less.
        assert!(found(20 * GROUP).len() < all.len());
    }

    /// What a refill costs is bounded however many snapshots there are, and it says what it was.
    #[test]
    fn a_refill_follows_no_more_than_it_may() {
        let told: Vec<Option<i32>> = vec![None; 40];
        let steps: Vec<(Option<i32>, &Option<i32>)> = told.iter().map(|told| (None, told)).collect();
        let mut snapshots = Snapshots::default();
        (0..steps.len()).for_each(|_| remember(&mut snapshots, 0));
        for (empty, most) in [(false, 100), (false, 1_000), (false, 20_000), (true, 1_000), (true, 20_000)] {
            let bounds = RefillBounds { empty, positions: usize::MAX, followed: most };
            let mut counter = Counter::default();
            let (found, followed) =
                snapshots.refill(&Line, Player::One, &steps, Some(&mut counter), bounds, &mut Random::new(1));
            assert!(!found.is_empty() && followed <= most && followed > most / 8, "{followed} of {most}");
            // The last one ends what it began, at its least width.
            assert!(counter.followed <= 2 * most.max(GROUP * steps.len()), "{} of {most}", counter.followed);
        }
    }
}
