package firmware

import (
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// Layer is the part of a control program that differs between layers. All methods
// except Landed run on the interface processor and may spend its cycles. A layer
// embeds Plain for those that it does not need.
type Layer interface {
	// Allows reports whether flow control lets the oldest request start now.
	Allows(r *Request) bool
	// Outgoing completes the header of a packet before its injection; offset is
	// the offset of its data in the message.
	Outgoing(r *Request, p *fabric.Packet, offset int)
	// Fetched reports that all data of the request has left host memory.
	Fetched(r *Request)
	// Injected reports that the last packet of the request has left the interface.
	Injected(r *Request)
	// Arrived returns the target of an undamaged packet.
	Arrived(p *fabric.Packet) Target
	// Landed is called when a packet's data is visible to the host: in host
	// memory, or in the receive ring for a packet that is kept.
	Landed(p *fabric.Packet)
	// Lost reports a packet that was damaged in the network or flushed by a
	// forward reset.
	Lost(p *fabric.Packet, why Loss)
	// Timer handles the interface's timer.
	Timer()
}

// Acknowledger is a layer that answers packets. Acknowledge is called on the
// processor after the deposit of a packet has started, so the packet does not
// wait for its answer.
type Acknowledger interface{ Acknowledge(p *fabric.Packet) }

// Depositor is a layer that waits for deposits. Deposited is called on the processor when
// the DMA of a packet's data has ended.
type Depositor interface{ Deposited(p *fabric.Packet) }

// Previewer is a layer with cut-through at the receiver: the DMA of a packet to the host begins
// when the packet's header has arrived, and the record follows when all of it has arrived
// undamaged. A damaged packet is lost then (Spoiled): its data is in memory, and nobody is notified.
type Previewer interface {
	// Preview reports whether the layer cuts through.
	Preview() bool
	// Head returns the target of a packet whose header has arrived, with Deposit and a record;
	// any other action leaves the packet to Arrived.
	Head(p *fabric.Packet) Target
}

// Target is where an arriving packet goes.
type Target struct {
	Action Action
	Space  *host.Space // Deposit: the memory, at page granularity or not
	At     host.Addr
	// HeaderBytes are written to host memory by the same DMA beside the data.
	HeaderBytes int
	// RecordBytes are written to host memory by a DMA of their own behind that of the
	// data, which there must be. The packet has landed when they have.
	RecordBytes int
}

// Action is what the control program does with an arriving packet.
type Action uint8

// Actions on an arriving packet.
const (
	Drop    Action = iota // it needs no memory, or is refused and counted by the layer
	Deposit               // into host memory by DMA; without data or header at once, possibly before earlier packets
	Keep                  // in the receive ring, until the library calls Release
	Wait                  // in the receive ring, until the layer calls Retry
)

// Loss is why a packet is lost.
type Loss uint8

// Losses.
const (
	Damaged Loss = iota // the CRC shows it
	Flushed             // a forward reset
	Spoiled             // the CRC shows it after the delivery has begun
)

// Plain is a Layer that adds nothing to what the package does.
type Plain struct{}

// Allows allows every request.
func (Plain) Allows(*Request) bool { return true }

// Outgoing adds nothing to a header.
func (Plain) Outgoing(*Request, *fabric.Packet, int) {}

// Fetched does nothing.
func (Plain) Fetched(*Request) {}

// Injected does nothing.
func (Plain) Injected(*Request) {}

// Timer does nothing.
func (Plain) Timer() {}
