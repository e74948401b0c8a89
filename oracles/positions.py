"""Start positions, by kind, made so that rare events come often.

Every kind is a function of a random generator that returns a FEN. Both kings
are on the board and there is at least one move. Nothing else is promised: the
side not to move may stand in check, so a game with check must filter.
"""

import plainchess as chess
from plainchess import Position, shift

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def coin(rng, chance=0.5):
    return rng.random() < chance


def cased(letter, side):
    return letter.upper() if side == "w" else letter


def random_side(rng):
    return rng.choice("wb")


def put(rng, board, letters, ranks=range(8)):
    """Put men on random empty squares of these ranks, pawns never on the last ones."""
    for letter in letters:
        free = [place for place in chess.SQUARES if place not in board and place[1] in ranks
                and not (letter in "Pp" and place[1] in (0, 7))]
        if free:
            board[rng.choice(free)] = letter


def some(rng, letters, most, least=0):
    """A random handful of men."""
    return rng.choices(letters, k=rng.randint(least, most))


def mirrored(position):
    """The same position with colours and ranks turned round."""
    board = {(file, 7 - rank): man.swapcase() for (file, rank), man in position.board.items()}
    castling = "".join(sorted(position.castling.swapcase()))
    ep = position.ep and (position.ep[0], 7 - position.ep[1])
    return Position(board, chess.other(position.turn), castling, ep,
                    position.clock, position.number)


def either_way(rng, position):
    """FEN of the position or, as often, of its mirror image."""
    return (mirrored(position) if coin(rng) else position).fen()


def start(rng):
    """The usual position."""
    return START


def middle(rng):
    """A position from the first 6 to 45 random plies."""
    position = Position.read(START)
    for _ in range(rng.randint(6, 45)):
        target = chess.king_square(position.board, chess.other(position.turn))
        tame = [move for move in chess.moves(position) if chess.square(move[2:]) != target]
        if not tame:
            break
        position = chess.apply(position, rng.choice(tame))
    return position.fen()


def few(rng):
    """Kings and one to four men."""
    board = {}
    put(rng, board, ["K", "k"] + some(rng, "PNBRQpnbrq", 4, least=1))
    return Position(board, random_side(rng)).fen()


def promo(rng):
    """Pawns near promotion, men to take beside their way."""
    board = {}
    put(rng, board, some(rng, "P", 3, least=1), ranks=(5, 6))
    put(rng, board, some(rng, "p", 3, least=1), ranks=(1, 2))
    put(rng, board, some(rng, "nbrq", 2), ranks=(7,))
    put(rng, board, some(rng, "NBRQ", 2), ranks=(0,))
    put(rng, board, ["K", "k"])
    return Position(board, random_side(rng)).fen()


def castle(rng):
    """Kings and rooks at home with rights, attackers in the open.

    Some ways are blocked, some rooks can be taken by a pawn that promotes.
    """
    board = {chess.square("e1"): "K", chess.square("e8"): "k"}
    castling = "".join(right for right in "KQkq" if coin(rng, 0.75)) or "K"
    for right in castling:
        side, _, _, rook, *_ = chess.CASTLINGS[right]
        board[chess.square(rook)] = cased("r", side)
    put(rng, board, some(rng, "P", 3), ranks=(1, 2))
    put(rng, board, some(rng, "p", 3), ranks=(5, 6))
    put(rng, board, some(rng, "NBRRQnbrrq", 4, least=2), ranks=range(2, 6))
    if coin(rng, 0.3):
        put(rng, board, some(rng, "NBQRnbqr", 2, least=1), ranks=(0, 7))
    if coin(rng, 0.3):
        board.setdefault(*rng.choice((((1, 6), "P"), ((6, 6), "P"), ((1, 1), "p"), ((6, 1), "p"))))
    return Position(board, random_side(rng), castling).fen()


def ep(rng):
    """Double steps: just made, about to be made, or made where nobody can take."""
    return either_way(rng, rng.choice((ep_now, ep_now, ep_soon, ep_soon, ep_never))(rng))


