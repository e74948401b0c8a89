//! The games in the dark as one list: what all of them are beyond their rules, and the one place that tells them apart.

use crate::Variant;
use crate::chess::{Board, Color, Move, Seen, Square, color_name};
use crate::fog::{self, FogOfWar, View};
use crate::kriegspiel::{self, Kriegspiel, KriegspielState, KriegspielView, Ruleset, Try, TurnedAway};
use crate::picture::Picture;
use crate::rbc::{self, Phase, Rbc, RbcAction, RbcGame, RbcView};
use crate::records::transcript::ruleset_of;
use crate::records::{Ply, Record};
use crate::umpire::{Umpire, Umpired};
use scuro_core::Positions;

/// A game in the dark, as records write it and as a person reads it.
pub trait DarkGame:
    Umpired<View: Sync, State: Send + Sync> + Positions + Clone + Send + Sync + 'static
{
    /// Which game it is.
    const VARIANT: Variant;

    /// The position both players know at the start.
    fn first_board(&self) -> &Board;

    /// The true board of a state.
    fn true_board(state: &Self::State) -> &Board;

    /// The board of a position of a belief.
    fn board(position: &Self::Position) -> &Board;

    /// The action that a ply of a record is in this game, if it is one.
    fn action(ply: Ply) -> Option<Self::Action>;

    /// An action as records write it.
    fn ply(action: Self::Action) -> Ply;

    /// What `color` is told after a ply, in sentences; `own` is its action, if the ply was its own.
    fn sentences(&self, color: Color, own: Option<Self::Action>, told: &Self::Told) -> Vec<String>;

    /// What `color` is told before the first ply, if there is anything to say.
    fn opening_sentence(&self, color: Color) -> Option<String>;

    /// What the owner of a view knows of the board, as a picture.
    fn picture(view: &Self::View, title: &str) -> Picture;

    /// Whether the umpire turns an action away without a word, and the game goes on as if it had not been.
    fn passes_over(&self, _state: &Self::State, _action: Self::Action) -> bool {
        false
    }
}

/// The rules of a game in the dark, whichever it is.
#[derive(Clone, Copy, Debug)]
pub enum Rules {
    /// Fog of War.
    Fog(FogOfWar),
    /// Kriegspiel.
    Kriegspiel(Kriegspiel),
    /// Reconnaissance Blind Chess.
    Rbc(Rbc),
}

/// Evaluates an expression with the game that some [`Rules`] are: the one place where the games are told apart.
///
/// ```
/// use scuro_games::chess::Board;
/// use scuro_games::dark::{DarkGame, Rules};
/// use scuro_games::{Variant, with_game};
///
/// let rules = Rules::new(Variant::Kriegspiel, Board::start(), Default::default()).unwrap();
/// let squares = with_game!(rules, game => game.first_board().occupied().len());
/// assert_eq!(squares, 32);
/// ```
#[macro_export]
macro_rules! with_game {
    ($rules:expr, $game:ident => $then:expr) => {
        match $rules {
            $crate::dark::Rules::Fog($game) => $then,
            $crate::dark::Rules::Kriegspiel($game) => $then,
            $crate::dark::Rules::Rbc($game) => $then,
        }
    };
}

impl Rules {
    /// The usual rules of a game from `start`; only Kriegspiel looks at `ruleset`. `None` for chess, which hides nothing.
    #[must_use]
    pub fn new(variant: Variant, start: Board, ruleset: Ruleset) -> Option<Rules> {
        match variant {
            Variant::Chess => None,
            Variant::FogOfWar => Some(Rules::Fog(FogOfWar { start })),
            Variant::Kriegspiel => Some(Rules::Kriegspiel(Kriegspiel { start, ruleset })),
            Variant::Reconnaissance => {
                Some(Rules::Rbc(Rbc { start, passed: start.en_passant(), ..Rbc::default() }))
            }
        }
    }

    /// The same rules, drawn after so many turns of a side where a limit of turns is one of the game's own rules.
    #[must_use]
    pub fn limited(self, turns: u32) -> Rules {
        let Rules::Rbc(game) = self else { return self };
        let turns = u16::try_from(turns).unwrap_or(u16::MAX);
        let last = game.start.number().saturating_add(turns).saturating_sub(1);
        Rules::Rbc(Rbc { full_turn_limit: Some(last), ..game })
    }

