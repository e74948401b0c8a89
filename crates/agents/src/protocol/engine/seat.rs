//! A player at a game, told line by line.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use scuro_games::chess::{Piece, letter};
use scuro_games::rbc::Phase;
use scuro_search::agent::{ProgressSink, Thought};

use super::options::Options;
use crate::contestant::Contestant;
use crate::player::Player;
use crate::protocol::dialect::{Dialect, Line, Step};
use crate::protocol::{Answer, Command, Go, Info};

/// So many of the likeliest squares of a piece are told.
const LIKELIEST: usize = 8;

/// What comes of a line that told something.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Heard {
    /// It was taken in, and these are the answers.
    Noted(Vec<Answer>),
    /// It was taken in, these are the answers, and the player chooses again.
    Again(Vec<Answer>),
}

/// Says something at once, if it can be said without waiting.
pub(super) type Say = Arc<dyn Fn(Answer) + Send + Sync>;

/// A player at a game: what it was told, and how it chooses. Errors are the words after `error`, and change nothing.
pub(super) trait Seat: Send {
    /// Takes in what it was told.
    fn hear(&mut self, told: &Command) -> Result<Heard, String>;

    /// Whether anything has happened in this game.
    fn has_begun(&self) -> bool;

    /// Whether there is something to choose now. What goes without saying is taken in first.
    fn can_choose(&mut self, go: Go) -> Result<(), String>;

    /// Chooses: thoughts first, the choice last. What it thinks on the way it may `say`.
    fn choose(&mut self, go: Go, say: Say) -> Vec<Answer>;

    /// Whether there is something to think about on their time.
    fn can_ponder(&self) -> bool;

    /// Thinks on their time until told to stop.
    fn ponder(&mut self);

    /// What it believes, in lines for people.
    fn describe(&self) -> Vec<String>;
}

/// The seat of the player of the paper.
pub(super) struct PlayerSeat<G: Dialect> {
    game: G,
    player: Player<G>,
    /// What it has done and not been answered yet.
    done: Option<G::Action>,
    begun: bool,
    /// What is to be said with the next choice.
    notes: Vec<Answer>,
}

impl<G: Dialect> PlayerSeat<G> {
    pub(super) fn new(
        game: G,
        side: scuro_games::chess::Color,
        options: &Options,
        stop: Arc<AtomicBool>,
    ) -> Result<PlayerSeat<G>, String> {
        let player = Player::new(game.clone(), side, &options.agent, options.threads);
        let mut player = player.map_err(|error| error.to_string())?;
        player.stop_by(stop);
        Ok(PlayerSeat { game, player, done: None, begun: false, notes: Vec::new() })
    }

    fn view(&self) -> &G::View {
        self.player.seat().view()
    }

    fn is_mine(&self) -> bool {
        !self.player.seat().choices(&self.game).is_empty()
    }

    /// Whether the player may do this now.
    fn may_do(&self, action: G::Action) -> bool {
        self.player.seat().choices(&self.game).contains(&action) || self.game.may_try(self.view(), action)
    }

    /// The view after these steps; nothing changes.
    fn view_after(&self, steps: &[Step<G>]) -> Result<G::View, String> {
        let mut view = self.view().clone();
        for step in steps {
            self.game.see(&mut view, step.own, &step.told).map_err(|error| error.to_string())?;
        }
        Ok(view)
    }

    /// Takes in all of these steps, or none; what there is to say of it.
    fn take_in(&mut self, steps: &[Step<G>]) -> Result<Vec<Answer>, String> {
        // What the view refuses has a better reason than what the belief refuses.
        self.view_after(steps)?;
        let invented = self.player.see_if_possible(steps);
        let invented = invented.map_err(|_| "no position fits it and what was told before".to_owned())?;
        let note = "nothing that was believed fits: positions are invented";
        Ok(invented.then(|| Answer::Note(note.to_owned())).into_iter().collect())
    }
}

