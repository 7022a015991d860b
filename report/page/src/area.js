// The panel of a marked area of the timeline: the signature of the packets in it, by size class, beside that of an idle
// machine.

import { make, button, line, panel, table } from "./dom.js";
import { clamp, count, duration, instant, signed } from "./format.js";

const sum = (list) => list.reduce((a, b) => a + b, 0);

// areaPanel returns the panel of the marked area, or null if the run has no windows.
export function areaPanel(run, state) {
  const { area } = state.now, { grid, lanes, classes } = run;
  const from = grid.window(area.from), to = clamp(Math.ceil(area.to / grid.width), from + 1, grid.windows);
  const total = (name) => grid.totals(name, area.first, area.last, from, to);
  const sent = total("sent"), received = total("received");
  if (!sent || !received) return null;
  const stages = ["source", "lanai", "net", "dest"].map((name, stage) => ({ n: stage < 2 ? sent : received, ns: total(name), idle: classes.map((c) => c.idle?.[stage]) }));
  const where = (ns) => instant(Math.min(ns, run.end), grid.width / 10, run.end);
  const [first, last] = [lanes[area.first].name, lanes[area.last].name];
  const clear = () => state.go({ area: null });
  return panel(`${first === last ? first : `${first} to ${last}`}, ${duration(area.to - area.from)}`, clear,
    make("p", { class: "note" }, `Packets that begin from ${where(from * grid.width)} to ${where(to * grid.width)}, in whole windows of ${duration(grid.width)}. `,
      `Source and ${run.stages[1]} are of those that these nodes send. Net and Dest are of those that they receive. `,
      "A cell has the mean, that of an idle machine, and what is beyond it. The last row has the sum in place of the idle mean."),
    make("p", { class: "row" }, button("Zoom to it", () => state.go(state.zoom(area.from, area.to))), button("Clear", clear)),
    make("div", { class: "wide" }, table(["size", lines("sent", "received"), ...run.stages], [
      ...classes.map((c, i) => (sent[i] || received[i] ? line(c.name, lines(count(sent[i]), count(received[i])), ...stages.map((s) => mean(s, i))) : null)),
      line("all", lines(count(sum(sent)), count(sum(received))), ...stages.map(whole)),
    ], { class: "signature" })));
}

// lines returns texts under each other, all but the first one small.
const lines = (first, ...texts) => make("div", {}, first, ...texts.map((text) => make("small", {}, text)));

// mean has the mean of a stage for a size class, beside the idle machine. Twice that and more is worth a look.
function mean({ n, ns, idle }, i) {
  if (!ns || !n[i]) return "–";
  const mean = ns[i] / n[i];
  return idle[i] == null ? duration(mean) : make("td", { class: mean > 2 * idle[i] ? "high" : null }, lines(duration(mean), duration(idle[i]), signed(mean - idle[i])));
}

// whole has the mean of a stage for all sizes, the sum, and how much of that is beyond the idle machine.
function whole({ n, ns, idle }) {
  if (!ns || !sum(n)) return "–";
  const known = n.every((n, i) => !n || idle[i] != null);
  return lines(duration(sum(ns) / sum(n)), duration(sum(ns)), known ? signed(sum(ns) - sum(n.map((n, i) => n && n * idle[i]))) : "");
}
