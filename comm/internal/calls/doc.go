// Package calls is what libraries of the RPC model have in common: requests
// that are answered by exactly one reply, a window of them per peer, handlers,
// stores and gets, and messages sent as requests whose handler puts the data
// where the receiver wants them. A layer's Carrier moves the packets and spends what
// that costs.
//
// A library that expects losses keeps a copy of everything that it has sent: of
// a request until its reply comes, of a reply until the window of requests
// shows that it has come. A request without a reply is sent again after a
// timeout, by the host when it polls or waits, and so are those behind it. The
// receiver takes requests in the order of their numbers. It answers a number that
// it has had before with the copy of its reply, so that a handler runs at most once.
// After a number of tries the requests to a peer are returned to their sender, which
// cannot know whether they were handled.
//
// Files, in reading order:
//   - layer.go: a layer of this model on one node, and its endpoints
//   - serve.go: replies settled and requests carried out
//   - repeat.go: timeouts, and requests given up
//   - endpoint.go: requests, stores, gets and messages
//   - inbox.go: messages that wait for a receive
//   - arrivals.go: packets that wait for the library
//   - link.go: what an endpoint keeps for a peer
//   - packet.go: requests and replies in a packet's header
package calls
