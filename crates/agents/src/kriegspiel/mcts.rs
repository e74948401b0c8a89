//! `mcts`: tree search over messages, after approach C of Ciancarini and Favini (2010).
//!
//! The tree has three tiers: a try, what the umpire says to it, and what he says to the opponent's move. No position is
//! played out: how likely each message is follows from matrices that say where kings, pawns and other pieces stand, and which
//! squares are attacked, as shares of the belief. A new node is worth the material that the messages of one move bring, with
//! what is taken back; a node is worth its best try.

use scuro_core::Random;
use scuro_games::chess::{
    BitBoard, Board, Color, Move, OwnPieces, Piece, Square, between, diagonally_ahead, piece_attacks,
};
use scuro_games::kriegspiel::{KriegspielState, Try};
use scuro_search::belief::Belief;

use super::shell::{Scene, Style, insight};
use crate::contestant::Insight;

/// The number of positions of the belief that make the matrices.
const LOOKED_AT: usize = 300;
/// How much exploring counts (UCT), in what a queen is worth.
const EXPLORE: f64 = 1.4;
/// What a mate is worth, and what it costs to draw, in pawns.
const MATE: f64 = 20.0;
const DRAW: f64 = 5.0;
/// How often a piece that can be taken is: usually, and where the player has just taken.
const TAKEN: f64 = 0.15;
const TAKEN_BACK: f64 = 0.7;
/// What a piece other than a pawn is worth if nobody says which it is.
const PIECE: f64 = 4.0;
/// What later moves count beside earlier ones, and how many are looked ahead.
const LATER: f64 = 0.9;
const DEPTH: usize = 4;
/// What a step of a pawn is worth, and a square that is attacked.
const STEP: f64 = 0.05;
const SQUARE: f64 = 0.02;
/// The pawns that are worth as much as a game that is won.
const IN_PAWNS: f64 = 20.0;
/// Simulations that cost as much as valuing a position.
const SIMULATIONS_A_NODE: usize = 4;

/// The player's style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mcts;

impl Style for Mcts {
    fn choose(&mut self, scene: &mut Scene<'_>) -> (usize, Vec<Insight>) {
        let Some((belief, _)) = scene.belief else {
            return (scene.random.below(scene.tries.len()), Vec::new());
        };
        let world = World::of(belief, scene.view.pieces);
        let odds: Vec<Odds> = Odds::of(belief, scene);
        let mut search = Search { nodes: vec![Node::new(scene.tries)], odds };
        for edge in &mut search.nodes[0].edges {
            edge.bonus = IN_PAWNS * scene.bonus(edge.m);
        }
        let mut simulations = 0;
        while simulations < scene.tries.len() || !scene.meter.is_used_up() {
            search.simulate(0, &mut world.clone(), DEPTH, scene.random);
            simulations += 1;
            if simulations % SIMULATIONS_A_NODE == 0 {
                scene.meter.spend(1);
            }
        }
        search.chosen()
    }
}

/// The matrices: for every square how likely a king, a pawn or another piece of theirs stands there, and how likely they can
/// take there; and the own pieces.
#[derive(Clone)]
struct World {
    pieces: OwnPieces,
    kings: [f64; 64],
    pawns: [f64; 64],
    others: [f64; 64],
    attacked: [f64; 64],
}

impl World {
    fn of(belief: &Belief<scuro_games::kriegspiel::Position>, pieces: OwnPieces) -> World {
        let mut world =
            World { pieces, kings: [0.0; 64], pawns: [0.0; 64], others: [0.0; 64], attacked: [0.0; 64] };
        let held: Vec<_> = belief.weighted().take(LOOKED_AT).collect();
        let total: f64 = held.iter().map(|held| held.weight).sum();
        for held in &held {
            let (board, share) = (held.position.board(), held.weight / total);
            for square in board.colors(!pieces.color()) {
                let matrix = match board.piece_there(square) {
                    Piece::King => &mut world.kings,
                    Piece::Pawn => &mut world.pawns,
                    _ => &mut world.others,
                };
                matrix[square as usize] += share;
            }
            for square in attacked(board, !pieces.color()) {
                world.attacked[square as usize] += share;
            }
        }
        world
    }

    /// How likely one of their pieces stands there.
    fn occupied(&self, square: Square) -> f64 {
        let place = square as usize;
        (self.kings[place] + self.pawns[place] + self.others[place]).min(1.0)
    }

