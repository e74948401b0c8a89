//! `los`, `aosp` and `hs`, the Monte Carlo players of Parker, Nau and Subrahmanian (2005): a try is worth what it is worth
//! as a move of chess, on average over boards on which it is legal.
//!
//! They differ in the boards. Those of LOS fit the last observation alone, those of AOSP come from a pool of boards that fit
//! all observations, and HS goes over from the pool to the last observation in the course of a game.

use rustc_hash::FxHashMap;
use scuro_core::Random;
use scuro_games::chess::{BitBoard, Board, Color, Move, Piece, Rank, Square, diagonally_ahead};
use scuro_games::kriegspiel::{Kriegspiel, KriegspielView, PawnTries, Position, Question};

use super::shell::{Past, Scene, Style, Values, insight};
use super::{fits, is_possible};
use crate::contestant::{Insight, near_best};

/// Boards in the pool.
pub(crate) const POOL: usize = 20_000;
/// The number of boards that are looked at however short the time is.
const FEWEST: usize = 16;
/// What a mate counts.
const MATE: f64 = 1.5;
/// Tries so close to the best are as good.
const MARGIN: f64 = 0.001;
/// The moves between which HS goes over to the last observation, and the share of boards that it takes from there then.
const CHANGE: [usize; 2] = [10, 60];
const CHANGED: f64 = 0.5;
/// The number of boards that are made up in search of one that fits the last observation; after them any board will do.
const MOST_SCATTERED: usize = 200;

/// The boards that a sampler looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampler {
    /// `los`: those that fit the last observation.
    Last,
    /// `aosp`: a pool of those that fit all observations.
    All,
    /// `hs`: those of the pool first, later the others too.
    Hybrid,
}

impl Sampler {
    /// Whether it keeps a pool.
    #[must_use]
    pub fn pools(self) -> bool {
        self != Sampler::Last
    }

    /// The share of boards that fit the last observation alone.
    fn share(self, moves: usize, invented: bool) -> f64 {
        match self {
            Sampler::Last => 1.0,
            Sampler::All => 0.0,
            Sampler::Hybrid if invented => 1.0,
            Sampler::Hybrid => {
                let [first, last] = CHANGE;
                CHANGED * moves.saturating_sub(first).min(last - first) as f64 / (last - first) as f64
            }
        }
    }
}

impl Style for Sampler {
    fn choose(&mut self, scene: &mut Scene<'_>) -> (usize, Vec<Insight>) {
        let (pool, invented) =
            scene.belief.map_or((&[][..], true), |(belief, invented)| (belief.positions(), invented));
        let share = self.share(scene.past.moves, invented);
        let scatter = Scatter::new(scene.rules, scene.view, scene.past);
        let mut tally = Tally::new(scene.tries, scene.sign());
        // The pool is in a random order.
        let mut pool = pool.iter();
        while tally.boards < FEWEST || !scene.meter.is_used_up() {
            let drawn = if scene.random.unit() < share { None } else { pool.next().copied() };
            let Some(position) = drawn.or_else(|| scatter.position(share, scene.random)) else { break };
            scene.meter.spend(tally.add(&position, scene.leaves));
        }
        let bonuses: Vec<f64> = scene.tries.iter().map(|&m| scene.bonus(m)).collect();
        tally.chosen(&bonuses, scene.random)
    }
}

/// What tries are worth on the boards so far.
pub(super) struct Tally<'t> {
    tries: &'t [Move],
    places: FxHashMap<Move, usize>,
    sign: f64,
    boards: usize,
    /// For every try on how many boards it was legal, and the sum of its values there.
    legal: Vec<usize>,
    sums: Vec<f64>,
    moves: Vec<Move>,
}

