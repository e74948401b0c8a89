//! What is kept of a game, and how it is written and read.

use rusqlite::{Connection, OptionalExtension, Row, params};
use scuro_agents::level::Level;
use serde::Serialize;

/// A game as it is kept.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) id: String,
    /// The setup, as JSON.
    pub(crate) setup: String,
    /// What the list shows of it: the game, and the engines that play White and Black.
    pub(crate) game: String,
    pub(crate) agents: [Option<String>; 2],
    pub(crate) made: i64,
    pub(crate) progress: Progress,
    pub(crate) seats: Vec<SeatRow>,
    /// Side and ply.
    pub(crate) plies: Vec<(String, String)>,
}

/// What changes while a game is played.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    pub(crate) turn: Option<String>,
    /// What is left on the clocks, in milliseconds.
    pub(crate) left: [Option<i64>; 2],
    /// Who offers a draw.
    pub(crate) draw: Option<String>,
    pub(crate) winner: Option<String>,
    pub(crate) reason: Option<String>,
    pub(crate) invitation: Option<String>,
    pub(crate) rematch: Option<String>,
    pub(crate) rematch_invitation: Option<String>,
}

/// A seat of a game.
#[derive(Clone, Debug)]
pub(crate) struct SeatRow {
    /// `white`, `black` or `watch`.
    pub(crate) side: String,
    pub(crate) secret: String,
    pub(crate) player: Option<String>,
    /// How many plies its owner knows of.
    pub(crate) ply: i64,
    /// When its owner last noticed something.
    pub(crate) changed: i64,
}

/// What has changed in a game.
#[derive(Clone, Debug)]
pub(crate) struct Saved {
    pub(crate) id: String,
    pub(crate) progress: Progress,
    /// The seats that noticed it, or are new.
    pub(crate) seats: Vec<SeatRow>,
    /// Number, side and text.
    pub(crate) plies: Vec<(i64, &'static str, String)>,
    pub(crate) now: i64,
}

/// A line of the list of games.
#[derive(Clone, Debug)]
pub(crate) struct Listing {
    pub(crate) id: String,
    pub(crate) secret: String,
    pub(crate) game: String,
    pub(crate) side: String,
    pub(crate) agents: [Option<String>; 2],
    pub(crate) winner: Option<String>,
    pub(crate) reason: Option<String>,
    pub(crate) turn: Option<String>,
    pub(crate) ply: i64,
    pub(crate) made: i64,
    pub(crate) changed: i64,
}

/// Which part of the list is wanted.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Page {
    pub(crate) search: String,
    pub(crate) offset: u32,
    pub(crate) limit: u32,
}

impl Kept {
    /// Writes a new game.
    pub(crate) fn insert(&self, connection: &Connection) -> rusqlite::Result<()> {
        let Kept { id, setup, game, agents: [white, black], made, progress, seats, .. } = self;
        connection
            .prepare_cached(
                "INSERT INTO games (id, setup, game, white, black, made) VALUES (?, ?, ?, ?, ?, ?)",
            )?
            .execute(params![id, setup, game, white, black, made])?;
        progress.write(connection, id)?;
        seats.iter().try_for_each(|seat| seat.write(connection, id))
    }

    /// Reads a game, if there is one.
    pub(crate) fn read(connection: &Connection, id: &str) -> rusqlite::Result<Option<Kept>> {
        let found = connection
            .prepare_cached("SELECT * FROM games WHERE id = ?")?
            .query_row([id], Kept::of_row)
            .optional()?;
        let Some(mut kept) = found else { return Ok(None) };
        kept.seats = connection
            .prepare_cached("SELECT side, secret, player, ply, changed FROM seats WHERE game = ?")?
            .query_map([id], SeatRow::of_row)?
            .collect::<rusqlite::Result<_>>()?;
        kept.plies = connection
            .prepare_cached("SELECT side, ply FROM plies WHERE game = ? ORDER BY number")?
            .query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        Ok(Some(kept))
    }

    fn of_row(row: &Row<'_>) -> rusqlite::Result<Kept> {
        Ok(Kept {
            id: row.get("id")?,
            setup: row.get("setup")?,
            game: row.get("game")?,
            agents: [row.get("white")?, row.get("black")?],
            made: row.get("made")?,
            progress: Progress {
                turn: row.get("turn")?,
                left: [row.get("left_white")?, row.get("left_black")?],
                draw: row.get("draw")?,
                winner: row.get("winner")?,
                reason: row.get("reason")?,
                invitation: row.get("invitation")?,
                rematch: row.get("rematch")?,
                rematch_invitation: row.get("rematch_invitation")?,
            },
            seats: Vec::new(),
            plies: Vec::new(),
        })
    }

