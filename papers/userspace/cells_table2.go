package userspace

import (
	"cmp"
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
	t := b.Exchange(20, cellBytes)
	copied, repeated := moves(b, 0).copied, b.Count(0, "repeated")
	switch {
	case !t.Whole():
		return found("None", "%v; %d packets lost for good", t, b.Lost())
	case copied == 0:
		return found("Firmware", "repaired by %d packets sent again, and the host copied nothing", repeated)
	}
	return found("Library+Copy", "repaired by %d packets sent again from copies of the library: the host copied %d B", repeated, copied)
}

// path says how a node moves a long message.
func path(node int) func(*testbed.Bed) finding {
	return func(b *testbed.Bed) finding {
		n, took := long(b)
		m, plain := moves(b, node), b.Nodes[node].Host.PIOWriteTime(int(n)/4, false)
		word := "DMA+v2p trans" // the engine uses the program's own pages
		switch {
		case m.stored >= n && took < plain:
			word = "PIO(WC)"
		case m.stored >= n || m.dmas == 0:
			word = "PIO"
		case m.copied >= n:
			word = "DMA+Copy"
		}
		return found(word, "for %d B: %v; the send took %v, stores that are not combined would take %v", n, m, took, plain)
	}
}

// long sends one long message from ordinary memory to ordinary memory, and
// returns its length and how long the send took.
func long(b *testbed.Bed) (n uint64, took sim.Duration) {
	from, to := b.Process(0), b.Process(1)
	t := to.Endpoint.Traits()
	bytes := min(8<<10, cmp.Or(t.MaxBytes, 8<<10))
	out, in := from.Space.Alloc(int64(bytes)), to.Space.Alloc(int64(bytes))
	if t.Model == comm.DirectDeposit {
		in = 0 // there is no receive that could copy
	}
	took, _ = stream(b, 1, bytes, out, in)
	return uint64(bytes), took
}

// stream sends messages from memory of node 0 to memory of node 1, and returns
// how long the sends took, and how long it was to the end of the last receive.
func stream(b *testbed.Bed, messages, n int, out, in host.Addr) (sending, all sim.Duration) {
	from, to := b.Endpoint(0), b.Endpoint(1)
	var began sim.Time
	b.Play(func(c *host.Context) {
		c.Spend(sim.Millisecond)
		began = c.Now()
		for range messages {
			b.Keep(from.Send(c, 1, out, n, trace.Meta{Kind: trace.Message}))
		}
		sending = c.Now().Sub(began)
	}, func(c *host.Context) {
		for range messages {
			if to.Traits().PostFrom > 0 {
				b.Keep(to.Post(c, 0, in, n))
			}
			_, err := to.Receive(c, 0, in, n)
			b.Keep(err)
		}
		all = c.Now().Sub(began)
	})
	return sending, all
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

// open opens another process on a node.
func open(b *testbed.Bed, node int, tag trace.Tag) (comm.Endpoint, error) {
	return b.Nodes[node].Layer.Open(host.NewSpace("another", b.Nodes[node].Frames), tag)
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
