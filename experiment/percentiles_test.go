package experiment

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// TestPercentilesDoNotContradict: on cards of both eras, what a signature says of a row agrees with its
// mean, and of a traced run with its packets, counted here in another way.
func TestPercentilesDoNotContradict(t *testing.T) {
	for _, place := range []struct{ platform, workload string }{
		{"cx7", "pingpong"}, {"cx6-hdr", "kv"}, {"cx5-roce", "hotspot"}, {"mlx4", "allreduce"}, {"smartnic", "random"},
		{"shrimp", "fft"}, {"ppro", "gauss"}, {"grim-p4-lanai9", "random"}, {"paragon", "radix"},
	} {
		for _, traced := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s on %s, traced %v", place.workload, place.platform, traced), func(t *testing.T) {
				s := DefaultRun(place.workload)
				s.Platform, s.Nodes, s.Size = place.platform, 4, smallSizes[place.workload]
				if s.IsPattern() {
					s.Pattern.Count = 50
				}
				if traced {
					s.Trace = TraceAll
				}
				run, err := Run(t.Context(), s, nil)
				require.NoError(t, err)
				require.NotEmpty(t, run.Signature)
				var packets []trace.PacketRow
				if traced {
					packets = slices.Collect(run.Packets)
				}
				for _, r := range run.Signature {
					requireAgrees(t, r, packets)
				}
			})
		}
	}
}

// requireAgrees compares the percentiles of a row with its mean and, if there are any, with packets.
func requireAgrees(t *testing.T, r trace.SignatureRow, packets []trace.PacketRow) {
	t.Helper()
	if !r.MeanNs.OK || r.Stage == trace.NetMinusLANai {
		return
	}
	const tick = 31 // ns of a 33 MHz clock, in which sums are counted; a trace has the instants of two
	mean := r.MeanNs.Value + tick
	require.True(t, !r.MinNs.OK || float64(r.MinNs.Value) <= mean, "%+v", r)
	require.True(t, !r.MaxNs.OK || float64(r.MaxNs.Value)+2*tick >= mean, "%+v", r)
	for share, p := range map[float64]trace.Percentile{0.50: r.P50, 0.90: r.P90, 0.99: r.P99} {
		if p.Ns.OK && !p.UpperBound {
			require.LessOrEqual(t, float64(p.Ns.Value), mean/(1-share)*(1+1e-9), "%+v", r)
		}
	}
	var seen []int64
	for _, p := range packets {
		v := map[trace.Stage]trace.Opt[int64]{trace.Source: p.SourceNs, trace.LANai: p.LANaiNs, trace.Net: p.NetNs, trace.Dest: p.DestNs}[r.Stage]
		isIts := p.Tag == r.Tag && (r.Kind == trace.AllKinds || r.Kind == p.Kind) && (!r.First.OK || r.First.Value == p.First)
		if isIts && v.OK && p.SizeBytes > r.SizeLoBytes && p.SizeBytes <= r.SizeHiBytes {
			seen = append(seen, v.Value)
		}
	}
	if int64(len(seen)) != r.Count || !r.P50.Ns.OK {
		return
	}
	below := 0
	for _, v := range seen {
		if v <= r.P50.Ns.Value {
			below++
		}
	}
	require.GreaterOrEqual(t, 2*below, len(seen), "%+v", r)
	require.Contains(t, seen, r.P50.Ns.Value, "%+v", r)
	require.Equal(t, slices.Max(seen), r.MaxNs.Value, "%+v", r)
}
