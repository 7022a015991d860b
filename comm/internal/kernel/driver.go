package kernel

import (
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/comm/internal/library"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
)

// Driver is the driver of a node's controller. A layer embeds it: it implements
// the part of firmware.Layer that concerns arriving frames.
type Driver struct {
	Space    *host.Space     // the kernel's memory
	Buffers  library.Buffers // one frame each
	RingFull uint64          // frames lost because the controller's ring was full

	spec     Spec
	card     *ni.NIC
	protocol Protocol
	context  *host.Context     // serves the controller's interrupt
	incoming int               // frames from their acceptance until the interrupt has handled them
	ring     ring.Ring[Packet] // frames that the controller has delivered
}

// Spec describes a driver.
type Spec struct {
	FrameBytes  int          // largest payload of a frame
	HeaderBytes int          // of a frame, written to memory with its data
	RingFrames  int          // frames that the controller has delivered and the kernel has not handled
	Arrive      sim.Duration // CPU time of the interrupt's handler for a frame
}

// Protocol is what handles frames.
type Protocol interface {
	// Sound reports whether a frame's fields are in range, because the CRC does not
	// detect all damage. It counts those that it refuses.
	Sound(k *fabric.Packet) bool
	// Input handles a frame in the context of the interrupt. It owns the frame's
	// buffer, which it has to return to Buffers.
	Input(c *host.Context, p Packet)
}

// Packet is a frame in kernel memory.
type Packet struct {
	From   int // node
	Header fabric.Header
	At     host.Addr // address of its data
	Bytes  int       // of data
}

// doorbell is how many words notify the controller of a frame, whose descriptor
// is in host memory.
const doorbell = 1

// Start starts the driver on a node.
func (d *Driver) Start(card *ni.NIC, spec Spec, protocol Protocol) {
	d.spec, d.card, d.protocol = spec, card, protocol
	name := card.Host().Name() + "/kernel"
	d.Space = host.NewSpace(name, &host.Frames{})
	d.Buffers = library.NewBuffers(d.Space, spec.FrameBytes)
	d.context = card.Host().Go(name, host.Handler, d.service)
}

// Send makes a request for a frame whose data is in kernel memory at an address.
// The controller fetches the frame's header as well.
func (d *Driver) Send(r *firmware.Request, from host.Addr) {
	r.Space, r.From, r.Descriptor = d.Space, from, doorbell
	r.MinFetch = d.spec.HeaderBytes + r.Bytes
}

// Idle reports whether no frame waits for the kernel.
func (d *Driver) Idle() bool { return d.incoming == 0 }

// Arrived gives a frame a buffer of the ring; without one it is lost.
func (d *Driver) Arrived(k *fabric.Packet) firmware.Target {
	if !d.protocol.Sound(k) {
		return firmware.Target{Action: firmware.Drop}
	}
	if d.incoming >= d.spec.RingFrames {
		d.RingFull++
		return firmware.Target{Action: firmware.Drop}
	}
	d.incoming++
	at := d.Buffers.Get()
	k.Header.Ack = uint32(at >> 12) // buffers begin with pages
	return firmware.Target{Action: firmware.Deposit, Space: d.Space, At: at, HeaderBytes: d.spec.HeaderBytes}
}

func place(k *fabric.Packet) host.Addr { return host.PageAddr(uint64(k.Header.Ack)) }

// Landed puts a frame into the ring and interrupts.
func (d *Driver) Landed(k *fabric.Packet) {
	p := Packet{From: int(k.Src), Header: k.Header, At: place(k), Bytes: k.Bytes()}
	d.card.Host().Evict(d.Space, p.At, p.Bytes)
	d.ring.Push(p)
	d.context.Interrupt()
}

// Lost frees the buffer of a frame that a forward reset has flushed.
func (d *Driver) Lost(k *fabric.Packet, why firmware.Loss) {
	if why == firmware.Flushed {
		d.incoming--
		d.Buffers.Put(place(k))
	}
}

// service is the interrupt's handler.
func (d *Driver) service(c *host.Context) {
	for {
		for d.ring.Len() > 0 {
			c.Spend(d.spec.Arrive)
			d.incoming--
			d.protocol.Input(c, d.ring.Pop())
		}
		c.WaitInterrupt("a frame")
	}
}
