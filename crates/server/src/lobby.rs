//! All games: found by id and secret, changed one change at a time, written down before anybody hears of it.
//!
//! A change runs in a task of its own, so that a client who hangs up in the middle leaves nothing half done. Engines are
//! asked when a change has been committed, and nobody waits for them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use scuro_games::chess::Color;
use tokio::sync::{Mutex as AsyncMutex, watch};

use crate::answer::Failure;
use crate::pool::Pool;
use crate::session::{ALL, Noticed, Rematch, Session};
use crate::setup::Setup;
use crate::state::state;
use crate::store::{Kept, SeatRow, Store};
use crate::table::Viewer;

/// A game that nobody has looked at for so long is left to the database.
const IDLE: Duration = Duration::from_secs(600);

/// Two engines stop playing when nobody has watched for so long.
const UNWATCHED: Duration = Duration::from_secs(60);

/// How often is looked for idle games.
const SWEEP: Duration = Duration::from_secs(30);

/// A change of a game, and who notices it.
type Change = Box<dyn FnOnce(&mut Session) -> Result<Noticed, Failure> + Send>;

type MutexSession<'l> = tokio::sync::MutexGuard<'l, Session>;

/// The games in memory, with what they need.
pub(crate) struct Lobby {
    pub(crate) store: Store,
    pub(crate) pool: Pool,
    games: Mutex<HashMap<String, Arc<Live>>>,
    most: usize,
}

/// A game in memory.
pub(crate) struct Live {
    pub(crate) session: AsyncMutex<Session>,
    /// Count the changes that White, Black and the umpire noticed.
    changes: [watch::Sender<u64>; 3],
    used: Mutex<Instant>,
}

impl Live {
    fn new(session: Session) -> Arc<Live> {
        let changes = std::array::from_fn(|_| watch::Sender::new(0));
        Arc::new(Live { session: AsyncMutex::new(session), changes, used: Mutex::new(Instant::now()) })
    }

    /// Tells of changes that somebody notices.
    pub(crate) fn changes(&self, viewer: Viewer) -> watch::Receiver<u64> {
        self.changes[viewer.index()].subscribe()
    }

    /// The game, if it is still the one that is kept.
    async fn present(&self) -> Result<MutexSession<'_>, Failure> {
        let session = self.session.lock().await;
        if session.gone { Err(Failure::Secret) } else { Ok(session) }
    }

    fn notify(&self, noticed: Noticed) {
        for (changes, _) in self.changes.iter().zip(noticed).filter(|(_, noticed)| *noticed) {
            changes.send_modify(|count| *count += 1);
        }
    }

    fn touch(&self) {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// How long nobody has looked at it.
    fn idle(&self) -> Duration {
        let watched = self.changes.iter().any(|changes| changes.receiver_count() > 0);
        let used = *self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if watched { Duration::ZERO } else { used.elapsed() }
    }
}

impl Lobby {
    /// No games yet; at most so many at a time.
    pub(crate) fn new(store: Store, pool: Pool, most: usize) -> Arc<Lobby> {
        Arc::new(Lobby { store, pool, games: Mutex::default(), most })
    }

    fn games(&self) -> MutexGuard<'_, HashMap<String, Arc<Live>>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a game; its STATE with the secret of whoever asked for it.
    pub(crate) async fn create(
        self: &Arc<Self>,
        setup: Setup,
        viewer: Viewer,
        player: Option<String>,
    ) -> Result<String, Failure> {
        self.make_room()?;
        let session = Session::new(setup, viewer, player)?;
        let text = self.add(session, viewer).await?;
        Ok(text)
    }

    async fn add(self: &Arc<Self>, session: Session, viewer: Viewer) -> Result<String, Failure> {
        let (kept, text, id) = (session.kept()?, state(&session, viewer, true), session.id.clone());
        self.store.run(move |connection| kept.insert(connection)).await?;
        let live = Live::new(session);
        self.games().insert(id, Arc::clone(&live));
        let mut session = live.session.lock().await;
        self.go_on(&live, &mut session);
        Ok(text)
    }

    fn make_room(&self) -> Result<(), Failure> {
        if self.games().len() >= self.most {
            self.sweep(Duration::from_secs(1));
        }
        let full = Failure::Busy("too many games at the moment");
        if self.games().len() >= self.most { Err(full) } else { Ok(()) }
    }

    /// Leaves games that nobody has looked at for so long to the database. What is thought about, or has a running
    /// clock, stays.
    fn sweep(&self, idle: Duration) {
        self.games().retain(|_, live| {
            let resting = Arc::strong_count(live) == 1 && live.idle() >= idle;
            let quiet = || {
                live.session.try_lock().is_ok_and(|session| {
                    !session.thinking && session.clock.is_none_or(|clock| clock.running().is_none())
                })
            };
            !(resting && quiet())
        });
    }

    /// Looks for idle games until the server ends.
    pub(crate) async fn sweep_on(self: Arc<Self>) {
        loop {
            tokio::time::sleep(SWEEP).await;
            self.sweep(IDLE);
        }
    }