def ep_now(rng):
    """Black can take en passant, with one pawn or two; White may have pawns below."""
    file = rng.randrange(8)
    board = {(file, 3): "P"}
    beside = [place for place in (shift((file, 3), -1, 0), shift((file, 3), 1, 0)) if place]
    for place in rng.sample(beside, rng.randint(1, len(beside))):
        board[place] = "p"
    reserved = {(file, 1), (file, 2)}
    for place in (shift((file, 2), -1, -1), shift((file, 2), 1, -1)):
        if place and coin(rng):
            board[place] = "P"
    fill(rng, board, reserved)
    position = Position(board, "b")
    position.offer_ep((file, 2))
    return position


def ep_soon(rng):
    """White can make double steps beside black pawns."""
    board, reserved = {}, set()
    for file in rng.sample(range(8), rng.randint(1, 3)):
        board[file, 1] = "P"
        reserved |= {(file, 2), (file, 3)}
    for file, _ in sorted(board):
        for place in (shift((file, 3), -1, 0), shift((file, 3), 1, 0)):
            if place and place not in reserved and coin(rng, 0.7):
                board[place] = "p"
    fill(rng, board, reserved)
    return Position(board, "w")


def ep_never(rng):
    """White can make a double step; beside it stand men that cannot take."""
    file = rng.randrange(8)
    board = {(file, 1): "P"}
    for place in (shift((file, 3), -1, 0), shift((file, 3), 1, 0)):
        if place:
            board[place] = rng.choice("nnbrqkPNR")
    if file in (0, 7):
        board.update({(7 - file, rank): "p" for rank in (2, 3, 4) if coin(rng)})
    only_one_king(board)
    fill(rng, board, {(file, 2), (file, 3)})
    return Position(board, "w")


def only_one_king(board):
    """Turn black kings after the first into knights."""
    for place in sorted(place for place, man in board.items() if man == "k")[1:]:
        board[place] = "n"


def fill(rng, board, reserved):
    """Add the missing kings and a few men, away from the reserved squares."""
    for place in reserved:
        board.setdefault(place, "reserved")
    put(rng, board, [king for king in "Kk" if king not in board.values()])
    put(rng, board, some(rng, "NBRQPnbrqp", 3))
    for place in [place for place in board if board[place] == "reserved"]:
        del board[place]


def adjacent(rng):
    """Kings side by side."""
    board = {}
    put(rng, board, ["K"])
    place = next(iter(board))
    beside = [shift(place, *step) for step in chess.STRAIGHT + chess.DIAGONAL]
    board[rng.choice([square for square in beside if square])] = "k"
    put(rng, board, some(rng, "PNBRQpnbrq", 3))
    return Position(board, random_side(rng)).fen()


WALL = {"a1": "K", "b1": "B", "a2": "P", "b2": "R", "c2": "P", "b3": "P"}
LIDS = ("a3", "c3", "b4")


def box(rng):
    """A king walled in by its own men; the wall is closed or one move short.

    Sometimes the closing move can also bring the half-move clock to 100.
    """
    board = {chess.square(text): man for text, man in WALL.items()}
    for lid in LIDS:
        board[chess.square(lid)] = "p" if coin(rng, 0.6) else rng.choice("nbrq")
    add_pawn_pairs(rng, board)
    turn, plies = random_side(rng), 0
    if coin(rng, 0.8):
        turn, lifted = "b", lift_lid(rng, board, chess.square(rng.choice(LIDS)))
        plies = 99 if lifted != "p" and coin(rng) else 0
    put(rng, board, ["k"], ranks=range(5, 8))
    if coin(rng):
        board = {(7 - file, rank): man for (file, rank), man in board.items()}
    position = Position(board, turn, clock=plies, number=60)
    if not chess.moves(position):
        position.turn = "b"
    return either_way(rng, position)


def lift_lid(rng, board, lid):
    """Move the man on this square to one from which it can come back; returns the man."""
    man = board.pop(lid)
    homes = [home for home in chess.SQUARES if home not in board and home != lid
             and not (man == "p" and home[1] in (0, 7))
             and lid in chess.reach({**board, home: man}, home)]
    board[rng.choice(homes) if homes else lid] = man
    return man


def add_pawn_pairs(rng, board):
    """Pawns face to face on the other wing, some with steps left."""
    for file in rng.sample((4, 6), rng.randint(0, 2)):
        low = rng.randint(1, 4)
        board[file, low] = "P"
        board[file, rng.randint(low + 1, 6)] = "p"


