package ni

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// Program is the control program of a communication layer. Its methods run on
// the interface processor: they spend cycles and start engines at the cursor.
type Program interface {
	// Ready reports whether a request may be taken up now.
	Ready() bool
	// Request takes up the oldest request of the queue.
	Request()
	// HostDone handles the end of a host DMA, observed at the given time.
	HostDone(d *DMA, at sim.Time)
	// Demultiplex spends the cycles to classify an arriving packet.
	Demultiplex(p *fabric.Packet)
	// Received handles an arrived packet after Demultiplex. CRCError is set if
	// it is damaged. The program calls Release when the receive buffer is free
	// again.
	Received(p *fabric.Packet)
	// Sent handles the end of insertion of a packet with a record.
	Sent(r *Record, at sim.Time)
	// SendIdle reports that the S engine has finished a packet without a
	// record, if AwaitSend has requested it or packets wait.
	SendIdle()
	// Timer handles the program's timer.
	Timer()
	// Flush drops the packets in the receive ring after a forward reset. It
	// returns how many packets were lost.
	Flush() int

	// Transferred moves the bytes of a host DMA when the hardware ends it. It
	// takes no time.
	Transferred(d *DMA)
}

// Previewer is a Program that handles a packet twice: when its first bytes are in SRAM,
// and whole. Packets of the program's own kinds come whole only.
type Previewer interface {
	Program
	// HeadBytes returns how many bytes of a packet Head needs; 0: Head is not called.
	HeadBytes() int
	// Head handles a packet that is still arriving. Received comes later, unless a
	// forward reset flushes the packet.
	Head(p *fabric.Packet)
}

// Discreet is a Program that can say of which packets the end of insertion concerns nobody else, so
// that it needs no event.
type Discreet interface {
	Program
	// Private reports whether Sent of a packet with a record, if it came next, would only spend
	// cycles and change what the control program alone uses, and no request would be ready for
	// it. It is not asked while requests wait.
	Private(r *Record) bool
}

// Service handles reserved packet kinds, those of the clock protocol. With
// Loop.ClockFirst they are served before everything else.
type Service interface {
	// Serves reports whether packets of kind k belong to the service.
	Serves(k trace.Kind) bool
	// Arrived handles such a packet, observed at the given time.
	Arrived(p *fabric.Packet, at sim.Time)
	// Injecting reports that the S engine is about to start on such a packet.
	Injecting(p *fabric.Packet)
	// Due handles the service's timer.
	Due()
}

// Probe observes the six instants of every packet that carries a host request.
// Only the interface calls it. Each method runs on the interface processor and
// spends its own cycles.
type Probe interface {
	// Requested is called when the request is taken up; the processor first saw
	// it at the time at (T1).
	Requested(r *Record, at sim.Time)
	// Fetched reports that the packet's data is in SRAM (T2).
	Fetched(r *Record, at sim.Time)
	// Injecting reports that the S engine is about to start (T3); the probe may
	// write into the packet's header.
	Injecting(r *Record, p *fabric.Packet)
	// Injected reports that the insertion has ended (T4).
	Injected(r *Record, at sim.Time)
	// Arriving reports that the packet is in the receiver's SRAM and the
	// control program knows that it is undamaged (T5 is stamped here).
	Arriving(p *fabric.Packet)
	// Delivered reports that the packet's data is in host memory (T6).
	Delivered(p *fabric.Packet, at sim.Time)
	// Idle does one piece of deferred work and reports whether there was any.
	Idle() bool
	// Deferred reports whether Idle has work.
	Deferred() bool
	// Private reports whether Injected and Idle only spend cycles and change what the probe alone
	// uses.
	Private() bool
	// Words returns how many extra 32-bit words a request descriptor and a
	// packet header carry for the probe.
	Words() (descriptor, header int)
}

// Bare is a Program that does nothing, for measurements of the hardware. It keeps receive
// buffers: programs that embed it and receive packets handle these.
type Bare struct{}

// Ready implements Program, as all methods do.
func (Bare) Ready() bool                { return false }
func (Bare) Request()                   {}
func (Bare) HostDone(*DMA, sim.Time)    {}
func (Bare) Demultiplex(*fabric.Packet) {}
func (Bare) Received(*fabric.Packet)    {}
func (Bare) Sent(*Record, sim.Time)     {}
func (Bare) SendIdle()                  {}
func (Bare) Timer()                     {}
func (Bare) Flush() int                 { return 0 }
func (Bare) Transferred(*DMA)           {}
