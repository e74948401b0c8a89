//! Fog of War: the player of the paper, told her views line by line.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use scuro_core::Random;
use scuro_games::chess::{Board, Color, Move, Piece, Square, letter};
use scuro_games::fog::View;
use scuro_games::kriegspiel::OwnMen;
use scuro_search::agent::Thought;

use super::options::Options;
use super::seat::{Heard, Say, Seat, foreign, side_word};
use crate::contestant::drawn;
use crate::player::FogPlayer;
use crate::protocol::{Answer, Choice, Command, Go, Info};

/// So many positions of a belief tell where their men may be: they stand in no order, so the first ones are a sample.
const LOOKED_AT: usize = 2_000;
/// So many of the likeliest squares of a man are told.
const LIKELIEST: usize = 8;

pub(super) struct FogSeat {
    player: FogPlayer,
    /// What she was last shown.
    view: View,
    /// What she has played since, unless she is shown otherwise.
    played: Option<Move>,
    random: Random,
    begun: bool,
}

impl FogSeat {
    pub(super) fn new(
        start: Board,
        side: Color,
        options: &Options,
        stop: Arc<AtomicBool>,
    ) -> Result<FogSeat, String> {
        let player = FogPlayer::new(start, side, &options.agent, options.threads);
        let mut player = player.map_err(|error| error.to_string())?;
        player.stop_by(stop);
        let (view, random) = (View::of(&start, side), Random::new(options.seed()));
        Ok(FogSeat { player, view, played: None, random, begun: false })
    }

    fn me(&self) -> Color {
        self.player.color()
    }

    /// Any position that she believes: her own men stand there as in all of them.
    fn some_position(&self) -> Option<&Board> {
        self.player.belief().positions().first()
    }

    /// Her moves, if it is her turn: in all positions that she believes they are the same.
    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        let to_move = self.some_position().filter(|board| board.side() == self.me());
        to_move.into_iter().for_each(|board| board.pseudo_legal(&mut moves));
        moves
    }

    fn see(&mut self, text: &str) -> Result<(), String> {
        let view = View::parse(text, self.me()).map_err(|error| error.to_string())?;
        if same(&view, &self.view) {
            return Ok(());
        }
        let mine = self.view.side() == self.me();
        let own = match (mine, self.played, view.side() == self.me()) {
            (true, Some(m), _) => Some(m),
            (true, None, _) => return Err("view: it is your turn, and nothing was played".to_owned()),
            (false, _, true) => None,
            (false, _, false) => return Err("view: after their move it is your turn".to_owned()),
        };
        self.check_men(own, &view)?;
        let seen = self.player.see_if_possible(own, &view);
        seen.map_err(|_| "view: no position fits it and what was seen before".to_owned())?;
        (self.view, self.played, self.begun) = (view, None, true);
        Ok(())
    }

    /// Her own men, which she knows, must be there, but for one if they have moved.
    fn check_men(&self, own: Option<Move>, view: &View) -> Result<(), String> {
        let Some(board) = self.some_position() else { return Ok(()) };
        let men = own.map_or(OwnMen::of(board, self.me()), |m| OwnMen::of(board, self.me()).moved(m));
        let lost = men.all() & !view.own();
        let men = lost.into_iter().fold(men, OwnMen::lost);
        let same = Piece::ALL.into_iter().all(|piece| men.pieces(piece) == view.pieces(piece) & view.own());
        let most = u32::from(view.side() == self.me());
        if !same || lost.len() > most {
            return Err("view: your own men cannot stand like that".to_owned());
        }
        if men.castling() != view.castling() {
            return Err(format!("view: your castling rights are '{}'", men.castling()));
        }
        Ok(())
    }
}

/// What a player of so many possible positions thinks of a move.
fn info(thought: &Thought<Move>, chosen: Move, belief: usize) -> Info {
    let candidate = thought.candidates.iter().find(|candidate| candidate.action == chosen);
    let mut line = candidate.map_or(Vec::new(), |it| it.line.iter().map(Move::to_string).collect());
    if line.first() != Some(&chosen.to_string()) {
        line.insert(0, chosen.to_string());
    }
    Info {
        depth: Some(thought.depth),
        nodes: Some(thought.nodes),
        infosets: Some(thought.infosets),
        belief: Some(belief),
        score: Some(Info::score_of(thought.value)),
        line,
    }
}