    /// What the umpire says to a try, drawn by the matrices.
    fn message(&self, m: Move, random: &mut Random) -> Message {
        let way = between(m.from(), m.to())
            .into_iter()
            .fold(1.0, |free, square| free * (1.0 - self.occupied(square)));
        let (to, pawn) = (m.to() as usize, self.pieces.pieces(Piece::Pawn).has(m.from()));
        let there = self.occupied(m.to());
        let legal = match pawn {
            true if self.pieces.is_pawn_capture(m) => there,
            true => way * (1.0 - there),
            false if self.pieces.pieces(Piece::King).has(m.from()) => {
                way * (1.0 - self.attacked[to]).max(0.0)
            }
            false => way * (1.0 - self.kings[to]),
        };
        if random.unit() >= legal {
            return Message::Refused;
        }
        let taken = self.pawns[to] + self.others[to];
        let takes = if pawn { if self.pieces.is_pawn_capture(m) { 1.0 } else { 0.0 } } else { taken };
        if takes <= 0.0 || random.unit() >= takes {
            return Message::Silent;
        }
        if random.unit() * taken < self.pawns[to] { Message::Pawn } else { Message::Piece }
    }

    /// Makes a move to which the umpire said this, and returns what it brings.
    fn make(&mut self, m: Move, said: Message) -> f64 {
        let pawn = self.pieces.pieces(Piece::Pawn).has(m.from());
        let before = mobility(&self.pieces);
        self.pieces = self.pieces.moved(m);
        for square in between(m.from(), m.to()) | m.to().bitboard() {
            let place = square as usize;
            (self.pawns[place], self.others[place], self.kings[place]) = (0.0, 0.0, 0.0);
        }
        let promoted = m.promotion().map_or(0.0, |becomes| worth(becomes) - worth(Piece::Pawn));
        let gained = match said {
            Message::Pawn => worth(Piece::Pawn),
            Message::Piece => PIECE,
            Message::Won => MATE,
            Message::Drawn => -DRAW,
            Message::Silent | Message::Refused => 0.0,
        };
        let quiet = if pawn { STEP } else { SQUARE * (mobility(&self.pieces) - before) };
        gained + promoted + quiet
    }

    /// What the umpire says to the opponent's move: where it takes, if it does, and what that costs once it is taken back.
    fn reply(&mut self, last: Move, captured: bool, random: &mut Random) -> (Option<Square>, f64) {
        for square in self.pieces.all() {
            let often = if captured && square == last.to() { TAKEN_BACK } else { TAKEN };
            let king = self.pieces.pieces(Piece::King).has(square);
            if king || random.unit() >= often * self.attacked[square as usize] {
                continue;
            }
            let lost = self.pieces.man_on(square).map_or(0.0, worth);
            self.pieces = self.pieces.lost(square);
            let back = if guarded(&self.pieces, square) { 0.5 * (worth(Piece::Pawn) + PIECE) } else { 0.0 };
            self.others[square as usize] = 1.0;
            return (Some(square), back.min(lost) - lost);
        }
        (None, 0.0)
    }
}

/// What the umpire may say to a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Message {
    Refused,
    Silent,
    Pawn,
    Piece,
    Won,
    Drawn,
}

/// How often each message came to a try of the root, on positions of the belief.
#[derive(Clone, Copy, Debug, Default)]
struct Odds {
    refused: f64,
    pawn: f64,
    piece: f64,
    won: f64,
    drawn: f64,
}

impl Odds {
    /// Of all tries.
    fn of(belief: &Belief<scuro_games::kriegspiel::Position>, scene: &mut Scene<'_>) -> Vec<Odds> {
        let held: Vec<_> = belief.weighted().take(LOOKED_AT).collect();
        let total: f64 = held.iter().map(|held| held.weight).sum();
        let mut odds = vec![Odds::default(); scene.tries.len()];
        for held in &held {
            let state = KriegspielState::supposed(scene.view, *held.position.board());
            for (odds, &m) in odds.iter_mut().zip(scene.tries) {
                let share = match message(&state, m) {
                    Message::Refused => &mut odds.refused,
                    Message::Pawn => &mut odds.pawn,
                    Message::Piece => &mut odds.piece,
                    Message::Won => &mut odds.won,
                    Message::Drawn => &mut odds.drawn,
                    Message::Silent => continue,
                };
                *share += held.weight / total;
            }
        }
        scene.meter.spend(held.len());
        odds
    }

    fn draw(&self, random: &mut Random) -> Message {
        let mut rest = random.unit();
        let all = [
            (self.refused, Message::Refused),
            (self.pawn, Message::Pawn),
            (self.piece, Message::Piece),
            (self.won, Message::Won),
            (self.drawn, Message::Drawn),
        ];
        let drawn = all.into_iter().find(|(share, _)| {
            rest -= share;
            rest < 0.0
        });
        drawn.map_or(Message::Silent, |(_, message)| message)
    }
}

