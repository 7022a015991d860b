package monitor

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// clockHeaderBytes is a clock packet on the wire without its words.
const clockHeaderBytes = 12

// GlobalClock runs the clock protocol on one card as packets of reserved
// kinds. Node 0 also coordinates.
type GlobalClock struct {
	nic         *ni.NIC
	spec        *Spec
	protocol    clock.Protocol
	converter   *clock.Converter
	coordinator *clock.Coordinator // on node 0
	rounds      uint32             // begun
	roundAt     sim.Time           // the next round, on node 0
	giveUpAt    sim.Time           // the open round ends without the rest
	interpolate sim.Time           // the next local interpolation, or its next entry
	begun       sim.Time           // of the interpolation in progress
	entry       int                // of the table, that interpolation has come to
	words       []uint32
	adopting    []clock.Entry
	ended       func(round uint32)
	stats       ClockStats

	// On node 0.
	asked  int           // nodes that have been sent the open round's query
	table  []clock.Entry // what is still to be sent of the last round's, node 0's own part first
	to     int           // node that the first part of it goes to next
	goOn   sim.Time      // when it goes on
	late   bool          // a round is due and waits for the last one
	swap   int           // cycles to exchange a node's record with host memory
	breath sim.Duration  // between two bursts of a table
}

// crowd is how many clock packets node 0 has under way at a time, queries not
// replied to or parts of a table: beyond it data packets would wait for long,
// and replies would find no receive buffer.
const crowd = 64

// ClockStats counts clock packets.
type ClockStats struct {
	Sent      [trace.NumKinds]uint64
	Malformed uint64 // packets that could not be decoded
	Rounds    uint64 // ended, on node 0
	Partial   uint64 // rounds that ended without all replies
}

func newGlobalClock(nic *ni.NIC, spec *Spec, p clock.Protocol) (*GlobalClock, error) {
	c := &GlobalClock{nic: nic, spec: spec, protocol: p, giveUpAt: sim.Never, goOn: sim.Never}
	var err error
	if c.converter, err = clock.NewConverter(p, nic.ID()); err != nil {
		return nil, err
	}
	if err := nic.SRAM().Reserve("clock table", p.Nodes*p.ConverterBytes()); err != nil {
		return nil, fmt.Errorf("clock on node %d: %w", nic.ID(), err)
	}
	if nic.ID() == 0 {
		if err := c.coordinate(); err != nil {
			return nil, err
		}
	} else {
		c.roundAt = sim.Never
	}
	phase := nic.Engine().Stream(fmt.Sprintf("node%d/clock", nic.ID()))
	c.interpolate = nic.Engine().Now().Add(phase.Upto(sim.Duration(p.InterpolatePs())))
	nic.SetServiceTimer(min(c.interpolate, c.roundAt))
	return c, nil
}

// coordinate makes node 0 the coordinator. Where its records of all clocks do
// not fit into SRAM they lie in host memory, and the processor waits for the
// transfer of one to and fro with each reply that it takes.
func (c *GlobalClock) coordinate() (err error) {
	p, s := &c.protocol, c.nic.Spec()
	if c.coordinator, err = clock.NewCoordinator(*p, c.converter); err != nil {
		return err
	}
	record := p.CoordinatorBytes()
	all := record * (p.Nodes - 1)
	if all > c.nic.SRAM().Free()/2 { // the rest is for others
		us := 2*s.HostDMASetupUs + float64(record)/s.HostDMAToNIMBps + float64(record)/s.HostDMAToHostMBps
		c.swap = int(us * 1e-6 * float64(s.ClockHz))
		all = record
	}
	if err := c.nic.SRAM().Reserve("clock records", all); err != nil {
		return fmt.Errorf("clock on node %d: %w", c.nic.ID(), err)
	}
	c.breath = 2 * crowd * sim.MBps(s.NetDMAMBps).Time(s.BufferBytes)
	return nil
}

// Converter returns the node's map from registers to global time.
func (c *GlobalClock) Converter() *clock.Converter { return c.converter }

// Stats returns the counters.
func (c *GlobalClock) Stats() ClockStats { return c.stats }

// Sent returns how many packets of each kind the node has sent.
func (c *GlobalClock) Sent() [trace.NumKinds]uint64 { return c.stats.Sent }

// Rounds returns how many rounds have ended on node 0.
func (c *GlobalClock) Rounds() int { return int(c.stats.Rounds) }

// OnRound makes node 0 call f after each round, for the record of the run.
func (c *GlobalClock) OnRound(f func(round uint32)) { c.ended = f }

func (c *GlobalClock) counter(t sim.Time) uint64 { return uint64(uint32(c.nic.Ticks(t))) }

// Due implements ni.Service: local interpolation, and on node 0 the rounds.
func (c *GlobalClock) Due() {
	now := c.nic.Engine().Now()
	if now >= c.interpolate {
		c.refresh(now)
	}
	if now >= c.giveUpAt {
		c.stats.Partial++
		c.endRound()
	}
	if now >= c.goOn {
		c.spread()
	}
	if now >= c.roundAt {
		c.beginRound(now)
	}
	c.arm()
}

