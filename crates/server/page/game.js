// Playing (or watching) one game: takes the player's wishes to the server and what comes back to the board.

/** @import { Doing } from "./picture.js" */
/** @import { Hint, Side, State } from "./types.js" */
import * as api from "./api.js";
import { Board } from "./board.js";
import { seenMove } from "./changes.js";
import { Clocks } from "./clocks.js";
import { askPromotion, confirm, toast } from "./dialogs.js";
import { fill, make, refill } from "./dom.js";
import { follow } from "./events.js";
import { cellsOf } from "./ghosts.js";
import { MoveBox } from "./movebox.js";
import { MoveList } from "./movelist.js";
import { fromOf, isMove, movesBetween, premoveTargets, readMove, targetsOf, toOf } from "./moves.js";
import { GAME_NAMES, playerName } from "./names.js";
import { changeAt, itemsOf, newsOf, umpireWords } from "./news.js";
import { openNewGame } from "./newgame.js";
import { buttons, notices, playerStrip, renderHint, statusText, viewpoints } from "./panel.js";
import { Pencil } from "./pencil.js";
import { isOwnTurn, pictureOf, viewBefore } from "./picture.js";
import { shareLink } from "./share.js";
import { play } from "./sounds.js";
import { speak } from "./speech.js";
import { indexOf, isOf, other } from "./squares.js";
import { isOlder, isSame } from "./states.js";
import { onSettings } from "./store.js";

const IN_THE_PAST = "You look at the past. Press End to come back.";

export class GamePage {
  /** @param {State} state */
  constructor(state) {
    this.state = state;
    /** @type {Side} */
    const bottom = state.side === "black" ? "black" : "white";
    /** @type {Doing} */
    this.doing = {
      selected: null,
      premove: null,
      pending: null,
      shown: null,
      bottom,
      viewpoint: state.side === "watch" ? "truth" : "own",
      hint: null,
      aim: null,
    };
    /** @type {Hint | null} */
    this.hint = null;
    this.asking = false;
    /** The window that a finger chose and did not yet confirm. @type {string | null} */
    this.chosen = null;
    this.touching = false;
    this.looked = "";
    /** The last news that came while the player looked at the past. */
    this.missed = "";
    this.board = new Board("Board", {
      onPick: (square, touch) => this.pick(square, touch),
      onLift: (square) => this.select(square),
      onDrop: (from, to) => this.wish(from, to, true),
      canDrag: (square) => this.canTakeUp(square),
      onPoint: (square) => this.aim(square),
      onCancel: () => this.cancel(),
      onEscape: () => (this.pencil?.active ? this.pencil.toggle() : this.cancel()),
    });
    this.clocks = new Clocks();
    this.moveList = new MoveList((shown) => this.step(shown));
    this.moveBox = new MoveBox((text) => this.typed(text));
    this.pencil = state.side === "watch" ? null : new Pencil(state.id, other(state.side), () => this.render());
    this.actions = this.makeActions();
    this.parts = makeParts(state);
    this.parts.back.addEventListener("click", () => this.step(this.state.log.length));
    this.element = this.layout();
    this.endings = [
      follow(state.id, { onState: (next) => this.take(next), onCut: (seconds) => this.cut(seconds) }),
      onSettings(() => this.render()),
      () => this.clocks.stop(),
      () => this.moveList.stop(),
    ];
    this.clocks.set(state.clock, state.side);
    this.render();
  }

  /** Ends what runs by itself. */
  close() {
    for (const end of this.endings) end();
  }

  layout() {
    const { parts, state } = this;
    return make(
      "div",
      { class: "game", "data-game": state.game },
      make(
        "h1",
        { class: "unseen" },
        `${GAME_NAMES[state.game]}: ${playerName(state.players.white)} against ${playerName(state.players.black)}`,
      ),
      make("div", { class: "table" }, parts.top, this.board.element, parts.bottom),
      make(
        "aside",
        { class: "panel", "aria-label": "Game" },
        parts.line,
        parts.status,
        parts.past,
        parts.notices,
        parts.share,
        parts.buttons,
        parts.look,
        parts.hint,
        state.side === "watch" ? null : this.moveBox.element,
        this.pencil?.element,
        this.moveList.element,
        parts.back,
        make("p", { class: "note" }, make("a", { href: `#/rules/${state.game}` }, "Rules and their traps")),
      ),
    );
  }

