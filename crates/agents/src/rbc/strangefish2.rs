//! StrangeFish2: senses where the best request after the answer is worth most and least doubtful, and requests by mean and
//! least score. Scores are centipawns with many small bonuses.
//!
//! It looks at a thousand boards at most, the dangerous ones first. Ours keeps all others too, and does not hurry on a short
//! clock: scores cost it little.

use scuro_eval::simple::pawns;
use scuro_games::chess::{
    BitBoard, Board, Color, File, Move, Piece, Square, diagonally_ahead, piece_attacks,
};
use scuro_games::rbc::Rbc;

use super::ahead::after;
use super::fish::{centipawns, plausibility};
use super::incentives::unsafe_attacker;
use super::matrix::{Cell, Row, near_best};
use super::pool::{Turns, Weights};
use super::sample::Sample;
use super::scout::{Scene, Style, Values};
use super::turns::{Alike, ONE};
use super::windows::Window;
use crate::contestant::Insight;

/// The player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StrangeFish2;

/// The most boards that are looked at for a sense, and for a request.
const FOR_SENSE: usize = 250;
const FOR_REQUEST: usize = 1_000;

/// The share of the least score in a compound.
const LEAST: f64 = 0.3;
/// Boards that a centipawn is worth when a sense rules them out.
const DIVISOR: f64 = 50.0;
/// Requests so close to the best are as good, in centipawns.
const MARGIN: f64 = 10.0;

/// How fast plausibility falls, and what is added to it.
const SCALE: f64 = 3_000.0;
const FLOOR: f64 = 0.02;
/// What a board is supposed to be worth to them on which they have left their king where it can be taken.
const CARELESS: f64 = -4_000.0;

/// Scores of what decides a game.
const TAKES_KING: f64 = 9_000.0;
const MATES: f64 = 8_000.0 * 0.95;
const INTO_CHECK: f64 = -7_000.0;
const STAYS_IN_CHECK: f64 = -2_000.0;
/// The share of what the board was worth before that is taken off.
const BEFORE: f64 = 0.15;

impl StrangeFish2 {
    /// Looks at boards: the most dangerous first, else in a random order.
    fn sample(self, scene: &mut Scene<'_>, most: usize) -> Sample {
        let me = scene.me();
        let mut order = scene.draw(usize::MAX, |_| 1.0);
        let held = scene.pool.held();
        order.sort_by_cached_key(|&place| std::cmp::Reverse(danger(held[place].board(), me)));
        order.truncate(most);
        let places = scene.look(order);
        let weights = places.iter().map(|&place| weight(held[place].board(), scene.row(place))).collect();
        let scores = places.iter().map(|&place| scores(held[place].board(), scene.row(place))).collect();
        Sample::new(places, weights, scores)
    }
}

/// How much a board asks for a look: the own king is attacked, may step where it is, or the queen is attacked.
fn danger(board: &Board, me: Color) -> u8 {
    let attacked = |square: Square| board.attacked(square, !me);
    let king = board.king(me);
    let checkers = king.map_or(BitBoard::EMPTY, |king| board.attackers(king, !me));
    let steps = king.map_or(BitBoard::EMPTY, |king| {
        piece_attacks(Piece::King, king, board.occupied()) & !board.colors(me)
    });
    if !checkers.is_empty() {
        let taken = checkers.len() == 1 && (checkers & steps).into_iter().any(|square| !attacked(square));
        return if taken { 3 } else { 4 };
    }
    if steps.into_iter().any(attacked) {
        return 2;
    }
    u8::from(board.men(me, Piece::Queen).into_iter().any(attacked))
}

/// How likely a board is, not scaled: how well they would stand there.
fn weight(board: &Board, row: &Row) -> f64 {
    let careless = board.in_check(!board.side());
    let evaluation = if careless { CARELESS } else { -centipawns(row.before) };
    plausibility(evaluation, SCALE) + FLOOR
}

/// The scores of all requests on a board.
fn scores(board: &Board, row: &Row) -> Vec<f64> {
    row.cells.iter().map(|cell| score(board, row, cell)).collect()
}

