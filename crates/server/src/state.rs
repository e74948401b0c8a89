//! What a player is sent: the STATE of the API, made of its own side of the table alone while the game goes on.

use std::time::Instant;

use scuro_games::chess::Color;
use scuro_games::outcome::Outcome;
use serde::Serialize;

use crate::hosted::{Phase, Window};
use crate::session::Session;
use crate::table::{Entry, Table, Viewer, Views, side_word, word};

/// The version of the API.
pub(crate) const API: u32 = 1;

#[derive(Serialize)]
struct State<'s> {
    api: u32,
    id: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    join: Option<&'s str>,
    game: &'static str,
    ruleset: Option<&'s str>,
    side: &'static str,
    players: Players,
    view: String,
    first: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    truth: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    views: Option<Views>,
    moves: Vec<String>,
    phase: Phase,
    turn: Option<&'static str>,
    result: Option<Ended>,
    ply: usize,
    log: Vec<Logged<'s>>,
    lost: &'s [char],
    taken: &'s [char],
    sensed: Option<Window>,
    clock: Option<Times>,
    draw: Option<&'static str>,
    rematch: Option<Next<'s>>,
    thinking: bool,
    finished: bool,
}

/// What a viewer knows of an action; once nothing is hidden any more, with everything else.
#[derive(Serialize)]
pub(crate) struct Logged<'s> {
    #[serde(flatten)]
    entry: &'s Entry,
    #[serde(skip_serializing_if = "Option::is_none")]
    truth: Option<&'s str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    views: Option<&'s Views>,
}

/// What a viewer knows of every action.
pub(crate) fn logged(table: &dyn Table, viewer: Viewer, all_is_told: bool) -> Vec<Logged<'_>> {
    let (log, umpire, seen) = (&table.side(viewer).log, &table.side(Viewer::Umpire).log, table.seen());
    let hidden = |entry| Logged { entry, truth: None, views: None };
    let told = |entry: &'_ Entry| (umpire.get(entry.at).map(|whole| whole.view.as_str()), seen.get(entry.at));
    log.iter()
        .map(|entry| match told(entry) {
            (truth, views) if all_is_told => Logged { entry, truth, views },
            _ => hidden(entry),
        })
        .collect()
}

/// The names of both sides, as somebody sees them.
#[derive(Serialize)]
pub(crate) struct Players {
    white: String,
    black: String,
}

/// How a game ended.
#[derive(Serialize)]
pub(crate) struct Ended {
    winner: Option<&'static str>,
    reason: &'static str,
    text: String,
}

#[derive(Serialize)]
struct Times {
    white: u64,
    black: u64,
    increment: u64,
    running: Option<&'static str>,
}

#[derive(Serialize)]
struct Next<'s> {
    id: &'s str,
    join: Option<&'s str>,
}

impl Ended {
    pub(crate) fn of(outcome: Outcome) -> Ended {
        Ended {
            winner: outcome.winner.map(side_word),
            reason: outcome.reason.termination(),
            text: outcome.to_string(),
        }
    }
}

impl Players {
    /// The names of the engines that play White and Black; people are `You` and `Opponent`.
    pub(crate) fn of(agents: &[Option<String>; 2], viewer: &str) -> Players {
        let name = |color: Color| match &agents[color as usize] {
            Some(agent) => agent.clone(),
            None if viewer == side_word(color) => "You".to_owned(),
            None => "Opponent".to_owned(),
        };
        Players { white: name(Color::White), black: name(Color::Black) }
    }
}

/// The STATE for a viewer, as JSON; with its secret if it does not have it yet.
pub(crate) fn state(session: &Session, viewer: Viewer, with_secret: bool) -> String {
    let (table, outcome, turn) = (&session.table, session.outcome(), session.turn());
    let own = if let Viewer::Player(color) = viewer { Some(color) } else { None };
    let all_is_told = own.is_none() || outcome.is_some();
    let my_turn = turn.is_some() && turn == own;
    let side = table.side(viewer);
    let seat = session.seats[viewer.index()].as_ref();
    let state = State {
        api: API,
        id: &session.id,
        secret: seat.map(|seat| seat.secret.as_str()).filter(|_| with_secret),
        join: session.invitation.as_deref(),
        game: session.setup.game.word(),
        ruleset: session.setup.ruleset.as_deref(),
        side: viewer.word(),
        players: Players::of(&session.setup.agents, viewer.word()),
        view: table.sight(viewer),
        first: table.first(viewer),
        truth: all_is_told.then(|| table.sight(Viewer::Umpire)),
        views: all_is_told.then(|| Views::new(|color| table.sight(Viewer::Player(color)))),
        moves: if my_turn { table.moves().into_iter().map(word).collect() } else { Vec::new() },
        phase: own.map_or(Phase::Move, |color| table.phase(color)),
        turn: turn.map(side_word),
        result: outcome.map(Ended::of),
        ply: side.plies,
        log: logged(&**table, viewer, all_is_told),
        lost: &side.lost,
        taken: &side.taken,
        sensed: own.and_then(|color| table.sensed(color)),
        clock: times(session),
        draw: own.and_then(|own| session.draw.map(|offers| if offers == own { "offered" } else { "asked" })),
        rematch: session
            .rematch
            .as_ref()
            .map(|rematch| Next { id: &rematch.id, join: rematch.invitation.as_deref() }),
        thinking: turn.is_some_and(|turn| session.has_engine(turn)),
        finished: outcome.is_some(),
    };
    // Our values have text for keys and no failing parts.
    serde_json::to_string(&state).unwrap_or_default()
}

fn times(session: &Session) -> Option<Times> {
    let clock = session.clock.as_ref()?;
    let [white, black] = clock.left(Instant::now());
    Some(Times { white, black, increment: clock.increment(), running: clock.running().map(side_word) })
}
