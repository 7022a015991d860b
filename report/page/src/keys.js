// The keys of the page, those of the terminal where both have them.

import { numbers } from "./bar.js";

const directions = { ArrowLeft: [-1, 0], h: [-1, 0], ArrowRight: [1, 0], l: [1, 0], ArrowUp: [0, -1], k: [0, -1], ArrowDown: [0, 1], j: [0, 1] };

// steps returns how far a key moves a cursor to the right and down; undefined if it moves none.
export const steps = (e) => (plain(e) ? directions[e.key.length === 1 ? e.key.toLowerCase() : e.key] : undefined);

// plain reports whether a key is pressed by itself, and not a command of the browser.
export const plain = (e) => !e.ctrlKey && !e.metaKey && !e.altKey;

// taken ends what a key does elsewhere.
export function taken(e) {
  e.preventDefault();
  e.stopPropagation();
}

// listenKeys lets keys work wherever no text is typed.
export function listenKeys({ run, state, places, timeline, search, theme, help }) {
  const section = (number) => {
    if (number === 0) scrollTo({ top: 0 });
    else places.section(Object.keys(numbers).find((id) => numbers[id] === number));
  };
  const does = {
    "/": () => search.focus(),
    "?": () => help.toggle(),
    T: () => theme.next(),
    n: () => places.slowest(1),
    N: () => places.slowest(-1),
    s: () => state.go({ stage: (state.now.stage + 2) % (run.stages.length + 1) - 1 }),
    y: () => timeline?.copy(),
    a: () => state.go({ from: 0, to: run.end, area: null }),
    m: () => timeline?.nextMode(),
    "+": () => timeline?.zoom(0.5),
    "=": () => timeline?.zoom(0.5),
    "-": () => timeline?.zoom(2),
    Escape: () => state.back(),
  };
  addEventListener("keydown", (e) => {
    if (!plain(e) || e.target.closest("input, select, textarea")) return;
    if (e.target.closest("dialog[open]")) {
      if (e.key === "?") help.toggle();
      return;
    }
    if (/^[0-9]$/.test(e.key)) section(Number(e.key));
    else if (e.key === "Enter" && e.target.matches("[role=button]")) e.target.click();
    else if (/^[hjkl]$/i.test(e.key) && timeline) { timeline.canvas.focus(); timeline.key(e); return; }
    else if (does[e.key]) does[e.key]();
    else return;
    e.preventDefault();
  });
}
