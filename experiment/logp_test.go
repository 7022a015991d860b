package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/trace"
)

func requireUsage(t *testing.T, err error, want string) {
	t.Helper()
	require.ErrorContains(t, err, want)
	var usage interface{ Usage() bool }
	require.True(t, errors.As(err, &usage) && usage.Usage(), "%v", err)
}

// of measures layers of the Pentium Pro pair.
func of(t *testing.T, layers []string, change func(*LogPSpec)) []bench.LogP {
	t.Helper()
	spec := DefaultLogP()
	spec.Platforms, spec.Layers = []string{"ppro"}, layers
	if change != nil {
		change(&spec)
	}
	r, err := LogP(context.Background(), spec, nil)
	require.NoError(t, err)
	for _, x := range r {
		require.NoError(t, trace.CheckRows(bench.LogPRows([]bench.LogP{x})))
	}
	return r
}

// cluster8 is the pair's profile with eight computers.
func cluster8(t *testing.T) string {
	t.Helper()
	p, err := platform.Load("ppro")
	require.NoError(t, err)
	text := strings.Replace(p.Text(), "\nnodes = 2 ", "\nnodes = 8 ", 1)
	require.NotEqual(t, p.Text(), text)
	file := filepath.Join(t.TempDir(), "eight.toml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

// TestSignature: the parts of half a round trip sum to it, delays lie on both
// sides of the idle time, and every curve that rises has a knee.
func TestSignature(t *testing.T) {
	r := of(t, []string{"gam"}, nil)[0]
	p := r.Parameters
	require.Equal(t, MethodSignature, r.Method)
	for _, e := range []logp.Estimate{p.Os, p.Or, p.L, p.G, p.RTT, r.Idle} {
		require.True(t, e.OK(), e.Reason)
		require.Less(t, e.Hi-e.Lo, 0.15*p.RTT.Value)
	}
	require.InEpsilon(t, p.RTT.Value/2, p.Os.Value+p.L.Value+p.Or.Value, 0.01)
	require.InEpsilon(t, p.G.Value, p.Os.Value+p.Or.Value+r.Idle.Value, 0.02)
	require.Len(t, r.Curves, 5)
	require.Zero(t, r.Curves[0].DeltaUs)
	require.NotZero(t, r.Curves[0].Knee.To)
	require.Equal(t, 1, r.Curves[0].Knee.To-r.Curves[0].Knee.From, "found to the message")
	require.Less(t, r.Curves[1].DeltaUs, r.Idle.Value)
	require.Greater(t, r.Curves[2].DeltaUs, r.Idle.Value)
	require.Empty(t, r.Consistency)
}

// TestPair: by default the nodes with the most switches between them are measured. A
// switch and its link lengthen L and nothing else.
func TestPair(t *testing.T) {
	const machine = "meiko"
	p, err := platform.Load(machine)
	require.NoError(t, err)
	measure := func(pair Pair) bench.LogP {
		return of(t, []string{"gam"}, func(s *LogPSpec) { s.Platforms, s.Pair = []string{machine}, pair })[0]
	}
	far, near, back := measure(Pair{}), measure(Pair{2, 0}), measure(Pair{13, 1})
	require.Equal(t, &bench.Pair{Nodes: [2]int{0, 4}, Switches: 3}, far.Pair)
	require.Equal(t, &bench.Pair{Nodes: [2]int{2, 0}, Switches: 1}, near.Pair)
	require.Equal(t, 3, back.Pair.Switches)
	require.Equal(t, "request of 4 words", far.Operation)
	two := 2 * (p.Network.SwitchDelay + p.Network.WireDelay).Us()
	require.InDelta(t, two, far.Parameters.L.Value-near.Parameters.L.Value, 0.05*two)
	require.InEpsilon(t, far.Parameters.L.Value, back.Parameters.L.Value, 0.01)
	require.InEpsilon(t, far.Parameters.Os.Value, near.Parameters.Os.Value, 0.01)
	require.InEpsilon(t, far.Parameters.G.Value, near.Parameters.G.Value, 0.02)

	sweep := of(t, []string{"gam"}, func(s *LogPSpec) { s.Method, s.Sizes = MethodSweep, []int64{16, 4} })[0]
	require.Equal(t, &bench.Pair{Nodes: [2]int{0, 1}, Switches: 1}, sweep.Pair)
	require.Equal(t, "message of 4 B", sweep.Operation)
	require.Nil(t, of(t, []string{"gam"}, func(s *LogPSpec) { s.Pattern = allPairs })[0].Pair)
}

// TestPatterns: pairs do not disturb one another, K that ask one share it, one
// that asks K is no slower than one that asks one.
func TestPatterns(t *testing.T) {
	file := cluster8(t)
	measure := func(name pattern, peers int) bench.LogP {
		return of(t, []string{"gam"}, func(s *LogPSpec) {
			s.Platforms, s.Pattern, s.Peers = []string{file}, name, peers
		})[0]
	}
	pair := measure("pair", 0).Parameters
	all := measure("all-pairs", 0)
	require.Equal(t, 4, all.Peers)
	require.Nil(t, all.GapRatio)
	require.InEpsilon(t, pair.Os.Value, all.Parameters.Os.Value, 0.02)
	require.InEpsilon(t, pair.L.Value, all.Parameters.L.Value, 0.02)
	require.InEpsilon(t, pair.G.Value, all.Parameters.G.Value, 0.03)

	many := measure("many-to-one", 0)
	require.Equal(t, 3, many.Peers)
	require.InEpsilon(t, 3, many.GapRatio.Value, 0.15)
	require.InEpsilon(t, pair.G.Value, many.OneToOne.G.Value, 1e-9, "measured along with it")
	require.InEpsilon(t, 7, measure("many-to-one", 7).GapRatio.Value, 0.15)
	require.Less(t, measure("one-to-many", 3).GapRatio.Value, 1.05)
}

// TestBulkBesideASignature: longer stores take longer, and bandwidth is bytes over
// the time of a store.
func TestBulkBesideASignature(t *testing.T) {
	sizes := []int64{64, 1024, 4096}
	r := of(t, []string{"gam"}, func(s *LogPSpec) { s.Sizes = sizes })[0]
	require.Len(t, r.Sizes, len(sizes))
	require.NotNil(t, r.Bulk)
	for i, z := range r.Sizes {
		require.EqualValues(t, sizes[i], z.SizeBytes)
		require.InEpsilon(t, float64(z.SizeBytes)/z.T.Value, z.Bandwidth.Value, 1e-9)
		require.Greater(t, z.T.Value, z.O.Value)
		if i > 0 {
			require.Greater(t, z.T.Value, r.Sizes[i-1].T.Value)
		}
	}
}

// TestEveryLayerIsSwept: every layer of the pair gives figures that can be, and
// what is not identifiable says why.
func TestEveryLayerIsSwept(t *testing.T) {
	sizes := []int64{4, 512}
	for _, r := range of(t, []string{AllLayers}, func(s *LogPSpec) { s.Method, s.Sizes = MethodSweep, sizes }) {
		require.Equal(t, MethodSweep, r.Method)
		require.Len(t, r.Sizes, len(sizes))
		for _, z := range r.Sizes {
			require.True(t, z.RTT.OK(), z.RTT.Reason)
			require.True(t, z.G.OK() && z.G.Value > 0, "%s %d B: g %s", r.Layer, z.SizeBytes, z.G)
			require.True(t, z.Os.OK() && z.Os.Value > 0, "%s %d B: o_s %s", r.Layer, z.SizeBytes, z.Os)
			require.LessOrEqual(t, z.Os.Value, 1.03*z.G.Value, "%s %d B", r.Layer, z.SizeBytes)
		}
		require.Greater(t, r.Sizes[1].RTT.Value, r.Sizes[0].RTT.Value, r.Layer)
	}
}

// TestGapOfSmallMessages: the gap of a layer without flow control is that of a
// stream, not that of filling a queue.
func TestGapOfSmallMessages(t *testing.T) {
	r := of(t, []string{"bip"}, func(s *LogPSpec) { s.Sizes = []int64{4, 64} })[0]
	stream := DefaultBandwidth()
	stream.Platforms, stream.Layers, stream.Test, stream.Sizes = []string{"ppro"}, []string{"bip"}, measure.Unidirectional, []int64{4, 64}
	b, err := Bandwidth(context.Background(), stream, nil)
	require.NoError(t, err)
	for i, z := range r.Sizes {
		require.InEpsilon(t, float64(z.SizeBytes)/b[0].Points[i].MBps, z.G.Value, 0.03, "%d B", z.SizeBytes)
	}
}

// TestSlowLayersSendLongMessages: delays of seconds are no error.
func TestSlowLayersSendLongMessages(t *testing.T) {
	r := of(t, []string{"rpc"}, func(s *LogPSpec) {
		s.Platforms, s.Method, s.Sizes = []string{"sun-rpc"}, MethodSweep, []int64{MaxMessage}
	})[0]
	require.InEpsilon(t, float64(MaxMessage)/1.143, r.Parameters.G.Value, 0.01)
}

// TestOneAsksMany: a requester of several may send for long before replies
// keep up, which is not yet its gap.
func TestOneAsksMany(t *testing.T) {
	for _, peers := range []int{2, 3, 15} {
		r := of(t, []string{"gam"}, func(s *LogPSpec) {
			s.Platforms, s.Pattern, s.Peers = []string{"myrinet10"}, "one-to-many", peers
		})[0]
		require.True(t, r.Parameters.G.OK(), r.Parameters.G.Reason)
		require.InDelta(t, 0.70, r.GapRatio.Value, 0.01)
		require.Greater(t, r.Parameters.G.Value, r.Parameters.Os.Value+r.Parameters.Or.Value)
		require.NotContains(t, strings.Join(r.Warnings, "\n"), "extrapolated")
		for _, c := range r.Curves {
			require.GreaterOrEqual(t, c.AsymptoteUs.Value, 0.92*r.Parameters.G.Value, "Δ = %g µs", c.DeltaUs)
		}
	}
}

// TestChangedCopiesAreToldApart: two profiles of one name are called by their
// files, and sizes come in order however they are asked for.
func TestChangedCopiesAreToldApart(t *testing.T) {
	p, err := platform.Load("ppro")
	require.NoError(t, err)
	file, other := filepath.Join(t.TempDir(), "my.toml"), filepath.Join(t.TempDir(), "my.toml")
	for _, name := range []string{file, other} {
		require.NoError(t, os.WriteFile(name, []byte(p.Text()), 0o644))
	}
	b := DefaultBandwidth()
	b.Platforms, b.Layers, b.Sizes = []string{"ppro", file}, []string{"vmmc"}, []int64{1024, 4, 64}
	both, err := Bandwidth(context.Background(), b, nil)
	require.NoError(t, err)
	l := of(t, []string{"vmmc"}, func(s *LogPSpec) { s.PlacesSpec, s.Sizes = b.PlacesSpec, b.Sizes })
	for i, name := range []string{"ppro", "my.toml"} {
		require.Equal(t, name, both[i].Platform)
		require.Equal(t, name, l[i].Platform)
		for k, n := range []int64{4, 64, 1024} {
			require.Equal(t, n, both[i].Points[k].SizeBytes)
			require.EqualValues(t, n, l[i].Sizes[k].SizeBytes)
		}
		require.Equal(t, *l[i].Sizes[0].Params, l[i].Parameters)
	}
	require.Equal(t, []int64{1024, 4, 64}, b.Sizes)

	b.Platforms = []string{file, other}
	_, err = Bandwidth(context.Background(), b, nil)
	requireUsage(t, err, "want a profile or a file of another name than "+file)
}

// TestInstrumentsAgree: the way through interfaces and network that the monitor
// sees is L, of layers whose messages are a packet.
func TestInstrumentsAgree(t *testing.T) {
	full := func(s *LogPSpec) { s.Monitor = BuildFull }
	small := func(s *LogPSpec) { s.Sizes = []int64{4} }
	both := func(s *LogPSpec) { full(s); small(s) }
	plain := of(t, []string{"vmmc", "pm"}, small)
	for i, r := range append(of(t, []string{"vmmc", "pm"}, both), of(t, []string{"gam"}, full)...) {
		require.Len(t, r.Consistency, 2)
		require.InDelta(t, 0, r.Consistency[0].OffPct, 10, "%s: %+v", r.Layer, r.Consistency)
		if i < len(plain) {
			require.Empty(t, plain[i].Consistency)
			require.Greater(t, r.Parameters.L.Value, plain[i].Parameters.L.Value+1)
		}
	}
}

// TestNoise makes samples differ, so that more are taken, and the parameters hardly.
func TestNoise(t *testing.T) {
	quiet := of(t, []string{"gam"}, nil)[0]
	noisy := of(t, []string{"gam"}, func(s *LogPSpec) { s.Noise = measure.Source("").All() })[0]
	require.Equal(t, "ticks+misses", noisy.Noise)
	require.GreaterOrEqual(t, noisy.Points[5].Cost.N, 150)
	require.InEpsilon(t, quiet.Parameters.Os.Value, noisy.Parameters.Os.Value, 0.05)
	require.InEpsilon(t, quiet.Parameters.G.Value, noisy.Parameters.G.Value, 0.05)
	require.NotEqual(t, quiet.Parameters.G.Value, noisy.Parameters.G.Value)
}

// TestLogPSideBySide: the same bytes on however many cores, and the same
// figures as each layer alone.
func TestLogPSideBySide(t *testing.T) {
	measure := func(cores int, layers ...string) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		data, err := json.Marshal(of(t, layers, func(s *LogPSpec) { s.Sizes = []int64{4, 256} }))
		require.NoError(t, err)
		return string(data)
	}
	both := measure(1, "gam", "vmmc")
	require.Equal(t, both, measure(4, "gam", "vmmc"))
	gam, vmmc := measure(2, "gam"), measure(2, "vmmc")
	require.Equal(t, both, gam[:len(gam)-1]+","+vmmc[1:])
}

func TestLogPRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*LogPSpec)
		want   string
	}{
		{"signature of messages", func(s *LogPSpec) { s.Layers, s.Method = []string{"bip"}, MethodSignature }, "method is signature, want sweep for layer bip (--method sweep): a signature needs requests with replies, and the layer's model is Send/Recv"},
		{"signature of deposits", func(s *LogPSpec) { s.Layers, s.Method = []string{"vmmc"}, MethodSignature }, "the layer's model is Direct Deposit"},
		{"pattern of messages", func(s *LogPSpec) { s.Layers, s.Pattern = []string{"pm"}, "many-to-one" }, "pattern is many-to-one, want pair for layer pm"},
		{"pattern of a sweep", func(s *LogPSpec) { s.Method, s.Pattern = MethodSweep, "all-pairs" }, "want pair for the method sweep"},
		{"unknown method", func(s *LogPSpec) { s.Method = "swep" }, `did you mean "sweep"?`},
		{"unknown pattern", func(s *LogPSpec) { s.Pattern = "all-pair" }, `did you mean "all-pairs"?`},
		{"unknown build", func(s *LogPSpec) { s.Monitor = 9 }, `monitor is "monitor build(9)", want off, full, send, recv or clock`},
		{"unknown noise", func(s *LogPSpec) { s.Noise = []measure.Source{"tick"} }, `did you mean "ticks"?`},
		{"noise twice", func(s *LogPSpec) { s.Noise = []measure.Source{"ticks", "ticks"} }, "each noise once"},
		{"peers of a pair", func(s *LogPSpec) { s.Peers = 2 }, "peers is 2, want 1 for the pattern pair"},
		{"negative peers", func(s *LogPSpec) { s.Pattern, s.Peers = "one-to-many", -1 }, "peers is -1"},
		{"peers beyond the platform", func(s *LogPSpec) { s.Layers, s.Pattern, s.Peers = []string{"gam"}, "one-to-many", 2 }, "peers is 2, want at most 1 for one-to-many on platform ppro, which has 2 nodes"},
		{"pairs beyond the platform", func(s *LogPSpec) { s.Layers, s.Pattern, s.Peers = []string{"gam"}, "all-pairs", 2 }, "peers is 2, want at most 1 for all-pairs"},
		{"pair of one node", func(s *LogPSpec) { s.Pair = Pair{1, 1} }, "pair is 1,1, want two different nodes"},
		{"pair beyond the platform", func(s *LogPSpec) { s.Pair = Pair{0, 2} }, "pair is 0,2, want nodes 0 to 1 of platform ppro"},
		{"pair of a pattern", func(s *LogPSpec) { s.Pattern, s.Pair = allPairs, Pair{0, 1} }, "pair is 0,1, want none for the pattern all-pairs"},
		{"empty messages", func(s *LogPSpec) { s.Layers, s.Sizes = []string{"vmmc"}, []int64{0} }, "size is 0, want at least 1"},
		{"layer of another platform", func(s *LogPSpec) { s.Platforms, s.Layers = []string{"shrimp"}, []string{"gam"} }, "layer is gam, want one that platform shrimp has figures for: vmmc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := DefaultLogP()
			spec.Platforms = []string{"ppro"}
			c.change(&spec)
			_, err := LogP(context.Background(), spec, nil)
			requireUsage(t, err, c.want)
		})
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := LogP(stopped, DefaultLogP(), nil)
	require.ErrorIs(t, err, context.Canceled)
}

