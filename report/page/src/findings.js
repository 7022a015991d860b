// The findings: the list of the page, of which each leads to its place, and the panel of the one that is selected.

import { make, button, command, panel } from "./dom.js";
import { percent, share } from "./format.js";

// enrich makes the findings of the list lead to their places. Of a page without a timeline, it adds what the panel would say.
export function enrich(section, run, state, places) {
  const leads = document.getElementById("timeline");
  const items = [...section.querySelectorAll("[data-finding]")].filter((li) => run.findings[li.dataset.finding]);
  for (const li of items) {
    const index = Number(li.dataset.finding), f = run.findings[index];
    // Of a page that was saved as it was, only the text is wanted.
    const text = make("div", { class: "go", tabindex: "0", role: "button" }, ...(li.querySelector(".go") ?? li).childNodes);
    li.replaceChildren(text, ...(f.share == null ? [] : [bar(f)]), ...(leads ? [] : more(f)));
    li.addEventListener("click", (e) => { if (!e.target.closest("button")) places.finding(index); });
  }
  state.tell((now) => {
    for (const li of items) li.classList.toggle("selected", Number(li.dataset.finding) === now.finding);
  });
}

// bar draws the share of the run time as a bar, with its interval as a line.
function bar(f) {
  const part = make("i", { class: f.outlier ? "outlier" : null });
  part.style.width = percent(f.share);
  const known = f.least != null && f.most != null, interval = known ? make("b") : null;
  if (known) interval.style.cssText = `left:${percent(f.least)};width:${percent(f.most - f.least)}`;
  return make("div", { class: "share", title: `${share(f.share)} of the run time${known ? `, ${share(f.least)} to ${share(f.most)}` : ""}` }, part, interval);
}

// more returns what the text of a finding does not say.
const more = (f) => [f.more && make("p", {}, f.more), f.see && command(f.see).element].filter(Boolean);

// findingPanel returns the panel of the selected finding, with ways to the others.
export function findingPanel(run, state, places) {
  const index = state.now.finding, f = run.findings[index];
  const to = (other, text) => button(text, () => places.finding(other), { disabled: !run.findings[other] });
  return panel(`Finding ${index + 1} of ${run.findings.length}`, () => state.go({ finding: -1 }),
    make("p", {}, f.text), ...more(f), make("p", { class: "row" }, to(index - 1, "Previous"), to(index + 1, "Next")));
}
