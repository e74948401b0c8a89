//! A player that hunts a lone king, and who it is measured against.

use rustc_hash::{FxHashMap, FxHashSet};
use scuro_core::Random;
use scuro_games::chess::{BitBoard, Move, Square};
use scuro_games::kriegspiel::{Announcement, Kriegspiel, KriegspielState, Told, Try};

use super::lone_king::{Answer, Army, Heard, LoneKing, neighbours};
use super::maximin::value_of_try;
use super::table::Table;
use crate::contestant::{Allowance, Contestant, Fault};
use crate::rivals::fleeing::{Fleeing, Omniscient};
use crate::rivals::random::RandomMover;

/// What a belief that was there before costs the player by metapositions.
const REPEATED: f64 = 3.0;

/// How the side with the pieces chooses its tries.
#[derive(Clone, Copy, Debug)]
pub enum Method<'t> {
    /// By proof; where the table has none, by metapositions.
    Proof(&'t Table),
    /// By maximin over beliefs, two own tries deep.
    Metapositions,
}

/// A player with an army against a king that may be anywhere.
#[derive(Clone, Debug)]
pub struct Hunter<'t> {
    method: Method<'t>,
    belief: LoneKing,
    /// The beliefs that there were, for the player by metapositions.
    seen: FxHashSet<LoneKing>,
    /// How often the pieces stood so: the third time may be a draw by repetition.
    stood: FxHashMap<Army, u8>,
    random: Random,
    /// Whether a piece was taken: then there is nothing left to hunt with.
    lost: bool,
}

impl<'t> Hunter<'t> {
    /// A player that believes this at its first try.
    #[must_use]
    pub fn new(method: Method<'t>, belief: LoneKing, seed: u64) -> Hunter<'t> {
        let stood = [(belief.army, 1)].into_iter().collect();
        Hunter { method, belief, seen: FxHashSet::default(), stood, random: Random::new(seed), lost: false }
    }

    /// Where the king may stand at its next try.
    #[must_use]
    pub fn belief(&self) -> &LoneKing {
        &self.belief
    }

    /// The proved try with the smallest bound, if possible one after which the pieces do not stand so for the third time.
    fn by_proof(&self, table: &Table) -> Option<Move> {
        let repeats = |m: Move| self.stood.get(&self.belief.army.moved(m)).is_some_and(|&times| times >= 2);
        let wins = table.wins(&self.belief);
        wins.min_by_key(|win| (repeats(win.attempt), win.moves)).map(|win| win.attempt)
    }

    fn by_metapositions(&mut self) -> Option<Move> {
        let (belief, seen) = (&self.belief, &self.seen);
        let rated = belief.tries().into_iter().map(|m| {
            let repeats =
                |answer: &&Answer| answer.heard != Heard::Refused && seen.contains(&belief.after(m, answer));
            let repeated = belief.answers(m).iter().filter(repeats).count() as f64;
            (value_of_try(belief, m, 1) - REPEATED * repeated + 1e-3 * self.random.unit(), m)
        });
        rated.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, m)| m)
    }
}

impl Contestant<Kriegspiel> for Hunter<'_> {
    fn see(&mut self, own: Option<Try>, told: &Told) {
        let heard = match told {
            Told::Made(Announcement { checks, .. }) => Heard::Made(*checks),
            Told::Refused { .. } => Heard::Refused,
            Told::Answered(_) => return,
        };
        if let Some(Try::Move(m)) = own {
            let answers = self.belief.answers(m);
            if let Some(answer) = answers.iter().find(|answer| answer.heard == heard) {
                self.belief = self.belief.after(m, answer);
                self.seen.insert(self.belief);
                if heard != Heard::Refused {
                    *self.stood.entry(self.belief.army).or_default() += 1;
                }
            }
        } else if let Told::Made(Announcement { capture: Some(_), .. }) = told {
            self.lost = true;
        }
    }

    fn choose(&mut self, choices: &[Try], _: Allowance) -> Result<Try, Fault> {
        let proved = match self.method {
            Method::Proof(table) if !self.lost => self.by_proof(table),
            _ => None,
        };
        let m = proved.or_else(|| if self.lost { None } else { self.by_metapositions() });
        Ok(m.map(Try::Move).filter(|attempt| choices.contains(attempt)).unwrap_or(choices[0]))
    }
}

/// Who plays the lone king against a [`Hunter`].
#[derive(Clone, Debug)]
pub enum Defender {
    /// Any try.
    Random(RandomMover),
    /// A king that sees everything and keeps to the middle.
    Fleeing(Fleeing),
    /// A king that sees everything, knows the proof, and goes where it holds out longest.
    Worst(Worst),
}

