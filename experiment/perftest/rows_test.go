package perftest

import (
	"context"
	"testing"

	"github.com/sigview/sigview/platform"
	"github.com/stretchr/testify/require"
)

func TestRows(t *testing.T) {
	for _, x := range []struct {
		on            string
		op            Operation
		m             Measure
		n, pairs, out int64
		want          float64
		what          string
	}{
		{"mlx4", Write, Latency, 2, 1, 1, 0.89, "us"}, {"mlx4", Write, Latency, 64, 1, 1, 0.97, "us"}, {"mlx4", Write, Latency, 128, 1, 1, 1.10, "us"},
		{"mlx4", Write, Latency, 256, 1, 1, 1.84, "us"}, {"mlx4", Write, Latency, 4096, 1, 1, 5.03, "us"}, {"mlx4", Read, Latency, 2, 1, 1, 1.74, "us"},
		{"mlx4", Read, Latency, 65536, 1, 1, 23.4, "us"}, {"mlx4", Read, Bandwidth, 2, 1, 128, 5.6, "M"}, {"mlx4", Read, Bandwidth, 512, 1, 128, 4.1, "M"}, {"mlx4", FetchAdd, Bandwidth, 8, 1, 128, 2.22, "M"},
		{"mlx4", Write, Bandwidth, 65536, 1, 128, 25e9 / 8 / 1048576, "MiB"},
		{"cx5-roce", Send, Latency, 2, 1, 1, 1.68, "us"}, {"cx5-roce", Write, Latency, 2, 1, 1, 1.58, "us"}, {"cx5-roce", FetchAdd, Bandwidth, 8, 1, 128, 2.17, "M"},
		{"cx5-roce", Write, Bandwidth, 65536, 1, 128, 11025, "MiB"},
		{"cx6-hdr", Write, Latency, 2, 1, 1, 1.87, "us"}, {"cx6-hdr", Write, Latency, 128, 1, 1, 1.96, "us"}, {"cx6-hdr", Write, Latency, 4096, 1, 1, 3.85, "us"},
		{"cx6-hdr", Write, Latency, 1 << 20, 1, 1, 46.9, "us"}, {"cx6-hdr", Write, Bandwidth, 2, 1, 128, 2.59, "M"}, {"cx6-hdr", Write, Bandwidth, 4096, 1, 128, 2.59, "M"},
		{"cx6-hdr", Write, Bandwidth, 8 << 20, 1, 128, 23318, "MiB"},
		{"cx5-ex", Write, Latency, 2, 1, 1, 2.08, "us"}, {"cx5-ex", Write, Bandwidth, 4096, 1, 1, 7.04e9 / 8 / 1048576, "MiB"}, {"cx5-ex", Write, Bandwidth, 16384, 1, 1, 21.95e9 / 8 / 1048576, "MiB"},
		{"cx5-ex", Write, Bandwidth, 262144, 1, 1, 79.23e9 / 8 / 1048576, "MiB"},
		{"cx7", Write, Bandwidth, 4 << 20, 1, 16, 365e9 / 8 / 1048576, "MiB"}, {"cx7", Write, Bandwidth, 4 << 20, 2, 16, 392e9 / 8 / 1048576, "MiB"},
		{"cx7", Read, Bandwidth, 4 << 20, 1, 16, 320e9 / 8 / 1048576, "MiB"}, {"cx7", Read, Bandwidth, 4 << 20, 2, 16, 390e9 / 8 / 1048576, "MiB"},
		{"cx7", Read, Bandwidth, 16384, 1, 16, 197e9 / 8 / 1048576, "MiB"},
		{"cx3", Read, Bandwidth, 32, 88, 8, 1, "M"}, {"cx3", Read, Bandwidth, 32, 176, 8, 1, "M"}, {"cx3", Read, Bandwidth, 32, 792, 8, 1, "M"},
	} {
		p, err := platform.Load(x.on)
		require.NoError(t, err)
		count := int64(200)
		if x.m == Bandwidth {
			count = max(20, min(5000, 64<<20/x.n))
		}
		r, err := Bed{Profile: p, Cable: true, Seed: 1}.Measure(context.Background(), Test{x.op, x.m, x.n, x.pairs, x.out, count})
		require.NoError(t, err)
		got := map[string]float64{"us": r.Us, "M": r.PerSecond / 1e6, "MiB": r.MiBps}[x.what]
		t.Logf("%-9s %-10s %-9s %8d B %4d pairs %4d out: %9.3f, published %9.3f %s  %+.0f %%", x.on, x.op, x.m, x.n, x.pairs, x.out, got, x.want, x.what, 100*(got/x.want-1))
	}
}
