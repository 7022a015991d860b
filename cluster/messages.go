package cluster

import (
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/nx"
	"github.com/sigview/sigview/trace"
)

// Messages gives a program a process with message passing on every node.
func (c *Cluster) Messages(spec nx.Spec) (*nx.System, error) {
	spec.Costs = *c.spec.Profile.NX
	s, err := nx.New(spec, c.Deposits())
	if err != nil {
		return nil, err
	}
	s.Tell(func(node int, process *host.Context) trace.Instrument {
		if m := c.Nodes[node].Monitor; m != nil {
			return m.Instrument(process, spec.Tag)
		}
		return trace.Instrument{}
	})
	return s, nil
}
