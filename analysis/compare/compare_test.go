package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/internal/student"
	"github.com/sigview/sigview/trace"
)

// made is a run with this seed: Dest of small packets of destNs, and a run time of which
// pages take a half.
func made(seed uint64, destNs, runNs float64) Run {
	run := trace.Run{Manifest: trace.Manifest{
		Seed: seed, ToolVersion: "1", Workload: "fft", Nodes: 2, Verified: true, EventDigest: fmt.Sprint(seed, destNs, runNs), Packets: 100,
		Platform: trace.Platform{Name: "shrimp", Digest: "d"}, Spec: []byte(`{"size":64}`),
		Tags:   []trace.Program{{Name: "fft", RunTimeNs: int64(runNs)}},
		Shares: []trace.Shares{{RunTimeNs: int64(runNs), PageWaitNs: int64(runNs / 2), ComputingNs: int64(runNs - runNs/2)}},
	}}
	add := func(kind string, stage trace.Stage, ns float64, n int64) {
		run.Classes = append(run.Classes, trace.ClassRow{
			Group: trace.Group{Kind: kind}, Class: trace.ClassUnder128, Stat: trace.Stat{Stage: stage, Measured: trace.Measured{Count: n, MeanNs: trace.Some(ns)}},
		})
	}
	add(trace.AllKinds, trace.Dest, destNs, 40)
	add(trace.PageReply.String(), trace.Dest, runNs/4, 1)
	return Of(run)
}

func set(name string, runs ...Run) Side { return Side{name, runs} }

func gate(t *testing.T, c *Comparison, text string) (Verdict, []Judgement) {
	t.Helper()
	conditions, err := ParseConditions(text)
	require.NoError(t, err)
	return c.Check(conditions)
}

// five runs with seeds from first on, whose Dest scatters by 1 %.
func five(first uint64, destNs, runNs float64) []Run {
	var out []Run
	for i, x := range []float64{-0.01, 0.01, 0, -0.012, 0.012} {
		if destNs > 4400 {
			x = -x // not in step with others
		}
		out = append(out, made(first+uint64(i), destNs*(1+x), runNs*(1+x/2)))
	}
	return out
}

func TestEqualRunsAreTheSame(t *testing.T) {
	for _, n := range []int{1, 5} {
		a := five(1, 4000, 1e9)[:n]
		c := Compare(set("a", a...), set("b", a...), 30)
		v, _ := gate(t, &c, "any>0%,lost>0,runtime<-0%")
		require.Equal(t, Same, v)
		require.Contains(t, c.Moved()[0], "equal events")
		for _, x := range c.Cells {
			require.Equal(t, Unchanged, x.Outcome)
		}
	}
}

// TestWhyStagesAreNotCompared is among the warnings. These runs have no rows of sizes.
func TestWhyStagesAreNotCompared(t *testing.T) {
	c := Compare(set("a", five(1, 4000, 1e9)...), set("b", five(1, 4800, 1e9)...), 30)
	require.Equal(t, []string{"latencies are not compared at the same packet sizes: compare: baseline: tag 0 has no packets, wanted some of every size"}, c.Warnings)
}

// TestSameAcrossVersions: another version may have other events; then every column counts.
func TestSameAcrossVersions(t *testing.T) {
	newer := func(destNs float64) Run {
		b := made(1, destNs, 1e9)
		b.Manifest.ToolVersion, b.Manifest.EventDigest = "2", "other"
		return b
	}
	a := made(1, 4000, 1e9)
	for destNs, want := range map[float64]bool{4000: true, 4001: false} {
		c := Compare(set("a", a), set("b", newer(destNs)), 30)
		require.Equal(t, want, c.Same)
	}
	b := made(1, 4000, 1e9)
	b.Manifest.EventDigest = "f"
	require.False(t, Compare2(a, b).Same, "the same version has other events")
	b = made(1, 4000, 1e9)
	b.Manifest.Platform.Digest = "other"
	require.False(t, Compare2(a, b).Same)
	require.False(t, Compare2(a, made(2, 4000, 1e9)).Same)
}

func Compare2(a, b Run) *Comparison {
	c := Compare(set("a", a), set("b", b), 30)
	return &c
}

