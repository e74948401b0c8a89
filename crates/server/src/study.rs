//! Thinking for people: hints in a game and analyses of one that is over, always from what one side was told alone.
//!
//! The player of the paper sits beside a person, hears what that side was told, and thinks where it was its turn. In an
//! analysis the judge of the game does so too, if there is one.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use scuro_agents::contestant::{Allowance, Insight};
use scuro_agents::name::Obscuro;
use scuro_agents::player::Player;
use scuro_agents::seat::{JUDGE_SHARE, Place, Seated};
use scuro_games::chess::{Color, Piece, Square, letter};
use scuro_games::dark::Rules;
use scuro_games::records::Ply;
use scuro_games::seat::Heard;
use scuro_games::umpire::Umpire;
use scuro_games::with_game;
use scuro_search::agent::{Budget, Thought};
use serde::Serialize;

use crate::answer::Failure;
use crate::hosted::Hosted;
use crate::levels::{modest, opponent};
use crate::pool::{Full, Pool};
use crate::secret;
use crate::table::word;

/// A hint makes so many nodes: the same information always gives the same hint.
const HINT_NODES: usize = 20_000;

/// How many positions an analysis holds possible before it takes a sample; and a hint, which follows the whole game
/// anew while somebody waits.
const POSITIONS: usize = 100_000;
const HINT_POSITIONS: usize = 20_000;

/// So many analyses at a time, and so many kept.
const MOST_RUNNING: usize = 8;
const MOST_KEPT: usize = 64;

/// One who is told what one side is told, and nothing else.
struct Student<G: Hosted>(Player<G>);

impl<G: Hosted> Student<G> {
    fn new(game: G, color: Color, positions: usize) -> Result<Student<G>, String> {
        let positions = Some(positions.min(G::POSITIONS));
        let name = modest(Obscuro { positions, ..Obscuro::default() }, G::VARIANT);
        Player::new(game, color, &name, Some(1)).map(Student).map_err(|error| error.to_string())
    }

    fn hear(&mut self, heard: &[Heard<G::Action, G::Told>]) -> Result<(), String> {
        let each = |heard: &Heard<G::Action, G::Told>| self.0.see(heard.own, &heard.told).map(|_| ());
        heard.iter().try_for_each(each).map_err(|impossible| impossible.to_string())
    }

    /// What it thinks at its turn: the value to its side, and the strategy.
    fn think(&mut self, budget: Budget) -> Result<(f64, Vec<Candidate>), String> {
        let choices = self.0.believer().choices();
        let thought = self.0.think(budget).ok_or("nothing comes to mind")?;
        Ok((thought.value, strategy::<G>(thought, &choices)))
    }

    fn squares(&self) -> Squares {
        let (whereabouts, color) = (self.0.whereabouts(), !self.0.color());
        let mut squares = Squares::new();
        for piece in Piece::ALL {
            for (square, share) in whereabouts.likeliest(piece) {
                squares.entry(Square::to_string(&square)).or_default().insert(letter(piece, color), share);
            }
        }
        squares
    }

    fn belief(&self) -> Size {
        let belief = self.0.belief();
        Size { size: belief.positions().len(), exact: !belief.is_sample() }
    }
}

/// One who says what each choice is worth, and is told no more than a student.
struct Judge<G: Hosted>(Seated<G>);

impl<G: Hosted> Judge<G> {
    /// The judge of a game, if it has one, with the bounds of a guest.
    fn new(game: &G, color: Color) -> Result<Option<Judge<G>>, String> {
        let Some(name) = G::JUDGE else { return Ok(None) };
        let place = Place { color, seed: 0, margin: Duration::ZERO };
        let judge = game.seat(&opponent(name, G::VARIANT)?.agent, place);
        judge.map(|judge| Some(Judge(judge))).map_err(|error| error.to_string())
    }

    fn hear(&mut self, heard: &[Heard<G::Action, G::Told>]) {
        heard.iter().for_each(|heard| self.0.see(heard.own, &heard.told));
    }

    /// What it makes of each choice; nothing if there is nothing to compare.
    fn weigh(&mut self, choices: &[G::Action], time: Duration) -> Result<Vec<Insight>, String> {
        self.0.choose(choices, Allowance::Time(time)).map_err(|fault| fault.to_string())?;
        Ok(self.0.insights().to_vec())
    }
}

/// What is thought of a choice.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Candidate {
    #[serde(rename = "move")]
    word: String,
    probability: f64,
    played: f64,
    value: f64,
}

