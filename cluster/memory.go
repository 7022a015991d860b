package cluster

import (
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/svm/wire"
	"github.com/sigview/sigview/trace"
)

// AttachMemory gives every member of a shared memory its host and its way to
// the others over VMMC-2.
func (c *Cluster) AttachMemory(s *svm.System, tag trace.Tag, pages, ringBytes int) error {
	nodes := make([]wire.Node, len(c.Nodes))
	for i, n := range c.Nodes {
		nodes[i] = wire.Node{VMMC: n.VMMC, Frames: n.Frames}
	}
	ports, err := wire.Connect(wire.Spec{Tag: tag, Pages: pages, RingBytes: ringBytes}, nodes)
	if err != nil {
		return err
	}
	for i, p := range ports {
		m := s.Member(i)
		p.OnRequest(m.Notify)
		m.Attach(c.Nodes[i].Host, p)
		m.Tell(c.Instrument(i, tag))
	}
	return nil
}
