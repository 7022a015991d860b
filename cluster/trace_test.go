package cluster_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/fft"
)

// kinds are the packets of shared memory.
var kinds = []trace.Kind{
	trace.PageRequest, trace.PageReply, trace.Diff, trace.LockRequest, trace.LockForward, trace.LockGrant,
	trace.BarrierArrive, trace.BarrierRelease, trace.Credit,
}

// traced is a cluster with a program on shared memory that has run.
type traced struct {
	*cluster.Cluster
	memory *svm.System
	took   sim.Duration
	setup  setup
}

// takenDown is what the nodes took down, with its operations as lists.
type takenDown struct {
	trace.Traced
	Spans []trace.SpanRow
	Steps []trace.StepRow
}

// Trace puts together what the nodes took down.
func (r traced) Trace() takenDown {
	var logs []trace.Log
	for _, n := range r.Nodes {
		logs = append(logs, n.Monitor.Log())
	}
	out, err := trace.Combine(r.Traced(), r.Marks, logs)
	if err != nil {
		panic(err)
	}
	if out.Spans == nil {
		return takenDown{Traced: out}
	}
	return takenDown{out, slices.Collect(out.Spans), slices.Collect(out.Steps)}
}

// setup is what a test changes.
type setup struct {
	nodes          int
	packets, spans bool
	phases         []string
	ring           monitor.Ring
	only           monitor.Selection
	bins           sim.Duration
	service        svm.Service
	faults         fabric.Faults
	profile        func(*platform.Profile)
	mute           bool // no instruments
	before         func(*cluster.Cluster)
}

func (s setup) trace() monitor.Trace {
	switch {
	case s.packets && s.spans:
		return monitor.TraceAll
	case s.packets:
		return monitor.TracePackets
	case s.spans:
		return monitor.TraceSpans
	}
	return ""
}

// runMemory runs program on a warm cluster.
func runMemory(t *testing.T, s setup, layout *svm.Layout, load func(*svm.System) error, program func(*svm.Thread)) traced {
	t.Helper()
	p, err := platform.Load("shrimp")
	require.NoError(t, err)
	if s.profile != nil {
		s.profile(p)
	}
	c, err := cluster.New(cluster.Spec{
		Profile: p, Nodes: s.nodes, Seed: 5, Options: monitor.Options{Build: monitor.Full, Trace: s.trace(), Phases: s.phases, Ring: s.ring, Only: s.only, Bins: s.bins}, Tags: 1, Kinds: kinds,
		Faults: s.faults,
	})
	require.NoError(t, err)
	t.Cleanup(c.Engine.Close)
	require.NoError(t, c.Warm())
	m, err := svm.NewSystem(svm.Spec{Layout: layout, Costs: p.SVM.Costs, Service: s.service})
	require.NoError(t, err)
	require.NoError(t, c.AttachMemory(m, 0, layout.Pages(), 64<<10))
	if s.mute {
		m.SetInstrument(nil)
	}
	if load != nil {
		require.NoError(t, load(m))
	}
	c.Record()
	if s.before != nil {
		s.before(c)
	}
	done := false
	require.NoError(t, m.Start(program, func() { done = true }))
	require.NoError(t, c.Engine.RunUntil(func() bool { return done }))
	require.NoError(t, m.Err())
	require.NoError(t, c.Engine.Run(c.Engine.Now().Add(sim.Millisecond)))
	took, ended := m.Elapsed()
	require.True(t, ended)
	return traced{c, m, took, s}
}

func runFFT(t *testing.T, s setup, points int) traced {
	t.Helper()
	f, err := fft.New(fft.Spec{Points: points, Nodes: s.nodes, Seed: 5})
	require.NoError(t, err)
	r := runMemory(t, s, f.Layout(), f.Load, f.Run)
	_, wrong := f.Verify(r.memory)
	require.NoError(t, wrong)
	return r
}

// stats sums the protocol's counters over nodes.
func (r traced) stats() (sum svm.Stats) {
	for i := range r.Nodes {
		s := r.memory.Member(i).Stats()
		sum.Fetches += s.Fetches
		sum.Grants += s.Grants
		sum.Acquires += s.Acquires
		sum.Barriers += s.Barriers
		sum.Diffs += s.Diffs
	}
	return sum
}

func counts(rows []trace.SpanRow) map[string]int {
	out := map[string]int{}
	for _, r := range rows {
		out[r.Operation]++
	}
	return out
}

