package fabric

import "github.com/sigview/sigview/sim"

// buffered is a fabric of switches with buffers, with the figures of base.
func buffered(t Topology, control FlowControl) Spec {
	s := Spec{
		Topology: t, LinkRate: 160_000_000, WireDelay: 24_001, SwitchDelay: 99_991,
		Buffer: &Buffer{Control: control, LargestPacket: 600},
	}
	b := s.Buffer
	switch control {
	case PFC:
		b.Reaction, b.XonGap = 10*sim.Nanosecond, 300
		b.Headroom = s.headroomNeed()
		b.SwitchBytes, b.Alpha = s.layout().ports()*b.Headroom+6000, 0.5
	case Lossy:
		b.SwitchBytes, b.Alpha = 12_000, 0.5
	case Credits:
		b.InputBytes = 1500
	}
	return s
}
