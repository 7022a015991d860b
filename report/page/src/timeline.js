// The timeline: its picture on a canvas, with mouse, fingers and keys, the controls above it, and under it the legend
// and the command that shows the same in the terminal. Beside it are the panels of what is selected.

import { make, command } from "./dom.js";
import { makeFrame } from "./frame.js";
import { makeHeat } from "./heat.js";
import { flights } from "./flights.js";
import { drawPicture, font } from "./picture.js";
import { listen } from "./pointer.js";
import { controls } from "./controls.js";
import { readout } from "./readout.js";
import { legend } from "./legend.js";
import { areaPanel } from "./area.js";
import { packetPanel } from "./packet.js";
import { findingPanel } from "./findings.js";
import { clamp } from "./format.js";
import { steps, taken } from "./keys.js";

const label = "Timeline. Arrow keys move the cursor, with shift they mark an area. Plus and minus zoom. Enter selects the packet nearest to the cursor.";

// timeline fills the section and returns what keys do with it.
export function timeline(stage, { run, state, theme, places }) {
  let frame, heat, lines;   // of what is drawn
  let cursor = null;        // {ns, row}
  let hovered = -1;         // the packet under the pointer
  let draft = null;         // the area while it is dragged
  let anchor = null;        // of the area that keys mark
  let waiting = 0;          // for the next frame of the screen

  const canvas = make("canvas", { tabindex: "0", role: "application", "aria-label": label, keydown: key });
  const values = make("p", { class: "readout", role: "status" });
  const meaning = make("p", { class: "legend" });
  const panels = make("aside", { class: "panels" });
  const line = command();
  const tools = controls(run, state, { zoom, whole });
  stage.replaceChildren(make("div", { class: "picture" }, tools.element, values, canvas, meaning, line.element), panels);

  new ResizeObserver(() => draw()).observe(canvas);
  theme.tell(paint);
  state.tell((now, before) => {
    const differ = (...names) => names.some((name) => now[name] !== before[name]);
    if (differ("mode", "stage", "part", "full")) {
      heat = makeHeat(run, now);
      meaning.replaceChildren(...legend(run, state, heat));
    }
    if (differ("finding", "packet", "area", "stage")) {
      const shown = [now.finding >= 0 && findingPanel(run, state, places), now.packet >= 0 && packetPanel(run, places, state), now.area && areaPanel(run, state)];
      panels.replaceChildren(...shown.filter(Boolean));
    }
    tools.show(now);
    line.show(places.command());
    draw();
  });

  listen(canvas, {
    marks: () => tools.marks(),
    hover: point,
    leave() {
      cursor = null;
      draw();
    },
    click(at) {
      const p = lines.at(at.x, at.y);
      if (p >= 0) state.go({ packet: p });
      point(at);
    },
    drag(from, to) {
      draft = span(from, to);
      point(to);
    },
    drop() {
      const area = draft;
      draft = null;
      if (area && area.to > area.from) state.go({ area });
    },
    pan: (pixels) => pan(-pixels * frame.perPixel),
    zoom: (x, factor) => zoom(factor, frame.time(x)),
    whole,
  });

  // rows returns the rows of the picture: all lanes, or what the parts of one of them do.
  function rows() {
    const { mode, lane } = state.now;
    if (mode !== "node") return run.lanes.map((l, lane) => ({ name: l.name, lane }));
    const of = { lane: Math.max(lane, 0) };
    return [...run.parts.map((name, part) => ({ ...of, name, part })), ...(run.grid.has("op") ? [{ ...of, name: "operation", operation: true }] : [])];
  }

  function draw() {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(paint);
  }

  function paint() {
    const width = canvas.clientWidth, c = canvas.getContext("2d");
    if (!width) return;
    const all = rows();
    c.font = `700 ${font}`;
    const names = Math.max(...all.map((r) => c.measureText(r.name).width), 20) + 14;
    frame = makeFrame(run, state.now, all, Math.ceil(Math.min(names, width < 600 ? 84 : 200)), width);
    lines = flights(run, frame, state.now);
    if (cursor) cursor.row = Math.min(cursor.row, all.length - 1);
    values.replaceChildren(...(cursor ? readout(run, state.now, frame, cursor, hovered) : []).map((text) => make("span", {}, text)));
    scale(canvas, c, frame.height);
    drawPicture(c, { run, frame, heat, lines, cursor, colours: theme.colours, view: { ...state.now, area: draft ?? state.now.area } });
  }

  // span returns the area between two spots.
  function span(a, b) {
    const time = (x) => Math.round(clamp(frame.time(x), frame.from, frame.to));
    const lane = (y) => frame.rows[frame.row(y)].lane;
    return { from: time(Math.min(a.x, b.x)), to: time(Math.max(a.x, b.x)), first: lane(Math.min(a.y, b.y)), last: lane(Math.max(a.y, b.y)) };
  }

  // pan moves the shown time. It says whether a part of the run is out of sight.
  function pan(by) {
    const { from, to } = state.now;
    state.slide(state.zoom(from + by, to + by));
    return to - from < run.end;
  }

  // zoom changes the length of the shown time, around an instant that stays in its place. It says whether that can be.
  function zoom(factor, around = cursor?.ns) {
    const { from, to } = state.now;
    if (factor > 1 && to - from >= run.end) return false;
    const at = around >= from && around <= to ? around : (from + to) / 2;
    const length = clamp((to - from) * factor, 100, run.end);
    const begin = at - (at - from) / (to - from) * length;
    state.slide(state.zoom(begin, begin + length));
    return true;
  }

  function whole() { state.go({ from: 0, to: run.end }); }

  // point puts the cursor under the pointer.
  function point({ x, y }) {
    hovered = lines.at(x, y);
    canvas.style.cursor = hovered >= 0 ? "pointer" : "";
    place(clamp(frame.time(x), frame.from, frame.to), frame.row(y));
  }

  function place(ns, row) {
    cursor = { ns, row };
    draw();
  }

  // key does what keys do in the picture.
  function key(e) {
    const step = steps(e);
    if (step) move(...step, e.shiftKey);
    else if (e.key === "Enter" && cursor) nearest();
    else return;
    taken(e);
  }

  // move moves the cursor by hundredths of the shown time and by rows, and the shown time with it.
  function move(columns, down, marks) {
    const { from, to } = state.now;
    const old = cursor ?? { ns: (from + to) / 2, row: Math.max(frame.rowOf(state.now.lane), 0) };
    const ns = clamp(old.ns + columns * (to - from) / 100, 0, run.end);
    if (ns < from || ns > to) pan(columns * (to - from) / 2);
    hovered = -1;
    place(ns, clamp(old.row + down, 0, frame.rows.length - 1));
    anchor = marks ? anchor ?? old : null;
    if (!marks) return;
    const [begin, end] = [anchor.ns, ns].sort((a, b) => a - b).map(Math.round);
    const [first, last] = [anchor.row, cursor.row].map((row) => frame.rows[row].lane).sort((a, b) => a - b);
    if (end > begin) state.slide({ area: { from: begin, to: end, first, last } });
  }

  // nearest selects the packet of the cursor's row that begins nearest to the cursor.
  function nearest() {
    const { packets } = run, { lane } = frame.rows[cursor.row];
    let best = Infinity, found = -1;
    for (let p = 0; p < packets.count; p++) {
      const away = Math.abs(packets.begin[p] - cursor.ns);
      if (away < best && [packets.sender(p), packets.receiver(p)].some((node) => run.laneOf(node) === lane)) [best, found] = [away, p];
    }
    if (found >= 0) places.packet(found);
  }

  return { canvas, key, zoom, copy: line.copy, nextMode: tools.nextMode };
}

// scale gives a canvas a height and the pixels of the screen, and clears it.
export function scale(canvas, c, height) {
  const width = canvas.clientWidth, density = devicePixelRatio;
  const pixels = [width, height].map((length) => Math.round(length * density));
  if (canvas.width !== pixels[0] || canvas.height !== pixels[1]) {
    [canvas.width, canvas.height] = pixels;
    canvas.style.height = `${height}px`;
  }
  c.setTransform(density, 0, 0, density, 0, 0);
  c.clearRect(0, 0, width, height);
}
