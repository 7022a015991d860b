package explain

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// BenchmarkSample tells for whom the packets of a long trace wait. The trace is that of a short run, again and again: its
// length changes neither time nor memory, once there are more packets than are looked at.
func BenchmarkSample(b *testing.B) {
	const packets = 400_000
	spec := experiment.DefaultRun("random")
	spec.Nodes, spec.Pattern.Count, spec.Trace = 4, 1000, experiment.TracePackets
	run, err := experiment.Run(b.Context(), spec, nil)
	require.NoError(b, err)
	dir, length := b.TempDir()+"/run", run.Manifest.SimulatedNs
	one := run.Packets
	times := int64(0)
	run.Packets = func(yield func(trace.PacketRow) bool) {
		times = 0 // a sequence may be read again
		for n := int64(0); n < packets; times++ {
			for r := range one {
				for _, t := range []*trace.Opt[int64]{&r.T1Ns, &r.TakenNs, &r.T2Ns, &r.T3Ns, &r.T4Ns, &r.T5Ns, &r.T6Ns} {
					if t.OK {
						t.Value += times * length
					}
				}
				n++
				r.Number += n // no sender has two packets of a number
				if !yield(r) {
					return
				}
			}
		}
	}
	require.NoError(b, rundir.WriteRun(b.Context(), dir, *run))
	read, err := ReadSummary(dir)
	require.NoError(b, err)
	t := &Trace{Manifest: read.Manifest}
	for b.Loop() {
		require.NoError(b, t.sample(dir, &read, 0, 1000*times*length))
	}
	require.Equal(b, sampleWindows, t.Sample.Windows)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(t.Sample.Packets), "ns/packet")
}
