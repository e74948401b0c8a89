"""Plain chess: board, FEN, moves without and with regard to check.

Everything here is written to be read, not to be fast: the board is a dict from
squares to letters, and no chess library is asked. So the references built on it
are witnesses of their own beside the programs that the generators play.

A square is a pair (file, rank), both 0 to 7; (4, 0) is e1. A man is its FEN
letter. A side is "w" or "b".
"""

from dataclasses import dataclass

STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
SLIDES = {"b": DIAGONAL, "r": STRAIGHT, "q": STRAIGHT + DIAGONAL}
SQUARES = tuple((file, rank) for rank in range(8) for file in range(8))

# Right: side, king from and to, rook from and to, squares that must be empty.
CASTLINGS = {
    "K": ("w", "e1", "g1", "h1", "f1", "f1 g1"),
    "Q": ("w", "e1", "c1", "a1", "d1", "b1 c1 d1"),
    "k": ("b", "e8", "g8", "h8", "f8", "f8 g8"),
    "q": ("b", "e8", "c8", "a8", "d8", "b8 c8 d8"),
}


def name(square):
    """(4, 0) -> "e1"."""
    return "abcdefgh"[square[0]] + str(square[1] + 1)


def square(text):
    """"e1" -> (4, 0)."""
    return "abcdefgh".index(text[0]), int(text[1]) - 1


def side_of(man):
    return "w" if man.isupper() else "b"


def other(side):
    return "b" if side == "w" else "w"


def forward(side):
    """Rank step of a pawn."""
    return 1 if side == "w" else -1


def shift(origin, files, ranks):
    """The square so many files and ranks away, or None beyond the edge."""
    file, rank = origin[0] + files, origin[1] + ranks
    return (file, rank) if 0 <= file < 8 and 0 <= rank < 8 else None


def board_field(letter_at):
    """First field of a FEN; letter_at(square) gives a letter or None for empty."""
    rows = []
    for rank in range(7, -1, -1):
        row, empty = "", 0
        for file in range(8):
            letter = letter_at((file, rank))
            if letter is None:
                empty += 1
                continue
            row += (str(empty) if empty else "") + letter
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows)


