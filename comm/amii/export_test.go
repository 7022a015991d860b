package amii

import "github.com/sigview/sigview/comm/internal/calls"

// Forge makes an endpoint use another key for a peer.
func (e *Endpoint) Forge(node int, change uint32) {
	to := *e.peers[node]
	e.peers[node] = &calls.Address{Endpoint: to.Endpoint, Key: to.Key ^ change}
}

// Room returns how many places of the endpoint's regions are free.
func (e *Endpoint) Room() (requests, replies int) {
	return e.regions[0].room(), e.regions[1].room()
}