    /// The same rules after a double step over `passed`, also if nobody can take there, where that is told in any case.
    #[must_use]
    pub fn after_passing(self, passed: Option<Square>) -> Rules {
        let Rules::Rbc(game) = self else { return self };
        Rules::Rbc(Rbc { passed, ..game })
    }

    /// The rules by which a record was played.
    ///
    /// # Errors
    /// In words, if it names no rules, or hides nothing.
    pub fn of(record: &Record) -> Result<Rules, String> {
        if record.variant == Variant::Reconnaissance {
            let game = RbcGame::from_record(record).map_err(|error| error.to_string())?;
            return Ok(Rules::Rbc(game.rules));
        }
        let ruleset = ruleset_of(record.tag("Ruleset")).map_err(|error| error.to_string())?;
        Rules::new(record.variant, record.start, ruleset)
            .ok_or_else(|| format!("a record of {} hides nothing", record.variant))
    }

    /// Whether a game can start there.
    ///
    /// # Errors
    /// In words, why not.
    pub fn check_start(&self) -> Result<(), String> {
        if let Rules::Kriegspiel(Kriegspiel { start, .. }) = self
            && start.in_check(!start.side())
        {
            return Err("the king of the side that is not to move is in check".to_owned());
        }
        let outcome = with_game!(*self, game => Umpire::new(game).outcome());
        outcome.map_or(Ok(()), |outcome| Err(format!("the game is over: {outcome}")))
    }

    /// The ruleset, if the game is played by different ones.
    #[must_use]
    pub fn ruleset(&self) -> Option<Ruleset> {
        if let Rules::Kriegspiel(game) = self { Some(game.ruleset) } else { None }
    }

    /// Which game it is.
    #[must_use]
    pub fn variant(&self) -> Variant {
        fn variant<G: DarkGame>(_: &G) -> Variant {
            G::VARIANT
        }
        with_game!(self, game => variant(game))
    }
}

impl DarkGame for FogOfWar {
    const VARIANT: Variant = Variant::FogOfWar;

    fn first_board(&self) -> &Board {
        &self.start
    }

    fn true_board(state: &fog::FogState) -> &Board {
        state.board()
    }

    fn board(position: &Board) -> &Board {
        position
    }

    fn action(ply: Ply) -> Option<Move> {
        if let Ply::Move(m) = ply { Some(m) } else { None }
    }

    fn ply(action: Move) -> Ply {
        Ply::Move(action)
    }

    fn sentences(&self, color: Color, own: Option<Move>, told: &fog::Told) -> Vec<String> {
        let who = own.map_or(format!("{} moved", color_name(!color)), |m| format!("you moved {m}"));
        let end = told.end.map(|outcome| outcome.to_string());
        [format!("{who}: {}", told.view)].into_iter().chain(end).collect()
    }

    fn opening_sentence(&self, color: Color) -> Option<String> {
        Some(format!("at the start: {}", self.first_view(color)))
    }

    fn picture(view: &View, title: &str) -> Picture {
        Picture::of_view(title, view)
    }
}

impl DarkGame for Kriegspiel {
    const VARIANT: Variant = Variant::Kriegspiel;

    fn first_board(&self) -> &Board {
        &self.start
    }

    fn true_board(state: &KriegspielState) -> &Board {
        state.board()
    }

    fn board(position: &kriegspiel::Position) -> &Board {
        position.board()
    }

    fn action(ply: Ply) -> Option<Try> {
        ply.attempt()
    }

    fn ply(action: Try) -> Ply {
        match action {
            Try::Move(m) => Ply::Move(m),
            Try::Any => Ply::Any,
        }
    }

    fn sentences(&self, color: Color, own: Option<Try>, told: &kriegspiel::Told) -> Vec<String> {
        use kriegspiel::Told;
        let they = color_name(!color);
        let word = match own {
            Some(Try::Move(m)) => m.to_string(),
            Some(Try::Any) | None => String::new(),
        };
        vec![match (own, told) {
            (Some(_), Told::Made(said)) => format!("you moved {word}: {said}"),
            (None, Told::Made(said)) => format!("{they} moved: {said}"),
            (Some(_), Told::Refused { nonsense }) => {
                format!("you tried {word}: {}", self.ruleset.refusal(*nonsense))
            }
            (None, Told::Refused { nonsense }) => {
                format!("a try of {they}: {}", self.ruleset.refusal(*nonsense))
            }
            (Some(_), Told::Answered(any)) => format!("you asked \"any?\": {}", answer(*any)),
            (None, Told::Answered(any)) => format!("{they} asked \"any?\": {}", answer(*any)),
        }]
    }