    /// Removes a game; cascades take its seats and plies along.
    pub(crate) fn delete(connection: &Connection, id: &str) -> rusqlite::Result<()> {
        connection.execute("DELETE FROM games WHERE id = ?", [id]).map(|_| ())
    }
}

impl Progress {
    fn write(&self, connection: &Connection, id: &str) -> rusqlite::Result<()> {
        let Progress { turn, left, draw, winner, reason, invitation, rematch, rematch_invitation } = self;
        connection
            .prepare_cached(
                "UPDATE games SET turn = ?, left_white = ?, left_black = ?, draw = ?, winner = ?, reason = ?,
                 invitation = ?, rematch = ?, rematch_invitation = ? WHERE id = ?",
            )?
            .execute(params![
                turn,
                left[0],
                left[1],
                draw,
                winner,
                reason,
                invitation,
                rematch,
                rematch_invitation,
                id
            ])
            .map(|_| ())
    }
}

impl SeatRow {
    fn write(&self, connection: &Connection, id: &str) -> rusqlite::Result<()> {
        let SeatRow { side, secret, player, ply, changed } = self;
        connection
            .prepare_cached(
                "INSERT OR REPLACE INTO seats (game, side, secret, player, ply, changed) VALUES (?, ?, ?, ?, ?, ?)",
            )?
            .execute(params![id, side, secret, player, ply, changed])
            .map(|_| ())
    }

    fn of_row(row: &Row<'_>) -> rusqlite::Result<SeatRow> {
        Ok(SeatRow {
            side: row.get(0)?,
            secret: row.get(1)?,
            player: row.get(2)?,
            ply: row.get(3)?,
            changed: row.get(4)?,
        })
    }

    /// Removes a seat.
    pub(crate) fn delete(connection: &Connection, id: &str, side: &str) -> rusqlite::Result<()> {
        connection.execute("DELETE FROM seats WHERE game = ? AND side = ?", [id, side]).map(|_| ())
    }
}

impl Saved {
    /// Writes what has changed.
    pub(crate) fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let mut insert = connection
            .prepare_cached("INSERT INTO plies (game, number, side, ply, made) VALUES (?, ?, ?, ?, ?)")?;
        for (number, side, ply) in &self.plies {
            insert.execute(params![self.id, number, side, ply, self.now])?;
        }
        self.progress.write(connection, &self.id)?;
        self.seats.iter().try_for_each(|seat| seat.write(connection, &self.id))
    }
}

impl Listing {
    /// How many games of a player fit, and a part of them, the latest first.
    pub(crate) fn read(
        connection: &Connection,
        player: &str,
        page: &Page,
    ) -> rusqlite::Result<(usize, Vec<Listing>)> {
        let mut listed: Vec<Listing> = connection
            .prepare_cached(
                "SELECT games.*, seats.side, seats.secret, seats.ply, seats.changed
                 FROM seats JOIN games ON games.id = seats.game WHERE seats.player = ?
                 ORDER BY seats.changed DESC, games.id",
            )?
            .query_map([player], Listing::of_row)?
            .collect::<rusqlite::Result<_>>()?;
        listed.retain(|game| game.fits(&page.search));
        let total = listed.len();
        let part = listed.into_iter().skip(page.offset as usize).take(page.limit as usize);
        Ok((total, part.collect()))
    }

    /// Whether every word that is looked for is one of the game's, as the API has it or as the page shows it.
    fn fits(&self, search: &str) -> bool {
        let game = match self.game.as_str() {
            "fog" => "fog of war",
            "rbc" => "rbc reconnaissance blind chess",
            other => other,
        };
        let mut words = vec![game.to_owned(), self.side.clone(), self.id.clone()];
        for agent in self.agents.iter().flatten() {
            words.push(agent.clone());
            words.extend(Level::called(agent).map(|level| format!("level {}: {}", level.number, level.name)));
        }
        words.extend(self.winner.clone());
        words.push(self.reason.clone().unwrap_or_else(|| "unfinished, not over".to_owned()));
        let words = words.join(" ").to_lowercase();
        search.to_lowercase().split_whitespace().all(|word| words.contains(word))
    }

    fn of_row(row: &Row<'_>) -> rusqlite::Result<Listing> {
        Ok(Listing {
            id: row.get("id")?,
            secret: row.get("secret")?,
            game: row.get("game")?,
            side: row.get("side")?,
            agents: [row.get("white")?, row.get("black")?],
            winner: row.get("winner")?,
            reason: row.get("reason")?,
            turn: row.get("turn")?,
            ply: row.get("ply")?,
            made: row.get("made")?,
            changed: row.get("changed")?,
        })
    }
}
