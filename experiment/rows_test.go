package experiment

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// TestWitnessChangesNothing runs the same traffic with and without one.
func TestWitnessChangesNothing(t *testing.T) {
	digest := func(watch bool) (uint64, *witness) {
		b, err := newBed(3, bedSpec{nodes: 3})
		require.NoError(t, err)
		defer b.Engine.Close()
		var w *witness
		if watch {
			w = b.watch()
		}
		require.NoError(t, b.run(b.each(0, 2, mixed(50), 0), b.each(1, 2, mixed(50), quiet)))
		return b.Engine.Digest(), w
	}
	without, _ := digest(false)
	with, w := digest(true)
	require.Equal(t, without, with)
	require.Len(t, w.packets, 100)
	for i, p := range w.packets {
		require.Less(t, p.t3, p.t4, "packet %d", i)
		require.Less(t, p.t4, p.t5)
		require.Less(t, p.t5, p.t6)
		require.LessOrEqual(t, p.t6, sim.Never-1)
	}
}

func TestFitOfDelays(t *testing.T) {
	stream := sim.NewStream(1, "test")
	draw := func() float64 { return 30 * stream.Float64() }
	rounds := func(f func(out, back float64) float64) *watchedClock {
		c := &watchedClock{}
		for range 200 {
			out, back := draw(), draw()
			c.rounds = append(c.rounds, probeRoundTrip{f(out, back), out, back})
		}
		return c
	}
	midpoint := rounds(func(out, back float64) float64 { return 0.3 - (out-back)/2 })
	m, err := halfDifference(midpoint)
	require.NoError(t, err)
	require.True(t, m.Holds, m.Note)
	m, err = commonDelay(midpoint)
	require.NoError(t, err)
	require.False(t, m.Holds, m.Note)

	spoiled := rounds(func(out, back float64) float64 { return -(out-back)/2 + 0.2*(out+back)/2 })
	m, err = commonDelay(spoiled)
	require.NoError(t, err)
	require.True(t, m.Holds, m.Note)

	oneSided := rounds(func(out, back float64) float64 { return -out / 2 })
	m, err = halfDifference(oneSided)
	require.NoError(t, err)
	require.False(t, m.Holds, m.Note)

	_, err = halfDifference(&watchedClock{rounds: make([]probeRoundTrip, 200)})
	require.ErrorContains(t, err, "all alike")
	_, err = halfDifference(&watchedClock{})
	require.ErrorContains(t, err, "0 rounds seen")
}

func TestPairPoints(t *testing.T) {
	var points []pairPoint
	for n := 4; n <= 128; n += 4 {
		p := pairPoint{bytes: n, oneWayUs: 13 + 0.1*float64(n/4), osUs: 1.4, mb: float64(n)}
		if n > 48 {
			p.oneWayUs += 3
		}
		points = append(points, p)
	}
	m, err := knee(points)
	require.NoError(t, err)
	require.InDelta(t, 48, m.Value, 0)
	m, err = shortest(points)
	require.NoError(t, err)
	require.InDelta(t, 13.1, m.Value, 1e-9)
	m, err = fastest(points)
	require.NoError(t, err)
	require.InDelta(t, 128, m.Value, 0)
}

func TestCostOfTheMonitor(t *testing.T) {
	p := &Perturbation{}
	add := func(b Build, n int64, perMessageUs float64) {
		one := 13 + float64(n)/30
		p.Points = append(p.Points,
			PerturbPoint{Build: b, Test: testPingPong, SizeBytes: n, OneWayUs: figure(one + perMessageUs), BandwidthMBps: figure(float64(n) / (one + perMessageUs))},
			PerturbPoint{Build: b, Test: testStream, SizeBytes: n, OsUs: figure(2 + perMessageUs/10), BandwidthMBps: figure(float64(n) / (10 + float64(n)/50 + perMessageUs/5))})
	}
	for _, n := range []int64{4, 256, 4096, 64 << 10} {
		add(BuildOff, n, 0)
		add(BuildFull, n, 5)
		add(BuildSend, n, 5+float64(n)/100) // grows with the message
	}
	m, err := nearlyConstant(p, BuildFull)
	require.NoError(t, err)
	require.True(t, m.Holds, m.Note)
	m, err = nearlyConstant(p, BuildSend)
	require.NoError(t, err)
	require.False(t, m.Holds, m.Note)
	m, err = added(p)
	require.NoError(t, err)
	require.InDelta(t, 5, m.Value, 1e-9)
	m, err = overhead(p)
	require.NoError(t, err)
	require.InDelta(t, 0.5, m.Value, 1e-9)
	m, err = p.asUnidirectional(testPingPong, BuildFull)
	require.NoError(t, err)
	require.False(t, m.Holds, "5 of 18 µs")
	m, err = p.asUnidirectional(testPingPong, BuildOff)
	require.NoError(t, err)
	require.False(t, m.Holds, "costs nothing")
	m, err = p.asUnidirectional(testStream, BuildFull)
	require.NoError(t, err)
	require.False(t, m.Holds, "256 B: 1 of 16.1 µs")
	require.InDelta(t, 5, distinct([]float64{1, 2, 3, 4, 5}).Value, 0)
	require.InDelta(t, 3, distinct([]float64{1, 1.01, 3, 4, 5}).Value, 0)
}

func TestMisleadingMeans(t *testing.T) {
	run := &trace.Run{}
	for stage := range trace.NumStages {
		run.Classes = append(run.Classes, trace.ClassRow{
			Group: trace.Group{Kind: trace.AllKinds}, Class: trace.ClassUnder128,
			Stat: trace.Stat{Stage: stage, Measured: trace.Measured{Count: 100, MeanNs: trace.Some(20_000.0)}},
		})
		for _, lo := range []int64{2000, 20_000, 38_000} {
			run.Histograms = append(run.Histograms, trace.HistogramRow{
				Group: trace.Group{Kind: trace.AllKinds}, Sizes: trace.Sizes{SizeHiBytes: 32}, Stage: stage,
				LatencyLoNs: lo, LatencyHiNs: trace.Some(lo + 1000), Count: 33,
			})
		}
	}
	m, err := misleading(run)
	require.NoError(t, err)
	require.False(t, m.Holds, m.Note)
	run.Histograms[4].Count = 5 // of LANai, near the mean
	m, err = misleading(run)
	require.NoError(t, err)
	require.True(t, m.Holds, m.Note)
	require.Contains(t, m.Note, "lanai")
}

func TestMemoRunsOnceForEach(t *testing.T) {
	ran := map[int]int{}
	m := memo(func(_ context.Context, k int) (int, error) {
		ran[k]++
		if k == 3 {
			return 0, errors.New("three")
		}
		return k * k, nil
	})
	for range 3 {
		for k := range 4 {
			v, err := m(k)(context.Background())
			if k == 3 {
				require.Error(t, err)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, k*k, v)
		}
	}
	require.Equal(t, map[int]int{0: 1, 1: 1, 2: 1, 3: 1}, ran)
}

// TestSeeds judges the cheap rows for another seed: none of them may hang on
// one.
func TestSeeds(t *testing.T) {
	if testing.Short() {
		t.Skip("many small clusters")
	}
	table, err := reference()
	require.NoError(t, err)
	checks := rowChecks(7)
	for _, prefix := range []string{"sh-def", "sh-bin", "sh-mon", "sh-svm", "sh-why", "us-o"} {
		results, err := checks.Judge(t.Context(), table, prefix, nil)
		require.NoError(t, err)
		for _, r := range results {
			require.NotEqual(t, judge.Miss, r.Verdict, "%s: %s", r.Row.ID, r.Note)
		}
	}
}