fn score(board: &Board, row: &Row, cell: &Cell) -> f64 {
    let me = board.side();
    if cell.takes_king {
        return TAKES_KING + material(board, board.colors(me)) - material(board, board.colors(!me));
    }
    if cell.exposed {
        return INTO_CHECK + if board.in_check(me) { STAYS_IN_CHECK } else { 0.0 };
    }
    if cell.raw.abs() >= 1.0 {
        return MATES * f64::from(cell.raw);
    }
    centipawns(cell.raw) - BEFORE * centipawns(row.before) + bonus(board, cell.taken, cell.sneaks)
}

/// What pieces are worth, in centipawns.
fn material(board: &Board, squares: BitBoard) -> f64 {
    squares.into_iter().map(|square| 100.0 * f64::from(pawns(board.piece_there(square)))).sum()
}

/// All bonuses of what is made of a request.
fn bonus(board: &Board, taken: Option<Move>, sneaks: bool) -> f64 {
    let after = after(board, taken);
    let me = board.side();
    let attack = if !sneaks {
        0.0
    } else if unsafe_attacker(&after).is_some() {
        -15.0
    } else {
        20.0
    };
    let all = attack - 0.1 * hanging(&after, me) - weak_squares(&after, me);
    let Some(m) = taken else { return all + 5.0 };
    let capture = if board.captured_by(m).is_some() { -5.0 } else { 0.0 };
    all + capture + threat(&after, m) + pawn(&after, m) - 15.0 * rights_lost(board, &after, m)
}

/// What own pieces are worth that are attacked and not defended.
fn hanging(after: &Board, me: Color) -> f64 {
    let hangs = |square: &Square| after.attacked(*square, !me) && !after.attacked(*square, me);
    let pieces = after.colors(me) & !after.pieces(Piece::King);
    material(
        after,
        pieces.into_iter().filter(hangs).fold(BitBoard::EMPTY, |all, square| all | square.bitboard()),
    )
}

/// The number of squares beside the own king that no other piece of its side stands on or guards.
fn weak_squares(after: &Board, me: Color) -> f64 {
    let Some(king) = after.king(me) else { return 0.0 };
    let beside = piece_attacks(Piece::King, king, after.occupied()) & !after.colors(me);
    let guards = |square: Square| after.attackers(square, me) & !king.bitboard();
    beside.into_iter().filter(|&square| guards(square).is_empty()).count() as f64
}

/// For a piece that can attack the king with its next move.
fn threat(after: &Board, m: Move) -> f64 {
    let (me, piece) = (!after.side(), after.piece_there(m.to()));
    let Some(king) = after.king(!me).filter(|_| piece != Piece::Pawn && piece != Piece::King) else {
        return 0.0;
    };
    let free = after.occupied() & !m.to().bitboard();
    let steps = piece_attacks(piece, m.to(), after.occupied()) & !after.colors(me) & !king.bitboard();
    let checks = |step: Square| piece_attacks(piece, step, free).has(king);
    if steps.into_iter().any(checks) { 15.0 } else { 0.0 }
}

/// For a pawn that attacks pieces, less if it is not safe there, and for one that has become a passed pawn.
fn pawn(after: &Board, m: Move) -> f64 {
    let (me, to) = (!after.side(), m.to());
    if after.piece_there(to) != Piece::Pawn {
        return 0.0;
    }
    let [left, right] = diagonally_ahead(to.bitboard(), me);
    let pressed = !((left | right) & after.colors(!me) & !after.pieces(Piece::Pawn)).is_empty();
    let safe = after.attackers(to, me).len() >= after.attackers(to, !me).len();
    let pressure = if pressed { if safe { 15.0 } else { 5.0 } } else { 0.0 };
    let stops = |pawn: Square| {
        let ahead = if me == Color::White { pawn.rank() > to.rank() } else { pawn.rank() < to.rank() };
        ahead && (pawn.file() as u8).abs_diff(to.file() as u8) < 2
    };
    pressure + if after.men(!me, Piece::Pawn).into_iter().any(stops) { 0.0 } else { 15.0 }
}

