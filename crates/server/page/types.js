// The shapes of what the server sends (docs/api.md), for readers and for the type checker. No code lives here.

/** @typedef {"fog" | "kriegspiel" | "rbc"} GameName */
/** @typedef {"white" | "black"} Side */
/** @typedef {"light" | "dark" | "contrast" | "auto"} Theme */

/**
 * A board as one may know it: 64 entries from a1, b1 ... to h8. `?` is unseen, the empty string is seen to be empty,
 * else a letter of FEN (`P` is a white pawn).
 * @typedef {string[]} Cells
 */

/** @typedef {{winner: Side | null, reason: string, text: string}} Result */
/** @typedef {{square: string | null, squares: Record<string, string | null>}} Sensed */
/** @typedef {{white: number, black: number, increment: number, running: Side | null}} Clock */

/**
 * @typedef {object} LogEntry
 * @property {number} ply
 * @property {Side} side
 * @property {string | null} move
 * @property {string | null} san
 * @property {string} text
 * @property {string} view
 * @property {boolean} [refused] a try of Kriegspiel that the umpire turned down
 * @property {Sensed | null} [sensed] a look of RBC
 * @property {string} [truth] only watching, or after the end
 * @property {Record<Side, string>} [views]
 */

/**
 * What one seat may know of a game.
 * @typedef {object} State
 * @property {string} id
 * @property {string} [secret]
 * @property {string} [join]
 * @property {GameName} game
 * @property {string | null} ruleset
 * @property {Side | "watch"} side
 * @property {Record<Side, string>} players
 * @property {string} view
 * @property {string} [first]
 * @property {string} [truth]
 * @property {Record<Side, string>} [views]
 * @property {string[]} moves
 * @property {"move" | "sense"} phase
 * @property {Side | null} turn
 * @property {Result | null} result
 * @property {number} ply
 * @property {LogEntry[]} log
 * @property {string[]} lost
 * @property {string[]} taken
 * @property {Sensed | null} sensed
 * @property {Clock | null} clock
 * @property {null | "offered" | "asked"} draw
 * @property {null | {id: string, join: string}} rematch
 * @property {boolean} thinking
 * @property {boolean} finished
 */

/** @typedef {{name: string, text: string}} Opponent */
/** @typedef {{game: GameName, name: string, opponents: Opponent[]}} GameInfo */
/** @typedef {{level: number, name: string, text: string}} Level */
/** @typedef {{name: string, version: string, api: number, games: GameInfo[], levels: Level[]}} Start */

/**
 * @typedef {object} KeptGame
 * @property {string} id
 * @property {string} secret
 * @property {GameName} game
 * @property {Side | "watch"} side
 * @property {Record<Side, string>} players
 * @property {Result | null} result
 * @property {Side | null} turn
 * @property {number} ply
 * @property {string | number} made
 * @property {string | number} changed
 */

/** @typedef {{total: number, games: KeptGame[]}} KeptGames */

/**
 * A move of a mixed strategy: how often it has it, and how often it is played once small parts are cut off.
 * @typedef {{move: string, probability: number, played?: number, value?: number | null}} Choice
 */
/**
 * @typedef {object} Hint
 * @property {string} move
 * @property {number | null} value
 * @property {Choice[]} strategy
 * @property {{size: number, exact: boolean}} belief
 * @property {Record<string, Record<string, number>>} squares where their pieces may stand, and how likely
 */

/**
 * @typedef {object} ReviewPly
 * @property {number} ply
 * @property {Side | null} side
 * @property {string | null} move
 * @property {string | null} san
 * @property {string} text
 * @property {string} truth
 * @property {Record<Side, string>} views
 * @property {boolean} [refused]
 * @property {Sensed | null} [sensed]
 */
/**
 * @typedef {object} Review
 * @property {GameName} game
 * @property {string | null} ruleset
 * @property {Record<Side, string>} players
 * @property {string} start
 * @property {Result | null} result
 * @property {ReviewPly[]} plies
 */

/**
 * One turn as the engine thought about it from that side's views.
 * @typedef {object} Turn
 * @property {number} ply
 * @property {{size: number, exact: boolean}} belief
 * @property {number} value from -1 (lost) to 1 (won), for the side that thinks
 * @property {string | null} move
 * @property {Choice[]} strategy
 * @property {Record<string, Record<string, number>>} squares
 * @property {Insight[]} [choices] the best first, where the game has a player that judges them
 */
/** @typedef {{text: string, probability: number}} LikelyAnswer rows of a window such as `rn./ppp/...`, or `8 others` */
/**
 * What a choice is worth, and why.
 * @typedef {object} Insight
 * @property {string} choice
 * @property {number} score
 * @property {Record<string, number>} parts
 * @property {LikelyAnswer[]} answers
 * @property {boolean} chosen
 */
/** @typedef {{done: boolean, error: string | null, turns: Turn[]}} Analysis */

export {};