// TestOperationsOfFFT: each page fetch, granted lock, barrier and difference that the
// protocol counts is an operation with stages that sum to it.
func TestOperationsOfFFT(t *testing.T) {
	for _, packets := range []bool{false, true} {
		r := runFFT(t, setup{nodes: 8, packets: packets, spans: true}, 1<<12)
		got := r.Trace()
		require.Zero(t, got.Open)
		require.NoError(t, trace.CheckRows(got.Spans))
		require.NoError(t, trace.CheckRows(got.Steps))
		require.NoError(t, trace.CheckSteps(slices.Values(got.Spans), slices.Values(got.Steps)))
		s, n := r.stats(), counts(got.Spans)
		require.NotZero(t, s.Fetches)
		require.EqualValues(t, s.Fetches, n["page_fetch"])
		require.EqualValues(t, s.Grants, n["lock_acquire"])
		require.EqualValues(t, 7, s.Grants, "the lock begins at its manager's")
		require.EqualValues(t, s.Barriers, n["barrier"])
		require.EqualValues(t, s.Diffs, n["diff_flush"])
		require.Equal(t, 6*8, n["phase"])
		for _, o := range analysis.Operations(slices.Values(got.Spans), slices.Values(got.Steps)) {
			if o.Operation != "page_fetch" {
				continue
			}
			var names []string
			for _, x := range o.Stages {
				names = append(names, x.Stage)
			}
			want := []string{"trap", "request", "handler", "reply", "resume"}
			if packets {
				want = []string{"trap", "request", "queue", "handler", "reply", "notice", "resume"}
				require.EqualValues(t, 2*n["page_fetch"], o.Packets, "request and page")
			}
			require.Equal(t, want, names)
			for _, x := range o.Stages {
				for ns := range x.All() {
					require.GreaterOrEqual(t, ns, int64(-2000), "%s: not below the clocks' error", x.Stage)
				}
			}
		}
	}
}

// TestPhasesCoverTheProgram: phases follow each other and fill the thread's time.
func TestPhasesCoverTheProgram(t *testing.T) {
	r := runFFT(t, setup{nodes: 2, spans: true}, 1<<14)
	var sum int64
	for _, s := range r.Trace().Spans {
		if s.Operation == "phase" && s.Node == 0 {
			sum += s.DurationNs
		}
	}
	require.InEpsilon(t, float64(r.took/sim.Nanosecond), float64(sum), 0.05) // barriers between phases are in none
}

// spy notes the true instants of what the monitor stamps.
type spy struct {
	*monitor.Monitor
	nic    *ni.NIC
	truths map[packet]*instants
}

type packet struct {
	from, to int32
	seq      uint32
}

type instants struct {
	number  uint32
	t3, t4  sim.Time // the engine started, the tail left
	t5, t6  sim.Time // as the firmware read its clock
	arrived sim.Time // the tail came
}

func (s *spy) Injecting(r *ni.Record, p *fabric.Packet) {
	s.Monitor.Injecting(r, p)
	s.truths[packet{p.Src, p.Dst, p.Header.Seq}] = &instants{number: r.Number}
}

func (s *spy) Arriving(p *fabric.Packet) {
	if x := s.truths[packet{p.Src, p.Dst, p.Header.Seq}]; x.t5 == 0 {
		x.t5 = s.nic.Now()
	}
	s.Monitor.Arriving(p)
}

func (s *spy) Delivered(p *fabric.Packet, at sim.Time) {
	s.Monitor.Delivered(p, at)
	if x := s.truths[packet{p.Src, p.Dst, p.Header.Seq}]; x.t6 == 0 {
		x.t6, x.t3, x.t4, x.arrived = at, p.T3, p.T4, p.T5
	}
}

