// Packets one by one, as lines from the row of their sender to that of their receiver: Source and LANai at the sender,
// Net on the way, Dest at the receiver. Around the selected packet: where it waits, and arrows to those for whom.

import { clamp } from "./format.js";

const most = 400;       // packets that are drawn; of more, and of shorter ones, the cells tell
const shortest = 3;     // pixels
const longestChain = 8; // waits

// Where the stages are drawn: from which instant to which, and whether they begin and end at the receiver. Net begins at
// T3, but until T4 the packet is still at the sender too.
const courses = [[0, 1, 0, 0], [1, 3, 0, 0], [3, 4, 0, 1], [4, 5, 1, 1]];

// flights returns those of a picture whose rows are nodes: {single, at, draw}. single: all of the packets that are there are drawn.
export function flights(run, frame, view) {
  const { packets } = run, selected = view.packet;
  const room = Math.max(Math.floor((frame.rowHeight - 4) / 4), 1);
  const nodes = view.mode !== "node";
  const there = nodes ? packets.within(view.from, view.to) : [];
  let shown = there.filter((p) => packets.latency(p, -1) >= shortest * frame.perPixel);
  if (shown.length > most) shown = [];
  const single = there.length > 0 && shown.length === there.length;
  const waits = nodes && selected >= 0 ? chain(run, selected) : [];
  const held = new Set(nodes ? [selected, ...waits.map((w) => w.packet)].filter((p) => packets.has(p)) : []);
  shown.push(...[...held].filter((p) => !shown.includes(p)));

  // heights returns where in the rows of its sender and its receiver a packet is.
  const heights = (p) => [packets.sender(p), packets.receiver(p)].map((node) => frame.y(frame.rowOf(run.laneOf(node))) + 2 + (frame.rowHeight - 4) / room * (p % room + 0.5));

  // lines returns the parts of a packet: stage, from and to in ns, and heights y and end.
  function lines(p) {
    const at = packets.at.map((instants) => instants[p]), sides = heights(p);
    if (Number.isNaN(at[3])) at[3] = at[2];
    return courses.map(([i, j, y, end], stage) => ({ stage, from: at[i], to: at[j], y: sides[y], end: sides[end] })).filter((l) => l.to >= l.from);
  }

  // height returns where a packet is at an instant.
  function height(p, ns) {
    const all = lines(p), line = all.find((l) => ns <= l.to) ?? all.at(-1);
    return line ? line.y + clamp((ns - line.from) / (line.to - line.from || 1), 0, 1) * (line.end - line.y) : heights(p)[0];
  }

  // at returns the packet that is drawn nearest to a spot, or -1.
  function at(x, y) {
    let best = 7, found = -1;
    for (const p of shown) {
      for (const l of lines(p)) {
        const away = distance(x, y, frame.x(l.from), l.y, frame.x(l.to), l.end);
        if (away < best) [best, found] = [away, p];
      }
    }
    return found;
  }

  function draw(c, colours) {
    const thin = clamp(frame.rowHeight / room - 2, 1.5, 3);
    const stroke = (line, colour, width) => {
      c.strokeStyle = colour;
      c.lineWidth = width;
      path(c, [frame.x(line.from), line.y], [Math.max(frame.x(line.to), frame.x(line.from) + 1), line.end]);
      c.stroke();
    };
    for (const p of shown) {
      for (const l of lines(p)) {
        if (held.has(p)) stroke(l, colours.ink, 5);
        stroke(l, colours.stages[l.stage], held.has(p) ? 3 : thin);
      }
    }
    c.strokeStyle = c.fillStyle = colours.ink;
    if (held.has(selected)) ring(c);
    waits.forEach((wait, i) => drawWait(c, colours, wait, String(i + 1)));
  }

  // ring shows where the selected packet is if it is too short to be seen.
  function ring(c) {
    const x = frame.x(packets.begin[selected]);
    if (frame.x(packets.end[selected]) - x > 12) return;
    c.lineWidth = 2;
    circle(c, x, heights(selected)[0], 8);
    c.stroke();
  }

  // drawWait draws a wait at its packet, with its number in the packet's panel, and a bow to the packet or the node for
  // which it waits, at the instant at which that lets go.
  function drawWait(c, colours, wait, rank) {
    const x = frame.x(wait.from_ns), end = frame.x(wait.to_ns), y = height(wait.of, wait.to_ns);
    const row = frame.rowOf(run.laneOf(wait.node));
    const goal = held.has(wait.packet) ? height(wait.packet, wait.to_ns) : row < 0 ? y : frame.y(row + 1) - 3;
    c.strokeStyle = c.fillStyle = colours.ink;
    c.lineWidth = 1.5;
    for (const side of [x, end]) {
      path(c, [side, y - 4], [side, y + 4]);
      c.stroke();
    }
    if (Math.abs(goal - y) > 2) arrow(c, end, y, goal);
    c.textAlign = "center";
    const middle = clamp((x + end) / 2, frame.left + 8, frame.right - 8);
    circle(c, middle, y, 7);
    c.fill();
    c.fillStyle = colours.paper;
    c.fillText(rank, middle, y + 0.5);
  }

  return { single, at, draw };
}

// chain returns what a packet waits for, longest first, then what the one waits for that it waits for longest, and so on.
function chain(run, packet) {
  const found = [], seen = new Set();
  for (let p = packet; run.packets.has(p) && !seen.has(p);) {
    const waits = run.waits[p] ?? [];
    found.push(...(p === packet ? waits : waits.slice(0, 1)).map((w) => ({ ...w, of: p })));
    seen.add(p);
    p = waits[0]?.packet;
  }
  return found.slice(0, longestChain);
}

function path(c, ...spots) {
  c.beginPath();
  for (const spot of spots) c.lineTo(...spot);
}

function circle(c, x, y, radius) {
  c.beginPath();
  c.arc(x, y, radius, 0, 7);
}

// arrow draws a bow from one height to another at an instant.
function arrow(c, x, y, goal) {
  const up = goal < y ? 1 : -1;
  c.beginPath();
  c.moveTo(x, y);
  c.quadraticCurveTo(x + 6 + Math.min(Math.abs(goal - y) * 0.4, 28), (y + goal) / 2, x + 1, goal);
  c.stroke();
  path(c, [x + 1, goal], [x + 8, goal + 4 * up], [x + 2, goal + 8 * up]);
  c.fill();
}

// distance returns how far a spot is from a line between two others.
function distance(x, y, x1, y1, x2, y2) {
  const dx = x2 - x1, dy = y2 - y1;
  const part = clamp(((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1), 0, 1);
  return Math.hypot(x - x1 - part * dx, y - y1 - part * dy);
}
