// The live region: what happened, said politely to those who listen to the page.

import { make } from "./dom.js";

const region = make("div", { class: "unseen", role: "log", "aria-live": "polite", "aria-label": "What happened" });

/** Puts the region on the page; it must be there before it says anything. */
export function installSpeech() {
  document.body.append(region);
}

/** @param {string} text */
export function speak(text) {
  if (!text) return;
  region.append(make("p", {}, text));
  while (region.childElementCount > 5) region.firstElementChild?.remove();
}
