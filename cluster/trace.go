package cluster

import (
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/trace"
)

// Instrument returns what makes the instrument of each process of the program with
// this tag on a node, by which it reports operations and phases and switches
// recording. It is nil without a monitor.
func (c *Cluster) Instrument(node int, tag trace.Tag) func(*host.Context) trace.Instrument {
	m := c.Nodes[node].Monitor
	if m == nil {
		return nil
	}
	return func(process *host.Context) trace.Instrument { return m.Instrument(process, tag) }
}
