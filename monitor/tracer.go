package monitor

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// numberWords is the number of header words for the packet's number.
const numberWords = 1

// tracer records each packet. Records wait in a ring in SRAM; the host DMA engine
// transfers them to host memory in pieces, when the processor is idle, the engine
// free and a piece worth its set-up, or at once when the ring has filled up to the
// high-water mark. Records that find the ring full are lost.
type tracer struct {
	m       *Monitor
	only    *Selection
	chosen  int64        // packets that matched the selection
	next    uint32       // number of the next packet
	ring    []trace.Half // converted with the present clock table, as the host would
	head, n int
	batch   int  // records that are worth a transfer
	high    int  // records at which a transfer does not wait for an idle processor
	moving  int  // records in the transfer in progress
	moved   bool // its records are in host memory
	dma     ni.DMA
	host    func([]trace.Half)
	stats   TraceStats
	last    trace.Half  // the last record, if there is one
	gaps    []trace.Gap // where records are missing
	closed  int         // gaps with a record after them
}

// TraceStats counts trace records of one node.
type TraceStats struct {
	Records     uint64
	Lost        uint64 // found the ring full
	Unconverted uint64 // without a clock table to convert them
	Transfers   uint64 // to host memory, while programs ran
	Urgent      uint64 // of these, begun because the ring was filling up
}

func newTracer(m *Monitor, only *Selection, host func([]trace.Half)) (*tracer, error) {
	spec := m.spec
	if err := m.nic.SRAM().Reserve("trace ring", spec.TraceRingBytes); err != nil {
		return nil, fmt.Errorf("monitor on node %d: %w", m.nic.ID(), err)
	}
	t := &tracer{
		m: m, only: only, host: host, ring: make([]trace.Half, spec.TraceRingBytes/recordBytes),
		batch: spec.TraceBatchBytes / recordBytes, high: spec.TraceHighBytes / recordBytes,
	}
	t.dma.Dir, t.dma.Owner = ni.ToHost, t
	return t, nil
}

// injecting gives a packet that is traced its number, in the upper half of T3's word.
func (t *tracer) injecting(r *ni.Record, p *fabric.Packet, t3 uint64) {
	r.Number = ni.NoNumber
	if t.wants(r, t3) {
		t.m.nic.Spend(t.m.cost.TraceNumber)
		r.Number = t.next
		t.next++
	}
	p.Header.Words[wordT3] |= uint64(r.Number) << 32
}

// wants reports whether a packet is traced, in runs that select packets at the cost of
// the test.
func (t *tracer) wants(r *ni.Record, t3 uint64) bool {
	if !t.only.Any() {
		return true
	}
	t.m.nic.Spend(t.m.cost.TraceTest)
	at, _ := t.m.global(t.m.nic.ID(), t3)
	if !t.only.matches(sent{r.Meta, t.m.nic.ID(), int(r.Peer), r.Bytes, at}) {
		return false
	}
	t.chosen++
	return t.only.Every < 2 || t.chosen%t.only.Every == 1
}

// injected records the sender's half.
func (t *tracer) injected(r *ni.Record, t4 uint64) {
	if r.Number == ni.NoNumber {
		return
	}
	own := t.m.nic.ID()
	h := trace.Half{
		Sender: int32(own), Receiver: r.Peer, Number: r.Number, Bytes: r.Bytes,
		Span: r.Meta.Span, Tag: r.Meta.Tag, Kind: r.Meta.Kind, First: r.First, Sent: true, Inline: r.Inline,
	}
	var bound int64
	for i, v := range [...]uint64{r.T1, r.T2, r.T3, t4} {
		h.At[i], bound = t.m.global(own, v)
	}
	taken, _ := t.m.global(own, r.Taken)
	h.TakenNs = uint32(min(max(taken-h.At[0], 0), math.MaxUint32))
	t.put(h, bound != clock.Unbounded)
}

