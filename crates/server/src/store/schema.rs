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
    // The log gets the rights of the file.
    private(path);
    connection.execute_batch(PRAGMAS).map_err(wrong)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("scuro-schema-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn games(connection: &Connection) -> i64 {
        connection.query_row("SELECT count(*) FROM games", [], |row| row.get(0)).unwrap()
    }

    const GAME: &str = "INSERT INTO games (id, setup, game, made) VALUES ('a', '{}', 'fog', 1)";

    #[test]
    fn an_older_database_is_copied_and_brought_up_to_date_and_a_newer_one_refused() {
        let folder = folder("formats");
        let path = folder.join("scuro.db");
        let first = open_with(&path, &STEPS).unwrap();
        first.execute_batch(GAME).unwrap();
        drop(first);
        let later = [STEPS[0], "ALTER TABLE games ADD COLUMN colour TEXT NOT NULL DEFAULT 'green'"];
        let second = open_with(&path, &later).unwrap();
        assert_eq!((games(&second), format(&second).unwrap()), (1, 2));
        let colour: String = second.query_row("SELECT colour FROM games", [], |row| row.get(0)).unwrap();
        assert_eq!(colour, "green");
        drop(second);
        let copy = Connection::open(folder.join("scuro.db.format-1")).unwrap();
        assert_eq!((games(&copy), format(&copy).unwrap()), (1, 1));
        let refused = open_with(&path, &STEPS).err().unwrap().to_string();
        assert!(
            refused.ends_with("scuro.db: format 2 is newer than this version of scuro reads (1)"),
            "{refused}"
        );
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_step_that_fails_leaves_the_database_as_it_was() {
        let folder = folder("steps");
        let path = folder.join("scuro.db");
        open_with(&path, &STEPS).unwrap().execute_batch(GAME).unwrap();
        let broken = [STEPS[0], "DROP TABLE plies; ALTER TABLE nothing ADD COLUMN x"];
        assert!(open_with(&path, &broken).is_err());
        let again = open_with(&path, &STEPS).unwrap();
        assert_eq!(games(&again), 1);
        again.execute_batch("SELECT * FROM plies").unwrap();
        drop(again);
        std::fs::write(&path, "this is no database, but a text that is long enough to be one".repeat(99))
            .unwrap();
        assert!(open_with(&path, &STEPS).err().unwrap().to_string().contains("scuro.db"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
