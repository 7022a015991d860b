// The picture of the timeline on its canvas: cells, critical path, phases, events, packets, the marked area, and the
// axis, in the order in which they lie over each other.

import { clamp, instant } from "./format.js";

export const font = "12px system-ui, sans-serif";

// drawPicture draws all of it on a canvas of the height of the frame.
export function drawPicture(c, { run, frame, heat, lines, cursor, colours, view }) {
  const { left, right, top, bottom, width, columns, rows, rowHeight } = frame;
  const { ink, paper, faint, line, shade } = colours;

  c.font = font;
  c.textBaseline = "middle";
  drawPhases();
  c.save();
  c.beginPath();
  c.rect(left, top, columns, bottom - top);
  c.clip();
  c.globalAlpha = lines.single ? 0.35 : 1;
  heat.draw(c, frame, colours);
  c.globalAlpha = 1;
  for (let row = 1; row < rows.length; row++) fill(rowHeight < 14 ? paper : line, left, frame.y(row) - 0.5, columns, 0.75);
  drawOperations();
  drawPath();
  drawEvents();
  lines.draw(c, colours);
  if (view.area) drawArea(view.area);
  c.restore();
  drawNames();
  drawAxis();
  if (view.packet >= 0) drawTime(run.packets.begin[view.packet], run.packets.end[view.packet]);
  if (cursor) drawCursor();

  function fill(colour, ...box) {
    c.fillStyle = colour;
    c.fillRect(...box);
  }

  function frameOf(x, y, w, h, thickness) {
    c.strokeStyle = ink;
    c.lineWidth = thickness;
    c.strokeRect(x, y, w, h);
  }

  function text(words, x, y, align, colour = ink) {
    c.fillStyle = colour;
    c.textAlign = align;
    c.fillText(words, x, y);
  }

  // span returns where the rows of some lanes begin and end, or null if none is shown.
  function span(first, last) {
    const of = rows.flatMap((r, i) => (r.lane >= first && r.lane <= last ? [i] : []));
    return of.length ? [frame.y(of[0]), frame.y(of.at(-1) + 1)] : null;
  }

  // drawPhases draws the phases as named bands.
  function drawPhases() {
    run.phases.forEach((phase, i) => {
      const x = frame.shown(phase.from_ns), w = frame.shown(phase.to_ns) - x;
      if (w < 1) return;
      fill(i % 2 ? line : shade, x, 0, w, top - 3);
      text(fitting(c, phase.name, w - 8), x + 4, (top - 2) / 2, "left");
    });
  }

  // drawOperations draws which operation the program is for as bands of its row, named where there is room.
  function drawOperations() {
    const row = rows.findIndex((r) => r.operation);
    if (row < 0) return;
    const at = (x) => run.grid.operation(rows[row].lane, frame.time(x));
    for (let x = left, end; x < right; x = end) {
      const op = at(x), y = frame.y(row) + 3, h = rowHeight - 6;
      for (end = x + 1; end < right && at(end) === op;) end++;
      if (op < 0) continue;
      fill(op % 2 ? line : shade, x, y, end - x, h);
      fill(ink, x, y, 1, h);
      text(fitting(c, run.operations[op] ?? "", end - x - 8), x + 5, y + h / 2, "left");
    }
  }

  // drawPath underlines where the critical path is.
  function drawPath() {
    rows.forEach((row, i) => {
      const path = run.grid.path(row.operation ? run.parts.length : row.part ?? (view.mode === "parts" ? view.part : null));
      if (!path) return;
      path.means(row.lane, frame.edges).forEach((share, cell) => {
        if (share > 0) fill(ink, frame.x(frame.edges[cell]), frame.y(i + 1) - 3, Math.max(frame.x(frame.edges[cell + 1]) - frame.x(frame.edges[cell]), 1), 2);
      });
    });
  }

  // drawEvents frames events at their rows.
  function drawEvents() {
    for (const e of run.events) {
      const lane = run.laneOf(e.node), y = span(lane, lane);
      if (!y || e.to_ns < frame.from || e.from_ns > frame.to) continue;
      const x = frame.x(e.from_ns);
      frameOf(x, y[0] + 1, Math.max(frame.x(e.to_ns) - x, 3), y[1] - y[0] - 2, 1.5);
    }
  }

  // drawArea dims what is outside of the marked area.
  function drawArea({ from, to, first, last }) {
    const y = span(first, last);
    if (!y) return;
    const box = [frame.x(from), y[0], Math.max(frame.x(to) - frame.x(from), 1), y[1] - y[0]];
    c.globalAlpha = 0.55;
    c.beginPath();
    c.rect(left, top, columns, bottom - top);
    c.rect(...box);
    c.fillStyle = paper;
    c.fill("evenodd");
    c.globalAlpha = 1;
    c.setLineDash([4, 3]);
    frameOf(...box, 1);
    c.setLineDash([]);
  }

  // drawNames names the rows, as many as there is room for, and frames the marked one.
  function drawNames() {
    const every = Math.ceil(13 / rowHeight), marked = rows[0]?.part == null ? frame.rowOf(view.lane) : -1;
    rows.forEach((row, i) => {
      if (i === marked) frameOf(left - 0.5, frame.y(i) - 0.5, columns + 1, rowHeight, 1);
      // The rows beside the marked one leave room for its name.
      const shown = i === marked || i % every === 0 && (marked < 0 || Math.abs(i - marked) >= every);
      c.font = i === marked ? `700 ${font}` : font;
      if (shown) text(fitting(c, row.name, left - 10), left - 6, frame.y(i + 0.5), "right");
    });
    c.font = font;
  }

  function drawAxis() {
    const { times, step } = frame.ticks();
    fill(faint, left, bottom, columns, 1);
    for (const ns of times) {
      const label = instant(ns, step, frame.to), half = c.measureText(label).width / 2;
      fill(faint, frame.x(ns), bottom, 1, 5);
      text(label, clamp(frame.x(ns), half, width - half), bottom + 14, "center", faint);
    }
  }

  // drawTime shows the time of the selected packet on the axis.
  function drawTime(from, to) {
    const x = frame.shown(from);
    fill(ink, x, bottom - 1, Math.max(frame.shown(to) - x, 3), 4);
  }

  function drawCursor() {
    const x = frame.x(cursor.ns);
    if (x < left || x > right) return;
    fill(faint, Math.round(x), top, 1, bottom - top);
    fill(faint, left - 4, frame.y(cursor.row), 3, rowHeight);
  }
}

// fitting shortens a text to a width, to nothing if that is too narrow for it to say anything.
export function fitting(c, words, room) {
  const w = c.measureText(words).width;
  if (w <= room) return words;
  let n = Math.floor(words.length * room / w);
  while (n > 0 && c.measureText(words.slice(0, n) + "…").width > room) n--;
  return n > 1 ? words.slice(0, n) + "…" : "";
}
