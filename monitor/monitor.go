package monitor

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Words of the packet header that the monitor uses. On the wire it is the
// time stamp of T3 beside the tag; the rest is what the receiving card keeps
// with the packet until its deposit has ended.
const (
	wordT3 = ni.FirstProbeWord + iota
	wordT5
	wordNet
)

// noNet stands for a Net that could not be had; math.MinInt64 in a sample.
const noNet = 1 << 63

// Monitor is the monitor's part of one card's firmware.
type Monitor struct {
	nic       *ni.NIC
	spec      Spec
	cost      *Cycles
	build     Build
	recording bool
	since     uint64 // ticks when recording began, or the histograms were cleared
	origin    int64  // of times in records: global, in subticks
	bank      *histo.Bank
	variance  bool
	waiting   ring.Ring[sample] // to be binned, in as many slots of SRAM as the spec has
	clock     *GlobalClock
	tracer    *tracer  // nil unless packets are traced
	spans     *spanLog // nil unless operations are taken down
	phases    []phase  // when there are any, what to record within
	stats     Stats
}

// Stats counts what the monitor did beside its histograms.
type Stats struct {
	Inline     uint64 // samples binned at once, because no slot was left
	Repeated   uint64 // retransmissions, which are not binned
	Unanchored uint64 // packets whose Net could not be had: no clock table yet, or no T3 in the header
	Truth      Truth
}

// Truth compares Net as measured with what it really was. No firmware can see
// it; it is how the model checks the bound of the clock's error.
type Truth struct {
	Conversions uint64
	Covered     uint64 // true error within the reported bound
	ErrorMax    sim.Duration
	BoundSum    sim.Duration
}

// Config is what a monitor needs beside its spec.
type Config struct {
	Build    Build
	Layout   *histo.Layout
	Protocol clock.Protocol
	Packets  bool     // trace packets
	Spans    bool     // take operations of upper layers down
	Phases   []string // when there are any, record only while a program is in one of them
}

// Memory returns the bytes of SRAM that a monitor needs at least beside its
// histograms.
func (c *Config) Memory(s *Spec) int {
	n := s.DeferredSlots * sampleBytes
	if c.Build&clockPart != 0 {
		n += c.Protocol.Nodes*c.Protocol.ConverterBytes() + c.Protocol.CoordinatorBytes()
	}
	if c.Packets {
		n += s.TraceRingBytes
	}
	return n
}

// sampleBytes is a deferred sample in SRAM.
const sampleBytes = 16

// New puts the monitor into a card's firmware, reserving SRAM for its
// histograms. Recording is off until Start. The caller does not make a monitor
// for the build Off.
func New(nic *ni.NIC, spec Spec, c Config) (*Monitor, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	m := &Monitor{nic: nic, spec: spec, build: c.Build, variance: c.Layout.Spec().Variance}
	m.cost = &m.spec.Cycles
	if err := nic.SRAM().Reserve("histograms", c.Layout.Bytes()); err != nil {
		return nil, fmt.Errorf("monitor on node %d: %w", nic.ID(), err)
	}
	if err := nic.SRAM().Reserve("deferred samples", spec.DeferredSlots*sampleBytes); err != nil {
		return nil, fmt.Errorf("monitor on node %d: %w", nic.ID(), err)
	}
	m.bank = histo.New(c.Layout)
	nic.Attach(m)
	if c.Build&clockPart != 0 {
		service, err := newGlobalClock(nic, m.cost, c.Protocol)
		if err != nil {
			return nil, err
		}
		m.clock = service
		nic.Serve(service)
	}
	return m, m.attachTrace(c)
}

// attachTrace adds the phases to record, and what a traced run needs: global
// time at both ends.
func (m *Monitor) attachTrace(c Config) error {
	for _, name := range c.Phases {
		m.phases = append(m.phases, phase{name: name})
	}
	if !c.Packets && !c.Spans {
		return nil
	}
	if c.Build != Full {
		return fmt.Errorf("monitor on node %d: a trace in the build %v, want full", m.nic.ID(), c.Build)
	}
	if c.Spans {
		m.spans = &spanLog{}
	}
	if !c.Packets {
		return nil
	}
	var err error
	m.tracer, err = newTracer(m)
	return err
}

// SetOrigin says from which global time, in subticks, times in records count.
func (m *Monitor) SetOrigin(global int64) { m.origin = global }

// global converts a node's register to ns of global time since the origin. The bound
// of the error is in subticks.
func (m *Monitor) global(node int, ticks uint64) (ns, bound int64) {
	at, bound := m.clock.convert(node, ticks)
	return m.clock.nanoseconds(at - m.origin), bound
}

// Start begins to record, unless that is left to the phases of programs;
// packets whose request came before do not count.
func (m *Monitor) Start() {
	if len(m.phases) == 0 {
		m.begin()
	}
}

func (m *Monitor) begin() {
	if !m.recording {
		m.recording = true
		m.since = m.now()
	}
}

// Stop ends recording. What waits to be binned is binned, for which the
// processor is busy.
func (m *Monitor) Stop() {
	m.recording = false
	m.nic.Stall(m.nic.Duration(m.waiting.Len() * m.binCycles()))
	for m.waiting.Len() > 0 {
		m.file(m.waiting.Pop())
	}
}

// Reset clears the histograms; packets whose request came before do not count.
func (m *Monitor) Reset() {
	m.since = m.now()
	m.waiting.Clear()
	m.bank.Reset()
	m.stats = Stats{}
	if m.tracer != nil {
		m.tracer.reset()
	}
	if m.spans != nil {
		*m.spans = spanLog{}
	}
}

// ReadOut returns a copy of the histograms as they lie in SRAM.
func (m *Monitor) ReadOut() *histo.Snapshot { return m.bank.Snapshot(m.nic.ID()) }

