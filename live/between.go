package live

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/sigview/sigview/trace"
)

// Peer is a node of a run on another host.
type Peer interface {
	Node
	// Way returns by which addresses this host and the peer reach each other.
	Way() Way
	// Open opens the peer's sockets.
	Open(Setup) (Ports, Host, error)
	// Connect connects them. From now on take gets what the peer records, and failed, once, why it
	// does not go on.
	Connect(ports []Ports, take func(Batch), failed func(error)) error
}

// Between runs node 0 in this process, which exchanges messages with peers, and those with each other if the
// pattern wants it. connect makes connections to the first so many of them, and the function that ends them. In
// an open loop, round trips of the same sizes with the first peer after it are the baseline.
//
// It returns an error if the specification is wrong, if a peer cannot be reached or fails, or if ctx ends.
func Between(ctx context.Context, spec Spec, peers int, connect func(peers int) ([]Peer, func(), error), watch Watch) (*trace.Run, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	spec, err := spec.filled(1 + peers)
	if err != nil {
		return nil, err
	}
	return besideIdle(ctx, spec, peers, watch, func(spec Spec, most int, watch Watch) (*trace.Run, error) {
		peers, end, err := connect(most)
		if err != nil {
			return nil, err
		}
		defer end()
		return between(ctx, spec, peers, watch)
	})
}

// between makes one run: it opens all sockets, connects them, probes clocks, exchanges messages and makes
// tables.
func between(ctx context.Context, spec Spec, peers []Peer, watch Watch) (*trace.Run, error) {
	setup := setupWith(spec, peers)
	if err := setup.Validate(); err != nil {
		return nil, err
	}
	sockets, hosts, ports, err := openAll(setup, peers)
	if err != nil {
		return nil, err
	}
	began, clocks := time.Now(), newTracker(setup.Nodes)
	c, err := newCollector(setup.Nodes, int(slices.Max(spec.Sizes)), clocks, began.UnixNano())
	if err != nil {
		return nil, errors.Join(err, sockets.Close())
	}
	ctx, fail, end := failing(ctx)
	defer end()
	self, err := connectAll(ctx, sockets, peers, ports, c.Take, fail)
	if err != nil {
		return nil, err
	}
	probes := newProber(self.probes, setup.Token, clocks.Add)
	// A first burst of probes comes before the messages, so that a short run has a line.
	probes.start(ctx)
	nodes := []Node{self}
	for _, p := range peers {
		nodes = append(nodes, p)
	}
	r := result{spec: spec, nodes: setup.Nodes, collector: c, hosts: hosts, clocks: clocks}
	r.counts, err = exchange(ctx, fail, spec, nodes, r.watched(watch, began), func() { r.lost = probes.close() })
	r.spoilt, r.took = stepped(r.counts), time.Since(began)
	if err != nil {
		return nil, err
	}
	// The last window has ended: times up to now can be converted.
	clocks.Close()
	return tables(r)
}

// setupWith is that of node 0. Way 0 is its own and stays empty.
func setupWith(spec Spec, peers []Peer) Setup {
	s := Setup{Spec: spec, Nodes: 1 + len(peers), Token: newToken(), Ways: make([]Way, 1, 1+len(peers))}
	for _, p := range peers {
		s.Ways = append(s.Ways, p.Way())
	}
	return s
}

// openAll opens the sockets of all nodes. Index 0 of its results is this host. It closes its own if a peer
// fails.
func openAll(setup Setup, peers []Peer) (s *Sockets, hosts []Host, ports []Ports, err error) {
	if s, err = Open(setup); err != nil {
		return nil, nil, nil, err
	}
	hosts, ports = []Host{ThisHost(setup.Ways[1].Here)}, []Ports{s.Ports()}
	for i, p := range peers {
		theirs := setup
		theirs.Node, theirs.Schedule = 1+i, setup.Spec.schedule.of(1+i)
		port, host, err := p.Open(theirs)
		if err != nil {
			return nil, nil, nil, errors.Join(err, s.Close())
		}
		hosts, ports = append(hosts, host), append(ports, port)
	}
	return s, hosts, ports, nil
}

// connectAll connects the sockets of all nodes. The first error is the one of those that it makes.
func connectAll(ctx context.Context, s *Sockets, peers []Peer, ports []Ports, take func(Batch), fail func(error)) (self *End, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// All nodes connect at once, because each waits for the others: one after the other would never end.
	results := make(chan error, len(peers))
	for _, p := range peers {
		go func() { results <- p.Connect(ports, take, fail) }()
	}
	own := make(chan error, 1)
	go func() {
		var err error
		self, err = s.Connect(ctx, ports, take)
		own <- err
	}()
	connected := false
	for left := len(peers); err == nil && (left > 0 || !connected); {
		select {
		case err = <-results:
			left--
		case err = <-own:
			connected = true
		}
	}
	if err == nil {
		return self, nil
	}
	cancel()
	// The own sockets are still being connected; cancel ends that.
	if !connected {
		<-own
	}
	if self != nil {
		_, _ = self.Stop()
	}
	return nil, err
}