// TestTraceAgainstTrueTime: every packet has one row, whose instants are the
// true ones within the reported bound of the clocks' error.
func TestTraceAgainstTrueTime(t *testing.T) {
	truths := map[packet]*instants{}
	var origin sim.Time
	r := runFFT(t, setup{nodes: 8, packets: true, before: func(c *cluster.Cluster) {
		origin = c.Engine.Now()
		for _, n := range c.Nodes {
			n.NIC.Attach(&spy{n.Monitor, n.NIC, truths})
		}
	}}, 1<<12)
	got := r.Trace()
	packets := slices.Collect(got.Packets)
	require.NoError(t, trace.CheckRows(packets))
	require.Zero(t, got.Single)
	require.Zero(t, got.Lost)
	require.Len(t, packets, len(truths))
	byNumber := map[packet]*instants{}
	for k, x := range truths {
		byNumber[packet{k.from, k.to, x.number}] = x
	}
	require.Len(t, byNumber, len(truths), "numbers are unique")

	zero := r.Nodes[0].Oscillator
	begin := zero.Ticks(int64(origin))
	global := func(at sim.Time) float64 { return float64(zero.Ticks(int64(at))-begin) / 33e6 * 1e9 }
	const tick = 31.0
	within := func(what string, row trace.PacketRow, got int64, at sim.Time, late float64) {
		t.Helper()
		off := float64(got) - global(at)
		require.True(t, -off <= float64(row.BoundNs.Value)+tick+late && off <= float64(row.BoundNs.Value)+tick,
			"%s of packet %d from %d to %d: %d ns, truly %.0f, bound %d", what, row.Number, row.Sender, row.Receiver, got, global(at), row.BoundNs.Value)
	}
	for _, row := range packets {
		x := byNumber[packet{int32(row.Sender), int32(row.Receiver), uint32(row.Number)}]
		require.NotNil(t, x)
		within("T3", row, row.T3Ns.Value, x.t3, 200) // the clock is read some cycles before the engine starts
		within("T5", row, row.T5Ns.Value, x.t5, 0)
		within("T6", row, row.T6Ns.Value, x.t6, 0)
		slack := float64(row.BoundNs.Value) + tick
		require.GreaterOrEqual(t, float64(row.T4Ns.Value), global(x.t4)-slack, "T4 is noticed after the tail has left")
		require.GreaterOrEqual(t, float64(row.T5Ns.Value), global(x.arrived)-slack, "T5 is noticed after the tail has come")
		require.Less(t, row.BoundNs.Value, int64(3000))
	}
}

// TestTraceOverflow: records that find the ring full are lost and counted. On each node the
// records and the gaps between them sum to the packets that it sent and received.
func TestTraceOverflow(t *testing.T) {
	truths := map[packet]*instants{}
	r := runFFT(t, setup{
		nodes: 4, packets: true,
		profile: func(p *platform.Profile) {
			p.Monitor.TraceRingBytes, p.Monitor.TraceBatchBytes, p.Monitor.TraceHighBytes = 64, 64, 64
		},
		before: func(c *cluster.Cluster) {
			for _, n := range c.Nodes {
				n.NIC.Attach(&spy{n.Monitor, n.NIC, truths})
			}
		},
	}, 1<<12)
	got := r.Trace()
	require.NotZero(t, got.Lost)
	require.NoError(t, trace.CheckRows(got.Gaps))
	missing := make([]int64, 4) // packets of a node without a record
	for k := range truths {
		missing[k.from]++
		missing[k.to]++
	}
	type half struct{ node, sender, number int64 }
	last := map[half]int64{} // the last instant of each record
	rows := slices.Collect(got.Packets)
	require.NoError(t, trace.CheckRows(rows))
	for _, p := range rows {
		if p.T4Ns.OK {
			missing[p.Sender]--
			last[half{p.Sender, p.Sender, p.Number}] = p.T4Ns.Value
		}
		if p.T6Ns.OK {
			missing[p.Receiver]--
			last[half{p.Receiver, p.Sender, p.Number}] = p.T6Ns.Value
		}
	}
	lost := make([]int64, 4)
	var all int64
	for _, g := range got.Gaps {
		lost[g.Node] += g.Lost
		all += g.Lost
		require.Equal(t, trace.RingFull, g.Why)
		if g.FromNs.OK && g.ToNs.OK {
			require.Less(t, g.FromNs.Value, g.ToNs.Value)
		}
		if g.FromNs.OK {
			require.InDelta(t, last[half{g.Node, g.FromSender.Value, g.FromNumber.Value}], g.FromNs.Value, 3000, "the clocks' error: T4 is shifted to the receiver's T3")
		}
	}
	require.Equal(t, missing, lost, "by node")
	require.EqualValues(t, all, got.Lost)
}

