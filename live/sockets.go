package live

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/live/stamps"
)

// Setup is what a node has to know before it opens sockets.
type Setup struct {
	Spec  Spec   `json:"spec"`
	Node  int    `json:"node"`
	Nodes int    `json:"nodes"`
	Token uint64 `json:"token"` // in each message of the run
	Ways  []Way  `json:"-"`     // by node
	// Mirror is a run by which node 0 measures LogP parameters: the other node reacts to its messages. They
	// have no stamps, and there are no probes.
	Mirror bool `json:"mirror,omitempty"`
	// ClocksOnly is a session in which clocks are compared, and nodes exchange no messages.
	ClocksOnly bool `json:"clocks_only,omitempty"`
	// Rate is how many messages a second the node may send that a mirror is asked for in bursts; 0: any
	// number.
	Rate float64 `json:"-"`
	// Schedule is what the node sends, if a run is replayed. It is told after sockets are open.
	Schedule []Message `json:"-"`
}

// Way is by which addresses a node and another one reach each other.
type Way struct{ Here, There netip.Addr }

// Ports are those of a node, by the node at the other end. 0: the other one opens it, or there is none.
type Ports struct {
	Messages []uint16 `json:"messages"`
	Probes   []uint16 `json:"probes"`
}

// options are those of the sockets of messages. LogP parameters are measured without stamps, which would be
// part of the overhead.
func (s *Setup) options() stamps.Options {
	o := s.Spec.options()
	o.Sending, o.Arriving = !s.Mirror, !s.Mirror
	return o
}

// mostNodes is how many nodes a run may have.
const mostNodes = 64

// Validate returns an error that names the first field that is wrong.
func (s *Setup) Validate() error {
	if err := s.Spec.Validate(); err != nil {
		return err
	}
	switch {
	case s.Nodes < 2 || s.Nodes > mostNodes:
		return bounds.Wrong("nodes", s.Nodes, "2 to %d", mostNodes)
	// Round trips and streams are between nodes 0 and 1.
	case s.Nodes > 2 && !s.Spec.amongAll():
		return bounds.Wrong("nodes", s.Nodes, "2 for %s", s.Spec.Pattern)
	case s.Mirror && s.Spec.Pattern != PingPong:
		return bounds.Wrong("pattern", s.Spec.Pattern, "%s for LogP parameters", PingPong)
	case s.Node < 0 || s.Node >= s.Nodes:
		return bounds.Wrong("node", s.Node, "0 to %d", s.Nodes-1)
	}
	return nil
}

// Sockets are those of one node, which its peers do not know yet.
type Sockets struct {
	setup     Setup
	datagrams []*net.UDPConn     // by node
	listeners []*net.TCPListener // by node; nil: this node dials
	probes    []*net.UDPConn     // by node: of node 0 to each other one
	card      bool               // stamps too
}

// Open opens the sockets of a node. Node 1 exchanges messages with node 0, and in some patterns all nodes do
// with all. It returns an error if the setup is wrong or a socket cannot be had; it has closed all others then.
func Open(setup Setup) (*Sockets, error) {
	if err := setup.Validate(); err != nil {
		return nil, err
	}
	n := setup.Nodes
	s := &Sockets{setup: setup, datagrams: make([]*net.UDPConn, n), listeners: make([]*net.TCPListener, n), probes: make([]*net.UDPConn, n), card: cardStamps(setup.Ways, setup.Node)}
	for peer, way := range setup.Ways {
		if err := s.open(peer, way); err != nil {
			return nil, errors.Join(fmt.Errorf("socket for node %d: %w", peer, err), s.Close())
		}
	}
	return s, nil
}

// open opens the sockets for one peer: one for probes if either is node 0, and one for messages if they
// exchange any. Of TCP the node with the higher number listens, and the other one dials.
func (s *Sockets) open(peer int, way Way) (err error) {
	self := s.setup.Node
	// Any port: the peer is told which one it became.
	any := netip.AddrPortFrom(way.Here, 0)
	if peer != self && min(peer, self) == 0 && !s.setup.Mirror {
		if s.probes[peer], err = net.ListenUDP("udp", net.UDPAddrFromAddrPort(any)); err != nil {
			return err
		}
	}
	switch {
	case peer == self || !s.setup.linked(self, peer):
	case s.setup.Spec.Protocol != stamps.TCP:
		s.datagrams[peer], err = net.ListenUDP("udp", net.UDPAddrFromAddrPort(any))
	case peer < self:
		s.listeners[peer], err = net.ListenTCP("tcp", net.TCPAddrFromAddrPort(any))
	}
	return err
}

