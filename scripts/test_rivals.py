"""Tests of scripts/rivals.py; need no package.

    python3 scripts/test_rivals.py
"""

import json
import tempfile
import unittest
from pathlib import Path

import rivals
from rivals import Wrong


def game(number, halves, **more):
    """A game in which the first agent has so many half points."""
    first = "white" if number % 2 == 1 else "black"
    winner = {2: first, 1: None, 0: {"white": "black", "black": "white"}[first]}[halves]
    line = {"number": number, "winner": winner, "reason": "king captured", "turns": 10, "late": [0, 0],
            "longest": [1.0, 2.0], "least_left": [50.0, 40.0], "deaths": [0, 0], "faults": []}
    return {**line, **more}


def settings(games):
    return {"agents": ["random", "fleeing"], "games": games, "clock": "1m+1s", "seed": 1}


def summary(halves):
    return rivals.summary(settings(len(halves)), [game(number, each) for number, each in enumerate(halves, 1)])


class Clocks(unittest.TestCase):
    def test_clocks_are_read(self):
        for text, clock in (("15m+5s", (900, 5)), ("1m", (60, 0)), ("500ms+50ms", (0.5, 0.05)), ("1.5s+0s", (1.5, 0))):
            self.assertEqual(rivals.clock(text), clock)

    def test_others_are_refused(self):
        for text in ("", "15", "m", "+5s", "0s+1s", "-1s", "1e3s", "1m+", "1m+5", "1m+1s+1s", "nans", "99999m", "1 m"):
            with self.assertRaises(Wrong, msg=text):
                rivals.clock(text)


class Summaries(unittest.TestCase):
    # The same lines stand in the tests of crates/arena/src/summary.rs.
    lines = (
        ([2, 2, 2, 1, 0, 2], "4-1-1 score 75.0% (95% 36.5..94.0) elo 190.8 (95% 13.2..685.0)"),
        ([2, 2], "2-0-0 score 100.0% (95% 34.2..100.0) elo inf (95% -113.4..inf)"),
        ([0, 0], "0-0-2 score 0.0% (95% 0.0..65.8) elo -inf (95% -inf..113.4)"),
        ([1, 1], "0-2-0 score 50.0% (95% 9.5..90.5) elo 0.0 (95% -392.5..392.5)"),
        ([2, 0], "1-0-1 score 50.0% (95% 9.5..90.5) elo 0.0 (95% -392.5..392.5)"),
        ([2, 1], "1-1-0 score 75.0% (95% 19.8..97.3) elo 190.8 (95% -243.1..624.8)"),
        ([2] * 34, "34-0-0 score 100.0% (95% 89.8..100.0) elo inf (95% 378.8..inf)"),
        ([], "0-0-0 score 50.0% (95% 0.0..100.0) elo 0.0 (95% -inf..inf)"),
    )

    def test_the_last_line_is_that_of_scuro_match(self):
        rust = Path(__file__).parent.parent / "crates" / "arena" / "src" / "summary.rs"
        for halves, line in self.lines:
            told = summary(halves)
            self.assertEqual(rivals.line(told), f"random v fleeing: {line}")
            self.assertIn(f'"{line}"', rust.read_text(encoding="utf-8"))
            text = rivals.text({**told, "folder": "f", "verified": "v"})
            self.assertTrue(text.endswith(f"\n{rivals.line(told)}\n"))

    def test_colours_pairs_and_sides_are_counted(self):
        told = summary([2, 2, 2, 1, 0, 2, 0])
        self.assertEqual(rivals.said(told["as_white"]), "2-0-2")
        self.assertEqual(rivals.said(told["as_black"]), "2-1-0")
        self.assertEqual(told["pairs"], [0, 0, 1, 1, 1])
        # White and Black of a game are the first agent and the second, and then the other way round.
        games = [game(1, 2, late=[1, 0], deaths=[0, 3]), game(2, 2, late=[5, 0], deaths=[0, 2])]
        told = rivals.summary(settings(2), games)
        self.assertEqual((told["late"], told["deaths"]), ([1, 5], [2, 3]))
        self.assertEqual((told["longest"], told["least_left"]), ([2.0, 2.0], [40.0, 40.0]))

    def test_faults_and_deaths_are_told(self):
        games = [game(1, 0, reason="crash", deaths=[0, 2], faults=[{"agent": "x.py:Y", "words": "no"}])]
        told = rivals.summary({**settings(1), "agents": ["x.py:Y", "trout"]}, games)
        text = rivals.text({**told, "folder": "f", "verified": "v"})
        for row in ("ended by      crash: 0-0-1", "Stockfish of  trout: died 2 times",
                    "fault         x.py:Y in game 1: no"):
            self.assertIn(row, text.splitlines())


class History:
    def save(self, path):
        Path(path).write_text("{}", encoding="utf-8")


class Folders(unittest.TestCase):
    def test_finished_games_are_kept_and_half_lines_are_not(self):
        with tempfile.TemporaryDirectory() as parent:
            path = Path(parent) / "match"
            folder = rivals.Folder(path, settings(4), resume=False)
            folder.keep(game(1, 2), History())
            folder.keep(game(2, 0), History())
            with self.assertRaisesRegex(Wrong, "in use"):
                rivals.Folder(path, settings(4), resume=True)
            folder.close()
            with open(path / rivals.GAMES, "a", encoding="utf-8") as file:
                file.write(json.dumps(game(3, 2))[:40])
            with self.assertRaisesRegex(Wrong, "has games already"):
                rivals.Folder(path, settings(4), resume=False)
            with self.assertRaisesRegex(Wrong, "another match: its seed is 1, not 2"):
                rivals.Folder(path, {**settings(4), "seed": 2}, resume=True)
            folder = rivals.Folder(path, settings(4), resume=True)
            self.assertEqual(folder.games, {1: game(1, 2), 2: game(2, 0)})
            folder.keep(game(3, 1), History())
            folder.close()
            folder = rivals.Folder(path, settings(4), resume=True)
            folder.close()
            self.assertEqual(list(folder.games), [1, 2, 3])
            self.assertTrue(folder.history(3).exists())

    def test_nothing_and_rubbish_are_not_resumed(self):
        with tempfile.TemporaryDirectory() as path:
            with self.assertRaisesRegex(Wrong, "no match to resume"):
                rivals.Folder(path, settings(4), resume=True)
            (Path(path) / rivals.SETTINGS).write_text("[", encoding="utf-8")
            with self.assertRaises(Wrong):
                rivals.Folder(path, settings(4), resume=True)


if __name__ == "__main__":
    unittest.main()
