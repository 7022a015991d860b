package experiment

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/analysis/logp"
)

// TestParameterizedOfEveryLayer: on every layer the overheads do not exceed half a round
// trip, g(0) and L give the round trip of empty messages, the two ways by the global clock
// make up most of it, and the document survives JSON.
func TestParameterizedOfEveryLayer(t *testing.T) {
	results := of(t, []string{AllLayers}, func(s *LogPSpec) {
		s.Method, s.PLogP.Exponent, s.PLogP.MostExponent = MethodPLogP, 8, 8
	})
	for _, r := range results {
		p := r.Parameterized
		require.NotNil(t, p, r.Layer)
		require.Len(t, p.Costs, 4)
		require.Positive(t, p.Gain())
		require.InEpsilon(t, r.Sizes[0].RTT.Value, 2*(p.L.Value+p.G0.Value), 1e-6, "%s: RTT(0) = 2(L + g(0))", r.Layer)
		for _, s := range r.Sizes {
			require.Equal(t, s.SizeBytes > 0 && logp.First(s.SizeBytes), s.Saturation != nil)
			require.Less(t, s.Os.Value+s.Or.Value, s.RTT.Value, "%s, %d B", r.Layer, s.SizeBytes)
		}
		if w := p.OneWay; w != nil && w.There.OK() && w.Back.OK() {
			require.InEpsilon(t, w.There.Value, w.Back.Value, 0.1, "%s: links are alike", r.Layer)
			require.InEpsilon(t, w.HalfRTT.Value, w.There.Value, 0.5, "%s", r.Layer)
		}
		var back bench.LogP
		doc, err := json.Marshal(r)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(doc, &back))
		require.Equal(t, r, back)
	}
	again := of(t, []string{results[0].Layer}, func(s *LogPSpec) {
		s.Method, s.PLogP.Exponent, s.PLogP.MostExponent = MethodPLogP, 8, 8
	})
	require.Equal(t, results[0], again[0])
}