impl Defender {
    /// Its try in the true position, against this hunter.
    ///
    /// # Errors
    /// Never: only other programs fail.
    pub fn choose(
        &mut self,
        truth: &KriegspielState,
        choices: &[Try],
        hunter: &Hunter<'_>,
    ) -> Result<Try, Fault> {
        match self {
            Defender::Random(random) => Contestant::<Kriegspiel>::choose(random, choices, Allowance::Endless),
            Defender::Fleeing(fleeing) => Ok(Omniscient::<Kriegspiel>::choose(fleeing, truth, choices)),
            Defender::Worst(worst) => Ok(worst.choose(truth, choices, hunter)),
        }
    }
}

/// The lone king's best: it knows what the hunter believes and will try, and holds out as long as it can.
///
/// Against a proof it looks to the end. Without one it looks a few moves ahead.
#[derive(Clone, Debug)]
pub struct Worst {
    random: Random,
    /// The hunter's try at a belief.
    plans: FxHashMap<LoneKing, Option<Move>>,
    /// How long a king on a square holds out, where the hunter has a proof.
    lengths: FxHashMap<(LoneKing, Square), u32>,
}

/// How far it looks ahead where there is no proof.
const HORIZON: u32 = 2;
/// How long a king holds out that is not mated.
const FOR_EVER: u32 = 1_000;

impl Worst {
    /// With these random numbers, for moves that are as good.
    #[must_use]
    pub fn new(seed: u64) -> Worst {
        Worst { random: Random::new(seed), plans: FxHashMap::default(), lengths: FxHashMap::default() }
    }

    fn choose(&mut self, truth: &KriegspielState, choices: &[Try], hunter: &Hunter<'_>) -> Try {
        let theirs = truth.board().colors(!truth.board().side());
        let belief = *hunter.belief();
        let (mut best, mut longest) = (vec![choices[0]], 0);
        for attempt in choices {
            let length = match attempt {
                Try::Move(m) if !truth.is_legal(*m) => continue,
                Try::Move(m) if theirs.has(m.to()) => FOR_EVER,
                Try::Move(m) => self.length(hunter, belief, m.to(), HORIZON),
                Try::Any => continue,
            };
            if length > longest {
                best.clear();
            }
            if length >= longest {
                longest = length;
                best.push(*attempt);
            }
        }
        best[self.random.below(best.len())]
    }

    /// How many moves it takes to mate a king on `square` that holds out as long as it can.
    fn length(&mut self, hunter: &Hunter<'_>, belief: LoneKing, square: Square, horizon: u32) -> u32 {
        let proved = matches!(hunter.method, Method::Proof(table) if table.bound(&belief).is_some());
        if !proved && horizon == 0 {
            return 0;
        }
        if let Some(&length) = self.lengths.get(&(belief, square)) {
            return length;
        }
        let plan = *self.plans.entry(belief).or_insert_with(|| {
            let mut planner = Hunter { belief, ..hunter.clone() };
            let proof = if let Method::Proof(table) = hunter.method { table.win(&belief) } else { None };
            proof.map(|win| win.attempt).or_else(|| planner.by_metapositions())
        });
        let Some(m) = plan else { return FOR_EVER };
        let length = self.length_after(hunter, belief, square, m, horizon);
        if proved {
            self.lengths.insert((belief, square), length);
        }
        length
    }

    fn length_after(
        &mut self,
        hunter: &Hunter<'_>,
        belief: LoneKing,
        square: Square,
        m: Move,
        horizon: u32,
    ) -> u32 {
        // What is true is one of the squares that are believed: the answer there is the one that is heard.
        let here = LoneKing { kings: square.bitboard(), ..belief };
        let Some(truth) = here.answers(m).first().copied() else { return FOR_EVER };
        let heard = belief.answers(m).iter().find(|answer| answer.heard == truth.heard).copied();
        let Some(answer) = heard else { return FOR_EVER };
        let next = belief.after(m, &answer);
        if truth.heard == Heard::Refused {
            return self.length(hunter, next, square, horizon);
        }
        if truth.fails {
            return FOR_EVER;
        }
        let reached = neighbours(square.bitboard()) & next.army.anywhere() & truth.kings;
        let mut longest = 0;
        for to in reached {
            longest = longest.max(self.length(hunter, next, to, horizon.saturating_sub(1)));
        }
        longest + 1
    }
}

/// A square for the lone king, drawn from those that are believed possible.
#[must_use]
pub fn draw_square(kings: BitBoard, random: &mut Random) -> Option<Square> {
    let squares: Vec<Square> = kings.into_iter().collect();
    random.pick(&squares).copied()
}
