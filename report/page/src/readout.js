// What there is at a spot of the timeline, in words.

import { packetName } from "./packet.js";
import { duration, instant, number, share } from "./format.js";

// readout returns what there is at the cursor, and of the packet that is hovered if it is not -1.
export function readout(run, view, frame, { ns, row: at }, hovered) {
  const row = frame.rows[at], lane = run.lanes[row.lane], { grid, packets } = run;
  const mean = (series) => series?.mean(row.lane, ns - frame.perPixel / 2, ns + frame.perPixel / 2);
  const is = (what) => what.from_ns <= ns && ns <= what.to_ns;
  return [
    instant(ns, frame.perPixel, frame.to),
    lane.name,
    ...here(),
    ...run.phases.filter(is).map((phase) => phase.name),
    ...run.events.filter((e) => is(e) && run.laneOf(e.node) === row.lane).map((e) => e.text),
  ].filter(Boolean);

  function here() {
    if (hovered >= 0) {
      const ends = `${run.nodeName(packets.sender(hovered))} to ${run.nodeName(packets.receiver(hovered))}`;
      return [`packet ${packetName(run, hovered)}`, run.kinds[packets.kind(hovered)], ends, duration(packets.latency(hovered, -1))];
    }
    if (view.mode === "packets") return [...run.stages.map((name, stage) => grid.busy(stage) && `${name} ${number(mean(grid.busy(stage)))}`), "packets at a node"];
    if (row.operation) return [run.operations[grid.operation(row.lane, ns)] ?? "no operation"];
    const part = row.part ?? view.part, waits = mean(grid.waited(part));
    return [`${run.parts[part]}: serves ${share(mean(grid.served(part)) ?? 0)}`, waits == null ? "" : `somebody waits ${share(waits)}`];
  }
}
