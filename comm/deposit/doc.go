// Package deposit is the contract that programming models and programs use, on
// every communication layer that can carry it: a process puts bytes into
// memory that another process has exported. Deposits of one sender arrive once
// and in order. The receiver learns of them when their bytes are in memory.
//
// VMMC-2 gives this natively: its interface writes into the exported memory, and
// the receiving host takes no part. On the other layers the hosts take part. Two
// adapters, which know only the contract of package comm, charge what that costs:
//
//   - Over requests (comm.Requester) a deposit is one store for each piece of at
//     most a page, whose handler at the receiver tells of it. The layer's window
//     is the back-pressure.
//   - Over messages (comm.Gatherer) it is a message for each piece: an envelope
//     and the data, which the receiver's library copies to their place.
//
// On such a layer nothing arrives unless the receiving host polls. A process polls
// when it sends and while it waits (Port.Wait). For a process that computes,
// Attend names what runs when something arrives and no context polls: usually an
// interrupt of a context that calls Poll. One context at a time uses the library
// of a layer. A context that interrupts another one inside the library waits until
// that one has left it, as with a masked signal.
//
// Redirection of deposits and broadcasts that the interface multiplies are
// abilities of VMMC-2 alone. A program asks for them with a type assertion.
//
// Files, in reading order:
//   - open.go: the ports of a program on a layer, or the reason for none
//   - messages.go: deposits as messages
//   - stores.go: deposits as requests with data
//   - polled.go: what both have in common: one context at a time, who polls
//   - region.go: memory that is exported on a polled layer
//   - port.go: the contract
package deposit
