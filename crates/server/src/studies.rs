//! The addresses of reviews, exports, hints and analyses.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use scuro_arena::control;
use scuro_games::chess::Color;
use scuro_games::dark::Rules;
use scuro_games::records::Record;
use serde::Deserialize;
use serde_json::json;

use crate::answer::{self, Failure};
use crate::review::{Format, export, read, record, review};
use crate::routes::{Answer, Nothing, Shared, body, found, number, seated};
use crate::study::{self, Question};
use crate::{App, lobby::Live};

/// What there is below the address of a game.
pub(crate) fn of_game() -> Router<Arc<App>> {
    let file = |format| move |app, id, headers| file(app, id, headers, format);
    Router::new()
        .route("/hint", post(hint))
        .route("/review", get(game_review))
        .route("/pgn", get(file(Format::Pgn)))
        .route("/json", get(file(Format::JsonLines)))
        .route("/history", get(file(Format::History)))
}

/// What there is beside games.
pub(crate) fn of_records() -> Router<Arc<App>> {
    Router::new()
        .route("/reviews", post(record_review))
        .route("/analyses", post(analyse))
        .route("/analyses/{id}", get(findings).delete(stop))
}

async fn hint(State(app): Shared, Path(id): Path<String>, headers: HeaderMap, bytes: Bytes) -> Answer {
    let Nothing {} = body(&bytes)?;
    let (live, _, color) = seated(&app, &id, &headers).await?;
    let work = {
        let session = live.session.lock().await;
        if session.turn() != Some(color) {
            return Err(Failure::Conflict("it is not your turn".to_owned()));
        }
        session.table.hint(color)
    };
    let hint = study::ask_hint(&app.lobby.pool, work).await?;
    Ok(answer::json(StatusCode::OK, &hint))
}

async fn whole(live: &Live) -> Result<Record, Failure> {
    record(&*live.session.lock().await)
}

async fn game_review(State(app): Shared, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let (live, _) = found(&app, &id, &headers).await?;
    reviewed(whole(&live).await?).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    record: String,
}

async fn record_review(bytes: Bytes) -> Answer {
    let Recorded { record } = body(&bytes)?;
    let read = tokio::task::spawn_blocking(move || read(&record));
    reviewed(read.await.map_err(|error| Failure::Internal(error.to_string()))??).await
}

/// Long records take a while: not where requests are answered.
async fn reviewed(record: Record) -> Answer {
    let reviewed = tokio::task::spawn_blocking(move || review(&record)).await;
    let reviewed = reviewed.map_err(|error| Failure::Internal(error.to_string()))??;
    Ok(answer::json(StatusCode::OK, &reviewed))
}

async fn file(State(app): Shared, Path(id): Path<String>, headers: HeaderMap, format: Format) -> Answer {
    let (live, _) = found(&app, &id, &headers).await?;
    let (text, kind, end) = export(whole(&live).await?, format)?;
    let name = format!("attachment; filename=\"scuro-{}.{end}\"", id.chars().take(8).collect::<String>());
    Ok(([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)], text).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    record: Option<String>,
    id: Option<String>,
    side: Side,
    movetime: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    White,
    Black,
}

/// A turn of an analysis takes this long unless said otherwise, and this long at most.
const USUAL: Duration = Duration::from_millis(200);
const MOST: Duration = Duration::from_secs(10);

async fn analyse(State(app): Shared, headers: HeaderMap, bytes: Bytes) -> Answer {
    let Asked { record, id, side, movetime } = body(&bytes)?;
    let record = match (record, id) {
        (Some(text), None) => read(&text)?,
        (None, Some(id)) => whole(&found(&app, &id, &headers).await?.0).await?,
        _ => return Err(Failure::malformed("either a record or an id")),
    };
    // What breaks the rules is said now.
    review(&record)?;
    let movetime = match movetime.as_deref().map(control::duration).transpose().map_err(Failure::malformed)? {
        Some(time) if time > MOST => return Err(Failure::malformed("movetime is at most 10 s")),
        time => time.unwrap_or(USUAL),
    };
    let side = match side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    };
    let rules = Rules::of(&record).map_err(Failure::malformed)?;
    let question = Question { rules, plies: record.plies, side, movetime };
    let id = app.analyses.begin(&app.lobby.pool, question)?;
    Ok(answer::json(StatusCode::ACCEPTED, &json!({ "analysis": id })))
}

async fn findings(
    State(app): Shared,
    Path(id): Path<String>,
    query: Query<HashMap<String, String>>,
) -> Answer {
    let from = number(&query, "from", 0)?;
    Ok(answer::json(StatusCode::OK, &app.analyses.findings(&id, from as usize)?))
}

async fn stop(State(app): Shared, Path(id): Path<String>) -> Result<Response, Failure> {
    app.analyses.stop(&id)?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
