// Package svm is home-based lazy release consistency (HLRC): shared virtual
// memory in which every page has a home, several nodes may write one page
// between synchronizations, and only synchronization spreads write notices
// (Zhou, Iftode, Li, OSDI 1996).
//
// [Node] is the protocol of one node as a state machine without input or
// output. [System] binds nodes to simulated processes, to a host that charges
// time and to a transport. [Thread] is the interface of a program.
//
// # States of a page at a node
//
//	state    event                          home                            elsewhere
//	INVALID  access                         wait until applied >= required  request the page, wait
//	                                        then READ
//	INVALID  page arrives                   —                               READ
//	READ     write access                   WRITE, no twin                  twin, WRITE
//	WRITE    the interval ends              READ, notice                    diff to home, READ, notice
//	READ     write notice                   INVALID unless applied, frame   INVALID, frame dropped
//	                                        stays
//	INVALID  write notice                   required raised                 required raised
//	WRITE    write notice                   impossible: an acquire ends the interval first
//	any      diff arrives                   merged, applied raised,         impossible
//	                                        waiting requests answered
//	any      page request                   answered, or queued until       forwarded by the directory of a
//	                                        applied >= required             first-touch page
//
// The interval ends at every release, at every acquire that needs a message,
// and at a barrier. The home's own writes are in its copy before any other node
// learns of them, so they are never required.
//
// # States of a lock at a node
//
//	state           event     action
//	token, free     acquire   hold; no message
//	no token        acquire   end the interval; request to the manager
//	held            release   end the interval; grant to the successor, if any
//	token, free     forward   grant, with the notices that the requester lacks
//	held            forward   requester becomes the successor
//	no token        forward   requester becomes the successor (own grant is on its way)
//	waiting         grant     learn the notices, hold
//
// The manager (lock id mod N) forwards a request to the last requester.
//
// # Barrier
//
// Arrive ends the interval and sends the node's own notices and vector time to
// the manager (barrier id mod N). When all nodes have arrived, the manager
// sends each one the notices that it lacks. Every node then knows all earlier
// intervals, so notices and times are kept only since the last barrier.
//
// # Homes that move
//
// With [Node.Migrate] a page that one node alone writes becomes homed at it, at a
// barrier (migrate.go). Added to the states above, p being such a page:
//
//	state    event                          home                            elsewhere
//	READ     barrier: one other node alone  INVALID, frame stays; watched   —
//	         has written p
//	INVALID  access while watched           READ, watch ends                —
//	watched  arrival at a barrier           offered                         —
//	any      barrier: p moves               diffs on the way: INVALID,      new home: READ, the home's copy;
//	                                        else READ                       others: required dropped
//	any      diff of an earlier epoch       —                               former home: discarded
//	any      request or diff of the next    answered, merged                kept until the barrier is passed
//	         epoch, in a barrier
//
// # Requirements
//
// Messages between two nodes arrive once and in order, pages once. Programs have
// no data races between words ([WordSize]).
//
// Files, in reading order:
//   - spans.go: operations reported to the monitor
//   - thread.go: shared memory as the program uses it
//   - service.go: serving requests of other nodes
//   - system.go: the members of a program, started and ended
//   - image.go: the content of shared memory before and after a program
//   - access.go: protocol: faults
//   - home.go: protocol: homes of pages
//   - lock.go: protocol: locks
//   - migrate.go: protocol: homes that move
//   - barrier.go: protocol: barriers
//   - node.go: protocol: a node's state
//   - codec.go: messages in bytes
//   - inbox.go: messages waiting to be received
//   - expected.go: frames named for requested pages
//   - message.go: messages and the output of a protocol step
//   - moves.go: pages that change their home
//   - diff.go: diffs of pages
//   - table.go: the pages of a node
//   - layout.go: the address space and its homes
//   - costs.go: host time of the protocol
//   - transport.go: the network as the protocol needs it
//   - version.go: vector times and write notices
//   - page.go: frames of pages
package svm
