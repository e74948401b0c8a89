#!/usr/bin/env python3
"""Checks GameHistory files of Reconnaissance Blind Chess with the reference implementation.

Each file is loaded with reconchess and played again with its LocalGame, turn by turn from the first position
of the file. The two players must get the same notices, sense results, taken moves and capture squares, the
positions before and after every move must be the same, and so must be the winner, the reason, and the history
that LocalGame itself has written in the end.

    python3 -m venv /tmp/rbc && /tmp/rbc/bin/pip install reconchess==1.6.9
    cargo run --release -p scuro-games --example rbc_histories -- /tmp/rbc_games 200
    /tmp/rbc/bin/python scripts/check_rbc_histories.py /tmp/rbc_games

Prints "N passed, M failed"; exits with 1 if a file fails or there is none, with 2 if reconchess is missing.
"""

import json
import sys
from pathlib import Path

try:
    import chess
    from reconchess import GameHistory, LocalGame, WinReason
except ImportError:
    print("check_rbc_histories: reconchess is not installed: pip install reconchess==1.6.9", file=sys.stderr)
    sys.exit(2)


class Difference(Exception):
    """The file and the reference implementation disagree."""


def expect(what, record, reference):
    if record != reference:
        raise Difference(f"{what}: file {record!r}, reference {reference!r}")


def turns_in_order(raw):
    """Colour and place in its lists of every turn. Who began follows from the numbers of turns and of moves."""
    white, black = (len(raw["requested_moves"][side]) for side in ("true", "false"))
    number = {side: int(fens[0].split()[5]) for side, fens in raw["fens_before_move"].items() if fens}
    black_first = black > white or (white == black > 0 and number["false"] < number["true"])
    first = chess.BLACK if black_first else chess.WHITE
    return [(first if turn % 2 == 0 else not first, turn // 2) for turn in range(white + black)]


def new_game(raw, turns):
    """A game without clocks, from the first position of the file and under the limit by which it ended."""
    fens = [raw["fens_before_move"]["true" if color else "false"][i] for color, i in turns]
    last = None
    if turns:
        color, i = turns[-1]
        last = raw["fens_after_move"]["true" if color else "false"][i].split()
    reason = raw["win_reason"] and raw["win_reason"]["value"]
    game = LocalGame(
        seconds_per_player=None,
        reversible_moves_limit=int(last[4]) if last and reason == "MOVE_LIMIT" else None,
        full_turn_limit=int(last[5]) - 1 if last and reason == "TURN_LIMIT" else None,
    )
    if fens:
        game.board = chess.Board(fens[0])
        game.turn = game.board.turn
    game.store_players(raw["white_name"], raw["black_name"])
    game.start()
    return game


def square_name(square):
    return None if square is None else chess.square_name(square)


def check(path):
    raw = json.loads(path.read_text(encoding="utf-8"))
    history = GameHistory.from_file(str(path))
    turns = turns_in_order(raw)
    game = new_game(raw, turns)
    captured = None
    for color, i in turns:
        side = "true" if color else "false"
        where = f"{side}[{i}]"
        if game.is_over():
            raise Difference(f"{where}: the reference ends the game before this turn")
        expect(f"turn of {where}", color, game.turn)
        expect(f"notice before {where}", square_name(captured), square_name(game.opponent_move_results()))
        sensed = game.sense(history._senses[color][i])
        expect(f"sense_results.{where}", history._sense_results[color][i], sensed)
        expect(f"fens_before_move.{where}", raw["fens_before_move"][side][i], game.board.fen(en_passant="fen"))
        _, taken, capture = game.move(history._requested_moves[color][i])
        expect(f"taken_moves.{where}", history._taken_moves[color][i], taken)
        expect(f"capture_squares.{where}", history._capture_squares[color][i], capture)
        expect(f"fens_after_move.{where}", raw["fens_after_move"][side][i], game.board.fen(en_passant="fen"))
        captured = history._capture_squares[color][i]
        game.end_turn()
    for color in (chess.WHITE, chess.BLACK):
        for square in history._senses[color][len(history._requested_moves[color]):]:
            expect("side of the unfinished turn", color, game.turn)
            expect("result of the unfinished turn", history._sense_results[color][-1], game.sense(square))
    check_end(game, history)


def check_end(game, history):
    """What no board shows, who resigned and whose clock ran out, is told to the reference."""
    winner, reason = history.get_winner_color(), history.get_win_reason()
    if reason == WinReason.RESIGN:
        game._resignee = not winner
    elif reason == WinReason.TIMEOUT:
        game.seconds_left_by_color[not winner] = 0
    expect("whether the game is over", reason is not None, game.is_over())
    if reason is not None:
        expect("winner_color", winner, game.get_winner_color())
        expect("win_reason", reason, game.get_win_reason())
        game.end()
        expect("history as a whole", True, game.get_game_history() == history)


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    passed = failed = 0
    for path in sorted(Path(sys.argv[1]).glob("*.json")):
        try:
            check(path)
            passed += 1
        except Difference as difference:
            failed += 1
            print(f"{path}: {difference}")
        except Exception as error:  # whatever the reference raises, the file is at fault
            failed += 1
            print(f"{path}: {type(error).__name__}: {error}")
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
