package cluster

import (
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/svm/wire"
	"github.com/sigview/sigview/trace"
)

// AttachMemory gives every member of a shared memory its host and a transport
// on the cluster's layer.
func (c *Cluster) AttachMemory(s *svm.System, tag trace.Tag, pages, ringBytes int) error {
	ports, err := wire.Connect(wire.Spec{Tag: tag, Pages: pages, RingBytes: ringBytes}, c.Deposits())
	if err != nil {
		return err
	}
	s.SetInstrument(c.Instrument(tag))
	for i, p := range ports {
		m := s.Member(i)
		p.OnRequest(m.Notify)
		m.Attach(c.Nodes[i].Host, p)
	}
	return nil
}
