// Package fast is a second, coarser model of communication: LogGP with parameters by
// message size (logp; LogGP adds the gap per byte, plogp the dependence on size). A
// message costs its sender and its receiver processor time, occupies each direction of
// an interface for a gap, and is one event. There are no packets, firmware, buses or
// stages.
//
// Params are measured on the full model; see experiment. Link has the next-free times of
// an interface, also for comm/loggp, which carries programs. An Engine runs ranks whose
// operations come one by one from a Program: send, receive with tags and wildcards, post,
// compute. A rank runs ahead of the engine's time until it waits for a message. That is
// exact: what a rank does touches others only by messages, and which message a receive
// gets does not depend on whether it is posted before or after messages come. An exception
// is Turn: a message delays no sends that the rank has already made ahead of time.
//
// Files, in reading order:
//   - engine.go: ranks that run a program
//   - collective.go: patterns and collective operations as programs
//   - schedule.go: a GOAL schedule as a program
//   - match.go: messages without a receive and receives without a message
//   - program.go: operations of ranks
//   - link.go: the next-free times of an interface
//   - params.go: costs by message size
package fast
