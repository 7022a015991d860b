package why

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/trace"
)

// system is a synthetic program: the excess of Source and the run time, in ns, when a set
// of three parts is free.
type system struct {
	source, run func(Set) float64
	faster      [3]float64 // what each part saves of both, twice as fast
	noise       float64    // of a seed, the same in all runs with it
	jitter      float64    // of a run
}

// study runs a system with some seeds: as it is, each part alone, last and fast, and all sets.
func (y system) study(seeds int) Study {
	s := Study{
		Workload: "made", Platform: trace.Platform{Name: "paper"}, Nodes: 2, Programs: []string{"made"},
		Parts: []Part{{trace.Slots}, {trace.HDMA}, {trace.Ports, trace.SDMA}}, Outcomes: map[Variant][]Outcome{},
	}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range seeds {
		s.Seeds = append(s.Seeds, uint64(i+1))
	}
	add := func(v Variant, source, run float64) {
		for i := range seeds {
			shift := y.noise*float64(i) + y.jitter*r.NormFloat64()
			s.Outcomes[v] = append(s.Outcomes[v], Outcome{Packets: 1000, Programs: []Program{{
				Name: "made", RunTimeNs: run + shift,
				Cells: []Cell{{trace.ClassUnder128, trace.Source, 1000, 6000, source + shift}},
			}}})
		}
	}
	for set := range First(3) + 1 {
		add(Variant{Free: set}, y.source(set), y.run(set))
	}
	for i, saved := range y.faster {
		add(Fast(i), y.source(0)-saved, y.run(0)-saved)
	}
	return s
}

// additive is a system whose parts each save their own time.
func additive(saves [3]float64, rest float64) func(Set) float64 {
	return func(free Set) float64 {
		left := rest
		for i, v := range saves {
			if !free.Has(i) {
				left += v
			}
		}
		return left
	}
}

// TestAdditiveSystem: parts that do not interact save alone what they cost last, which is
// also their share. What all seeds have in common cancels in the differences.
func TestAdditiveSystem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var saves [3]float64
		for i := range saves {
			saves[i] = rapid.Float64Range(0, 50_000).Draw(t, "saves")
		}
		y := system{source: additive(saves, 100), run: additive(saves, 1e6), noise: rapid.Float64Range(0, 1e4).Draw(t, "noise")}
		s := y.study(3)
		s.Shared = []int{2, 0}
		for _, target := range Explain(s).Targets {
			for i, want := range saves {
				for _, how := range []How{Free, AllButOne} {
					e, ok := target.Effect(i, how)
					require.True(t, ok)
					near(t, want, e)
				}
			}
			for _, i := range target.Interactions {
				require.InDelta(t, 0, i.Value, 1e-6)
				require.False(t, i.Value > 1e-6 && i.Shown())
			}
			for i, want := range map[int]float64{0: saves[0], 2: saves[2], -1: saves[1]} {
				e, ok := target.Effect(i, Share)
				require.True(t, ok)
				near(t, want, e)
			}
		}
	})
}

func near(t require.TestingT, want float64, e Effect) {
	require.InDelta(t, want, e.Value, 1e-6)
	require.InDelta(t, want, e.Lo.Value, 1e-5)
	require.InDelta(t, want, e.Hi.Value, 1e-5)
}

// TestInteractionsAreShown: either of two parts alone saves nothing while the other still
// holds the packets up, and together they save 20 µs.
func TestInteractionsAreShown(t *testing.T) {
	either := func(free Set) float64 {
		left := 30_000.0
		if free.Has(0) && free.Has(1) {
			left -= 20_000
		}
		if free.Has(2) {
			left -= 10_000
		}
		return left
	}
	s := system{source: either, run: either}.study(2)
	s.Shared = []int{0, 1}
	x := Explain(s)
	for _, target := range x.Targets {
		for i, want := range []struct{ alone, last, share float64 }{{0, 20_000, 10_000}, {0, 20_000, 10_000}, {10_000, 10_000, 0}} {
			it := target.Interactions[i]
			require.Equal(t, Interaction{Part: i, Name: s.Parts[i].Name(), Alone: want.alone, Last: want.last, Estimate: it.Estimate}, it)
			require.InDelta(t, want.alone-want.last, it.Value, 1e-9)
			require.Equal(t, i < 2, it.Shown())
			if i < 2 {
				e, _ := target.Effect(i, Share)
				near(t, want.share, e)
			}
		}
		rest, _ := target.Effect(-1, Share)
		near(t, 10_000, rest)
	}
	text := strings.Join(x.Summary(), "\n")
	require.Contains(t, text, "wait at the source for several resources together: none alone is shown to save a tenth")
	require.ElementsMatch(t, []int{0, 1, 2}, x.Leading(3))
	require.Len(t, x.Leading(2), 2)
}

