package sweep

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/sigview/sigview/trace"
)

// ran makes a run of a pattern. Its run time is in µs.
func ran(layer, free string, nodes, bytes, seed int64, us float64) trace.SweepRun {
	r := trace.SweepRun{SweepPlace: trace.SweepPlace{Platform: "ppro", Layer: layer}}
	r.SweepKey = trace.SweepKey{Run: "x", Workload: "random", Nodes: nodes, MessageBytes: trace.Some(bytes), Uncontended: free, Seed: seed}
	r.State, r.RunTimeNs = trace.RunFinished, trace.Some(int64(1000*us))
	r.Source.MeanNs = trace.Some(us)
	return r
}

// grid has fm fastest at 64 B, vmmc at 4 KB, gam and fm alike at 1 KB, and one run that failed.
func grid() Sweep {
	var runs []trace.SweepRun
	for seed := range int64(4) {
		noise := float64(seed % 2)
		for _, nodes := range []int64{2, 4} {
			for _, bytes := range []int64{64, 1024, 4096} {
				us := map[int64][3]float64{64: {10, 20, 30}, 1024: {50, 50, 90}, 4096: {300, 200, 100}}[bytes]
				for i, layer := range []string{"fm", "gam", "vmmc"} {
					t := us[i] * float64(nodes)
					if bytes == 1024 && layer == "gam" {
						t += 2*noise - 0.9
					}
					runs = append(runs, ran(layer, "", nodes, bytes, seed, t+noise))
				}
			}
		}
	}
	for seed := range int64(4) {
		runs = append(runs, ran("fm", "pci", 2, 64, seed, 15+float64(seed%2)))
	}
	runs[0].State, runs[0].RunTimeNs = trace.RunFailed, trace.Opt[int64]{}
	return Of(trace.SweepManifest{Name: "grid", Runs: int64(len(runs)), Seeds: []uint64{0, 1, 2, 3}, Failed: []trace.SweepFailure{{}}}, runs)
}

func TestBest(t *testing.T) {
	s := grid()
	require.Equal(t, []string{
		"76 runs: 19 combinations with seeds 0..3. 1 run failed.",
		"random on ppro: of 6 combinations of nodes and size the fastest layer is fm in 2, vmmc in 2, unclear in 2. On 4 nodes: fm at 64 B, fm or gam at 1,024 B, vmmc at 4,096 B.",
		"random on ppro, pci free: in 1 of 1 combination the run time is shown to differ from that with nothing free (1 in 20 is by chance); most is saved by fm on 2 nodes, size 64 B: 24.2%.",
	}, s.Summary())
	v := BestBySize(s.Best())
	_, rows := v.Shown(true)
	require.Len(t, rows, 2)
	require.Equal(t, "fm or gam", rows[1][2].Text)
	freed := s.Freed()
	require.Len(t, freed, 1)
	require.InDelta(t, 5000, freed[0].Saved.Value, 1e-9)
	require.InDelta(t, 0.25, freed[0].Saved.Value/20000, 1e-9)
}

// TestOrderOfRunsDoesNotCount: results depend on the set of runs only.
func TestOrderOfRunsDoesNotCount(t *testing.T) {
	want := grid()
	var runs []trace.SweepRun
	for _, c := range want.Cells {
		runs = append(runs, c.Runs...)
	}
	for range 20 {
		shuffled := slices.Clone(runs)
		rand.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		a, b := Of(want.SweepManifest, runs), Of(want.SweepManifest, shuffled)
		require.Equal(t, fmt.Sprint(a.Best()[0].Where, a.Summary()), fmt.Sprint(b.Best()[0].Where, b.Summary()))
		require.Equal(t, a.CellsView(), b.CellsView())
	}
}

// TestTheFastestIsFast: of layers with constant run times the first is the fastest, and it is
// sure unless another takes as long.
func TestTheFastestIsFast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOfN(rapid.IntRange(1, 6), 2, 5).Draw(t, "times")
		var runs []trace.SweepRun
		for i, us := range times {
			for seed := range int64(3) {
				runs = append(runs, ran(fmt.Sprint("layer", i), "", 2, 64, seed, float64(us+int(seed))))
			}
		}
		s := Of(trace.SweepManifest{}, runs)
		best := s.Best()
		require.Len(t, best, 1)
		least, ties := slices.Min(times), 0
		for _, us := range times {
			if us == least {
				ties++
			}
		}
		require.InDelta(t, 1000*float64(least+1), best[0].First.RunTime.Value, 1e-9)
		require.Equal(t, ties == 1, best[0].Sure())
		require.Len(t, best[0].Others, ties-1)
	})
}

func TestOneSeedShowsNothing(t *testing.T) {
	s := Of(trace.SweepManifest{}, []trace.SweepRun{ran("fm", "", 2, 64, 1, 10), ran("gam", "", 2, 64, 1, 20)})
	best := s.Best()
	require.False(t, best[0].Sure())
	require.Equal(t, "fm?", best[0].Layers())
}
