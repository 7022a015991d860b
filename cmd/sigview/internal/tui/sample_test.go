package tui

import (
	"cmp"
	"context"
	"encoding/json"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cmd/sigview/internal/tui/data"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/report/chart/cell"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/stretchr/testify/require"
)

// traffic describes a made-up run.
type traffic struct {
	seed    int64
	nodes   int
	packets map[int]int // by size, for each pair of nodes
	addNs   [trace.NumStages]int64
	traced  bool
}

func unloaded() traffic {
	l := traffic{seed: 1, nodes: 2, packets: map[int]int{}}
	for size := 32; size <= 4096; size += 32 {
		l.packets[size] = 40
	}
	return l
}

func busy(seed int64) traffic {
	return traffic{
		seed: seed, nodes: 4, traced: true,
		packets: map[int]int{16: 60, 48: 40, 112: 30, 128: 2, 512: 8, 1024: 1, 2000: 4, 4096: 50},
		addNs:   [trace.NumStages]int64{trace.Source: 4000, trace.LANai: 100, trace.Net: 3500, trace.Dest: 200},
	}
}

func baseNs(stage trace.Stage, size int64) int64 {
	return [trace.NumStages]int64{5000 + 8*size, 1500 + 6*size, 5000 + 6*size, 3000 + 8*size}[stage]
}

// make records the packets the way interfaces do.
func (l traffic) make(t testing.TB) trace.Run {
	t.Helper()
	spec := histo.Published()
	spec.BudgetBytes, spec.TickHz, spec.Tags, spec.Nodes, spec.Variance = 8<<20, 1_000_000_000, 1, l.nodes, true
	spec.Kinds, spec.Later = []trace.Kind{trace.Data, trace.PageReply}, []trace.Kind{trace.PageReply}
	layout, err := histo.Plan(spec)
	require.NoError(t, err)
	banks := make([]*histo.Bank, l.nodes)
	for i := range banks {
		banks[i] = histo.New(layout)
	}
	run := trace.Run{Manifest: manifest(l)}
	var operations operationRows
	rng := rand.New(rand.NewSource(l.seed))
	var packets []trace.PacketRow
	for pair := range l.nodes * l.nodes {
		if s, r := pair/l.nodes, pair%l.nodes; s != r {
			packets = append(packets, l.pair(&run, &operations, banks, s, r, rng)...)
		}
	}
	if l.traced {
		operations.sort(packets)
		run.Packets, run.Spans, run.Steps = slices.Values(packets), slices.Values(operations.spans), slices.Values(operations.steps)
	}
	var snaps []*histo.Snapshot
	for i, b := range banks {
		snaps = append(snaps, b.Snapshot(i))
	}
	merged, err := histo.Merge(snaps...)
	require.NoError(t, err)
	sig := analysis.Summarize(merged)
	sig.Store(&run)
	run.Histograms = analysis.Histograms(merged)
	for i := range int64(6 * l.nodes) {
		round, node := i/int64(l.nodes), i%int64(l.nodes)
		run.Clock = append(run.Clock, trace.ClockRow{
			Estimator: "improved", Round: round, Node: node, TimeNs: round * 40e6, OffsetNs: 1000.5 * float64(node*round), RatePPB: trace.Some(12.25 * float64(node)),
			ResidualNs: trace.Some(float64(node) * (3 - float64(round))), BoundNs: trace.Some(450 - 20*float64(round)), TrueErrorNs: trace.Some(float64(node*100) - 30*float64(round*(l.seed-2))),
		})
	}
	return run
}

func (l traffic) pair(run *trace.Run, operations *operationRows, banks []*histo.Bank, s, r int, rng *rand.Rand) (packets []trace.PacketRow) {
	for size := 0; size <= 4096; size++ {
		for i := range l.packets[size] {
			kind := trace.Data
			if size >= 1024 {
				kind = trace.PageReply
			}
			var ns [trace.NumStages]int64
			for stage := range trace.NumStages {
				ns[stage] = baseNs(stage, int64(size)) + rng.Int63n(400) - 200
				if add := l.addNs[stage]; add > 0 {
					ns[stage] += rng.Int63n(2 * add)
				}
				at, peer := s, r
				if stage == trace.Net || stage == trace.Dest {
					at, peer = r, s
				}
				banks[at].Record(histo.Packet{Tag: 0, Kind: kind, Bytes: size, Later: i%2 == 1, Peer: peer}, stage, ns[stage])
			}
			if l.traced {
				packets = append(packets, operations.traced(s, r, size, kind, ns, rng.Int63n(run.Manifest.SimulatedNs-2e6)))
			}
		}
	}
	return packets
}

// operationRows are the operations of a made-up trace.
type operationRows struct {
	spans []trace.SpanRow
	steps []trace.StepRow
}

// sort puts packets, operations and steps into the order of their tables.
func (o *operationRows) sort(packets []trace.PacketRow) {
	slices.SortStableFunc(packets, func(a, b trace.PacketRow) int { return cmp.Compare(a.T3Ns.Value, b.T3Ns.Value) })
	slices.SortStableFunc(o.spans, func(a, b trace.SpanRow) int { return cmp.Compare(a.BeginNs, b.BeginNs) })
	steps := map[int64][]trace.StepRow{}
	for _, s := range o.steps {
		steps[s.Span] = append(steps[s.Span], s)
	}
	o.steps = nil
	for _, s := range o.spans {
		o.steps = append(o.steps, steps[s.Span]...)
	}
}

