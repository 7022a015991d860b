// Where things of the run are to be seen, and the ways there. Tables, findings, search and keys all lead through here.

import { stageWords } from "./state.js";

export function makePlaces(run, state) {
  const { packets, waits } = run;

  // section brings a section of the page into sight. It says whether there is one.
  function section(id) {
    const element = document.getElementById(id);
    element?.scrollIntoView();
    return element != null;
  }

  // time shows a part of the run.
  function time(from, to, changes = {}) {
    state.go({ ...state.around(from, to), area: null, ...changes });
    section("timeline");
  }

  // node marks the row of a node.
  function node(node) {
    state.go({ lane: run.laneOf(node) });
    section("timeline") || section("nodes");
  }

  // packet shows a packet with all that it waits for.
  function packet(p) {
    state.go({ packet: p, ...around(p) });
    section("timeline");
  }

  // around returns the time around a packet and its waits, or nothing if what is shown shows it well.
  function around(p) {
    const { from, to } = state.now, list = waits[p] ?? [];
    const begin = Math.min(packets.begin[p], ...list.map((w) => w.from_ns)), end = Math.max(packets.end[p], ...list.map((w) => w.to_ns));
    const seen = begin >= from && end <= to && end - begin > 0.05 * (to - from);
    return seen ? {} : state.around(begin, end, 1);
  }

  // finding shows what a finding is about: its time, or that of its packet, or the whole run; its node; and its packet.
  function finding(index) {
    const f = run.findings[index], p = packets.has(f.packet) ? f.packet : -1;
    const at = f.to_ns > f.from_ns ? state.around(f.from_ns, f.to_ns) : p >= 0 ? around(p) : { from: 0, to: run.end };
    state.go({ finding: index, lane: run.laneOf(f.node), packet: p, area: null, ...at });
    section("timeline");
  }

  // slowest steps through the packets by their latency in the stage.
  function slowest(step) {
    const order = packets.slowest(state.now.stage), at = order.indexOf(state.now.packet);
    const next = order[at < 0 ? 0 : at + step];
    if (next != null) packet(next);
  }

  // kind shows the slowest packet of a kind.
  function kind(kind) {
    const p = packets.slowest(state.now.stage).find((p) => packets.kind(p) === kind);
    if (p != null) packet(p);
    else row("kind", run.kinds[kind]);
  }

  // operation shows the slowest packet of an operation.
  function operation(index) {
    const p = packets.slowest(state.now.stage).find((p) => packets.operation(p)?.index === index);
    if (p != null) packet(p);
  }

  // row brings the row of a table into sight that is about something, and says whether there is one.
  function row(about, value) {
    const found = [...document.querySelectorAll(`tr[data-${about}]`)].find((r) => r.dataset[about] === String(value));
    found?.closest("details")?.setAttribute("open", "");
    found?.scrollIntoView({ block: "center" });
    found?.focus({ preventScroll: true });
    return found != null;
  }

  // command is the command line that shows in the terminal what the timeline shows.
  function command() {
    const { now } = state, { from, to } = now.area ?? now, p = now.packet;
    const lane = now.area ? now.area.first : now.mode === "node" ? Math.max(now.lane, 0) : now.lane;
    const words = [
      lane >= 0 && `row=${run.lanes[lane].from}`,
      (from > 0 || to < run.end) && `from=${from} to=${to}`,
      now.stage >= 0 && `stage=${stageWords[now.stage]}`,
      now.mode === "node" && "metric=1",
      p >= 0 && `at=${packets.begin[p]} packet=${packets.sender(p)}:${packets.number(p)} details=on`,
    ].filter(Boolean);
    return `${run.view} --view timeline${words.length ? ` --select '${words.join(" ")}'` : ""}`;
  }

  return { section, time, node, packet, finding, slowest, kind, operation, row, command };
}
