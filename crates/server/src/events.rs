//! The WebSocket of a game: the STATE of a seat whenever it has changed for this seat, and nothing else.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use serde::Deserialize;
use tokio::time::timeout;

use crate::App;
use crate::lobby::Live;
use crate::table::Viewer;

/// A client says who it is in this time.
const GREETING: Duration = Duration::from_secs(10);

/// A client that does not take a message in this time is gone.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often a silent client is asked whether it is there.
const PING: Duration = Duration::from_secs(30);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Greeting {
    secret: String,
}

/// Serves one client until it leaves, falls silent or the server ends.
pub(crate) async fn serve(app: Arc<App>, id: String, mut socket: WebSocket) {
    let Some(_place) = app.places.try_acquire().ok() else { return };
    let Some(greeting) = greeting(&mut socket).await else { return };
    match app.lobby.find(&id, &greeting.secret).await {
        Ok((live, viewer)) => {
            let _ = send_states(&app, &live, viewer, &mut socket).await;
        }
        Err(failure) => {
            let error = serde_json::json!({ "error": failure.to_string() }).to_string();
            let _ = send(&mut socket, Message::text(error)).await;
        }
    }
}

async fn greeting(socket: &mut WebSocket) -> Option<Greeting> {
    match timeout(GREETING, socket.recv()).await {
        Ok(Some(Ok(Message::Text(text)))) => serde_json::from_str(&text).ok(),
        _ => None,
    }
}

/// Whoever the client was, it is gone.
struct Gone;

async fn send(socket: &mut WebSocket, message: Message) -> Result<(), Gone> {
    match timeout(PATIENCE, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        _ => Err(Gone),
    }
}

async fn send_states(app: &App, live: &Live, viewer: Viewer, socket: &mut WebSocket) -> Result<(), Gone> {
    let mut changes = live.changes(viewer);
    let mut stopping = app.stop.subscribe();
    changes.mark_changed();
    let mut answered = true;
    loop {
        tokio::select! {
            changed = changes.changed() => {
                changed.map_err(|_| Gone)?;
                changes.mark_unchanged();
                let state = app.lobby.state(live, viewer).await;
                send(socket, Message::text(state)).await?;
            }
            message = timeout(PING, socket.recv()) => match message {
                // Everything else is said by requests.
                Ok(Some(Ok(Message::Close(_)) | Err(_)) | None) => return Err(Gone),
                Ok(Some(Ok(_))) => answered = true,
                Err(_) if !answered => return Err(Gone),
                Err(_) => {
                    answered = false;
                    send(socket, Message::Ping(Vec::new().into())).await?;
                }
            },
            _ = stopping.changed() => {
                return send(socket, Message::Close(None)).await;
            }
        }
    }
}
