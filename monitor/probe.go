package monitor

import (
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/trace"
)

// Words implements ni.Probe.
func (m *Monitor) Words() (descriptor, header int) {
	if m.build&sendPart == 0 {
		return 0, 0
	}
	if m.tracer != nil {
		return m.spec.DescriptorWords, m.spec.HeaderWords + numberWords
	}
	return m.spec.DescriptorWords, m.spec.HeaderWords
}

func (m *Monitor) on(part Build) bool { return m.active&part != 0 }

// counts reports whether every instant of a packet so far was stamped after recording began.
func (m *Monitor) counts(r *ni.Record) bool { return m.active != 0 && r.Recorded && r.T1 >= m.since }

// Requested implements ni.Probe.
func (m *Monitor) Requested(r *ni.Record, at sim.Time) {
	if r.Recorded = m.on(sendPart) && m.sampled(); r.Recorded {
		m.nic.SpendTime(m.takes.request)
		r.T1 = m.nic.Ticks(at)
		if m.tracer != nil {
			m.nic.Spend(m.cost.TraceTaken)
			r.Taken = m.nic.Ticks(m.nic.Began())
		}
		if m.follows {
			m.nic.Spend(m.cost.NotePredecessor)
			m.follow(r)
		}
	}
}

// sampled reports whether the next packet is one of those that are recorded, one in so many.
func (m *Monitor) sampled() bool {
	m.skipped++
	if m.skipped < m.spec.SampleEvery {
		return false
	}
	m.skipped = 0
	return true
}

// follow finds the predecessor of a packet.
func (m *Monitor) follow(r *ni.Record) {
	l := &m.last
	r.After = 0
	if l.record != nil && l.tag == r.Meta.Tag && l.peer == r.Peer {
		switch {
		case !r.First:
			r.After = trace.After(trace.SameMessage, l.class)
		case !l.left || l.t4 > r.T1:
			r.After = trace.After(l.kind, l.class)
		}
	}
	*l = follower{record: r, tag: r.Meta.Tag, kind: r.Meta.Kind, class: histo.ClassOf(int(r.Bytes)), peer: r.Peer}
}

// Fetched implements ni.Probe.
func (m *Monitor) Fetched(r *ni.Record, at sim.Time) {
	if m.on(sendPart) {
		m.nic.SpendTime(m.takes.fetched)
		r.T2 = m.nic.Ticks(at)
	}
}

// Injecting implements ni.Probe.
func (m *Monitor) Injecting(r *ni.Record, p *fabric.Packet) {
	if m.build&sendPart == 0 {
		return
	}
	_, words := m.Words()
	p.WireBytes += 4 * words
	if m.counts(r) {
		m.nic.SpendTime(m.takes.header)
		p.Header.Flags |= ni.FlagRecorded
		t3 := m.nic.Ticks(m.nic.Now())
		r.T3 = t3
		p.Header.Words[wordT3] = uint64(uint32(t3))
		p.Header.After = r.After
		if m.tracer != nil {
			m.tracer.injecting(r, p, t3)
		}
	}
}

// Injected implements ni.Probe.
func (m *Monitor) Injected(r *ni.Record, at sim.Time) {
	if !m.counts(r) {
		return
	}
	m.nic.SpendTime(m.takes.sent)
	t4 := r.T3
	if !m.spec.HandOver {
		t4 = m.nic.Ticks(at)
	}
	if m.last.record == r {
		m.last.left, m.last.t4 = true, t4
	}
	s := m.put(trace.Source)
	s.Ticks = [2]int64{int64(r.T2 - r.T1), int64(t4 - r.T2)}
	s.First, s.Peer = trace.Source, r.Peer
	s.Sort = histo.Sort{Tag: r.Meta.Tag, Kind: r.Meta.Kind, After: r.After, Later: !r.First, Bytes: r.Bytes}
	if m.tracer != nil {
		m.tracer.injected(r, t4)
	}
}

// Arriving implements ni.Probe. The clock is read first: the rest of the monitor's
// work on the packet counts as Dest, or comes after it.
func (m *Monitor) Arriving(p *fabric.Packet) {
	h := &p.Header
	h.Words[wordT5] = 0
	if m.on(recvPart) {
		now := m.nic.Now()
		h.Words[wordT5], h.Words[wordTrueT5] = m.nic.Ticks(now), uint64(now)
		m.nic.SpendTime(m.takes.arrived)
	}
}

