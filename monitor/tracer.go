package monitor

import (
	"fmt"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// recordBytes is one record in SRAM: eight words, which are the packet's
// number, the other node with flags, the span, size with kind and tag, and four
// words of registers: T1 to T4 at the sender; T3, T5, T6 and the bound of Net's
// error at the receiver.
const recordBytes = 32

// numberWords is what the packet's number adds to a packet's header.
const numberWords = 1

// record is one record. Times are global, in subticks: the registers in it, as
// the host converts them with the clock table that was in force, which every
// node has from the table's packets.
type record struct {
	peer   int32
	number uint32
	meta   trace.Meta
	bytes  int32
	first  bool
	sender bool // this node sent the packet
	at     [4]int64
	bound  int64
}

// tracer keeps a record of each packet that passes. Records wait in a ring
// in SRAM; the host DMA engine takes them to host memory in pieces when the
// processor idles and the engine is free. What finds the ring full is lost.
type tracer struct {
	m       *Monitor
	next    uint32 // number of the next packet
	ring    []record
	head, n int
	batch   int  // records that are worth a transfer
	moving  int  // records in the transfer that is under way
	moved   bool // they are in host memory
	dma     ni.DMA
	host    []record // in host memory
	stats   TraceStats
}

// TraceStats counts trace records of one node.
type TraceStats struct {
	Records     uint64
	Lost        uint64 // found the ring full
	Unconverted uint64 // without a clock table to convert them
	Transfers   uint64 // to host memory, while programs ran
}

func newTracer(m *Monitor) (*tracer, error) {
	spec := &m.spec
	if err := m.nic.SRAM().Reserve("trace ring", spec.TraceRingBytes); err != nil {
		return nil, fmt.Errorf("monitor on node %d: %w", m.nic.ID(), err)
	}
	t := &tracer{m: m, ring: make([]record, spec.TraceRingBytes/recordBytes), batch: spec.TraceBatchBytes / recordBytes}
	t.dma.Dir, t.dma.Owner = ni.ToHost, t
	return t, nil
}

// injecting gives a packet its number, in the upper half of T3's word.
func (t *tracer) injecting(r *ni.Record, p *fabric.Packet, t3 uint64) {
	t.m.nic.Spend(t.m.cost.TraceNumber)
	r.T3, r.Number = t3, t.next
	p.Header.Words[wordT3] |= uint64(t.next) << 32
	t.next++
}

// injected records the sender's half.
func (t *tracer) injected(r *ni.Record, t4 uint64) {
	rec := record{peer: r.Peer, number: r.Number, meta: r.Meta, bytes: r.Bytes, first: r.First, sender: true}
	own := t.m.nic.ID()
	for i, v := range [...]uint64{r.T1, r.T2, r.T3, t4} {
		rec.at[i], rec.bound = t.m.clock.convert(own, v)
	}
	t.put(rec)
}

// delivered records the receiver's half. T3 is converted here too, with the
// same table as Net was.
func (t *tracer) delivered(p *fabric.Packet, t6 uint64) {
	h := &p.Header
	rec := record{
		peer: p.Src, number: uint32(h.Words[wordT3] >> 32), meta: h.Meta, bytes: int32(len(p.Data)), first: h.Flags&ni.FlagFirst != 0,
	}
	own := t.m.nic.ID()
	var sent, received int64
	rec.at[0], sent = t.m.clock.convert(int(p.Src), h.Words[wordT3])
	rec.at[1], received = t.m.clock.convert(own, h.Words[wordT5])
	rec.at[2], _ = t.m.clock.convert(own, t6)
	rec.bound = clock.Unbounded
	if sent != clock.Unbounded && received != clock.Unbounded {
		rec.bound = sent + received
	}
	t.put(rec)
}

// put pays for a record and appends it.
func (t *tracer) put(rec record) {
	t.m.nic.Spend(t.m.cost.TraceRecord)
	switch {
	case rec.bound == clock.Unbounded:
		t.stats.Unconverted++
	case t.n == len(t.ring):
		t.stats.Lost++
	default:
		t.stats.Records++
		t.ring[(t.head+t.n)%len(t.ring)] = rec
		t.n++
	}
}

// ready reports whether a transfer is worth its set-up and would not wait.
func (t *tracer) ready() bool { return t.n >= t.batch && t.moving == 0 && !t.m.nic.HostBusy() }

// drain starts the transfer of a piece of the ring, up to its end.
func (t *tracer) drain() {
	t.m.nic.Spend(t.m.cost.TraceDrain)
	t.moving = min(t.batch, len(t.ring)-t.head)
	t.dma.Bytes = t.moving * recordBytes
	t.stats.Transfers++
	t.m.nic.HostDMA(&t.dma)
}

// Transferred implements ni.DMAOwner.
func (t *tracer) Transferred(*ni.DMA) {
	t.host = append(t.host, t.ring[t.head:t.head+t.moving]...)
	t.moved = true
}

// HostDone implements ni.DMAOwner: the piece of the ring is free again.
func (t *tracer) HostDone(*ni.DMA, sim.Time) {
	t.m.nic.Spend(t.m.cost.TraceDrain)
	t.head = (t.head + t.moving) % len(t.ring)
	t.n -= t.moving
	t.moving, t.moved = 0, false
}

// records returns all records: those in host memory, and those that the host
// finds in the ring when it reads the card out after the run.
func (t *tracer) records() []record {
	all := append([]record(nil), t.host...)
	from := 0
	if t.moved {
		from = t.moving
	}
	for i := from; i < t.n; i++ {
		all = append(all, t.ring[(t.head+i)%len(t.ring)])
	}
	return all
}

// reset forgets what has been recorded. What a transfer is moving stays.
func (t *tracer) reset() {
	t.host, t.n, t.stats = nil, t.moving, TraceStats{}
}

// Halves returns the records of the node's packets, those that it sent and
// those that it received, in ns of global time since origin, which is in subticks.
func (m *Monitor) Halves(origin int64) (sent, received []trace.Half) {
	if m.tracer == nil {
		return nil, nil
	}
	for _, r := range m.tracer.records() {
		h := trace.Half{Sender: int(r.peer), Receiver: m.nic.ID(), Number: r.number, Meta: r.meta, Bytes: int(r.bytes), First: r.first}
		at := [4]int64{}
		for i := range at {
			at[i] = m.clock.nanoseconds(r.at[i] - origin)
		}
		if r.sender {
			h.Sender, h.Receiver = h.Receiver, h.Sender
			h.T1, h.T2, h.T3, h.T4 = at[0], at[1], at[2], at[3]
			sent = append(sent, h)
			continue
		}
		h.T3, h.T5, h.T6 = at[0], at[1], at[2]
		h.BoundNs = m.clock.nanoseconds(r.bound)
		received = append(received, h)
	}
	return sent, received
}

// TraceStats returns the counters of the packet trace.
func (m *Monitor) TraceStats() TraceStats {
	if m.tracer == nil {
		return TraceStats{}
	}
	return m.tracer.stats
}