    fn opening_sentence(&self, color: Color) -> Option<String> {
        Some(format!("at the start: {}", self.first_view(color).announcement))
    }

    fn picture(view: &KriegspielView, title: &str) -> Picture {
        let pieces = &view.pieces;
        let seen =
            |square| pieces.man_on(square).map_or(Seen::Nothing, |piece| Seen::Man(pieces.color(), piece));
        Picture::of_squares(title, pieces.color(), seen)
    }

    /// A try that misses an obligation is turned away without a word.
    fn passes_over(&self, state: &KriegspielState, action: Try) -> bool {
        state.turns_away(action) == Some(TurnedAway::Obliged)
    }
}

fn answer(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

impl DarkGame for Rbc {
    const VARIANT: Variant = Variant::Reconnaissance;

    fn first_board(&self) -> &Board {
        &self.start
    }

    fn true_board(state: &rbc::RbcState) -> &Board {
        state.board()
    }

    fn board(position: &rbc::Position) -> &Board {
        position.board()
    }

    fn action(ply: Ply) -> Option<RbcAction> {
        ply.rbc()
    }

    fn ply(action: RbcAction) -> Ply {
        match action {
            RbcAction::Sense(square) => Ply::Sense(square),
            RbcAction::Request(request) => request.map_or(Ply::Pass, Ply::Move),
        }
    }

    fn sentences(&self, color: Color, own: Option<RbcAction>, told: &rbc::Told) -> Vec<String> {
        let end = told.end.map(|outcome| outcome.to_string());
        rbc_sentence(color, own, told).into_iter().chain(end).collect()
    }

    fn opening_sentence(&self, _: Color) -> Option<String> {
        None
    }

    fn picture(view: &RbcView, title: &str) -> Picture {
        Picture::of_squares(title, view.pieces.color(), |square| rbc_square(view, square))
    }
}

/// What is said of the board; `None` if nothing is, as when the opponent senses.
fn rbc_sentence(color: Color, own: Option<RbcAction>, told: &rbc::Told) -> Option<String> {
    use rbc::Answer;
    let they = color_name(!color);
    match (own, told.answer) {
        (Some(RbcAction::Sense(None)), _) => Some("you sensed nothing".to_owned()),
        (Some(RbcAction::Sense(Some(square))), Answer::Sensed(sensed)) => {
            Some(format!("you sensed {square}: {sensed}"))
        }
        (Some(RbcAction::Request(None)), _) => Some("you passed".to_owned()),
        (Some(RbcAction::Request(Some(asked))), Answer::Moved { taken, captured }) => {
            let made = match taken {
                Some(made) if made == asked => format!("you moved {made}"),
                Some(made) => format!("you asked for {asked}: {made} was made"),
                None => format!("you asked for {asked}: no move could be made of it"),
            };
            Some(made + &captured.map_or(String::new(), |square| format!(", you captured on {square}")))
        }
        // The end of the game comes before the notice.
        (None, Answer::Turn { .. }) if told.end.is_some() => None,
        (None, Answer::Turn { lost: Some(square) }) => {
            Some(format!("{they}'s turn: your piece on {square} was captured"))
        }
        (None, Answer::Turn { lost: None }) => Some(format!("{they}'s turn: nothing of yours was captured")),
        _ => None,
    }
}

/// What the owner of a view knows of a square: its own pieces, and what its last sense showed as far as nothing since
/// speaks against it. The enemy may have moved in the meantime.
fn rbc_square(view: &RbcView, square: Square) -> Seen {
    let color = view.pieces.color();
    let sensed = view.sensed.filter(|sensed| sensed.area().has(square));
    // The last move came after the last sense, unless the owner has sensed and not moved yet.
    let to_move = view.phase == Phase::Move && view.side == color;
    let captured = view.moved.filter(|_| !to_move).and_then(|moved| moved.captured);
    match (view.pieces.man_on(square), sensed) {
        (Some(piece), _) => Seen::Man(color, piece),
        _ if captured == Some(square) => Seen::Empty,
        (None, Some(sensed)) if view.notice != Some(square) || to_move => {
            let enemy = sensed.man_on(square).filter(|(owner, _)| *owner != color);
            enemy.map_or(Seen::Empty, |(owner, piece)| Seen::Man(owner, piece))
        }
        _ => Seen::Nothing,
    }
}
