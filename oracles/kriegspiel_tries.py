"""What a player tries next: mostly a legal move, before it often something refused.

Every kind of refusal has a function (umpire) -> candidates, none of them legal.
"""

import plainchess as chess
from kriegspiel_reference import ANY


def blind(umpire):
    """Possible, but not legal: pieces in the way, pins, checks."""
    return [tried for tried in umpire.possible if tried not in umpire.legal
            and not chess.is_pawn_step_aside(umpire.position, tried)]


def aside(umpire):
    """Diagonal pawn steps that take nothing."""
    return [tried for tried in umpire.possible if tried not in umpire.legal
            and chess.is_pawn_step_aside(umpire.position, tried)]


def castling(umpire):
    """Castlings with the right but without the way, or out of, through or into check."""
    return [tried for tried in blind(umpire) if chess.castling_of(umpire.position, tried)]


def ep(umpire):
    """En passant captures that a pin or a check forbids."""
    return [tried for tried in aside(umpire) if chess.is_ep(umpire.position, tried)]


def again(umpire):
    """What was refused before in this turn."""
    return umpire.refused


def foreign(umpire):
    """Moves of enemy men and of no man."""
    enemy = chess.Position(umpire.position.board, chess.other(umpire.position.turn))
    return chess.moves(enemy)[:40] + ["e4e5", "d3d4", "a5b6"]


def crooked(umpire):
    """Own men as they do not move: wrong ways, own men in the way, a right that is gone."""
    own = chess.men(umpire.position.board, umpire.position.turn)
    found = [chess.name(origin) + chess.name(target) for origin in own for target in own
             if origin != target]
    for origin in own:
        for files, ranks in ((0, 2), (0, -2), (2, 0), (-2, 0), (1, 0), (1, 2), (3, 3), (0, -1)):
            target = chess.shift(origin, files, ranks)
            if target:
                found.append(chess.name(origin) + chess.name(target))
    return found


def letters(umpire):
    """Pawns: promotions without a letter, letters without a promotion."""
    return [tried[:4] if tried[4:] else tried + "q" for tried in umpire.possible
            if umpire.position.board[chess.square(tried)] in "Pp"]


OFFERED = ((blind, 6), (aside, 5), (castling, 8), (ep, 15))
IMPOSSIBLE = ((again, 4), (foreign, 1), (crooked, 2), (letters, 2))
REFUSED_SHARE, REFUSED_SHARE_IN_CHECK, REFUSED_SHARE_EP, MOST_REFUSED = 0.42, 0.6, 0.8, 4
ASK_SHARE, ASK_AGAIN_SHARE = 0.3, 0.04


def refusable(rng, umpire, takes_everything):
    """A try that is not legal, or None."""
    kinds = OFFERED + IMPOSSIBLE if takes_everything else OFFERED
    found = [(kind(umpire), weight) for kind, weight in kinds]
    found = [([tried for tried in candidates if is_wanted(umpire, tried, takes_everything)], weight)
             for candidates, weight in found]
    found = [(candidates, weight) for candidates, weight in found if candidates]
    if not found:
        return None
    candidates, = rng.choices([candidates for candidates, _ in found],
                              [weight for _, weight in found])
    return rng.choice(candidates)


def is_wanted(umpire, tried, takes_everything):
    if tried in umpire.legal:
        return False
    return takes_everything or tried not in umpire.refused


def while_obliged(rng, umpire):
    """English, after "yes": a pawn capture, or something that will be turned away."""
    away = [ANY, *blind(umpire), *umpire.refused, *letters(umpire),
            *(tried for tried in umpire.legal if tried[:4] not in umpire.captures)]
    away = [tried for tried in away if umpire.is_turned_away(tried)]
    if away and rng.random() < 0.3:
        return rng.choice(away)
    untried = [tried for tried in aside(umpire) if tried not in umpire.refused]
    if untried and rng.random() < 0.5:
        return rng.choice(untried)
    return rng.choice([tried for tried in umpire.legal if tried[:4] in umpire.captures])


def choose(rng, umpire, style, moves, takes_everything):
    """The next try of the player to move."""
    if umpire.obliged:
        return while_obliged(rng, umpire)
    if umpire.rules.name == "english":
        if rng.random() < (ASK_AGAIN_SHARE if umpire.asked else ASK_SHARE):
            return ANY
    share = (REFUSED_SHARE_EP if ep(umpire) else REFUSED_SHARE_IN_CHECK if umpire.kinds
             else REFUSED_SHARE)
    if len(umpire.refused) < MOST_REFUSED and rng.random() < share:
        tried = refusable(rng, umpire, takes_everything)
        if tried:
            return tried
    last = moves[-2] if len(moves) > 1 else None
    return style(rng, umpire.position, umpire.legal, last)
