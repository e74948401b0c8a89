//! The files of the page, which are part of the program.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::answer::Failure;

/// Name and content of every file in `page/`.
static FILES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The files by name.
pub(crate) struct Assets(HashMap<&'static str, Asset>);

struct Asset {
    content: &'static [u8],
    kind: &'static str,
    tag: String,
}

impl Assets {
    pub(crate) fn new() -> Assets {
        Assets(FILES.iter().map(|&(name, content)| (name, Asset::new(name, content))).collect())
    }

    /// The file of a path; `/` is `index.html`. Browsers ask every time, and are told if nothing has changed.
    pub(crate) fn answer(&self, path: &str, headers: &HeaderMap) -> Result<Response, Failure> {
        let name = path.trim_start_matches('/');
        let asset = self.0.get(if name.is_empty() { "index.html" } else { name }).ok_or(Failure::Missing)?;
        let known = headers.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
        let fixed = [(header::ETAG, asset.tag.as_str()), (header::CACHE_CONTROL, "no-cache")];
        if known.is_some_and(|known| known.split(',').any(|tag| tag.trim() == asset.tag)) {
            return Ok((StatusCode::NOT_MODIFIED, fixed).into_response());
        }
        Ok((fixed, [(header::CONTENT_TYPE, asset.kind)], asset.content).into_response())
    }
}

impl Asset {
    fn new(name: &str, content: &'static [u8]) -> Asset {
        // Only equal files have to have equal tags, within one program.
        let mut hasher = DefaultHasher::new();
        (name, content).hash(&mut hasher);
        Asset { content, kind: kind(name), tag: format!("\"{:016x}\"", hasher.finish()) }
    }
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        "wav" => "audio/wav",
        "ogg" => "audio/ogg",
        "mp3" => "audio/mpeg",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
