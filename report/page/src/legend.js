// What the colours and lines of the timeline mean, with the scale and its unit.

import { make, picker, swatch } from "./dom.js";
import { number } from "./format.js";
import { stageColours } from "./theme.js";

// legend returns the parts of the legend of a view.
export function legend(run, state, heat) {
  const { now } = state, all = now.stage < 0;
  const items = heat.parts ? [
    item(ramp("var(--orange)"), "0 to 100 % of the time somebody waits for it (above)"),
    item(ramp("var(--blue)"), "0 to 100 % of the time it serves somebody (below)"),
  ] : [
    ...(all ? run.stages.map((name, i) => item(swatch(stageColours[i]), name)) : []),
    item("0", ramp(all ? "var(--ink)" : stageColours[now.stage]), full(state, heat), ` packets at a node ${all ? "in all stages. The colour is that of the stage with most." : `in ${run.stages[now.stage]}`}`),
  ];
  if (run.grid.has("path")) items.push(item(mark("path"), "critical path"));
  if (run.events.length) items.push(item(mark("event"), "event"));
  return items;
}

// full chooses how many packets have the full colour, for small queues beside a large one.
function full(state, heat) {
  const tops = [heat.most, heat.most / 10, heat.most / 100, heat.top].filter((n) => n >= 1);
  const list = picker("", [...new Set(tops)].sort((a, b) => b - a).map((n) => ({ value: n, text: number(n) })), (n) => state.set({ full: n === heat.most ? 0 : n }));
  list.show(heat.top);
  list.element.setAttribute("title", "How many packets have the full colour");
  return list.element;
}

function ramp(colour) {
  const field = mark("ramp");
  field.style.background = `linear-gradient(to right, transparent, ${colour})`;
  return field;
}

const item = (...children) => make("span", {}, ...children);
const mark = (name) => make("i", { class: name, "aria-hidden": "true" });
