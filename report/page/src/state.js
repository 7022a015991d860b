// What the page shows, as the fragment of its address: a link to the page is a link to the view, and back and forward
// of the browser go through the views. What a fragment says is checked; nonsense counts as not said.

import { clamp } from "./format.js";

const modes = ["packets", "parts", "node"];
export const stageWords = ["source", "lanai", "net", "dest"];

const calm = 300;    // ms without a change that end a movement
const shortest = 100; // ns that can be shown

// openState returns the state of the page, as the address has it.
export function openState(run) {
  const listeners = [];
  let now = parse(location.hash, run), timer = null;
  // A link to a section says nothing of the view.
  addEventListener("popstate", () => { if (/=|^$/.test(location.hash)) apply(parse(location.hash, run)); });

  function apply(view) {
    const before = now;
    if (write(view, run) === write(before, run)) return false;
    now = view;
    for (const l of listeners) l(now, before);
    return true;
  }

  // settle ends a movement.
  function settle() {
    if (timer == null) return;
    clearTimeout(timer);
    timer = null;
    record(true);
  }

  function record(step) {
    const depth = steps() + (step ? 1 : 0);
    try {
      history[step ? "pushState" : "replaceState"]({ steps: depth }, "", "#" + write(now, run));
    } catch {
      // A page inside another has no address of its own. It shows everything all the same.
    }
  }

  function steps() { return Number(history.state?.steps) || 0; }

  // zoom limits a time to the run and to lengths that can be shown.
  function zoom(from, to) {
    const length = Math.min(Math.max(to - from, shortest), run.end);
    const begin = clamp((from + to - length) / 2, 0, run.end - length);
    return { from: Math.round(begin), to: Math.round(begin + length) };
  }

  return {
    get now() { return now; },

    // tell calls a listener with the view and the one before, now and at every change.
    tell(listener) {
      listeners.push(listener);
      listener(now, {});
    },

    // go is a step to another view, which back undoes.
    go(changes) {
      settle();
      if (apply({ ...now, ...changes })) record(true);
    },

    // set changes how the view looks, which is no step.
    set(changes) {
      settle();
      if (apply({ ...now, ...changes })) record(false);
    },

    // slide is a part of a movement, as of a wheel: back undoes the movement as a whole.
    slide(changes) {
      if (!apply({ ...now, ...changes })) return;
      clearTimeout(timer);
      timer = setTimeout(settle, calm);
    },

    // back undoes the last step, if the page has made one.
    back() {
      settle();
      if (steps() > 0) history.back();
    },

    zoom,

    // around is zoom with a margin before and after.
    around: (from, to, margin = 0.25) => zoom(from - margin * (to - from), to + margin * (to - from)),
  };
}

// fresh is the view of a page that is opened without a fragment. stage -1: all. lane, packet, finding -1: none. full 0:
// by the run.
const fresh = (run) => ({
  from: 0, to: run.end, mode: "packets", stage: -1, part: 0, lane: -1, area: null,
  packet: -1, finding: -1, full: 0, pair: null, sort: "", search: "", theme: "",
});

// parse reads a fragment.
function parse(text, run) {
  const said = selected(new URLSearchParams(text.replace(/^#/, "")), run), view = fresh(run);
  const word = (name) => said.get(name) ?? "";
  const number = (name, below, otherwise = -1) => (/^\d{1,15}$/.test(word(name)) && Number(word(name)) < below ? Number(word(name)) : otherwise);
  const range = (name, below) => {
    const ends = /^(\d{1,15})-(\d{1,15})$/.exec(word(name))?.slice(1).map(Number);
    return ends?.every((end) => end < below) ? ends : null;
  };
  const from = number("from", run.end, 0), to = number("to", run.end, run.end);
  if (to > from) Object.assign(view, { from, to });
  if (modes.includes(word("mode")) && (run.grid.has("part0") || run.grid.has("op"))) view.mode = word("mode");
  view.stage = stageWords.indexOf(word("stage"));
  view.full = number("full", 1e9, 0);
  view.part = number("part", run.parts.length, 0);
  view.lane = number("lane", run.lanes.length);
  view.packet = number("packet", run.packets.count);
  view.finding = number("finding", run.findings.length);
  view.pair = range("pair", run.lanes.length);
  const time = range("area", run.end + 1), lanes = range("lanes", run.lanes.length);
  if (time?.[1] > time?.[0] && lanes?.[1] >= lanes?.[0]) view.area = { from: time[0], to: time[1], first: lanes[0], last: lanes[1] };
  if (/^[\d.ud,]{0,200}$/.test(word("sort"))) view.sort = word("sort");
  view.search = word("search").slice(0, 100);
  if (["light", "dark"].includes(word("theme"))) view.theme = word("theme");
  return view;
}

// selected returns what a fragment says, with what a selection of the terminal's timeline says in it: row, from, to, and a packet. Of one that is
// not kept the packet stands that is longest on its way there.
function selected(said, run) {
  const words = new Map((said.get("select") ?? "").split(" ").map((word) => word.split("=")));
  const [node, from, to] = ["row", "from", "to"].map((name) => Number(words.get(name) ?? NaN));
  if (run.laneOf(node) >= 0) said.set("lane", run.laneOf(node));
  if (to > from) for (const name of ["from", "to"]) said.set(name, words.get(name));
  if (words.has("packet")) {
    const [sender, number] = words.get("packet").split(":").map(Number);
    const packet = run.packets.find(number, sender)[0] ?? run.packets.longest(from, to, node);
    if (packet != null) said.set("packet", packet);
  }
  return said;
}

// write is the inverse of parse. What is as in a fresh view is left out.
function write(view, run) {
  const { area, pair, stage } = view, plain = fresh(run);
  const texts = { ...view, stage: stageWords[stage], pair: pair?.join("-"), area: area && `${area.from}-${area.to}`, lanes: area && `${area.first}-${area.last}` };
  return new URLSearchParams(Object.entries(texts).filter(([name, text]) => text != null && text !== plain[name]).map(([name, text]) => [name, String(text)])).toString();
}
