// The rules of each game in short, and the traps that people fall into.

/** @import { GameName } from "./types.js" */
import { make } from "./dom.js";

/** @typedef {{name: string, goal: string, parts: {title: string, points: string[]}[], traps: string[]}} Rules */

/** @type {Record<GameName, Rules>} */
export const RULES = {
  fog: {
    name: "Fog of War",
    goal: "Take the enemy king. There is no check and no mate.",
    parts: [
      {
        title: "What you see",
        points: [
          "Your own men, and every square that one of them could move to, with the enemy man on it if there is one. All else is fog.",
          "The view is made anew after every move of either side. You are told nothing else: not what the opponent moved, nor what took your man.",
        ],
      },
      {
        title: "How men move",
        points: [
          "As in chess, but nothing protects the king: you may leave it, or put it, under attack. Whoever takes a king wins at once.",
          "You castle if king and rook have not moved and nothing stands between them. Attacks do not matter.",
          "You never guess what is allowed: the moves shown are all the moves you have.",
        ],
      },
      {
        title: "Draws",
        points: [
          "The same position for the third time, or fifty moves of both sides without a capture or a pawn move. They come without warning, though neither player may have known.",
          "There is no draw for want of material: king against king goes on.",
        ],
      },
    ],
    traps: [
      "A blocked pawn sees nothing ahead: neither what blocks it nor that it is blocked. Only the missing move tells.",
      "A pawn looks diagonally only at what it can take. An empty diagonal square stays in the fog.",
      "Nobody says check. Before you move, ask which unseen man could take your king next.",
      "A side that is to move and has no move at all loses.",
      "A man that you saw a moment ago may have gone. The ghosts on the board are memories with their age in plies, no more.",
      "When the enemy can take en passant, your pawn that made the double step is seen.",
    ],
  },
  kriegspiel: {
    name: "Kriegspiel",
    goal: "Mate the enemy king, as in chess. You see your own men only; an umpire sees all.",
    parts: [
      {
        title: "A turn",
        points: [
          "You try a move. If it is legal on the umpire’s board it is played. If not you hear that it is illegal and try another; a refused try costs nothing.",
          "After a move the umpire tells both sides: a capture with its square, and each check by its kind: rank, file, long diagonal, short diagonal, knight.",
        ],
      },
      {
        title: "The rulesets",
        points: [
          "ICC: before your turn you hear how many captures your pawns have. A capture says pawn or piece. Refused tries are your secret.",
          "Cincinnati: you hear only whether there is a pawn capture; refusals are heard by both, and a hopeless try is called nonsense.",
          "RAND: you hear which of your pawns can take, and promotions are told. A stalemated side loses.",
          "English: you may ask “Any?” once a turn. After a yes you must try a capture with a pawn.",
        ],
      },
      {
        title: "Draws",
        points: [
          "Stalemate (but see RAND), too little material to mate, threefold repetition and the fifty-move rule, all declared by the umpire without a claim.",
        ],
      },
      {
        title: "Two problems",
        points: [
          "White mates in two moves, whatever Black answers; Black’s pieces are known. White: Kg2, Qa7, Ra2, Bb3, pawns f5, g4. Black: Ke1, Rb6, Rf6, pawns b4, e2. Only 1. Qe7 does it. Then try Qxe2, which mates. If it is refused a rook stands on e6: try Qh4, which mates. If that is refused too the rook on f6 has stayed, so b6 is empty, and Qxb4 mates.",
          "White mates in two moves, and Black’s king may stand on any of fifteen squares. White: Kh5, Qc8, Rg3, Rh2, Bc5, Bd6, Be8, Na5, Nd7, pawn g7. Black: the king and a pawn on b7. Only 1. Nf6 mates wherever it is. What the umpire says then tells which mate to try.",
        ],
      },
    ],
    traps: [
      "A refusal tells you something: a pinned man, a blocked way, a check not answered. Write it down with the pencil.",
      "A diagonal pawn step is a try like any other; without a pawn capture announced it will fail.",
      "The long diagonal is the longer of the two through your king, wherever the enemy stands.",
      "In English rules the answer to “Any?” is heard by your opponent too.",
      "The square of a capture en passant is the square of the pawn that was taken.",
    ],
  },
  rbc: {
    name: "Reconnaissance Blind Chess",
    goal: "Take the enemy king. There is no check and no mate.",
    parts: [
      {
        title: "A turn",
        points: [
          "First you hear whether, and on which square, the opponent took one of your men.",
          "Then you look: choose a square, and you see what truly stands on it and its neighbours, nine squares in all.",
          "Then you ask for a move, or pass. You are told what became of it, and on which square you took something; not what.",
        ],
      },
      {
        title: "What becomes of a request",
        points: [
          "A queen, rook or bishop that runs into an enemy stops there and takes it.",
          "A pawn’s double step may end after one square, or not happen at all. A pawn that steps onto a man, or diagonally onto nothing, stays where it is.",
          "Castling with an enemy man in between does not happen; the right remains.",
        ],
      },
      {
        title: "Draws",
        points: [
          "Fifty moves of both sides without a capture or a pawn move; passes count. There is no stalemate and no repetition rule.",
        ],
      },
    ],
    traps: [
      "A window at the edge of the board shows fewer squares: look one square further in.",
      "A move that does not happen still costs the turn.",
      "Your opponent does not learn what you looked at, nor what you asked for: only what you took.",
      "Nobody warns you of a check. A king that may be attacked should be looked at from where the attack would come.",
    ],
  },
};

/**
 * @param {GameName} game
 * @returns {HTMLElement}
 */
export function rulesPage(game) {
  const rules = RULES[game] ?? RULES.fog;
  const list = (/** @type {string[]} */ points) => make("ul", {}, ...points.map((point) => make("li", {}, point)));
  const links = Object.entries(RULES).map(([name, each]) =>
    make(
      "a",
      {
        class: name === game ? "button main" : "button",
        href: `#/rules/${name}`,
        "aria-current": name === game ? "page" : undefined,
      },
      each.name,
    ),
  );
  return make(
    "article",
    { class: "rules" },
    make("nav", { class: "buttons", "aria-label": "Games" }, ...links),
    make("h1", {}, rules.name),
    make("p", { class: "goal" }, rules.goal),
    ...rules.parts.map(({ title, points }) => make("section", {}, make("h2", {}, title), list(points))),
    make("section", { class: "traps" }, make("h2", {}, "Traps"), list(rules.traps)),
    make("section", {}, make("h2", {}, "Keys"), list(KEYS)),
  );
}

const KEYS = [
  "Tab to the board, arrows to go from square to square, Enter or Space to take up a man and to put it down, Escape to let go.",
  "Away from the board: left and right step through your past views, Home and End go to the first and the last.",
  "Or type moves: e2e4, Nf3, exd5, O-O, e8=Q; in RBC a square to look at, or pass.",
];
