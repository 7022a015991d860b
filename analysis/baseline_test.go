package analysis

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/synth"
	"github.com/sigview/sigview/trace"
)

// TestBaselineBetweenSizes: a size between two that were measured has a baseline on the line through
// them, and one outside has none.
func TestBaselineBetweenSizes(t *testing.T) {
	sizes := func(lo, hi int64) trace.Sizes { return trace.Sizes{SizeLoBytes: lo, SizeHiBytes: hi} }
	var b Baseline
	b.bins[trace.Net] = []bin{{sizes(32, 64), estimate{value: 1000}}, {sizes(128, 160), estimate{value: 1960}}}
	e, from, ok := b.at(trace.Net, sizes(64, 96))
	require.True(t, ok)
	require.Equal(t, trace.BaselineBetween, from)
	require.InDelta(t, 1320, e.value, 1e-9, "a third of the way")
	for _, outside := range []trace.Sizes{sizes(0, 32), sizes(160, 192)} {
		_, from, ok = b.at(trace.Net, outside)
		require.False(t, ok, outside)
		require.Equal(t, trace.BaselineNone, from)
	}
}

// TestBaselineWithoutAStage: a baseline and a first run without LANai, as of hosts whose driver does not stamp, have
// the other stages as ever.
func TestBaselineWithoutAStage(t *testing.T) {
	absent := func(stage trace.Stage) bool { return stage == trace.LANai || stage == trace.NetMinusLANai }
	without := func(s Signature) Signature {
		for i := range s.Rows {
			if r := &s.Rows[i].Stat; absent(r.Stage) {
				*r = trace.Stat{Stage: r.Stage}
			}
		}
		return s
	}
	b, err := NewBaseline(without(summarize(t, synth.Unloaded())), 0)
	require.NoError(t, err)
	loaded := summarize(t, synth.FFT())
	whole, other := loaded.Against(baseline(t)), loaded.Against(b)
	for i, r := range whole.Rows {
		require.Equal(t, r.BaselineNs.OK && !absent(r.Stage), other.Rows[i].BaselineNs.OK)
		if !absent(r.Stage) {
			require.Equal(t, r, other.Rows[i])
		}
	}
	list, err := Changes(without(summarize(t, synth.Unloaded())), loaded)
	require.NoError(t, err)
	for _, x := range list {
		require.Equal(t, !absent(x.Stage), x.DiffNs.OK, "%s of %s", x.Stage, x.Class)
	}
}

// TestDamagedRunIsNotCompared: classes of packets without the rows of their sizes are an error, which names the tag.
func TestDamagedRunIsNotCompared(t *testing.T) {
	whole := summarize(t, synth.FFT())
	_, err := Changes(Signature{Classes: whole.Classes}, whole)
	require.ErrorContains(t, err, "compare: baseline: tag 0 has no packets")
}