// TestLayersRefusePrograms: what a layer cannot carry is refused with the reason.
func TestLayersRefusePrograms(t *testing.T) {
	for _, c := range []struct{ program, layer, broadcast, want string }{
		{"fft", "bip", "", "layer is bip, want one that carries programs: a message that overflows the receiver's buffer is lost"},
		{"fft+radix", "gam", "", "layer is gam, want one that carries programs: it serves one process of a node, and there are 2 programs"},
		{"fft+radix", "fm", "", "layer is fm, want one that carries programs: it serves one process of a node"},
		{"gauss", "gam", "firmware", "broadcast is firmware, want separate or tree: the firmware of layer gam has no broadcast"},
	} {
		run := DefaultRun(c.program)
		run.Platform, run.Layer, run.Broadcast = "ppro", c.layer, BroadcastName(c.broadcast)
		_, err := Run(context.Background(), run, nil)
		requireUsage(t, err, c.want)
	}
	run := DefaultRun("fft")
	run.Platform, run.Layer, run.Uncontended = "ppro", "fm", []Resource{Ports, SDMA}
	_, err := Run(context.Background(), run, nil)
	requireUsage(t, err, "uncontended is sdma, want other resources: packets overtake one another, and layer fm takes that for losses")
	run = DefaultRun("random+broadcast")
	run.Platform, run.Layer, run.Uncontended = "ppro", "pm", []Resource{CPU}
	_, err = Run(context.Background(), run, nil)
	requireUsage(t, err, "layer is pm, want one whose processes share the interface, or one CPU a node, which is not free: this layer gives the program that has the CPU the interface alone")
}

