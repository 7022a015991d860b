package firmware

import (
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
)

// Layer is the part of a control program that differs between layers. All methods
// but Landed run on the interface processor and may Spend its cycles. Embed Plain
// for those that a layer does not need.
type Layer interface {
	// May reports whether the oldest request may be taken up now: flow control.
	May(r *Request) bool
	// Outgoing completes the header of a packet before its injection; offset is
	// where its data begin in the message.
	Outgoing(r *Request, p *fabric.Packet, offset int)
	// Fetched: all data of the request have left host memory.
	Fetched(r *Request)
	// Injected: the last packet of the request has left the interface.
	Injected(r *Request)
	// Arrived decides where a packet that has come undamaged goes.
	Arrived(p *fabric.Packet) Target
	// Landed is the instant at which a packet's data are where the host sees
	// them: in host memory, or in the receive ring for a packet that is kept.
	Landed(p *fabric.Packet)
	// Lost is told of lost packets: damaged on the way, or flushed by a forward
	// reset.
	Lost(p *fabric.Packet, why Loss)
	// Timer is the interface's timer.
	Timer()
}

// Acknowledger is a layer that answers packets. Acknowledge is called on the
// processor when a packet that is not dropped is on its way to the host, so that
// the packet does not wait for its answer.
type Acknowledger interface{ Acknowledge(p *fabric.Packet) }

// Target is where an arriving packet goes.
type Target struct {
	Way   Way
	Space *host.Space // Deposit: the memory, at page granularity or not
	At    host.Addr
	// HeaderBytes are written to host memory by the same DMA beside the data.
	HeaderBytes int
}

// Way is what becomes of an arriving packet.
type Way uint8

// Ways of an arriving packet.
const (
	Drop    Way = iota // it needs no place, or is refused: the layer has counted it
	Deposit            // into host memory by DMA; without data or header it is there at once, before packets that came earlier
	Keep               // in the receive ring, until the library calls Release
	Wait               // in the receive ring, until the layer calls Retry
)

// Loss says why a packet is lost.
type Loss uint8

// Losses.
const (
	Damaged Loss = iota // the CRC shows it
	Flushed             // a forward reset
)

// Plain is a Layer that adds nothing to what the package does.
type Plain struct{}

// May reports that any request may go.
func (Plain) May(*Request) bool { return true }

// Outgoing adds nothing to a header.
func (Plain) Outgoing(*Request, *fabric.Packet, int) {}

// Fetched does nothing.
func (Plain) Fetched(*Request) {}

// Injected does nothing.
func (Plain) Injected(*Request) {}

// Timer does nothing.
func (Plain) Timer() {}
