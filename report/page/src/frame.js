// Where things are in the picture of the timeline: time from left to right, rows from top to bottom, names left of them,
// phases above, the axis below.

import { clamp } from "./format.js";

const header = 20, footer = 24;

// makeFrame returns the places in a picture of a width whose rows are {name, lane, part?, operation?}.
export function makeFrame(run, { from, to }, rows, left, width) {
  const top = run.phases.length ? header : 4, right = width - 8, columns = Math.max(right - left, 1);
  const room = rows.some((r) => r.part != null) ? 264 : 560;
  const rowHeight = clamp(Math.floor(room / rows.length), 9, rows.length > 16 ? 24 : 36);
  const bottom = top + rows.length * rowHeight;
  const perPixel = (to - from) / columns;
  const x = (ns) => left + (ns - from) / perPixel;
  return {
    rows, left, right, top, bottom, width, columns, rowHeight, from, to, perPixel, x,
    height: bottom + footer,
    edges: cells(run.grid),
    time: (x) => from + (x - left) * perPixel,
    y: (row) => top + row * rowHeight,

    // shown is x, but not outside of the picture.
    shown: (ns) => clamp(x(ns), left, right),

    // row returns the row at a height, the nearest one if it is outside.
    row: (y) => clamp(Math.floor((y - top) / rowHeight), 0, rows.length - 1),

    // rowOf returns the first row of a lane, or -1.
    rowOf: (lane) => rows.findIndex((r) => r.lane === lane),

    // ticks returns the round times of the axis and the step between them.
    ticks() {
      const rough = perPixel * Math.min(110, columns / 4), power = 10 ** Math.floor(Math.log10(rough));
      const step = Math.max([1, 2, 5, 10].find((f) => f * power >= rough) * power, 1), first = Math.ceil(from / step);
      return { step, times: Array.from({ length: Math.floor(to / step) - first + 1 }, (_, i) => (first + i) * step) };
    },
  };

  // cells returns the ends of the cells of a row, in ns: a window each, or a pixel where windows are smaller than that.
  function cells({ width, windows }) {
    const step = Math.max(width, perPixel), first = width > perPixel ? Math.floor(from / step) * step : from;
    const n = Math.ceil((Math.min(to, windows * width) - first) / step - 1e-9);
    return Array.from({ length: Math.max(n, 0) + 1 }, (_, i) => first + i * step);
  }
}
