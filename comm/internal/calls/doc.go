// Package calls is the common part of libraries of the RPC model: requests with
// exactly one reply each, a window of them per peer, handlers, stores and gets, and
// messages sent as requests whose handler stores the data in the receiver's buffer.
// A layer's Carrier moves the packets and spends their time.
//
// A library that expects losses keeps a copy of a request until its reply arrives,
// and of a reply until the window of requests shows that it has arrived. When a
// request times out, the host sends it and all later ones again, when it polls or
// waits. The receiver handles requests in the order of their numbers. It answers a
// repeated request with the copy of its reply, so a handler runs at most once. After
// a number of tries the requests to a peer are returned to their sender, which
// cannot know whether they were handled.
//
// Files, in reading order:
//   - layer.go: a layer of this model on one node, and its endpoints
//   - serve.go: handling of replies and requests
//   - repeat.go: timeouts and undeliverable requests
//   - endpoint.go: requests, stores, gets and messages
//   - inbox.go: messages that wait for a receive
//   - arrivals.go: packets that wait for the library
//   - link.go: the state of an endpoint for a peer
//   - packet.go: requests and replies in a packet's header
package calls
