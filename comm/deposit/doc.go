// Package deposit is the contract that programming models and programs use on
// every communication layer that supports it: a process deposits bytes into
// memory that another process has exported. Deposits of one sender arrive once
// and in order. The receiver can notice them when their bytes are in memory.
//
// VMMC-2 provides this natively: its interface writes into the exported memory
// without the receiving host. On the other layers the hosts take part. Two
// adapters, which use only the contract of package comm, charge the hosts' time:
//
//   - Over requests (comm.Requester) a deposit is one store for each piece of at
//     most a page, whose handler at the receiver tells of it. The layer's window
//     is the back-pressure.
//   - Over messages (comm.Gatherer) it is a message for each piece: an envelope
//     and the data, which the receiver's library copies to their place.
//
// On such a layer nothing arrives unless the receiving host polls. A process polls
// when it sends and while it waits (Port.Wait). For a process that computes,
// Attend sets a function that runs when something arrives and no context polls;
// usually it interrupts a context that calls Poll. One context at a time uses the
// library of a layer. A context that interrupts another one inside the library
// waits until that one has left it, as with a masked signal.
//
// Redirection of deposits exists only on VMMC-2, multicast by the interface there and on layers
// that multicast messages (comm.Multicaster). A program tests for them with a type assertion.
// A layer with a polling watchdog (comm.Watched) interrupts a host that does not poll at the end
// of the watchdog's time, others at once.
//
// Files, in reading order:
//   - open.go: opening ports on a layer, or the reason for refusal
//   - multicast.go: deposits as messages to several nodes
//   - messages.go: deposits as messages
//   - stores.go: deposits as requests with data
//   - polled.go: the common part of both: one context at a time, polling
//   - waiting.go: who handles an arrival
//   - region.go: memory exported on a polled layer
//   - port.go: the contract
package deposit
