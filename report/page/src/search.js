// The search: what is typed is looked for among nodes, kinds, operations, findings, packets, words and sections, and
// what is found leads to its place.

import { make } from "./dom.js";
import { clamp, duration } from "./format.js";
import { taken } from "./keys.js";
import { packetName } from "./packet.js";

const mostOfOne = 6;

// search returns the field with its list, and a function that puts the cursor there.
export function search({ run, state, places, help }) {
  let found = [], at = 0;
  const list = make("ul", { id: "found", role: "listbox", "aria-label": "Found", hidden: true });
  const field = make("input", { type: "search", placeholder: "Search (/)", "aria-label": "Search nodes, kinds, operations, findings, packets and words", role: "combobox",
    "aria-expanded": "false", "aria-controls": "found", autocomplete: "off", spellcheck: "false", input: type, focus: fill, keydown: key, blur: () => open(false) });
  state.tell((now) => { if (document.activeElement !== field) field.value = now.search; });

  function type() {
    state.set({ search: field.value.slice(0, 100) });
    fill();
  }

  function fill() {
    found = candidates(field.value);
    list.replaceChildren(...found.map((f, i) => make("li", { role: "option", id: `found${i}`, pointerdown: (e) => { e.preventDefault(); take(f); } },
      make("small", {}, f.what), make("span", {}, f.text), f.note && make("small", {}, f.note))));
    if (field.value.trim() && !found.length) list.append(make("li", {}, "Nothing has these words. A packet is found by its number, or by sender:number, if it is kept."));
    mark(0);
    open(list.childElementCount > 0);
  }

  function open(is) {
    list.hidden = !is;
    field.setAttribute("aria-expanded", String(is));
  }

  function mark(i) {
    at = clamp(i, 0, Math.max(found.length - 1, 0));
    [...list.children].forEach((li, i) => li.setAttribute("aria-selected", String(i === at)));
    list.children[at]?.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", found.length ? `found${at}` : "");
  }

  function take(candidate) {
    field.blur();
    candidate.go();
  }

  function key(e) {
    if (e.key === "ArrowDown") mark(at + 1);
    else if (e.key === "ArrowUp") mark(at - 1);
    else if (e.key === "Enter" && found[at]) take(found[at]);
    else if (e.key === "Escape") field.blur();
    else return;
    taken(e);
  }

  // candidates returns what matches a text: {what, text, note, go}.
  function candidates(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean), all = [];
    if (!words.length) return all;
    const add = (what, list, describe) => all.push(...list.map((x, i) => ({ what, ...describe(x, i) }))
      .filter((c) => words.every((w) => `${what} ${c.text}`.toLowerCase().includes(w))).slice(0, mostOfOne));
    const sections = [...document.querySelectorAll("main > section")].filter((s) => s.querySelector("h2"));
    add("packet", packetsOf(text), (p) => ({ text: packetName(run, p), note: `${run.kinds[run.packets.kind(p)] ?? ""} ${duration(run.packets.latency(p, -1))}`, go: () => places.packet(p) }));
    add("node", nodesOf(text), (node) => ({ text: `node ${node}`, note: `in ${run.lanes[run.laneOf(node)].name}`, go: () => places.row("node", node) || places.node(node) }));
    add("node", run.lanes, (lane) => ({ text: lane.name, go: () => places.node(lane.from) }));
    add("finding", run.findings, (f, i) => ({ text: f.text, go: () => places.finding(i) }));
    add("kind", run.kinds, (kind, i) => ({ text: kind, go: () => places.kind(i) }));
    add("operation", run.operations, (text) => ({ text, go: () => places.row("operation", text) || places.section("operations") }));
    add("phase", run.phases, (p) => ({ text: p.name, go: () => places.time(p.from_ns, p.to_ns) }));
    add("event", run.events, (e) => ({ text: e.text, go: () => places.time(e.from_ns, e.to_ns, { lane: run.laneOf(e.node) }) }));
    add("section", sections, (s) => ({ text: s.querySelector("h2").textContent, go: () => places.section(s.id) }));
    add("word", Object.entries(run.words), ([text, note]) => ({ text, note, go: () => help.show(text) }));
    return all;
  }

  // packetsOf finds packets by number, or by sender and number.
  function packetsOf(text) {
    const [, sender, number] = /^(?:(\d{1,6}):)?(\d{1,15})$/.exec(text.trim()) ?? [];
    return number == null ? [] : run.packets.find(Number(number), sender && Number(sender));
  }

  // nodesOf finds a node by its number where rows are blocks of nodes.
  function nodesOf(text) {
    const node = Number(/^(?:node\s*)?(\d{1,6})$/i.exec(text.trim())?.[1] ?? NaN), lane = run.lanes[run.laneOf(node)];
    return lane && lane.from < lane.to ? [node] : [];
  }

  return { element: make("div", { class: "search" }, field, list), focus: () => field.select() };
}