impl<'t> Tally<'t> {
    pub(super) fn new(tries: &'t [Move], sign: f64) -> Tally<'t> {
        let places = tries.iter().copied().zip(0..).collect();
        let (legal, sums) = (vec![0; tries.len()], vec![0.0; tries.len()]);
        Tally { tries, places, sign, boards: 0, legal, sums, moves: Vec::new() }
    }

    /// Values the tries on one more board, and returns how many were legal there.
    pub(super) fn add(&mut self, position: &Position, leaves: &mut Values) -> usize {
        let Tally { places, moves, .. } = self;
        moves.clear();
        position.each_move(|_, m| moves.extend(Some(m).filter(|m| places.contains_key(m))));
        for (m, value) in self.moves.iter().zip(leaves.after(position.board(), &self.moves)) {
            let (place, value) = (self.places[m], self.sign * value);
            self.legal[place] += 1;
            self.sums[place] += if value >= 1.0 { MATE } else { value };
        }
        self.boards += 1;
        self.moves.len().max(1)
    }

    /// How many boards were looked at.
    pub(super) fn boards(&self) -> usize {
        self.boards
    }

    /// For every try its mean value where it was legal, if it was anywhere.
    pub(super) fn means(&self) -> Vec<Option<f64>> {
        let mean = |(sum, &legal): (&f64, &usize)| (legal > 0).then(|| sum / legal as f64);
        self.sums.iter().zip(&self.legal).map(mean).collect()
    }

    /// For every try the share of boards on which it was legal.
    pub(super) fn shares(&self) -> Vec<f64> {
        self.legal.iter().map(|&legal| legal as f64 / self.boards as f64).collect()
    }

    /// The best try once these are added, and what was thought of each that was legal on some board.
    fn chosen(&self, bonuses: &[f64], random: &mut Random) -> (usize, Vec<Insight>) {
        let (means, shares) = (self.means(), self.shares());
        let open: Vec<(usize, f64)> = means
            .iter()
            .enumerate()
            .filter_map(|(place, mean)| Some((place, (*mean)? + bonuses[place])))
            .collect();
        let scores: Vec<f64> = open.iter().map(|(_, mean)| *mean).collect();
        let Some(&(best, _)) = open.get(near_best(&scores, MARGIN, random)) else {
            return (random.below(self.tries.len()), Vec::new());
        };
        let thought = |&(place, mean): &(usize, f64)| Insight {
            chosen: place == best,
            ..insight(self.tries[place], mean, shares[place])
        };
        (best, open.iter().map(thought).collect())
    }
}

/// Makes up boards that fit the last observation: the own pieces, as many of theirs as are left, and what was announced.
struct Scatter<'s> {
    rules: &'s Kriegspiel,
    view: &'s KriegspielView,
    /// Their pawns, and their other pieces without the king, at the start.
    first: [Vec<Piece>; 2],
    taken: [usize; 3],
}

