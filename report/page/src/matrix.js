// The matrix of pairs of nodes: how far the mean of a stage deviates, in units of the interval of that deviation, so
// that what may be chance looks like nothing.

import { make, choice, command, line, panel, swatch, table } from "./dom.js";
import { clamp, duration, number, plural, signed } from "./format.js";
import { steps, taken } from "./keys.js";
import { fitting, font } from "./picture.js";
import { stageWords } from "./state.js";
import { stageColours } from "./theme.js";
import { scale } from "./timeline.js";

const strongest = 8; // intervals at the full colour
const corner = "from ↓ to →";
const label = "Matrix of pairs of nodes. Arrow keys move from pair to pair, enter selects one.";

// matrix fills the section.
export function matrix(stage, { run, state, theme }) {
  const { lanes } = run, size = lanes.length;
  const column = (name) => run.column(name, size * size);
  const packets = column("pairs_n");
  if (!packets) return;
  const stages = run.stages.map((name, i) => ({ name, mean: column(`pairs${i}`), dev: column(`dev${i}`), half: column(`half${i}`) }));
  const than = run.against === "idle" ? "the idle machine" : "the median pair";
  let left = 0, top = 26, side = 0; // where the cells begin, and how large one is
  let cursor = null;                // [from, to]

  const canvas = make("canvas", { tabindex: "0", role: "application", "aria-label": label, keydown: key,
    pointermove: (e) => point(under(e)), pointerleave: () => point(null), click: (e) => select(under(e)) });
  const values = make("p", { class: "readout", role: "status" });
  const aside = make("aside", { class: "panels" });
  const choices = choice("Stage", run.stages.map((text, value) => ({ value, text, colour: stageColours[value] })), (stage) => state.go({ stage }));
  const ramp = make("i", { class: "ramp", "aria-hidden": "true" });
  ramp.style.background = "linear-gradient(to right, var(--blue), transparent 44%, transparent 56%, var(--red))";
  stage.replaceChildren(make("div", { class: "picture" }, make("div", { class: "tools" }, choices.element), values, canvas,
    make("p", { class: "legend" }, make("span", {}, `−${strongest} shorter`, ramp, `+${strongest} longer than ${than}, in units of the 95 % interval`),
      make("span", {}, "within ±1 it may be chance"), make("span", {}, make("i", { class: "dot" }), "too few packets to know"))), aside);

  new ResizeObserver(draw).observe(canvas);
  theme.tell(draw);
  state.tell((now, before) => {
    if (now.stage === before.stage && now.pair === before.pair) return;
    choices.press(shown());
    aside.replaceChildren(...(now.pair ? [about(now.pair)] : []));
    draw();
  });

  // shown is the stage that is shown. Of all stages together there is no deviation.
  function shown() { return Math.max(state.now.stage, 0); }

  // deviation returns that of a cell in units of its interval, null if it is not known.
  function deviation(cell, { dev, half }) {
    return packets[cell] && dev && half?.[cell] > 0 ? dev[cell] / Math.max(half[cell] - 1, 1) : null;
  }

  function draw() {
    const width = canvas.clientWidth, c = canvas.getContext("2d"), { colours } = theme;
    if (!width) return;
    c.font = font;
    left = Math.min(Math.ceil(Math.max(...[corner, ...lanes.map((l) => l.name)].map((text) => c.measureText(text).width))) + 10, 160);
    side = clamp(Math.floor((width - left - 4) / size), 3, clamp(Math.floor(560 / size), 9, 44));
    scale(canvas, c, top + size * side + 2);
    c.font = font;
    c.textBaseline = "middle";
    c.fillStyle = colours.shade;
    c.fillRect(left, top, size * side, size * side);
    for (let cell = 0; cell < size * size; cell++) if (packets[cell]) drawCell(c, cell);
    drawNames(c);
    for (const pair of [state.now.pair, cursor]) {
      c.strokeStyle = colours.ink;
      c.lineWidth = pair === cursor ? 1 : 2;
      if (pair) c.strokeRect(left + pair[1] * side - 0.5, top + pair[0] * side - 0.5, side, side);
    }
  }

  function drawCell(c, cell) {
    const x = left + cell % size * side, y = top + Math.floor(cell / size) * side, inner = side > 6 ? side - 1 : side;
    const z = deviation(cell, stages[shown()]);
    c.fillStyle = theme.colours.paper;
    c.fillRect(x, y, inner, inner);
    c.fillStyle = z == null ? theme.colours.faint : z > 0 ? theme.colours.red : theme.colours.blue;
    if (z == null) return c.fillRect(x + inner / 2 - 0.5, y + inner / 2 - 0.5, 1.5, 1.5);
    c.globalAlpha = clamp((Math.abs(z) - 1) / (strongest - 1), 0, 1);
    c.fillRect(x, y, inner, inner);
    c.globalAlpha = 1;
  }

  // drawNames names the rows and numbers the columns, where there is room.
  function drawNames(c) {
    const row = Math.ceil(14 / side), column = Math.ceil(30 / side);
    lanes.forEach((lane, i) => {
      c.fillStyle = theme.colours.ink;
      c.textAlign = "right";
      if (i % row === 0) c.fillText(fitting(c, lane.name, left - 8), left - 5, top + (i + 0.5) * side);
      c.textAlign = "center";
      if (i % column === 0) c.fillText(String(lane.from), left + (i + 0.5) * side, top - 8);
    });
    c.textAlign = "right";
    c.fillStyle = theme.colours.faint;
    c.fillText(corner, left - 5, top - 14);
  }

  // under returns the pair under a pointer, or null.
  function under(e) {
    const pair = [e.offsetY - top, e.offsetX - left].map((v) => Math.floor(v / side));
    return pair.every((i) => i >= 0 && i < size) ? pair : null;
  }

  function point(pair) {
    cursor = pair;
    const cell = pair && pair[0] * size + pair[1], s = stages[shown()];
    const texts = !pair ? [] : packets[cell] ? [name(pair), plural(packets[cell], "packet"), `${s.name} ${mean(cell, s)}`, deviates(cell, s)] : [name(pair), "no packets"];
    values.replaceChildren(...texts.map((text) => make("span", {}, text)));
    draw();
  }

  function select(pair) {
    if (pair && packets[pair[0] * size + pair[1]]) state.go({ pair });
  }

  function name([from, to]) { return `${lanes[from].name} to ${lanes[to].name}`; }
  function mean(cell, s) { return s.mean && packets[cell] ? duration(s.mean[cell]) : "–"; }

  // deviates writes the deviation of a pair with its interval.
  function deviates(cell, { dev, half }) {
    if (!dev || !packets[cell]) return "–";
    return `${signed(dev[cell])}${half?.[cell] > 0 ? ` ± ${duration(half[cell] - 1)}` : ", interval not known"}`;
  }

  // about returns the panel of a pair: all its stages.
  function about(pair) {
    const cell = pair[0] * size + pair[1];
    const rows = stages.map((s, i) => {
      const z = deviation(cell, s);
      return line([swatch(stageColours[i]), s.name], mean(cell, s), deviates(cell, s), make("td", { class: Math.abs(z) > 1 ? "high" : null }, z == null ? "–" : number(Math.round(z * 10) / 10)));
    });
    return panel(name(pair), () => state.go({ pair: null }), make("p", {}, `${plural(packets[cell], "packet")}.`),
      make("div", { class: "wide" }, table(["stage", "mean", "deviation", "intervals"], rows)),
      command(`${run.view} --view matrix --select 'stage=${stageWords[shown()]} sender=${lanes[pair[0]].from} receiver=${lanes[pair[1]].from}'`).element);
  }

  function key(e) {
    const step = steps(e);
    if (step) point(cursor ? [cursor[0] + step[1], cursor[1] + step[0]].map((i) => clamp(i, 0, size - 1)) : state.now.pair ?? [0, 0]);
    else if (e.key === "Enter") select(cursor);
    else return;
    taken(e);
  }
}
