// The packets that are kept one by one: their instants, latencies, and their order by these. A packet is its index in
// the columns; an instant that is not known is NaN.

// From which instant to which a stage lasts.
const stageEnds = [[0, 1], [1, 3], [2, 4], [4, 5]];

export function makePackets(columns) {
  const first = columns.p_at0, mask = columns.p_mask;
  const whole = first && [mask, columns.p_sender, columns.p_receiver].every((column) => column?.length === first.length);
  const count = whole ? first.length : 0, orders = new Map();
  const times = () => new Float64Array(count).fill(NaN);
  const at = Array.from({ length: 6 }, times), begin = times(), end = times();
  for (let p = 0; p < count; p++) {
    begin[p] = end[p] = first[p];
    for (let i = 0, last = null; i < 6; i++) {
      if (!(mask[p] >> i & 1)) continue;
      last = at[i][p] = last == null ? first[p] : last + (columns[`p_at${i}`]?.[p] ?? 0); // the first known one is p_at0
      end[p] = Math.max(end[p], last);
    }
  }

  // of returns a function that returns a property of a packet.
  const of = (name, otherwise) => (p) => columns[name]?.[p] ?? otherwise;
  const sender = of("p_sender"), number = of("p_number", null);

  // extent returns the two instants of a stage.
  const extent = (p, stage) => stageEnds[stage].map((i) => at[i][p]);

  // latency returns how long a packet is in a stage, or on its way if the stage is -1. NaN: not known.
  function latency(p, stage) {
    const [from, to] = stage < 0 ? [begin[p], end[p]] : extent(p, stage);
    return to - from;
  }

  return {
    count, at, begin, end, sender, number, extent, latency,
    receiver: of("p_receiver"), size: of("p_size", null), kind: of("p_kind", -1), tag: of("p_tag", -1), why: of("p_why", 0),

    // operation returns the one that a packet belongs to, {index, node, from, to}, or null.
    operation(p) {
      const index = of("p_op", 0)(p) - 1, from = first[p] + of("p_op_at", 0)(p);
      return index < 0 ? null : { index, node: of("p_op_node", 0)(p), from, to: from + of("p_op_ns", 0)(p) };
    },

    has: (p) => Number.isInteger(p) && p >= 0 && p < count,

    // slowest returns all packets whose latency in a stage is known, the slowest first.
    slowest(stage) {
      if (!orders.has(stage)) {
        const known = [...begin.keys()].map((p) => [p, latency(p, stage)]).filter(([, ns]) => !Number.isNaN(ns));
        orders.set(stage, known.sort(([p, a], [q, b]) => b - a || p - q).map(([p]) => p));
      }
      return orders.get(stage);
    },

    // within returns the packets that are on their way in a time.
    within(from, to) {
      const found = [];
      for (let p = 0; p < count && begin[p] <= to; p++) if (end[p] >= from) found.push(p);
      return found;
    },

    // longest returns the packet of a node that is longest on its way of those in a time.
    longest(from, to, node) {
      const of = this.within(from, to).filter((p) => sender(p) === node || this.receiver(p) === node);
      return of.sort((p, q) => latency(q, -1) - latency(p, -1) || p - q)[0];
    },

    // find returns the packets of a number, and of a sender if one is given.
    find: (n, from) => [...begin.keys()].filter((p) => number(p) === n && (from == null || sender(p) === from)),
  };
}