  /** @returns {import("./panel.js").Actions} */
  makeActions() {
    const { id } = this.state;
    return {
      flip: () => this.change({ bottom: other(this.doing.bottom) }),
      resign: async () => {
        if (await confirm("Resign this game?", "Resign")) this.ask(api.resign(id));
      },
      draw: (answer) => this.draw(answer),
      hint: () => this.askHint(),
      rematch: () => this.rematch(),
      move: (move) => this.send(move),
      look: (viewpoint) => this.change({ viewpoint }),
      newGame: () => openNewGame(this.state.game),
      dropPremove: () => this.change({ premove: null }),
    };
  }

  /** @param {Partial<Doing>} change */
  change(change) {
    Object.assign(this.doing, change);
    this.render();
  }

  // What comes from the server.

  /** @param {State} next */
  take(next) {
    const before = this.state;
    if (isOlder(next, before)) return;
    this.clocks.set(next.clock, next.side);
    if (isSame(next, before)) return;
    const fresh = next.log.length > before.log.length;
    this.state = next;
    if (fresh) this.news(before);
    if (next.draw === "asked" && before.draw !== "asked") speak("A draw is offered.");
    if (next.result && !before.result) this.end();
    this.render();
    if (fresh) this.animate(before.log.length);
    this.tryPremove();
  }

  /** @param {State} before */
  news(before) {
    const entries = this.state.log.slice(before.log.length);
    Object.assign(this.doing, { pending: null, hint: null, aim: null });
    this.hint = null;
    if (this.doing.selected && !this.canTakeUp(this.doing.selected)) this.doing.selected = null;
    const took = this.state.taken.length > before.taken.length;
    const news = entries.map((entry, offset) => newsOf(this.state, entry, before.log.length + offset, took));
    for (const { words, sound } of news) {
      speak(words);
      play(sound);
    }
    if (this.doing.shown === null) return;
    if (!this.missed) speak(IN_THE_PAST);
    this.missed = news[news.length - 1].words;
  }

  end() {
    speak(this.state.result?.text ?? "");
    play("end");
    Object.assign(this.doing, { premove: null, selected: null, pending: null });
  }

  /**
   * Slides what the view shows to have moved: own men, and enemy men seen before and after.
   * @param {number} since an index into the log
   */
  animate(since) {
    const { log, side, game } = this.state;
    const { viewpoint, shown } = this.doing;
    const entry = log.at(-1);
    if (!entry || log.length !== since + 1 || shown !== null || viewpoint === "truth" || side === "watch") return;
    if (entry.side === side) {
      if (game !== "fog" && entry.move && isMove(entry.move) && !entry.refused)
        this.board.slide(fromOf(entry.move), toOf(entry.move));
      return;
    }
    const [seen, change] = [viewBefore(this.state, since), changeAt(this.state, since)];
    const way = seen && change && seenMove(seen, change);
    if (way) this.board.slide(way[0], way[1]);
  }

  /** @param {number | null} seconds */
  cut(seconds) {
    const { line } = this.parts;
    line.hidden = seconds === null;
    line.textContent = seconds === null ? "" : `Connection lost. Trying again in ${seconds} s …`;
  }

  // What the player wants.

  /** @param {string} square */
  canTakeUp(square) {
    const { state, doing } = this;
    if (state.side === "watch" || state.result || doing.shown !== null || doing.pending || this.pencil?.active)
      return false;
    if (state.game === "rbc" && (!isOwnTurn(state) || state.phase === "sense")) return false;
    return doing.viewpoint === "own" && isOf(this.cells()[indexOf(square)], state.side);
  }

  cells() {
    const { state } = this;
    return cellsOf(state.view, state.game, state.side === "black" ? "black" : "white");
  }

  /** @param {string} square */
  select(square) {
    this.change({ selected: square });
  }

  cancel() {
    this.change({ selected: null, premove: null, aim: null });
  }

