package amii

// Forge makes an endpoint use another key for a peer.
func (e *Endpoint) Forge(node int, change uint32) {
	to := *e.Peers[node]
	to.Key ^= change
	e.Peers[node] = &to
}

// Room returns how many places of the endpoint's regions are free.
func (e *Endpoint) Room() (requests, replies int) {
	room := func(r *region) int { return r.places - r.used + len(r.spare) }
	return room(e.regions[0]), room(e.regions[1])
}
