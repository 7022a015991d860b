package live

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/sigview/sigview/analysis/collect"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/trace"
)

// Collector joins the records of both ends of each message and files the latencies in histograms. Its memory
// does not grow with the number of messages. Its methods may be called by any thread.
type Collector struct {
	clock   Clock
	origin  int64 // ns of node 0's clock: when the run began
	mu      sync.Mutex
	banks   []*histo.Bank // by node
	packets *trace.Joiner // nil: single messages are not kept
	waiting map[key]*half // messages of which one end is known
	latest  int64         // ns of node 0's clock: T1 or T6 of the latest record
	numbers []uint32      // by sender: the number of its next packet
	had     [3]bool       // whether any message had the stamp: sched, hand, kernel
	cards   []carded      // by node
	missing Missing
	held    []Batch // records that lie after the last line of their node's clock
}

// Missing counts what is missing of recorded messages.
type Missing struct {
	Sched, Hand, Kernel uint64 // messages without this stamp although others have it
	Card                uint64 // messages without a stamp of a card that stamps
	Ends                uint64 // messages of which only one end has a record
	Doubled             uint64 // records of messages that had one
}

// key identifies a message.
type key struct {
	from, to int32
	seq      uint32
}

// half is the end of a message that is known first. Invariant: one of sent and received is nil.
type half struct {
	sent     *Sending
	received *Receipt
	at       int64 // by node 0's clock
}

// carded says whose stamps of a node are used. Its first message decides.
type carded uint8

const (
	undecided carded = iota
	byKernel
	byCard
)

// Latencies are binned by 200 ns up to 1.6 ms. Means are exact.
const (
	binNs   = 200
	topBins = 8192
)

// sizeRows is how many ranges of sizes the histograms tell apart at most.
const sizeRows = 128

// newCollector collects a run of nodes, with messages of at most so many bytes, that began at a time of node
// 0's clock. It returns an error if there is no layout of histograms for so many nodes.
func newCollector(nodes, most int, clock Clock, origin int64) (*Collector, error) {
	// Ticks are ns. The budget is not that of an interface: it only has to suffice.
	// SizeBytes is the least multiple of 32 with which sizes make at most sizeRows ranges.
	spec := histo.Spec{
		BudgetBytes: 1 << 30, TickHz: 1e9, Tags: 1, Nodes: nodes, Kinds: []trace.Kind{trace.Data},
		MaxBytes: most, SizeBytes: min(most, 32*((most-1)/(32*sizeRows)+1)), LatencyTop: topBins, Dims: histo.AllDims &^ histo.SumsBySequence, Variance: true,
	}
	for i := range spec.LatencyNs {
		spec.LatencyNs[i] = binNs
	}
	layout, err := histo.Plan(spec)
	if err != nil {
		return nil, err
	}
	c := &Collector{clock: clock, origin: origin, packets: trace.NewJoiner(), waiting: map[key]*half{}, numbers: make([]uint32, nodes), cards: make([]carded, nodes)}
	for range nodes {
		c.banks = append(c.banks, histo.New(layout))
	}
	return c, nil
}

// Take takes records of an end. It holds them until their times can be converted.
func (c *Collector) Take(b Batch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = append(c.held, b)
	c.release(false)
}

// release takes the records that are held, all of them or those whose times can be converted.
func (c *Collector) release(all bool) {
	n := 0
	// Those that stay move to the front, in their order.
	for _, b := range c.held {
		if all || c.ready(b) {
			c.take(b)
		} else {
			c.held[n] = b
			n++
		}
	}
	clear(c.held[n:])
	c.held = c.held[:n]
}

// ready reports whether the latest time of a batch can be converted to node 0's clock, and so all others.
func (c *Collector) ready(b Batch) bool {
	at := int64(0)
	// Lists are in the order of time, so that the last one is the latest.
	if n := len(b.Sent); n > 0 {
		at = b.Sent[n-1].Hand
	}
	if n := len(b.Received); n > 0 {
		at = max(at, b.Received[n-1].User)
	}
	return c.clock.Ready(b.Node, at)
}

