//! What the server answers when it does not do what was asked: a status and one line, which never says more than the
//! player knows.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;
use thiserror::Error;

/// Words about a request are no longer than this.
const LONGEST: usize = 300;

/// Why a request is not answered with what it asked for.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It cannot be understood.
    #[error("{0}")]
    Malformed(String),
    /// No secret, a wrong one, or no such game: all three look alike.
    #[error("no such game, or not your secret")]
    Secret,
    /// Not at this time.
    #[error("{0}")]
    NotNow(String),
    /// From a page or for a host that is not ours.
    #[error("{0}")]
    Foreign(&'static str),
    /// There is nothing there.
    #[error("no such page")]
    Missing,
    /// Not this method.
    #[error("not so: another method is wanted here")]
    Method,
    /// Not in this state of the game.
    #[error("{0}")]
    Conflict(String),
    /// The body is too long.
    #[error("more than {0} kB")]
    TooLarge(usize),
    /// The body did not come in time.
    #[error("the body did not come in time")]
    TooSlow,
    /// Too many of these in a short time.
    #[error("too often: wait a little")]
    TooOften,
    /// No room for more at the moment.
    #[error("{0}")]
    Busy(&'static str),
    /// Something is wrong here, not with the request. The words go to the log alone.
    #[error("the server failed")]
    Internal(String),
}

impl Failure {
    fn status(&self) -> StatusCode {
        match self {
            Failure::Malformed(_) => StatusCode::BAD_REQUEST,
            Failure::Secret => StatusCode::UNAUTHORIZED,
            Failure::NotNow(_) | Failure::Foreign(_) => StatusCode::FORBIDDEN,
            Failure::Missing => StatusCode::NOT_FOUND,
            Failure::Method => StatusCode::METHOD_NOT_ALLOWED,
            Failure::Conflict(_) => StatusCode::CONFLICT,
            Failure::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Failure::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Failure::TooOften => StatusCode::TOO_MANY_REQUESTS,
            Failure::Busy(_) => StatusCode::SERVICE_UNAVAILABLE,
            Failure::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// A request that cannot be understood, in the words of whoever tried.
    pub(crate) fn malformed(error: impl ToString) -> Failure {
        // One line, whatever was sent, and not all of it.
        let words = error.to_string();
        let plain = words.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c });
        Failure::Malformed(plain.collect())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        if let Failure::Internal(words) = &self {
            eprintln!("scuro: {words}");
        }
        json(self.status(), &json!({ "error": self.to_string() }))
    }
}

/// An answer in JSON.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Response {
    match serde_json::to_string(value) {
        Ok(text) => (status, [(header::CONTENT_TYPE, "application/json")], text).into_response(),
        // Our values have text for keys and no failing parts.
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