/// A hint.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Hint {
    #[serde(rename = "move")]
    word: String,
    value: f64,
    strategy: Vec<Candidate>,
    belief: Size,
    /// How likely a piece of the other side stands somewhere.
    squares: Squares,
}

/// How likely each piece of one side stands on each square.
type Squares = BTreeMap<String, BTreeMap<char, f64>>;

/// What was thought at one turn.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Turn {
    /// How many plies of the record were played before it.
    ply: usize,
    belief: Size,
    value: f64,
    /// What was played, if the record goes on.
    #[serde(rename = "move")]
    word: Option<String>,
    strategy: Vec<Candidate>,
    /// How likely a piece of the other side stands somewhere.
    squares: Squares,
    /// What the judge makes of each choice, if the game has one; the best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    choices: Option<Vec<Insight>>,
}

#[derive(Clone, Debug, Serialize)]
struct Size {
    size: usize,
    exact: bool,
}

/// The choices that are played at all, or nearly, the likeliest first.
fn strategy<G: Hosted>(thought: &Thought<G::Action>, choices: &[G::Action]) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = thought
        .candidates
        .iter()
        .filter(|candidate| choices.contains(&candidate.action))
        .filter(|candidate| candidate.probability > 0.0005 || candidate.played > 0.0)
        .map(|candidate| Candidate {
            word: word(G::ply(candidate.action)),
            probability: candidate.probability,
            played: candidate.played,
            value: candidate.value,
        })
        .collect();
    all.sort_by(|a, b| b.played.total_cmp(&a.played).then(b.probability.total_cmp(&a.probability)));
    all
}

/// What `color` could do at its turn, after all that it heard.
///
/// # Errors
/// In words, if nothing can be said.
pub(crate) fn hint<G: Hosted>(
    game: G,
    color: Color,
    heard: &[Heard<G::Action, G::Told>],
) -> Result<Hint, String> {
    let mut student = Student::new(game, color, HINT_POSITIONS)?;
    student.hear(heard)?;
    let (value, strategy) = student.think(Budget::Nodes(HINT_NODES))?;
    let best = strategy.first().ok_or("nothing comes to mind")?;
    let (belief, squares) = (student.belief(), student.squares());
    Ok(Hint { word: best.word.clone(), value, strategy, belief, squares })
}

/// Has a hint found where others think.
pub(crate) async fn ask_hint(
    pool: &Pool,
    work: impl FnOnce() -> Result<Hint, String> + Send + 'static,
) -> Result<Hint, Failure> {
    let found = pool.study(work).await.map_err(|Full| busy())?;
    found.unwrap_or_else(|| Err("a hint failed".to_owned())).map_err(Failure::Internal)
}

fn busy() -> Failure {
    Failure::Busy("too much to think about at the moment")
}

/// What is to be analysed.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) rules: Rules,
    pub(crate) plies: Vec<Ply>,
    pub(crate) side: Color,
    pub(crate) movetime: Duration,
}

/// How far an analysis is.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Findings {
    done: bool,
    error: Option<String>,
    turns: Vec<Turn>,
}

/// The analyses, by id.
#[derive(Clone, Default)]
pub(crate) struct Analyses(Arc<Mutex<HashMap<String, Analysis>>>);

struct Analysis {
    begun: Instant,
    findings: Findings,
}

impl Analyses {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Analysis>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins one; its id.
    pub(crate) fn begin(&self, pool: &Pool, question: Question) -> Result<String, Failure> {
        let id = secret::word()?;
        let mut all = self.lock();
        if all.values().filter(|analysis| !analysis.findings.done).count() >= MOST_RUNNING {
            return Err(busy());
        }
        if all.len() >= MOST_KEPT {
            let done = all.iter().filter(|(_, analysis)| analysis.findings.done);
            let oldest = done.min_by_key(|(_, analysis)| analysis.begun).map(|(id, _)| id.clone());
            oldest.and_then(|oldest| all.remove(&oldest));
        }
        all.insert(id.clone(), Analysis { begun: Instant::now(), findings: Findings::default() });
        drop(all);
        let (analyses, pool, named) = (self.clone(), pool.clone(), id.clone());
        tokio::spawn(async move {
            let ended = analyses.run(&pool, &named, question).await;
            analyses.change(&named, |findings| {
                findings.error = ended.err();
                findings.done = true;
            });
        });
        Ok(id)
    }

    /// How far one is, without the turns before `from`.
    pub(crate) fn findings(&self, id: &str, from: usize) -> Result<Findings, Failure> {
        let all = self.lock();
        let Findings { done, error, turns } = &all.get(id).ok_or(Failure::Missing)?.findings;
        let turns = turns.iter().skip(from).cloned().collect();
        Ok(Findings { done: *done, error: error.clone(), turns })
    }

