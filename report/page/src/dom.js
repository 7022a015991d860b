// Elements of the page. Everything that the data says goes through text nodes and attributes, never through markup, so
// that a hostile name is only a text.

// make returns an element. Functions among the attributes listen to the event of their name; those that are null or
// false are left out. Children are nodes and texts; null is none.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value != null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((c) => c != null));
  return element;
}

// button returns a button that does something.
export function button(text, does, attributes = {}) {
  return make("button", { type: "button", click: does, ...attributes }, text);
}

// choice returns buttons of which one is pressed, and a function that presses one. options are {value, text, colour?}.
export function choice(label, options, choose) {
  const buttons = options.map((o) => {
    const b = button(o.text, () => choose(o.value), { "aria-pressed": "false" });
    if (o.colour) b.prepend(swatch(o.colour));
    return b;
  });
  const element = make("div", { class: "choice", role: "group", "aria-label": label }, ...buttons);
  const press = (value) => options.forEach((o, i) => buttons[i].setAttribute("aria-pressed", String(o.value === value)));
  return { element, press };
}

// picker returns a labelled list from which a number is chosen.
export function picker(label, options, choose) {
  const select = make("select", { change: () => choose(Number(select.value)) },
    ...options.map((o) => make("option", { value: o.value }, o.text)));
  const element = make("label", { class: "picker" }, label + " ", select);
  return { element, show: (value) => { select.value = value; } };
}

// table returns a table of headings and rows of cells, each a text or an element.
export function table(heads, rows, attributes = {}) {
  return make("table", attributes, make("thead", {}, make("tr", {}, ...heads.map((h) => make("th", { scope: "col" }, h)))), make("tbody", {}, ...rows));
}

// line returns a row of a table.
export function line(head, ...cells) {
  return make("tr", {}, make("th", { scope: "row" }, ...[head].flat()), ...cells.map((cell) => (cell?.tagName === "TD" ? cell : make("td", {}, cell))));
}

// panel returns a panel about something that is selected. close, if it is there, unselects it.
export function panel(title, close, ...children) {
  return make("section", { class: "panel", "aria-label": title },
    make("header", {}, make("h3", {}, title), close && button("×", close, { "aria-label": "Close", class: "close" })), ...children);
}

// swatch returns a small field of a colour.
export function swatch(colour) {
  const s = make("i", { class: "swatch", "aria-hidden": "true" });
  s.style.background = colour;
  return s;
}

// copy copies a text, if need be from a field, as where pages have no clipboard. It says whether it has.
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = make("textarea", { class: "away" });
    field.value = text;
    const focused = document.activeElement;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    focused?.focus({ preventScroll: true });
    return done;
  }
}

// command returns a command line with a button that copies it, and a function that shows another.
export function command(line = "") {
  const code = make("code", {}, line);
  const said = make("span", { class: "said", role: "status" });
  const take = async () => {
    said.textContent = (await copy(code.textContent)) ? "copied" : "Select the text to copy it.";
    setTimeout(() => said.replaceChildren(), 2000);
  };
  const element = make("div", { class: "command" }, code, button("Copy", take), said);
  return { element, copy: take, show: (text) => { code.textContent = text; } };
}
