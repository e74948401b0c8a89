//! Thinking for people: hints in a game and analyses of one that is over, always from one side's views alone.
//!
//! The player of the paper sits beside the person, is shown what she was shown, and thinks where it was her turn.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use scuro_agents::name::Obscuro;
use scuro_agents::player::FogPlayer;
use scuro_games::chess::{Board, Color, Move, letter};
use scuro_games::fog::FogOfWar;
use scuro_games::umpire::Umpire;
use scuro_search::agent::{Budget, Thought};
use serde::Serialize;

use crate::answer::Failure;
use crate::levels::modest;
use crate::pool::{Full, Pool};
use crate::secret;

/// A hint makes so many nodes: the same information always gives the same hint.
const HINT_NODES: usize = 20_000;

/// How many positions an analysis holds possible before it takes a sample; and a hint, which follows the whole game
/// anew while somebody waits.
const POSITIONS: usize = 100_000;
const HINT_POSITIONS: usize = 20_000;

/// So many analyses at a time, and so many kept.
const MOST_RUNNING: usize = 8;
const MOST_KEPT: usize = 64;

/// One who sees what a player of Fog of War sees.
struct Student {
    player: FogPlayer,
    umpire: Umpire<FogOfWar>,
    color: Color,
}

impl Student {
    fn new(start: Board, color: Color, positions: usize) -> Result<Student, String> {
        let name = Obscuro { positions, ..modest(Obscuro::default()) };
        let player = FogPlayer::new(start, color, &name, Some(1)).map_err(|error| error.to_string())?;
        Ok(Student { player, umpire: Umpire::new(FogOfWar { start }), color })
    }

    /// A move is made, and the student sees her view of it.
    fn see(&mut self, m: Move) -> Result<(), String> {
        let side = self.umpire.state().board().side();
        self.umpire.play(side, m).map_err(|refusal| refusal.to_string())?;
        if self.umpire.outcome().is_none() {
            let view = self.umpire.view(self.color);
            let lost = |_| "no position fits what was seen".to_owned();
            self.player.see((side == self.color).then_some(m), &view).map_err(lost)?;
        }
        Ok(())
    }

    fn is_to_move(&self) -> bool {
        self.umpire.turn() == Some(self.color)
    }
}

/// What is thought of a move.
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
}

/// What was thought at one turn.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Turn {
    /// How many plies were played before it.
    ply: usize,
    belief: Size,
    value: f64,
    /// What was played, if the record goes on.
    #[serde(rename = "move")]
    word: Option<String>,
    strategy: Vec<Candidate>,
    /// How likely a man of the other side stands somewhere.
    squares: BTreeMap<String, BTreeMap<char, f64>>,
}

#[derive(Clone, Debug, Serialize)]
struct Size {
    size: usize,
    exact: bool,
}

/// The moves that are played at all, or nearly, the likeliest first.
fn strategy(thought: &Thought<Move>) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = thought
        .candidates
        .iter()
        .map(|candidate| Candidate {
            word: candidate.action.to_string(),
            probability: candidate.probability,
            played: candidate.played,
            value: candidate.value,
        })
        .filter(|candidate| candidate.probability > 0.0005 || candidate.played > 0.0)
        .collect();
    all.sort_by(|a, b| b.played.total_cmp(&a.played).then(b.probability.total_cmp(&a.probability)));
    all
}

/// What to play after these moves, for the side to move, from what it saw.
pub(crate) async fn hint(pool: &Pool, start: Board, moves: Vec<Move>, color: Color) -> Result<Hint, Failure> {
    let work = move || {
        let mut student = Student::new(start, color, HINT_POSITIONS)?;
        moves.into_iter().try_for_each(|m| student.see(m))?;
        let thought = student.player.think(Budget::Nodes(HINT_NODES));
        let thought = thought.ok_or("nothing comes to mind".to_owned())?;
        let strategy = strategy(&thought);
        let word = strategy.first().map_or(String::new(), |best| best.word.clone());
        Ok(Hint { word, value: thought.value, strategy })
    };
    let thought: Option<Result<Hint, String>> = pool.study(work).await.map_err(|Full| busy())?;
    let thought = thought.ok_or_else(|| Failure::Internal("a hint failed".to_owned()))?;
    thought.map_err(Failure::Internal)
}

