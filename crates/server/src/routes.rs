//! Every address of the API, and what is done there.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use scuro_games::Variant;
use scuro_games::chess::Color;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::answer::{self, Failure};
use crate::lobby::Live;
use crate::session::{Draw, Session};
use crate::setup::Wanted;
use crate::state::{API, Ended, Players};
use crate::store::{Listing, Page};
use crate::table::{Viewer, side_word};
use crate::{App, events, guard, levels, secret, studies};

/// All of it, behind the guard.
pub(crate) fn router(app: Arc<App>) -> Router {
    let games = Router::new()
        .route("/", get(state).delete(leave))
        .route("/moves", post(moves))
        .route("/resign", post(resign))
        .route("/draw", post(draw))
        .route("/join", post(join))
        .route("/rematch", post(rematch))
        .route("/events", get(watch))
        .merge(studies::of_game());
    Router::new()
        .route("/api/v1", get(about))
        .route("/api/v1/players", post(player))
        .route("/api/v1/games", get(list).post(create))
        .nest("/api/v1/games/{id}", games)
        .nest("/api/v1", studies::of_records())
        .fallback(page)
        .method_not_allowed_fallback(async || Failure::Method)
        .with_state(Arc::clone(&app))
        .layer(axum::middleware::from_fn_with_state(app, guard::guard))
}

/// What a request is answered with.
pub(crate) type Answer = Result<Response, Failure>;
pub(crate) type Shared = State<Arc<App>>;

/// A body in JSON; no body at all is an empty object.
pub(crate) fn body<T: DeserializeOwned>(bytes: &Bytes) -> Result<T, Failure> {
    let bytes: &[u8] = if bytes.is_empty() { b"{}" } else { bytes };
    match serde_json::from_slice(bytes).map_err(Failure::malformed)? {
        object @ Value::Object(_) => serde_json::from_value(object).map_err(Failure::malformed),
        _ => Err(Failure::malformed("an object such as {} is wanted")),
    }
}

/// A text that is JSON already.
fn sent(status: StatusCode, text: String) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// The secret of a seat, as `Authorization: Bearer SECRET`.
fn bearer(headers: &HeaderMap) -> Result<&str, Failure> {
    let value = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    value.and_then(|value| value.strip_prefix("Bearer ")).map(str::trim).ok_or(Failure::Secret)
}

/// The name under which games are kept, if one is sent.
fn keeper(headers: &HeaderMap) -> Result<Option<String>, Failure> {
    match headers.get("scuro-player").map(|value| value.to_str().unwrap_or_default()) {
        None => Ok(None),
        Some(word) if secret::is_word(word) => Ok(Some(word.to_owned())),
        Some(_) => Err(Failure::malformed("Scuro-Player wants what POST /api/v1/players answered")),
    }
}

/// The game of an address and who asks.
pub(crate) async fn found(app: &App, id: &str, headers: &HeaderMap) -> Result<(Arc<Live>, Viewer), Failure> {
    app.lobby.find(id, bearer(headers)?).await
}

/// As [`found`], for players.
pub(crate) async fn seated(
    app: &App,
    id: &str,
    headers: &HeaderMap,
) -> Result<(Arc<Live>, Viewer, Color), Failure> {
    match found(app, id, headers).await? {
        (live, viewer @ Viewer::Player(color)) => Ok((live, viewer, color)),
        (_, Viewer::Umpire) => Err(Failure::NotNow("you watch this game".to_owned())),
    }
}

/// Brings work to its end even if whoever asked hangs up.
async fn finish<T: Send + 'static>(
    work: impl Future<Output = Result<T, Failure>> + Send + 'static,
) -> Result<T, Failure> {
    tokio::spawn(work).await.map_err(|error| Failure::Internal(error.to_string()))?
}

async fn page(State(app): Shared, uri: Uri, headers: HeaderMap) -> Answer {
    app.assets.answer(uri.path(), &headers)
}

async fn about() -> Response {
    let game = |game: Variant| {
        let opponents = levels::listed(game);
        json!({ "game": game.word(), "name": game.to_string(), "opponents": opponents })
    };
    let about = json!({
        "name": "scuro",
        "version": env!("CARGO_PKG_VERSION"),
        "api": API,
        "games": Variant::DARK.map(game),
        "levels": levels::levels(),
    });
    answer::json(StatusCode::OK, &about)
}

async fn player() -> Answer {
    Ok(answer::json(StatusCode::CREATED, &json!({ "player": secret::word()? })))
}

async fn create(State(app): Shared, headers: HeaderMap, bytes: Bytes) -> Answer {
    let (setup, viewer) = body::<Wanted>(&bytes)?.setup()?;
    let player = keeper(&headers)?;
    let text = finish(async move { app.lobby.create(setup, viewer, player).await }).await?;
    Ok(sent(StatusCode::CREATED, text))
}