    /// A game and who asks for it; not even whether it exists is told to anybody else.
    pub(crate) async fn find(
        self: &Arc<Self>,
        id: &str,
        secret: &str,
    ) -> Result<(Arc<Live>, Viewer), Failure> {
        let live = self.live(id).await?;
        let viewer = live.session.lock().await.viewer(secret).ok_or(Failure::Secret)?;
        live.touch();
        let mut session = live.session.lock().await;
        self.go_on(&live, &mut session);
        drop(session);
        Ok((live, viewer))
    }

    /// A game, from memory or from the database.
    async fn live(self: &Arc<Self>, id: &str) -> Result<Arc<Live>, Failure> {
        if let Some(live) = self.games().get(id) {
            return Ok(Arc::clone(live));
        }
        let wanted = id.to_owned();
        let kept = self.store.run(move |connection| Kept::read(connection, &wanted)).await?;
        let session = Session::of(kept.ok_or(Failure::Secret)?)?;
        self.make_room()?;
        // Somebody else may have read it in the meantime: there is one of each.
        Ok(Arc::clone(self.games().entry(id.to_owned()).or_insert_with(|| Live::new(session))))
    }

    /// The STATE of a viewer.
    pub(crate) async fn state(&self, live: &Live, viewer: Viewer) -> String {
        state(&*live.session.lock().await, viewer, false)
    }

    /// Changes a game, writes that down, and lets those who noticed hear of it; the STATE of `viewer` after it.
    pub(crate) async fn change(
        self: &Arc<Self>,
        live: &Arc<Live>,
        viewer: Viewer,
        change: impl FnOnce(&mut Session) -> Result<Noticed, Failure> + Send + 'static,
    ) -> Result<String, Failure> {
        let (lobby, live) = (Arc::clone(self), Arc::clone(live));
        let work = tokio::spawn(async move {
            let mut session = live.present().await?;
            // What a clock has ended is ended before anything else happens.
            let flagged = session.flag();
            let changed = change(&mut session);
            let noticed = match (flagged, &changed) {
                (Some(_), _) => ALL,
                (None, Ok(noticed)) => *noticed,
                (None, Err(_)) => return changed.map(|_| String::new()),
            };
            lobby.commit(&live, &mut session, noticed).await?;
            changed.map(|_| state(&session, viewer, false))
        });
        work.await.map_err(|error| Failure::Internal(error.to_string()))?
    }

    async fn commit(
        self: &Arc<Self>,
        live: &Arc<Live>,
        session: &mut Session,
        noticed: Noticed,
    ) -> Result<(), Failure> {
        let saved = session.saved(noticed);
        if let Err(failure) = self.store.run(move |connection| saved.write(connection)).await {
            // What is in memory is not what is kept: the next who asks reads it anew.
            session.gone = true;
            self.games().remove(&session.id);
            return Err(failure);
        }
        live.notify(noticed);
        self.go_on(live, session);
        Ok(())
    }

    /// Lets the engine think whose turn it is, and the clock fall that runs.
    fn go_on(self: &Arc<Self>, live: &Arc<Live>, session: &mut Session) {
        self.watch_clock(live, session);
        let unwatched = session.seats[Viewer::Umpire.index()].is_some() && live.idle() > UNWATCHED;
        let next = Instant::now() + session.pace();
        let Some((color, choice)) = Some(session).filter(|_| !unwatched).and_then(Session::choice) else {
            return;
        };
        let (lobby, live) = (Arc::clone(self), Arc::clone(live));
        tokio::spawn(async move {
            let chosen = lobby.pool.choose(choice).await;
            // An engine that lost its place to the end of the server has not crashed.
            if chosen.is_none() && lobby.pool.is_closed() {
                return;
            }
            tokio::time::sleep_until(next.into()).await;
            let act = move |session: &mut Session| session.act_for_engine(color, chosen);
            // The game may have ended in the meantime; there is nobody to tell.
            let _ = lobby.change_boxed(&live, color, Box::new(act)).await;
        });
    }

