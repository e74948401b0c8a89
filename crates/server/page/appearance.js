// Themes and the menu of settings.

/** @import { Theme } from "./types.js" */
import { choice, make } from "./dom.js";
import { changeSettings, onSettings, settings } from "./store.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const contrast = matchMedia("(prefers-contrast: more)");

function apply() {
  const wanted = settings.theme;
  const own = contrast.matches ? "contrast" : dark.matches ? "dark" : "light";
  document.documentElement.dataset.theme = wanted === "auto" ? own : wanted;
}

/** Follows the settings and the system from now on. */
export function installAppearance() {
  apply();
  onSettings(apply);
  dark.addEventListener("change", apply);
  contrast.addEventListener("change", apply);
}

/** @returns {HTMLElement} */
export function settingsMenu() {
  const themes = [
    { value: "auto", text: "As the system" },
    { value: "light", text: "Light" },
    { value: "dark", text: "Dark" },
    { value: "contrast", text: "High contrast" },
  ];
  const flag = (/** @type {"sounds" | "ghosts" | "targets"} */ name, /** @type {string} */ text) => {
    const box = make("input", {
      type: "checkbox",
      checked: settings[name],
      onchange: () => changeSettings({ [name]: box.checked }),
    });
    return make("label", { class: "flag" }, box, text);
  };
  const menu = make(
    "details",
    { class: "settings" },
    make("summary", {}, "Settings"),
    make(
      "div",
      { class: "menu" },
      choice("Theme", themes, settings.theme, (theme) => changeSettings({ theme: /** @type {Theme} */ (theme) })),
      flag("sounds", "Sounds"),
      flag("ghosts", "Ghosts of men seen before"),
      flag("targets", "Show where a man can go"),
    ),
  );
  document.addEventListener("click", (event) => {
    if (menu.open && event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Escape") menu.open = false;
  });
  return menu;
}