// cardStamps tells whether all of a node's messages go through one card that stamps them.
func cardStamps(ways []Way, node int) bool {
	var through *net.Interface
	for peer, way := range ways {
		if peer == node {
			continue
		}
		i := interfaceAt(way.Here)
		// Stamps of two cards would be of two clocks.
		if i == nil || through != nil && i.Index != through.Index {
			return false
		}
		through = i
	}
	return through != nil && stamps.CardOf(through.Name) == stamps.CardOn
}

// linked tells whether two nodes exchange messages.
func (s *Setup) linked(a, b int) bool { return !s.ClocksOnly && s.Spec.linked(a, b) }

// linked tells whether two nodes exchange messages in a pattern.
func (s *Spec) linked(a, b int) bool { return s.amongAll() || a+b == 1 }

// Replay gives the node what it is to send, if a run is replayed that this process has not read. It returns an
// error that names the first message which the node cannot send.
func (s *Sockets) Replay(messages []Message) error {
	s.setup.Spec.schedule = &schedule{nodes: make([][]Message, s.setup.Nodes)}
	s.setup.Spec.schedule.nodes[s.setup.Node] = messages
	return checkMessages(messages, s.setup.Node, s.setup.Nodes)
}

// Ports returns those that the peers have to know.
func (s *Sockets) Ports() Ports {
	p := Ports{make([]uint16, s.setup.Nodes), make([]uint16, s.setup.Nodes)}
	for i := range s.setup.Nodes {
		if c := s.datagrams[i]; c != nil {
			p.Messages[i] = c.LocalAddr().(*net.UDPAddr).AddrPort().Port()
		}
		if l := s.listeners[i]; l != nil {
			p.Messages[i] = l.Addr().(*net.TCPAddr).AddrPort().Port()
		}
		if c := s.probes[i]; c != nil {
			p.Probes[i] = c.LocalAddr().(*net.UDPAddr).AddrPort().Port()
		}
	}
	return p
}

// patient is how long peers may take to connect.
const patient = 10 * time.Second

// Connect connects each socket to the one peer that it is for, of which it knows the ports for this node. The
// result hands over what it records to take. It returns an error if ports are missing, or if a peer does not
// connect within patient; the sockets are closed then.
func (s *Sockets) Connect(ctx context.Context, peers []Ports, take func(Batch)) (*End, error) {
	n := s.setup.Nodes
	if len(peers) != n || slices.ContainsFunc(peers, func(p Ports) bool { return len(p.Messages) != n || len(p.Probes) != n }) {
		return nil, errors.Join(fmt.Errorf("ports that are not of %d nodes", n), s.Close())
	}
	ctx, cancel := context.WithTimeout(ctx, patient)
	defer cancel()
	e := newEnd(s.setup.Node, s.setup.Spec, make([]*link, s.setup.Nodes), take)
	e.probes, e.token = make([]*stamps.Socket, s.setup.Nodes), s.setup.Token
	// Half of the rate becomes free each second, and half may be sent at once; see allowance.
	e.mirror, e.bursts = s.setup.Mirror, allowance{rate: s.setup.Rate / 2}
	err := func() error {
		for peer := range peers {
			if err := s.connect(ctx, e, peer, peers[peer]); err != nil {
				return fmt.Errorf("connection to node %d: %w", peer, err)
			}
		}
		return nil
	}()
	// Close leaves the sockets that the end has taken over: those the end closes.
	if err = errors.Join(err, s.Close()); err != nil {
		e.Abort()
		_, _ = e.Stop()
		return nil, err
	}
	return e, nil
}

