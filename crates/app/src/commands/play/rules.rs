//! What a game needs to be played by a person: words that name her actions, and what she is told.
//!
//! Everything here follows from what the player knows. Fog of War is read on the true board, but there a view tells all of
//! a player's moves, so that refusing a wrong one tells nothing.

use scuro_arena::game::Arena;
use scuro_games::chess::{Board, Move, MoveRules, Piece, Seen, Square, piece_name};
use scuro_games::fog::FogOfWar;
use scuro_games::kriegspiel::{Kriegspiel, OwnMen, Try};
use scuro_games::picture::Picture;
use scuro_games::rbc::{Phase, Rbc, RbcAction, RbcState};
use scuro_games::records::transcript::{read_try, try_name};
use scuro_games::umpire::Umpire;

/// A game that a person can play.
pub(super) trait Rules: Arena {
    /// How it is won, in one line.
    const GOAL: &'static str;

    /// The words at the prompt and the rules with their traps.
    const HELP: &'static str;

    /// Whether what happens is told in words; else it is seen.
    const ANNOUNCES: bool = true;

    /// What the umpire says by, if that can differ from game to game.
    fn ruleset(&self) -> Option<String> {
        None
    }

    /// The true board.
    fn board(state: &Self::State) -> &Board;

    /// The question to the person to move.
    fn question(_: &Umpire<Self>) -> &'static str {
        "Your move: "
    }

    /// What a text at the prompt asks for.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    fn read(umpire: &Umpire<Self>, text: &str) -> Result<Self::Action, String>;

    /// How the person to move writes an action.
    fn name(umpire: &Umpire<Self>, action: Self::Action) -> String;

    /// What came of a ply, for the person who knew `before` and now knows `now`, in which `told` was said.
    fn news(_before: &Picture, _now: &Picture, told: &[String]) -> Vec<String> {
        told.iter().map(|line| capitalised(line)).collect()
    }

    /// Whether the board is shown again after an own action that leaves the turn with the person.
    fn shows_again(_: &Umpire<Self>) -> bool {
        false
    }
}

impl Rules for FogOfWar {
    const GOAL: &'static str = "Take the king to win.";
    const HELP: &'static str =
        "  e2e4 or e4   move, in UCI or SAN (e7e8q or e8=Q promotes, e1g1 or O-O castles)
Every move your men can make is allowed: there is no check. Take the enemy king to win.
You see your own men and the squares they can move to. A blocked pawn does not see what
blocks it. A side without any move loses. Three times the same position, or fifty moves
without a capture or pawn move, is a draw.
";
    const ANNOUNCES: bool = false;

    fn board(state: &Self::State) -> &Board {
        state.board()
    }

    fn read(umpire: &Umpire<FogOfWar>, text: &str) -> Result<Move, String> {
        let board = umpire.state().board();
        match text.to_lowercase().parse::<Move>() {
            Ok(m) if board.is_pseudo_legal(m) => Ok(m),
            Ok(m) if board.is_pseudo_legal(Move::promoting(m.from(), m.to(), Piece::Queen)) => {
                Err(unpromoted(m))
            }
            Ok(m) => Err(format!("{m} is not one of your moves")),
            Err(_) => board.parse_san(&san(text), MoveRules::PseudoLegal).map_err(|error| error.to_string()),
        }
    }

    fn name(umpire: &Umpire<FogOfWar>, action: Move) -> String {
        umpire.state().board().san(action, MoveRules::PseudoLegal)
    }

    /// Which of her men she misses, and which of theirs have come in sight.
    fn news(before: &Picture, now: &Picture, _: &[String]) -> Vec<String> {
        let me = now.below();
        let mut news = Vec::new();
        for square in Square::ALL {
            match (before.at(square), now.at(square)) {
                (Seen::Man(color, piece), there) if color == me && there != Seen::Man(color, piece) => {
                    news.push(format!("Your {} on {square} is gone.", piece_name(piece)));
                }
                _ => {}
            }
        }
        for square in Square::ALL {
            match (before.at(square), now.at(square)) {
                (was, Seen::Man(color, piece)) if color != me && was != Seen::Man(color, piece) => {
                    news.push(format!("You see a {} on {square}.", piece_name(piece)));
                }
                _ => {}
            }
        }
        news
    }
}