// TestLayersAreDescribed: every layer of every platform is in the catalogue,
// with its design. What specifications are checked by has the same names.
func TestLayersAreDescribed(t *testing.T) {
	known := Described()
	require.ElementsMatch(t, Names(known.Platforms), Names(Known().Platforms))
	require.ElementsMatch(t, Names(known.Layers), Names(Known().Layers))
	require.Equal(t, known.Workloads, Known().Workloads)
	for _, p := range known.Platforms {
		for _, layer := range Names(known.Layers) {
			require.Equal(t, known.checkPlace(p.Name, layer), Known().checkPlace(p.Name, layer))
		}
	}
	for _, p := range known.Platforms {
		require.NotEmpty(t, p.Layers)
		require.Subset(t, Names(known.Layers), p.Layers)
	}
	for _, l := range known.Layers {
		require.NotEmpty(t, l.Summary, l.Name)
		for _, line := range []string{"programming model", "buffer overflow", "network errors", "reliability", "platforms"} {
			require.Contains(t, l.Detail, "\n"+line+" ", l.Name)
		}
	}
}

// TestMonitorIsPaidAlways: with the monitor every curve of a signature shows
// its cost, so that none falls below the gap.
func TestMonitorIsPaidAlways(t *testing.T) {
	spec := DefaultLogP()
	spec.Platforms, spec.Layers, spec.Monitor = []string{"ppro"}, []string{"gam"}, BuildFull
	got, err := LogP(context.Background(), spec, nil)
	require.NoError(t, err)
	off := spec
	off.Monitor = BuildOff
	without, err := LogP(context.Background(), off, nil)
	require.NoError(t, err)
	g := got[0].Parameters.G.Value
	require.Greater(t, g, without[0].Parameters.G.Value+3)
	for _, c := range got[0].Curves {
		if c.AsymptoteUs.OK() {
			require.GreaterOrEqual(t, c.AsymptoteUs.Hi, 0.97*g, "delay %v", c.DeltaUs)
		}
	}
}
