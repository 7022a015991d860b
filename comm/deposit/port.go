package deposit

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/trace"
)

// Node is what one node brings to a program.
type Node struct {
	Host   *host.Host
	Frames *host.Frames
	Layer  comm.Layer
}

// Port is the access of one process to the memory of its program's processes on
// the other nodes. Calls with a context take simulated time, the others none.
type Port interface {
	// Space is the memory of the process.
	Space() *host.Space
	// Export lets other nodes deposit into n bytes at an address. For deposits
	// that are sent with a notification, notify runs when the last byte is in
	// memory; it may be nil.
	Export(at host.Addr, n int, notify func(Arrival)) (Export, error)
	// ExportFrames is Export of memory that is bound when deposits come: place
	// returns the n bytes, within one page, that a deposit at an offset goes to,
	// or nil to refuse it.
	ExportFrames(at host.Addr, n int, place func(offset, n int) []byte) (Export, error)
	// Import returns a handle on an export of another node.
	Import(Export) (Import, error)

	// Send deposits n bytes at from at an offset of the imported memory. The
	// bytes may be written again when Depth later sends have returned, or at once
	// if there are at most SmallBytes of them.
	Send(c *host.Context, from host.Addr, to Import, offset, n int, meta trace.Meta, notify bool) error
	// SendTracked is Send without a notification that tells done when the bytes
	// may be written again.
	SendTracked(c *host.Context, from host.Addr, to Import, offset, n int, meta trace.Meta, done *Completion) error
	// SendFrame is Send of a frame that stands for the memory at an address. The
	// frame must not change until a later deposit of this node has arrived.
	SendFrame(c *host.Context, at host.Addr, frame []byte, to Import, offset int, meta trace.Meta) error
	// Depth is after how many later sends a buffer may be written again.
	Depth() int

	// Polled reports whether deposits need the hosts. If they do, a process must
	// not end before the others have received what it has sent and have stopped
	// sending to it.
	Polled() bool
	// Attend sets what runs at the instant something arrives while no context
	// uses the port or waits at it. It must cause a call of Poll.
	Attend(f func())
	// Poll takes in what has arrived and reports whether that took time.
	Poll(c *host.Context) bool
	// Wait spins until w fires or something has arrived and been taken in. The
	// caller checks its condition in a loop.
	Wait(c *host.Context, w *host.Watch, reason string)
	// Sleep is Wait without the CPU.
	Sleep(c *host.Context, w *host.Watch, reason string)
}

// Setup makes and connects the exports of a process. After its first error,
// which stays in Err, it does nothing.
type Setup struct {
	Port Port
	Err  error
}

// Export is Port.Export of memory whose deposits are told to written, which may be nil.
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

// SmallBytes is the longest deposit whose buffer may be written again at once:
// an entry of a ring.
const SmallBytes = 64

// Export is memory that other nodes may deposit into.
type Export interface {
	// OnWrite sets what runs when a part of a deposit is in memory. On a polled
	// port the bytes may have been there since before the host polled.
	OnWrite(f func(Arrival))
}

// Import is a handle on an export of another node.
type Import interface {
	// Peer is the node that exports.
	Peer() int
}

// Arrival says what has come into an export: a deposit, or one of its parts,
// which come in order and do not cross pages.
type Arrival struct {
	From   int // sending node
	Offset int // within the export
	Bytes  int
	First  bool // first part of its deposit
	Last   bool // last one
	Moved  bool // a redirection has changed where it lies
}

// Completion counts deposits whose buffers may not be written yet.
type Completion struct {
	Watch   *host.Watch // fires when there are none left; may be nil
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

// Redirector is a port whose interface can lay deposits elsewhere, which saves
// the receiver a copy.
type Redirector interface {
	// Redirect lays what comes wholly between the offsets lo and hi, hi excluded, of
	// an own export at an address instead. It replaces an earlier redirection.
	// The caller pays for RedirectWords that the host writes into the interface.
	Redirect(x Export, lo, hi int, at host.Addr)
	// Restore ends a redirection, at the same price.
	Restore(x Export)
	RedirectWords() int
}

// Multicaster is a port whose interface can send the same bytes to several
// nodes with one request.
type Multicaster interface {
	// Multicast deposits n bytes at from into several imports, each of another
	// node, and then the tail, if it is not nil. It tells done, if that is not nil,
	// when the bytes may be written again.
	Multicast(c *host.Context, from host.Addr, to []Target, n int, meta trace.Meta, tail *Tail, done *Completion) error
	// MulticastBytes is how many bytes it can have with a tail, where source and targets
	// lie equally in their pages.
	MulticastBytes() int
}

// Target is a place that a deposit goes to.
type Target struct {
	To     Import
	Offset int // within it
}

// Tail is a short deposit that follows a multicast to each of its receivers,
// as part of the same request: a flag, an envelope.
type Tail struct {
	To    []Target // the receivers, in the order of the multicast's
	Local host.Addr
	Bytes int // at most SmallBytes
	Meta  trace.Meta
}

// Native is a layer that gives ports itself.
type Native interface {
	// OpenPort gives a process access; it takes no simulated time.
	OpenPort(space *host.Space, tag trace.Tag) Port
}
