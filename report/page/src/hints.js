// Hints of the charts that are in the page as SVG: shows at once what belongs to the mark that is nearest to the pointer.

import { make } from "./dom.js";

export function listenHints() {
  const hint = make("div", { id: "hint", hidden: true });
  document.body.append(hint);
  for (const svg of document.querySelectorAll("main svg")) {
    const marks = [...svg.querySelectorAll("title")].map((title) => ({ of: title.parentNode, text: title.textContent }));
    svg.querySelectorAll("title").forEach((title) => title.remove());
    svg.addEventListener("pointerleave", () => { hint.hidden = true; });
    svg.addEventListener("pointermove", (e) => {
      let best = 12, text = "";
      for (const m of marks) {
        const b = m.of.getBoundingClientRect();
        const away = Math.hypot(Math.max(b.left - e.clientX, 0, e.clientX - b.right), Math.max(b.top - e.clientY, 0, e.clientY - b.bottom));
        if (away < best || away === 0) [best, text] = [away, m.text]; // of those that cover it, the last is on top
      }
      hint.textContent = text;
      hint.hidden = !text;
      hint.style.left = `${Math.min(e.clientX + 14, innerWidth - hint.offsetWidth - 4)}px`;
      hint.style.top = `${Math.min(e.clientY + 14, innerHeight - hint.offsetHeight - 4)}px`;
    });
  }
}
