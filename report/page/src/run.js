// The run that the page shows: what the JSON says of it, its columns, and its kept packets. A column that is missing or
// has not the length that it should have is null, and what needs it is not shown.

import { unpack } from "./unpack.js";
import { makeGrid } from "./grid.js";
import { makePackets } from "./packets.js";

const empty = {
  title: "", dir: "", end_ns: 0, stages: ["Source", "LANai", "Net", "Dest"], programs: [], kinds: [], classes: [], lanes: [], parts: [], operations: [],
  phases: [], events: [], findings: [], waits: {}, words: {}, packets: { all: 0 }, columns: [], windows: 0, width_ns: 0, commands: {},
};

// Characters that turn the direction of the text around them have no place in a name.
const turns = /[\u202a-\u202e\u2066-\u2069]/g;

// readRun returns the run of the document.
export async function readRun() {
  const text = document.getElementById("data").textContent;
  const about = { ...empty, ...JSON.parse(text, (_, value) => (typeof value === "string" ? value.replace(turns, "") : value)) };
  const bulk = document.getElementById("bulk")?.textContent.trim();
  const columns = bulk ? await unpack(bulk, about.columns) : {};
  const { lanes, classes } = about;

  // column returns a column of so many values, or null.
  const column = (name, length) => (length > 0 && columns[name]?.length === length ? columns[name] : null);

  // laneOf returns the row of the timeline in which a node is, or -1.
  const laneOf = (node) => (node == null ? -1 : lanes.findIndex((l) => node >= l.from && node <= l.to));

  return {
    ...about,
    end: Math.max(about.end_ns, 1),
    all: about.packets.all,
    view: about.commands.view ?? `sigview view ${about.dir}`,
    packets: makePackets(columns),
    grid: makeGrid(about, column),
    column, laneOf,

    // nodeName names a node as its row does if that is its own.
    nodeName(node) {
      const lane = lanes[laneOf(node)];
      return lane?.from === lane?.to && lane ? lane.name : `node ${node}`;
    },

    // idle returns the mean of a stage on an idle machine for packets of a size, or null.
    idle: (bytes, stage) => classes.find((c) => bytes >= c.lo && (bytes <= c.hi || c.hi < 0))?.idle?.[stage] ?? null,
  };
}
