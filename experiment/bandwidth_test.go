package experiment

import (
	"context"
	"encoding/json"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/experiment/measure"
)

// TestBandwidth of one layer by every test: longer messages go faster, and two
// directions together carry more than one but not twice as much.
func TestBandwidth(t *testing.T) {
	spec := DefaultBandwidth()
	spec.Platforms, spec.Layers, spec.Sizes = []string{"ppro"}, []string{"vmmc"}, []int64{16, 1024, 64 << 10}
	at := map[measure.Test][]float64{}
	for _, test := range measure.Test("").All() {
		spec.Test = test
		results, err := Bandwidth(context.Background(), spec, nil)
		require.NoError(t, err)
		require.Len(t, results, 1)
		r := results[0]
		require.Equal(t, [3]string{"ppro", "vmmc", string(test)}, [3]string{r.Platform, r.Layer, r.Test})
		require.Len(t, r.Digest, 16)
		for i, p := range r.Points {
			require.Equal(t, spec.Sizes[i], p.SizeBytes)
			require.Equal(t, test == measure.PingPong, p.OneWayUs != nil)
			if p.OneWayUs != nil {
				require.InEpsilon(t, float64(p.SizeBytes) / *p.OneWayUs, p.MBps, 1e-9)
			}
			if i > 0 {
				require.Greater(t, p.MBps, r.Points[i-1].MBps)
			}
			at[test] = append(at[test], p.MBps)
		}
	}
	for i := range spec.Sizes {
		one, both := at[measure.Unidirectional][i], at[measure.Simultaneous][i]
		require.Greater(t, one, at[measure.PingPong][i])
		require.Greater(t, both, 0.9*one)
		require.Less(t, both, 2*one)
	}
}

// TestBandwidthSideBySide: several layers and platforms come in their order,
// with the same figures as each alone, on however many cores.
func TestBandwidthSideBySide(t *testing.T) {
	spec := DefaultBandwidth()
	spec.Platforms, spec.Layers, spec.Sizes = []string{"shrimp", "ppro"}, []string{"vmmc"}, []int64{4, 4096}
	measure := func(cores int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		r, err := Bandwidth(context.Background(), spec, nil)
		require.NoError(t, err)
		data, err := json.Marshal(r)
		require.NoError(t, err)
		return string(data)
	}
	both := measure(1)
	require.Equal(t, both, measure(4))
	spec.Platforms = []string{"shrimp"}
	first := measure(2)
	spec.Platforms = []string{"ppro"}
	require.Equal(t, both, first[:len(first)-1]+","+measure(2)[1:])
}

func TestBandwidthRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*BandwidthSpec)
		want   string
	}{
		{"no platform", func(s *BandwidthSpec) { s.Platforms = nil }, "platform is empty"},
		{"unknown platform", func(s *BandwidthSpec) { s.Platforms = []string{"ppro", "prpo"} }, `unknown platform "prpo", did you mean "ppro"?`},
		{"platform twice", func(s *BandwidthSpec) { s.Platforms = []string{"ppro", "ppro"} }, "each platform once"},
		{"unknown layer", func(s *BandwidthSpec) { s.Layers = []string{"vmm"} }, `did you mean "vmmc"?`},
		{"layer of another platform", func(s *BandwidthSpec) { s.Platforms, s.Layers = []string{"shrimp"}, []string{"bip"} }, "layer is bip, want one that platform shrimp has figures for: vmmc"},
		{"layer beside all", func(s *BandwidthSpec) { s.Layers = []string{"all", "vmmc"} }, `unknown layer "all"`},
		{"unknown test", func(s *BandwidthSpec) { s.Test = "stream" }, `unknown test "stream"`},
		{"too long", func(s *BandwidthSpec) { s.Sizes = []int64{MaxMessage + 1} }, "sizes[0] is 4194305, want 0 to 4194304 bytes"},
		{"too short", func(s *BandwidthSpec) { s.Layers, s.Sizes = []string{"vmmc"}, []int64{64, 0} }, "size is 0, want at least 1 B, the shortest message of layer vmmc"},
		{"size twice", func(s *BandwidthSpec) { s.Sizes = []int64{4, 4} }, "each size once"},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := DefaultBandwidth()
			c.change(&spec)
			_, err := Bandwidth(context.Background(), spec, nil)
			requireUsage(t, err, c.want)
		})
	}
}
