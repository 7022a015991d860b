// Package microbench holds the programs that measure a communication layer,
// over the contract of all layers (package comm) and nothing else:
//
//   - between two nodes (Pair) ping-pong, streams one way and both ways, and the
//     code fragments of the user-space study (userspace, section 4.1), and trains and
//     round trips with a mirror (plogp, section 3);
//   - for layers of requests and replies (Requests) bursts of requests, stores
//     and gets with a spin after each, between two nodes, all pairs, and one node
//     and several (logp, sections 3 and 4).
//
// They only measure. The analysis decides how many samples are enough and what
// the figures mean. Noise disturbs hosts as other programs disturb real ones.
//
// Files, in reading order:
//   - burst.go: bursts of requests, stores and gets
//   - requests.go: a group of nodes for layers of requests and replies
//   - stream.go: streams one way and both ways
//   - noise.go: timer interrupts and cache misses that take the CPU
//   - mirror.go: trains and round trips with a mirror
//   - loop.go: timed loops of sends and of receives
//   - pair.go: two nodes, ping-pong
//   - load.go: packets of other nodes on the network
//   - pattern.go: who sends requests to whom
//   - group.go: the ends of a measurement and its end
//   - end.go: an end point on a node, with its buffers
package microbench
