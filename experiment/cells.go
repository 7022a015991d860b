package experiment

import (
	"context"
	"errors"
	"fmt"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// The cells of the comparison of user-level communication (userspace, Tables 1
// and 2), each found by provoking on a running pair of nodes what it speaks of.
// The layer's own declaration (comm.Traits) is not looked at.

// finding is the word of a cell and what was seen.
type finding struct{ word, seen string }

func found(word, seen string, args ...any) (finding, error) {
	return finding{word, fmt.Sprintf(seen, args...)}, nil
}

// cell is one column of the tables.
type cell struct {
	column string // as the rows of the published table name it
	title  string
	find   func(lab) (finding, error)
}

// cells are the columns that are provoked.
var cells = []cell{
	{"t1-model", "two messages before anybody looks; whether a request is answered", lab.model},
	{"t1-ctl", "what arrives tells the process of itself", lab.control},
	{"t1-intra", "a second process of the receiver's node", lab.intranode},
	{"t1-inter", "a process that the receiver has agreed nothing with", lab.internode},
	{"t1-multi", "two programs at once on both nodes", lab.multiprogramming},
	{"t1-ovf", "messages for a process that takes none", lab.overflow},
	{"t1-err", "a packet damaged on the way", lab.damage},
	{"t1-mgmt", "a link that dies while another way exists", lab.management},
	{"t2-send", "what the sender's node moves for a long message", lab.sendPath},
	{"t2-recv", "what the receiver's node moves for a long message", lab.receivePath},
	{"t2-rel", "who sends a damaged packet again", lab.reliability},
	{"t2-notif", "a process that polls", lab.notice},
}

// lab provokes one layer.
type lab struct {
	seed  uint64
	layer string
}

// pair is two nodes of the pair's platform with a process each.
type labPair struct {
	*cluster.Cluster
	procs []*cluster.Process
}

// longest is the longest message that a lab sends.
const longest = 16 << 10

// bare builds the two nodes without processes.
func (l lab) bare() (*cluster.Cluster, error) { return l.nodes(2) }

func (l lab) nodes(n int) (*cluster.Cluster, error) {
	p, err := platform.Load(pairPlatform)
	if err != nil {
		return nil, err
	}
	return cluster.New(cluster.Spec{
		Profile: p, Layer: l.layer, Nodes: n, Seed: l.seed, Build: monitor.Off, Tags: 1,
		Kinds: []trace.Kind{trace.Data}, Estimator: clock.Filtered, Oscillators: "reference",
	})
}

func (l lab) pair() (*labPair, error) {
	c, err := l.bare()
	if err != nil {
		return nil, err
	}
	procs, err := c.Processes(0, longest)
	return &labPair{c, procs}, err
}

// try runs programs on the two nodes; that they wait for ever is no error.
func (p *labPair) try(programs ...func(*host.Context)) (ended bool, err error) {
	var stuck *sim.DeadlockError
	if err = p.Run(programs...); errors.As(err, &stuck) {
		return false, nil
	}
	return err == nil, err
}

// lost is what both nodes have lost for good.
func lost(c *cluster.Cluster) (n uint64) {
	for _, node := range c.Nodes {
		for _, k := range node.Layer.Counts() {
			if k.Loss {
				n += k.N
			}
		}
	}
	return n
}

// count is a counter of a node's layer, 0 when it has none of the name.
func count(n *cluster.Node, name string) uint64 {
	for _, k := range n.Layer.Counts() {
		if k.Name == name {
			return k.N
		}
	}
	return 0
}

// mail is a process that sends and receives messages that carry a number.
type mail struct {
	*cluster.Process
	peer    int
	out, in host.Addr
}

func newMail(p *cluster.Process, bytes int) *mail {
	return &mail{p, 1 - p.Number, p.Endpoint.Buffer(bytes), p.Space.Alloc(int64(bytes))}
}

func (m *mail) send(c *host.Context, n int, number uint32) error {
	if !m.Endpoint.Traits().Synchronous {
		m.out = m.Endpoint.Buffer(n)
	}
	m.Space.Store32(m.out, number)
	return m.Endpoint.Send(c, m.peer, m.out, n, trace.Meta{Kind: trace.Message})
}

// receive returns the number of the next message.
func (m *mail) receive(c *host.Context, n int) (uint32, error) {
	if t := m.Endpoint.Traits(); t.PostFrom > 0 && n >= t.PostFrom {
		if err := m.Endpoint.Post(c, m.peer, m.in, n); err != nil {
			return 0, err
		}
	}
	into := m.in
	if m.Endpoint.Traits().InPlace {
		into = 0
	}
	got, err := m.Endpoint.Receive(c, m.peer, into, n)
	if err != nil {
		return 0, err
	}
	return m.Space.Load32(got.At), nil
}

// talk is what came of an exchange of messages.
type talk struct {
	sent, right int
	ended       bool  // both programs did
	stopped     error // that a call of the layer returned
}

func (t talk) whole() bool { return t.ended && t.stopped == nil && t.right == t.sent }

func (t talk) String() string {
	text := fmt.Sprintf("%d of %d messages were answered rightly", t.right, t.sent)
	switch {
	case t.stopped != nil:
		text += fmt.Sprintf("; the layer stops: %v", t.stopped)
	case !t.ended:
		text += "; both sides wait for ever"
	}
	return text
}

// exchange sends numbered messages of n bytes, each answered before the next.
func (p *labPair) exchange(messages, n int) (talk, error) {
	return p.talk(newMail(p.procs[0], n), newMail(p.procs[1], n), messages, n, nil)
}

// talk is exchange between two processes; before, if not nil, runs before each
// message of the first one.
func (p *labPair) talk(a, b *mail, messages, n int, before func(*host.Context, int)) (talk, error) {
	t := talk{sent: messages}
	fail := func(e error) bool {
		if e != nil && t.stopped == nil {
			t.stopped = e
		}
		return e != nil
	}
	var err error
	programs := make([]func(*host.Context), len(p.procs))
	programs[a.Number] = func(c *host.Context) {
		for i := range messages {
			if before != nil {
				before(c, i)
			}
			if fail(a.send(c, n, uint32(i+1))) {
				return
			}
			number, e := a.receive(c, n)
			if fail(e) {
				return
			}
			if number == uint32(i+1) {
				t.right++
			}
		}
	}
	programs[b.Number] = func(c *host.Context) {
		for range messages {
			number, e := b.receive(c, n)
			if fail(e) || fail(b.send(c, n, number)) {
				return
			}
		}
	}
	t.ended, err = p.try(programs...)
	return t, err
}

// model tells RPC by a request that is open until its peer polls, and the
// others by whether a second message takes the place of the first.
func (l lab) model() (finding, error) {
	p, err := l.pair()
	if err != nil {
		return finding{}, err
	}
	if q, ok := p.procs[0].Endpoint.(comm.Requester); ok {
		return l.answers(p, q)
	}
	a, b := newMail(p.procs[0], 64), newMail(p.procs[1], 64)
	var first uint32
	_, err = p.try(
		func(c *host.Context) { err = errors.Join(a.send(c, 64, 1), a.send(c, 64, 2)) },
		func(c *host.Context) {
			c.Sleep(sim.Millisecond)
			first, _ = b.receive(c, 64)
		})
	if err != nil {
		return finding{}, err
	}
	if first == 2 {
		return found("Direct Deposit", "the second message lies where the first one was, and no process looked")
	}
	return found("Send/Recv", "two messages wait; a receive gives the first of them")
}

func (l lab) answers(p *labPair, q comm.Requester) (finding, error) {
	peer := p.procs[1].Endpoint.(comm.Requester)
	ran, before, after := 0, 0, 0
	peer.Handle(1, func(_ *host.Context, k comm.Call) [4]uint32 { ran++; return k.Args })
	var failed error
	if _, err := p.try(
		func(c *host.Context) {
			for range 5 {
				failed = errors.Join(failed, q.Request(c, 1, 1, [4]uint32{7}))
			}
			c.Sleep(sim.Millisecond)
			before = q.Outstanding()
			for q.Outstanding() > 0 {
				q.Wait(c)
			}
			after = q.Outstanding()
		},
		func(c *host.Context) {
			c.Sleep(5 * sim.Millisecond)
			for ran < 5 {
				peer.Wait(c)
			}
			for range 100 { // answers to what comes late
				peer.Poll(c)
				c.Spend(10 * sim.Microsecond)
			}
		}); err != nil || failed != nil {
		return finding{}, errors.Join(err, failed)
	}
	if ran != 5 || before != 5 || after != 0 {
		return found("not RPC", "%d of 5 requests ran, %d were open before the peer polled, %d at the end", ran, before, after)
	}
	return found("RPC", "5 requests ran at the peer once it polled, and each had one reply")
}

// control looks at what a process learns of a message that has arrived.
func (l lab) control() (finding, error) {
	notice, err := l.notice()
	if err != nil {
		return finding{}, err
	}
	switch notice.word {
	case "Polling":
		return found("Combined", "data and notice come together: %s", notice.seen)
	case "N/A":
		return found("Separate", "data come by themselves: %s", notice.seen)
	}
	return found("Data Only", "%s", notice.seen)
}

// notice polls after a message has arrived.
func (l lab) notice() (finding, error) {
	p, err := l.pair()
	if err != nil {
		return finding{}, err
	}
	a, b := newMail(p.procs[0], 64), newMail(p.procs[1], 64)
	polled, waited := 0, sim.Duration(0)
	if _, err := p.try(
		func(c *host.Context) {
			err = errors.Join(a.send(c, 64, 1), a.send(c, 64, 2))
			for range 100 {
				a.Endpoint.Poll(c)
				c.Spend(20 * sim.Microsecond)
			}
		},
		func(c *host.Context) {
			c.Sleep(sim.Millisecond)
			polled = b.Endpoint.Poll(c)
			began := c.Now()
			_, _ = b.receive(c, 64)
			waited = c.Now().Sub(began)
		}); err != nil {
		return finding{}, err
	}
	if err != nil {
		return finding{}, err
	}
	if polled > 0 {
		return found("Polling", "a poll finds %d packets", polled)
	}
	if waited == 0 {
		return found("N/A", "a poll finds nothing and the data are in memory")
	}
	return found("None", "a poll finds nothing; a receive takes the message")
}

// intranode opens a second process on the receiver's node and lets it look for
// the first one's message.
func (l lab) intranode() (finding, error) {
	c, err := l.bare()
	if err != nil {
		return finding{}, err
	}
	procs, err := c.Processes(0, longest)
	if err != nil {
		return finding{}, err
	}
	other, err := c.Nodes[1].Layer.Open(host.NewSpace("other", c.Nodes[1].Frames), 1)
	if err != nil {
		return found("Yes", "no second process gets at the interface: %v", err)
	}
	p := &labPair{c, procs}
	a := newMail(procs[0], 64)
	stolen := false
	if _, err := p.try(
		func(x *host.Context) { err = a.send(x, 64, 1) },
		func(x *host.Context) {
			if _, refused := other.Receive(x, 0, other.Buffer(64), 64); refused == nil {
				stolen = true
			}
		}); err != nil {
		return finding{}, err
	}
	if stolen {
		return found("No", "another process of the node took the message")
	}
	return found("Yes", "another process of the node sees nothing of the message")
}

// internode lets a process that the receiver has agreed nothing with send to it.
func (l lab) internode() (finding, error) {
	c, err := l.bare()
	if err != nil {
		return finding{}, err
	}
	space := host.NewSpace("stranger", c.Nodes[0].Frames)
	stranger, err := c.Nodes[0].Layer.Open(space, 5)
	if err != nil {
		return finding{}, err
	}
	victim, err := c.Nodes[1].Layer.Open(host.NewSpace("victim", c.Nodes[1].Frames), 0)
	if err != nil {
		return finding{}, err
	}
	p := &labPair{Cluster: c}
	var refused error
	got := false
	_, err = p.try(
		func(x *host.Context) {
			refused = stranger.Send(x, 1, stranger.Buffer(64), 64, trace.Meta{Kind: trace.Message})
		},
		func(x *host.Context) {
			x.Sleep(sim.Millisecond)
			if _, err := victim.Receive(x, 0, victim.Buffer(64), 64); err == nil {
				got = true
			}
		})
	switch {
	case err != nil:
		return finding{}, err
	case got:
		return found("No", "the receiver takes the message of a process of another program")
	case refused != nil:
		return found("Yes", "the send is refused: %v", refused)
	}
	return found("Yes", "the receiver's side refuses it: %d refused", count(c.Nodes[1], "refused"))
}

// multiprogramming opens two processes on both nodes and lets both pairs
// exchange messages.
func (l lab) multiprogramming() (finding, error) {
	c, err := l.bare()
	if err != nil {
		return finding{}, err
	}
	var programs []*labPair
	for tag := range trace.Tag(2) {
		procs, err := c.Processes(tag, 64)
		if err != nil {
			return found("No", "%v", err)
		}
		programs = append(programs, &labPair{c, procs})
	}
	total := 0
	for _, p := range programs {
		t, err := p.exchange(10, 64)
		if err != nil {
			return finding{}, err
		}
		total += t.right
	}
	if total != 20 {
		return found("No", "%d of 20 messages of two programs were answered", total)
	}
	return found("Yes", "20 messages of two programs were answered")
}

// overflow sends messages to a process that takes none for long.
func (l lab) overflow() (finding, error) {
	p, err := l.pair()
	if err != nil {
		return finding{}, err
	}
	const messages, n = 1500, 64
	const late = sim.Time(30 * sim.Millisecond)
	a, b := newMail(p.procs[0], n), newMail(p.procs[1], n)
	sent, received := sim.Never, 0
	var failed error
	_, err = p.try(
		func(c *host.Context) {
			for i := range messages {
				if failed = errors.Join(failed, a.send(c, n, uint32(i+1))); failed != nil {
					return
				}
			}
			sent = c.Now()
		},
		func(c *host.Context) {
			c.Sleep(late.Sub(0))
			if !b.Endpoint.Traits().Consumes {
				return
			}
			for range messages {
				if _, e := b.receive(c, n); e != nil {
					return
				}
				received++
			}
		})
	if err = errors.Join(err, failed); err != nil {
		return finding{}, err
	}
	gone, rejected := lost(p.Cluster), count(p.Nodes[0], "rejected")+count(p.Nodes[1], "rejected")
	seen := fmt.Sprintf("of %d messages for a process that slept, %d received later, %d lost, %d rejected and sent again; the sender was done %s",
		messages, received, gone, rejected, map[bool]string{true: "before the receiver woke", false: "only then"}[sent < late])
	switch {
	case gone > 0:
		return finding{"Data Loss", seen}, nil
	case !b.Endpoint.Traits().Consumes:
		return finding{"Impossible", seen + ": no buffer of the layer's own lies between"}, nil
	case received == messages && rejected > 0:
		return finding{"Tolerated", seen}, nil
	case received == messages && sent > late:
		return finding{"Prevented", seen}, nil
	}
	return finding{"unclear", seen}, nil
}

// hurt damages the k-th packet with data that node 0 sends.
func hurt(c *cluster.Cluster, k int) {
	n := 0
	c.Net.DropWhen(func(p *fabric.Packet) bool {
		if p.Src == 0 && p.Header.Meta.Kind.CarriesRequest() {
			if n++; n == k {
				p.CRCError = true
			}
		}
		return false
	})
}

// damage spoils the third message of twenty.
func (l lab) damage() (finding, error) {
	p, err := l.pair()
	if err != nil {
		return finding{}, err
	}
	hurt(p.Cluster, 3)
	t, err := p.exchange(20, 64)
	if err != nil {
		return finding{}, err
	}
	if t.whole() {
		return found("Tolerated", "%v", t)
	}
	return found("Catastrophic", "%v; %d packets lost for good", t, lost(p.Cluster))
}

// reliability says who repairs a damaged packet.
func (l lab) reliability() (finding, error) {
	p, err := l.pair()
	if err != nil {
		return finding{}, err
	}
	hurt(p.Cluster, 3)
	before := p.Nodes[0].Host.Stats()
	t, err := p.exchange(20, 64)
	if err != nil {
		return finding{}, err
	}
	copied := p.Nodes[0].Host.Stats().Copied - before.Copied
	repeated := count(p.Nodes[0], "repeated")
	switch {
	case !t.whole():
		return found("None", "%v", t)
	case copied == 0:
		return found("Firmware", "repaired by %d packets sent again, and the host copied nothing", repeated)
	}
	return found("Library+Copy", "repaired by %d packets sent again from copies of the library: the host copied %d B", repeated, copied)
}

// moved is what one long message made a node move.
type moved struct {
	dmas    uint64
	copied  uint64
	stored  uint64 // bytes of programmed I/O
	sending sim.Duration
	n       int
	plain   sim.Duration // what storing the message word by word takes
}

// long sends one long message from ordinary memory to ordinary memory.
func (l lab) long() (out [2]moved, err error) {
	p, err := l.pair()
	if err != nil {
		return out, err
	}
	n := 8 << 10
	if most := p.procs[0].Endpoint.Traits().MaxBytes; most > 0 {
		n = min(n, most)
	}
	a, b := p.procs[0], p.procs[1]
	from, into := a.Space.Alloc(int64(n)), b.Space.Alloc(int64(n))
	if b.Endpoint.Traits().Model == comm.DirectDeposit {
		into = 0 // there is no receive that could copy
	}
	before := [2]moved{stateOf(p.Nodes[0]), stateOf(p.Nodes[1])}
	var failed error
	var took sim.Duration
	posted := false
	if _, err = p.try(
		func(c *host.Context) {
			for !posted {
				c.Spend(10 * sim.Microsecond)
			}
			began := c.Now()
			failed = errors.Join(failed, a.Endpoint.Send(c, 1, from, n, trace.Meta{Kind: trace.Message}))
			took = c.Now().Sub(began)
		},
		func(c *host.Context) {
			if b.Endpoint.Traits().PostFrom > 0 {
				failed = errors.Join(failed, b.Endpoint.Post(c, 0, into, n))
			}
			posted = true
			_, e := b.Endpoint.Receive(c, 0, into, n)
			failed = errors.Join(failed, e)
		}); err != nil || failed != nil {
		return out, errors.Join(err, failed)
	}
	for i, node := range p.Nodes {
		now := stateOf(node)
		out[i] = moved{dmas: now.dmas - before[i].dmas, copied: now.copied - before[i].copied, stored: now.stored - before[i].stored, n: n}
	}
	out[0].sending, out[0].plain = took, p.Nodes[0].Host.PIOWriteTime(n/4, false)
	return out, nil
}

func stateOf(n *cluster.Node) moved {
	s := n.Host.Stats()
	return moved{dmas: n.NIC.Stats().HostDMAs, copied: s.Copied, stored: 4 * s.Stored}
}

func (m moved) String() string {
	return fmt.Sprintf("for %d B: %d host DMAs, %d B copied, %d B stored by programmed I/O", m.n, m.dmas, m.copied, m.stored)
}

func (l lab) sendPath() (finding, error) {
	m, err := l.long()
	if err != nil {
		return finding{}, err
	}
	switch s := m[0]; {
	case s.stored >= uint64(s.n) && s.sending < s.plain:
		return found("PIO(WC)", "%v in %v; uncombined stores would take %v", s, s.sending, s.plain)
	case s.stored >= uint64(s.n):
		return found("PIO", "%v", s)
	case s.copied >= uint64(s.n):
		return found("DMA+Copy", "%v", s)
	default:
		return found("DMA+v2p trans", "%v: the engine reads the program's own pages", s)
	}
}

func (l lab) receivePath() (finding, error) {
	m, err := l.long()
	if err != nil {
		return finding{}, err
	}
	switch r := m[1]; {
	case r.dmas == 0:
		return found("PIO", "%v", r)
	case r.copied >= uint64(r.n):
		return found("DMA+Copy", "%v", r)
	default:
		return found("DMA+v2p trans", "%v: the engine writes the program's own pages", r)
	}
}

// shortByPIO reports whether a message of 4 B leaves the sender without a host DMA.
func (l lab) shortByPIO(context.Context) (bool, error) {
	p, err := l.pair()
	if err != nil {
		return false, err
	}
	a, b := newMail(p.procs[0], 64), newMail(p.procs[1], 64)
	before := p.Nodes[0].NIC.Stats().HostDMAs
	during := before
	if _, err := p.try(
		func(c *host.Context) {
			err = a.send(c, 4, 1)
			c.Spend(sim.Millisecond) // nothing comes back before the receiver looks
			during = p.Nodes[0].NIC.Stats().HostDMAs
			for range 100 {
				a.Endpoint.Poll(c)
				c.Spend(10 * sim.Microsecond)
			}
		},
		func(c *host.Context) {
			c.Sleep(2 * sim.Millisecond)
			_, _ = b.receive(c, 4)
		}); err != nil {
		return false, err
	}
	return during == before, err
}
