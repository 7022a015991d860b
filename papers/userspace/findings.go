package userspace

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// model recognizes RPC by a request that is open until its peer polls. It tells the
// other models apart by whether a second message overwrites the first.
func model(b *testbed.Testbed) finding {
	if _, ok := b.Endpoint(0).(comm.Requester); ok {
		return answers(b)
	}
	from, to := b.Mails(cellBytes)
	var first uint32
	b.Ends(func(c *host.Context) {
		from.Put(c, cellBytes, 1)
		from.Put(c, cellBytes, 2)
	}, func(c *host.Context) {
		c.Sleep(sim.Millisecond)
		first, _ = to.Receive(c, cellBytes)
	})
	if first == 2 {
		return found("Direct Deposit", "the second message overwrites the first, and no process has polled")
	}
	return found("Send/Recv", "two messages wait; a receive returns the first")
}

func answers(b *testbed.Testbed) finding {
	const requests = 5
	q, before := b.Calls(), 0
	b.Ends(func(c *host.Context) {
		for range requests {
			q.Send(c, 0, 1)
		}
		c.Sleep(sim.Millisecond)
		before = q.Ends[0].Outstanding()
		q.Collect(c, 0)
	}, func(c *host.Context) {
		c.Sleep(5 * sim.Millisecond)
		q.Answer(1, requests)(c)
		pollOn(c, b.Endpoint(1)) // to answer late requests
	})
	word, ran, after := "not RPC", q.Served[1], q.Ends[0].Outstanding()
	if ran == requests && before == requests && after == 0 {
		word = "RPC"
	}
	return found(word, "%d of %d requests ran, %d were open before the peer polled, %d at the end", ran, requests, before, after)
}

// intranode opens a second process on the receiver's node and lets it poll for the
// message of the first.
func intranode(b *testbed.Testbed) finding {
	from := b.Mail(0, cellBytes)
	other, err := open(b, 1, 1)
	if err != nil {
		return found("Yes", "no second process can open the interface: %v", err)
	}
	stolen := false
	b.Ends(func(c *host.Context) { from.Put(c, cellBytes, 1) }, func(c *host.Context) {
		_, refused := other.Receive(c, 0, other.Buffer(cellBytes), cellBytes)
		stolen = refused == nil
	})
	if stolen {
		return found("No", "another process of the node received the message")
	}
	return found("Yes", "another process of the node does not receive the message")
}

// internode lets a process send to one that it is not connected to.
func internode(b *testbed.Testbed) finding {
	stranger, victim := judge.Must(open(b, 0, 5)), judge.Must(open(b, 1, 0))
	var refused error
	got := false
	b.Ends(func(c *host.Context) {
		refused = stranger.Send(c, 1, stranger.Buffer(cellBytes), cellBytes, trace.Meta{Kind: trace.Message})
	}, func(c *host.Context) {
		c.Sleep(sim.Millisecond)
		_, err := victim.Receive(c, 0, victim.Buffer(cellBytes), cellBytes)
		got = err == nil
	})
	switch {
	case got:
		return found("No", "the receiver accepts the message of another program's process")
	case refused != nil:
		return found("Yes", "the send is refused: %v", refused)
	}
	return found("Yes", "the receiver's side refuses it: %d refused", b.Count(1, "refused"))
}

// multiprogramming opens two processes on both nodes and lets both pairs
// exchange messages.
func multiprogramming(b *testbed.Testbed) finding {
	const messages = 10
	var pairs [2][]*testbed.Process
	for tag := range pairs {
		var err error
		if pairs[tag], err = b.Processes(trace.Tag(tag), cellBytes); err != nil {
			return found("No", "%v", err)
		}
	}
	right := 0
	for _, p := range pairs {
		right += b.ExchangeOf(b.MailOf(p[0], 1, cellBytes), b.MailOf(p[1], 0, cellBytes), messages, cellBytes, nil).Right
	}
	return found(map[bool]string{true: "Yes", false: "No"}[right == 2*messages], "%d of %d messages of two programs were answered", right, 2*messages)
}

// overflow sends messages to a process that sleeps.
func overflow(b *testbed.Testbed) finding {
	const messages, late = 1500, 30 * sim.Millisecond
	from, to := b.Mails(cellBytes)
	consumes := to.Endpoint.Traits().Consumes
	wakes, sent, received := b.Engine.Now().Add(late), sim.Never, 0
	b.Ends(func(c *host.Context) {
		for i := range messages {
			from.Put(c, cellBytes, uint32(i+1))
		}
		sent = c.Now()
	}, func(c *host.Context) {
		for c.Sleep(late); consumes && received < messages; received++ {
			if _, err := to.Receive(c, cellBytes); err != nil {
				return
			}
		}
	})
	lost, rejected := b.Lost(), b.Count(0, "rejected")+b.Count(1, "rejected")
	seen := fmt.Sprintf("of %d messages for a sleeping process, %d received later, %d lost, %d rejected and sent again; the sender finished %s",
		messages, received, lost, rejected, map[bool]string{true: "before the receiver woke", false: "after that"}[sent < wakes])
	switch {
	case lost > 0:
		return finding{"Data Loss", seen}
	case !consumes:
		return finding{"Impossible", seen + ": the layer has no buffer of its own on the way"}
	case received == messages && rejected > 0:
		return finding{"Tolerated", seen}
	case received == messages && sent > wakes:
		return finding{"Prevented", seen}
	}
	return finding{"unclear", seen}
}

