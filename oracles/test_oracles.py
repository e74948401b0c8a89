"""Tests of the slow reference and of the checking itself; need no package.

    python3 oracles/test_oracles.py
"""

import random
import unittest

import fog
import fog_sources
import plainchess as chess
import positions
from fog_reference import Game, view


class Views(unittest.TestCase):
    def see(self, fen, side, expected):
        self.assertEqual(view(chess.Position.read(fen), side), expected)

    def test_blocked_pawn_does_not_see_its_blocker(self):
        self.see("4k3/8/4p3/4P3/8/8/8/4K3 w - - 0 1", "w",
                 "????????/????????/????????/????P???/????????/????????/???3??/???1K1??")

    def test_both_squares_of_an_en_passant_capture_are_seen(self):
        self.see("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "b",
                 "???1k1??/???3??/????????/????????/???pP???/???2???/????????/????????")

    def test_no_taker_no_en_passant_square(self):
        fen = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"
        self.assertIsNone(chess.Position.read(fen).ep)
        self.see(fen, "b", "???1k1??/???3??/????????/????????/????????/????????/????????/????????")

    def test_the_side_that_stepped_gains_nothing(self):
        game = Game("4k3/8/8/8/3p4/8/3PP3/4K3 w - - 0 1")
        game.play("e2e4")
        self.assertEqual(view(game.position, "w"),
                         "????????/????????/????????/????1???/????P???/???1????/???P2??/???1K1??")


class Moves(unittest.TestCase):
    def test_number_of_positions_from_the_start(self):
        def count(position, depth):
            if depth == 0:
                return 1
            return sum(count(chess.apply(position, move), depth - 1)
                       for move in chess.moves(position))
        start = chess.Position.read(positions.START)
        self.assertEqual([count(start, depth) for depth in (1, 2, 3)], [20, 400, 8902])

    def test_attacks_do_not_hinder_castling_but_men_do(self):
        attacked = chess.moves(chess.Position.read("4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1"))
        self.assertLessEqual({"e1g1", "e1c1"}, set(attacked))
        blocked = chess.moves(chess.Position.read("6k1/8/8/8/8/8/8/Rn2K2R w KQ - 0 1"))
        self.assertIn("e1g1", blocked)
        self.assertNotIn("e1c1", blocked)


class Ends(unittest.TestCase):
    there_and_back = "e1e2 e8e7 e2e1 e7e8 "

    def end(self, fen, moves):
        game = Game(fen)
        for move in moves.split():
            self.assertIsNone(game.result())
            game.play(move)
        return game.result()

    def test_king_capture(self):
        self.assertEqual(self.end("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2e8"), "1-0 king")

    def test_no_move_loses_even_when_the_clock_runs_out(self):
        self.assertEqual(self.end("8/8/8/1k6/1p6/pPp5/PRP5/KB6 w - - 0 1", ""), "0-1 nomove")
        self.assertEqual(self.end("8/8/n7/1k6/8/pPp5/PRP5/KB6 b - - 99 60", "a6b4"), "0-1 nomove")

    def test_repetition_comes_before_the_clock(self):
        both = self.end("4k3/8/8/8/8/8/8/R3K3 w - - 92 60", 2 * self.there_and_back)
        self.assertEqual(both, "draw rep")
        clock = self.end("4k3/8/8/8/8/8/8/R3K3 w - - 96 60", self.there_and_back)
        self.assertEqual(clock, "draw 50")

    def test_a_lost_right_makes_another_position(self):
        self.assertIsNone(self.end("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", 2 * self.there_and_back))


class Liar(fog_sources.Source):
    """A source that says what the reference says, but for one view."""

    explain = {"pusher-sees-ep": fog_sources.seen_with_own_ep}

    def __init__(self, game, seen):
        self.game, self.seen = game, seen

    def report(self):
        position = self.game.position
        return fog_sources.Report(position.fen(), self.game.moves(),
                                  {"w": self.seen, "b": view(position, "b")}, None)


class Checking(unittest.TestCase):
    def setUp(self):
        self.game = Game("4k3/8/8/8/3pP3/8/3P4/4K3 b - e3 0 1")

    def test_a_known_deviation_is_named(self):
        shown = "????????/????????/????????/????1???/????P???/???2???/???P2??/???1K1??"
        entry = fog.describe(Liar(self.game, shown), self.game, None)
        self.assertEqual(entry["x"], {"w": view(self.game.position, "w"), "d": ["pusher-sees-ep"]})

    def test_any_other_difference_stops(self):
        with self.assertRaises(fog.Disagreement):
            fog.describe(Liar(self.game, "8/8/8/8/8/8/8/8"), self.game, None)


class Starts(unittest.TestCase):
    def test_every_kind_has_both_kings_and_a_move_and_goes_on(self):
        for kind in positions.KINDS:
            for seed in range(30):
                fen = positions.make(kind, random.Random(seed))
                with self.subTest(kind=kind, fen=fen):
                    men = sorted(chess.Position.read(fen).board.values())
                    self.assertEqual([man for man in men if man in "Kk"], ["K", "k"])
                    self.assertIsNone(Game(fen).result())
                    self.assertEqual(chess.Position.read(fen).fen(), fen)

    def test_a_seed_fixes_the_position(self):
        for kind in positions.KINDS:
            once, again = (positions.make(kind, random.Random(5)) for _ in range(2))
            self.assertEqual(once, again)


if __name__ == "__main__":
    unittest.main()