func TestOneRunTellsNothing(t *testing.T) {
	c := Compare2(made(1, 4000, 1e9), made(2, 9000, 2e9))
	v, list := gate(t, c, DefaultGate)
	require.Equal(t, Inconclusive, v)
	require.Equal(t, 5, list[0].Runs)
	require.Contains(t, list[0].Why[0], "2 runs a side are the least, 5 the rule")
	c = &Comparison{}
	*c = Compare(set("a", five(1, 4000, 1e9)...), set("b", made(9, 9000, 2e9)), 30)
	v, _ = gate(t, c, DefaultGate)
	require.Equal(t, Inconclusive, v)
}

func TestVerdicts(t *testing.T) {
	for _, x := range []struct {
		dest, run float64 // of B; A has 4 µs and 1 s
		text      string
		want      Verdict
	}{
		{4800, 1e9, "dest>5%", Fail},
		{4800, 1e9, "any>5%", Fail},
		{4800, 1e9, "under_128/dest>5%", Fail},
		{4800, 1e9, "dest@under_128>5%", Fail},
		{4800, 1e9, "4096/dest>5%", Inconclusive}, // nothing matches
		{4800, 1e9, "other:dest>5%", Inconclusive},
		{4800, 1e9, "dest>0.5us", Fail},
		{4800, 1e9, "dest>2us", Pass},
		{4800, 1e9, "dest>20%", Inconclusive},
		{4800, 1e9, "dest>30%", Pass},
		{4800, 1e9, "dest<-5%", Pass},
		{3000, 1e9, "dest<-5%", Fail},
		{3000, 1e9, "dest>5%,runtime>2%", Pass},
		{4000, 1.05e9, "runtime>2%", Fail},
		{4000, 1.05e9, "runtime>10ms", Fail},
		{4000, 1.05e9, "pages>2%", Fail}, // 2.5 % of the run time
		{4000, 1.05e9, "pages>3%", Pass},
		{4000, 1.05e9, "locks>0.1%,lost>0,repeated>0%", Pass},
		{4800, 1.05e9, "dest>30%,runtime>2%", Fail},
	} {
		for _, first := range []uint64{1, 11} { // the same seeds, and others
			c := Compare(set("a", five(1, 4000, 1e9)...), set("b", five(first, x.dest, x.run)...), 30)
			require.Equal(t, first == 1, c.Pairs)
			v, list := gate(t, &c, x.text)
			require.Equal(t, x.want, v, "%s of %v: %+v", x.text, x, list)
		}
	}
}

func TestLossesAreGated(t *testing.T) {
	b := five(1, 4001, 1e9)
	for i := range b {
		b[i].Figures = append(b[i].Figures[:len(b[i].Figures)-2],
			Figure{Key: Key{Quantity: "lost"}, Value: 3 + float64(i%2), Base: 100}, Figure{Key: Key{Quantity: "repeated"}, Value: 7, Base: 100})
	}
	c := Compare(set("a", five(1, 4000, 1e9)...), set("b", b...), 30)
	for text, want := range map[string]Verdict{"lost>0": Fail, "lost>1": Fail, "lost>2%": Fail, "lost>5%": Pass, "repeated>6": Fail, "repeated>7": Pass} {
		v, _ := gate(t, &c, text)
		require.Equal(t, want, v, text)
	}
}

func TestFewPacketsDecideNothing(t *testing.T) {
	c := Compare(set("a", five(1, 4000, 1e9)...), set("b", five(1, 8000, 1e9)...), 41)
	v, list := gate(t, &c, "any>5%")
	require.Equal(t, Inconclusive, v)
	require.Equal(t, []string{"Dest of under_128: 40 packets"}, list[0].Why)
	require.InDelta(t, 4000, c.Cells[0].Diff.Value, 50, "but is shown")
}

