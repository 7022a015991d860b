// Package amii models Active Messages II (Chun, Mainwaring and Culler, IEEE
// Micro 1998; userspace, Tables 1 and 2, which compares its design but could
// not run it). Requests with four words are answered by exactly one reply;
// handlers run in the context that polls.
//
// Any number of processes of a node have endpoints. An endpoint has a name and a
// key. A process reaches the endpoints that it has been connected to, whose keys it
// knows. Each packet carries the key. The receiving interface refuses and counts a
// packet with a wrong key.
//
// Sending is programmed I/O with combined writes for all sizes up to a packet. A
// packet may be sent again, so the library copies the data into memory of its own
// and stores the copy into the request queue. At the receiver the interface writes
// header and data by DMA into a region of the library, which copies the data from
// there.
//
// Credits prevent overflow. A request to a peer takes one of a fixed number, and
// its reply returns it. Each endpoint's region has room for the requests of all
// credits that its peers hold and, separately, for all replies that it may get.
// Only retransmitted packets may find no room; they are dropped and counted.
//
// Errors of the network are tolerated. The library numbers its requests, keeps
// copies, and sends again after a timeout when it polls or waits. A handler runs
// once (see package calls). After a number of tries a request returns to its
// sender. So does, at once, a request whose address the peer does not have. Requests
// return to the function set by Returned or, without one, as the error of the next
// call to that peer.
//
// Connect models the mapping of endpoints to names. The layer maintains a
// complete map of the network (Dynamic/Full). When a peer does not answer, the
// library probes the route to the peer's interface, which answers independently
// of its processes. Without an answer it probes all links, and all routes across
// dead ones are replaced on all nodes at once.
//
// Files, in reading order:
//   - layer.go: opening, counters, arrivals at the control program
//   - endpoint.go: outgoing and incoming packets in the library
//   - map.go: mapping of the network when a peer does not answer
//   - state.go: the state of a node and a process
//   - spec.go: the section of a profile
package amii
