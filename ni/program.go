package ni

import (
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Program is the control program that a communication layer brings. Its
// methods run on the interface processor: they spend cycles and start engines
// at the cursor.
type Program interface {
	// Ready reports whether a request may be taken up now.
	Ready() bool
	// Request takes up the oldest request of the queue.
	Request()
	// HostDone handles the end of a host DMA, observed at the given time.
	HostDone(d *DMA, at sim.Time)
	// Demultiplex spends the cycles that it takes to classify an arriving packet.
	Demultiplex(p *fabric.Packet)
	// Received handles a packet that has arrived whole, or damaged as its
	// CRCError says, after Demultiplex. The program calls Release when its
	// receive buffer is free again.
	Received(p *fabric.Packet)
	// Sent handles the end of the insertion of a packet that was sent with a
	// record.
	Sent(r *Record, at sim.Time)
	// SendIdle: the S engine has finished a packet without a record, and
	// AwaitSend asked for it or packets wait.
	SendIdle()
	// Timer handles the program's timer.
	Timer()
	// Flush drops what lies in the receive ring: a forward reset hit the card.
	// It returns how many packets were lost.
	Flush() int

	// Transferred moves the bytes of a host DMA at the instant the hardware
	// ends it. It runs on no processor and spends nothing.
	Transferred(d *DMA)
}

// Service handles reserved packet kinds, those of the clock protocol. They are
// served before everything else when the loop is set so.
type Service interface {
	// Serves reports whether packets of kind k belong to the service.
	Serves(k trace.Kind) bool
	// Arrived handles such a packet, observed at the given time.
	Arrived(p *fabric.Packet, at sim.Time)
	// Injecting: the S engine is about to start on such a packet.
	Injecting(p *fabric.Packet)
	// Due handles the service's timer.
	Due()
}

// Probe observes the six instants of every packet that carries a host request.
// Only the card calls it. Each method runs on the interface processor and pays its
// cycles with Spend.
type Probe interface {
	// Requested is called when the request is taken up; at is when it first
	// appeared to the processor (T1).
	Requested(r *Record, at sim.Time)
	// Fetched: the packet's data is in SRAM (T2).
	Fetched(r *Record, at sim.Time)
	// Injecting: the S engine is about to start (T3); the probe may write
	// into the packet's header.
	Injecting(r *Record, p *fabric.Packet)
	// Injected: the insertion has ended (T4).
	Injected(r *Record, at sim.Time)
	// Arriving: the packet lies in the receiver's SRAM and the control program
	// knows that it is undamaged (T5 is stamped here).
	Arriving(p *fabric.Packet)
	// Delivered: the packet's data is in host memory (T6).
	Delivered(p *fabric.Packet, at sim.Time)
	// Idle does one piece of deferred work and reports whether there was any.
	Idle() bool
	// Deferred reports whether Idle has work.
	Deferred() bool
	// Words returns how many extra 32-bit words a request descriptor and a
	// packet header carry for the probe.
	Words() (descriptor, header int)
}