// delivered records the receiver's half. T3 is converted here too, with the same
// table as Net.
func (t *tracer) delivered(p *fabric.Packet, t6 uint64) {
	w := &p.Header
	number := uint32(w.Words[wordT3] >> 32)
	if t.only.Any() {
		t.m.nic.Spend(t.m.cost.TraceTest)
	}
	if number == ni.NoNumber {
		return
	}
	own := t.m.nic.ID()
	h := trace.Half{
		Sender: p.Src, Receiver: int32(own), Number: number, Bytes: int32(p.Bytes()),
		Span: w.Meta.Span, Tag: w.Meta.Tag, Kind: w.Meta.Kind, First: w.Flags&ni.FlagFirst != 0,
	}
	var sent, received int64
	h.At[0], sent = t.m.global(int(p.Src), w.Words[wordT3])
	h.At[1], received = t.m.global(own, w.Words[wordT5])
	h.At[2], _ = t.m.global(own, t6)
	converted := sent != clock.Unbounded && received != clock.Unbounded
	if converted {
		h.At[3] = t.m.clock.nanoseconds(sent + received)
	}
	t.put(h, converted)
}

// put spends the time of a record and appends it to the ring, or drops it if the ring is full.
func (t *tracer) put(h trace.Half, converted bool) {
	t.m.nic.Spend(t.m.cost.TraceRecord)
	switch {
	case !converted:
		t.stats.Unconverted++
		t.drop(trace.NoClock)
	case t.n == len(t.ring):
		t.stats.Lost++
		t.drop(trace.RingFull)
	default:
		for ; t.closed < len(t.gaps); t.closed++ {
			g := &t.gaps[t.closed]
			g.After, g.HasAfter = h, true
		}
		t.last = h
		t.stats.Records++
		t.ring[(t.head+t.n)%len(t.ring)] = h
		t.n++
	}
	t.hurry()
}

// drop counts a record that is lost for a reason: in the gap behind the last record, or in a new
// one.
func (t *tracer) drop(why string) {
	if n := len(t.gaps); t.closed == n || t.gaps[n-1].Why != why {
		t.gaps = append(t.gaps, trace.Gap{Why: why, Before: t.last, HasBefore: t.stats.Records > 0})
	}
	t.gaps[len(t.gaps)-1].Lost++
}

// ready reports whether a transfer is worth its set-up and can start at once.
func (t *tracer) ready() bool { return t.n >= t.batch && t.moving == 0 && !t.m.nic.HostBusy() }

// hurry starts a transfer when the ring reaches the high-water mark. The transfer may wait for the
// engine.
func (t *tracer) hurry() {
	if t.n >= t.high && t.moving == 0 {
		t.stats.Urgent++
		t.drain()
	}
}

// drain starts the transfer of a piece of the ring, up to its end.
func (t *tracer) drain() {
	t.m.nic.Spend(t.m.cost.TraceDrain)
	t.moving = min(t.batch, t.n, len(t.ring)-t.head)
	t.dma.Bytes = t.moving * recordBytes
	t.stats.Transfers++
	t.m.nic.HostDMA(&t.dma)
}

// Transferred implements ni.DMAOwner.
func (t *tracer) Transferred(*ni.DMA) {
	if !t.moved {
		t.host(t.ring[t.head : t.head+t.moving])
		t.moved = true
	}
}

// HostDone implements ni.DMAOwner: the piece of the ring is free again.
func (t *tracer) HostDone(*ni.DMA, sim.Time) {
	t.m.nic.Spend(t.m.cost.TraceDrain)
	t.head = (t.head + t.moving) % len(t.ring)
	t.n -= t.moving
	t.moving, t.moved = 0, false
	t.hurry()
}

// rest hands the host all records that have not been transferred.
func (t *tracer) rest() {
	from := 0
	if t.moved {
		from = t.moving
	}
	for ; from < t.n; from++ {
		at := (t.head + from) % len(t.ring)
		t.host(t.ring[at : at+1])
	}
	t.n, t.moved = t.moving, t.moving > 0 // a transfer in progress still ends
}

// reset discards the records in the ring, except those of the transfer in progress.
func (t *tracer) reset() {
	t.n, t.stats = t.moving, TraceStats{}
	t.gaps, t.closed, t.chosen = nil, 0, 0
}