// Delivered implements ni.Probe.
func (m *Monitor) Delivered(p *fabric.Packet, at sim.Time) {
	if m.on(recvPart) {
		m.nic.SpendTime(m.takes.done)
	}
	if m.on(clockPart) {
		m.nic.SpendTime(m.takes.convert)
	}
	if m.on(recvPart) {
		m.arrived(p, m.nic.Ticks(at))
	}
}

// arrived takes the receiver's two latencies of a packet.
func (m *Monitor) arrived(p *fabric.Packet, t6 uint64) {
	h := &p.Header
	if h.Flags&ni.FlagRepeated != 0 {
		m.stats.Repeated++
		return
	}
	// A sender without the send part of the monitor sets no flag.
	t5 := h.Words[wordT5]
	if t5 == 0 || t5 < m.since || h.Flags&ni.FlagRecorded == 0 && m.build&sendPart != 0 {
		return
	}
	net, known := m.net(p, t5)
	if !known {
		m.stats.Unanchored++
	}
	s := m.put(trace.Net)
	s.Ticks = [2]int64{net, int64(t6 - t5)}
	s.First, s.Peer = trace.Net, p.Src
	s.Sort = histo.Sort{Tag: h.Meta.Tag, Kind: h.Meta.Kind, After: h.After, Later: h.Flags&ni.FlagFirst == 0, Bytes: int32(p.Bytes())}
	if m.tracer != nil {
		m.tracer.delivered(p, t6)
	}
}

// net is Net of a packet in ticks, if both clocks can be converted.
func (m *Monitor) net(p *fabric.Packet, t5 uint64) (int64, bool) {
	if p.Header.Flags&ni.FlagRecorded == 0 || m.clock == nil {
		return histo.Missing, false
	}
	net, ok := m.clock.latency(p, p.Header.Words[wordT3], uint64(uint32(t5)))
	if !ok {
		return histo.Missing, false
	}
	m.stats.Truth.add(net, sim.Time(p.Header.Words[wordTrueT5]).Sub(p.T3))
	return net.ticks, true
}

// put returns a slot for a deferred sample that begins with a stage; the caller fills it. If all
// slots are in use, the sample is binned at once, or lost on a card of pipelines, which does not
// wait.
func (m *Monitor) put(first trace.Stage) *histo.Sample {
	if m.waiting.Len() == m.spec.DeferredSlots {
		if m.nic.Spec().Pipelined { // its core is behind, and the card does not wait for it
			m.stats.Lost++
			return &m.lost
		}
		m.stats.Inline++
		m.nic.SpendTime(m.takes.bin)
		return m.next(first)
	}
	m.nic.SpendTime(m.takes.deferring)
	return m.waiting.Add()
}

// binCycles is what it takes to bin the two latencies of a sample.
func (m *Monitor) binCycles() int {
	cycles := 2 * m.cost.Bin
	if m.variance {
		cycles += 2 * m.cost.Square
	}
	return cycles
}

// next returns the next sample for the bank, for the caller to fill. Samples enter the bank in
// batches, which keeps one interface's histograms in the simulator's cache.
func (m *Monitor) next(first trace.Stage) *histo.Sample {
	list := &m.binned[first/trace.Net&1]
	if len(*list) == cap(*list) {
		m.fill()
	}
	*list = (*list)[:len(*list)+1]
	return &(*list)[len(*list)-1]
}

// batch is how many samples of a direction wait for the bank.
const batch = 128

// fill enters the waiting samples into the bank.
func (m *Monitor) fill() {
	for i := range m.binned {
		m.bank.RecordAll(m.binned[i])
		if m.binned[i] == nil {
			m.binned[i] = make([]histo.Sample, 0, batch)
		}
		m.binned[i] = m.binned[i][:0]
	}
}

// Idle implements ni.Probe.
func (m *Monitor) Idle() bool {
	switch {
	case m.waiting.Len() > 0:
		m.nic.SpendTime(m.takes.bin)
		s := m.waiting.At(0)
		*m.next(s.First) = *s
		m.waiting.Drop()
	case m.tracer != nil && m.tracer.ready():
		m.tracer.drain()
	default:
		return false
	}
	return true
}

// Deferred implements ni.Probe.
func (m *Monitor) Deferred() bool {
	return m.waiting.Len() > 0 || m.tracer != nil && m.tracer.ready()
}

// Private implements ni.Probe. Records of packets are read out by host DMA.
func (m *Monitor) Private() bool { return m.tracer == nil }