/// What the umpire says to a try on a board.
fn message(state: &KriegspielState, m: Move) -> Message {
    if !state.is_legal(m) {
        return Message::Refused;
    }
    let board = state.board();
    let after = board.play(m);
    let checks = after.in_check(after.side());
    // Only a check, or a board of few pieces, can end the game.
    if checks || after.colors(after.side()).len() <= 3 {
        let (_, next) = state.attempt(Try::Move(m));
        match next.outcome().map(|outcome| outcome.winner) {
            Some(Some(_)) => return Message::Won,
            Some(None) => return Message::Drawn,
            None => {}
        }
    }
    match board.captured_by(m) {
        Some((_, Piece::Pawn)) => Message::Pawn,
        Some(_) => Message::Piece,
        None => Message::Silent,
    }
}

/// A node of the first tier: the player is to try.
struct Node {
    edges: Vec<Edge>,
    visits: u32,
}

/// A try, with the nodes that messages lead to.
struct Edge {
    m: Move,
    bonus: f64,
    visits: u32,
    made: u32,
    sum: f64,
    children: Vec<((Message, Option<Square>), usize)>,
}

impl Edge {
    fn mean(&self) -> f64 {
        self.bonus + if self.made > 0 { self.sum / f64::from(self.made) } else { 0.0 }
    }
}

impl Node {
    fn new(tries: &[Move]) -> Node {
        let edge = |&m| Edge { m, bonus: 0.0, visits: 0, made: 0, sum: 0.0, children: Vec::new() };
        Node { edges: tries.iter().map(edge).collect(), visits: 0 }
    }

    /// Its best try's mean.
    fn best(&self) -> f64 {
        let tried = self.edges.iter().filter(|edge| edge.made > 0).map(Edge::mean);
        tried.max_by(f64::total_cmp).unwrap_or_default()
    }

    /// The try to look at next that was not refused in this simulation (UCT).
    fn selected(&self, refused: &[usize]) -> Option<usize> {
        // A logarithm that is the same on every machine.
        let logarithm = std::f64::consts::LN_2 * f64::from((self.visits + 2).ilog2());
        let score = |edge: &Edge| match edge.visits {
            0 => f64::INFINITY,
            visits => edge.mean() + EXPLORE * (logarithm / f64::from(visits)).sqrt(),
        };
        let open = self.edges.iter().enumerate().filter(|(place, _)| !refused.contains(place));
        let scores = open.map(|(place, edge)| (place, score(edge)));
        // The first of several that are as good.
        scores.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(place, _)| place)
    }
}

struct Search {
    nodes: Vec<Node>,
    odds: Vec<Odds>,
}

impl Search {
    /// The material that a simulation from a node on brings.
    fn simulate(&mut self, node: usize, world: &mut World, depth: usize, random: &mut Random) -> f64 {
        self.nodes[node].visits += 1;
        let mut refused = Vec::new();
        loop {
            let Some(place) = self.nodes[node].selected(&refused) else { return 0.0 };
            let m = self.nodes[node].edges[place].m;
            self.nodes[node].edges[place].visits += 1;
            let said = if node == 0 { self.odds[place].draw(random) } else { world.message(m, random) };
            if said == Message::Refused {
                refused.push(place);
                continue;
            }
            let value = self.made(node, place, world, said, depth, random);
            let edge = &mut self.nodes[node].edges[place];
            edge.made += 1;
            edge.sum += value;
            return self.nodes[node].best();
        }
    }

    /// What a move brings to which the umpire said this: now, by the opponent's move, and later.
    fn made(
        &mut self,
        node: usize,
        place: usize,
        world: &mut World,
        said: Message,
        depth: usize,
        random: &mut Random,
    ) -> f64 {
        let m = self.nodes[node].edges[place].m;
        let gained = world.make(m, said);
        if matches!(said, Message::Won | Message::Drawn) {
            return gained;
        }
        let (lost, cost) = world.reply(m, said != Message::Silent, random);
        let children = &self.nodes[node].edges[place].children;
        let known = children.iter().find(|(messages, _)| *messages == (said, lost)).map(|(_, child)| *child);
        let later = match known {
            Some(child) if depth > 1 => {
                if self.nodes[child].edges.is_empty() {
                    let mut tries = Vec::new();
                    world.pieces.possible_tries(&mut tries);
                    self.nodes[child] = Node::new(&tries);
                }
                LATER * self.simulate(child, world, depth - 1, random)
            }
            Some(_) => 0.0,
            None => {
                let child = self.nodes.len();
                self.nodes.push(Node::new(&[]));
                self.nodes[node].edges[place].children.push(((said, lost), child));
                0.0
            }
        };
        gained + cost + later
    }

