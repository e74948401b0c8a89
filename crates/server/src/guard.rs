//! Who may ask at all, how much and how often; and what every answer says about itself.
//!
//! A page of another site must not reach a server on this machine, not by a name that it makes point here (the `Host` is
//! checked) and not from a browser that sends its requests (the `Origin` is). Nothing is loaded from other hosts.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::App;
use crate::answer::Failure;
use crate::limits::Kind;

/// Bodies are no longer than this; records may be.
const MOST_BYTES: usize = 64 << 10;
const MOST_RECORD_BYTES: usize = 1 << 20;

/// A body has to be here in this time.
const BODY_TIME: Duration = Duration::from_secs(10);

/// What the page may load: its own files, and pictures and sounds that it makes itself.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    media-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Lets a request through if it may be, with its whole body, and marks the answer.
pub(crate) async fn guard(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match admit(&app, peer.ip(), request).await {
        Ok(request) => in_our_words(next.run(request).await),
        Err(failure) => failure.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// What axum refuses by itself is said as everything else is.
fn in_our_words(response: Response) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE);
    let ours = kind.is_some_and(|kind| kind == "application/json");
    if response.status().is_client_error() && !ours {
        return Failure::malformed("the address cannot be read").into_response();
    }
    response
}

async fn admit(app: &App, peer: IpAddr, request: Request) -> Result<Request, Failure> {
    app.doors.check(request.headers())?;
    let path = request.uri().path();
    if !app.limits.allow(peer, kind(request.method(), path)) {
        return Err(Failure::TooOften);
    }
    let records = ["/api/v1/reviews", "/api/v1/analyses"].contains(&path);
    let most = if records { MOST_RECORD_BYTES } else { MOST_BYTES };
    let (parts, body) = request.into_parts();
    let too_large = Failure::TooLarge(most >> 10);
    let length =
        parts.headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: usize| length > most) {
        return Err(too_large);
    }
    let body = tokio::time::timeout(BODY_TIME, to_bytes(body, most)).await.map_err(|_| Failure::TooSlow)?;
    Ok(Request::from_parts(parts, Body::from(body.map_err(|_| too_large)?)))
}

fn kind(method: &Method, path: &str) -> Kind {
    let last = path.rsplit('/').next().unwrap_or_default();
    match (method, last) {
        (&Method::POST, "games" | "players" | "join" | "rematch") => Kind::Make,
        (&Method::POST, "hint" | "analyses" | "reviews") => Kind::Study,
        _ => Kind::Plain,
    }
}

/// The names under which the server may be asked.
#[derive(Clone, Debug)]
pub(crate) struct Doors {
    /// The name or address that was given, if any.
    name: Option<String>,
    /// Where it listens. On every address of the machine any address is its own.
    address: IpAddr,
}

impl Doors {
    /// For a server that was told to listen on `host`, and does on `address`.
    pub(crate) fn new(host: Option<&str>, address: IpAddr) -> Doors {
        let name = host.map(|host| host.trim_matches(['[', ']']).to_ascii_lowercase());
        Doors { name, address }
    }

    fn check(&self, headers: &HeaderMap) -> Result<(), Failure> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (host, None) = (hosts.next().and_then(|host| host.to_str().ok()), hosts.next()) else {
            return Err(Failure::Foreign("one Host is wanted"));
        };
        let host =
            host.filter(|host| self.ours(host)).ok_or(Failure::Foreign("this host is not served here"))?;
        for origin in headers.get_all(header::ORIGIN) {
            let origin = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
            if !origin.is_some_and(|origin| origin.eq_ignore_ascii_case(host)) {
                return Err(Failure::Foreign("pages of other sites are not served"));
            }
        }
        Ok(())
    }

    /// Whether a `Host` names us, whatever the port: it may be forwarded.
    fn ours(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if !name.is_empty() && port.parse::<u16>().is_ok() => name,
            _ => host,
        };
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let bare = bare.to_ascii_lowercase();
        let address: Option<IpAddr> = bare.parse().ok();
        // A name can be made to point here; an address cannot.
        bare == "localhost"
            || address.is_some_and(|address| {
                address.is_loopback() || address == self.address || self.address.is_unspecified()
            })
            || self.name.as_deref() == Some(&bare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_hosts_and_pages_of_other_sites_are_refused() {
        let loopback = Doors::new(None, IpAddr::from([127, 0, 0, 1]));
        let named = Doors::new(Some("chess.lan"), IpAddr::from([192, 168, 1, 2]));
        let every = Doors::new(Some("0.0.0.0"), IpAddr::from([0, 0, 0, 0]));
        let check = |doors: &Doors, host: &str, origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().unwrap());
            origin.map(|origin| headers.insert(header::ORIGIN, origin.parse().unwrap()));
            doors.check(&headers).is_ok()
        };
        for (doors, host, origin, let_in) in [
            (&loopback, "127.0.0.1:7878", None, true),
            (&loopback, "localhost:7878", Some("http://localhost:7878"), true),
            (&loopback, "[::1]:7878", Some("http://[::1]:7878"), true),
            (&loopback, "LOCALHOST", None, true),
            (&loopback, "evil.example:7878", None, false),
            (&loopback, "localhost.evil.example", None, false),
            (&loopback, "192.168.1.2:7878", None, false),
            (&loopback, "127.0.0.1:7878", Some("http://evil.example"), false),
            (&loopback, "127.0.0.1:7878", Some("http://127.0.0.1:7879"), false),
            (&loopback, "127.0.0.1:7878", Some("https://127.0.0.1:7878"), false),
            (&loopback, "127.0.0.1:7878", Some("null"), false),
            (&loopback, "", None, false),
            (&loopback, "localhost:7878:1", None, false),
            (&named, "chess.lan:7878", None, true),
            (&named, "192.168.1.2:7878", None, true),
            (&named, "192.168.1.3:7878", None, false),
            (&every, "192.168.1.2:7878", None, true),
            (&every, "evil.example:7878", None, false),
        ] {
            assert_eq!(check(doors, host, origin), let_in, "{host} {origin:?}");
        }
        assert!(loopback.check(&HeaderMap::new()).is_err());
    }
}
