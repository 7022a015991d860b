package clock

// probe holds the four instants of a QUERY and its REPLY.
type probe struct {
	t0, t1         uint64 // node 0's ticks
	received, sent uint64 // the node's ticks
}

// roundTrip returns the time on the way, in ticks.
func (p probe) roundTrip() int64 { return int64(p.t1-p.t0) - int64(p.sent-p.received) }

// tracker follows one node's clock on node 0.
type tracker interface {
	// probe takes a finished probe and the points of data packets, oldest
	// first, to the node and from it.
	probe(p probe, there, back []Point)

	// entry returns what to publish of the node at global tick now.
	entry(node int, now uint64) (Entry, bool)
}
