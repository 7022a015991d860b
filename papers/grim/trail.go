package grim

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm/grim"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/papers/testbeds"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// trail holds the true instants of messages, which no firmware can see.
type trail struct {
	called, returned []sim.Time  // of sends, writes and reads
	received         []sim.Time  // of active messages, by the host
	pointer          [4]byte     // of the receiver's queue of active messages, in host memory
	whole            int         // messages whose bytes are where they belong
	locks            int         // written when the bytes are there
	packets          []*crossing // that carry data or ask for it, in the order of injection
	answers          []sim.Time  // injections of ACKs and NACKs
	moves            [2][]move   // by node: host DMAs of the control program, in the order of their ends
	before           []int       // moves of node 1 when a message is sent
	hosts            [2]host.Stats
	interfaces       [2]grim.Stats
}

// crossing is a packet on its way.
type crossing struct {
	src, bytes   int
	taken, freed sim.Time // the handler that sends it begins and ends; zero if it waited for the engine
	t3, t5       sim.Time
	decoded      sim.Time // the handler of its header begins, or that of all of it
	moving       bool     // a DMA to the host runs when that handler ends, and the packet is still arriving
	translated   bool     // a page has been looked up by then
}

// move is a host DMA that a control program has started.
type move struct {
	dir   ni.Direction
	bytes int
	end   sim.Time     // of the bytes
	took  sim.Duration // from where the program starts it, in a handler without other steps, until it handles the end
}

// watched stands between a card and GRIM and changes nothing.
type watched struct {
	*grim.Node
	trail   *trail
	nic     *ni.NIC
	coming  map[*fabric.Packet]*crossing
	noticed int      // moves whose ends were handled
	since   sim.Time // from when the next move counts
}

// watch makes a trail of all that passes between nodes 0 and 1.
func watch(b *testbed.Testbed) *trail {
	x, coming := &trail{}, map[*fabric.Packet]*crossing{}
	for _, n := range b.Nodes {
		n.NIC.Load(&watched{Node: n.Layer.(*grim.Node), trail: x, nic: n.NIC, coming: coming})
	}
	b.Tap(func(p *fabric.Packet) {
		switch k := p.Header.Meta.Kind; {
		case k == trace.Ack || k == trace.Nack:
			x.answers = append(x.answers, p.T3)
		case k.CarriesRequest():
			coming[p] = &crossing{src: int(p.Src), bytes: p.Bytes(), t3: p.T3}
			x.packets = append(x.packets, coming[p])
		}
	})
	return x
}

func (w *watched) Request() {
	began, before := w.nic.Now(), len(w.trail.packets)
	w.Node.Request()
	for _, p := range w.trail.packets[before:] {
		p.taken, p.freed = began, w.nic.Now()
	}
}

func (w *watched) Head(k *fabric.Packet) {
	p, before := w.coming[k], w.Stats()
	p.decoded = w.nic.Now()
	w.Node.Head(k)
	p.moving = w.nic.HostBusy() && w.nic.Now() < k.T5
	now := w.Stats()
	p.translated = now.Hits+now.Misses > before.Hits+before.Misses && w.nic.Now() < k.T5
}

func (w *watched) Demultiplex(k *fabric.Packet) {
	if p := w.coming[k]; p != nil && p.decoded == 0 {
		p.decoded = w.nic.Now()
	}
	w.Node.Demultiplex(k)
}

func (w *watched) Received(k *fabric.Packet) {
	if p := w.coming[k]; p != nil {
		p.t5, w.since = k.T5, w.nic.Now()
		delete(w.coming, k)
	}
	w.Node.Received(k)
}

func (w *watched) Transferred(d *ni.DMA) {
	w.trail.moves[w.nic.ID()] = append(w.trail.moves[w.nic.ID()], move{dir: d.Dir, bytes: d.Bytes, end: w.nic.Engine().Now()})
	w.Node.Transferred(d)
}

func (w *watched) HostDone(d *ni.DMA, at sim.Time) {
	w.trail.moves[w.nic.ID()][w.noticed].took = w.nic.Began().Sub(w.since)
	w.noticed++
	w.since = w.nic.Began() // the next one in the queue starts there
	w.Node.HostDone(d, at)
}

