package rundir

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// BenchmarkScan reads packets batch by batch, a million an iteration.
func BenchmarkScan(b *testing.B) {
	run := sampleRun()
	run.Packets = endless(1_000_000)
	dir := filepath.Join(b.TempDir(), "run")
	require.NoError(b, WriteRun(context.Background(), dir, run))
	b.ResetTimer()
	for range b.N {
		var n int64
		require.NoError(b, Scan(dir, func(rows []trace.PacketRow) error { n += int64(len(rows)); return nil }))
		require.EqualValues(b, 1_000_000, n)
	}
}

// endless yields n packets without keeping them.
func endless(n int) func(func(trace.PacketRow) bool) {
	return func(yield func(trace.PacketRow) bool) {
		for i := range n {
			t := int64(i) * 100
			r := trace.PacketRow{
				Kind: trace.Kind(i % 9).String(), Span: int64(i), Sender: int64(i % 64), Receiver: int64(i%64) ^ 1, Number: int64(i / 64), SizeBytes: 64, First: true,
				T1Ns: trace.Some(t - 900), T2Ns: trace.Some(t - 500), T3Ns: trace.Some(t), T4Ns: trace.Some(t + 700), T5Ns: trace.Some(t + 1000), T6Ns: trace.Some(t + 4000),
				SourceNs: trace.Some[int64](400), LANaiNs: trace.Some[int64](1200), NetNs: trace.Some[int64](1000), DestNs: trace.Some[int64](3000), BoundNs: trace.Some[int64](200),
			}
			if !yield(r) {
				return
			}
		}
	}
}
