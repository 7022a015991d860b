// The panel of the selected packet: its stages over its time beside those of an idle machine, its instants, and what it
// waited for.

import { make, button, line, panel, swatch, table } from "./dom.js";
import { count, duration, instant, percent, plural, signed } from "./format.js";
import { stageColours } from "./theme.js";

const reasons = ["one of the slowest", "near a finding", "one of a sample"];

// packetPanel returns the panel of the selected packet.
export function packetPanel(run, places, state) {
  const p = state.now.packet, { packets } = run;
  const size = packets.size(p);
  const facts = [`${run.nodeName(packets.sender(p))} to ${run.nodeName(packets.receiver(p))}`, run.kinds[packets.kind(p)], size == null ? null : `${count(size)} B`,
    run.programs.find((g) => g.tag === packets.tag(p))?.name];
  return panel(`Packet ${packetName(run, p)}`, () => state.go({ packet: -1 }),
    make("p", {}, facts.filter(Boolean).join(", ")),
    operation(run, state, p),
    make("p", { class: "note" }, rank(run, state.now)),
    make("p", { class: "row" }, button("Slower", () => places.slowest(-1), { title: "N" }), button("Less slow", () => places.slowest(1), { title: "n" }),
      button("Zoom to it", () => state.go(state.around(packets.begin[p], packets.end[p])))),
    stages(run, p), instants(run, p), waits(run, places, p));
}

// packetName names a packet as commands do.
export const packetName = ({ packets }, p) => `${packets.sender(p)}:${packets.number(p) ?? "?"}`;

// rank says how slow a packet is among those kept, and why it is kept.
function rank({ packets, stages, all }, { packet, stage }) {
  const at = packets.slowest(stage).indexOf(packet);
  const where = stage < 0 ? "in all" : `in ${stages[stage]}`;
  const why = reasons.filter((_, i) => packets.why(packet) >> i & 1).join(", ");
  return (at < 0 ? `Its time ${where} is not known.` : `Number ${count(at + 1)} of the slowest ${where}, of ${count(packets.count)} kept of ${plural(all, "packet")}.`) + (why && ` Kept as ${why}.`);
}

// operation says to which operation a packet belongs, and leads to its time.
function operation(run, state, p) {
  const o = run.packets.operation(p);
  if (!o) return null;
  const text = `${run.operations[o.index].replaceAll("_", " ")} of ${run.nodeName(o.node)}, ${duration(o.to - o.from)}`;
  return make("p", { class: "row" }, `Part of: ${text} `, button("Show it", () => state.go({ lane: run.laneOf(o.node), ...state.around(o.from, o.to) })));
}

// stages draws the stages over the time of the packet.
function stages(run, p) {
  const { packets } = run;
  const begin = packets.begin[p], length = packets.latency(p, -1) || 1;
  return table([], run.stages.map((name, stage) => {
    const [from, to] = packets.extent(p, stage);
    const idle = run.idle(packets.size(p), stage), bar = make("i");
    bar.style.cssText = `background:${stageColours[stage]};left:${percent((from - begin) / length)};width:${percent((to - from) / length)}`;
    return line([swatch(stageColours[stage]), name], make("td", { class: "bar" }, to >= from ? bar : null), duration(to - from), idle == null ? "" : make("small", {}, `idle ${duration(idle)}`));
  }), { class: "bars" });
}

function instants({ packets, end }, p) {
  let last = NaN;
  return table(["", "instant", "since the one before"], packets.at.map((at, i) => {
    const since = at[p] - last, known = at[p] >= 0;
    if (known) last = at[p];
    return line(`T${i + 1}`, known ? instant(at[p], 1, end) : "not known", since >= 0 || since < 0 ? signed(since) : "");
  }));
}

// waits lists what a packet waited for, with the numbers that the timeline has.
function waits(run, places, p) {
  const list = run.waits[p] ?? [];
  return list.length ? make("div", {}, make("h4", {}, "What it waited for"), make("ol", {}, ...list.map((w) =>
    make("li", {}, `${w.text} `, run.packets.has(w.packet) ? button(`Packet ${packetName(run, w.packet)}`, () => places.packet(w.packet)) : null)))) : null;
}