async fn state(State(app): Shared, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (live, viewer) = found(&app, &id, &headers).await?;
    Ok(sent(StatusCode::OK, app.lobby.state(&live, viewer).await))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Moved {
    #[serde(rename = "move")]
    word: String,
}

async fn moves(State(app): Shared, Path(id): Path<String>, headers: HeaderMap, bytes: Bytes) -> Answer {
    let Moved { word } = body(&bytes)?;
    let (live, viewer, color) = seated(&app, &id, &headers).await?;
    let act = move |session: &mut Session| session.act(color, &word);
    Ok(sent(StatusCode::OK, app.lobby.change(&live, viewer, act).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

async fn resign(State(app): Shared, Path(id): Path<String>, headers: HeaderMap, bytes: Bytes) -> Answer {
    let Nothing {} = body(&bytes)?;
    let (live, viewer, color) = seated(&app, &id, &headers).await?;
    let resign = move |session: &mut Session| session.resign(color);
    Ok(sent(StatusCode::OK, app.lobby.change(&live, viewer, resign).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    draw: Draw,
}

async fn draw(State(app): Shared, Path(id): Path<String>, headers: HeaderMap, bytes: Bytes) -> Answer {
    let Said { draw } = body(&bytes)?;
    let (live, viewer, color) = seated(&app, &id, &headers).await?;
    let say = move |session: &mut Session| session.draw(color, draw);
    Ok(sent(StatusCode::OK, app.lobby.change(&live, viewer, say).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Joining {
    join: String,
}

async fn join(State(app): Shared, Path(id): Path<String>, headers: HeaderMap, bytes: Bytes) -> Answer {
    let Joining { join } = body(&bytes)?;
    let player = keeper(&headers)?;
    Ok(sent(StatusCode::OK, app.lobby.join(&id, join, player).await?))
}

async fn rematch(State(app): Shared, Path(id): Path<String>, headers: HeaderMap, bytes: Bytes) -> Answer {
    let Nothing {} = body(&bytes)?;
    let (live, viewer) = found(&app, &id, &headers).await?;
    let text = finish(async move { app.lobby.rematch(&live, viewer).await }).await?;
    Ok(sent(StatusCode::CREATED, text))
}

async fn leave(State(app): Shared, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (live, viewer) = found(&app, &id, &headers).await?;
    finish(async move { app.lobby.leave(&live, viewer).await }).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

async fn watch(
    State(app): Shared,
    Path(id): Path<String>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Answer {
    let upgrade = upgrade.map_err(|_| Failure::malformed("a WebSocket is wanted here"))?;
    let upgrade = upgrade.max_message_size(4 << 10).max_frame_size(4 << 10);
    Ok(upgrade.on_upgrade(move |socket| events::serve(app, id, socket)))
}

/// The list is cut into parts of at most so many games.
const MOST_LISTED: u32 = 200;

/// A number that a query names, or the usual one.
pub(crate) fn number(query: &HashMap<String, String>, name: &str, usual: u32) -> Result<u32, Failure> {
    match query.get(name) {
        None => Ok(usual),
        Some(text) => text.parse().map_err(|_| Failure::malformed(format!("{name} is no number"))),
    }
}

async fn list(State(app): Shared, query: Query<HashMap<String, String>>, headers: HeaderMap) -> Answer {
    let player = keeper(&headers)?.ok_or(Failure::Secret)?;
    let page = Page {
        search: query.get("search").map_or(String::new(), |text| text.chars().take(100).collect()),
        offset: number(&query, "offset", 0)?,
        limit: number(&query, "limit", 50)?.min(MOST_LISTED),
    };
    let (total, games) =
        app.lobby.store.run(move |connection| Listing::read(connection, &player, &page)).await?;
    let games: Vec<Value> = games.iter().map(listed).collect();
    Ok(answer::json(StatusCode::OK, &json!({ "total": total, "games": games })))
}

fn listed(game: &Listing) -> Value {
    let result = game.reason.as_deref().and_then(|reason| {
        let reason = scuro_games::outcome::Reason::from_termination(reason)?;
        let won = |color: &Color| game.winner.as_deref() == Some(side_word(*color));
        let winner = Color::ALL.into_iter().find(won);
        Some(Ended::of(scuro_games::outcome::Outcome { winner, reason }))
    });
    json!({
        "id": game.id,
        "secret": game.secret,
        "game": game.game,
        "side": game.side,
        "players": Players::of(&game.agents, &game.side),
        "result": result,
        "turn": game.turn,
        "ply": game.ply,
        "made": game.made,
        "changed": game.changed,
    })
}
