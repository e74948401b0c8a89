"""Scuro as a player of reconchess: drives `scuro engine` in Reconnaissance Blind Chess (docs/protocol.md).

    pip install reconchess
    rc-bot-match examples/bots/scuro_reconchess.py reconchess.bots.random_bot
    SCURO_AGENT=random rc-bot-match examples/bots/scuro_reconchess.py reconchess.bots.random_bot

SCURO names the program, if it is not `scuro engine`; any program that speaks the dialect will do. SCURO_AGENT is who
plays (`scuro agents`), if it is not the program's usual one. SCURO_INCREMENT is what a turn adds to the clock, in seconds:
reconchess tells its players what they have left, but not that. Usual is 5, as on its servers and in its own games.
"""

import math
import os
import random
import shlex
import subprocess
import threading

import chess
from reconchess import Player

# So much of the clock is for what passes between the two programs, in seconds.
RESERVE = 0.2


class Scuro(Player):
    def __init__(self, agent=None, command=None, increment=None):
        agent = agent or os.environ.get("SCURO_AGENT")
        command = shlex.split(command or os.environ.get("SCURO", "scuro engine"))
        self.increment = float(os.environ.get("SCURO_INCREMENT", 5) if increment is None else increment)
        self.color = chess.WHITE
        self.engine = subprocess.Popen(
            command + (["--agent", agent] if agent else []),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
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

    def go(self, what, seconds_left, last):
        """What it chooses. Whoever still thinks when half of the clock is gone is told to stop."""
        if seconds_left is None or math.isinf(seconds_left):
            return self.ask(f"go {what}", last)
        left = max(seconds_left - RESERVE, 0.001)
        side = chess.COLOR_NAMES[self.color][0]
        stop = threading.Timer(left / 2, self.stop)
        stop.start()
        try:
            clock = f"{side}time {max(int(1000 * left), 1)} {side}inc {int(1000 * self.increment)}"
            return self.ask(f"go {what} {clock}", last)
        finally:
            stop.cancel()

    def stop(self):
        try:
            self.tell("stop")
        except OSError:
            # It has ended, and whoever waits for its answer finds out.
            pass

    def handle_game_start(self, color, board, opponent_name):
        self.color = color
        self.ask("ucinewgame")
        self.ask(f"start fen {board.fen()}")
        self.ask(f"side {chess.COLOR_NAMES[color]}")

    def handle_opponent_move_result(self, captured_my_piece, capture_square):
        if captured_my_piece:
            self.ask(f"lost {chess.square_name(capture_square)}")

    def choose_sense(self, sense_actions, move_actions, seconds_left):
        square = self.go("sense", seconds_left, "bestsense")
        return None if square == "-" else chess.parse_square(square)

    def handle_sense_result(self, sense_result):
        men = [f"{chess.square_name(square)}={piece.symbol() if piece else '.'}" for square, piece in sense_result]
        self.ask("sensed " + (" ".join(men) or "-"))

    def choose_move(self, move_actions, seconds_left):
        move = self.go("move", seconds_left, "bestmove")
        return None if move == "0000" else chess.Move.from_uci(move)

    def handle_move_result(self, requested_move, taken_move, captured_opponent_piece, capture_square):
        requested, taken = [move.uci() if move else "0000" for move in (requested_move, taken_move)]
        captured = chess.square_name(capture_square) if captured_opponent_piece else "-"
        self.ask(f"moved {requested} {taken} {captured}")

    def handle_game_end(self, winner_color, win_reason, game_history):
        result = {True: "1-0", False: "0-1", None: "1/2-1/2"}[winner_color]
        try:
            self.ask(f"gameover {result} {win_reason.name.lower() if win_reason else ''}".strip())
            self.tell("quit")
        finally:
            self.close()

    def close(self):
        """Ends the engine, whatever it does."""
        try:
            self.engine.stdin.close()
        except OSError:
            pass
        try:
            self.engine.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.engine.kill()
            self.engine.wait()
        self.engine.stdout.close()
