package microbench_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/workloads/microbench"
)

// noisy takes samples of a burst that the processor limits.
func noisy(t *testing.T, seed uint64, spec microbench.NoiseSpec, n int) (us []float64) {
	c := clusterOf(t, "gam", 2, seed)
	noise, err := c.Noise(spec)
	require.NoError(t, err)
	noise.Start()
	r, err := c.Requests(microbench.OneToOne, 0, 0)
	require.NoError(t, err)
	for sample, err := range r.Costs(microbench.Burst{M: 16, Spin: 30 * sim.Microsecond}) {
		require.NoError(t, err)
		if us = append(us, sample[0].Us()); len(us) == n {
			break
		}
	}
	noise.Stop()
	require.NoError(t, c.Engine.Run(sim.Never), "it ends")
	return us
}

func meanAndSpread(x []float64) (mean, spread float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		spread = max(spread, v-mean, mean-v)
	}
	return mean, spread
}

// TestNoise: it takes its share of the processor, samples differ by it, and a
// seed says how.
func TestNoise(t *testing.T) {
	const n = 120
	still, spread := meanAndSpread(noisy(t, 1, microbench.NoiseSpec{}, n))
	require.Less(t, spread, 0.001*still, "none by default")
	for name, x := range map[string]struct {
		spec  microbench.NoiseSpec
		share float64
	}{
		"ticks":  {microbench.NoiseSpec{TickPeriod: 300 * us, TickCost: 30 * us}, 0.1},
		"misses": {microbench.NoiseSpec{MissPeriod: 45 * us, MissCost: 5 * us}, 0.1}, // of 50 µs
		"both":   {microbench.NoiseSpec{TickPeriod: 300 * us, TickCost: 30 * us, MissPeriod: 45 * us, MissCost: 5 * us}, 0.19},
	} {
		samples := noisy(t, 1, x.spec, n)
		require.Equal(t, samples, noisy(t, 1, x.spec, n), name)
		require.NotEqual(t, samples, noisy(t, 2, x.spec, n), name)
		mean, spread := meanAndSpread(samples)
		require.InEpsilon(t, still/(1-x.share), mean, 0.04, name)
		require.Greater(t, spread, 0.03*mean, name)
	}
}

// TestNoiseRefusals: what is no noise is an error.
func TestNoiseRefusals(t *testing.T) {
	c := clusterOf(t, "vmmc", 2, 1)
	for want, spec := range map[string]microbench.NoiseSpec{
		"TickPeriod is -0.001ns":                       {TickPeriod: -1},
		"MissPeriod is 11s, want 0 to 10s":             {MissPeriod: 11 * sim.Second},
		"TickCost is 6µs, want at most half":           {TickPeriod: 10 * us, TickCost: 6 * us},
		"MissCost is -0.001ns":                         {MissCost: -1},
		"MissCost is 51µs, want at most half of a per": {MissPeriod: 100 * us, MissCost: 51 * us},
	} {
		_, err := c.Noise(spec)
		require.ErrorContains(t, err, want)
	}
}