// take matches the records of a batch with those of the other ends.
func (c *Collector) take(b Batch) {
	for i := range b.Sent {
		s := &b.Sent[i]
		c.match(key{int32(b.Node), int32(s.To), s.Seq}, half{sent: s, at: c.global(b.Node, s.Begun)})
	}
	for i := range b.Received {
		r := &b.Received[i]
		c.match(key{int32(r.From), int32(b.Node), r.Seq}, half{received: r, at: c.global(b.Node, r.User)})
	}
	c.forget()
}

// global converts a time of a node's clock to node 0's, in ns.
func (c *Collector) global(node int, at int64) int64 {
	t, _ := c.clock.Convert(node, at)
	return t
}

// match files a message if its other end is known, and otherwise waits for that. A second record of the same
// end counts as doubled and is dropped.
func (c *Collector) match(k key, h half) {
	c.latest = max(c.latest, h.at)
	other := c.waiting[k]
	switch {
	case other == nil:
		c.waiting[k] = &h
		return
	case other.sent == nil && h.sent != nil:
		h.received = other.received
	case other.received == nil && h.received != nil:
		h.sent = other.sent
	default: // the network has doubled the message
		c.missing.Doubled++
		return
	}
	delete(c.waiting, k)
	c.file(k, h.sent, h.received)
}

// The other end of a message is waited for as long as this, and for so many messages at least.
const (
	longest = 10e9 // ns
	many    = 1 << 16
)

// forget gives up messages of which the other end has been waited for too long.
func (c *Collector) forget() {
	// A search through all is worth it only if there are many.
	if len(c.waiting) < many {
		return
	}
	for k, h := range c.waiting {
		if h.at < c.latest-longest {
			delete(c.waiting, k)
			c.missing.Ends++
		}
	}
}

// file adds a message of which both ends are known to the histograms and, if single messages are kept, to
// the packets.
func (c *Collector) file(k key, s *Sending, r *Receipt) {
	from, to := int(k.from), int(k.to)
	for i, x := range []struct {
		at     int64
		misses *uint64
	}{{s.Sched, &c.missing.Sched}, {s.Hand, &c.missing.Hand}, {r.Kernel, &c.missing.Kernel}} {
		// A stamp that no message has had is not there on this system, and is not missing.
		if c.had[i] = c.had[i] || x.at != 0; c.had[i] && x.at == 0 {
			*x.misses++
			return
		}
	}
	queued := cmp.Or(s.Sched, s.Hand)
	handed, arrived, unsure, misses := c.edges(from, to, s, r)
	if misses != nil {
		*misses++
		return
	}
	record := func(node, peer int, stage trace.Stage, ns int64) {
		c.banks[node].Record(histo.Packet{Kind: trace.Data, Bytes: s.Bytes, Peer: peer}, stage, ns)
	}
	t3, sure3 := c.clock.Convert(from, handed)
	t5, sure5 := c.clock.Convert(to, arrived)
	sure := sure3 + sure5 + unsure
	if c.byCard(from) && c.byCard(to) { // the systems' clocks have no part in it
		if net, bound, known := c.clock.Between(from, to, s.Card, r.Card); known {
			t5, sure = t3+net, bound
		}
	}
	record(from, to, trace.Source, queued-s.Begun)
	// NI is between two stamps. With one of them only it is part of Source.
	if s.Sched != 0 && (s.Hand != 0 || c.byCard(from)) {
		record(from, to, trace.LANai, handed-queued)
	}
	record(to, from, trace.Net, t5-t3)
	record(to, from, trace.Dest, r.User-arrived)
	ends := trace.Half{Sender: k.from, Receiver: k.to, Number: c.numbers[from], Bytes: int32(s.Bytes), First: true}
	c.numbers[from]++
	sent, received := ends, ends
	sent.Sent = true
	// All times of the sender move by as much as T3 does: the stages at one end are of one clock.
	shift := t3 - handed - c.origin
	// T1 to T4 at the sender; T3, T5, T6 and the bound at the receiver.
	sent.At = [4]int64{s.Begun + shift, queued + shift, handed + shift, handed + shift}
	received.At = [4]int64{t3 - c.origin, t5 - c.origin, t5 - c.origin + r.User - arrived, sure}
	c.packets.Add([]trace.Half{sent, received})
}

