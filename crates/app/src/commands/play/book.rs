//! The record of a game, and the file it goes to. Ctrl-C, a closed terminal and the end of the game all save it, and
//! only the first of them does.

use std::fs::OpenOptions;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use scuro_agents::protocol::process::end_all;
use scuro_games::records::Record;

use super::super::complain;

/// The record, and where it is saved.
pub(super) struct Book {
    page: Arc<Mutex<Page>>,
    pub(super) file: Option<PathBuf>,
}

struct Page {
    record: Record,
    saved: bool,
}

impl Book {
    pub(super) fn open(record: Record, file: Option<PathBuf>) -> anyhow::Result<Book> {
        let page = Arc::new(Mutex::new(Page { record, saved: false }));
        if let Some(file) = &file {
            // A file that cannot be written is said before the game, not after it.
            append(file, "")?;
            save_on_interrupt(file.clone(), Arc::clone(&page))?;
        }
        Ok(Book { page, file })
    }

    pub(super) fn read(&self) -> Record {
        self.page.lock().unwrap_or_else(PoisonError::into_inner).record.clone()
    }

    pub(super) fn write(&self, change: impl FnOnce(&mut Record)) {
        change(&mut self.page.lock().unwrap_or_else(PoisonError::into_inner).record);
    }

    pub(super) fn save(&self) -> anyhow::Result<()> {
        match &self.file {
            Some(file) => save(&self.page, file),
            None => Ok(()),
        }
    }
}

fn save(page: &Mutex<Page>, file: &Path) -> anyhow::Result<()> {
    let mut page = page.lock().unwrap_or_else(PoisonError::into_inner);
    if !page.saved {
        append(file, &format!("{}\n", page.record.to_pgn()?))?;
        page.saved = true;
    }
    Ok(())
}

/// Adds a game to a file, an empty line behind what stands there already.
fn append(file: &Path, game: &str) -> anyhow::Result<()> {
    let write = || {
        let mut opened = OpenOptions::new().read(true).append(true).create(true).open(file)?;
        let mut before = Vec::new();
        let length = opened.seek(SeekFrom::End(0))?;
        opened.seek(SeekFrom::Start(length.saturating_sub(2)))?;
        opened.read_to_end(&mut before)?;
        let gap = match before[..] {
            _ if game.is_empty() => "",
            [] | [b'\n', b'\n'] => "",
            [.., b'\n'] => "\n",
            _ => "\n\n",
        };
        opened.write_all(format!("{gap}{game}").as_bytes())
    };
    write().with_context(|| format!("cannot write {}", file.display()))
}

/// Ctrl-C or a closed terminal saves the game as far as it went, and leaves with 130.
fn save_on_interrupt(file: PathBuf, page: Arc<Mutex<Page>>) -> anyhow::Result<()> {
    ctrlc::set_handler(move || {
        match save(&page, &file) {
            Ok(()) => complain(&format!("\nSaved to {}.", file.display())),
            Err(error) => complain(&format!("\nscuro: {error:#}")),
        }
        end_all();
        std::process::exit(130);
    })
    .context("cannot watch for Ctrl-C")
}
