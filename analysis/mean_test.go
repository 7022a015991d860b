package analysis

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

func ofSeed(seed uint64, meanNs float64) trace.Run {
	row := trace.ClassRow{
		Group: trace.Group{Kind: trace.AllKinds}, Class: trace.ClassUnder128, Sizes: trace.Sizes{SizeHiBytes: 128},
		Stat: trace.Stat{Stage: trace.Dest, Measured: trace.Measured{Count: 40 + int64(seed), MeanNs: trace.Some(meanNs)},
			Unloaded: trace.Unloaded{BaselineNs: trace.Some(4000.)}, Judged: trace.Judged{DeviationNs: trace.Some(meanNs - 4000)}},
	}
	return trace.Run{
		Manifest: trace.Manifest{
			Seed: seed, Workload: "fft", Nodes: 2, Verified: true, Spec: []byte(`{"nodes":2}`), SimulatedNs: 1000 * int64(seed), Packets: 10 * int64(seed),
			Tags: []trace.Program{{RunTimeNs: 100 * int64(seed)}}, Lost: trace.Lost{Retransmitted: 1},
			Shares:   []trace.Shares{{RunTimeNs: 10 * int64(seed), PageWaitNs: 6 * int64(seed), ComputingNs: 4 * int64(seed)}},
			Warnings: []string{"doubtful"},
		},
		Classes:    []trace.ClassRow{row},
		Histograms: []trace.HistogramRow{{Group: row.Group, LatencyLoNs: 5, Count: int64(seed)}},
	}
}

// TestMeanOfRuns: the interval is Student's over the runs. With 10, 12 and 14 µs the
// standard deviation is 2, and the quantile with two degrees of freedom 4.3027.
func TestMeanOfRuns(t *testing.T) {
	m, err := Mean([]trace.Run{ofSeed(1, 10_000), ofSeed(2, 12_000), ofSeed(3, 14_000)})
	require.NoError(t, err)
	require.Equal(t, "fft on , 2 nodes, mean of 3 runs, seeds 1..3", m.Manifest.Title())
	require.EqualValues(t, 2000, m.Manifest.SimulatedNs)
	require.EqualValues(t, 200, m.Manifest.Tags[0].RunTimeNs)
	require.Equal(t, trace.Shares{RunTimeNs: 20, PageWaitNs: 12, ComputingNs: 8}, m.Manifest.Shares[0])
	require.EqualValues(t, 3, m.Manifest.Lost.Retransmitted)
	require.Equal(t, []string{"doubtful"}, m.Manifest.Warnings)
	require.EqualValues(t, 6, m.Histograms[0].Count)
	require.NoError(t, trace.CheckRow(&m.Classes[0]))
	s := m.Classes[0].Stat
	require.EqualValues(t, 42, s.Count)
	require.Equal(t, trace.Some(12_000.), s.MeanNs)
	require.Equal(t, trace.Some(8000.), s.DeviationNs)
	require.InDelta(t, 4968, s.CIHiNs.Value-12_000, 1)
	require.InDelta(t, 8000-4968, s.DeviationCILoNs.Value, 1)
}

func TestMeanNamesWhatIsMissing(t *testing.T) {
	a, b := ofSeed(1, 10_000), ofSeed(5, 11_000)
	b.Classes, b.Manifest.Verified, b.Manifest.Verification = nil, false, "wrong"
	m, err := Mean([]trace.Run{a, b})
	require.NoError(t, err)
	require.Equal(t, "in 1 of 2 runs", m.Classes[0].Note)
	require.False(t, m.Classes[0].CILoNs.OK, "one run has no interval over runs")
	require.True(t, m.Classes[0].Weak)
	require.Equal(t, "seed 5: wrong", m.Manifest.Verification)

	b.Manifest.Spec = []byte(`{"nodes":2,"size":8}`)
	_, err = Mean([]trace.Run{a, b})
	require.ErrorContains(t, err, "seeds 1 and 5 differ in specification.size: none and 8")
}

func TestDiffersNamesEveryField(t *testing.T) {
	bound := 120.
	a := trace.Manifest{Seed: 1, ToolVersion: "1", Workload: "fft", Spec: []byte(`{"memory":{"homes":""},"policies":["homes"]}`)}
	b := trace.Manifest{Seeds: []uint64{1, 2, 3, 7}, ToolVersion: "2", Workload: "fft", Spec: []byte(`{"memory":{"homes":"single"}}`),
		Clock: trace.ClockQuality{MedianBoundNs: &bound}}
	require.Equal(t, []Difference{
		{"seeds", "1", "1..3,7"}, {"clock.median_bound_ns", "none", "120"}, {"specification.memory.homes", "none", "single"},
		{"specification.policies", `["homes"]`, "none"}, {"tool_version", "1", "2"},
	}, Differs(a, b))
	require.Empty(t, Differs(b, b))
	require.Equal(t, []Difference{{"platform.profile.host.flop_ns", "15", "18.5"}, {"platform.profile.x", "none", "true"}},
		Differs(b, b, []byte(`{"name":"p","host":{"flop_ns":15}}`), []byte(`{"name":"q","host":{"flop_ns":18.5},"x":true}`)))
}

// TestMeanHasTheWorstClock: the largest errors of the runs, and the smallest coverage.
func TestMeanHasTheWorstClock(t *testing.T) {
	at := func(maxNs, coverage float64) trace.Run {
		r := ofSeed(uint64(maxNs), 10_000)
		r.Manifest.Clock = trace.ClockQuality{MaxErrorNs: &maxNs, BoundCoverage: &coverage}
		return r
	}
	for _, runs := range [][]trace.Run{{at(5, 0.9), at(7, 1)}, {at(7, 1), at(5, 0.9)}} {
		m, err := Mean(runs)
		require.NoError(t, err)
		require.Equal(t, 7.0, *m.Manifest.Clock.MaxErrorNs)
		require.Equal(t, 0.9, *m.Manifest.Clock.BoundCoverage)
	}
}