/// Whether two views show the same, the number of the move aside.
fn same(one: &View, two: &View) -> bool {
    let told = |view: &View| (view.side(), view.lit(), view.own(), view.castling(), view.en_passant());
    told(one) == told(two) && Piece::ALL.into_iter().all(|piece| one.pieces(piece) == two.pieces(piece))
}

impl Seat for FogSeat {
    fn hear(&mut self, told: &Command) -> Result<Heard, String> {
        match told {
            Command::View(text) => self.see(text)?,
            Command::Played(Choice::Move(m)) if self.moves().contains(m) => {
                (self.played, self.begun) = (Some(*m), true);
            }
            Command::Played(choice) => return Err(format!("{choice} is not a move of yours now")),
            told => return Err(foreign(told, "Fog of War")),
        }
        Ok(Heard::Noted)
    }

    fn has_begun(&self) -> bool {
        self.begun
    }

    fn can_choose(&self, go: Go) -> Result<(), String> {
        if go.phase.is_some() {
            return Err("nothing is sensed in Fog of War".to_owned());
        }
        if self.view.side() != self.me() {
            return Err("it is not your turn: no view after their move was told".to_owned());
        }
        if self.moves().is_empty() { Err("you have no move".to_owned()) } else { Ok(()) }
    }

    fn choose(&mut self, go: Go, say: Say) -> Vec<Answer> {
        self.begun = true;
        let (moves, belief) = (self.moves(), self.player.belief().positions().len());
        self.player.tell(Some(Arc::new(move |thought| {
            let best = thought.candidates.iter().max_by(|one, two| one.played.total_cmp(&two.played));
            best.into_iter().for_each(|best| say(Answer::Info(info(thought, best.action, belief))));
        })));
        let thought = self.player.think(go.budget(self.me()));
        self.player.tell(None);
        let Some(chosen) = drawn(thought.as_ref(), &moves, &mut self.random) else { return Vec::new() };
        let mut answers: Vec<Answer> =
            thought.iter().map(|thought| Answer::Info(info(thought, chosen, belief))).collect();
        answers.push(Answer::BestMove(Choice::Move(chosen)));
        self.played = Some(chosen);
        answers
    }

    fn can_ponder(&self) -> bool {
        self.begun && self.view.side() != self.me() && self.player.tree().is_some()
    }

    fn ponder(&mut self) {
        self.player.ponder();
    }

    fn describe(&self) -> Vec<String> {
        let belief = self.player.belief();
        let (size, me) = (belief.positions().len(), self.me());
        let exact = if belief.is_sample() { "a sample" } else { "exact" };
        let mut lines = vec![
            format!("fogofwar {}, {} to move", side_word(me), side_word(self.view.side())),
            format!("view {}", self.view),
            format!("belief {size} positions, {exact}"),
        ];
        let looked_at = &belief.positions()[..size.min(LOOKED_AT)];
        for piece in Piece::ALL.into_iter().rev() {
            let mut squares: BTreeMap<Square, usize> = BTreeMap::new();
            let men = looked_at.iter().flat_map(|board| board.men(!me, piece));
            men.for_each(|square| *squares.entry(square).or_default() += 1);
            let mut squares: Vec<(Square, usize)> = squares.into_iter().collect();
            squares.sort_by_key(|&(_, times)| std::cmp::Reverse(times));
            let share = |times: usize| times as f64 / looked_at.len() as f64;
            let words =
                squares.iter().take(LIKELIEST).map(|&(at, times)| format!(" {at} {:.3}", share(times)));
            let words: String = words.collect();
            if !words.is_empty() {
                lines.push(format!("{}{words}", letter(piece, !me)));
            }
        }
        lines
    }
}
