"""Scuro as a player of reconchess: drives `scuro engine` in Reconnaissance Blind Chess (docs/protocol.md).

    pip install reconchess
    rc-bot-match examples/bots/scuro_reconchess.py reconchess.bots.random_bot

The environment variable SCURO names the program, if it is not `scuro engine`; any program that speaks the dialect
will do.
"""

import os
import random
import shlex
import subprocess

import chess
from reconchess import Player


class Scuro(Player):
    def __init__(self):
        command = shlex.split(os.environ.get("SCURO", "scuro engine"))
        self.engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.ask("uci", "uciok")
        self.ask("setoption name UCI_Variant value rbc")
        self.ask(f"setoption name Seed value {random.getrandbits(31)}")

    def tell(self, line):
        self.engine.stdin.write(line + "\n")
        self.engine.stdin.flush()

    def ask(self, line, last="readyok"):
        """What the engine answers: the rest of the line that begins with `last`."""
        self.tell(line)
        if last == "readyok":
            self.tell("isready")
        for answer in self.engine.stdout:
            word, _, rest = answer.strip().partition(" ")
            if word == "error":
                raise RuntimeError(f"the engine says '{rest}' to '{line}'")
            if word == last:
                return rest
        raise RuntimeError(f"the engine ended at '{line}'")

    def clock(self, seconds_left):
        left = int(seconds_left * 1000) if seconds_left is not None else 900_000
        return f"wtime {left} btime {left}"

    def handle_game_start(self, color, board, opponent_name):
        self.ask("ucinewgame")
        self.ask(f"start fen {board.fen()}")
        self.ask(f"side {chess.COLOR_NAMES[color]}")

    def handle_opponent_move_result(self, captured_my_piece, capture_square):
        if captured_my_piece:
            self.ask(f"lost {chess.square_name(capture_square)}")

    def choose_sense(self, sense_actions, move_actions, seconds_left):
        square = self.ask(f"go sense {self.clock(seconds_left)}", "bestsense")
        return None if square == "-" else chess.parse_square(square)

    def handle_sense_result(self, sense_result):
        men = [f"{chess.square_name(square)}={piece.symbol() if piece else '.'}" for square, piece in sense_result]
        self.ask("sensed " + (" ".join(men) or "-"))

    def choose_move(self, move_actions, seconds_left):
        move = self.ask(f"go move {self.clock(seconds_left)}", "bestmove")
        return None if move == "0000" else chess.Move.from_uci(move)

    def handle_move_result(self, requested_move, taken_move, captured_opponent_piece, capture_square):
        requested, taken = [move.uci() if move else "0000" for move in (requested_move, taken_move)]
        captured = chess.square_name(capture_square) if captured_opponent_piece else "-"
        self.ask(f"moved {requested} {taken} {captured}")

    def handle_game_end(self, winner_color, win_reason, game_history):
        result = {True: "1-0", False: "0-1", None: "1/2-1/2"}[winner_color]
        self.ask(f"gameover {result} {win_reason.name.lower() if win_reason else ''}".strip())
        self.tell("quit")
        self.engine.wait(timeout=60)
