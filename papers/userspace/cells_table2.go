package userspace

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
)

// notice polls after a message has arrived.
func notice(b *testbed.Bed) finding {
	from, to := b.Mails(cellBytes)
	polled, waited := 0, sim.Duration(0)
	b.Ends(func(c *host.Context) {
		from.Put(c, cellBytes, 1)
		from.Put(c, cellBytes, 2)
		pollOn(c, from.Endpoint)
	}, func(c *host.Context) {
		c.Sleep(sim.Millisecond)
		polled = to.Endpoint.Poll(c)
		began := c.Now()
		_, _ = to.Receive(c, cellBytes)
		waited = c.Now().Sub(began)
	})
	if polled > 0 {
		return found("Polling", "a poll finds %d packets", polled)
	}
	if waited == 0 {
		return found("N/A", "a poll finds nothing and the data are in memory")
	}
	return found("None", "a poll finds nothing; a receive takes the message")
}

// reliability says who repairs a damaged packet.
func reliability(b *testbed.Bed) finding {
	b.Hurt(3)
	b.Process(0) // is open before the host's work is counted
	before := moves(b, 0)
	t := b.Exchange(20, cellBytes)
	copied, repeated := moves(b, 0).copied-before.copied, b.Count(0, "repeated")
	switch {
	case !t.Whole():
		return found("None", "%v", t)
	case copied == 0:
		return found("Firmware", "repaired by %d packets sent again, and the host copied nothing", repeated)
	}
	return found("Library+Copy", "repaired by %d packets sent again from copies of the library: the host copied %d B", repeated, copied)
}

// moved is what messages made a node move: host DMAs, bytes copied and bytes
// stored by programmed I/O.
type moved struct{ dmas, copied, stored uint64 }

func moves(b *testbed.Bed, node int) moved {
	s := b.Nodes[node].Host.Stats()
	return moved{b.Nodes[node].NIC.Stats().HostDMAs, s.Copied, 4 * s.Stored}
}

func (m moved) String() string {
	return fmt.Sprintf("%d host DMAs, %d B copied, %d B stored by programmed I/O", m.dmas, m.copied, m.stored)
}

// long sends one long message from ordinary memory to ordinary memory, and
// returns its length, what both nodes moved for it and how long the send took.
func long(b *testbed.Bed) (n uint64, by [2]moved, took sim.Duration) {
	bytes := 8 << 10
	if most := b.Endpoint(0).Traits().MaxBytes; most > 0 {
		bytes = min(bytes, most)
	}
	from, to := b.Process(0), b.Process(1)
	out, in := from.Space.Alloc(int64(bytes)), to.Space.Alloc(int64(bytes))
	t := to.Endpoint.Traits()
	if t.Model == comm.DirectDeposit {
		in = 0 // there is no receive that could copy
	}
	before := [2]moved{moves(b, 0), moves(b, 1)}
	b.Ends(func(c *host.Context) {
		c.Spend(sim.Millisecond)
		began := c.Now()
		b.Keep(from.Endpoint.Send(c, 1, out, bytes, trace.Meta{Kind: trace.Message}))
		took = c.Now().Sub(began)
	}, func(c *host.Context) {
		if t.PostFrom > 0 {
			b.Keep(to.Endpoint.Post(c, 0, in, bytes))
		}
		_, err := to.Endpoint.Receive(c, 0, in, bytes)
		b.Keep(err)
	})
	for i := range by {
		now := moves(b, i)
		by[i] = moved{now.dmas - before[i].dmas, now.copied - before[i].copied, now.stored - before[i].stored}
	}
	return uint64(bytes), by, took
}

func sendPath(b *testbed.Bed) finding {
	n, by, took := long(b)
	plain := b.Nodes[0].Host.PIOWriteTime(int(n)/4, false)
	switch s := by[0]; {
	case s.stored >= n && took < plain:
		return found("PIO(WC)", "for %d B: %v in %v; uncombined stores would take %v", n, s, took, plain)
	case s.stored >= n:
		return found("PIO", "for %d B: %v", n, s)
	case s.copied >= n:
		return found("DMA+Copy", "for %d B: %v", n, s)
	default:
		return found("DMA+v2p trans", "for %d B: %v: the engine reads the program's own pages", n, s)
	}
}

func receivePath(b *testbed.Bed) finding {
	n, by, _ := long(b)
	switch r := by[1]; {
	case r.dmas == 0:
		return found("PIO", "for %d B: %v", n, r)
	case r.copied >= n:
		return found("DMA+Copy", "for %d B: %v", n, r)
	default:
		return found("DMA+v2p trans", "for %d B: %v: the engine writes the program's own pages", n, r)
	}
}

// pollOn lets a process handle what comes for another 2 ms.
func pollOn(c *host.Context, e comm.Endpoint) {
	for range 100 {
		e.Poll(c)
		c.Spend(20 * sim.Microsecond)
	}
}

// finding is the word of a cell and what was seen.
type finding struct{ word, seen string }

func found(word, seen string, args ...any) finding { return finding{word, fmt.Sprintf(seen, args...)} }

// cellBytes is the message of most cells.
const cellBytes = 64
