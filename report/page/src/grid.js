// The run in windows of time, by rows of the timeline. A series is summed up once from the begin of the run, so that its
// mean over any time is two look-ups: a picture of many windows costs no more than its pixels.

import { clamp } from "./format.js";

// makeGrid returns the grid of a run. column returns a column of a length, or null.
export function makeGrid({ lanes, windows, width_ns: width, classes }, column) {
  const known = new Map();
  const cells = (name) => column(name, lanes.length * windows);

  function series(name, value, variant) {
    const key = `${name}/${variant}`;
    if (!known.has(key)) known.set(key, cells(name) && sums(cells(name), lanes.length, windows, width, value));
    return known.get(key);
  }

  return {
    windows, width,

    // busy is the mean number of packets of a node in a stage.
    busy: (stage) => series(`busy${stage}`, (value, lane) => value / (width * (lanes[lane].to - lanes[lane].from + 1))),

    // served is the share of time in which a part serves somebody, waited that in which somebody waits for it.
    served: (part) => series(`part${part}`, (value) => value / 255),
    waited: (part) => series(`wait${part}`, (value) => value / 255),

    // path is the share in which the critical path is at a part, or elsewhere at a node if that is their number; of null
    // in which it is at a node at all.
    path: (part) => series("path", (value) => Number(part == null ? value > 0 : value === part + 1), part),

    // operation is the index in operations of what the program of a row is for at an instant, or -1.
    operation(lane, ns) { return cells("op") ? cells("op")[lane * windows + this.window(ns)] - 1 : -1; },

    // has reports whether a column is there.
    has: (name) => cells(name) != null,

    // window is the window of an instant.
    window: (ns) => clamp(Math.floor(ns / width), 0, windows - 1),

    // totals sums a column by class over rows first to last and windows from to to, that one not included.
    totals(name, first, last, from, to) {
      const n = classes.length, counts = column(name, lanes.length * windows * n), totals = new Array(n).fill(0);
      for (let lane = first; counts && lane <= last; lane++) {
        for (let i = (lane * windows + from) * n; i < (lane * windows + to) * n; i++) totals[i % n] += counts[i];
      }
      return counts && totals;
    },
  };
}

// sums returns a series: the values of a column, made of those in it.
function sums(column, lanes, windows, width, value) {
  const sums = new Float64Array(lanes * (windows + 1));
  for (let lane = 0; lane < lanes; lane++) {
    const at = lane * (windows + 1);
    for (let w = 0; w < windows; w++) sums[at + w + 1] = sums[at + w] + value(column[lane * windows + w], lane);
  }

  // until returns the sum from the begin of the run to an instant.
  function until(lane, ns) {
    const w = clamp(ns / width, 0, windows), whole = Math.min(Math.floor(w), windows - 1);
    const at = lane * (windows + 1) + whole;
    return sums[at] + (w - whole) * (sums[at + 1] - sums[at]);
  }

  // means returns the means between instants that follow each other.
  function means(lane, edges) {
    const means = new Float64Array(edges.length - 1);
    for (let i = 0, last = until(lane, edges[0]); i < means.length; i++) {
      const sum = until(lane, edges[i + 1]);
      means[i] = Math.max(sum - last, 0) * width / (edges[i + 1] - edges[i]);
      last = sum;
    }
    return means;
  }

  // high returns the value that a thousandth of the windows exceeds.
  function high() {
    const values = sums.map((sum, i) => (i % (windows + 1) ? sum - sums[i - 1] : 0)).sort();
    return values[Math.floor(values.length * 0.999)];
  }

  return { means, mean: (lane, from, to) => means(lane, [from, to])[0], high };
}
