package capture

import "cmp"

// crossing is a packet at both ends, or what one capture has of it. Stamps are in ns since 1970, each by its
// own capture's clock.
type crossing struct {
	sent, arrived int64 // stamps of the capture at each end, as far as the fate says that there are
	flow          int32
	bytes         int32
	sort          sort
	// The capture at whose end it is sent.
	sender end
	fate   fate
}

// fate is what has become of a packet.
type fate uint8

const (
	joined fate = iota // sent and arrived
	lost               // sent only
	missed             // arrived, but its sending was not captured
	again              // a segment that was sent before
	alike              // one of several packets that look the same, of which some were not captured
)

// second returns the stamp of the second capture, if it has one.
func (c *crossing) second() (stamp int64, ok bool) {
	switch {
	// Sent at the first end: the second capture saw it arrive.
	case c.sender == 0 && (c.fate == joined || c.fate == missed):
		return c.arrived, true
	case c.sender == 1 && c.fate != missed:
		return c.sent, true
	}
	return 0, false
}

// byStamp orders crossings by begin. Of equal ones every field decides, so that the order is the same in each
// run.
func byStamp(a, b *crossing) int {
	return cmp.Or(cmp.Compare(a.begin(), b.begin()), cmp.Compare(a.flow, b.flow), cmp.Compare(a.sent, b.sent), cmp.Compare(a.arrived, b.arrived),
		cmp.Compare(a.fate, b.fate), cmp.Compare(a.sort, b.sort), cmp.Compare(a.bytes, b.bytes))
}

// begin returns the second capture's stamp, or the first's of packets that the second has not.
func (c *crossing) begin() int64 {
	stamp, ok := c.second()
	switch {
	case ok:
		return stamp
	case c.fate == missed:
		return c.arrived
	}
	return c.sent
}

// meeting makes a packet of its observations by both captures, or of one. It is sent with its first fragment,
// and has arrived with its last.
func meeting(sender end, sent, arrived *observation) crossing {
	switch {
	case arrived == nil:
		return crossing{sent.first, 0, sent.flow, sent.bytes, sent.sort, sender, lost}
	case sent == nil:
		return crossing{0, arrived.last, arrived.flow, arrived.bytes, arrived.sort, sender, missed}
	}
	return crossing{sent.first, arrived.last, sent.flow, sent.bytes, sent.sort, sender, joined}
}