/// What a player of so many possible positions thinks of an action.
fn info<G: Dialect>(thought: &Thought<G::Action>, chosen: G::Action, belief: usize) -> Info {
    let candidate = thought.candidates.iter().find(|candidate| candidate.action == chosen);
    let word = |action: G::Action| G::ply(action).to_string();
    let mut line: Vec<String> =
        candidate.map_or(Vec::new(), |it| it.line.iter().map(|&action| word(action)).collect());
    if line.first() != Some(&word(chosen)) {
        line.insert(0, word(chosen));
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

impl<G: Dialect> Seat for PlayerSeat<G> {
    fn hear(&mut self, told: &Command) -> Result<Heard, String> {
        let line = told.to_string();
        let word = line.split(' ').next().unwrap_or_default();
        match self.game.hear(self.view(), self.done, told)? {
            Line::Done(action) => {
                if !self.may_do(action) {
                    return Err(format!("{} is not a move of yours now", G::ply(action)));
                }
                (self.done, self.begun) = (Some(action), true);
                Ok(Heard::Noted(Vec::new()))
            }
            Line::Told(steps) if steps.is_empty() => Ok(Heard::Noted(Vec::new())),
            Line::Told(steps) => {
                let mine = steps.last().is_some_and(|step| step.own.is_some());
                let taken = self.take_in(&steps).or_else(|why| {
                    let ended = self.game.at_the_end(self.view(), told);
                    ended.and_then(|steps| self.take_in(&steps).ok()).ok_or(why)
                });
                let answers = taken.map_err(|why| format!("{word}: {why}"))?;
                // What was done is answered.
                (self.begun, self.done) = (true, None);
                let again = mine && G::chooses_again(told);
                Ok(if again { Heard::Again(answers) } else { Heard::Noted(answers) })
            }
        }
    }

    fn has_begun(&self) -> bool {
        self.begun
    }

    fn can_choose(&mut self, go: Go) -> Result<(), String> {
        let unsaid = self.game.unsaid(self.view());
        let mut choices = Vec::new();
        self.game.choices(&self.view_after(&unsaid)?, &mut choices);
        match (go.phase, G::phase(&choices)) {
            (Some(_), None) => Err(format!("nothing is sensed in {}", G::NAME)),
            _ if choices.is_empty() => Err("it is not your turn, or you have nothing to choose".to_owned()),
            (Some(Phase::Sense), Some(Phase::Move)) => {
                Err("go sense: you have sensed in this turn".to_owned())
            }
            (Some(Phase::Move), Some(Phase::Sense)) => {
                Err("go move: first comes what you sensed, as in 'sensed a2=P ...'".to_owned())
            }
            _ => {
                self.notes = self.take_in(&unsaid).map_err(|why| format!("go: {why}"))?;
                Ok(())
            }
        }
    }

    fn choose(&mut self, go: Go, say: Say) -> Vec<Answer> {
        self.begun = true;
        let belief = self.player.belief().positions().len();
        let sink: ProgressSink<G::Action> = Arc::new(move |thought| {
            let best = thought.candidates.iter().max_by(|one, two| one.played.total_cmp(&two.played));
            best.into_iter().for_each(|best| say(Answer::Info(info::<G>(thought, best.action, belief))));
        });
        self.player.on_progress(Some(sink));
        let choices = self.player.seat().choices(&self.game);
        let allowance = go.allowance(self.player.color());
        let chosen = Contestant::choose(&mut self.player, &choices, allowance);
        self.player.on_progress(None);
        let Ok(chosen) = chosen else { return Vec::new() };
        let thought = self.player.thought().into_iter();
        let infos = thought.map(|thought| Answer::Info(info::<G>(thought, chosen, belief)));
        let mut answers: Vec<Answer> = std::mem::take(&mut self.notes).into_iter().chain(infos).collect();
        answers.push(G::answer(chosen));
        self.done = Some(chosen);
        answers
    }

    fn can_ponder(&self) -> bool {
        self.begun && !self.is_mine() && self.player.tree().is_some()
    }

    fn ponder(&mut self) {
        self.player.ponder();
    }

    fn describe(&self) -> Vec<String> {
        let belief = self.player.belief();
        let (size, me) = (belief.positions().len(), self.player.color());
        let exact = if belief.is_sample() { "a sample" } else { "exact" };
        let mut lines = self.game.describe(self.view());
        lines.push(format!("belief {size} positions, {exact}"));
        let believer = self.player.believer();
        if believer.refilled() + believer.invented() > 0 {
            let (refilled, invented) = (believer.refilled(), believer.invented());
            lines.push(format!("refilled {refilled} times, invented {invented} times"));
        }
        let whereabouts = self.player.whereabouts();
        for piece in Piece::ALL.into_iter().rev() {
            let squares = whereabouts.likeliest(piece);
            let words = squares.iter().take(LIKELIEST).map(|(at, share)| format!(" {at} {share:.3}"));
            let words: String = words.collect();
            if !words.is_empty() {
                lines.push(format!("{}{words}", letter(piece, !me)));
            }
        }
        lines
    }
}