/// How many rights to castle are given up by a move that does not castle.
fn rights_lost(board: &Board, after: &Board, m: Move) -> f64 {
    let me = board.side();
    let castles = board.piece_there(m.from()) == Piece::King
        && (m.from().file() as u8).abs_diff(m.to().file() as u8) > 1;
    let given_up = |rook: &File| board.castling().has(me, *rook) && !after.castling().has(me, *rook);
    if castles { 0.0 } else { [File::A, File::H].iter().filter(|rook| given_up(rook)).count() as f64 }
}

/// What a sense is worth: parts and their sum.
fn outlook(sample: &Sample, window: &Window, boards: usize) -> (f64, Vec<(&'static str, f64)>) {
    let (chances, parts) = sample.parts(|i| window.answer[i], window.answers);
    let requests = parts.len() / window.answers;
    let answers = || parts.chunks(requests).zip(&chances);
    let best = |(parts, chance): (&[(f64, f64)], &f64)| {
        let compounds = parts.iter().map(|(sum, least)| (1.0 - LEAST) * sum / chance + LEAST * least);
        compounds.fold(f64::NEG_INFINITY, f64::max)
    };
    let outcomes: Vec<f64> = answers().map(best).collect();
    let (outcome, deviation) = spread(&chances, outcomes.iter().copied());
    let worst = outcomes.iter().copied().fold(f64::INFINITY, f64::min);
    let of_request = |request: usize| {
        let means = answers().map(|(parts, chance)| parts[request].0 / chance);
        spread(&chances, means).1
    };
    let doubt = (0..requests).map(of_request).sum::<f64>() / requests as f64;
    let ruled_out = boards as f64 * sample.reduction(|i| window.answer[i], window.answers);
    let score = outcome + 0.2 * worst - 0.3 * deviation + 0.15 * doubt + ruled_out / DIVISOR;
    let parts = vec![
        ("outcome", outcome),
        ("worst", worst),
        ("deviation", deviation),
        ("doubt", doubt),
        ("ruled_out", ruled_out),
    ];
    (score, parts)
}

/// The mean of numbers with these chances, and their standard deviation.
fn spread(chances: &[f64], numbers: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let mean: f64 = chances.iter().zip(numbers.clone()).map(|(chance, number)| chance * number).sum();
    let square = |number: f64| (number - mean) * (number - mean);
    let variance: f64 = chances.iter().zip(numbers).map(|(chance, number)| chance * square(number)).sum();
    (mean, variance.max(0.0).sqrt())
}

/// Drops windows whose answer follows from the answer of another that is kept.
fn independent(windows: Vec<Window>) -> Vec<Window> {
    let mut kept: Vec<Window> = Vec::new();
    let mut windows = windows;
    windows.sort_by_key(|window| std::cmp::Reverse(window.answers));
    for window in windows {
        if !kept.iter().any(|finer| finer.tells(&window)) {
            kept.push(window);
        }
    }
    kept
}

impl Style for StrangeFish2 {
    fn types(&self) -> Weights {
        ONE
    }

    fn turns<'t>(&'t self, _: &'t Rbc, _: &'t mut Values, _: usize) -> Box<dyn Turns + 't> {
        Box::new(Alike)
    }

    fn sense(&mut self, scene: &mut Scene<'_>) -> (Option<Square>, Vec<Insight>) {
        let boards = scene.pool.held().len();
        if boards == 1 {
            return (None, Vec::new());
        }
        let sample = self.sample(scene, FOR_SENSE);
        let held = scene.pool.held();
        let seen = sample.places.iter().map(|&place| held[place].board());
        let windows = independent(Window::all(seen.clone()));
        let insight = |window: &Window| {
            let (score, parts) = outlook(&sample, window, boards);
            let answers = window.likeliest(&sample.weights, seen.clone());
            Insight { choice: window.square.to_string(), score, parts, answers, chosen: false }
        };
        let insights = windows.iter().map(insight).collect();
        scene.best_window(&windows, insights, 1e-5)
    }

    fn request(&mut self, scene: &mut Scene<'_>) -> (usize, Vec<Insight>) {
        let sample = self.sample(scene, FOR_REQUEST);
        let (scores, means) = (sample.compounds(LEAST), sample.compounds(0.0));
        let insight = |place: usize| scene.insight(place, scores[place], vec![("mean", means[place])]);
        let mut insights: Vec<Insight> = (0..scores.len()).map(insight).collect();
        let made = |place: usize| scene.is_made(&sample.places, place);
        let open = |place: usize| if made(place) { scores[place] } else { f64::NEG_INFINITY };
        let open: Vec<f64> = (0..scores.len()).map(open).collect();
        let chosen = near_best(&open, MARGIN, scene.random);
        insights[chosen].chosen = true;
        (chosen, insights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rbc::incentives::attacks_king;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
    }

    #[test]
    fn bonuses_by_hand() {
        for (fen, m, expected) in [
            // A safe attack on the king, and further checks from h8; beside the own king three squares are weak.
            ("4k3/8/8/8/8/8/8/K6R w - - 0 1", "h1h8", 20.0 + 15.0 - 3.0),
            // The pass; nothing else but weak squares.
            ("4k3/8/8/8/8/8/8/K7 w - - 0 1", "", 5.0 - 3.0),
            // A passed pawn presses on a knight, not defended and not attacked.
            ("4k3/8/2n5/8/3P4/8/8/K7 w - - 0 1", "d4d5", 15.0 + 15.0 - 3.0),
            // The king leaves home and gives up both ways to castle.
            ("4k3/pppppppp/8/8/8/8/PPPP1PPP/R3K2R w KQ - 0 1", "e1e2", -30.0),
        ] {
            let board: Board = fen.parse().unwrap();
            let taken = (!m.is_empty()).then(|| m.parse().unwrap());
            let sneaks = attacks_king(&board, &after(&board, taken), taken);
            near(bonus(&board, taken, sneaks), expected);
        }
    }

    #[test]
    fn scores_of_what_decides_a_game() {
        let board: Board = "4k3/8/8/8/8/8/4q3/K6R w - - 0 1".parse().unwrap();
        let row = Row { before: 0.0, cells: Vec::new() };
        let cell =
            Cell { taken: None, takes_king: false, exposed: false, sneaks: false, quiet: true, raw: 0.0 };
        near(score(&board, &row, &Cell { takes_king: true, ..cell }), 9_000.0 + 500.0 - 900.0);
        near(score(&board, &row, &Cell { exposed: true, ..cell }), -7_000.0);
        near(score(&board, &row, &Cell { raw: 1.0, ..cell }), 7_600.0);
        near(weight(&board, &row), 0.5 + 0.02);
        let careless: Board = "4k3/8/8/8/8/8/8/K3R3 w - - 0 1".parse().unwrap();
        near(weight(&careless, &row), plausibility(-4_000.0, 3_000.0) + 0.02);
    }

    #[test]
    fn an_outlook_by_hand() {
        let (weights, scores) =
            (vec![0.5, 0.25, 0.25], vec![vec![4.0, 0.0], vec![0.0, 2.0], vec![-4.0, 6.0]]);
        let sample = Sample { places: vec![0, 1, 2], weights, scores };
        let window = Window { square: Square::D5, answer: vec![0, 1, 1], answers: 2 };
        // After the answers the compounds are 4 and 0, and 0.7 * -2 + 0.3 * -4 and 0.7 * 4 + 0.3 * 2.
        let (first, second) = (4.0, 3.4);
        let (mean, deviation) = ((first + second) / 2.0, (first - second) / 2.0);
        // The means of the requests differ by 6 and by 4 between the answers.
        let doubt = (3.0 + 2.0) / 2.0;
        let ruled_out = 30.0 * (1.0 - (1.0 * 0.5 + 2.0 * 0.5) / 3.0);
        let expected = mean + 0.2 * second - 0.3 * deviation + 0.15 * doubt + ruled_out / 50.0;
        near(outlook(&sample, &window, 30).0, expected);
    }

    #[test]
    fn windows_that_others_tell_are_dropped() {
        let window = |square, answer: Vec<usize>, answers| Window { square, answer, answers };
        let kept = independent(vec![
            window(Square::B2, vec![0, 0, 1, 1], 2),
            window(Square::C3, vec![0, 1, 2, 2], 3),
            window(Square::D4, vec![0, 1, 0, 1], 2),
        ]);
        let squares: Vec<Square> = kept.iter().map(|window| window.square).collect();
        assert_eq!(squares, [Square::C3, Square::D4]);
    }
}
