package shrimp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

func TestFitOfDelays(t *testing.T) {
	stream := sim.NewStream(1, "test")
	draw := func() float64 { return 30 * stream.Float64() }
	rounds := func(f func(out, back float64) float64) *watched {
		c := &watched{}
		for range 200 {
			out, back := draw(), draw()
			c.add(f(out, back), out, back)
		}
		_, err := c.fit()
		require.NoError(t, err)
		return c
	}
	midpoint := rounds(func(out, back float64) float64 { return 0.3 - (out-back)/2 })
	m := halfDifference(midpoint)
	require.True(t, m.Holds, m.Note)
	m = commonDelay(midpoint)
	require.False(t, m.Holds, m.Note)

	m = commonDelay(rounds(func(out, back float64) float64 { return -(out-back)/2 + 0.2*(out+back)/2 }))
	require.True(t, m.Holds, m.Note)
	m = halfDifference(rounds(func(out, back float64) float64 { return -out / 2 })) // one-sided
	require.False(t, m.Holds, m.Note)

	var alike watched
	for range 200 {
		alike.add(0, 1, 2)
	}
	_, err := alike.fit()
	require.ErrorContains(t, err, "different delays")
	_, err = (&watched{}).fit()
	require.ErrorContains(t, err, "0 rounds seen")
}

func TestCostOfTheMonitor(t *testing.T) {
	p := &bench.Perturb{}
	add := func(b experiment.Build, n int64, perMessageUs float64) {
		one := 13 + float64(n)/30
		p.Points = append(p.Points,
			bench.Perturbed{Firmware: bench.Firmware{Build: b.String()}, Test: measure.PingPong, SizeBytes: n, OneWayUs: new(one + perMessageUs), MBps: new(float64(n) / (one + perMessageUs))},
			bench.Perturbed{Firmware: bench.Firmware{Build: b.String()}, Test: measure.Stream, SizeBytes: n, OsUs: new(2 + perMessageUs/10), MBps: new(float64(n) / (10 + float64(n)/50 + perMessageUs/5))})
	}
	for _, n := range []int64{4, 256, 4096, 64 << 10} {
		add(experiment.BuildOff, n, 0)
		add(experiment.BuildFull, n, 5)
	}
	full, off := costs{p, experiment.BuildFull}, costs{p, experiment.BuildOff}
	m := nearlyConstant(experiment.BuildFull)([]float64{5, 5.1, 5.2}, p)
	require.True(t, m.Holds, m.Note)
	m = nearlyConstant(experiment.BuildFull)([]float64{5, 5.1, 6}, p)
	require.False(t, m.Holds, m.Note)
	m = nearlyConstant(experiment.BuildOff)([]float64{0, 0, 0}, p)
	require.False(t, m.Holds, m.Note)
	require.InDelta(t, 5, constant(full).Value, 1e-9)
	require.InDelta(t, 0.5, highest(0, endless, overhead)(full).Value, 1e-9)
	require.False(t, bounded(measure.PingPong)(full).Holds, "5 of 18 µs")
	require.False(t, bounded(measure.PingPong)(off).Holds, "costs nothing")
	require.False(t, bounded(measure.Stream)(full).Holds, "256 B: 1 of 16.1 µs")
	for want, us := range map[float64][]float64{5: {1, 2, 3, 4, 5}, 4: {1, 1.01, 3, 4, 5}} {
		of := us
		m := distinct(func(experiment.Build) float64 {
			v := of[0]
			of = of[1:]
			return v
		})
		require.InDelta(t, want, m.Value, 0)
	}
}

func TestMisleadingMeans(t *testing.T) {
	run := &trace.Run{}
	for stage := range trace.NumStages {
		run.Signature = append(run.Signature, trace.SignatureRow{
			Group: trace.Group{Kind: trace.AllKinds}, Sizes: trace.Sizes{SizeHiBytes: 32},
			Stat: trace.Stat{Stage: stage, Measured: trace.Measured{Count: 100, MeanNs: trace.Some(20_000.0)}},
		})
		for _, lo := range []int64{2000, 20_000, 38_000} {
			run.Histograms = append(run.Histograms, trace.HistogramRow{
				Group: trace.Group{Kind: trace.AllKinds}, Sizes: trace.Sizes{SizeHiBytes: 32}, Stage: stage,
				LatencyLoNs: lo, LatencyHiNs: trace.Some(lo + 1000), Count: 33,
			})
		}
	}
	m := misleading(reading{nil, analysis.Of(*run), run})
	require.False(t, m.Holds, m.Note)
	run.Histograms[4].Count = 5 // of LANai, near the mean
	m = misleading(reading{nil, analysis.Of(*run), run})
	require.True(t, m.Holds, m.Note)
	require.Contains(t, m.Note, "lanai")
}