// traced makes a packet, and adds an operation that it belongs to.
func (o *operationRows) traced(s, r, size int, kind trace.Kind, ns [trace.NumStages]int64, t1 int64) trace.PacketRow {
	t2 := t1 + ns[trace.Source]
	t3, t4 := t2+800, t2+ns[trace.LANai]
	t5 := t3 + ns[trace.Net]
	n := int64(len(o.spans) + 1)
	p := trace.PacketRow{
		Kind: kind.String(), Span: n, Sender: int64(s), Receiver: int64(r), Number: n, SizeBytes: int64(max(size, 1)), First: true,
		T1Ns: trace.Some(t1), T2Ns: trace.Some(t2), T3Ns: trace.Some(t3), T4Ns: trace.Some(t4), T5Ns: trace.Some(t5), T6Ns: trace.Some(t5 + ns[trace.Dest]),
	}
	op := trace.OpLockAcquire
	if kind == trace.PageReply {
		op = trace.OpPageFetch
	}
	all := p.T6Ns.Value - t1
	o.spans = append(o.spans, trace.SpanRow{Span: n, Operation: string(op), Node: int64(r), BeginNs: t1, EndNs: t1 + all, DurationNs: all, BoundNs: 300, Packets: 1})
	begin, length := t1, all-2*(all/3)
	for i, st := range []trace.Step{trace.StepRequest, trace.StepHandler, trace.StepReply} {
		o.steps = append(o.steps, trace.StepRow{Span: n, Operation: string(op), Order: int64(i), Step: string(st), Node: int64(r), BeginNs: begin, DurationNs: length})
		begin, length = begin+length, all/3
	}
	return p
}

func manifest(l traffic) trace.Manifest {
	worst, bound, held := 812.5, 450.0, 0.9995
	return trace.Manifest{
		SchemaVersion: trace.SchemaVersion, ToolVersion: "v0.1.0", Seed: uint64(l.seed), Workload: "fft",
		Platform: trace.Platform{Name: "shrimp", Digest: "0123456789abcdef"}, Nodes: l.nodes,
		Tags: []trace.Program{{Tag: 0, Name: "fft", Verified: true}}, Spec: json.RawMessage(`{"workload":"fft"}`),
		Verified: true, Verification: "relative error 3.1e-12", SimulatedNs: 240_000_000, Packets: 7056,
		Clock: trace.ClockQuality{Estimator: "improved", Rounds: 6, Messages: 42, MaxErrorNs: &worst, MedianBoundNs: &bound, BoundCoverage: &held},
	}
}

// sample is a run beside its baseline.
func sample(t testing.TB, dir string, l traffic) *data.Data {
	t.Helper()
	unloaded, err := analysis.NewBaseline(analysis.Of(unloaded().make(t)), 0)
	require.NoError(t, err)
	d := data.NewData(dir, l.make(t), &unloaded)
	if l.traced {
		d.Dir = filepath.Join(t.TempDir(), "run")
		store(t, d.Dir, d.Run)
		d, err = d.WithTrace()
		require.NoError(t, err)
	}
	d.Dir = dir
	return d
}

// testdata is found from every directory.
var testdata, _ = filepath.Abs("testdata")

// store writes a run into a directory, with the latencies of its packets.
func store(t testing.TB, dir string, run trace.Run) {
	t.Helper()
	if packets := run.Packets; packets != nil {
		between := func(from, to trace.Opt[int64]) trace.Opt[int64] { return trace.Some(to.Value - from.Value) }
		run.Packets = func(yield func(trace.PacketRow) bool) {
			for r := range packets {
				r.SourceNs, r.LANaiNs, r.NetNs, r.DestNs = between(r.T1Ns, r.T2Ns), between(r.T2Ns, r.T4Ns), between(r.T3Ns, r.T5Ns), between(r.T5Ns, r.T6Ns)
				if !yield(r) {
					return
				}
			}
		}
	}
	require.NoError(t, rundir.WriteRun(context.Background(), dir, run))
}

// inRuns goes to a folder with made-up runs and real measurements.
func inRuns(t testing.TB) {
	t.Helper()
	t.Chdir(t.TempDir())
	first, second := busy(2).make(t), busy(3)
	first.Online = []trace.OnlineRow{{TimeNs: 5e6, Node: 1, Policy: "throttle", Finding: "a full queue", Evidence: "9 of 8", Action: "None"}}
	second.addNs[trace.Dest], second.traced = 9000, false
	store(t, "before", first)
	store(t, "after", second.make(t))
	store(t, "base", unloaded().make(t))
	require.NoError(t, os.CopyFS(".", os.DirFS(measuredHere)))
}

func look(t testing.TB, theme string, g cell.Glyphs, d cell.Depth) Look {
	t.Helper()
	th, err := cell.ThemeOf(theme)
	require.NoError(t, err)
	return Look{th, g, d}
}

// two is a state of a run over another.
func two(t testing.TB, l Look) *State {
	t.Helper()
	s := NewState(l)
	slow := busy(3)
	slow.addNs[trace.Dest] = 9000
	s.Add(sample(t, "before", busy(2)))
	s.Add(sample(t, "after", slow))
	s.Compared = data.NewCompared(s.Second(), s.Data())
	return s
}

// bare is a run without the monitor: nothing was recorded.
func bare(t testing.TB) trace.Run {
	t.Helper()
	return trace.Run{Manifest: manifest(traffic{nodes: 2, seed: 1})}
}