// TestSelectedPackets: the trace holds exactly the packets with the properties, with both
// halves.
func TestSelectedPackets(t *testing.T) {
	traced := func(only ...string) ([]trace.PacketRow, traced) {
		s := setup{nodes: 4, packets: true}
		for _, text := range only {
			require.NoError(t, s.only.Add(text))
		}
		r := runFFT(t, s, 1<<12)
		got := r.Trace()
		require.Zero(t, got.Single)
		return slices.Collect(got.Packets), r
	}
	count := func(rows []trace.PacketRow, of func(trace.PacketRow) bool) (n int) {
		for _, p := range rows {
			if of(p) {
				n++
			}
		}
		return n
	}
	all, _ := traced()
	is := map[string]func(trace.PacketRow) bool{
		"kind=page-reply": func(p trace.PacketRow) bool { return p.Kind == "page-reply" },
		"node=0..1":       func(p trace.PacketRow) bool { return p.Sender < 2 || p.Receiver < 2 },
		"size=100..5000":  func(p trace.PacketRow) bool { return p.SizeBytes >= 100 },
		"tag=0":           func(p trace.PacketRow) bool { return true },
		"span=0":          func(p trace.PacketRow) bool { return p.Span == 0 },
	}
	for text, of := range is {
		rows, _ := traced(text)
		require.Equal(t, len(rows), count(rows, of), text)
		require.Equal(t, count(all, of), len(rows), text)
	}
	both, _ := traced("kind=page-reply", "node=0..1", "kind=page-request")
	require.Equal(t, count(all, func(p trace.PacketRow) bool {
		return (p.Kind == "page-reply" || p.Kind == "page-request") && is["node=0..1"](p)
	}), len(both))
	fourth, r := traced("kind=page-reply", "every=4")
	want := 0
	for node := range r.Nodes {
		want += (count(all, func(p trace.PacketRow) bool { return p.Kind == "page-reply" && p.Sender == int64(node) }) + 3) / 4
	}
	require.Equal(t, want, len(fourth))
	window, _ := traced("window=2ms..3ms")
	require.NotEmpty(t, window)
	for _, p := range window {
		require.InDelta(t, 2.5e6, p.T3Ns.Value, 0.5e6+3000, "the receiver converts T3 with its own table")
	}
}

// TestBinsInHostMemory: the counts are those of the traced packets, and without a trace
// of packets the bins are the same.
func TestBinsInHostMemory(t *testing.T) {
	const width = 250
	r := runFFT(t, setup{nodes: 4, packets: true, bins: width * sim.Nanosecond}, 1<<12)
	packets := slices.Collect(r.Trace().Packets)
	rows := r.Bins.Rows()
	require.NoError(t, trace.CheckRows(rows))
	sums := [trace.NumStages]int{}
	for _, b := range rows {
		require.Equal(t, b.LatencyLoNs+width, b.LatencyHiNs.Value)
		count := 0
		for _, p := range packets {
			ns := []int64{p.SourceNs.Value, p.LANaiNs.Value, p.NetNs.Value, p.DestNs.Value}[b.Stage]
			if p.Kind == b.Kind && p.SizeBytes > b.SizeLoBytes && p.SizeBytes <= b.SizeHiBytes && ns >= b.LatencyLoNs && ns < b.LatencyHiNs.Value {
				count++
			}
		}
		require.EqualValues(t, count, b.Count, "%+v", b)
		sums[b.Stage] += count
	}
	n := len(packets)
	require.Equal(t, [trace.NumStages]int{n, n, n, n}, sums)

	alone := runFFT(t, setup{nodes: 4, bins: width * sim.Nanosecond}, 1<<12)
	require.Nil(t, alone.Trace().Packets)
	require.Equal(t, rows, alone.Bins.Rows())
}

// TestTraceOfRepeatedPackets: what was sent again has the sender's half only.
func TestTraceOfRepeatedPackets(t *testing.T) {
	r := runFFT(t, setup{nodes: 4, packets: true, spans: true, faults: fabric.Faults{ErrorPerByte: 2e-5}}, 1<<12)
	got := r.Trace()
	rows := slices.Collect(got.Packets)
	require.NoError(t, trace.CheckRows(rows))
	require.NoError(t, trace.CheckSteps(slices.Values(got.Spans), slices.Values(got.Steps)))
	var repeated, packets uint64
	for _, n := range r.Nodes {
		repeated += n.VMMC.Stats().Retransmitted
		packets += n.VMMC.Stats().Packets
	}
	require.NotZero(t, repeated)
	require.EqualValues(t, packets, len(rows))
	require.NotZero(t, got.Single)
	require.LessOrEqual(t, got.Single, int(repeated))
}

// TestTraceIsDrained: the records go to host memory while the program runs,
// through the host DMA engine.
func TestTraceIsDrained(t *testing.T) {
	r := runFFT(t, setup{nodes: 4, packets: true}, 1<<12)
	plain := runFFT(t, setup{nodes: 4}, 1<<12)
	for i, n := range r.Nodes {
		s := n.Monitor.TraceStats()
		require.NotZero(t, s.Transfers)
		require.LessOrEqual(t, s.Records-32*s.Transfers, uint64(64))
		require.Equal(t, plain.Nodes[i].NIC.Stats().HostDMAs+s.Transfers, n.NIC.Stats().HostDMAs)
	}
}

