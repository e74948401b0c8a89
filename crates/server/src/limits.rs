//! How often a peer may ask: a bucket of tokens for each kind of request, filled at a steady pace.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What a request costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// New games and players, joining, rematches.
    Make,
    /// Hints, analyses, reviews of records.
    Study,
    /// Everything else: moves, states, files of the page.
    Plain,
}

impl Kind {
    /// How many tokens a bucket holds, and how many are added a second.
    fn bucket(self) -> (f64, f64) {
        match self {
            Kind::Make => (400.0, 10.0),
            Kind::Study => (40.0, 2.0),
            Kind::Plain => (20_000.0, 2_000.0),
        }
    }
}

/// The buckets of all peers.
#[derive(Default)]
pub(crate) struct Limits(Mutex<HashMap<(IpAddr, Kind), (f64, Instant)>>);

/// Buckets of more peers than this are looked through for full ones, which need not be kept.
const MANY: usize = 10_000;

/// After so long any bucket is full.
const FULL_AGAIN: Duration = Duration::from_secs(60);

impl Limits {
    /// Takes a token; whether there was one.
    pub(crate) fn allow(&self, peer: IpAddr, kind: Kind) -> bool {
        self.allow_at(peer, kind, Instant::now())
    }

    fn allow_at(&self, peer: IpAddr, kind: Kind, now: Instant) -> bool {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > MANY {
            buckets.retain(|_, (_, since)| now.saturating_duration_since(*since) < FULL_AGAIN);
        }
        let (size, pace) = kind.bucket();
        let (tokens, since) = buckets.entry((peer, kind)).or_insert((size, now));
        *tokens = (*tokens + pace * now.saturating_duration_since(*since).as_secs_f64()).min(size);
        *since = now;
        let allowed = *tokens >= 1.0;
        if allowed {
            *tokens -= 1.0;
        }
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_again_and_each_peer_has_its_own() {
        let (limits, now) = (Limits::default(), Instant::now());
        let [one, other] = [IpAddr::from([127, 0, 0, 1]), IpAddr::from([10, 0, 0, 1])];
        let used = (0..100).filter(|_| limits.allow_at(one, Kind::Study, now)).count();
        assert_eq!(used, 40);
        assert!(limits.allow_at(other, Kind::Study, now) && limits.allow_at(one, Kind::Plain, now));
        let later = now + Duration::from_secs(2);
        let used = (0..100).filter(|_| limits.allow_at(one, Kind::Study, later)).count();
        assert_eq!(used, 4);
    }
}
