// Light or dark, and the colours that canvases take from the style sheet. The theme is that of the system until the
// reader chooses one. On paper it is light.

import { stageWords } from "./state.js";

const names = ["ink", "paper", "faint", "line", "shade", "blue", "orange", "red", ...stageWords];

// stageColours are those of stages for elements. Canvases have them in colours.
export const stageColours = stageWords.map((word) => `var(--${word})`);

// makeTheme returns the theme of the page: its colours, a function that tells of changes, and one that changes it.
export function makeTheme(state) {
  const dark = matchMedia("(prefers-color-scheme: dark)"), listeners = [];
  const theme = {
    tell: (listener) => listeners.push(listener),
    next() {
      const isDark = state.now.theme ? state.now.theme === "dark" : dark.matches;
      state.set({ theme: isDark ? "light" : "dark" });
    },
  };

  function change(scheme = state.now.theme) {
    document.documentElement.style.colorScheme = scheme;
    theme.colours = palette();
    for (const l of listeners) l();
  }

  state.tell((now, before) => { if (now.theme !== before.theme) change(); });
  dark.addEventListener("change", () => change());
  addEventListener("beforeprint", () => change("light"));
  addEventListener("afterprint", () => change());
  return theme;
}

// palette returns the colours of the style sheet as they are now, and those of the stages as a list.
function palette() {
  const probe = document.createElement("i"), colours = {};
  document.body.append(probe);
  for (const name of names) {
    probe.style.color = `var(--${name})`;
    colours[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  colours.stages = stageWords.map((word) => colours[word]);
  return colours;
}
