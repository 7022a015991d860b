// Package ideal is an ideal network for shared memory, without interfaces,
// links or contention. Every message takes a constant time, a time per byte and
// a random delay. It gives a lower bound on the cost of a program's messages,
// and tests run on it.
package ideal

import (
	"fmt"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/trace"
)

// Spec describes the network.
type Spec struct {
	SendCost sim.Duration // CPU time of each send
	Latency  sim.Duration
	Rate     sim.Rate     // bytes/s
	Jitter   sim.Duration // upper bound of each message's random delay; links stay in order
	Damage   int          // one page in this many arrives with a wrong bit; 0: none
}

// Network connects the members of a system.
type Network struct {
	engine *sim.Engine
	spec   Spec
	random sim.Stream
	nodes  []*Port
	links  []link // from*nodes + to
	pages  int
	Broken int // pages that were damaged
}

// link is the connection from one node to another.
type link struct {
	queue []packet
	head  int
	last  sim.Time
}

type packet struct {
	class svm.Class
	page  svm.Page
	frame *svm.Frame // of a deposit
	bytes []byte     // of a message
}

// Port is one node's end.
type Port struct {
	svm.Expected
	net    *Network
	id     int
	member *svm.Member
	watch  host.Watch
	inbox  svm.Inbox
}

// Connect attaches all members of a system to hosts and to a new network.
func Connect(e *sim.Engine, s *svm.System, hosts []*host.Host, spec Spec) (*Network, error) {
	if len(hosts) != s.Layout().Nodes() {
		return nil, fmt.Errorf("ideal: %d hosts, want %d", len(hosts), s.Layout().Nodes())
	}
	if spec.Rate == 0 {
		return nil, fmt.Errorf("ideal: Rate = 0, want bytes per second")
	}
	n := &Network{engine: e, spec: spec, random: e.Stream("svm/ideal"), links: make([]link, len(hosts)*len(hosts))}
	for i, h := range hosts {
		p := &Port{net: n, id: i, member: s.Member(i)}
		n.nodes = append(n.nodes, p)
		p.member.Attach(h, p)
	}
	return n, nil
}

// Send implements svm.Transport.
func (p *Port) Send(c *host.Context, to int, meta trace.Meta, b []byte, class svm.Class) error {
	buf := append(p.inbox.Buffer(), b...)
	c.Spend(p.net.spec.SendCost)
	p.net.post(p.id, to, len(buf), packet{class: class, bytes: buf})
	return nil
}

// Deposit implements svm.Transport.
func (p *Port) Deposit(c *host.Context, to int, meta trace.Meta, page svm.Page, f *svm.Frame) error {
	c.Spend(p.net.spec.SendCost)
	p.net.post(p.id, to, svm.PageSize, packet{page: page, frame: f})
	return nil
}

func (n *Network) post(from, to, bytes int, k packet) {
	i := from*len(n.nodes) + to
	l := &n.links[i]
	at := n.engine.Now().Add(n.spec.Latency + n.spec.Rate.Time(bytes) + n.random.Upto(n.spec.Jitter))
	l.last = max(l.last, at)
	l.queue = append(l.queue, k)
	n.engine.At(l.last, n, 0, uint64(i))
}

// Act delivers the oldest packet of a link.
func (n *Network) Act(_ uint32, arg uint64) {
	l := &n.links[arg]
	k := l.queue[l.head]
	l.queue[l.head] = packet{}
	if l.head++; l.head == len(l.queue) {
		l.queue, l.head = l.queue[:0], 0
	}
	from, to := int(arg)/len(n.nodes), int(arg)%len(n.nodes)
	n.nodes[to].deliver(from, k)
}

func (p *Port) deliver(from int, k packet) {
	if k.frame != nil {
		f := p.Frame(k.page)
		if f == nil {
			panic(fmt.Sprintf("ideal: page %d arrives at node %d at %v, where no frame is named for it", k.page, p.id, p.net.engine.Now()))
		}
		copy(f.Bytes(), k.frame.Bytes())
		p.net.damage(f)
		p.inbox.Land(from, k.page)
		p.watch.Fire()
		return
	}
	p.inbox.Put(k.class, from, k.bytes)
	if k.class == svm.Request {
		p.member.Notify()
	} else {
		p.watch.Fire()
	}
}

// damage flips a bit of one page in Damage, like corruption that the checksum
// does not detect.
func (n *Network) damage(f *svm.Frame) {
	n.pages++
	if n.spec.Damage > 0 && n.pages%n.spec.Damage == 0 {
		n.Broken++
		f.Bytes()[n.random.Below(svm.PageSize)] ^= 0x10
	}
}

// Receive implements svm.Transport.
func (p *Port) Receive(_ *host.Context, class svm.Class) (svm.Received, bool) {
	return p.inbox.Take(class)
}

// Watch implements svm.Transport.
func (p *Port) Watch() *host.Watch { return &p.watch }

// Wait implements svm.Transport.
func (p *Port) Wait(c *host.Context, reason string) { c.Spin(&p.watch, reason) }
