package shrimp

import (
	"math"

	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/trace"
)

// baseline holds the rows of unloaded latencies.
func (r *rows) baseline() {
	r.Of("sh-base-src", "baseline", of(r.unloaded, largest(trace.Source)))
	r.Of("sh-base-dest", "baseline", of(r.unloaded, largest(trace.Dest)))
	r.Of("sh-base-netdiff", "baseline", of(r.unloaded, netDifference))
	r.Of("sh-base-sum-d", "baseline", of(r.unloaded, func(run reading) judge.Measured {
		sum := 0.0
		for _, stage := range burstStages {
			sum += run.class(trace.ClassUnder128, stage).MeanNs.Value / 1000
		}
		return value(sum, "means below 128 B")
	}))
}

// largest is the largest mean of a latency among the sizes below 128 B, in µs.
// The last size bin ends with 128 B itself: what the class below 128 B holds
// beside the bins before is the rest of it.
func largest(stage trace.Stage) func(reading) judge.Measured {
	return func(run reading) judge.Measured {
		all := run.class(trace.ClassUnder128, stage)
		us := all.MeanNs.Value / 1000
		count, sum := float64(all.Count), float64(float64(all.Count)*us)
		most, last := 0.0, int64(0)
		for _, b := range run.bins(stage) {
			if b.SizeHiBytes >= smallBytes {
				break
			}
			mean := b.MeanNs.Value / 1000
			most, last = max(most, mean), b.SizeHiBytes
			count, sum = count-float64(b.Count), sum-float64(float64(b.Count)*mean)
		}
		if count > 0 {
			most = max(most, sum/count)
		}
		return value(most, "bins up to %d B and the rest, %.1f µs over all below 128 B", last, us)
	}
}

// netDifference is Net less LANai of the size bin that is farthest from the
// middle of the published range, in µs.
func netDifference(run reading) judge.Measured {
	const middle = 3.5
	worst, least, most := middle, math.Inf(1), math.Inf(-1)
	for _, b := range run.bins(trace.NetMinusLANai) {
		v := b.MeanNs.Value / 1000
		if math.Abs(v-middle) > math.Abs(worst-middle) {
			worst = v
		}
		least, most = min(least, v), max(most, v)
	}
	if math.IsInf(least, 1) {
		run.Fail("the baseline has no Net less LANai")
	}
	return value(worst, "the outermost of all sizes: %.2f to %.2f µs", least, most)
}