  /**
   * @param {string} square
   * @param {boolean} touch
   */
  pick(square, touch) {
    const { state, doing } = this;
    if (this.pencil?.active) {
      this.pencil.put(square);
      return;
    }
    if (doing.shown !== null) {
      this.step(state.log.length);
      return;
    }
    if (isOwnTurn(state) && state.phase === "sense") {
      this.pickWindow(square, touch);
      return;
    }
    if (doing.selected === square) this.change({ selected: null });
    else if (doing.selected && this.isTarget(doing.selected, square)) this.wish(doing.selected, square);
    else if (this.canTakeUp(square)) this.change({ selected: square, premove: null });
    else this.cancel();
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  isTarget(from, to) {
    const cells = this.cells();
    return (isOwnTurn(this.state) ? targetsOf(this.state.moves, cells, from) : premoveTargets(cells, from)).has(to);
  }

  /** @param {string | null} square */
  aim(square) {
    if (!isOwnTurn(this.state) || this.state.phase !== "sense" || this.doing.shown !== null || this.doing.pending)
      return;
    if (square === null && this.touching) return;
    if (this.doing.aim !== square) this.change({ aim: square });
  }

  /**
   * A mouse looks at once; a finger shows the window first and looks at the second touch.
   * @param {string} square
   * @param {boolean} touch
   */
  pickWindow(square, touch) {
    this.touching = touch;
    if (touch && this.chosen !== square) {
      this.chosen = square;
      this.change({ aim: square });
      toast(`Touch ${square} again to look at this window.`);
      return;
    }
    this.chosen = null;
    this.send(square);
  }

  /**
   * @param {string} from
   * @param {string} to
   * @param {boolean} [dragged] the man is where it shall be already
   */
  async wish(from, to, dragged = false) {
    const { state } = this;
    if (!this.isTarget(from, to)) {
      this.change({ selected: null });
      return;
    }
    if (!isOwnTurn(state)) {
      this.change({ premove: [from, to], selected: null });
      speak(`Premove ${from} to ${to}.`);
      return;
    }
    const found = movesBetween(state.moves, this.cells(), from, to);
    let move = found[0];
    if (found.length > 1) {
      this.change({ selected: null });
      const kind = state.side === "watch" ? null : await askPromotion(state.side);
      if (!kind) return;
      move = `${from}${to}${kind}`;
    }
    if (move) this.send(move, dragged);
  }

  /**
   * @param {string} text
   * @returns {string | null}
   */
  typed(text) {
    const { state } = this;
    if (state.side === "watch" || state.result) return "The game is over.";
    if (!isOwnTurn(state)) return "It is not your turn.";
    const read = readMove(text, state.moves, this.cells(), state.side);
    if ("problem" in read) return read.problem;
    this.send(read.move);
    return null;
  }

  /**
   * Plays what the player wants now; whoever looks at the past comes back for it.
   * @param {string} move
   * @param {boolean} [dragged]
   */
  send(move, dragged = false) {
    if (this.doing.shown !== null) this.step(this.state.log.length);
    this.submit(move, dragged);
  }

  /**
   * @param {string} move
   * @param {boolean} [dragged]
   */
  submit(move, dragged = false) {
    const pending = this.state.game === "fog" && isMove(move) ? move : null;
    this.change({ selected: null, premove: null, pending });
    if (pending && !dragged && this.doing.shown === null) this.board.slide(fromOf(pending), toOf(pending));
    this.ask(api.sendMove(this.state.id, move));
  }

  tryPremove() {
    const { premove } = this.doing;
    if (!premove || !isOwnTurn(this.state) || this.state.phase === "sense") return;
    const found = movesBetween(this.state.moves, this.cells(), premove[0], premove[1]);
    const move = found.find((each) => each.endsWith("q")) ?? found[0];
    if (move) {
      this.submit(move);
      return;
    }
    this.change({ premove: null });
    toast(`Premove ${premove[0]}${premove[1]} was dropped: it is none of your moves now.`);
    speak("Premove dropped.");
  }

  /**
   * @param {Promise<State>} answer
   * @returns {Promise<boolean>} whether the server did it
   */
  async ask(answer) {
    try {
      this.take(await answer);
      return true;
    } catch (error) {
      this.change({ pending: null });
      toast(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  /** @param {"offer" | "accept" | "decline"} answer */
  async draw(answer) {
    const done = await this.ask(api.sendDraw(this.state.id, answer));
    if (done && answer === "offer" && this.state.draw === null && !this.state.result) toast("The draw was declined.");
  }

  async askHint() {
    this.asking = true;
    this.render();
    const asked = this.state.log.length;
    try {
      const hint = await api.askHint(this.state.id);
      if (asked === this.state.log.length) {
        this.hint = hint;
        this.doing.hint = hint.move;
        speak(`Hint: ${hint.move}`);
      }
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
    this.asking = false;
    this.render();
  }

  async rematch() {
    const { rematch, id } = this.state;
    try {
      const next = rematch ? await api.joinGame(rematch.id, rematch.join) : await api.rematch(id);
      if (next.id !== id) location.hash = `#/game/${next.id}`;
      else this.take(next);
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {number} shown */
  step(shown) {
    const now = shown === this.state.log.length;
    if (now) this.missed = "";
    this.change({ shown: now ? null : shown, selected: null, aim: null });
  }

  // What is shown.

  render() {
    const { state, doing, board, parts } = this;
    const upper = other(doing.bottom);
    board.setLabel(`Board, ${doing.bottom} below`);
    board.render(pictureOf(state, doing));
    board.element.classList.toggle("sensing", isOwnTurn(state) && state.phase === "sense");
    board.element.classList.toggle("pencilling", this.pencil?.active === true);
    fill(parts.top, ...playerStrip(state, upper, this.clocks.elements[upper]));
    fill(parts.bottom, ...playerStrip(state, doing.bottom, this.clocks.elements[doing.bottom]));
    this.renderPanel();
    this.moveList.render(itemsOf(state), doing.shown ?? state.log.length);
  }

  renderPanel() {
    const { state, doing, parts } = this;
    parts.status.textContent = statusText(state);
    parts.status.classList.toggle("own", isOwnTurn(state));
    parts.status.classList.toggle("over", state.result !== null);
    this.renderPast();
    refill(parts.notices, ...notices(state, this.actions));
    refill(parts.buttons, ...buttons(state, doing, this.actions, this));
    const look = `${Boolean(state.truth)} ${doing.viewpoint}`;
    if (this.looked !== look) fill(parts.look, viewpoints(state, doing.viewpoint, this.actions));
    this.looked = look;
    renderHint(parts.hint, this.hint);
    parts.share.hidden = parts.share.childElementCount === 0 || state.ply > 1 || state.result !== null;
    this.moveBox.element.hidden = state.result !== null;
    this.moveBox.input.placeholder = isOwnTurn(state) && state.phase === "sense" ? "a square, as e6" : "e2e4 or Nf3";
    document.title = `${isOwnTurn(state) ? "● " : ""}${statusText(state)} – Scuro`;
  }

  /** Tells whether it is the past that is shown, what came since, and offers the way back. */
  renderPast() {
    const { past, back } = this.parts;
    const now = this.doing.shown === null;
    past.textContent = now ? umpireWords(this.state) : `${this.missed} ${IN_THE_PAST}`.trim();
    if (now && document.activeElement === back) this.moveList.list.focus({ preventScroll: true });
    past.classList.toggle("missed", this.missed !== "");
    back.hidden = now;
  }
}

/**
 * The places that change with the state.
 * @param {State} state
 */
function makeParts(state) {
  const part = (/** @type {string} */ kind) => make("div", { class: kind });
  return {
    top: part("strip top"),
    bottom: part("strip bottom"),
    line: make("p", { class: "line", role: "status", hidden: true }),
    status: make("p", { class: "status" }),
    past: make("p", { class: "past" }),
    notices: part("notices"),
    look: part("look"),
    buttons: part("buttons"),
    hint: make("section", { class: "hint-box", "aria-label": "Hint", hidden: true }),
    share: shareLink(state.id),
    back: make("button", { type: "button", class: "back", hidden: true }, "Back to the present"),
  };
}