// The tree has three leaf switches, with four routes between nodes of different
// ones. Two nodes exchange messages. Another route, between idle nodes, uses the
// same link.
const treeNodes, hereNode, thereNode, idleFrom, idleTo = 9, 0, 4, 1, 8

// management breaks a link between two nodes while they exchange messages. With
// static routes they cannot continue. With a map on demand, an unused route is not
// replaced.
func management(b *testbed.Testbed) finding {
	const messages, last = 20, 5
	from, to := b.MailOf(b.Process(hereNode), thereNode, cellBytes), b.MailOf(b.Process(thereNode), hereNode, cellBytes)
	used, idle := b.Net.Route(hereNode, thereNode), b.Net.Route(idleFrom, idleTo)
	var died sim.Time
	t := b.ExchangeOf(from, to, messages, cellBytes, func(c *host.Context, i int) {
		if i == last {
			died = c.Now()
			b.Keep(b.Net.Break(fabric.Break{From: hereNode, To: thereNode, At: died}))
		}
	})
	word := "Dynamic/Full"
	switch {
	case !t.Whole():
		return found("Static", "%v; %d packets into the dead link", t, b.Net.Stats().Severed)
	case slices.Equal(used, b.Net.Route(hereNode, thereNode)):
		word = "unclear"
	case slices.Equal(idle, b.Net.Route(idleFrom, idleTo)):
		word = "Dynamic/Demand"
	}
	return found(word, "%v, %v after the link failed", t, b.Engine.Now().Sub(died))
}

// notice polls after a message has arrived.
func notice(b *testbed.Testbed) finding {
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
	switch {
	case polled > 0:
		return found("Polling", "a poll finds %d packets", polled)
	case waited == 0:
		return found("N/A", "a poll finds nothing and the data are in memory")
	}
	return found("None", "a poll finds nothing; a receive takes the message")
}

// reliability finds out who sends a damaged packet again.
func reliability(b *testbed.Testbed) finding {
	b.Hurt(3)
	t := b.Exchange(20, cellBytes)
	copied, repeated := moves(b, 0).copied, b.Count(0, "repeated")
	switch {
	case !t.Whole():
		return found("None", "%v; %d packets lost for good", t, b.Lost())
	case copied == 0:
		return found("Firmware", "%d packets sent again, and the host copied nothing", repeated)
	}
	return found("Library+Copy", "%d packets sent again from copies of the library: the host copied %d B", repeated, copied)
}

// path finds out how a node moves a long message.
func path(node int) func(*testbed.Testbed) finding {
	return func(b *testbed.Testbed) finding {
		n, took := long(b)
		m, plain := moves(b, node), b.Nodes[node].Host.PIOWriteTime(int(n)/4, host.Words)
		word := "DMA+v2p trans" // the engine uses the program's own pages
		switch {
		case m.stored >= n && took < plain:
			word = "PIO(WC)"
		case m.stored >= n || m.dmas == 0:
			word = "PIO"
		case m.copied >= n:
			word = "DMA+Copy"
		}
		return found(word, "for %d B: %v; the send took %v, uncombined stores would take %v", n, m, took, plain)
	}
}

// long sends one long message between buffers in ordinary memory. It returns the
// length and the time of the send.
func long(b *testbed.Testbed) (n uint64, took sim.Duration) {
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

// stream sends messages from memory of node 0 to memory of node 1. It returns the
// time of the sends, and the time to the end of the last receive.
func stream(b *testbed.Testbed, messages, n int, out, in host.Addr) (sending, all sim.Duration) {
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

// moved is what a node does to move messages: host DMAs, bytes copied and bytes
// stored by programmed I/O.
type moved struct{ dmas, copied, stored uint64 }

func moves(b *testbed.Testbed, node int) moved {
	s := b.Nodes[node].Host.Stats()
	return moved{b.Nodes[node].NIC.Stats().HostDMAs, s.Copied, 4 * s.Stored}
}

// String returns the counts as the notes of rows have them.
func (m moved) String() string {
	return fmt.Sprintf("%d host DMAs, %d B copied, %d B stored by programmed I/O", m.dmas, m.copied, m.stored)
}

// open opens another process on a node.
func open(b *testbed.Testbed, node int, tag trace.Tag) (comm.Endpoint, error) {
	return b.Nodes[node].Layer.Open(host.NewSpace("another", b.Nodes[node].Frames), tag)
}

// pollOn lets a process poll for another 2 ms.
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
