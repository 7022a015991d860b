package cluster

import "github.com/sigview/sigview/nx"

// Messages gives a program a process with message passing on every node.
func (c *Cluster) Messages(spec nx.Spec) (*nx.System, error) {
	nodes := make([]nx.Node, len(c.Nodes))
	for i, n := range c.Nodes {
		nodes[i] = nx.Node{Host: n.Host, Frames: n.Frames, VMMC: n.VMMC}
	}
	spec.Costs = c.spec.Profile.MessageCosts()
	return nx.New(spec, nodes)
}