func TestBelowTheClocksBound(t *testing.T) {
	sides := func(bound float64) (a, b []Run) {
		a, b = five(1, 4000, 1e9), five(1, 4400, 1e9)
		for _, runs := range [][]Run{a, b} {
			for i := range runs {
				for j := range runs[i].Figures {
					if f := &runs[i].Figures[j]; f.Quantity == "dest" {
						f.Quantity, f.Bound = "net", bound/2 // of a side
					}
				}
			}
		}
		return a, b
	}
	for bound, want := range map[float64]Verdict{100: Fail, 300: Fail, 600: Pass} {
		a, b := sides(bound)
		c := Compare(set("a", a...), set("b", b...), 30)
		v, _ := gate(t, &c, "net>5%") // 200 ns; the difference is 400 ns
		require.Equal(t, want, v, "bound %v", bound)
	}
}

func TestRunTimeIsDecomposed(t *testing.T) {
	c := Compare(set("a", five(1, 4000, 1e9)...), set("b", five(1, 4000, 1.2e9)...), 30)
	p := c.Programs[0]
	require.Len(t, p.Parts, 2)
	for _, x := range p.Parts {
		require.InDelta(t, 10, x.Points, 0.01)
	}
	require.Contains(t, p.String(), "(+20.0%), interval ")
	require.Contains(t, p.String(), "page wait +10.0 points, of it Dest of page-reply +5.0")
	require.Contains(t, p.String(), "computing +10.0 points")
	var sum float64
	for _, x := range p.Parts {
		sum += x.Diff.Value
	}
	require.InDelta(t, p.Diff.Value, sum, 1)
}

func TestUnlikeSides(t *testing.T) {
	a, b := made(1, 4000, 1e9), made(1, 4000, 1e9)
	b.Manifest.Nodes, b.Manifest.Spec, b.Manifest.ToolVersion = 4, []byte(`{"size":256,"layer":"gam"}`), "2"
	c := Compare2(a, b)
	require.Len(t, c.Differs, 4)
	require.Len(t, Unlike(c.Differs, []string{"size"}), 2)
	for field, want := range map[string]int{
		"specification.pattern.skew": 1, "specification.pattern": 1, "specification.schedule.sha256": 1, "specification.peers": 1,
		"specification.schedule.file": 0, "specification.faults.drop_ack": 0, "platform.pattern": 0, "specification.patterns": 0,
	} {
		require.Len(t, Unlike([]analysis.Difference{{Field: field}}, []string{"pattern", "schedule.sha256"}), want, field)
	}
}

// TestWelchAndPairs compares with figures worked out by hand. 10, 12, 14 and 20, 22, 24:
// the standard error is the root of 8/3, there are 4 degrees of freedom, and the quantile is
// 2.7764. As pairs they do not scatter.
func TestWelchAndPairs(t *testing.T) {
	a, b := []float64{10, 12, 14}, []float64{20, 22, 24}
	e := differences(a, b, false)
	lo, hi := e.interval()
	require.InDelta(t, 10-4.534, lo, 1e-3)
	require.InDelta(t, 10+4.534, hi, 1e-3)
	lo, hi = differences(a, b, true).interval()
	require.Equal(t, [2]float64{10, 10}, [2]float64{lo, hi})
	require.Zero(t, differences(a, b, true).above())
	require.Equal(t, 1.0, differences(b, a, true).above())
	// With 2.1 and 4 degrees of freedom the chance is 0.0518.
	require.InDelta(t, 0.0518, differences([]float64{0, 2, 4}, []float64{2.1 * math.Sqrt(8./3), 2.1*math.Sqrt(8./3) + 2, 2.1*math.Sqrt(8./3) + 4}, false).above(), 2e-4)
	require.False(t, differences(a[:1], b, false).known())
}

// TestRunsThatWouldTell: with as many runs as it says, a difference of that size is told.
func TestRunsThatWouldTell(t *testing.T) {
	e := estimates{{value: 3, se: 2, df: 8}}
	n := e.runsFor(3, 5)
	spread := 2 * math.Sqrt(5)
	require.Less(t, spread/math.Sqrt(float64(n))*student.Quantile(0.975, float64(2*(n-1))), 3.0)
	require.GreaterOrEqual(t, spread/math.Sqrt(float64(n-1))*student.Quantile(0.975, float64(2*(n-2))), 3.0)
	require.Greater(t, e.runsFor(1e-9, 5), mostRuns)
}

