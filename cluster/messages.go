package cluster

import "github.com/sigview/sigview/comm/nx"

// Messages sets up a process with message passing on every node.
func (c *Cluster) Messages(spec nx.Spec) (*nx.System, error) {
	spec.Costs = *c.spec.Profile.NX
	s, err := nx.New(spec, c.Deposits())
	if err != nil {
		return nil, err
	}
	s.SetInstrument(c.Instrument(spec.Tag))
	return s, nil
}
