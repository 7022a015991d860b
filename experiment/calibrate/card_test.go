package calibrate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/cluster/platform"
)

const header = " RDMA_Write Latency Test\n #bytes #iterations t_min[usec] t_max[usec] t_typical[usec]\n"

func listing(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "listing.txt")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

// TestCardIsFitted: a listing of a card whose pipeline takes longer gives that pipeline, and its other latencies follow. One
// that differs elsewhere is missed.
func TestCardIsFitted(t *testing.T) {
	p, err := platform.Load("cx6-hdr")
	require.NoError(t, err)
	p, err = p.With(platform.OverlayOf("slower", map[string]any{"verbs": map[string]any{"card": map[string]any{"pipeline_ns": 700.0}}}))
	require.NoError(t, err)
	text := header
	for _, n := range []int64{64, 2, 4096, 65536} {
		us, err := writeLatency(context.Background(), p, n)
		require.NoError(t, err)
		text += fmt.Sprintf(" %d 1000 1.00 9.99 %.4f\n", n, us)
	}
	r, err := Card(context.Background(), CardSpec{Name: "mine", Listing: listing(t, text+" 1024 1000 1.00 9.99 20.00\n"), Platform: "cx6-hdr"}, nil)
	require.NoError(t, err)
	require.InDelta(t, 700, r.Fit.Parameters[0].Value, 0.2)
	require.Equal(t, "3 of 4 latencies that were not fitted are within 15 %.", r.Fit.Summary())
	for i, x := range r.Fit.Points {
		require.Equal(t, map[bool]bench.Use{true: bench.Fit, false: bench.Held}[i == 0], x.Use)
		if x.SizeBytes != 1024 {
			require.InDelta(t, 0, x.Apart(), 1e-3, "%+v", x)
		}
	}
	file := filepath.Join(t.TempDir(), "mine.toml")
	require.NoError(t, os.WriteFile(file, []byte(r.Profile), 0o644))
	again, err := platform.Load(file)
	require.NoError(t, err)
	require.Equal(t, "mine", again.Name)
	require.Equal(t, r.Fit.Parameters[0].Value, 1000*again.Verbs.Card.Pipeline.Us())
}

func TestListingsOfOtherTestsAreRefused(t *testing.T) {
	row := " 2 1000 1.00 9.99 1.87\n"
	for text, want := range map[string]string{
		strings.Replace(header, "Write", "Read", 1) + row:              "want latencies of RDMA_Write",
		strings.TrimPrefix(header, " RDMA_Write Latency Test\n") + row: "want latencies of RDMA_Write",
		header + " 2 1000 1.00 9.99 0.50\n":                            "listing is 0.5 µs for 2 B, want at least the 0.80 µs that platform cx6-hdr takes without verbs.card.pipeline_ns",
		header:                                                         "no figures",
	} {
		_, err := Card(context.Background(), CardSpec{Name: "mine", Listing: listing(t, text), Platform: "cx6-hdr"}, nil)
		require.ErrorContains(t, err, want)
	}
	_, err := Card(context.Background(), CardSpec{Name: "mine", Listing: listing(t, header+row), Platform: "ppro"}, nil)
	require.ErrorContains(t, err, "platforms is ppro, want one with the layer verbs: ")
}