// TestAlarmsForNothing draws sets from one normal distribution: with many cells at a
// threshold of nought, as hard as it gets, not more than one comparison of forty fails but
// for chance.
func TestAlarmsForNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	conditions, err := ParseConditions("any>0%")
	require.NoError(t, err)
	alarms, contained, draws := 0, 0, 200
	for range draws {
		side := func(first uint64) Side {
			var s Side
			for i := range uint64(5) {
				run := Run{Manifest: made(first+i, 1, 1).Manifest}
				for _, class := range trace.Classes() {
					for stage := range trace.NumStages {
						run.Figures = append(run.Figures, Figure{Key: Key{Quantity: stage.String(), Where: class}, Value: 1000 + 50*r.NormFloat64(), Packets: 40})
					}
				}
				s.Runs = append(s.Runs, run)
			}
			return s
		}
		c := Compare(side(1), side(11), 30)
		if v, _ := c.Check(conditions); v == Fail {
			alarms++
		}
		if x := c.Cells[r.IntN(len(c.Cells))]; x.Lo.Value <= 0 && x.Hi.Value >= 0 {
			contained++
		}
	}
	require.LessOrEqual(t, alarms, 13, "1 of 40 is 5 of 200; more than 13 come once in a thousand times")
	require.InDelta(t, 190, contained, 9, "99% of such counts")
}

func TestConditionsRefuse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `no ">" or "<"`},
		{"net", `no ">" or "<"`},
		{"wire>5%", `unknown quantity "wire"`},
		{"runtime>5%", `did you mean "runtime"`},
		{"tiny/net>5%", `class "tiny" is not one of`},
		{"net@tiny>5%", `class "tiny" is not one of`},
		{"net>5", `"5" has no unit`},
		{"lost>5us", `"5us" has no unit`},
		{"bandwidth>5us", `"5us" has no unit`},
		{"net>x%", `"x%" is not a threshold`},
		{"net>-5%", `"-5%" is not a threshold`},
		{"net<5%", `"5%" is not a threshold`},
		{"net>NaN%", "is not a threshold"},
		{"net>1%,", `no ">" or "<"`},
	} {
		_, err := ParseConditions(c.text)
		if c.want == `did you mean "runtime"` {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, c.want, c.text)
		require.ErrorContains(t, err, "; wanted [PROGRAM:]", c.text)
	}
}

func FuzzConditions(f *testing.F) {
	f.Add("under_128/net>5%,any<-3us,fft:runtime>1.5ms,lost>3,bandwidth<-4MB/s")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParseConditions(text)
		if err != nil {
			return
		}
		for _, x := range list {
			require.True(t, x.Share >= 0 || math.IsNaN(x.Share) && x.Amount >= 0)
			require.True(t, x.matches(Key{Program: x.Program, Quantity: strings.Replace(x.Quantity, "any", "net", 1), Where: x.Where}))
		}
	})
}

// TestSwappedSides: what rises from A to B falls from B to A by as much.
func TestSwappedSides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) (out []Run) {
			for i := range rapid.IntRange(2, 6).Draw(t, name) {
				out = append(out, made(uint64(i), rapid.Float64Range(1000, 9000).Draw(t, name), rapid.Float64Range(1e6, 1e9).Draw(t, name)))
			}
			return out
		}
		a, b := draw("a"), draw("b")
		there, back := Compare(set("a", a...), set("b", b...), 30), Compare(set("b", b...), set("a", a...), 30)
		for _, x := range there.Cells {
			for _, y := range back.Cells {
				if x.Key == y.Key && x.Diff.OK {
					require.InDelta(t, x.Diff.Value, -y.Diff.Value, 1e-6*math.Abs(x.Diff.Value))
					require.InDelta(t, x.Lo.Value, -y.Hi.Value, 1e-6*math.Abs(x.Lo.Value)+1e-6)
				}
			}
		}
	})
}