    /// As [`Lobby::change`]: a future of a known type, for it leads back to itself.
    fn change_boxed<'l>(
        self: &'l Arc<Self>,
        live: &'l Arc<Live>,
        color: Color,
        change: Change,
    ) -> std::pin::Pin<Box<dyn Future<Output = Result<String, Failure>> + Send + 'l>> {
        Box::pin(self.change(live, Viewer::Player(color), change))
    }

    fn watch_clock(self: &Arc<Self>, live: &Arc<Live>, session: &mut Session) {
        let Some((color, falls)) = session.clock.and_then(|clock| clock.falls()) else { return };
        if session.watched_fall == Some(falls) {
            return;
        }
        session.watched_fall = Some(falls);
        // A game that leaves memory takes its clock along.
        let (lobby, live) = (Arc::clone(self), Arc::downgrade(live));
        tokio::spawn(async move {
            tokio::time::sleep_until(falls.into()).await;
            if let Some(live) = live.upgrade() {
                let nothing = |_: &mut Session| Err(Failure::Missing);
                let _ = lobby.change_boxed(&live, color, Box::new(nothing)).await;
            }
        });
    }

    /// The other player joins a game; its STATE with its secret.
    pub(crate) async fn join(
        self: &Arc<Self>,
        id: &str,
        invitation: String,
        player: Option<String>,
    ) -> Result<String, Failure> {
        let live = self.live(id).await?;
        live.touch();
        let lobby = Arc::clone(self);
        let work = tokio::spawn(async move {
            let mut session = live.present().await?;
            let (viewer, noticed) = session.join(&invitation, player)?;
            lobby.commit(&live, &mut session, noticed).await?;
            Ok(state(&session, viewer, true))
        });
        work.await.map_err(|error| Failure::Internal(error.to_string()))?
    }

    /// The game that follows one that is over, with the sides changed: made by the first who asks, joined by the other.
    pub(crate) async fn rematch(
        self: &Arc<Self>,
        live: &Arc<Live>,
        viewer: Viewer,
    ) -> Result<String, Failure> {
        self.make_room()?;
        let mut session = live.present().await?;
        if session.outcome().is_none() {
            return Err(Failure::NotNow("the game is not over".to_owned()));
        }
        let player = session.seats[viewer.index()].as_ref().and_then(|seat| seat.player.clone());
        let two_people = Color::ALL.into_iter().all(|color| !session.has_engine(color));
        let next = session.rematch.clone();
        if let (true, Some(Rematch { id, invitation: Some(invitation), by })) = (two_people, next) {
            if by == Some(viewer) {
                return Err(Failure::Conflict("you have asked already".to_owned()));
            }
            drop(session);
            return self.join(&id, invitation, player).await;
        }
        let mine = match viewer {
            Viewer::Player(color) => Viewer::Player(!color),
            Viewer::Umpire => Viewer::Umpire,
        };
        let following = Session::new(session.setup.changed_sides()?, mine, player)?;
        let (id, invitation) = (following.id.clone(), following.invitation.clone());
        let rematch = Rematch { id, invitation, by: Some(viewer) };
        let text = self.add(following, mine).await?;
        if two_people {
            session.rematch = Some(rematch);
            self.commit(live, &mut session, ALL).await?;
        }
        Ok(text)
    }

    /// A person leaves a game for good. The last one takes its rows along.
    pub(crate) async fn leave(self: &Arc<Self>, live: &Arc<Live>, viewer: Viewer) -> Result<(), Failure> {
        let mut session = live.present().await?;
        let (id, last) = (session.id.clone(), session.leave(viewer));
        if last {
            session.gone = true;
            self.games().remove(&id);
            return self.store.erase(move |connection| Kept::delete(connection, &id)).await;
        }
        self.commit(live, &mut session, ALL).await?;
        self.store.erase(move |connection| SeatRow::delete(connection, &id, viewer.word())).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Wanted;

    fn run(test: impl Future<Output = ()>) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
    }

    fn lobby(most: usize) -> Arc<Lobby> {
        Lobby::new(Store::open(None).unwrap().0, Pool::new(1).unwrap(), most)
    }

    async fn make(lobby: &Arc<Lobby>) -> Result<(String, String), Failure> {
        let wanted: Wanted = serde_json::from_str(r#"{"opponent": "human"}"#).unwrap();
        let (setup, viewer) = wanted.setup()?;
        let state: serde_json::Value =
            serde_json::from_str(&lobby.create(setup, viewer, None).await?).unwrap();
        let text = |name: &str| state[name].as_str().unwrap().to_owned();
        Ok((text("id"), text("secret")))
    }

    #[test]
    fn an_idle_game_is_left_to_the_database_and_comes_back() {
        run(async {
            let lobby = lobby(10);
            let (id, secret) = make(&lobby).await.unwrap();
            let (live, viewer) = lobby.find(&id, &secret).await.unwrap();
            lobby.change(&live, viewer, |session| session.act(Color::White, "e2e4")).await.unwrap();
            let before = lobby.state(&live, viewer).await;
            lobby.sweep(Duration::ZERO);
            assert_eq!(lobby.games().len(), 1, "somebody looks at it");
            drop(live);
            lobby.sweep(Duration::ZERO);
            assert_eq!(lobby.games().len(), 0);
            let (live, viewer) = lobby.find(&id, &secret).await.unwrap();
            assert_eq!(lobby.state(&live, viewer).await, before);
        });
    }

    #[test]
    fn there_is_room_for_so_many_games_in_use() {
        run(async {
            let lobby = lobby(2);
            let mut held = Vec::new();
            for _ in 0..2 {
                let (id, secret) = make(&lobby).await.unwrap();
                held.push(lobby.find(&id, &secret).await.unwrap());
            }
            assert_eq!(make(&lobby).await, Err(Failure::Busy("too many games at the moment")));
            // A game that nobody has looked at for a moment makes room.
            drop(held.pop());
            lobby.sweep(Duration::ZERO);
            make(&lobby).await.unwrap();
        });
    }
}