// Stats returns the counters.
func (m *Monitor) Stats() Stats { return m.stats }

// Clock returns the node's part of the global clock, or nil in a build without it.
func (m *Monitor) Clock() *GlobalClock { return m.clock }

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

func (m *Monitor) on(part Build) bool { return m.recording && m.build&part != 0 }

// now returns the clock's ticks at a call of the host's.
func (m *Monitor) now() uint64 { return m.nic.Ticks(m.nic.Engine().Now()) }

// counts reports whether all instants of a packet up to here have been
// stamped since recording began.
func (m *Monitor) counts(r *ni.Record) bool { return m.recording && r.Recorded && r.T1 >= m.since }

// Requested implements ni.Probe.
func (m *Monitor) Requested(r *ni.Record, at sim.Time) {
	if r.Recorded = m.on(sendPart); r.Recorded {
		m.nic.Spend(m.cost.NoteRequest)
		r.T1 = m.nic.Ticks(at)
	}
}

// Fetched implements ni.Probe.
func (m *Monitor) Fetched(r *ni.Record, at sim.Time) {
	if m.on(sendPart) {
		m.nic.Spend(m.cost.NoteFetched)
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
		m.nic.Spend(m.cost.WriteHeader)
		p.Header.Flags |= ni.FlagRecorded
		t3 := m.nic.Ticks(m.nic.Now())
		p.Header.Words[wordT3] = uint64(uint32(t3))
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
	m.nic.Spend(m.cost.NoteSent)
	t4 := m.nic.Ticks(at)
	m.put(sample{
		packet: histo.Packet{Tag: r.Meta.Tag, Kind: r.Meta.Kind, Later: !r.First, Bytes: int(r.Bytes), Peer: int(r.Peer)},
		stages: [2]trace.Stage{trace.Source, trace.LANai},
		ticks:  [2]int64{int64(r.T2 - r.T1), int64(t4 - r.T2)},
	})
	if m.tracer != nil {
		m.tracer.injected(r, t4)
	}
}

// Arriving implements ni.Probe.
func (m *Monitor) Arriving(p *fabric.Packet) {
	h := &p.Header
	h.Words[wordT5], h.Words[wordNet] = 0, noNet
	if !m.recording {
		return
	}
	if m.build&recvPart != 0 {
		m.nic.Spend(m.cost.StripHeader)
	}
	if m.build&clockPart != 0 {
		m.nic.Spend(m.cost.Convert)
	}
	if m.build&recvPart == 0 {
		return
	}
	m.nic.Spend(m.cost.NoteArrived)
	now := m.nic.Now()
	t5 := m.nic.Ticks(now)
	h.Words[wordT5] = t5
	if h.Flags&ni.FlagRecorded == 0 || h.Flags&ni.FlagRepeated != 0 {
		return
	}
	if m.clock == nil {
		return
	}
	if net, ok := m.clock.latency(p, h.Words[wordT3], uint64(uint32(t5))); ok {
		h.Words[wordNet] = uint64(net.ticks)
		m.stats.Truth.add(net, now.Sub(p.T3))
	}
}

// Delivered implements ni.Probe.
func (m *Monitor) Delivered(p *fabric.Packet, at sim.Time) {
	h := &p.Header
	if !m.on(recvPart) {
		return
	}
	m.nic.Spend(m.cost.NoteDone)
	if h.Flags&ni.FlagRepeated != 0 {
		m.stats.Repeated++
		return
	}
	// A sender without the monitor's part marks nothing.
	if t5 := h.Words[wordT5]; t5 == 0 || t5 < m.since || h.Flags&ni.FlagRecorded == 0 && m.build&sendPart != 0 {
		return
	}
	if h.Words[wordNet] == noNet {
		m.stats.Unanchored++
	}
	t6 := m.nic.Ticks(at)
	m.put(sample{
		packet: histo.Packet{Tag: h.Meta.Tag, Kind: h.Meta.Kind, Later: h.Flags&ni.FlagFirst == 0, Bytes: len(p.Data), Peer: int(p.Src)},
		stages: [2]trace.Stage{trace.Net, trace.Dest},
		ticks:  [2]int64{int64(h.Words[wordNet]), int64(t6 - h.Words[wordT5])},
	})
	if m.tracer != nil {
		m.tracer.delivered(p, t6)
	}
}

// sample is a pair of latencies that waits to be binned: Source and LANai at
// the sender, Net and Dest at the receiver.
type sample struct {
	packet histo.Packet
	stages [2]trace.Stage
	ticks  [2]int64
}

// put sets a sample aside for an idle moment, or bins it when no slot is left.
func (m *Monitor) put(s sample) {
	if m.waiting.Len() == m.spec.DeferredSlots {
		m.stats.Inline++
		m.bin(s)
		return
	}
	m.nic.Spend(m.cost.Defer)
	m.waiting.Push(s)
}

// bin pays for two latencies and files them.
func (m *Monitor) bin(s sample) {
	m.nic.Spend(m.binCycles())
	m.file(s)
}

func (m *Monitor) binCycles() int {
	cycles := 2 * m.cost.Bin
	if m.variance {
		cycles += 2 * m.cost.Square
	}
	return cycles
}

func (m *Monitor) file(s sample) {
	if s.ticks[0] != math.MinInt64 {
		m.bank.Record(s.packet, s.stages[0], s.ticks[0])
	}
	m.bank.Record(s.packet, s.stages[1], s.ticks[1])
}

// Idle implements ni.Probe.
func (m *Monitor) Idle() bool {
	switch {
	case m.waiting.Len() > 0:
		m.bin(m.waiting.Pop())
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
