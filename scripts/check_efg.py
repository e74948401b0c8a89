#!/usr/bin/env python3
"""Loads Gambit files with OpenSpiel and compares every node with what our own game has there.

Who acts, the probabilities of chance, the number of actions, the payoffs, and which nodes a player cannot tell apart
where she acts must be the same.

    python3 -m venv /tmp/spiel && /tmp/spiel/bin/pip install open_spiel==2.0.2
    cargo run --release -p scuro-games --example efg_files -- /tmp/efg
    /tmp/spiel/bin/python scripts/check_efg.py /tmp/efg

Prints "N passed, M failed"; exits with 1 if a file fails or there is none, with 2 if OpenSpiel is missing.
"""

import sys
from pathlib import Path

try:
    import pyspiel
except ImportError:
    print("check_efg: OpenSpiel is not installed: pip install open_spiel==2.0.2", file=sys.stderr)
    sys.exit(2)


class Difference(Exception):
    """The file as OpenSpiel reads it, and our game, disagree."""


def expect(what, theirs, ours):
    if theirs != ours:
        raise Difference(f"{what}: OpenSpiel {theirs!r}, ours {ours!r}")


def walk(state, lines, infosets, number=0):
    """Compares the node and all below it; returns how many lines that took."""
    kind, *words = lines[number].split()
    here = f"node {number}"
    if kind == "end":
        expect(here, state.is_terminal(), True)
        if abs(state.returns()[0] - float(words[0])) > 1e-9:
            raise Difference(f"{here}: OpenSpiel pays {state.returns()[0]}, ours {words[0]}")
        return number + 1
    if kind == "chance":
        expect(here, state.is_chance_node(), True)
        chances = [chance for _, chance in state.chance_outcomes()]
        if len(chances) != len(words) or any(abs(c - float(w)) > 1e-9 for c, w in zip(chances, words)):
            raise Difference(f"{here}: OpenSpiel draws by {chances}, ours by {words}")
    else:
        player, key, actions = words
        expect(f"{here}, who acts", state.current_player(), int(player))
        expect(f"{here}, actions", len(state.legal_actions()), int(actions))
        known = state.information_state_string()
        expect(f"{here}, infoset by OpenSpiel's", infosets.setdefault((player, known), key), key)
        expect(f"{here}, infoset by ours", infosets.setdefault((player, key), known), known)
    number += 1
    for action in state.legal_actions():
        number = walk(state.child(action), lines, infosets, number)
    return number


def main():
    files = sorted(Path(sys.argv[1]).glob("*.efg"))
    failed = 0
    for file in files:
        lines = file.with_suffix(".nodes").read_text().splitlines()
        try:
            game = pyspiel.load_game("efg_game", {"filename": str(file)})
            expect("nodes", walk(game.new_initial_state(), lines, {}), len(lines))
        except (Difference, pyspiel.SpielError) as difference:
            print(f"{file.name}: {difference}")
            failed += 1
    print(f"{len(files) - failed} passed, {failed} failed")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