func (c *GlobalClock) arm() {
	due := min(c.interpolate, c.giveUpAt, c.goOn, c.roundAt)
	c.nic.SetServiceTimer(max(due, c.nic.Engine().Now()))
}

// refresh re-evaluates one entry of the table, so that a query never waits for
// the whole: what a reply is late, the midpoint is off by half. The entries of
// a large table are spread over the time until the next interpolation.
func (c *GlobalClock) refresh(now sim.Time) {
	c.nic.Spend(c.spec.Cycles.Interpolate)
	if c.entry == 0 {
		c.begun = now
	}
	c.entry++
	every := sim.Duration(c.protocol.InterpolatePs())
	if c.entry < c.protocol.Nodes {
		c.interpolate = c.nic.Now()
		if c.many() {
			c.interpolate = max(c.interpolate, c.begun.Add(every/sim.Duration(c.protocol.Nodes)*sim.Duration(c.entry)))
		}
		return
	}
	c.entry = 0
	c.converter.Interpolate(c.counter(c.nic.Now()))
	c.interpolate = now.Add(every)
	if c.many() {
		c.interpolate = max(c.nic.Now(), c.begun.Add(every))
	}
}

// replyLimit is how long node 0 waits for the replies of a round: longer than
// the network may block a packet.
const replyLimit = 200 * sim.Millisecond

func (c *GlobalClock) beginRound(now sim.Time) {
	if open := c.coordinator.Outstanding() > 0; open && c.many() || len(c.table) > 0 {
		c.late, c.roundAt = true, sim.Never // until the last round's table is out
		return
	} else if open {
		c.stats.Partial++
		c.endRound()
	}
	q := c.coordinator.Begin()
	c.rounds++
	gap := sim.Duration(c.protocol.Gap(c.rounds))
	c.roundAt = now.Add(gap)
	c.giveUpAt = now.Add(c.patience())
	c.asked = 0
	for c.asked < min(crowd, c.protocol.Nodes-1) {
		c.ask(q)
	}
}

// many reports whether there are too many nodes to ask them all at once. Then
// a round takes what it takes, and the next one waits for it.
func (c *GlobalClock) many() bool { return c.protocol.Nodes-1 > crowd }

// patience is how long node 0 waits for a reply.
func (c *GlobalClock) patience() sim.Duration {
	if c.many() {
		return replyLimit
	}
	return min(replyLimit, sim.Duration(c.protocol.Gap(c.rounds))/2)
}

// ask sends the open round's query to the next node.
func (c *GlobalClock) ask(q clock.Query) {
	c.asked++
	c.words = c.protocol.AppendQuery(c.words[:0], q)
	c.send(trace.ClockQuery, c.asked)
}

// replied goes on with the round after a reply.
func (c *GlobalClock) replied() {
	switch {
	case c.coordinator.Outstanding() == 0:
		c.endRound()
	case c.asked < c.protocol.Nodes-1:
		c.ask(clock.Query{Round: c.coordinator.Round()})
		c.giveUpAt = c.nic.Now().Add(c.patience())
	}
}

func (c *GlobalClock) endRound() {
	c.giveUpAt = sim.Never
	c.table, c.to = c.coordinator.End(c.counter(c.nic.Now())), 1
	c.spread()
}

// spread sends the table of the last round, part by part to all nodes, as far
// as a burst goes. Node 0 adopts a part when all others have been sent it.
func (c *GlobalClock) spread() {
	c.goOn = sim.Never
	per := max(1, c.protocol.Words().Entries(c.nic.Spec().BufferBytes-clockHeaderBytes))
	for sent := 0; len(c.table) > 0; {
		part := c.table[:min(per, len(c.table))]
		for ; c.to < c.protocol.Nodes; c.to++ {
			if sent == crowd {
				c.goOn = c.nic.Now().Add(c.breath)
				c.arm()
				return
			}
			c.words = c.protocol.AppendTable(c.words[:0], c.coordinator.Round(), part)
			c.send(trace.ClockTable, c.to)
			sent++
		}
		c.adopt(part)
		c.table, c.to = c.table[len(part):], 1
	}
	c.stats.Rounds++
	if c.ended != nil {
		c.ended(c.coordinator.Round())
	}
	if c.late {
		c.late, c.roundAt = false, c.nic.Now()
		c.arm()
	}
}

func (c *GlobalClock) adopt(entries []clock.Entry) {
	c.nic.Spend(c.spec.Cycles.ClockAdopt * len(entries))
	if err := c.converter.Adopt(entries, c.counter(c.nic.Now())); err != nil {
		c.stats.Malformed++
	}
}

// send sends c.words to a node.
func (c *GlobalClock) send(kind trace.Kind, to int) {
	p := c.nic.Net().NewPacket()
	p.Src, p.Dst = int32(c.nic.ID()), int32(to)
	p.Header.Meta.Kind = kind
	data := p.Payload(4 * len(c.words))
	for i, w := range c.words {
		binary.LittleEndian.PutUint32(data[4*i:], w)
	}
	p.WireBytes = clockHeaderBytes + len(data)
	c.stats.Sent[kind]++
	c.nic.Send(p, nil)
}

