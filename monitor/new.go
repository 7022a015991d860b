package monitor

import (
	"cmp"
	"fmt"

	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/trace"
)

// Config configures a monitor, in addition to its spec.
type Config struct {
	Options  // Variance is the layout's
	Layout   *histo.Layout
	Protocol clock.Protocol
	Curves   *clock.Curves // shared by all nodes of a run, or nil
	// Host takes records of packets when they have come to host memory, if they
	// are drained. It must not keep the slice.
	Host func([]trace.Half)
	// Marks takes the marks of processes, if operations are recorded.
	Marks *trace.Marks
}

// Memory returns the least SRAM, in bytes, that a monitor of a spec, which has the ring of the
// options, needs besides its histograms.
func (c *Config) Memory(s *Spec) int {
	n := s.DeferredSlots * sampleBytes
	if c.Build&clockPart != 0 {
		n += c.Protocol.Nodes*c.Protocol.ConverterBytes() + c.Protocol.CoordinatorBytes()
	}
	if c.Drains() {
		n += s.TraceRingBytes
	}
	return n
}

// sampleBytes is a deferred sample in SRAM.
const sampleBytes = 16

// New adds the monitor to an interface's firmware and reserves SRAM for its
// histograms. It does not record until Start. The build Off has no monitor. Monitors may share a spec,
// which must not change and has the ring of the options.
func New(nic *ni.NIC, spec *Spec, c Config) (*Monitor, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	m := &Monitor{nic: nic, spec: spec, build: c.Build, variance: c.Layout.Spec().Variance, phases: map[string]bool{}}
	m.follows = len(c.Layout.Sequences()) > 0
	m.cost = &m.spec.Cycles
	m.takes = takes{
		request: nic.Duration(m.cost.NoteRequest), fetched: nic.Duration(m.cost.NoteFetched), header: nic.Duration(m.cost.WriteHeader),
		sent: nic.Duration(m.cost.NoteSent), arrived: nic.Duration(m.cost.NoteArrived + m.cost.StripHeader), done: nic.Duration(m.cost.NoteDone),
		convert: nic.Duration(m.cost.Convert), deferring: nic.Duration(m.cost.Defer), bin: nic.Duration(m.binCycles()),
	}
	err := cmp.Or(nic.SRAM().Reserve("histograms", c.Layout.Bytes()), nic.SRAM().Reserve("deferred samples", spec.DeferredSlots*sampleBytes))
	if err != nil {
		return nil, fmt.Errorf("monitor on node %d: %w", nic.ID(), err)
	}
	m.bank = histo.New(c.Layout)
	if c.Build&clockPart != 0 {
		service, err := newGlobalClock(nic, m.cost, c.Protocol, c.Curves)
		if err != nil {
			return nil, err
		}
		m.clock = service
		nic.Serve(service)
	}
	if err := m.attachTrace(c); err != nil {
		return nil, err
	}
	nic.Attach(m)
	return m, nil
}

// attachTrace sets the phases to record and prepares tracing, which needs
// global time at both ends.
func (m *Monitor) attachTrace(c Config) error {
	for _, name := range c.Phases {
		m.phases[name] = false
	}
	if !c.Drains() && !c.TracesSpans() {
		return nil
	}
	if c.Build != Full {
		return fmt.Errorf("monitor on node %d: a trace in the build %v, want full", m.nic.ID(), c.Build)
	}
	if c.TracesSpans() {
		m.marks = c.Marks
	}
	if !c.Drains() {
		return nil
	}
	var err error
	m.tracer, err = newTracer(m, &c.Only, c.Host)
	return err
}

// SetOrigin sets the global time, in subticks, at which times in records are 0.
func (m *Monitor) SetOrigin(global int64) { m.origin = global }

// Start begins recording, unless recording is limited to phases. Packets with
// earlier requests are not recorded.
func (m *Monitor) Start() {
	if len(m.phases) == 0 {
		m.begin()
	}
}

func (m *Monitor) begin() {
	m.nic.Settle()
	if m.active == 0 {
		m.active = m.build
		m.since = m.now()
	}
}

// Stop ends recording. Deferred samples are binned, which keeps the processor
// busy.
func (m *Monitor) Stop() {
	m.nic.Settle()
	m.active = 0
	m.nic.Stall(m.nic.Duration(m.waiting.Len() * m.binCycles()))
	for m.waiting.Len() > 0 {
		*m.next(m.waiting.At(0).First) = *m.waiting.At(0)
		m.waiting.Drop()
	}
}

// Reset clears the histograms. Packets with earlier requests are not recorded.
func (m *Monitor) Reset() {
	m.nic.Settle()
	m.since = m.now()
	m.waiting.Clear()
	for i := range m.binned {
		m.binned[i] = m.binned[i][:0]
	}
	m.bank.Reset()
	m.stats = Stats{}
	if m.tracer != nil {
		m.tracer.reset()
	}
	if m.marks != nil {
		m.marks.Forget(m.nic.ID())
	}
}

// ReadOut returns a copy of the histograms in SRAM.
func (m *Monitor) ReadOut() *histo.Snapshot {
	s := m.bank.Layout().Empty()
	if err := m.ReadInto(s); err != nil {
		panic("monitor: " + err.Error()) // an empty snapshot has room for any sums
	}
	return s
}

// ReadInto adds the histograms in SRAM to a snapshot of the same layout.
func (m *Monitor) ReadInto(s *histo.Snapshot) error {
	m.nic.Settle()
	m.fill()
	return s.AddBank(m.nic.ID(), m.bank)
}

// Stats returns the counters.
func (m *Monitor) Stats() Stats {
	m.nic.Settle()
	return m.stats
}

// Clock returns the node's part of the global clock, or nil in a build without it.
func (m *Monitor) Clock() *GlobalClock { return m.clock }

// now returns the clock's ticks when the host calls the monitor.
func (m *Monitor) now() uint64 { return m.nic.Ticks(m.nic.Engine().Now()) }

// global converts a node's register to ns of global time since the origin. The bound
// of the error is in subticks.
func (m *Monitor) global(node int, ticks uint64) (ns, bound int64) {
	at, bound := m.clock.convert(node, ticks)
	return m.clock.nanoseconds(at - m.origin), bound
}

// Rest hands the host the records that are still in the ring, after the run and in no simulated
// time.
func (m *Monitor) Rest() {
	if m.tracer != nil {
		m.tracer.rest()
	}
}

// Log returns what the node has recorded in a traced run, except the records of packets.
// It is empty in other runs.
func (m *Monitor) Log() trace.Log {
	var out trace.Log
	if m.tracer != nil {
		out = trace.Log{Gaps: m.tracer.gaps, Lost: m.tracer.stats.Lost + m.tracer.stats.Unconverted}
	}
	return out
}

// TraceStats returns the counters of the packet trace.
func (m *Monitor) TraceStats() TraceStats {
	if m.tracer == nil {
		return TraceStats{}
	}
	return m.tracer.stats
}
