// Package clock models the free-running clock of a network interface and the
// protocol that turns many such clocks into one global time.
//
// The package has two independent halves. An [Oscillator] maps true time (int64
// picoseconds, known to the simulator only) to ticks of one interface. A
// [Coordinator] and a [Converter] are what the firmware runs: they see register
// values and packets, never true time, and would work unchanged on a real card.
//
// # What the firmware does
//
// Every node owns a Converter, node 0 also a Coordinator.
//
//   - About once a second, and at the very least once in a quarter of the
//     register's range (32 s for 32 bits at 33 MHz), every node calls
//     [Converter.Interpolate] with its register. This keeps the high word of
//     the 64-bit count, although the register wraps every 130 s and rounds
//     are 300 s apart, and re-evaluates every node's line for the next second.
//   - Node 0 runs a round every [Protocol.Gap]: [Coordinator.Begin], a QUERY to
//     each node with [Coordinator.Queried] as its injection starts, [Coordinator.Replied]
//     for each REPLY, and [Coordinator.End] after the last one or a timeout. The entries that End returns go to every node in TABLE packets
//     and to node 0's own Converter.
//   - Node i answers a QUERY with [Converter.Reply] and puts the time at which
//     the injection starts into Sent. QUERY and REPLY are padded to the same
//     length ([Protocol.Words]): a word more in one direction would shift the
//     estimate by half its wire time.
//   - A monitored data packet carries its t3 register; the receiver calls
//     [Converter.Latency], and [Converter.Observe] with its result.
//
// # Units
//
// A tick is one period of an interface clock. Global time is node 0's tick
// count in subticks of 1/4096 tick ([FracBits]). Rates are 2^-56.
//
// # Cost on a 32-bit processor
//
// Convert reads five words (low word of the anchor, slope, two words of
// global time, bound), does one subtraction, one 32x32->64 multiplication,
// one 64-bit shift and two 64-bit additions. Latency is two of these, a 64-bit
// subtraction and an addition of the bounds. Observe is two comparisons (with the
// global arrival time that Latency has computed) for a packet that
// sets no minimum and stores five words for one that does; packets between two
// nodes other than 0 cost one comparison. Interpolate costs, per node of the
// table, five 64x64 multiplications (20 of 32x32), about 30 additions and
// shifts and 16 words read or written. End with Filtered costs, per node and
// observation (one probe, and one for every quarter of a round that had data
// packets both ways), about 100 multiplications, 90 additions and 5 divisions, and
// twice that and 3 square roots per node: software floating point, once a
// round; only the TABLE waits for it. With Cristian it costs about ten
// operations per node, and Adopt one division per node.
//
// # Lengths
//
// In 32-bit words: QUERY and REPLY 4 with Cristian, 27 with Filtered; a TABLE 3
// and, per node other than 0, 6 or 14. One packet of 4 KB holds 72 entries of
// Filtered; longer tables are split. A round takes 3(N-1)
// messages with either. Of Filtered's rounds with more than 64 nodes those before
// [Protocol.FirstTable] take 2(N-1): their tables stay on node 0.
//
// Files, in reading order:
//   - oscillator.go: true time to ticks
//   - coordinator.go: rounds on node 0
//   - convert.go: registers of all nodes to global time, on every node
//   - filter.go: the improved estimator
//   - cristian.go: the published estimator
//   - probe.go: a query with its reply, and the trackers that use them
//   - cost.go: memory that a protocol takes
//   - observe.go: the least delayed data packets
//   - message.go: QUERY, REPLY and TABLE
//   - protocol.go: what all nodes must agree on
//   - curve.go: one clock's offset over time
//   - smallest.go: the smallest delays seen
//   - wander.go: wander of an oscillator
//   - spec.go: an oscillator's description
//   - units.go: fixed-point units
package clock