// TestTraceRepeats: same run, same rows.
func TestTraceRepeats(t *testing.T) {
	var runs [2]takenDown
	var packets [2][]trace.PacketRow
	var digests [2]uint64
	for i := range runs {
		r := runFFT(t, setup{nodes: 4, packets: true, spans: true}, 1<<12)
		digests[i] = r.Engine.Digest()
		runs[i] = r.Trace()
		packets[i] = slices.Collect(runs[i].Packets)
		require.NotEmpty(t, packets[i])
	}
	require.Equal(t, digests[0], digests[1])
	require.Equal(t, packets[0], packets[1])
	require.Equal(t, runs[0].Spans, runs[1].Spans)
	require.Equal(t, runs[0].Steps, runs[1].Steps)
}

// TestUntracedInstrumentsCostNothing: an untraced run is the same whether or not its processes
// hold an instrument.
func TestUntracedInstrumentsCostNothing(t *testing.T) {
	with := runFFT(t, setup{nodes: 4}, 1<<12)
	without := runFFT(t, setup{nodes: 4, mute: true}, 1<<12)
	require.Equal(t, with.Engine.Digest(), without.Engine.Digest())
	require.Nil(t, with.Trace().Packets)
	require.Zero(t, with.Trace().Spans)
}

// TestRecordSwitch: a program records one part of itself only.
func TestRecordSwitch(t *testing.T) {
	layout, err := svm.NewLayout(2)
	require.NoError(t, err)
	_, err = layout.Alloc(16*svm.PageSize, svm.Blocks)
	require.NoError(t, err)
	program := func(t *svm.Thread) {
		t.Record(false)
		read := func(first int) {
			for p := range 4 {
				t.ReadPiece(svm.Addr(((1-t.Node())*8+first+p)*svm.PageSize), 4)
			}
			t.Barrier(0)
		}
		read(0)
		t.Record(true)
		t.Barrier(0)
		t.Phase("the part", func() { read(4) })
		t.Barrier(0)
		t.Record(false)
		t.Barrier(0)
	}
	r := runMemory(t, setup{nodes: 2, packets: true, spans: true}, layout, nil, program)
	got := r.Trace()
	require.EqualValues(t, 16, r.stats().Fetches)
	n := counts(got.Spans)
	require.Equal(t, 8, n["page_fetch"])
	require.Equal(t, 2, n["phase"])
	pages, packets := 0, 0
	for p := range got.Packets {
		packets++
		if p.Kind == "page-reply" {
			pages++
		}
	}
	require.Equal(t, 8, pages)
	recorded := 0
	for _, s := range r.Snapshots() {
		m, err := s.Moments(histo.Query{Stage: trace.Source})
		require.NoError(t, err)
		recorded += int(m.Count)
	}
	require.InDelta(t, packets, recorded, 4, "those whose ends lie on either side of the switch")
}

// TestPhasesToRecord: the monitors record within the phases that are asked
// for, and say which never came.
func TestPhasesToRecord(t *testing.T) {
	r := runFFT(t, setup{nodes: 4, packets: true, spans: true, phases: []string{"transpose 2", "rows 9"}}, 1<<12)
	got := r.Trace()
	require.NoError(t, trace.CheckSteps(slices.Values(got.Spans), slices.Values(got.Steps)))
	n := counts(got.Spans)
	require.Equal(t, 4, n["phase"])
	require.Zero(t, n["barrier"], "they stand between phases")
	require.NotZero(t, n["page_fetch"])
	require.Less(t, 3*n["page_fetch"], int(2*r.stats().Fetches))
	begin, end := map[int64]int64{}, map[int64]int64{}
	for _, s := range got.Spans {
		if s.Operation == "phase" {
			require.Equal(t, "transpose 2", s.Name)
			begin[s.Node], end[s.Node] = s.BeginNs, s.EndNs
		}
	}
	for p := range got.Packets {
		if p.T1Ns.OK {
			require.Greater(t, p.T2Ns.Value, begin[p.Sender]-p.BoundNs.Value-1000, "its request was taken up in the phase")
			require.Less(t, p.T4Ns.Value, end[p.Sender]+p.BoundNs.Value+2000)
		}
	}
	require.True(t, r.Nodes[2].Monitor.Reached("transpose 2"))
	require.False(t, r.Nodes[2].Monitor.Reached("rows 9"))
}
