//! The page and its API: people play chess in the dark against engines and each other, and nothing hidden leaves here.
//!
//! Read [`Server`] first. A request passes the `guard`, `routes` finds what is asked for, the `lobby` finds the
//! game, changes it and has it written down by the `store`; a `session` is one game with its seats, a `table` its
//! umpire and engines, `hosted` what the server has to know of each game, `state` what a player is sent. Engines
//! think in the `pool`.

mod answer;
mod assets;
mod clock;
mod connections;
mod events;
mod guard;
mod hosted;
mod levels;
mod limits;
mod lobby;
mod pool;
mod review;
mod routes;
mod secret;
mod session;
mod setup;
mod state;
mod store;
mod studies;
mod study;
mod table;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, watch};

use assets::Assets;
use guard::Doors;
use limits::Limits;
use lobby::Lobby;
use pool::Pool;
use store::{Keeper, Store};
use study::Analyses;

pub use store::StoreError;

/// The port that is tried first if none is given.
pub const PORT: u16 = 7878;

/// So many ports after it are tried.
const PORTS: u16 = 100;

/// So many games are in memory at most.
const MOST_GAMES: usize = 1_000;

/// So many WebSockets are open at most.
const MOST_SOCKETS: usize = 2_000;

/// How long things that are under way may take when the server ends.
const FAREWELL: Duration = Duration::from_secs(1);

/// How the server is to run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The port; without one the usual, or the next that is free. 0 is any.
    pub port: Option<u16>,
    /// The address or name to listen on instead of the loopback.
    pub host: Option<String>,
    /// The folder of the database; without one nothing is kept.
    pub data: Option<PathBuf>,
    /// How many threads think; without a number one a core.
    pub threads: Option<usize>,
}

/// Why there is no server.
#[derive(Debug, Error)]
pub enum ServerError {
    /// The port is taken, or not ours to take.
    #[error("cannot listen on {host} port {port}")]
    Listen {
        /// Where.
        host: String,
        /// The port.
        port: u16,
        /// Why.
        source: io::Error,
    },
    /// There is no database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Threads, memory or the like.
    #[error("cannot start the server: {0}")]
    Start(#[from] io::Error),
}

/// What requests need.
pub(crate) struct App {
    lobby: Arc<Lobby>,
    doors: Doors,
    limits: Limits,
    assets: Assets,
    /// Room for WebSockets.
    places: Semaphore,
    stop: watch::Sender<bool>,
    analyses: Analyses,
}

/// A server that listens, and answers once it [runs](Server::run).
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<App>,
    keeper: Keeper,
}

/// Ends a server, from any thread.
#[derive(Clone)]
pub struct Stop(watch::Sender<bool>);

impl Stop {
    /// The server ends soon: open requests are answered, and nothing that was acknowledged is lost.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Takes a port and opens the database.
    ///
    /// # Errors
    /// If one of them cannot be had.
    pub fn bind(options: &Options) -> Result<Server, ServerError> {
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let listener = listen(options)?;
        let address = listener.local_addr()?;
        listener.set_nonblocking(true)?;
        let listener = runtime.block_on(async { TcpListener::from_std(listener) })?;
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let pool = Pool::new(options.threads.unwrap_or(cores).max(1))?;
        let (store, keeper) = Store::open(options.data.as_deref())?;
        let app = App {
            lobby: Lobby::new(store, pool, MOST_GAMES),
            doors: Doors::new(options.host.as_deref(), address.ip()),
            limits: Limits::default(),
            assets: Assets::new(),
            places: Semaphore::new(MOST_SOCKETS),
            stop: watch::Sender::new(false),
            analyses: Analyses::default(),
        };
        Ok(Server { runtime, listener, address, app: Arc::new(app), keeper })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// With what it is ended.
    #[must_use]
    pub fn stopper(&self) -> Stop {
        Stop(self.app.stop.clone())
    }

    /// Answers requests until it is ended.
    pub fn run(self) {
        let Server { runtime, listener, app, keeper, .. } = self;
        runtime.block_on(serve(listener, app));
        runtime.shutdown_timeout(FAREWELL);
        keeper.end();
    }
}

async fn serve(listener: TcpListener, app: Arc<App>) {
    tokio::spawn(Arc::clone(&app.lobby).sweep_on());
    connections::serve(listener, routes::router(Arc::clone(&app)), app.stop.subscribe()).await;
    // Sockets of games say farewell by themselves.
    let _ = tokio::time::timeout(FAREWELL, app.places.acquire_many(MOST_SOCKETS as u32)).await;
    app.lobby.pool.close();
}

fn listen(options: &Options) -> Result<std::net::TcpListener, ServerError> {
    let host = options.host.clone().unwrap_or_else(|| Ipv4Addr::LOCALHOST.to_string());
    let host = host.trim_matches(['[', ']']).to_owned();
    let on = |port: u16| {
        let addresses: Vec<SocketAddr> = match host.parse::<IpAddr>() {
            Ok(address) => vec![(address, port).into()],
            Err(_) => (host.as_str(), port).to_socket_addrs()?.collect(),
        };
        std::net::TcpListener::bind(&addresses[..])
    };
    let first = options.port.unwrap_or(PORT);
    let last = if options.port.is_some() { first } else { first + PORTS };
    let mut tried = on(first);
    for port in first..last {
        match &tried {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => tried = on(port + 1),
            _ => break,
        }
    }
    tried.map_err(|source| ServerError::Listen { host, port: first, source })
}
