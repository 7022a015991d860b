package cluster

import (
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/trace"
)

// Instrument returns what gives each process of the program with this tag on
// a node its way to tell of operations and phases and to switch recording; nil
// without a monitor.
func (c *Cluster) Instrument(node int, tag trace.Tag) func(*host.Context) trace.Instrument {
	m := c.Nodes[node].Monitor
	if m == nil {
		return nil
	}
	return func(process *host.Context) trace.Instrument { return m.Instrument(process, tag) }
}