    /// Ends one and forgets it.
    pub(crate) fn stop(&self, id: &str) -> Result<(), Failure> {
        self.lock().remove(id).map(|_| ()).ok_or(Failure::Missing)
    }

    /// Changes what was found; whether anybody still wants it.
    fn change(&self, id: &str, change: impl FnOnce(&mut Findings)) -> bool {
        self.lock().get_mut(id).map(|analysis| change(&mut analysis.findings)).is_some()
    }

    async fn run(&self, pool: &Pool, id: &str, question: Question) -> Result<(), String> {
        with_game!(question.rules, game => self.run_game(pool, id, game, question).await)
    }

    /// A turn at a time, so that others think in between.
    async fn run_game<G: Hosted>(
        &self,
        pool: &Pool,
        id: &str,
        game: G,
        question: Question,
    ) -> Result<(), String> {
        let Question { plies, side, movetime, .. } = question;
        let mut lesson = study(pool, move || Lesson::new(game, &plies, side)).await?;
        loop {
            let work = move || {
                let turn = lesson.next_turn(movetime)?;
                Ok((lesson, turn))
            };
            let (next, turn) = study(pool, work).await?;
            let done = turn.is_none();
            let wanted = self.change(id, |findings| findings.turns.extend(turn));
            if done || !wanted {
                return Ok(());
            }
            lesson = next;
        }
    }
}

/// Has a part of an analysis done where others think.
async fn study<T: Send + 'static>(
    pool: &Pool,
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    pool.study(work).await.map_err(|Full| busy().to_string())?.ok_or("the engine failed")?
}

/// A game that is over, as one side heard it, and those who hear it turn by turn.
struct Lesson<G: Hosted> {
    student: Student<G>,
    judge: Option<Judge<G>>,
    /// What is still to be heard before the turns that are left, and these.
    heard: std::vec::IntoIter<Heard<G::Action, G::Told>>,
    turns: std::vec::IntoIter<Decision>,
}

/// A turn at which the student thinks.
struct Decision {
    /// How many plies of the record come before it.
    ply: usize,
    /// How many of these its side noticed since its last one.
    fresh: usize,
    /// What was played, if the record goes on.
    played: Option<Ply>,
}

impl<G: Hosted> Lesson<G> {
    /// The umpire reads the record; what he says to `color` is all that is kept.
    fn new(game: G, plies: &[Ply], color: Color) -> Result<Lesson<G>, String> {
        let mut umpire = Umpire::new(game.clone());
        let (mut turns, mut known) = (Vec::new(), 0);
        let mut decide = |umpire: &Umpire<G>, ply, played| {
            if umpire.turn() == Some(color) {
                let fresh = umpire.seat(color).heard().len() - known;
                turns.push(Decision { ply, fresh, played });
                known += fresh;
            }
        };
        for (number, &ply) in plies.iter().enumerate() {
            decide(&umpire, number, Some(ply));
            let action = G::action(ply).ok_or_else(|| format!("{ply} is of another game"))?;
            let side = umpire.turn().ok_or("the record goes on after the end")?;
            umpire.play(side, action).map_err(|refusal| refusal.to_string())?;
        }
        decide(&umpire, plies.len(), None);
        let heard = umpire.seat(color).heard().to_vec().into_iter();
        let judge = Judge::new(&game, color)?;
        Ok(Lesson { student: Student::new(game, color, POSITIONS)?, judge, heard, turns: turns.into_iter() })
    }

    /// Goes on to the next turn, if there is one. Student and judge share the time.
    fn next_turn(&mut self, movetime: Duration) -> Result<Option<Turn>, String> {
        let Some(Decision { ply, fresh, played }) = self.turns.next() else { return Ok(None) };
        let heard: Vec<_> = self.heard.by_ref().take(fresh).collect();
        self.student.hear(&heard)?;
        let judging = movetime.mul_f64(if self.judge.is_some() { JUDGE_SHARE } else { 0.0 });
        let choices = self.student.0.believer().choices();
        let judged = self.judge.as_mut().map(|judge| {
            judge.hear(&heard);
            judge.weigh(&choices, judging)
        });
        let (value, strategy) = self.student.think(Budget::Time(movetime - judging))?;
        Ok(Some(Turn {
            ply,
            belief: self.student.belief(),
            value,
            word: played.map(word),
            strategy,
            squares: self.student.squares(),
            choices: judged.transpose()?,
        }))
    }
}
