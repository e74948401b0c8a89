//! Writes the network that only counts men: what the program ships until a trained one takes its place.
//!
//! `cargo run -p scuro-eval --example material -- FILE [HIDDEN]`

use scuro_eval::Network;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("expected a file to write")?;
    let hidden = arguments.next().map_or(Ok(32), |hidden| hidden.parse())?;
    std::fs::write(file, Network::material(hidden)?.write())?;
    Ok(())
}
