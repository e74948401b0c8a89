//! Connections: as many as there is room for, none that only waits, and at the end each one's last answer.
//!
//! axum's own loop would do, but it lets a client that never finishes its request stay for ever.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ConnectInfo;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

/// So many connections at a time; the next ones are closed at once.
const MOST: usize = 4_000;

/// The head of a request has to be here in this time, counted from the end of the one before.
const HEAD_TIME: Duration = Duration::from_secs(60);

/// How long open requests may take when the server ends.
const FAREWELL: Duration = Duration::from_secs(5);

/// Serves until it is told to stop; then until every client has its last answer, or does not fetch it.
pub(crate) async fn serve(listener: TcpListener, router: Router, mut stop: watch::Receiver<bool>) {
    let places = Arc::new(Semaphore::new(MOST));
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    rest_after(&error).await;
                    continue;
                }
            },
            // The sender lives as long as the server.
            _ = stop.wait_for(|stop| *stop) => break,
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
        let (router, stop) = (router.clone(), stop.clone());
        tokio::spawn(async move {
            converse(stream, peer, router, stop).await;
            drop(place);
        });
    }
    drop(listener);
    // Whether all are gone or some do not let go, this is the end.
    let _ = timeout(FAREWELL, places.acquire_many(MOST as u32)).await;
}

/// When there are no more files to be had, trying again at once would only burn time.
async fn rest_after(error: &io::Error) {
    let theirs = [io::ErrorKind::ConnectionAborted, io::ErrorKind::ConnectionReset];
    if !theirs.contains(&error.kind()) {
        sleep(Duration::from_millis(100)).await;
    }
}

async fn converse(stream: TcpStream, peer: SocketAddr, router: Router, mut stop: watch::Receiver<bool>) {
    // A move is one small packet: it is not to wait for others.
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(router.layer(Extension(ConnectInfo(peer))));
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_headers(64);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service).with_upgrades());
    tokio::select! {
        // What goes wrong with a connection is between the client and the network.
        _ = connection.as_mut() => return,
        _ = stop.wait_for(|stop| *stop) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}