def read_board(field):
    """Inverse of board_field for a full board."""
    board = {}
    for rank, row in zip(range(7, -1, -1), field.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                board[file, rank] = letter
                file += 1
    return board


@dataclass
class Position:
    """What a FEN says. `ep` is a square, and only set if a pawn can take there."""

    board: dict
    turn: str = "w"
    castling: str = ""
    ep: tuple | None = None
    clock: int = 0
    number: int = 1

    @staticmethod
    def read(fen):
        field, turn, castling, ep, clock, number = fen.split()
        position = Position(read_board(field), turn, castling.replace("-", ""),
                            None, int(clock), int(number))
        if ep != "-":
            position.offer_ep(square(ep))
        return position

    def fen(self):
        ep = name(self.ep) if self.ep else "-"
        return (f"{board_field(self.board.get)} {self.turn} {self.castling or '-'} {ep} "
                f"{self.clock} {self.number}")

    def offer_ep(self, target):
        """Set `ep` to the passed-over square if the side to move has a taker."""
        self.ep = target
        if not ep_takers(self):
            self.ep = None


def men(board, side):
    """Squares of the men of one side, in a fixed order."""
    return sorted(place for place, man in board.items() if side_of(man) == side)


def king_square(board, side):
    """Square of the king, or None if it was captured."""
    wanted = "K" if side == "w" else "k"
    return next((place for place, man in board.items() if man == wanted), None)


def ep_takers(position):
    """Squares of the pawns that can take en passant now."""
    if position.ep is None:
        return []
    pawn = "P" if position.turn == "w" else "p"
    beside = (shift(position.ep, files, -forward(position.turn)) for files in (-1, 1))
    return [place for place in beside if position.board.get(place) == pawn]


def ep_victim(position):
    """Square of the pawn that the side to move could take en passant."""
    return shift(position.ep, 0, -forward(position.turn))


def pawn_reach(board, origin, side):
    """Squares a pawn can go to, without en passant."""
    step, home = forward(side), 1 if side == "w" else 6
    reach = []
    one = shift(origin, 0, step)
    if one and one not in board:
        reach.append(one)
        two = shift(origin, 0, 2 * step)
        if origin[1] == home and two not in board:
            reach.append(two)
    for files in (-1, 1):
        target = shift(origin, files, step)
        if target in board and side_of(board[target]) != side:
            reach.append(target)
    return reach


def line_reach(board, origin, directions):
    """Squares along lines, up to and including the first man in the way."""
    reach = []
    for files, ranks in directions:
        target = shift(origin, files, ranks)
        while target:
            reach.append(target)
            if target in board:
                break
            target = shift(target, files, ranks)
    return reach


def reach(board, origin):
    """Squares the man on origin can go to, without castling and en passant."""
    man = board[origin]
    side, kind = side_of(man), man.lower()
    if kind == "p":
        return pawn_reach(board, origin, side)
    if kind in SLIDES:
        targets = line_reach(board, origin, SLIDES[kind])
    else:
        offsets = JUMPS if kind == "n" else STRAIGHT + DIAGONAL
        targets = [shift(origin, *offset) for offset in offsets]
    return [target for target in targets
            if target and not (target in board and side_of(board[target]) == side)]


def castlings(position):
    """Rights of the side to move whose way is free."""
    return [right for right in position.castling
            if CASTLINGS[right][0] == position.turn
            and not any(square(text) in position.board for text in CASTLINGS[right][5].split())]


def moves(position):
    """All moves of the side to move as sorted UCI strings; attacks do not matter."""
    found = []
    for origin in men(position.board, position.turn):
        pawn = position.board[origin] in "Pp"
        for target in reach(position.board, origin):
            letters = "qrbn" if pawn and target[1] in (0, 7) else [""]
            found += [name(origin) + name(target) + letter for letter in letters]
    found += [name(taker) + name(position.ep) for taker in ep_takers(position)]
    found += [CASTLINGS[right][1] + CASTLINGS[right][2] for right in castlings(position)]
    return sorted(found)


def castling_of(position, move):
    """The right that this move uses, or None."""
    for right in position.castling:
        _, origin, target, *_ = CASTLINGS[right]
        if move == origin + target and position.board[square(origin)] in "Kk":
            return right
    return None


def is_ep(position, move):
    """Whether this move takes en passant."""
    origin, target = square(move), square(move[2:])
    return target == position.ep and origin in ep_takers(position)


def keep_rights(castling, touched):
    """Rights left once a man has left or reached the squares in `touched`."""
    return "".join(right for right in castling
                   if not touched & {CASTLINGS[right][1], CASTLINGS[right][3]})


def apply(position, move):
    """The position after a move that `moves` lists."""
    origin, target = square(move), square(move[2:])
    board, side = dict(position.board), position.turn
    man = board.pop(origin)
    capture = target in board
    if is_ep(position, move):
        del board[ep_victim(position)]
    right = castling_of(position, move)
    if right:
        _, _, _, rook_from, rook_to, _ = CASTLINGS[right]
        board[square(rook_to)] = board.pop(square(rook_from))
    promoted = move[4:]
    board[target] = (promoted.upper() if side == "w" else promoted) or man
    after = Position(board, other(side),
                     keep_rights(position.castling, {move[:2], move[2:4]}), None,
                     0 if capture or man in "Pp" else position.clock + 1,
                     position.number + (side == "b"))
    if man in "Pp" and abs(target[1] - origin[1]) == 2:
        after.offer_ep(shift(origin, 0, forward(side)))
    return after


def between(origin, target):
    """Squares strictly between two squares of one line; none if they share no line."""
    files, ranks = target[0] - origin[0], target[1] - origin[1]
    if files and ranks and abs(files) != abs(ranks):
        return []
    length = max(abs(files), abs(ranks))
    return [shift(origin, files // length * step, ranks // length * step)
            for step in range(1, length)]


def attacks(board, origin, target):
    """Whether the man on origin could capture on target."""
    man = board[origin]
    files, ranks = target[0] - origin[0], target[1] - origin[1]
    kind = man.lower()
    if kind == "p":
        return abs(files) == 1 and ranks == forward(side_of(man))
    if kind == "n":
        return (files, ranks) in JUMPS
    if kind == "k":
        return max(abs(files), abs(ranks)) == 1
    length = max(abs(files), abs(ranks))
    straight, diagonal = 0 in (files, ranks), abs(files) == abs(ranks)
    if not length or not (kind in "rq" and straight or kind in "bq" and diagonal):
        return False
    return not any(place in board for place in between(origin, target))


def attackers(board, target, side):
    """Squares of the men of this side that could capture on target."""
    return [origin for origin in men(board, side) if attacks(board, origin, target)]


def attacked(board, target, side):
    """Whether a man of this side could capture on target."""
    return bool(attackers(board, target, side))


def checkers(position, side):
    """Squares of the men that give check to the king of this side."""
    return attackers(position.board, king_square(position.board, side), other(side))


def legal_moves(position):
    """The moves of chess with check, found by trying each one; sorted."""
    return [move for move in moves(position) if is_safe(position, move)]


def is_safe(position, move):
    """Whether the king is not left in check and does not castle out of or through one."""
    side = position.turn
    right = castling_of(position, move)
    if right:
        _, origin, _, _, crossed, _ = CASTLINGS[right]
        if any(attacked(position.board, square(text), other(side)) for text in (origin, crossed)):
            return False
    return not checkers(apply(position, move), side)


def is_pawn_step_aside(position, move):
    """Whether an own pawn stands on the first square and the second is diagonally before it."""
    origin, target = square(move), square(move[2:])
    return (position.board.get(origin) == ("P" if position.turn == "w" else "p")
            and abs(target[0] - origin[0]) == 1
            and target[1] - origin[1] == forward(position.turn))


def blind_moves(position):
    """What the side to move cannot rule out from its own men alone; sorted.

    The moves on a board without enemy men, and every diagonal pawn step that does not
    end on an own man.
    """
    own = {place: position.board[place] for place in men(position.board, position.turn)}
    found = set(moves(Position(own, position.turn, position.castling)))
    for origin in own:
        if own[origin] not in "Pp":
            continue
        for files in (-1, 1):
            target = shift(origin, files, forward(position.turn))
            if target and target not in own:
                letters = "qrbn" if target[1] in (0, 7) else [""]
                found |= {name(origin) + name(target) + letter for letter in letters}
    return sorted(found)


def kings_adjacent(board):
    """Whether both kings are there and stand side by side."""
    white, black = king_square(board, "w"), king_square(board, "b")
    return bool(white and black) and max(abs(white[0] - black[0]), abs(white[1] - black[1])) == 1
