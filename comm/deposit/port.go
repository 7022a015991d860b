package deposit

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Node holds a node's host and layer for a program.
type Node struct {
	Host   *host.Host
	Frames *host.Frames
	Layer  comm.Layer
	// Around returns the port that programs get for one of the layer's; nil: the layer's.
	Around func(Port, trace.Tag) Port
}

// Port is the access of one process to the memory of its program's processes on
// the other nodes. Calls with a context take simulated time, the others none.
type Port interface {
	// Space returns the memory of the process.
	Space() *host.Space
	// Export lets other nodes deposit into n bytes at an address. For deposits
	// that are sent with a notification, notify runs when the last byte is in
	// memory; it may be nil.
	Export(at host.Addr, n int, notify func(Arrival)) (Export, error)
	// ExportFrames is Export of memory that is bound when deposits arrive. Place
	// returns the n bytes, within one page, for a deposit at an offset, or nil
	// to refuse it.
	ExportFrames(at host.Addr, n int, place func(offset, n int) []byte) (Export, error)
	// Import returns a handle on an export of another node.
	Import(Export) (Import, error)

	// Send deposits n bytes at from at an offset of the imported memory. The
	// bytes may be written again when Depth later sends have returned, or at once
	// if n is at most 64, an entry of a ring.
	Send(c *host.Context, from host.Addr, to Import, offset, n int, meta trace.Meta, notify bool) error
	// SendTracked is Send without a notification that reports to done when the
	// bytes may be written again.
	SendTracked(c *host.Context, from host.Addr, to Import, offset, n int, meta trace.Meta, done *Completion) error
	// SendFrame is Send of a frame in place of the memory at an address. The
	// frame must not change until a later deposit of this node has arrived.
	SendFrame(c *host.Context, at host.Addr, frame []byte, to Import, offset int, meta trace.Meta) error
	// Depth returns after how many later sends a buffer may be written again.
	Depth() int

	// Polled reports whether deposits need the hosts. If so, a process must not
	// end before the others have received its deposits and have stopped sending
	// to it.
	Polled() bool
	// Attend sets a function that runs when something arrives while no context
	// uses the port or waits at it. It must cause a call of Poll.
	Attend(f func())
	// Poll handles arrivals and reports whether that took time.
	Poll(c *host.Context) bool
	// Wait spins until w fires or an arrival has been handled. The caller
	// checks its condition in a loop.
	Wait(c *host.Context, w *host.Watch, reason string)
	// Sleep is Wait that yields the CPU.
	Sleep(c *host.Context, w *host.Watch, reason string)
}

// Setup makes the exports and imports of a process. It stores its first error
// in Err and does nothing afterwards.
type Setup struct {
	Port Port
	Err  error
}

// Export is Port.Export with written, which may be nil, as its OnWrite.
func (s *Setup) Export(at host.Addr, n int, notify, written func(Arrival)) (x Export) {
	if s.Err != nil {
		return nil
	}
	if x, s.Err = s.Port.Export(at, n, notify); s.Err == nil && written != nil {
		x.OnWrite(written)
	}
	return x
}

// Import is Port.Import.
func (s *Setup) Import(x Export) (m Import) {
	if s.Err == nil {
		m, s.Err = s.Port.Import(x)
	}
	return m
}

// Export is memory that other nodes may deposit into.
type Export interface {
	// OnWrite sets a function that runs when a part of a deposit is in memory.
	// On a polled port the bytes may have been there before the host polled.
	OnWrite(f func(Arrival))
}

// Import is a handle on an export of another node.
type Import interface {
	// Peer returns the exporting node.
	Peer() int
}

// Arrival describes a deposit in an export, or a part of one. Parts arrive in
// order and do not cross pages.
type Arrival struct {
	From   int // sending node
	Offset int // within the export
	Bytes  int
	First  bool // first part of its deposit
	Last   bool // last one
	Moved  bool // a redirection has changed its place
}

// Completion counts deposits whose buffers must not be written yet.
type Completion struct {
	Watch   *host.Watch // fires when none is left; may be nil
	pending int
}

// Pending returns how many deposits still need their buffers.
func (d *Completion) Pending() int { return d.pending }

// Add counts one more.
func (d *Completion) Add() { d.pending++ }

// Done counts one less.
func (d *Completion) Done() {
	if d.pending--; d.pending == 0 && d.Watch != nil {
		d.Watch.Fire()
	}
}

// Redirector is a port whose interface can redirect deposits, which saves the
// receiver a copy.
type Redirector interface {
	// Redirect redirects deposits wholly between the offsets lo and hi, hi excluded,
	// of an own export to an address. It replaces an earlier redirection. The caller
	// charges the RedirectWords that the host writes into the interface.
	Redirect(x Export, lo, hi int, at host.Addr)
	// Restore ends a redirection, at the same cost.
	Restore(x Export)
	RedirectWords() int
}

// Multicaster is a port whose interface can send the same bytes to several
// nodes with one request.
type Multicaster interface {
	// Multicast deposits n bytes at from into several imports, each of another
	// node, and then the tail, if it is not nil. It reports to done, if that is not
	// nil, when the bytes may be written again.
	Multicast(c *host.Context, from host.Addr, to []Target, n int, meta trace.Meta, tail *Tail, done *Completion) error
	// MulticastBytes returns the longest multicast with a tail, if source and targets
	// have the same page offset; -1 if even one byte is too long.
	MulticastBytes() int
}

// RemoteOf returns the access of a port's interface to the memory of other nodes, or nil if it
// has none.
func RemoteOf(p Port) comm.Remote {
	var access any = p
	if q, over := p.(interface{ endpoint() any }); over {
		access = q.endpoint()
	}
	r, _ := access.(comm.Remote)
	return r
}

// Target is the destination of a deposit.
type Target struct {
	To     Import
	Offset int // within it
}

// Tail is a short deposit that follows a multicast to each of its receivers,
// as part of the same request: a flag, an envelope.
type Tail struct {
	To    []Target // the receivers, in the order of the multicast's
	Local host.Addr
	Bytes int // at most 64, an entry of a ring
	Meta  trace.Meta
}

// Native is a layer that implements ports itself.
type Native interface {
	// OpenPort gives a process access; it takes no simulated time.
	OpenPort(space *host.Space, tag trace.Tag) Port
}
