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

// titles are those of perftest's tools.
var titles = map[string]string{
	"write": "RDMA_Write", "read": "RDMA_Read", "send": "Send", "fetch-add": "Atomic FETCH_AND_ADD", "compare-swap": "Atomic CMP_AND_SWAP",
}

func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "listing.txt")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	return name
}

func header(operation string) string {
	return " " + titles[operation] + " Latency Test\n #bytes #iterations t_min[usec] t_max[usec] t_typical[usec]\n"
}

// listingOf is what perftest would print of a platform, with its two digits.
func listingOf(t *testing.T, p *platform.Profile, operation string, sizes ...int64) string {
	t.Helper()
	var points []bench.CardPoint
	for _, n := range sizes {
		points = append(points, bench.CardPoint{Operation: operation, SizeBytes: n})
	}
	require.NoError(t, modelled(context.Background(), p, points, nil))
	text := header(operation)
	for _, x := range points {
		text += fmt.Sprintf(" %d 1000 1.00 9.99 %.2f\n", x.SizeBytes, x.ModelledUs)
	}
	return file(t, text)
}

// another is cx6-hdr in another host, with another pipeline.
func another(t *testing.T) *platform.Profile {
	t.Helper()
	p, err := platform.Load("cx6-hdr")
	require.NoError(t, err)
	p, err = p.With(platform.OverlayOf("another", map[string]any{
		"verbs": map[string]any{"card": map[string]any{"pipeline_ns": 420.0}},
		"host":  map[string]any{"pcie": map[string]any{"read_ns": 900.0, "write_ns": 310.0}},
	}))
	require.NoError(t, err)
	return p
}

var all = []int64{2, 8, 32, 128, 256, 512, 1024, 4096, 65536}

// TestCardAndHostAreFitted: listings of writes and reads give the pipeline and both ways over PCIe of the hosts, whose other
// operations follow.
func TestCardAndHostAreFitted(t *testing.T) {
	p := another(t)
	r, err := Card(context.Background(), CardSpec{
		Name: "mine", Platform: "cx6-hdr",
		Listings: []string{listingOf(t, p, "write", all...), listingOf(t, p, "read", all...)},
		Checks:   []string{listingOf(t, p, "send", 2, 256, 1024), listingOf(t, p, "fetch-add", 8)},
	}, nil)
	require.NoError(t, err)
	require.Empty(t, r.Fit.NotTold)
	require.Len(t, r.Fit.Parameters, 3)
	for i, want := range []float64{420, 900, 310} {
		x := r.Fit.Parameters[i]
		require.InDelta(t, want, x.Value, 15, x.Field)
		require.LessOrEqual(t, x.Interval[0], want, x.Field)
		require.GreaterOrEqual(t, x.Interval[1], want, x.Field)
	}
	uses := map[bench.Use]int{}
	for _, x := range r.Fit.Points {
		uses[x.Use]++
		require.InDelta(t, 0, x.Apart(), 0.01, "%+v", x)
	}
	require.Equal(t, map[bench.Use]int{bench.Fit: 14, bench.Held: 4, bench.OtherListing: 4}, uses)
	require.Equal(t, "8 of 8 latencies that were not fitted are within 15 %.", r.Fit.Summary())

	name := filepath.Join(t.TempDir(), "mine.toml")
	require.NoError(t, os.WriteFile(name, []byte(r.Profile), 0o644))
	again, err := platform.Load(name)
	require.NoError(t, err)
	require.Equal(t, "mine", again.Name)
	for i, field := range cardFields {
		require.InDelta(t, r.Fit.Parameters[i].Value, field.now(again), 1e-6)
	}
}

// TestWhatListingsDoNotTell: writes tell the pipeline and, if some are read over PCIe, reads of the host; not its writes, which
// add to all of them alike.
func TestWhatListingsDoNotTell(t *testing.T) {
	p := another(t)
	for _, c := range []struct {
		sizes  []int64
		fields int
		want   string
	}{
		{[]int64{2, 8, 32}, 1, "no latency in the listings depends on it"},
		{all, 2, "has the same effect as what is fitted"},
		{[]int64{2}, 1, "do not tell"},
	} {
		r, err := Card(context.Background(), CardSpec{Name: "mine", Platform: "cx6-hdr", Listings: []string{listingOf(t, p, "write", c.sizes...)}}, nil)
		require.NoError(t, err)
		require.Len(t, r.Fit.Parameters, c.fields, c.sizes)
		require.Len(t, r.Fit.NotTold, len(cardFields)-c.fields)
		require.Contains(t, strings.Join(r.Fit.NotTold, "\n"), c.want)
		require.Contains(t, strings.Join(r.Fit.NotTold, "\n"), "host.pcie.write_ns keeps its 207.5: ")
		for _, x := range r.Fit.Points {
			if x.Use == bench.Fit {
				require.InDelta(t, 0, x.Apart(), 0.02, "%+v", x)
			}
		}
		if len(c.sizes) == 1 {
			require.Nil(t, r.Fit.Parameters[0].Interval)
		}
	}
}

// TestOtherListings: what cannot be compared is left out or refused, with the reason.
func TestOtherListings(t *testing.T) {
	row := " 2 1000 1.00 9.99 1.87\n"
	for text, want := range map[string]string{
		" RDMA_Write BW Test\n #bytes #iterations BW peak[MB/sec] BW average[MB/sec]\n 2 1000 9.99 1.87\n": "want latencies of a perftest tool",
		strings.TrimPrefix(header("write"), " RDMA_Write Latency Test\n") + row:                            "want latencies of a perftest tool",
		header("write") + " 2 1000 1.00 9.99 0.50\n":                                                       "want latencies that a card in this host can have: they would need verbs.card.pipeline_ns = -",
		header("write") + " 4096 1000 1.00 9.99 5.00\n":                                                    "want a message of at most 1024 B",
		header("write"): "no figures",
	} {
		_, err := Card(context.Background(), CardSpec{Name: "mine", Listings: []string{file(t, text)}, Platform: "cx6-hdr"}, nil)
		require.ErrorContains(t, err, want, text)
	}
	_, err := Card(context.Background(), CardSpec{Name: "mine", Listings: []string{file(t, header("write")+row)}, Platform: "ppro"}, nil)
	require.ErrorContains(t, err, "platforms is ppro, want one with the layer verbs: ")

	r, err := Card(context.Background(), CardSpec{
		Name: "mine", Listings: []string{file(t, header("send")+row+" 65536 1000 1.00 9.99 9.00\n")}, Platform: "cx6-hdr",
	}, nil)
	require.NoError(t, err)
	require.Contains(t, r.Fit.Summary(), "Left out: 65536 B: send has at most verbs.message_bytes = 8192.")
}