fn busy() -> Failure {
    Failure::Busy("too much to think about at the moment")
}

/// What is to be analysed.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) start: Board,
    pub(crate) moves: Vec<Move>,
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

    /// How far one is.
    pub(crate) fn findings(&self, id: &str) -> Result<Findings, Failure> {
        self.lock().get(id).map(|analysis| analysis.findings.clone()).ok_or(Failure::Missing)
    }

    /// Ends one and forgets it.
    pub(crate) fn stop(&self, id: &str) -> Result<(), Failure> {
        self.lock().remove(id).map(|_| ()).ok_or(Failure::Missing)
    }

    /// Changes what was found; whether anybody still wants it.
    fn change(&self, id: &str, change: impl FnOnce(&mut Findings)) -> bool {
        self.lock().get_mut(id).map(|analysis| change(&mut analysis.findings)).is_some()
    }

    /// A turn at a time, so that others think in between.
    async fn run(&self, pool: &Pool, id: &str, question: Question) -> Result<(), String> {
        let Question { start, moves, side, movetime } = question;
        let moves = Arc::new(moves);
        let mut state = (None::<Student>, 0);
        while state.1 <= moves.len() {
            let (moves, (student, ply)) = (Arc::clone(&moves), state);
            let work = move || {
                let mut student = student.map_or_else(|| Student::new(start, side, POSITIONS), Ok)?;
                let (turn, next) = next_turn(&mut student, &moves, ply, movetime)?;
                Ok::<_, String>((student, turn, next))
            };
            let studied = pool.study(work).await.map_err(|Full| busy().to_string())?;
            let (student, turn, next) = studied.ok_or("the server ends")??;
            let wanted = self.change(id, |findings| findings.turns.extend(turn));
            if !wanted {
                return Ok(());
            }
            state = (Some(student), next);
        }
        Ok(())
    }
}

/// Goes on to the next turn of the student and thinks there; how many plies she has seen then.
fn next_turn(
    student: &mut Student,
    moves: &[Move],
    mut ply: usize,
    movetime: Duration,
) -> Result<(Option<Turn>, usize), String> {
    while !student.is_to_move() {
        let Some(&m) = moves.get(ply) else { return Ok((None, moves.len() + 1)) };
        student.see(m)?;
        ply += 1;
    }
    let thought = student.player.think(Budget::Time(movetime)).ok_or("nothing comes to mind")?;
    let played = moves.get(ply);
    let belief = student.player.belief();
    let turn = Turn {
        ply,
        belief: Size { size: belief.positions().len(), exact: !belief.is_sample() },
        value: thought.value,
        word: played.map(Move::to_string),
        strategy: strategy(&thought),
        squares: squares(belief.positions(), !student.color),
    };
    if let Some(&m) = played {
        student.see(m)?;
    }
    Ok((Some(turn), ply + 1))
}

/// Where men of `color` may stand, each position as likely as any other.
fn squares(positions: &[Board], color: Color) -> BTreeMap<String, BTreeMap<char, f64>> {
    let mut counts = [[0_u32; 6]; 64];
    for board in positions {
        for square in board.colors(color) {
            counts[square as usize][board.piece_there(square) as usize] += 1;
        }
    }
    let mut squares: BTreeMap<String, BTreeMap<char, f64>> = BTreeMap::new();
    for square in scuro_games::chess::Square::ALL {
        for piece in scuro_games::chess::Piece::ALL {
            let count = counts[square as usize][piece as usize];
            if count > 0 {
                let share = f64::from(count) / positions.len() as f64;
                squares.entry(square.to_string()).or_default().insert(letter(piece, color), share);
            }
        }
    }
    squares
}
