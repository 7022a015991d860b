package clock

// probe holds the four instants of a QUERY and its REPLY.
type probe struct {
	t0, t1         uint64 // node 0's ticks
	received, sent uint64 // the node's ticks
}

// roundTrip returns the time spent in the network, in ticks.
func (p probe) roundTrip() int64 { return int64(p.t1-p.t0) - int64(p.sent-p.received) }

// tracker estimates one node's clock on node 0.
type tracker interface {
	// probe adds a complete probe and the points of data packets, oldest
	// first, to the node and from it.
	probe(p probe, there, back []Point)

	// entry returns the node's table entry at global tick now, and false if
	// there is none.
	entry(node int, now uint64) (Entry, bool)
}