impl Rules for Kriegspiel {
    const GOAL: &'static str = "Mate the king. You see your own men; the umpire tells the rest.";
    const HELP: &'static str = "  e2e4 or e4   try a move, in UCI or SAN (exd5 tries to take with a pawn)
  any?         ask whether a pawn of yours can take (English rules)
Ordinary chess, but nobody sees the other's men. The umpire says whose turn it is, where
something was captured, checks and their direction, and what his ruleset says of pawn
captures. A try that is not legal is refused: try again, as often as you like.
";

    fn ruleset(&self) -> Option<String> {
        Some(self.ruleset.to_string())
    }

    fn board(state: &Self::State) -> &Board {
        state.board()
    }

    fn question(_: &Umpire<Kriegspiel>) -> &'static str {
        "Your try: "
    }

    fn read(umpire: &Umpire<Kriegspiel>, text: &str) -> Result<Try, String> {
        match text.to_lowercase().as_str() {
            "any?" | "any" => Ok(Try::Any),
            _ => own_move(umpire.state().board(), text).map(Try::Move),
        }
    }

    fn name(umpire: &Umpire<Kriegspiel>, action: Try) -> String {
        match action {
            Try::Move(m) => own_name(umpire.state().board(), m),
            Try::Any => "any?".to_owned(),
        }
    }
}

impl Rules for Rbc {
    const GOAL: &'static str = "Take the king to win. First sense, then move.";
    const HELP: &'static str = "  e4           sense: see the nine squares around it (none senses nothing)
  e2e4 or e4   then ask for a move, in UCI or SAN (pass or -- stays)
You see your own men and, each turn, nine squares of your choice. There is no check. What
you ask for is made as far as it goes: a line piece stops at the first enemy man and takes
it, a pawn with nothing to take or no room stays. You are told where you captured
something, and where something of yours was captured.
";

    fn board(state: &RbcState) -> &Board {
        state.board()
    }

    fn question(umpire: &Umpire<Rbc>) -> &'static str {
        match umpire.state().phase() {
            Phase::Sense => "Sense a square: ",
            Phase::Move => "Your move: ",
        }
    }

    fn read(umpire: &Umpire<Rbc>, text: &str) -> Result<RbcAction, String> {
        let lower = text.to_lowercase();
        let word = lower.strip_prefix("sense ").unwrap_or(&lower).trim();
        match (umpire.state().phase(), word) {
            (Phase::Sense, "none" | "nothing" | "-") => Ok(RbcAction::Sense(None)),
            (Phase::Sense, word) => {
                let square = word
                    .parse()
                    .map_err(|_| format!("'{text}' is not a square: first sense one, as in e5, or none"))?;
                Ok(RbcAction::Sense(Some(square)))
            }
            (Phase::Move, "pass" | "--") => Ok(RbcAction::Request(None)),
            (Phase::Move, _) => own_move(umpire.state().board(), text).map(|m| RbcAction::Request(Some(m))),
        }
    }

    fn name(umpire: &Umpire<Rbc>, action: RbcAction) -> String {
        match action {
            RbcAction::Sense(square) => square.map_or("none".to_owned(), |square| square.to_string()),
            RbcAction::Request(Some(m)) => own_name(umpire.state().board(), m),
            RbcAction::Request(None) => "pass".to_owned(),
        }
    }

    fn shows_again(umpire: &Umpire<Rbc>) -> bool {
        umpire.state().phase() == Phase::Move
    }
}

/// A move of the side to move, read by her own men alone.
fn own_move(board: &Board, text: &str) -> Result<Move, String> {
    let men = OwnMen::of(board, board.side());
    match text.to_lowercase().parse::<Move>() {
        Ok(m) if men.is_possible(m) => Ok(m),
        Ok(m) if men.is_possible(Move::promoting(m.from(), m.to(), Piece::Queen)) => Err(unpromoted(m)),
        Ok(m) => Err(format!("none of your men could ever make the move {m}")),
        Err(_) => read_try(&men, &san(text)).map_err(|error| error.to_string()),
    }
}

fn own_name(board: &Board, m: Move) -> String {
    try_name(&OwnMen::of(board, board.side()), m, false)
}

fn unpromoted(m: Move) -> String {
    format!("{m} does not say what the pawn becomes: {m}q, {m}r, {m}b or {m}n")
}

/// Castling may be written in small letters.
fn san(text: &str) -> String {
    let upper = text.to_uppercase();
    if upper.starts_with("O-O") { upper } else { text.to_owned() }
}

fn capitalised(line: &str) -> String {
    let mut letters = line.chars();
    letters.next().map_or(String::new(), |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}
