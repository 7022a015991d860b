// Package microbench holds the programs that measure a communication layer,
// over the contract of all layers (package comm) and nothing else:
//
//   - between two nodes (Pair) ping-pong, streams one way and both ways, and the
//     code fragments of the user-space study (userspace, section 4.1);
//   - for layers of requests and replies (Requests) bursts of requests, stores
//     and gets with a spin after each, between two nodes, all pairs, and one node
//     and several (logp, sections 3 and 4).
//
// They measure only; how many samples are enough and what the figures mean is
// for the analysis to say. Noise makes hosts as restless as real ones.
package microbench
