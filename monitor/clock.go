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
	entry       int                // of the table, that interpolation has come to
	words       []uint32
	finished    uint32
	ended       func(round uint32)
	stats       ClockStats
}

// ClockStats counts clock packets.
type ClockStats struct {
	Sent      [trace.NumKinds]uint64
	Malformed uint64 // packets that could not be decoded
	Rounds    uint64 // ended, on node 0
	Partial   uint64 // rounds that ended without all replies
}

func newGlobalClock(nic *ni.NIC, spec *Spec, p clock.Protocol) (*GlobalClock, error) {
	c := &GlobalClock{nic: nic, spec: spec, protocol: p, giveUpAt: sim.Never}
	var err error
	if c.converter, err = clock.NewConverter(p, nic.ID()); err != nil {
		return nil, err
	}
	if err := nic.SRAM().Reserve("clock table", p.Nodes*p.Words().Entry*8); err != nil {
		return nil, fmt.Errorf("clock on node %d: %w", nic.ID(), err)
	}
	if nic.ID() == 0 {
		if c.coordinator, err = clock.NewCoordinator(p, c.converter); err != nil {
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
	if now >= c.roundAt {
		c.beginRound(now)
	}
	c.nic.SetServiceTimer(min(c.interpolate, c.giveUpAt, c.roundAt))
}

// refresh re-evaluates one entry of the table, so that a query never waits for
// the whole: what a reply is late, the midpoint is off by half.
func (c *GlobalClock) refresh(now sim.Time) {
	c.nic.Spend(c.spec.Cycles.Interpolate)
	c.entry++
	if c.entry < c.protocol.Nodes {
		c.interpolate = c.nic.Now()
		return
	}
	c.entry = 0
	c.converter.Interpolate(c.counter(c.nic.Now()))
	c.interpolate = now.Add(sim.Duration(c.protocol.InterpolatePs()))
}

// replyLimit is how long node 0 waits for the replies of a round: longer than
// the network may block a packet.
const replyLimit = 200 * sim.Millisecond

func (c *GlobalClock) beginRound(now sim.Time) {
	if c.coordinator.Outstanding() > 0 {
		c.stats.Partial++
		c.endRound()
	}
	q := c.coordinator.Begin()
	c.rounds++
	gap := sim.Duration(c.protocol.Gap(c.rounds))
	c.roundAt = now.Add(gap)
	c.giveUpAt = now.Add(min(replyLimit, gap/2))
	for i := 1; i < c.protocol.Nodes; i++ {
		c.words = c.protocol.AppendQuery(c.words[:0], q)
		c.send(trace.ClockQuery, i)
	}
}

func (c *GlobalClock) endRound() {
	c.giveUpAt = sim.Never
	entries := c.coordinator.End(c.counter(c.nic.Now()))
	c.stats.Rounds++
	per := max(1, c.protocol.Words().Entries(c.nic.Spec().BufferBytes-clockHeaderBytes))
	for i := 1; i < c.protocol.Nodes; i++ {
		for first := 0; first < len(entries); first += per {
			some := entries[first:min(first+per, len(entries))]
			c.words = c.protocol.AppendTable(c.words[:0], c.coordinator.Round(), some)
			c.send(trace.ClockTable, i)
		}
	}
	c.adopt(entries)
	if c.ended != nil {
		c.ended(c.coordinator.Round())
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
	if p.CRCError {
		c.stats.Malformed++
		return
	}
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
		c.nic.Spend(c.spec.Cycles.ClockTake)
		if c.coordinator.Replied(r, c.counter(at)) && c.coordinator.Outstanding() == 0 {
			c.endRound()
		}
	case trace.ClockTable:
		_, entries, err := c.protocol.DecodeTable(c.words)
		if err != nil {
			return err
		}
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