impl<'s> Scatter<'s> {
    fn new(rules: &'s Kriegspiel, view: &'s KriegspielView, past: &Past) -> Scatter<'s> {
        let them = !view.pieces.color();
        let all = |pieces: &[Piece]| {
            pieces
                .iter()
                .flat_map(|&piece| vec![piece; rules.start.men(them, piece).len() as usize])
                .collect()
        };
        let others = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
        Scatter { rules, view, first: [all(&[Piece::Pawn]), all(&others)], taken: past.taken }
    }

    /// A position that fits, or one that only could be if none is found; `None` if that is not found either, or none is
    /// wanted.
    fn position(&self, share: f64, random: &mut Random) -> Option<Position> {
        if share <= 0.0 {
            return None;
        }
        let mut spare = None;
        for _ in 0..MOST_SCATTERED {
            let Some(board) = self.scattered(random) else { continue };
            if fits(self.view, &board) {
                return Some(self.supposed(board));
            }
            if spare.is_none() && is_possible(self.rules.ruleset, &board) {
                spare = Some(board);
            }
        }
        spare.map(|board| self.supposed(board))
    }

    fn supposed(&self, board: Board) -> Position {
        Position::of(&scuro_games::kriegspiel::KriegspielState::supposed(self.view, board))
    }

    /// Their pieces on random squares.
    fn scattered(&self, random: &mut Random) -> Option<Board> {
        let (me, them) = (self.view.pieces.color(), !self.view.pieces.color());
        let mut pieces = self.left(random);
        let mut free = !self.view.pieces.all();
        if self.denies_pawn_captures() {
            let [left, right] = diagonally_ahead(self.view.pieces.pieces(Piece::Pawn), me);
            free &= !(left | right);
        }
        let mut placed: Vec<(Color, Piece, Square)> = Vec::with_capacity(32);
        if let Some(capture) = self.view.announcement.capture.filter(|capture| free.has(capture.square)) {
            let piece = pieces.swap_remove(random.below(pieces.len()));
            placed.push((them, piece, capture.square));
            free ^= capture.square.bitboard();
        }
        for piece in pieces {
            let square = self.square(piece, free, random)?;
            placed.push((them, piece, square));
            free ^= square.bitboard();
        }
        let mine = self.view.pieces.all().into_iter();
        placed.extend(mine.filter_map(|square| Some((me, self.view.pieces.man_on(square)?, square))));
        let board = Board::set_up(me, placed, self.view.pieces.castling(), None);
        (board.men(them, Piece::King).len() == 1).then_some(board)
    }

    /// Whether it was said that no pawn of the player can capture: boards on which one could would hardly ever fit.
    fn denies_pawn_captures(&self) -> bool {
        match self.view.announcement.tries {
            PawnTries::Count(count) => count == 0,
            PawnTries::Fact(fact) => !fact,
            PawnTries::From(squares) => squares.is_empty(),
            PawnTries::Unsaid => self.view.question == Question::Denied,
        }
    }

    /// The pieces that they may have left, the king first.
    fn left(&self, random: &mut Random) -> Vec<Piece> {
        let [mut pawns, mut others] = self.first.clone();
        let [taken_pawns, taken_others, unknown] = self.taken;
        pawns.truncate(pawns.len().saturating_sub(taken_pawns));
        for _ in 0..taken_others.min(others.len()) {
            others.swap_remove(random.below(others.len()));
        }
        others.append(&mut pawns);
        for _ in 0..unknown.min(others.len()) {
            others.swap_remove(random.below(others.len()));
        }
        others.insert(0, Piece::King);
        others
    }

    fn square(&self, piece: Piece, free: BitBoard, random: &mut Random) -> Option<Square> {
        let edges = Rank::First.bitboard() | Rank::Eighth.bitboard();
        let open = if piece == Piece::Pawn { free & !edges } else { free };
        // Most squares are free, so that a few draws find one.
        (0..64).map(|_| Square::ALL[random.below(64)]).find(|&square| open.has(square))
    }
}

#[cfg(test)]
mod tests {
    use scuro_games::kriegspiel::{KriegspielState, Ruleset};
    use scuro_games::umpire::Umpire;

    use super::*;
    use crate::contestant::Allowance;
    use crate::name::Eval;
    use crate::player::Playable;

    /// Boards that are made up fit what was said, and have the right numbers of pieces.
    #[test]
    fn boards_of_the_last_observation_fit_it() {
        let fen = "rnbqkb1r/ppp1pppp/8/3p4/4P1n1/7P/PPPP1PP1/RNBQKBNR w KQkq - 0 1";
        let start: Board = fen.parse().unwrap();
        for ruleset in Ruleset::ALL {
            let rules = Kriegspiel { start, ruleset };
            let mut umpire = Umpire::new(rules);
            let mut past = Past::default();
            for (side, word) in [(Color::White, "h3g4"), (Color::Black, "d5e4"), (Color::White, "a2b3")] {
                umpire.play(side, word.parse().unwrap()).unwrap();
            }
            past.taken[if ruleset.names_taken() { 1 } else { 2 }] = 1;
            let view = umpire.seat(Color::White).view();
            let scatter = Scatter::new(&rules, view, &past);
            let mut random = Random::new(1);
            for _ in 0..20 {
                let position = scatter.position(1.0, &mut random).unwrap();
                let state = KriegspielState::supposed(view, *position.board());
                let fresh = KriegspielState::new(ruleset, *position.board());
                assert!(fits(view, position.board()), "{ruleset}: {}", position.board());
                assert_eq!(fresh.announcement().tries, view.announcement.tries);
                assert!(!state.is_legal("a2b3".parse().unwrap()));
                assert_eq!(position.board().colors(Color::Black).len(), 15);
                assert!(position.board().colors(Color::Black).has(Square::E4));
                let pawns = position.board().men(Color::Black, Piece::Pawn).len();
                assert!(
                    pawns == 8 || ruleset == Ruleset::English && (7..=8).contains(&pawns),
                    "{ruleset}: {pawns}"
                );
            }
        }
    }

