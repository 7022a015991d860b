package firmware

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/sim/fabric"
)

// FailStop is the Base of a layer that sends nothing again. The first loss in the network stops
// the interface, because later packets would be out of order.
type FailStop struct {
	Base
	Stopped   error           // why the interface has stopped, or nil
	Abandoned uint64          // packets that arrived after the stop
	Bells     []*library.Bell // of the processes: they ring at the stop
}

// Stop stops the interface. The first reason stays.
func (b *FailStop) Stop(format string, args ...any) {
	if b.Stopped == nil {
		b.Stopped = fmt.Errorf("%s at %v: %s", b.traits.Name, b.Program.Now(), fmt.Sprintf(format, args...))
	}
	for _, bell := range b.Bells {
		bell.Ring()
	}
}

// Lost stops the interface: network errors are catastrophic.
func (b *FailStop) Lost(p *fabric.Packet, why Loss) {
	if why == Flushed {
		b.Stop("node %d has lost a packet of node %d by a forward reset", b.NIC.ID(), p.Src)
		return
	}
	b.Stop("node %d has received a damaged packet", b.NIC.ID())
}

// Missing stops the interface at a packet that is not the expected one of its sender.
func (b *FailStop) Missing(expected uint32, p *fabric.Packet) {
	b.Abandoned++
	b.Stop("node %d expects packet %d of node %d and gets packet %d: the network has lost one", b.NIC.ID(), expected, p.Src, p.Header.Seq)
}

// Abandons reports whether the interface has stopped, and counts a packet that it therefore
// abandons.
func (b *FailStop) Abandons(p *fabric.Packet) bool {
	if b.Stopped != nil && p.Header.Meta.Kind.CarriesRequest() {
		b.Abandoned++
	}
	return b.Stopped != nil
}

// Losses returns the counts of lost packets.
func (b *FailStop) Losses() []comm.Count {
	return append(b.Base.Losses(), comm.Count{Name: "abandoned", N: b.Abandoned, Loss: true})
}