    /// The try with the best mean of those that may be legal.
    fn chosen(&self) -> (usize, Vec<Insight>) {
        let edges = &self.nodes[0].edges;
        let tried = (0..edges.len()).filter(|&place| edges[place].made > 0);
        let best = tried.clone().max_by(|&one, &two| edges[one].mean().total_cmp(&edges[two].mean()));
        let chosen = best.unwrap_or_default();
        let thought = |place: usize| {
            let edge = &edges[place];
            Insight {
                chosen: place == chosen,
                ..insight(edge.m, edge.mean(), 1.0 - self.odds[place].refused)
            }
        };
        (chosen, tried.map(thought).collect())
    }
}

/// What a piece is worth.
fn worth(piece: Piece) -> f64 {
    match piece {
        Piece::Pawn => 1.0,
        Piece::Knight | Piece::Bishop => 3.0,
        Piece::Rook => 5.0,
        Piece::Queen => 9.0,
        Piece::King => MATE,
    }
}

/// The squares on which `color` may take.
fn attacked(board: &Board, color: Color) -> BitBoard {
    let [left, right] = diagonally_ahead(board.men(color, Piece::Pawn), color);
    let mut all = left | right;
    for square in board.colors(color) & !board.pieces(Piece::Pawn) {
        all |= piece_attacks(board.piece_there(square), square, board.occupied());
    }
    all
}

/// How many squares own pieces reach.
fn mobility(pieces: &OwnPieces) -> f64 {
    f64::from(attacked(&pieces.alone(), pieces.color()).len())
}

/// Whether an own piece guards a square.
fn guarded(pieces: &OwnPieces, square: Square) -> bool {
    attacked(&pieces.alone(), pieces.color()).has(square)
}

#[cfg(test)]
mod tests {
    use scuro_games::kriegspiel::{Answer, Position, Ruleset};

    use super::*;

    /// The odds of the root are what the umpire says on the positions of the belief.
    #[test]
    fn messages_are_what_the_umpire_says() {
        for fen in ["6k1/5ppp/8/8/2p5/1P6/5PPP/4R1K1 w - - 0 1", "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"] {
            let state = KriegspielState::new(Ruleset::Icc, fen.parse().unwrap());
            let (mut tries, mut kinds) = (Vec::new(), Vec::new());
            OwnPieces::of(state.board(), Color::White).possible_tries(&mut tries);
            for m in tries {
                let slow = match state.attempt(Try::Move(m)).0 {
                    Answer::Made(said) => {
                        match (said.end.map(|end| end.winner), said.capture.and_then(|it| it.taken)) {
                            (Some(Some(_)), _) => Message::Won,
                            (Some(None), _) => Message::Drawn,
                            (None, Some(scuro_games::kriegspiel::Taken::Pawn)) => Message::Pawn,
                            (None, Some(_)) => Message::Piece,
                            (None, None) => Message::Silent,
                        }
                    }
                    _ => Message::Refused,
                };
                assert_eq!(message(&state, m), slow, "{m}");
                kinds.push(slow);
            }
            assert!(
                kinds.contains(&Message::Won)
                    && kinds.contains(&Message::Refused)
                    && kinds.contains(&Message::Silent)
            );
        }
    }

    /// The matrices of a belief that is certain are its board.
    #[test]
    fn matrices_are_shares_of_the_belief() {
        let board: Board = "4k3/3p4/8/8/8/8/4r3/K7 w - - 0 1".parse().unwrap();
        let position = Position::of(&KriegspielState::new(Ruleset::Icc, board));
        let world = World::of(&Belief::certain(position, 1, 1), OwnPieces::of(&board, Color::White));
        for square in Square::ALL {
            let place = square as usize;
            let there =
                board.man_on(square).filter(|(color, _)| *color == Color::Black).map(|(_, piece)| piece);
            let is = |piece| f64::from(u8::from(there == Some(piece)));
            assert_eq!(
                [world.kings[place], world.pawns[place], world.others[place]],
                [is(Piece::King), is(Piece::Pawn), is(Piece::Rook)]
            );
            let can_take = f64::from(u8::from(board.attacked(square, Color::Black)));
            assert_eq!(world.attacked[place], can_take, "{square}");
        }
    }
}
