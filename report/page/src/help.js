// The help: the keys, what the mouse does in the timeline, and the words.

import { make, button } from "./dom.js";

const keys = [
  ["0 to 8", "go to a section; the bar has their numbers"],
  ["h j k l, arrows", "move the cursor in the timeline, the matrix, or a table"],
  ["shift + arrows", "mark an area of the timeline"],
  ["+ −", "zoom the timeline"],
  ["enter", "open what the cursor is at"],
  ["esc", "go back"],
  ["n N", "the next slowest packet in the stage, the one before"],
  ["s", "the next stage"],
  ["m", "what the timeline shows"],
  ["a", "show the whole run, without a marked area"],
  ["/", "search"],
  ["T", "light or dark"],
  ["y", "copy the command that shows this in the terminal"],
  ["?", "this help"],
];

const mouse = [
  ["wheel", "zoom around the pointer"],
  ["drag", "mark an area, and see its packets by size"],
  ["shift + wheel, right or middle button, space + drag", "move along"],
  ["double click", "show the whole run"],
  ["one finger, two fingers", "move along, zoom"],
];

// makeHelp returns functions that show the help, at a word if one is given, and that open or close it.
export function makeHelp(run) {
  const list = (pairs) => make("dl", {}, ...pairs.flatMap(([term, text]) => [make("dt", {}, term), make("dd", {}, text)]));
  const words = Object.entries(run.words), close = () => dialog.close();
  const dialog = make("dialog", { "aria-label": "Help", id: "help", click: (e) => { if (e.target === dialog) close(); } },
    make("div", {}, make("header", {}, make("h2", {}, "Keys"), button("×", close, { "aria-label": "Close", class: "close" })),
      list(keys), make("h2", {}, "In the timeline"), list(mouse), ...(words.length ? [make("h2", {}, "Words"), list(words)] : [])));
  document.getElementById("help")?.remove(); // of a page that was saved as it was
  document.body.append(dialog);

  function show(word) {
    if (!dialog.open) dialog.showModal();
    [...dialog.querySelectorAll("dt")].findLast((dt) => dt.textContent === word)?.scrollIntoView();
  }

  return { show, toggle: () => (dialog.open ? close() : show()) };
}
