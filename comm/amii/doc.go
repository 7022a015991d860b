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
// its reply brings it back. Each endpoint's region has room for the requests of all
// credits that its peers hold and, separately, for all replies that it may get.
// Only packets that are sent again may find no room; they are dropped and counted.
//
// Errors of the network are tolerated. The library numbers its requests, keeps
// copies, and sends again after a timeout when it polls or waits. A handler runs
// once (see package calls). After a number of tries a request returns to its
// sender. So does, at once, a request whose address the peer does not have. Requests
// return to the function set by Returned or, without one, as the error of the next
// call to that peer.
//
// Connect stands for the mapping of endpoints to names. The network's own map is
// complete and found by the layer (Dynamic/Full). When a peer stays silent, the
// library probes the route to the peer's interface, which answers whatever its
// processes do. Without an answer it probes all links, and all routes that cross
// dead ones are replaced on all nodes at once.
//
// Files, in reading order:
//   - layer.go: opening, counters, what the control program does with arrivals
//   - endpoint.go: packets out and in, from the library's side
//   - map.go: what happens when a peer stays silent
//   - state.go: what a node and a process keep
//   - spec.go: the section of a profile
package amii