// TestShapley compares with the definition: the mean over all orders.
func TestShapley(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "players")
		worth := make([]float64, 1<<n)
		for i := range worth {
			worth[i] = rapid.Float64Range(-100, 100).Draw(t, "worth")
		}
		got := shapley(n, func(s Set) float64 { return worth[s] })
		want, orders := make([]float64, n), 0.0
		var join func(Set)
		join = func(in Set) {
			if bits.OnesCount32(uint32(in)) == n {
				orders++
				return
			}
			for i := range n {
				if !in.Has(i) {
					before := orders
					join(in.With(i))
					want[i] += (worth[in.With(i)] - worth[in]) * (orders - before)
				}
			}
		}
		join(0)
		sum := 0.0
		for i := range got {
			require.InDelta(t, want[i]/orders, got[i], 1e-9)
			sum += got[i]
		}
		require.InDelta(t, worth[len(worth)-1]-worth[0], sum, 1e-9)
	})
}

// TestIntervalsCover: over many studies, intervals contain the planted effect in about
// 95 of 100.
func TestIntervalsCover(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const studies = 2000
	covered := 0
	for range studies {
		var d []float64
		for range 5 {
			d = append(d, 7+r.NormFloat64())
		}
		if e := over(d); e.Lo.Value <= 7 && 7 <= e.Hi.Value {
			covered++
		}
	}
	require.InDelta(t, 0.95, float64(covered)/studies, 0.015)
}

// TestOneSeed has no intervals, and says so.
func TestOneSeed(t *testing.T) {
	x := Explain(system{source: additive([3]float64{30_000, 0, 0}, 0), run: additive([3]float64{30_000, 0, 0}, 1e6)}.study(1))
	require.Contains(t, x.Warnings[0], "one seed: no effect has an interval")
	require.Equal(t, "Small packets (under 128 B) wait at the source nearly all for the send slots (tested, 1 seed).", x.Summary()[0])
	for _, target := range x.Targets {
		for _, e := range target.Effects {
			require.False(t, e.Lo.OK || e.Hi.OK || e.Shown())
		}
	}
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		name  string
		saves [3]float64
		rest  float64
		want  string
	}{
		{"nearly all", [3]float64{29_000, 1000, 0}, 0, "nearly all for the send slots (tested"},
		{"mostly", [3]float64{20_000, 6000, 0}, 2000, "mostly for the send slots (tested"},
		{"two", [3]float64{12_000, 18_000, 0}, 0, "mostly for the host-DMA engine and the send slots (tested"},
		{"partly", [3]float64{0, 5000, 0}, 25_000, "partly for the host-DMA engine (tested"},
		{"none", [3]float64{0, 0, 0}, 30_000, "for none of these resources (tested"},
		{"not in the path", [3]float64{0, 0, 20_000}, 10_000, "for several resources together: none alone is shown to save a tenth (tested"},
		{"nothing", [3]float64{0, 100, 0}, 0, "No packets are shown to wait for more than a tenth of their unloaded latencies (tested, 2 seeds)."},
		{"run time", [3]float64{29_000, 1000, 0}, 0, "Of the resources, most is saved by the send slots when it is free (29.00 µs), and by the send slots when it is twice as fast, or there are two of it (29.00 µs)."},
	} {
		x := Explain(system{source: additive(c.saves, c.rest), run: additive(c.saves, 1e6), faster: c.saves}.study(2))
		require.Contains(t, strings.Join(x.Summary(), "\n"), c.want, c.name)
	}
}

// TestMovedWaiting: what a part saves in one stage, it may add to another.
func TestMovedWaiting(t *testing.T) {
	s := system{source: additive([3]float64{30_000, 0, 0}, 0), run: additive([3]float64{0, 0, 0}, 1e6)}.study(2)
	for v, runs := range s.Outcomes {
		lanai := 1000.0
		if v.Free.Has(0) {
			lanai += 20_000
		}
		for i := range runs {
			p := &runs[i].Programs[0]
			p.Cells = append(p.Cells, Cell{trace.ClassUnder128, trace.LANai, 1000, 1600, lanai})
		}
	}
	require.Contains(t, strings.Join(Explain(s).Summary(), "\n"), "Without waiting for the send slots, packets of under_128 wait longer in the sender's interface.")
}

func TestDoubts(t *testing.T) {
	s := system{source: additive([3]float64{30_000, 0, 0}, 0), run: additive([3]float64{}, 1e6)}.study(2)
	s.Outcomes[Alone(0)][1].Packets = 900
	s.Outcomes[Last(1, 3)][0].Wrong = "error 0.5"
	require.Equal(t, []string{
		"slots free: the runs send -5.0% packets, so that their means are of other work",
		"all but hdma free, seed 1: the result is wrong: error 0.5",
	}, Explain(s).Warnings)
}

