package logp

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite testdata")

// rounded gives the JSON with numbers to nine digits, so that the order of
// additions does not show.
func rounded(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	var x any
	require.NoError(t, json.Unmarshal(b, &x))
	b, err = json.MarshalIndent(round(x), "", "  ")
	require.NoError(t, err)
	return append(b, '\n')
}

func round(x any) any {
	switch x := x.(type) {
	case map[string]any:
		for k, v := range x {
			x[k] = round(v)
		}
	case []any:
		for i, v := range x {
			x[i] = round(v)
		}
	case float64:
		return math.Round(x*1e9) / 1e9
	}
	return x
}

func TestJSON(t *testing.T) {
	paragon := machines["paragon"]
	layer := planted{os: 3, or: 4, l: 10, idle: 2}
	for name, v := range map[string]any{
		"signature":        paragon.signature(nil, exact, powers(128), 0, 2, 16).Extract(),
		"signature-no-g":   law{2, 2.6, 11, 12.4, 1000}.signature(nil, exact, powers(64), 0, 4, 16, 32).Extract(),
		"fragments":        layer.fragments(nil, exact, SendReceive).Extract(),
		"bulk":             Bulk{{512, sure(40), sure(18)}, {1024, sure(60), sure(36)}, {4096, sure(260), Mean{}}}.Extract(),
		"not-identifiable": Signature{}.Extract(),
	} {
		t.Run(name, func(t *testing.T) {
			got := rounded(t, v)
			path := filepath.Join("testdata", name+".json")
			if *update {
				require.NoError(t, os.MkdirAll("testdata", 0o755))
				require.NoError(t, os.WriteFile(path, got, 0o644))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, string(bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))), string(got))
		})
	}
}

func TestEstimateJSON(t *testing.T) {
	for _, e := range []Estimate{{Value: 2, Lo: 1.5, Hi: 3}, {Reason: "L: RTT: not measured"}, {}} {
		b, err := json.Marshal(e)
		require.NoError(t, err)
		var back Estimate
		require.NoError(t, json.Unmarshal(b, &back))
		assert.Equal(t, e, back)
	}
	for _, bad := range []string{`{}`, `{"value":1,"lo":2,"hi":3}`, `{"value":1,"lo":1}`, `{"value":-1,"lo":-2,"hi":3}`, `7`} {
		assert.Error(t, new(Estimate).UnmarshalJSON([]byte(bad)), bad)
	}
}

func TestRatio(t *testing.T) {
	e := Ratio("gap ratio", Estimate{Value: 36, Lo: 33, Hi: 39}, Estimate{Value: 12, Lo: 11, Hi: 14})
	assert.InDelta(t, 3, e.Value, 1e-12)
	assert.InDelta(t, 3-3*math.Hypot(3.0/36, 2.0/12), e.Lo, 1e-12)
	assert.InDelta(t, 3+3*math.Hypot(3.0/36, 1.0/12), e.Hi, 1e-12)
	none := Estimate{Reason: "g: no points at Δ = 0"}
	assert.Equal(t, none, Ratio("gap ratio", none, e))
	assert.Equal(t, none, Ratio("gap ratio", e, none))
	assert.Equal(t, "gap ratio: a ratio of 3 to 0", Ratio("gap ratio", e, Estimate{}).Reason)
}
