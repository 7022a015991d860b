// The bar at the top: the title, links to the sections with their keys, the search, the theme and the help.

import { make, button } from "./dom.js";

// The numbers of sections are those of views of the terminal that show the same.
export const numbers = { way: 1, findings: 2, matrix: 3, percentiles: 4, operations: 5, timeline: 6, nodes: 7, all: 8 };

// fill fills the bar.
export function fill(nav, { run, places, search, theme, help }) {
  const sections = [...document.querySelectorAll("main > section")].filter((s) => s.querySelector("h2"));
  const link = (section) => make("a", { href: `#${section.id}`, click: (e) => { e.preventDefault(); places.section(section.id); } },
    numbers[section.id] ? make("kbd", {}, String(numbers[section.id])) : null, section.querySelector("h2").textContent);
  nav.replaceChildren(make("strong", { title: run.title }, run.title), make("div", { class: "links" }, ...sections.map(link)),
    search.element, button("◐", () => theme.next(), { "aria-label": "Light or dark", title: "Light or dark (T)" }), button("?", () => help.toggle(), { "aria-label": "Help", title: "Help (?)" }));
}