// TestAbsentPrograms: a program keeps its rows when one before it is left out.
func TestAbsentPrograms(t *testing.T) {
	s := system{source: additive([3]float64{30_000, 0, 0}, 0), run: additive([3]float64{}, 1e6)}.study(2)
	s.Programs = []string{"first", "second"}
	shorter := func(p Program, ns float64) Program { p.RunTimeNs -= ns; return p }
	for v, runs := range s.Outcomes {
		for i, o := range runs {
			runs[i].Programs = []Program{o.Programs[0], o.Programs[0]}
		}
		s.Outcomes[v] = runs
	}
	for _, o := range s.Outcomes[Variant{}] {
		p := o.Programs[0]
		s.Outcomes[Gone(0)] = append(s.Outcomes[Gone(0)], Outcome{Programs: []Program{shorter(p, 300)}})
		s.Outcomes[Gone(1)] = append(s.Outcomes[Gone(1)], Outcome{Programs: []Program{shorter(p, 200)}})
	}
	x := Explain(s)
	for tag, want := range []float64{200, 300} {
		run := x.of(tag)[0]
		e := run.Effects[len(run.Effects)-1]
		require.Equal(t, Absent, e.How)
		require.Equal(t, s.Programs[1-tag], e.Name)
		require.InDelta(t, want, e.Value, 1e-9)
	}
	require.Contains(t, x.Summary()[0], "first: Small packets")
}

func TestLabels(t *testing.T) {
	s := system{source: additive([3]float64{}, 0), run: additive([3]float64{}, 0)}.study(1)
	s.Programs = []string{"a", "b"}
	for v, want := range map[Variant]string{
		{}: "as it is", {Free: First(3)}: "everything free", Alone(2): "ports,sdma free", Last(1, 3): "all but hdma free",
		Fast(0): "slots twice as fast", Gone(1): "without b",
	} {
		require.Equal(t, want, s.Label(v))
	}
}

func TestOutcomeOf(t *testing.T) {
	run := trace.Run{Manifest: trace.Manifest{EventDigest: "d", Packets: 7, Verification: "error 1", Tags: []trace.Program{{Tag: 0, Name: "a", RunTimeNs: 5}, {Tag: 1, Name: "b", RunTimeNs: 6}}}}
	row := func(tag trace.Tag, kind string, stage trace.Stage, deviation trace.Opt[float64]) {
		run.Classes = append(run.Classes, trace.ClassRow{Group: trace.Group{Tag: tag, Kind: kind}, Class: trace.Class4096, Stat: trace.Stat{
			Stage: stage, Measured: trace.Measured{Count: 3}, Unloaded: trace.Unloaded{BaselineNs: trace.Some(10.)}, Judged: trace.Judged{DeviationNs: deviation},
		}})
	}
	row(0, trace.AllKinds, trace.Dest, trace.Some(4.))
	row(0, trace.AllKinds, trace.Net, trace.Opt[float64]{})
	row(1, "diff", trace.Dest, trace.Some(4.))
	require.Equal(t, Outcome{EventDigest: "d", Packets: 7, Wrong: "error 1", Programs: []Program{
		{Name: "a", RunTimeNs: 5, Cells: []Cell{{trace.Class4096, trace.Dest, 3, 10, 4}}}, {Name: "b", RunTimeNs: 6},
	}}, OutcomeOf(&run))
}

// TestViews: every effect is in the document, and tables have the resources that count.
func TestViews(t *testing.T) {
	s := system{source: additive([3]float64{29_000, 400, 0}, 0), run: additive([3]float64{29_000, 0, 0}, 1e6), jitter: 10}.study(5)
	x := Explain(s)
	causes := x.CausesView()
	require.Len(t, causes.Rows, 2*(1+3*3))
	data, err := causes.MarshalJSON()
	require.NoError(t, err)
	for _, want := range []string{`"resource":"everything"`, `"target":"run_time"`, `"target":"source@under_128"`, `"how":"all_but_one"`} {
		require.Contains(t, strings.ReplaceAll(string(data), "\n", ""), want)
	}
	require.Len(t, x.InteractionsView().Rows, 6)
	_, rows := x.LatenciesView(0).Shown(true)
	var names []string
	for _, r := range rows {
		names = append(names, r[4].Text)
	}
	require.Equal(t, []string{"slots", everything}, names)
	require.Len(t, x.RunTimeView(0).Rows, 4)
	for _, v := range x.RunTimeView(0).Rows {
		require.False(t, strings.Contains(fmt.Sprint(v), "NaN"))
	}
	require.False(t, math.IsNaN(x.Targets[0].Excess.Value))
}

// TestSummaryTellsCrowdedPorts: what the switches of the first run as it is have counted ends the summary.
func TestSummaryTellsCrowdedPorts(t *testing.T) {
	run := trace.Run{
		Ports:  []trace.PortRow{{Port: 0, Name: "node1>switch", PausedNs: 5000}, {Port: 9, Name: "switch>node0", QueueBytes: 70_000}},
		Pauses: []trace.PauseRow{{Port: 0, Name: "node1>switch", Through: 9, ThroughName: "switch>node0", Paused: 2, PausedNs: 5000}},
	}
	x := Explanation{Study: Study{Seeds: []uint64{4, 5}, Outcomes: map[Variant][]Outcome{{}: {OutcomeOf(&run), {Congestion: []string{"another"}}}, Alone(0): {{Congestion: []string{"free"}}}}}}
	require.Equal(t, []string{"Seed 4, as it is: Port switch>node0 is crowded: up to 70.0 KB stood before it, and because of it 1 other port was halted, 2 times, for 5.000 µs added up (100.0 % of all such time): node1>switch 5.000 µs (attributed)."}, x.Summary())
}
