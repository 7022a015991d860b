// Numbers and times as the page writes them: ns, µs, ms or s by their range, and three digits that count.

export const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

const units = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

// unit returns the unit of times as long as one.
function unit(ns) {
  return units.find(([size]) => Math.abs(ns) >= size) ?? units[3];
}

// digits writes a number with three digits that count, or all before the point.
function digits(value) {
  const size = Math.abs(value);
  const places = size >= 99.95 || size === 0 ? 0 : size >= 9.995 ? 1 : 2;
  return minus(value.toFixed(places));
}

const minus = (text) => text.replace(/^-/, "−");

// duration writes a length of time.
export function duration(ns) {
  if (!Number.isFinite(ns)) return "–";
  const [size, name] = unit(ns);
  return size === 1 ? `${minus(String(Math.round(ns)))} ns` : `${digits(ns / size)} ${name}`;
}

// signed is duration with its sign.
export const signed = (ns) => (ns > 0 ? "+" : "") + duration(ns);

// instant writes a time of the run so that times a step apart differ. Its unit is that of the end of the range.
export function instant(ns, step, end) {
  const [size, name] = unit(end);
  const places = clamp(Math.ceil(Math.log10(size / Math.max(step, 1)) - 1e-9), 0, 9);
  return `${minus((ns / size).toFixed(places))} ${name}`;
}

// count writes a whole number in groups of three digits.
export const count = (n) => Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, ",");

// number writes a figure that is no time.
export const number = (value) => (Number.isInteger(value) ? count(value) : digits(value));

// share writes a part of 1 in percent.
export const share = (part) => `${digits(part * 100)} %`;

// percent is a part of 1 as styles have it.
export const percent = (part) => `${clamp(part, 0, 1) * 100}%`;

// plural writes a number of things.
export const plural = (n, thing) => `${count(n)} ${thing}${n === 1 ? "" : "s"}`;