// walk is a row of messages from node 0 to an idle node 1, or of reads of its memory.
type walk struct {
	roundTrip              // without a number of bytes
	sizes     []int        // of the messages, bytes
	gap       sim.Duration // before each
	fresh     bool         // each goes to pages that the translation cache does not have
	bare      bool         // the steps of the control program take no time
	lock      bool         // a write or a read has a lock, where its bytes go
}

const reading face = "RM-RV"

// follow returns the trail of a walk.
func (r *rows) follow(s *judge.Session, w walk) *trail {
	return judge.Recall(r.known, func() *trail {
		w.bytes = slices.Max(w.sizes)
		spec := w.spec(r.seed)
		spec.Profile = w.set
		return testbeds.Use(s, spec, w.run)
	}, "walk", fmt.Sprintf("%+v", w))
}

// of returns the moves of node 1 for a message.
func (x *trail) of(message int) []move {
	if message+1 < len(x.before) {
		return x.moves[1][x.before[message]:x.before[message+1]]
	}
	return x.moves[1][x.before[message]:]
}

func (w walk) set(p *platform.Profile) {
	if w.roundTrip.set(p); w.bare {
		p.GRIM.Firmware = grim.Firmware{}
		p.GRIM.Memory.Hit, p.GRIM.Memory.Miss, p.GRIM.Memory.Lock = 0, 0, 0
	}
}

func (w walk) run(b *testbed.Testbed) *trail {
	x := watch(b)
	here, there := b.Endpoint(0).(*grim.Endpoint), b.Endpoint(1).(*grim.Endpoint)
	from, to := here.Space().Alloc(int64(w.bytes)), there.Space().Alloc(int64(w.bytes*len(w.sizes)))
	data := testbed.Pattern(b.Seed(), w.bytes)
	target, block, lock := there, to, host.Addr(0)
	if here.Space().WriteAt(from, data); w.face == reading {
		there.Space().WriteAt(to, data)
		here.Space().WriteAt(from, make([]byte, w.bytes))
		target, block = here, from
	}
	compare := func(n *int, space *host.Space, at host.Addr, size int) {
		got := make([]byte, size)
		if space.ReadAt(at, got); bytes.Equal(got, data[:size]) {
			*n++
		}
	}
	if w.lock {
		lock = target.Space().Alloc(host.WordBytes)
		target.OnLock(func(host.Addr) { compare(&x.locks, target.Space(), block, w.bytes) })
	}
	receive := func(c *host.Context) {
		for range w.sizes {
			m, err := there.Receive(c, 0, 0, w.bytes)
			b.Keep(err)
			x.received = append(x.received, c.Now())
			compare(&x.whole, there.Space(), m.At, m.Bytes)
		}
	}
	if w.face != active {
		receive = nil
	}
	b.Play(func(c *host.Context) {
		for i, n := range w.sizes {
			c.Sleep(w.gap)
			at := to
			if w.fresh {
				at += host.Addr(i * w.bytes)
			}
			x.called, x.before = append(x.called, c.Now()), append(x.before, len(x.moves[1]))
			b.Keep(w.send(c, here, there, from, at, n, lock))
			x.returned = append(x.returned, c.Now())
		}
	}, receive)
	b.Rest(sim.Millisecond)
	if w.face != active {
		compare(&x.whole, target.Space(), block, w.bytes)
	}
	x.pointer = there.Pointer()
	x.count(b)
	return x
}

// count reads the counters of both nodes.
func (x *trail) count(b *testbed.Testbed) {
	for i, n := range b.Nodes {
		x.hosts[i], x.interfaces[i] = n.Host.Stats(), n.Layer.(*grim.Node).Stats()
	}
}

func (w walk) send(c *host.Context, here, there *grim.Endpoint, from, at host.Addr, n int, lock host.Addr) error {
	switch meta := (trace.Meta{Kind: trace.Data}); w.face {
	case active:
		return here.Send(c, 1, from, n, meta)
	case reading:
		return here.Read(c, here.Remote(there), at, from, n, lock, meta)
	default:
		return here.Write(c, here.Remote(there), from, at, n, w.face == virtual, lock, meta)
	}
}