// edges returns when a message has left the sender and has arrived at the receiver, by the clock of each, and the
// error that cards add to that; or of which stamp it is missing. Without one of the two stamps of sending
// its stage is part of a neighbour.
func (c *Collector) edges(from, to int, s *Sending, r *Receipt) (handed, arrived, unsure int64, misses *uint64) {
	handed, arrived = cmp.Or(s.Hand, s.Sched), r.Kernel
	switch {
	case handed == 0:
		return 0, 0, 0, &c.missing.Hand
	case arrived == 0:
		return 0, 0, 0, &c.missing.Kernel
	// A node's messages are all by one clock or none: means of two sorts would say nothing.
	case c.byCard(from) && s.Card == 0, c.byCard(to) && r.Card == 0:
		return 0, 0, 0, &c.missing.Card
	}
	if c.byCard(from) {
		at, bound := c.clock.FromCard(from, s.Card)
		handed, unsure = max(handed, at), unsure+bound // a card sends what it has been handed
	}
	if c.byCard(to) {
		at, bound := c.clock.FromCard(to, r.Card)
		// A card has a message before the kernel has.
		arrived, unsure = min(arrived, at), unsure+bound
	}
	return handed, arrived, unsure, nil
}

// byCard decides with the first message of a node whether its card's stamps are used.
func (c *Collector) byCard(node int) bool {
	if c.cards[node] == undecided {
		c.cards[node] = byKernel
		if c.clock.Card(node) {
			c.cards[node] = byCard
		}
	}
	return c.cards[node] == byCard
}

// Histograms returns those of all nodes together, up to now.
func (c *Collector) Histograms() (*histo.Snapshot, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return histo.Together(c.banks)
}

// recorded returns how many messages of each sender have come with the records of both ends.
func (c *Collector) recorded() (nodes []collect.Node) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.numbers {
		nodes = append(nodes, collect.Node{Packets: uint64(n)})
	}
	return nodes
}

// now returns what is missing so far. Messages of which one end is not known yet do not count.
func (c *Collector) now() Missing {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.missing
}

// end gives up the messages of which one end is not known, and returns what is missing. It returns an error if
// the temporary file of packets could not be written.
func (c *Collector) end() (Missing, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.release(true)
	c.missing.Ends += uint64(len(c.waiting))
	clear(c.waiting)
	return c.missing, c.packets.Err()
}

// stamps returns the names of those that messages had.
func (c *Collector) stamps() (names []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, name := range []string{trace.StampSched, trace.StampHand, trace.StampKernel} {
		if c.had[i] {
			names = append(names, name)
		}
	}
	if slices.Contains(c.cards, byCard) {
		names = append(names, trace.StampCard)
	}
	return names
}

// silent reports whether a node's messages have no stamps of its card.
func (c *Collector) silent(node int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cards[node] == byKernel
}

// cardless says which nodes have no stamps of cards although others have.
func (c *Collector) cardless() (out []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.cards, byCard) {
		return nil
	}
	for node, use := range c.cards {
		if use == byKernel {
			out = append(out, fmt.Sprintf("the card of node %d does not stamp: there NI ends when the driver has a message, and Dest begins when the kernel has it", node))
		}
	}
	return out
}

// warnings says what is missing and where that leaves messages.
func (m Missing) warnings() (out []string) {
	for _, x := range []struct {
		n    uint64
		what string
	}{
		{m.Sched, "no stamp of the queueing discipline"}, {m.Hand, "no stamp of the driver"},
		{m.Kernel, "no stamp of arrival"}, {m.Card, "no stamp of a card that stamps others"}, {m.Ends, "a record of one end only"},
	} {
		if x.n > 0 {
			out = append(out, fmt.Sprintf("%d messages have %s: they are in no table", x.n, x.what))
		}
	}
	if m.Doubled > 0 {
		out = append(out, fmt.Sprintf("%d messages came twice: only the first of each counts", m.Doubled))
	}
	return out
}
