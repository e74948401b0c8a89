//! A server in this process and a client that knows nothing of it but its address.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use scuro_server::{Options, Server, Stop};
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// A folder that is gone when the test is over.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("scuro-server-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A server that ends with the test.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    stop: Stop,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// One that keeps its games in a folder, or nowhere.
    pub(crate) fn start(folder: Option<&Folder>) -> Running {
        let data = folder.map(|folder| folder.path().to_owned());
        let server = Server::bind(&Options { port: Some(0), data, threads: Some(2), host: None }).unwrap();
        let (address, stop) = (server.address(), server.stopper());
        let thread = std::thread::spawn(move || server.run());
        Running { address, stop, thread: Some(thread) }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(self.address)
    }

    pub(crate) fn end(mut self) {
        self.stop.stop();
        self.thread.take().unwrap().join().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

/// One connection.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    address: SocketAddr,
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// All headers but the date, in their order.
    pub(crate) headers: String,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        if self.body.is_empty() { Value::Null } else { self.json() }
    }

    pub(crate) fn error(self, status: u16) -> String {
        self.expect(status)["error"].as_str().unwrap().to_owned()
    }
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Client {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        Client { stream: BufReader::new(stream), address }
    }

    /// Sends bytes as they are and reads an answer, if one comes.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> Option<Reply> {
        self.stream.get_mut().write_all(bytes).ok()?;
        self.read()
    }

    fn read(&mut self) -> Option<Reply> {
        let mut line = String::new();
        self.stream.read_line(&mut line).ok()?;
        let status = line.split(' ').nth(1)?.parse().ok()?;
        let (mut headers, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).ok()?;
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            if let Some(number) = line.strip_prefix("content-length: ") {
                length = number.parse().ok()?;
            }
            if !line.starts_with("date: ") {
                headers.push_str(line);
                headers.push('\n');
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).ok()?;
        Some(Reply { status, headers, body: String::from_utf8(body).ok()? })
    }

    pub(crate) fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let mut head = format!("{method} {path} HTTP/1.1\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head += &format!("Host: {}\r\n", self.address);
        }
        headers.iter().for_each(|(name, value)| head += &format!("{name}: {value}\r\n"));
        head += &format!("Content-Length: {}\r\n\r\n", body.len());
        let bytes = [head.as_bytes(), body].concat();
        match self.raw(&bytes) {
            Some(reply) => reply,
            None => {
                // The connection was closed between two requests.
                *self = Client::new(self.address);
                self.raw(&bytes).unwrap_or_else(|| panic!("no answer to {method} {path}"))
            }
        }
    }

    /// Sends a request on this connection; `None` if it was closed.
    pub(crate) fn try_ask(&mut self, method: &str, path: &str, secret: &str, body: &Value) -> Option<Reply> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let (address, length) = (self.address, body.len());
        let head =
            format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {secret}\r\n");
        self.raw(format!("{head}Content-Length: {length}\r\n\r\n{body}").as_bytes())
    }

    pub(crate) fn ask(&mut self, method: &str, path: &str, secret: &str, body: &Value) -> Reply {
        let bearer = format!("Bearer {secret}");
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.send(method, path, &[("Authorization", &bearer)], body.as_bytes())
    }

    pub(crate) fn post(&mut self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, &[], body.to_string().as_bytes())
    }

    /// Makes a game and sits down at it.
    pub(crate) fn make(&mut self, wanted: &Value) -> Seat {
        Seat::of(self.post("/api/v1/games", wanted).expect(201))
    }

    /// Joins a game.
    pub(crate) fn join(&mut self, id: &str, word: &str) -> Seat {
        Seat::of(self.post(&format!("/api/v1/games/{id}/join"), &json!({ "join": word })).expect(200))
    }
}

/// A seat, with the last STATE that its owner got.
#[derive(Clone, Debug)]
pub(crate) struct Seat {
    pub(crate) id: String,
    pub(crate) secret: String,
    pub(crate) state: Value,
}

impl Seat {
    pub(crate) fn of(state: Value) -> Seat {
        let text = |name: &str| state[name].as_str().unwrap().to_owned();
        Seat { id: text("id"), secret: text("secret"), state }
    }

    pub(crate) fn path(&self, end: &str) -> String {
        format!("/api/v1/games/{}{end}", self.id)
    }

    pub(crate) fn ask(&self, client: &mut Client, method: &str, end: &str, body: &Value) -> Reply {
        client.ask(method, &self.path(end), &self.secret, body)
    }

    /// As [`Seat::ask`], if the server is there.
    pub(crate) fn try_ask(
        &self,
        client: &mut Client,
        method: &str,
        end: &str,
        body: &Value,
    ) -> Option<Reply> {
        client.try_ask(method, &self.path(end), &self.secret, body)
    }

    pub(crate) fn look(&mut self, client: &mut Client) -> &Value {
        self.state = self.ask(client, "GET", "", &Value::Null).expect(200);
        &self.state
    }

    pub(crate) fn play(&mut self, client: &mut Client, word: &str) -> &Value {
        self.state = self.ask(client, "POST", "/moves", &json!({ "move": word })).expect(200);
        &self.state
    }

    pub(crate) fn moves(&self) -> Vec<String> {
        self.state["moves"].as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
    }

    pub(crate) fn finished(&self) -> bool {
        self.state["finished"].as_bool().unwrap()
    }

    /// Asks until it is her turn or the game is over.
    pub(crate) fn wait(&mut self, client: &mut Client) {
        let begun = Instant::now();
        while self.moves().is_empty() && !self.finished() {
            assert!(begun.elapsed() < Duration::from_secs(60), "nothing happens: {}", self.state);
            std::thread::sleep(Duration::from_millis(2));
            self.look(client);
        }
    }

    /// Opens the WebSocket.
    pub(crate) fn listen(&self, address: SocketAddr) -> Events {
        Events::open(address, &self.id, &self.secret)
    }
}

/// The WebSocket of a seat.
pub(crate) struct Events(WebSocket<TcpStream>);

impl Events {
    pub(crate) fn open(address: SocketAddr, id: &str, secret: &str) -> Events {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let url = format!("ws://{address}/api/v1/games/{id}/events");
        let (mut socket, _) = tungstenite::client(url, stream).unwrap();
        socket.send(Message::text(json!({ "secret": secret }).to_string())).unwrap();
        Events(socket)
    }

    pub(crate) fn next(&mut self) -> String {
        loop {
            match self.0.read().unwrap() {
                Message::Text(text) => return text.as_str().to_owned(),
                Message::Ping(_) | Message::Pong(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// Whether nothing comes for a moment.
    pub(crate) fn is_silent(&mut self) -> bool {
        self.0.get_ref().set_read_timeout(Some(Duration::from_millis(150))).unwrap();
        let silent = self.0.read().is_err();
        self.0.get_ref().set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        silent
    }
}
