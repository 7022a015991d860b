// The page of a run. Go has written everything that can be read without scripts. From here on the page gets what
// answers to the reader: the timeline, the matrix, tables that sort, findings that lead to their places, search, keys.

import { make } from "./dom.js";
import { readRun } from "./run.js";
import { openState } from "./state.js";
import { makeTheme } from "./theme.js";
import { makePlaces } from "./places.js";
import { timeline } from "./timeline.js";
import { matrix } from "./matrix.js";
import { search } from "./search.js";
import { makeHelp } from "./help.js";
import { enliven } from "./tables.js";
import { enrich } from "./findings.js";
import { fill } from "./bar.js";
import { listenKeys } from "./keys.js";
import { listenHints } from "./hints.js";

async function main() {
  const run = await readRun();
  const state = openState(run);
  const theme = makeTheme(state);
  const places = makePlaces(run, state);
  const help = makeHelp(run);
  const page = { run, state, theme, places, help };
  page.search = search(page);
  const section = (id, does) => {
    const section = document.getElementById(id);
    return section && does(section);
  };
  fill(document.getElementById("nav"), page);
  section("findings", (s) => enrich(s, run, state, places));
  const over = section("timeline", (s) => timeline(s.querySelector(".stage"), page));
  section("matrix", (s) => matrix(s.querySelector(".stage"), page));
  enliven(page);
  listenHints();
  listenKeys({ ...page, timeline: over });
  if (run.again_s) setInterval(again, 1000 * run.again_s);
}

// again asks for the page again, unless somebody is about to write in it or reads the help.
function again() {
  if (!document.querySelector("input:focus, dialog[open]")) location.reload();
}

main().catch((error) => {
  document.querySelector("main").prepend(make("p", { class: "broken" }, `The pictures of this page cannot be drawn. Its text and tables are complete. (${error.message})`));
});
