// Package svm is home-based lazy release consistency (HLRC): shared virtual
// memory in which every page has a home, several nodes may write one page
// between synchronizations, and only synchronization moves knowledge of
// writes.
//
// [Node] is the protocol of one node without input or output. [System] binds
// nodes to processes of the simulation, to a host that charges time and to a
// transport; [Thread] is what a program sees.
//
// # States of a page at a node
//
//	state    event                          home                            elsewhere
//	INVALID  access                         wait until applied >= required  request the page, wait
//	                                        then READ
//	INVALID  page arrives                   —                               READ
//	READ     write access                   WRITE, no twin                  twin, WRITE
//	WRITE    the interval ends              READ, notice                    difference to home, READ, notice
//	READ     write notice                   INVALID unless applied, frame   INVALID, frame dropped
//	                                        stays
//	INVALID  write notice                   required raised                 required raised
//	WRITE    write notice                   cannot be: an acquire ends the interval first
//	any      difference arrives             merged, applied raised,         cannot be
//	                                        requests that waited answered
//	any      page request                   answered, or set aside until    sent on by the directory of a
//	                                        applied >= required             first-touch page
//
// The interval ends at every release, at every acquire that needs a message,
// and at a barrier. The home's own writes are in its copy before anybody can
// hear of them, so they are never required.
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
// The manager (lock id mod N) sends a request on to the node that asked last.
//
// # Barrier
//
// Arrive ends the interval and tells the manager (barrier id mod N) the
// node's own notices and vector time. When all have come, the manager sends
// each node the notices that it lacks. After that everybody knows everything
// from before, so notices and times are kept only since the last barrier.
//
// # What it asks of its surroundings
//
// Messages between two nodes arrive once and in order. Programs are free of
// data races at the granularity of words ([WordSize]).
//
// Files, in reading order:
//   - spans.go: what is told of operations
//   - thread.go: shared memory as a program sees it
//   - service.go: service of the other nodes' requests
//   - system.go: the members of a program, started and ended
//   - image.go: the content of shared memory before and after a program
//   - access.go: protocol: faults
//   - home.go: protocol: homes of pages
//   - lock.go: protocol: locks
//   - barrier.go: protocol: barriers
//   - node.go: protocol: a node's state
//   - codec.go: messages in bytes
//   - inbox.go: messages that wait to be received
//   - expected.go: frames named for pages on their way
//   - message.go: messages and what a step gives out
//   - diff.go: differences of pages
//   - table.go: the pages of a node
//   - layout.go: the address space and its homes
//   - costs.go: what the protocol costs the host
//   - transport.go: what the protocol needs of a network
//   - version.go: vector times and write notices
//   - page.go: frames of pages
package svm