// connect connects the sockets for one peer and gives them to the end.
func (s *Sockets) connect(ctx context.Context, e *End, peer int, ports Ports) error {
	self := s.setup.Node
	there := s.setup.Ways[peer].There
	if c := s.probes[peer]; c != nil {
		err := stamps.Connect(c, netip.AddrPortFrom(there, ports.Probes[self]))
		if err != nil {
			return err
		}
		s.probes[peer] = nil // the new socket takes it over
		if e.probes[peer], err = stamps.New(c, stamps.UDP, stamps.Options{Sending: true, Arriving: true, Card: s.card}); err != nil {
			return err
		}
	}
	if peer == self || !s.setup.linked(self, peer) {
		return nil
	}
	c, err := s.connection(ctx, peer, netip.AddrPortFrom(there, ports.Messages[self]))
	if err != nil {
		return err
	}
	o := s.setup.options()
	o.Card = s.card && !s.setup.Mirror
	socket, err := stamps.New(c, s.setup.Spec.Protocol, o)
	if err != nil {
		return err
	}
	e.links[peer] = newLink(socket, peer, s.setup.Token, s.setup.Spec.Protocol)
	return nil
}

// connection returns the connection for messages to a peer. Who dials sends the token first, by which the peer
// knows it.
func (s *Sockets) connection(ctx context.Context, peer int, there netip.AddrPort) (stamps.Connection, error) {
	if c := s.datagrams[peer]; c != nil {
		s.datagrams[peer] = nil
		return c, stamps.Connect(c, there)
	}
	if l := s.listeners[peer]; l != nil {
		// This node has the higher number, and listens.
		return accept(ctx, l, there.Addr(), s.setup.Token)
	}
	// From the address by which the peer knows this node: accept refuses others.
	here := net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(s.setup.Ways[peer].Here, 0))}
	c, err := here.DialContext(ctx, "tcp", there.String())
	if err != nil {
		return nil, err
	}
	_, err = c.Write(binary.BigEndian.AppendUint64(nil, s.setup.Token))
	return c.(*net.TCPConn), err
}

// accept waits for the connection that comes from an address and begins with a token. Others are
// closed.
func accept(ctx context.Context, l *net.TCPListener, from netip.Addr, token uint64) (*net.TCPConn, error) {
	// Connect has set it.
	until, _ := ctx.Deadline()
	if err := l.SetDeadline(until); err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	right := make(chan *net.TCPConn)
	failed := make(chan error, 1)
	done := make(chan struct{})
	// Connections that come later are closed, so that no goroutine waits for ever.
	defer close(done)
	go func() {
		for {
			c, err := l.AcceptTCP()
			if err != nil {
				failed <- err
				return
			}
			go func() {
				// A connection that says nothing holds up no other one: each is read by its own goroutine.
				if begins(c, from, token, until) {
					select {
					case right <- c:
						return
					case <-done:
					}
				}
				_ = c.Close()
			}()
		}
	}()
	select {
	case c := <-right:
		return c, l.Close()
	case err := <-failed:
		return nil, err
	}
}

// begins tells whether a connection is from an address and begins with a token.
func begins(c *net.TCPConn, from netip.Addr, token uint64, until time.Time) bool {
	// An address may be written as one of version 4 or as mapped into version 6.
	if c.RemoteAddr().(*net.TCPAddr).AddrPort().Addr().Unmap() != from.Unmap() || c.SetReadDeadline(until) != nil {
		return false
	}
	var first [8]byte
	for n := 0; n < len(first); {
		k, err := c.Read(first[n:])
		if err != nil {
			return false
		}
		n += k
	}
	return binary.BigEndian.Uint64(first[:]) == token && c.SetReadDeadline(time.Time{}) == nil
}

// Close closes the sockets that no End has taken over.
func (s *Sockets) Close() (err error) {
	for i := range s.setup.Nodes {
		for _, c := range []*net.UDPConn{s.datagrams[i], s.probes[i]} {
			if c != nil {
				err = errors.Join(err, c.Close())
			}
		}
		if l := s.listeners[i]; l != nil {
			// accept has closed its listener.
			if failed := l.Close(); !errors.Is(failed, net.ErrClosed) {
				err = errors.Join(err, failed)
			}
		}
	}
	return err
}

// newToken returns a random number that no other run has, so that stray messages are noticed.
func newToken() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return binary.BigEndian.Uint64(b[:])
}
