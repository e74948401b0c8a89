"""Tests of the slow reference of RBC and of the kept file; need no package.

    python3 oracles/test_rbc.py
"""

import gzip
import json
import unittest
from pathlib import Path

import plainchess as chess
import positions
import rbc
import rbc_reference as reference
from checking import Disagreement
from rbc_source import same_position

HERE = Path(__file__).resolve().parent


class Senses(unittest.TestCase):
    def test_edges_and_order(self):
        board = chess.Position.read(positions.START).board
        for square, seen in (("a1", "a2=P b2=P a1=R b1=N"),
                             ("e1", "d2=P e2=P f2=P d1=Q e1=K f1=B"),
                             ("h8", "g8=n h8=r g7=p h7=p"),
                             ("b7", "a8=r b8=n c8=b a7=p b7=p c7=p a6=. b6=. c6=."),
                             (None, "")):
            self.assertEqual(reference.sense(board, square), seen)


class Requests(unittest.TestCase):
    # FEN, request, move made, square of the capture.
    outcomes = (
        ("4k3/8/8/8/8/8/8/4K1bR w K - 0 1", "e1g1", None, None),
        ("4k3/8/8/8/8/8/8/Rn2K3 w Q - 0 1", "e1c1", None, None),
        ("3rkr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "e1g1", None),
        ("4k3/8/8/8/3n4/8/8/3QK3 w - - 0 1", "d1d8", "d1d4", "d4"),
        ("4k3/8/8/8/3n4/8/3P4/4K3 w - - 0 1", "d2d4", "d2d3", None),
        ("4k3/8/8/8/8/3n4/3P4/4K3 w - - 0 1", "d2d4", None, None),
        ("4k3/8/8/8/8/3n4/3P4/4K3 w - - 0 1", "d2d3", None, None),
        ("3nk3/3P4/8/8/8/8/8/4K3 w - - 0 1", "d7d8", None, None),
        ("3nk3/3P4/8/8/8/8/8/4K3 w - - 0 1", "d7c8", None, None),
        ("3nk3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7d8n", "c7d8n", "d8"),
        ("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", "d2e3", None, None),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", "d4e3", "e4"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "a7a8q", None),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", None, None, None),
    )

    def test_what_becomes_of_them(self):
        for fen, request, made, capture in self.outcomes:
            with self.subTest(fen=fen, request=request):
                self.assertTrue(reference.is_admissible(chess.Position.read(fen), request))
                self.assertEqual(reference.Game(fen).move(request), (made, capture))

    def test_refused(self):
        for fen, request in (("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", "d2d5"),
                             ("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", "d2d4q"),
                             ("4k3/8/8/8/8/8/8/4KN1R w K - 0 1", "e1g1"),
                             ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1"),
                             ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e8e7")):
            self.assertFalse(reference.is_admissible(chess.Position.read(fen), request))

    def test_only_diagonal_promotions_are_listed_without_a_letter(self):
        listed = reference.listed(chess.Position.read("4k3/P7/8/8/8/8/8/7K w - - 0 1"))
        self.assertEqual(" ".join(listed), "a7a8b a7a8n a7a8q a7a8r a7b8 a7b8b a7b8n a7b8q a7b8r "
                                           "h1g1 h1g2 h1h2")

    def test_a_pass_and_a_failed_move_leave_the_same(self):
        fen = "4k3/8/8/8/3pP3/8/3p4/R2bK3 b - e3 3 9"
        for request in (None, "d2c1", "d4c3"):
            game = reference.Game(fen)
            game.move(request)
            self.assertEqual(game.fen(), "4k3/8/8/8/3pP3/8/3p4/R2bK3 w - - 4 10")

    def test_en_passant_square_after_every_double_step(self):
        game = reference.Game(positions.START)
        game.move("e2e4")
        self.assertEqual(game.fen().split()[3], "e3")


class Ends(unittest.TestCase):
    def test_order_of_reasons(self):
        game = reference.Game("4k3/8/8/8/8/8/4R3/4K3 b - - 99 9", full_turn_limit=9)
        self.assertIsNone(game.end())
        game.move(None)
        self.assertEqual(game.end(), (None, "TURN_LIMIT"))
        game.full_turn_limit = None
        self.assertEqual(game.end(), (None, "MOVE_LIMIT"))
        game.reversible_moves_limit = None
        self.assertIsNone(game.end())
        game.move("e2e8")
        self.assertEqual(game.end(), ("w", "KING_CAPTURE"))
        game.flagged = "w"
        self.assertEqual(game.end(), ("b", "TIMEOUT"))
        game.resigned = "b"
        self.assertEqual(game.end(), ("w", "RESIGN"))


class Checking(unittest.TestCase):
    def test_a_difference_stops(self):
        rbc.expect("notice", "e4", "e4")
        with self.assertRaises(Disagreement):
            rbc.expect("notice", "e4", None)


class KeptFile(unittest.TestCase):
    def test_a_tenth_of_the_games(self):
        with gzip.open(HERE / "rbc_reconchess.jsonl.gz", "rt") as file:
            games = [json.loads(line) for line in file][1:]
        for line in games[::10]:
            with self.subTest(start=line["s"]):
                self.replay(line)

    def replay(self, line):
        limits = {key: value for key, value in line["o"].items() if key.endswith("limit")}
        game = reference.Game(line["s"], **limits)
        for entry in line["p"]:
            self.assertIsNone(game.end())
            position = game.position
            self.assertEqual((entry["s"], entry["h"]), (position.turn, game.notice))
            self.assertEqual(entry["g"], reference.sense(position.board, entry["q"]))
            listed = " ".join(reference.listed(position))
            self.assertEqual(entry.get("a", listed), listed)
            for call, request in entry.get("e", ()):
                self.assertFalse(call == "move" and reference.is_admissible(position, request))
            self.assertTrue(reference.is_admissible(position, entry["m"]))
            self.assertEqual(game.move(entry["m"]), (entry["t"], entry["c"]))
            self.assertTrue(same_position(entry["f"], game.fen(), game.position.board))
        game.flagged, game.resigned = line["o"].get("flag"), line["o"].get("resign")
        self.assertEqual(game.end() or (None, None), (line["w"], line["y"]))


if __name__ == "__main__":
    unittest.main()