// Serves implements ni.Service.
func (c *GlobalClock) Serves(k trace.Kind) bool {
	return k == trace.ClockQuery || k == trace.ClockReply || k == trace.ClockTable
}

// Injecting implements ni.Service: a query's and a reply's start is stamped as
// late as the firmware can.
func (c *GlobalClock) Injecting(p *fabric.Packet) {
	switch p.Header.Meta.Kind {
	case trace.ClockQuery:
		c.coordinator.Queried(int(p.Dst), c.counter(c.nic.Now()))
	case trace.ClockReply:
		if c.protocol.Estimator == clock.Filtered {
			sent := c.converter.Extend(c.counter(c.nic.Now()))
			binary.LittleEndian.PutUint64(p.Data[16:], sent)
		}
	}
}

// Arrived implements ni.Service.
func (c *GlobalClock) Arrived(p *fabric.Packet, at sim.Time) {
	c.words = c.words[:0]
	for i := 0; i+4 <= len(p.Data); i += 4 {
		c.words = append(c.words, binary.LittleEndian.Uint32(p.Data[i:]))
	}
	if err := c.take(p, at); err != nil {
		c.stats.Malformed++
	}
}

func (c *GlobalClock) take(p *fabric.Packet, at sim.Time) error {
	switch p.Header.Meta.Kind {
	case trace.ClockQuery:
		q, err := c.protocol.DecodeQuery(c.words)
		if err != nil {
			return err
		}
		c.nic.Spend(c.spec.Cycles.ClockReply)
		if c.protocol.Estimator == clock.Cristian {
			// One time has to do for both ends of the reply's handling: its middle.
			at = at.Add(c.nic.Duration(c.spec.Cycles.ClockReply+c.nic.Spec().Loop.NetStartCycles) / 2)
		}
		c.words = c.protocol.AppendReply(c.words[:0], c.converter.Reply(q, c.counter(at)))
		c.send(trace.ClockReply, int(p.Src))
	case trace.ClockReply:
		r, err := c.protocol.DecodeReply(c.words)
		if err != nil {
			return err
		}
		if c.coordinator == nil {
			return fmt.Errorf("clock: reply at node %d", c.nic.ID())
		}
		c.nic.Spend(c.spec.Cycles.ClockTake + c.swap)
		if c.coordinator.Replied(r, c.counter(at)) {
			c.replied()
		}
	case trace.ClockTable:
		_, entries, err := c.protocol.DecodeTableTo(c.adopting[:0], c.words)
		if err != nil {
			return err
		}
		c.adopting = entries
		c.adopt(entries)
	}
	return nil
}

// measured is a Net latency with its error bound.
type measured struct {
	ticks   int64
	latency sim.Duration
	bound   sim.Duration
}

// latency maps both registers of a packet to global time and feeds the
// estimator.
func (c *GlobalClock) latency(p *fabric.Packet, t3, t5 uint64) (measured, bool) {
	from := int(p.Src)
	latency, bound := c.converter.Latency(from, t3, t5)
	if bound == clock.Unbounded {
		return measured{}, false
	}
	c.nic.Spend(c.spec.Cycles.Observe)
	c.converter.Observe(from, t3, t5, latency, int64(p.WireBytes/4))
	return measured{
		ticks:   (latency + 1<<(clock.FracBits-1)) >> clock.FracBits,
		latency: c.duration(latency),
		bound:   c.duration(bound),
	}, true
}

// convert maps a node's register, of which ticks has all bits, to global time.
// Both results are in subticks.
func (c *GlobalClock) convert(node int, ticks uint64) (global, bound int64) {
	return c.converter.Convert(node, uint64(uint32(ticks)))
}

// Global returns the node's global time now, in subticks. It stands for the
// host's reading of a table and a register at a moment that does not count.
func (c *GlobalClock) Global() int64 {
	global, _ := c.convert(c.nic.ID(), c.nic.Ticks(c.nic.Engine().Now()))
	return global
}

// nanoseconds converts a distance in subticks, rounded to the nearest.
func (c *GlobalClock) nanoseconds(subticks int64) int64 {
	negative := subticks < 0
	if negative {
		subticks = -subticks
	}
	hi, lo := bits.Mul64(uint64(subticks), c.protocol.HzDen*1_000_000_000)
	per := c.protocol.HzNum << clock.FracBits
	lo, carry := bits.Add64(lo, per/2, 0)
	q, _ := bits.Div64(hi+carry, lo, per)
	if negative {
		return -int64(q)
	}
	return int64(q)
}

// duration converts subticks of the nominal clock.
func (c *GlobalClock) duration(subticks int64) sim.Duration {
	perTick := float64(sim.Second) * float64(c.protocol.HzDen) / float64(c.protocol.HzNum)
	return sim.Duration(float64(subticks) * (perTick / (1 << clock.FracBits)))
}

func (t *Truth) add(m measured, really sim.Duration) {
	err := m.latency - really
	if err < 0 {
		err = -err
	}
	t.Conversions++
	if err <= m.bound {
		t.Covered++
	}
	t.ErrorMax = max(t.ErrorMax, err)
	t.BoundSum += m.bound
}
