// Package amii models Active Messages II (Chun, Mainwaring and Culler, IEEE
// Micro 1998; userspace, Tables 1 and 2, which compares its design but could
// not run it). Requests with four words are answered by exactly one reply;
// handlers run in the context that polls.
//
// Any number of processes of a node have endpoints. An endpoint has a name and a key;
// a process reaches those that it has been connected to, whose keys it knows. Each packet
// carries the key, and the receiving interface refuses, and counts, one whose
// key is not its endpoint's.
//
// Sending is programmed I/O with combined writes, whatever the size up to a
// packet: the library copies the data into memory of its own, as a packet may
// have to be sent again, and stores the copy into the request queue. At the
// receiver the interface writes header and data by DMA into a region of the
// library, from where the library copies the data.
//
// Overflow is prevented by credits: a request to a peer takes one of a fixed
// number, its reply brings it back, and each endpoint's region has room for all
// credits that its peers hold and, apart, for all replies that it may get. Only packets that are sent
// again can find no room; they are dropped and counted.
//
// Errors of the network are tolerated. The library numbers its requests, keeps
// copies, and sends again after a timeout whenever it polls or waits; a handler
// runs once (see package calls). After a number of tries a request returns to
// its sender, as does at once one whose address the peer does not have: to the
// function set by Returned, or else as the error of the next call to that peer.
//
// Endpoints are named by Connect, which stands for the mapping of endpoints to
// names. The network's own map is complete and found by itself (Dynamic/Full):
// when a peer stays silent, the library probes the route to its interface, which
// answers whatever its processes do. Without an answer it probes all links, and
// all routes of all nodes that cross dead ones are replaced at once.
//
// Files, in reading order:
//   - layer.go: opening, counters, what the control program does with arrivals
//   - endpoint.go: packets out and in, from the library's side
//   - map.go: what happens when a peer stays silent
//   - state.go: what a node and a process keep
//   - spec.go: the section of a profile
package amii
