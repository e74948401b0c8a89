//! The tables, their format number, and how older ones are brought up to date: after a copy was made.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};

use super::StoreError;

/// What makes each format from the one before; the first makes the tables.
const STEPS: [&str; 1] = ["
    CREATE TABLE games (
        id TEXT PRIMARY KEY,
        setup TEXT NOT NULL,
        game TEXT NOT NULL,
        white TEXT,
        black TEXT,
        made INTEGER NOT NULL,
        turn TEXT,
        left_white INTEGER,
        left_black INTEGER,
        draw TEXT,
        winner TEXT,
        reason TEXT,
        invitation TEXT,
        rematch TEXT,
        rematch_invitation TEXT
    ) WITHOUT ROWID;
    CREATE TABLE seats (
        game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
        side TEXT NOT NULL,
        secret TEXT NOT NULL,
        player TEXT,
        ply INTEGER NOT NULL,
        changed INTEGER NOT NULL,
        PRIMARY KEY (game, side)
    ) WITHOUT ROWID;
    CREATE INDEX seats_of_player ON seats (player, changed);
    CREATE TABLE plies (
        game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
        number INTEGER NOT NULL,
        side TEXT NOT NULL,
        ply TEXT NOT NULL,
        made INTEGER NOT NULL,
        PRIMARY KEY (game, number)
    ) WITHOUT ROWID;
"];

/// What every connection needs. Committed means written to the disk; deleted means overwritten.
const PRAGMAS: &str = "
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA secure_delete = ON;
    PRAGMA foreign_keys = ON;
";

/// Opens a file, or makes it.
pub(super) fn open(path: &Path) -> Result<Connection, StoreError> {
    open_with(path, &STEPS)
}

/// A database that leaves nothing behind.
pub(super) fn in_memory() -> Result<Connection, StoreError> {
    let made = || {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch("PRAGMA foreign_keys = ON")?;
        connection.execute_batch(STEPS[0])?;
        Ok(connection)
    };
    made().map_err(|source| StoreError::Database { path: "memory".into(), source })
}

fn open_with(path: &Path, steps: &[&str]) -> Result<Connection, StoreError> {
    let wrong = |source: rusqlite::Error| match source.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Used(path.to_owned()),
        _ => StoreError::Database { path: path.to_owned(), source },
    };
    let connection = Connection::open(path).map_err(wrong)?;
    connection.busy_timeout(Duration::from_millis(200)).map_err(wrong)?;
    let found = format(&connection).map_err(wrong)?;
    let known = u32::try_from(steps.len()).unwrap_or(u32::MAX);
    if found > known {
        return Err(StoreError::Newer { path: path.to_owned(), found, known });
    }
    connection.execute_batch(PRAGMAS).map_err(wrong)?;
    private(path);
    if found < known {
        if found > 0 {
            back_up(&connection, path, found)?;
        }
        migrate(&connection, &steps[found as usize..], known).map_err(wrong)?;
    }
    // The lock is taken by the first that writes: that is now, not in the middle of a game.
    connection.execute_batch(&format!("PRAGMA user_version = {known}")).map_err(wrong)?;
    Ok(connection)
}

fn format(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Copies the file as it is beside itself: `scuro.db.format-1`.
fn back_up(connection: &Connection, path: &Path, found: u32) -> Result<(), StoreError> {
    let mut copy = path.as_os_str().to_owned();
    copy.push(format!(".format-{found}"));
    let copy = PathBuf::from(copy);
    let file = |source| StoreError::File { path: copy.clone(), source };
    if copy.exists() {
        std::fs::remove_file(&copy).map_err(file)?;
    }
    let wrong = |source| StoreError::Database { path: copy.clone(), source };
    connection.execute("VACUUM INTO ?1", [copy.to_string_lossy()]).map_err(wrong)?;
    private(&copy);
    Ok(())
}

/// All steps or none.
fn migrate(connection: &Connection, steps: &[&str], known: u32) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let done = steps
        .iter()
        .try_for_each(|step| connection.execute_batch(step))
        .and_then(|()| connection.execute_batch(&format!("PRAGMA user_version = {known}; COMMIT")));
    if done.is_err() {
        connection.execute_batch("ROLLBACK")?;
    }
    done
}

/// The file holds secrets of games: it is for its owner alone. Where that cannot be said, it stays as it is.
fn private(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600));
    }
    #[cfg(not(unix))]
    let _ = path;
}
