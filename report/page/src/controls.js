// The controls above the timeline: what is shown, of which stage or part, which row is marked, and zoom for those
// without a wheel.

import { make, button, choice, picker } from "./dom.js";
import { stageColours } from "./theme.js";

// controls returns the element, a function that shows the choices of a view, and what keys and fingers ask of it.
export function controls(run, state, { zoom, whole }) {
  const parts = run.grid.has("part0"), operations = run.grid.has("op");
  const modes = [{ value: "packets", text: "Packets" }, parts && { value: "parts", text: "Parts" }, (parts || operations) && { value: "node", text: "One node" }].filter(Boolean);
  const mode = choice("What is shown", modes, (mode) => state.go({ mode }));
  const stage = choice("Stage", [{ value: -1, text: "All" }, ...run.stages.map((text, value) => ({ value, text, colour: stageColours[value] }))], (stage) => state.go({ stage }));
  const part = picker("Part", run.parts.map((text, value) => ({ value, text })), (part) => state.go({ part }));
  const lane = picker("Mark", [{ value: -1, text: "none" }, ...run.lanes.map((l, value) => ({ value, text: l.name }))], (lane) => state.go({ lane }));
  const marks = button("Drag marks", () => marks.setAttribute("aria-pressed", String(!marking())), { class: "touch", "aria-pressed": "false" });
  const marking = () => marks.getAttribute("aria-pressed") === "true";

  mode.element.hidden = modes.length < 2;
  const element = make("div", { class: "tools" }, mode.element, stage.element, part.element, lane.element,
    make("div", { class: "choice", role: "group", "aria-label": "Zoom" },
      button("+", () => zoom(0.5), { "aria-label": "Zoom in" }), button("−", () => zoom(2), { "aria-label": "Zoom out" }), button("Whole run", whole)),
    marks);

  return {
    element,
    marks: marking,
    show(now) {
      mode.press(now.mode);
      stage.press(now.stage);
      part.show(now.part);
      lane.show(now.lane);
      stage.element.hidden = now.mode !== "packets";
      part.element.hidden = now.mode !== "parts";
    },
    nextMode() {
      const at = modes.findIndex((m) => m.value === state.now.mode);
      state.go({ mode: modes[(at + 1) % modes.length].value });
    },
  };
}