def clock(rng):
    """The half-move clock close to its limit; few pawns to set it back.

    92 is frequent: going to and fro then ends in repetition and 100 on one ply.
    """
    board = {}
    put(rng, board, ["K", "k"] + some(rng, "NBRQnbrq", 3) + some(rng, "Pp", 1))
    plies = 92 if coin(rng, 0.3) else rng.randint(70, 98)
    number = rng.randint(50, 90)
    return Position(board, random_side(rng), clock=plies, number=number).fen()


def shuffle(rng):
    """Positions for going to and fro: with rights to lose, e.p., or little else to do."""
    return rng.choice((start, few, castle, castle, shuffle_ep))(rng)


def shuffle_ep(rng):
    """En passant is possible now; later the same men stand there without it."""
    return either_way(rng, ep_now(rng))


def crowd(rng):
    """Many strong men at once."""
    board = {}
    put(rng, board, ["K", "k"])
    put(rng, board, some(rng, "QQQRBN", 10, least=4) + some(rng, "qqqrbn", 10, least=4))
    put(rng, board, some(rng, "Pp", 4))
    return Position(board, random_side(rng)).fen()


def minor(rng):
    """Few minor pieces; often a capture leaves a draw."""
    return until(rng, few_minors, are_few_minors, are_few_minors_with_check)


def few_minors(rng):
    """Few minor pieces, some near each other; often two bishops of one colour."""
    board = {}
    if coin(rng, 0.4):
        put_bishops_of_one_colour(rng, board)
        letters = some(rng, "nnp", 1, least=1)
    else:
        letters = some(rng, "NB", 2, least=1) + some(rng, "nb", 2, least=1)
        letters += some(rng, "Pp", 1)
    centre = [rng.choice(range(1, 6)) for _ in range(2)]
    put(rng, board, letters, ranks=range(centre[1] - 1, centre[1] + 3))
    put(rng, board, ["K", "k"])
    return Position(board, random_side(rng))


def put_bishops_of_one_colour(rng, board):
    """Two or three, of either side."""
    colour = rng.randrange(2)
    squares = [place for place in chess.SQUARES if sum(place) % 2 == colour]
    for place in rng.sample(squares, rng.randint(2, 3)):
        board[place] = rng.choice("BBb")


def until(rng, make_position, *wanted):
    """FEN of a made position, often one in which a move leads to one of the wanted."""
    test, is_free = rng.choice(wanted), coin(rng, 0.1)
    while True:
        position = make_position(rng)
        if chess.checkers(position, chess.other(position.turn)):
            continue
        if is_free or any(test(chess.apply(position, move))
                          for move in chess.legal_moves(position)):
            return either_way(rng, position)


def is_mate(position):
    return bool(chess.checkers(position, position.turn)) and not chess.legal_moves(position)


def is_stalemate(position):
    return not chess.checkers(position, position.turn) and not chess.legal_moves(position)


def is_double_check(position):
    return len(chess.checkers(position, position.turn)) == 2


def are_few_minors(position):
    """Nothing but kings and at most two minor pieces, or bishops alone."""
    men = [man for man in position.board.values() if man not in "Kk"]
    return set(men) <= set("Bb") or set(men) <= set("NBnb") and len(men) < 3


def are_few_minors_with_check(position):
    return are_few_minors(position) and bool(chess.checkers(position, position.turn))


def corner(rng):
    """Often a mate or a stalemate in one."""
    return until(rng, king_in_corner, is_mate, is_stalemate)


def king_in_corner(rng):
    """A king with little room, strong men and often the other king close by."""
    board = {(rng.randrange(2), rng.randrange(2)): "k"}
    put(rng, board, ["K"], ranks=range(2, 4) if coin(rng, 0.7) else range(8))
    put(rng, board, some(rng, "QQRRBN", 2, least=1), ranks=range(1, 8))
    put(rng, board, some(rng, "Pp", 2))
    put(rng, board, some(rng, "bnr", 1) if coin(rng, 0.3) else [])
    if coin(rng):
        board = {(7 - file, rank): man for (file, rank), man in board.items()}
    return Position(board, "w")


# Mates with one minor piece a side: board, squares of the mating man, where it takes.
SMOTHERED = (
    ({"a8": "k", "b8": "n", "b6": "K"}, "N", ("d5", "e6", "e8", "b5"), "c7"),
    ({"a8": "k", "a7": "n", "c7": "K"}, "B", ("c8", "d5", "e4", "f3"), "b7"),
)


