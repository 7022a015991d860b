package experiment

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/trace"
)

// sampledCase draws a run that is long enough for windows, and short enough to be made in full too.
func sampledCase(r *rand.Rand) RunSpec {
	type place struct{ platform, layer string }
	pick := func(from ...int) int { return from[r.IntN(len(from))] }
	places := []place{{"shrimp", ""}, {"ppro", "pm"}, {"ppro", "fm"}, {"cx5-roce", ""}, {"cx6-hdr", ""}}
	programs := []string{"stream", "incast", "alltoall", "blocks", "allreduce", "kv", "fft", "radix", "random", "hotspot"}
	s := DefaultRun(programs[r.IntN(len(programs))])
	at := places[r.IntN(len(places))]
	s.Platform, s.Layer, s.Seed = at.platform, at.layer, r.Uint64N(1e6)
	s.Detail = Detail(fmt.Sprintf("full:%d%%", pick(25, 40, 50)))
	verbs := at.layer == "" && at.platform != "shrimp"
	switch s.Workload {
	case "stream":
		s.Nodes = 2 * pick(1, 2, 3)
		s.Pattern.Bytes, s.Pattern.Count = pick(64, 256, 1024, 4096), pick(15000, 25000)
		s.Pattern.GapUs = float64(pick(0, 0, 1, 5))
	case "incast":
		s.Nodes = pick(3, 4, 6)
		s.Pattern.Bytes, s.Pattern.Count = pick(64, 1024, 4096), pick(20000, 40000)
	case "alltoall":
		s.Nodes = pick(3, 4, 5)
		s.Pattern.Bytes, s.Pattern.Count = pick(64, 512, 2048), pick(10000, 16000)
		s.Pattern.GapUs = float64(pick(0, 1, 5))
	case "random", "hotspot":
		s.Nodes = pick(3, 4, 5)
		s.Pattern.Bytes, s.Pattern.Count = pick(64, 512, 2048), pick(30000, 50000)
		s.Pattern.GapUs = float64(pick(0, 2, 10))
	case "blocks":
		s.Nodes, s.Size = pick(3, 4), int64(pick(10000, 20000))
		s.Job.DeviceUs = float64(pick(10, 80))
	case "allreduce":
		s.Nodes, s.Size, s.Job.Steps = pick(3, 4), int64(pick(1<<18, 1<<19)), 20
		s.Job.ChunkBytes = pick(1024, 2048)
	case "kv":
		s.Nodes, s.Size = pick(3, 4), int64(pick(20000, 30000))
		if verbs {
			s.Job.Access = "requests"
		}
	case "fft":
		s.Nodes, s.Size, s.Detail = 2, 1<<20, "full:50%"
	case "radix":
		s.Nodes, s.Size, s.Detail = 2, 1<<21, "full:50%"
	}
	return s
}

// TestSampledIntervals: what a run in full takes, and the means of its packets' latencies, are in the intervals of the
// sampled run.
func TestSampledIntervals(t *testing.T) {
	number := func(name string, usual int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return usual
	}
	r := rand.New(rand.NewPCG(uint64(number("SAMPLED_SEED", 1)), 7))
	var times, timesOf, means, meansOf int
	for tries := 0; timesOf < number("SAMPLED_CASES", 6); tries++ {
		s := sampledCase(r)
		run, err := Run(context.Background(), s, nil)
		if err != nil {
			fmt.Println("refused:", s.Workload, s.Platform, s.Layer, err)
			continue
		}
		require.True(t, run.Manifest.Verified, run.Manifest.Verification)
		m := run.Manifest.Sampled
		if m == nil {
			fmt.Println("short:", s.Workload, s.Platform, s.Layer, s.Nodes, run.Manifest.Packets)
			continue
		}
		s.Detail = DetailFull
		full, err := Run(context.Background(), s, nil)
		require.NoError(t, err)
		timesOf++
		want := full.Manifest.RunTimeNs()
		per := func(ns int64) float64 { return 100 * (float64(ns)/float64(want) - 1) }
		ok := m.RunTimeLoNs <= want && want <= m.RunTimeHiNs
		if ok {
			times++
		}
		in, of := meansWithin(run, full)
		means, meansOf = means+in, meansOf+of
		fmt.Printf("%d %v %s %s %s n%d %dB gap %g %.3g%%: %d windows, fast %+.2f estimate %+.2f [%+.2f %+.2f] means %d of %d\n", timesOf, ok, s.Workload, s.Platform, s.Layer, s.Nodes, s.Pattern.Bytes, s.Pattern.GapUs, 100*m.Fraction,
			m.Windows, per(m.FastNs), per(run.Manifest.RunTimeNs()), per(m.RunTimeLoNs), per(m.RunTimeHiNs), in, of)
	}
	fmt.Println("times", times, timesOf, "means", means, meansOf)
}

// meansWithin counts the intervals of means that hold those of the run in full.
func meansWithin(run, full *trace.Run) (in, of int) {
	for _, x := range run.Classes {
		i := slices.IndexFunc(full.Classes, func(y trace.ClassRow) bool { return x.Group == y.Group && x.Class == y.Class && x.Stage == y.Stage })
		if i < 0 || !x.CILoNs.OK || x.Stage > trace.Dest || x.Kind == trace.AllKinds {
			continue
		}
		of++
		if y := full.Classes[i].MeanNs.Value; x.CILoNs.Value <= y && y <= x.CIHiNs.Value {
			in++
		} else if os.Getenv("SHOW") != "" {
			fmt.Printf("    %s %s %v: %.1f [%.1f %.1f] full %.1f n %d\n", x.Kind, x.Class, x.Stage, x.MeanNs.Value, x.CILoNs.Value, x.CIHiNs.Value, y, x.Count)
		}
	}
	return in, of
}
