package analysis

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

func TestPoolWeighsByCounts(t *testing.T) {
	a := trace.Stat{Stage: trace.Net, Measured: trace.Measured{Count: 10, MeanNs: trace.Some(100.)}, Unloaded: trace.Unloaded{BaselineNs: trace.Some(80.)}, Judged: trace.Judged{CILoNs: trace.Some(90.), CIHiNs: trace.Some(110.), Weak: true}}
	b := trace.Stat{Stage: trace.Net, Measured: trace.Measured{Count: 30, MeanNs: trace.Some(200.)}, Unloaded: trace.Unloaded{BaselineNs: trace.Some(120.)}, Judged: trace.Judged{CILoNs: trace.Some(190.), CIHiNs: trace.Some(210.)}}
	none := trace.Stat{Stage: trace.Net}
	got := Pool(Pool(Pool(nil, []trace.Stat{none}), []trace.Stat{a}), []trace.Stat{b, none})
	require.Len(t, got, 1)
	require.Equal(t, int64(40), got[0].Count)
	require.Equal(t, trace.Some(175.), got[0].MeanNs)
	require.Equal(t, trace.Some(110.), got[0].BaselineNs)
	require.Equal(t, trace.Some(165.), got[0].CILoNs)
	require.False(t, got[0].Weak)

	b.BaselineNs = trace.Opt[float64]{}
	require.False(t, Pool(Pool(nil, []trace.Stat{a}), []trace.Stat{b})[0].BaselineNs.OK, "half a baseline is none")
	require.True(t, Pool(nil, []trace.Stat{a})[0].Weak)
	require.True(t, Pool(Pool(nil, []trace.Stat{a}), []trace.Stat{a})[0].Weak, "20 packets are few")
	three := Pool(Pool(Pool(nil, []trace.Stat{a}), []trace.Stat{a}), []trace.Stat{a})
	require.False(t, three[0].Weak, "30 packets are not, whatever they are made of")
}

func TestLevelOf(t *testing.T) {
	at := func(dev, lo, hi float64) trace.Stat {
		return trace.Stat{Unloaded: trace.Unloaded{BaselineNs: trace.Some(100.)}, Judged: trace.Judged{DeviationNs: trace.Some(dev), DeviationCILoNs: trace.Some(lo), DeviationCIHiNs: trace.Some(hi)}}
	}
	require.Equal(t, Above, LevelOf(at(20, 1, 39)))
	require.Equal(t, Below, LevelOf(at(-20, -39, -1)))
	require.Equal(t, Within, LevelOf(at(5, -9, 9)))
	require.Equal(t, Unclear, LevelOf(at(20, -1, 41)))
	require.Equal(t, Unclear, LevelOf(at(-20, -41, 1)))
	require.Equal(t, Unclear, LevelOf(trace.Stat{Judged: trace.Judged{DeviationNs: trace.Some(50.)}}))
}