def smother(rng):
    """A capture mates and leaves one minor piece on each side."""
    men, mating, homes, target = rng.choice(SMOTHERED)
    board = {chess.square(text): man for text, man in men.items()}
    board[chess.square(rng.choice(homes))] = mating
    board[chess.square(target)] = rng.choice("nb" if target == "b7" else "pnb")
    return either_way(rng, Position(board, "w"))


def battery(rng):
    """Often a double check in one."""
    return until(rng, line_behind_a_man, is_double_check)


def line_behind_a_man(rng):
    """A line piece behind a man of its own, before the enemy king: checks by two men."""
    while True:
        king = rng.choice(chess.SQUARES)
        direction = rng.choice(chess.STRAIGHT + chess.DIAGONAL)
        line = chess.line_reach({}, king, [direction])
        if len(line) >= 3:
            break
    front, back = sorted(rng.sample(range(len(line)), 2))
    straight = direction in chess.STRAIGHT
    shield = rng.choice("NNBK" if straight else "NNRK")
    if shield == "K" and front == 0:
        shield = "N"
    board = {king: "k", line[front]: shield, line[back]: rng.choice("RQ" if straight else "BQ")}
    reserved = set(line[:back]) - set(board)
    fill(rng, board, reserved)
    return Position(board, "w")


def obstacle(rng):
    """Men in the way of castlings and of pawns at home."""
    board = {chess.square("e1"): "K", chess.square("e8"): "k"}
    castling = "".join(right for right in "KQkq" if coin(rng, 0.7)) or "k"
    for right in castling:
        side, _, _, rook, _, way = chess.CASTLINGS[right]
        board[chess.square(rook)] = cased("r", side)
        if coin(rng, 0.7):
            place = chess.square(rng.choice(way.split()))
            board[place] = cased(rng.choice("nbq"), chess.other(side))
    for side, home in (("w", 1), ("b", 6)):
        for file in rng.sample(range(8), 3):
            board[file, home] = cased("p", side)
            before = shift((file, home), 0, rng.choice((1, 2)) * chess.forward(side))
            if coin(rng, 0.7):
                board.setdefault(before, cased(rng.choice("nbr"), chess.other(side)))
    return Position(board, random_side(rng), castling).fen()


def pinned(rng):
    """A pawn pinned to its king, with men to take beside it; often en passant."""
    while True:
        king = rng.choice(chess.SQUARES)
        direction = rng.choice(chess.STRAIGHT + chess.DIAGONAL)
        line = chess.line_reach({}, king, [direction])
        pawns = [number for number, place in enumerate(line[:-1])
                 if place[1] == 4 or 0 < place[1] < 7 and coin(rng, 0.05)]
        if pawns:
            break
    number = rng.choice(pawns)
    straight = direction in chess.STRAIGHT
    board = {king: "K", line[number]: "P"}
    board[rng.choice(line[number + 1:])] = rng.choice("rq" if straight else "bq")
    reserved = set(line) - set(board)
    position = Position(board, "w")
    target = double_step_beside(rng, board, line[number], reserved)
    for files in (-1, 1):
        place = shift(line[number], files, 1)
        if place and place not in board and place != target and coin(rng, 0.4):
            board[place] = rng.choice("nbrq" if place[1] == 7 else "pnbr")
    fill(rng, board, reserved | ({target, shift(target, 0, 1)} if target else set()))
    if target:
        position.offer_ep(target)
    return either_way(rng, position)


def double_step_beside(rng, board, pawn, reserved):
    """Put an enemy pawn beside this one, as after a double step; the square passed over."""
    files = rng.choice((-1, 1))
    victim, target, home = (shift(pawn, files, ranks) for ranks in (0, 1, 2))
    if pawn[1] != 4 or victim is None or {victim, target, home} & set(board):
        return None
    board[victim] = "p"
    other_taker = shift(victim, files, 0)
    if other_taker and other_taker not in board and other_taker not in reserved and coin(rng, 0.4):
        board[other_taker] = "P"
    return target


KINDS = {make.__name__: make for make in
         (start, middle, few, promo, castle, ep, adjacent, box, clock, shuffle, crowd,
          minor, corner, smother, battery, pinned, obstacle)}


def make(kind, rng):
    """A start position of this kind in which the side to move has a move."""
    while True:
        fen = KINDS[kind](rng)
        if chess.moves(Position.read(fen)):
            return fen
