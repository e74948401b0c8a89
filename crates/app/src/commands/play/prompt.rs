//! What a game needs to be played by a person: the words that name actions, and what is told.
//!
//! Everything here follows from the view of the person's seat: nobody looks at the true board.

use scuro_agents::seat::Seats;
use scuro_games::chess::{Move, MoveRules, OwnPieces, Piece, Seen, Square, piece_name};
use scuro_games::fog::{FogOfWar, View, apparent_board};
use scuro_games::kriegspiel::{Kriegspiel, KriegspielView, Try};
use scuro_games::picture::Picture;
use scuro_games::rbc::{Phase, Rbc, RbcAction, RbcView};
use scuro_games::records::transcript::{read_try, try_name};

/// A game that a person can play at a prompt.
pub(super) trait Prompt: Seats {
    /// How it is won, in one line.
    const GOAL: &'static str;

    /// The words at the prompt and the rules with their traps.
    const HELP: &'static str;

    /// Whether what happens is told in words; else it is seen.
    const ANNOUNCES: bool = true;

    /// The question to the person to move.
    fn question(_: &Self::View) -> &'static str {
        "Your move: "
    }

    /// The action that a text at the prompt asks for.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    fn read(view: &Self::View, text: &str) -> Result<Self::Action, String>;

    /// An action as the person to move writes it.
    fn name(view: &Self::View, action: Self::Action) -> String;

    /// The news of a ply, for the person who knew `before` and now knows `now`, and was told `told`.
    fn news(_before: &Picture, _now: &Picture, told: &[String]) -> Vec<String> {
        told.iter().map(|line| capitalised(line)).collect()
    }

    /// Whether the board is shown again after an own action that leaves the turn with the person.
    fn shows_again(_: &Self::View) -> bool {
        false
    }
}

impl Prompt for FogOfWar {
    const GOAL: &'static str = "Take the king to win.";
    const HELP: &'static str =
        "  e2e4 or e4   move, in UCI or SAN (e7e8q or e8=Q promotes, e1g1 or O-O castles)
Every move your pieces can make is allowed: there is no check. Take the enemy king to win.
You see your own pieces and the squares they can move to. A blocked pawn does not see what
blocks it. A side without any move loses. Three times the same position, or fifty moves
without a capture or pawn move, is a draw.
";
    const ANNOUNCES: bool = false;

    fn read(view: &View, text: &str) -> Result<Move, String> {
        let board = apparent_board(view);
        match text.to_lowercase().parse::<Move>() {
            Ok(m) if board.is_pseudo_legal(m) => Ok(m),
            Ok(m) if board.is_pseudo_legal(Move::promoting(m.from(), m.to(), Piece::Queen)) => {
                Err(unpromoted(m))
            }
            Ok(m) => Err(format!("{m} is not one of your moves")),
            Err(_) => board.parse_san(&san(text), MoveRules::PseudoLegal).map_err(|error| error.to_string()),
        }
    }

    fn name(view: &View, action: Move) -> String {
        apparent_board(view).san(action, MoveRules::PseudoLegal)
    }

    /// The own pieces that are gone, and the enemy pieces that have come in sight.
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

impl Prompt for Kriegspiel {
    const GOAL: &'static str = "Mate the king. You see your own pieces; the umpire tells the rest.";
    const HELP: &'static str = "  e2e4 or e4   try a move, in UCI or SAN (exd5 tries to take with a pawn)
  any?         ask whether a pawn of yours can take (English rules)
Ordinary chess, but nobody sees the other's pieces. The umpire says whose turn it is, where
something was captured, checks and their direction, and what his ruleset says of pawn
captures. A try that is not legal is refused: try again, as often as you like.
";

    fn question(_: &KriegspielView) -> &'static str {
        "Your try: "
    }

    fn read(view: &KriegspielView, text: &str) -> Result<Try, String> {
        match text.to_lowercase().as_str() {
            "any?" | "any" => Ok(Try::Any),
            _ => own_move(&view.pieces, text).map(Try::Move),
        }
    }

    fn name(view: &KriegspielView, action: Try) -> String {
        match action {
            Try::Move(m) => own_name(&view.pieces, m),
            Try::Any => "any?".to_owned(),
        }
    }
}

impl Prompt for Rbc {
    const GOAL: &'static str = "Take the king to win. First sense, then move.";
    const HELP: &'static str = "  e4           sense: see the nine squares around it (none senses nothing)
  e2e4 or e4   then ask for a move, in UCI or SAN (pass or -- stays)
You see your own pieces and, each turn, nine squares of your choice. There is no check. What
you ask for is made as far as it goes: a line piece stops at the first enemy piece and takes
it, a pawn with nothing to take or no room stays. You are told where you captured
something, and where something of yours was captured.
";

    fn question(view: &RbcView) -> &'static str {
        match view.phase {
            Phase::Sense => "Sense a square: ",
            Phase::Move => "Your move: ",
        }
    }

    fn read(view: &RbcView, text: &str) -> Result<RbcAction, String> {
        let lower = text.to_lowercase();
        let word = lower.strip_prefix("sense ").unwrap_or(&lower).trim();
        match (view.phase, word) {
            (Phase::Sense, "none" | "nothing" | "-") => Ok(RbcAction::Sense(None)),
            (Phase::Sense, word) => {
                let square = word
                    .parse()
                    .map_err(|_| format!("'{text}' is not a square: first sense one, as in e5, or none"))?;
                Ok(RbcAction::Sense(Some(square)))
            }
            (Phase::Move, "pass" | "--") => Ok(RbcAction::Request(None)),
            (Phase::Move, _) => own_move(&view.pieces, text).map(|m| RbcAction::Request(Some(m))),
        }
    }

    fn name(view: &RbcView, action: RbcAction) -> String {
        match action {
            RbcAction::Sense(square) => square.map_or("none".to_owned(), |square| square.to_string()),
            RbcAction::Request(Some(m)) => own_name(&view.pieces, m),
            RbcAction::Request(None) => "pass".to_owned(),
        }
    }

    fn shows_again(view: &RbcView) -> bool {
        view.phase == Phase::Move
    }
}

/// A move of a player, read by its own pieces alone.
fn own_move(pieces: &OwnPieces, text: &str) -> Result<Move, String> {
    match text.to_lowercase().parse::<Move>() {
        Ok(m) if pieces.is_possible(m) => Ok(m),
        Ok(m) if pieces.is_possible(Move::promoting(m.from(), m.to(), Piece::Queen)) => Err(unpromoted(m)),
        Ok(m) => Err(format!("none of your pieces could ever make the move {m}")),
        Err(_) => read_try(pieces, &san(text)).map_err(|error| error.to_string()),
    }
}

fn own_name(pieces: &OwnPieces, m: Move) -> String {
    try_name(pieces, m, false)
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
