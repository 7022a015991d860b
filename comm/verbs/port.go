package verbs

import (
	"math"

	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// A process implements the contract of package deposit: a deposit is a write, with immediate data if the
// receiver is to be told.
var (
	_ deposit.Native = (*Node)(nil)
	_ deposit.Port   = (*Process)(nil)
)

// OpenPort gives a process access to the card.
func (n *Node) OpenPort(space *host.Space, tag trace.Tag) deposit.Port { return n.Process(space, tag) }

// Export makes memory a target of writes.
func (p *Process) Export(at host.Addr, n int, notify func(deposit.Arrival)) (deposit.Export, error) {
	r, err := p.Region(at, n)
	if err != nil {
		return nil, err
	}
	r.notify = notify
	return r, nil
}

// ExportFrames makes memory a target of writes that is bound when they arrive.
func (p *Process) ExportFrames(at host.Addr, n int, place func(offset, n int) []byte) (deposit.Export, error) {
	r, err := p.Region(at, n)
	if err != nil {
		return nil, err
	}
	r.place = place
	return r, nil
}

// OnWrite sets a function that runs when a packet's bytes are in memory.
func (r *Region) OnWrite(f func(deposit.Arrival)) { r.written = f }

// Import is a region of a peer with the pair that leads there.
type Import struct {
	pair   *Pair
	region *Region
}

// Peer returns the exporting node.
func (m *Import) Peer() int { return int(m.pair.peer) }

// Import connects to an export of another node.
func (p *Process) Import(x deposit.Export) (deposit.Import, error) {
	r, ok := x.(*Region)
	if !ok {
		return nil, p.Errorf("import of an export of another layer")
	}
	if r.process.node == p.node {
		return nil, p.Errorf("import of its own export")
	}
	return &Import{p.join(r.process), r}, nil
}

// Send deposits bytes in an import.
func (p *Process) Send(c *host.Context, from host.Addr, to deposit.Import, offset, n int, meta trace.Meta, notify bool) error {
	return p.deposit(c, from, to, offset, n, meta, func(w *work) { w.notify = notify })
}

// SendTracked is Send that reports when the bytes may be written again.
func (p *Process) SendTracked(c *host.Context, from host.Addr, to deposit.Import, offset, n int, meta trace.Meta, done *deposit.Completion) error {
	return p.deposit(c, from, to, offset, n, meta, func(w *work) {
		w.done = done
		done.Add()
	})
}

// SendFrame is Send of a frame in place of the memory at an address.
func (p *Process) SendFrame(c *host.Context, at host.Addr, frame []byte, to deposit.Import, offset int, meta trace.Meta) error {
	return p.deposit(c, at, to, offset, len(frame), meta, func(w *work) { w.frame = frame })
}

func (p *Process) deposit(c *host.Context, from host.Addr, through deposit.Import, offset, n int, meta trace.Meta, set func(*work)) error {
	to, ok := through.(*Import)
	switch {
	case !ok || to == nil || to.pair.process != p:
		return p.Errorf("send through an import that is not this process's")
	case n > math.MaxInt32:
		return p.Errorf("send of %d B, want at most %d", n, math.MaxInt32)
	case !p.Space().Valid(from, n):
		return p.Errorf("send of %d B from %#x, which is not all allocated", n, from)
	}
	for to.pair.successor != nil {
		to.pair = to.pair.successor
	}
	w, err := to.pair.remote(opWrite, from, n, to.region, offset, meta, 0, false)
	if err != nil {
		return err
	}
	set(w)
	if err := p.recall(c); err != nil {
		return err
	}
	w.signal = w.signal || !p.node.inlines(w)
	if err := to.pair.post(c, w); err != nil {
		return err
	}
	p.recent.Push(recent{to.pair, w.number, w.signal})
	return nil
}

// recent is a deposit whose buffer may still be in use: the entry before a number of a pair.
type recent struct {
	pair    *Pair
	number  uint64
	signals bool // when it is not any more
}

// recall waits until the deposit Depth back has completed, so that its buffer may be written again.
func (p *Process) recall(c *host.Context) error {
	if p.recent.Len() < p.Depth() {
		return nil
	}
	r := *p.recent.At(0)
	for r.signals && r.pair.freed < r.number && r.pair.err == nil {
		c.Lacking(waits.Window, func() { c.Spin(&r.pair.room, "a deposit") })
		c.Spend(p.node.spec.Host.Poll)
	}
	if p.recent.Len() > 0 && *p.recent.At(0) == r { // else a context that interrupted this one has done it
		p.recent.Drop()
	}
	if r.pair.successor != nil {
		return nil // it is known what has become of it
	}
	return r.pair.err
}

// Depth returns after how many later sends the buffer of a send may be written again.
func (p *Process) Depth() int { return p.node.spec.SendDepth }

// Polled returns false: the card writes into memory.
func (p *Process) Polled() bool { return false }

// Attend does nothing: the card itself notifies the host.
func (p *Process) Attend(func()) {}

// Poll does nothing.
func (p *Process) Poll(*host.Context) bool { return false }

// Wait spins until w fires.
func (p *Process) Wait(c *host.Context, w *host.Watch, reason string) { c.Spin(w, reason) }

// Sleep yields the CPU until w fires.
func (p *Process) Sleep(c *host.Context, w *host.Watch, reason string) { c.Block(w, reason) }