    /// The twin: every try by itself on every board, as chess has it.
    #[test]
    fn a_try_is_worth_its_mean_where_it_is_legal() {
        let rules = Kriegspiel::default();
        let mut umpire = Umpire::new(rules);
        umpire.play(Color::White, "e2e4".parse().unwrap()).unwrap();
        umpire.play(Color::Black, "d7d5".parse().unwrap()).unwrap();
        let view = umpire.seat(Color::White).view();
        let boards: Vec<Position> = [
            "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/ppppp1pp/8/5p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1",
        ]
        .map(|fen| Position::of(&KriegspielState::supposed(view, fen.parse().unwrap())))
        .to_vec();
        let mut leaves = Values::new(Eval::Simple.evaluators(1, rules.value_rules()).unwrap().remove(0));
        let mut choices = Vec::new();
        view.pieces.possible_tries(&mut choices);
        let mut tally = Tally::new(&choices, 1.0);
        boards.iter().for_each(|position| {
            tally.add(position, &mut leaves);
        });
        let (best, insights) = tally.chosen(&vec![0.0; choices.len()], &mut Random::new(1));
        for insight in &insights {
            let m: Move = insight.choice.parse().unwrap();
            let legal: Vec<&Position> = boards
                .iter()
                .filter(|position| KriegspielState::supposed(view, *position.board()).is_legal(m))
                .collect();
            let value: f64 = legal.iter().map(|position| leaves.value(&position.board().play(m))).sum();
            let slow = [("value", value / legal.len() as f64), ("legal", legal.len() as f64 / 2.0)];
            assert!(
                insight
                    .parts
                    .iter()
                    .zip(slow)
                    .all(|(fast, slow)| fast.0 == slow.0 && (fast.1 - slow.1).abs() < 1e-6),
                "{insight:?} {slow:?}"
            );
        }
        assert!(insights.len() >= 30 && insights.iter().filter(|insight| insight.chosen).count() == 1);
        assert!(view.pieces.is_pawn_capture(choices[best]));
    }

    #[test]
    fn hs_goes_over_to_the_last_observation() {
        for (moves, share) in [(0, 0.0), (10, 0.0), (35, 0.25), (60, 0.5), (99, 0.5)] {
            assert!((Sampler::Hybrid.share(moves, false) - share).abs() < 1e-12, "{moves}");
        }
        assert_eq!(
            [Sampler::Hybrid, Sampler::All, Sampler::Last].map(|it| it.share(0, true)),
            [1.0, 0.0, 1.0]
        );
    }

    /// A mate in one is found by all of them.
    #[test]
    fn samplers_mate_in_one() {
        let start: Board = "7k/8/6K1/8/8/8/8/R7 w - - 0 1".parse().unwrap();
        let rules = Kriegspiel { start, ..Kriegspiel::default() };
        for name in ["los", "aosp", "hs"] {
            let agent = super::super::name::KriegspielAgent::named(name, "eval=simple").unwrap();
            let mut player = agent.seat(rules, Color::White, 1).unwrap();
            let choices = Umpire::new(rules).choices();
            let chosen = player.choose(&choices, Allowance::Nodes(2_000)).unwrap();
            if name != "los" {
                assert_eq!(chosen.to_string(), "a1a8", "{name}");
            }
            assert!(choices.contains(&chosen) && player.insights().iter().any(|insight| insight.chosen));
        }
    }
}
