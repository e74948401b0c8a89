//! What `scuro --version` says: the version, the commit it was built from, and the network inside.

use std::sync::LazyLock;

use scuro_eval::Network;

/// As in `0.1.0 (commit 0123456789ab, network 0123456789abcdef)`.
pub(crate) fn text() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let (version, commit) = (env!("CARGO_PKG_VERSION"), env!("SCURO_COMMIT"));
        format!("{version} (commit {commit}, network {:016x})", Network::embedded_hash())
    });
    &TEXT
}