// TestSmallClassesNeedNotTell: a class that takes a small part of a stage's time may be
// uncertain, as long as the stage as a whole cannot be beyond the limit. Asked for by name,
// or if it is shown to have changed, it counts.
func TestSmallClassesNeedNotTell(t *testing.T) {
	sides := func(rise float64, small int64) *Comparison {
		side := func(first uint64, rise float64) (s Side) {
			for i, x := range []float64{-0.1, 0.1, 0, -0.12, 0.12} {
				s.Runs = append(s.Runs, Run{Manifest: made(first+uint64(i), 1, 1).Manifest, Figures: []Figure{
					{Key: Key{Quantity: "dest", Where: trace.ClassUnder128}, Value: 5000 * (1 + rise + x), Packets: small},
					{Key: Key{Quantity: "dest", Where: trace.Class4096}, Value: 50_000 * (1 + x/100), Packets: 100},
				}})
			}
			return s
		}
		c := Compare(side(1, 0), side(11, rise), 30)
		return &c
	}
	for _, x := range []struct {
		rise  float64
		small int64 // packets; at 1,000 the classes take as long
		gate  string
		want  Verdict
	}{
		{0, 100, "dest>5%", Pass},
		{0, 1000, "dest>5%", Inconclusive},
		{0, 100, "under_128/dest>5%", Inconclusive},
		{0, 100, "dest>0.5us", Pass},
		{0, 10_000, "dest>0.5us", Inconclusive},
		{0.4, 100, "dest>5%", Fail},
	} {
		v, list := gate(t, sides(x.rise, x.small), x.gate)
		require.Equal(t, x.want, v, "%+v", x)
		if v == Inconclusive {
			require.Contains(t, list[0].Why[0], "Dest of under_128")
			require.Greater(t, list[0].Runs, 5)
		}
	}
}

// TestStagesHaveTheIntervalsOfCells: what the views show of two sets of runs is what diff
// shows. Of single runs there is no interval over runs.
func TestStagesHaveTheIntervalsOfCells(t *testing.T) {
	side := func(first uint64, destNs float64, runs int) (s Side) {
		for i, x := range []float64{-0.01, 0.01, 0, -0.02, 0.02}[:runs] {
			run := trace.Run{Manifest: made(first+uint64(i), 1, 1).Manifest}
			run.Manifest.EventDigest = fmt.Sprint(destNs, i) // runs of other times have other events
			for stage := range trace.NetMinusLANai + 1 {
				ns := 1000 * (1 + x)
				if stage == trace.Dest {
					ns = destNs * (1 + x*x)
				}
				stat := trace.Stat{Stage: stage, Measured: trace.Measured{Count: 40, MeanNs: trace.Some(ns)}}
				group, sizes := trace.Group{Kind: trace.AllKinds}, trace.Sizes{SizeLoBytes: 63, SizeHiBytes: 64}
				run.Signature = append(run.Signature, trace.SignatureRow{Group: group, Sizes: sizes, Stat: stat})
				run.Classes = append(run.Classes, trace.ClassRow{Group: group, Class: trace.ClassUnder128, Sizes: sizes, Stat: stat})
			}
			s.Runs = append(s.Runs, Of(run))
		}
		return s
	}
	for _, first := range []uint64{1, 11} { // the same seeds, and others
		c := Compare(side(1, 4000, 5), side(first, 4800, 5), 30)
		require.NoError(t, c.StagesError)
		require.Len(t, c.Stages, 5)
		for _, x := range c.Stages {
			cell := c.Cells[slices.IndexFunc(c.Cells, func(o Cell) bool { return o.Key == c.key(x) })]
			require.InDelta(t, cell.Diff.Value, x.DiffNs.Value, 1e-9)
			require.Equal(t, []any{cell.Lo, cell.Hi, cell.Effect}, []any{x.CILoNs, x.CIHiNs, x.Effect})
			require.True(t, x.RunToRun)
			require.Equal(t, x.Stage == trace.Dest, x.Level == analysis.Above)
		}
		require.Contains(t, strings.Join(c.Moved(), "\n"), "Dest of under_128 +0.80 µs")
	}
	c := Compare(side(1, 4000, 1), side(2, 4800, 1), 30)
	for _, x := range c.Stages {
		require.False(t, x.RunToRun)
		require.Equal(t, analysis.Unclear, x.Level, "one run a side cannot tell")
		require.Contains(t, x.Warnings, oneRun)
	}
}
