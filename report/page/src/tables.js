// The tables: sortable by each column, and rows that lead to what they are about. One row of a table is in the order
// of the tab key; arrows go from there to the others.

import { button } from "./dom.js";
import { plain, steps, taken } from "./keys.js";

const long = 40; // rows; more scroll inside of the table

// enliven does this for all tables of the page.
export function enliven({ run, state, places }) {
  const tables = [...document.querySelectorAll("table.sortable")].filter((t) => t.tHead?.rows.length && t.tBodies.length);
  const sorts = tables.map((element, i) => table(element, (column, numeric) => {
    const orders = new Map(read(state.now.sort)), [at, down] = orders.get(i) ?? [];
    orders.set(i, [column, at === column ? !down : numeric]); // the largest figures first
    state.go({ sort: [...orders].map(([i, [column, down]]) => `${i}.${column}${down ? "d" : "u"}`).join(",") });
  }, lead));
  state.tell((now, before) => {
    if (now.sort === before.sort) return;
    const orders = new Map(read(now.sort));
    sorts.forEach((sort, i) => sort(...(orders.get(i) ?? [-1, false])));
  });

  // lead returns what leads to what a row is about, or null.
  function lead({ from, to, node, kind = "", operation }) {
    const o = run.operations.indexOf(operation), k = run.kinds.indexOf(kind.split(",")[0]);
    if (from != null) return () => places.time(Number(from), Number(to), node == null ? {} : { lane: run.laneOf(Number(node)) });
    if (node != null) return () => places.node(Number(node));
    if (o >= 0) return () => places.operation(o);
    return k >= 0 ? () => places.kind(k) : null;
  }
}

// read reads orders as the fragment has them: "2.3d,5.0u" is table 2 by column 3 downward, table 5 by column 0 upward.
const read = (text) => [...text.matchAll(/(\d{1,4})\.(\d{1,4})([ud])/g)].map(([, table, column, way]) => [Number(table), [Number(column), way === "d"]]);

// table makes the headings of a table choose a column, and its rows lead somewhere. It returns a function that sorts it.
function table(element, choose, lead) {
  const body = element.tBodies[0], order = [...body.rows], heads = [...element.tHead.rows[0].cells];
  const leads = order.filter((row) => lead(row.dataset));
  const numeric = (column) => order.some((row) => row.cells[column]?.dataset.v != null);
  if (order.length > long) element.closest(".wide")?.classList.add("long");
  heads.forEach((head, column) => head.replaceChildren(button(head.textContent, () => choose(column, numeric(column)))));
  leads.forEach((row, i) => {
    row.classList.add("go");
    row.tabIndex = i ? -1 : 0;
    row.addEventListener("click", () => { if (getSelection().isCollapsed) lead(row.dataset)(); });
  });
  body.addEventListener("keydown", (e) => {
    const row = e.target, step = steps(e)?.[1];
    if (!leads.includes(row) || !plain(e)) return;
    if (e.key === "Enter") lead(row.dataset)();
    else if (step) focus(row, step);
    else return;
    taken(e);
  });

  function focus(row, step) {
    const live = [...body.rows].filter((r) => leads.includes(r)), next = live[live.indexOf(row) + step];
    if (!next) return;
    [row.tabIndex, next.tabIndex] = [-1, 0];
    next.focus();
  }

  // Of a column that is not there, the order is that of the page. Cells without a value come last.
  return (column, down) => {
    const figures = numeric(column);
    const value = ({ cells }) => (figures ? parseFloat(cells[column]?.dataset.v) : cells[column]?.textContent.trim() ?? "");
    const none = (v) => v === "" || Number.isNaN(v);
    const compare = (a, b) => (figures ? a - b : a.localeCompare(b, "en", { numeric: true })) * (down ? -1 : 1);
    const rows = order.map((row) => [row, value(row)]);
    if (heads[column]) rows.sort(([, a], [, b]) => none(a) - none(b) || (none(a) ? 0 : compare(a, b)));
    body.append(...rows.map(([row]) => row));
    heads.forEach((head, i) => head.setAttribute("aria-sort", i !== column ? "none" : down ? "descending" : "ascending"));
  };
}
