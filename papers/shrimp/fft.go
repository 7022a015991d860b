package shrimp

import (
	"context"
	"fmt"
	"math"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/fft"
)

// baseline holds the rows of unloaded latencies.
func (r *rows) baseline() {
	r.Of("sh-base-src", "baseline", judge.Read(r.unloaded, func(run *trace.Run) (judge.Measured, error) { return largest(run, trace.Source) }))
	r.Of("sh-base-dest", "baseline", judge.Read(r.unloaded, func(run *trace.Run) (judge.Measured, error) { return largest(run, trace.Dest) }))
	r.Of("sh-base-netdiff", "baseline", judge.Read(r.unloaded, netDifference))
	r.Of("sh-base-sum-d", "baseline", judge.Read(r.unloaded, func(run *trace.Run) (judge.Measured, error) {
		sum := 0.0
		for _, stage := range []trace.Stage{trace.Source, trace.NetMinusLANai, trace.Dest} {
			c, ok := class(run, trace.ClassUnder128, stage)
			if !ok {
				return judge.Measured{}, fmt.Errorf("no %v of short packets", stage)
			}
			sum += c.MeanNs.Value / 1000
		}
		return value(sum, "means below 128 B"), nil
	}))
}

// largest is the largest mean of the sizes below 128 B, in µs. The last size
// bin ends with 128 B itself: what the class below 128 B holds beside the bins
// before is the rest of it.
func largest(run *trace.Run, stage trace.Stage) (judge.Measured, error) {
	all, ok := class(run, trace.ClassUnder128, stage)
	if !ok {
		return judge.Measured{}, fmt.Errorf("no %v of short packets", stage)
	}
	count, sum := float64(all.Count), float64(float64(all.Count)*all.MeanNs.Value/1000)
	most, at, last := 0.0, trace.Sizes{}, int64(0)
	take := func(us float64, sizes trace.Sizes) {
		if us > most {
			most, at = us, sizes
		}
	}
	for _, b := range sizeBins(run, stage) {
		if b.SizeHiBytes >= smallBytes {
			break
		}
		take(b.MeanNs.Value/1000, b.Sizes)
		count, sum = count-float64(b.Count), sum-float64(float64(b.Count)*b.MeanNs.Value/1000)
		last = b.SizeHiBytes
	}
	if count > 0 {
		take(sum/count, trace.Sizes{SizeLoBytes: last, SizeHiBytes: smallBytes - 1})
	}
	return value(most, "in (%d,%d] B, %.1f µs over all below 128 B", at.SizeLoBytes, at.SizeHiBytes, all.MeanNs.Value/1000), nil
}

// netDifference is Net less LANai of the size bin that is farthest from the
// middle of the published range, in µs.
func netDifference(run *trace.Run) (judge.Measured, error) {
	const middle = 3.5
	worst, least, most := 0.0, math.Inf(1), math.Inf(-1)
	for i, b := range sizeBins(run, trace.NetMinusLANai) {
		v := b.MeanNs.Value / 1000
		if i == 0 || math.Abs(v-middle) > math.Abs(worst-middle) {
			worst = v
		}
		least, most = min(least, v), max(most, v)
	}
	if math.IsInf(least, 1) {
		return judge.Measured{}, fmt.Errorf("the baseline has no Net less LANai")
	}
	return value(worst, "the outermost of all sizes: %.2f to %.2f µs", least, most), nil
}

// transform holds the rows of the FFT.
func (r *rows) transform() {
	r.Of("sh-fft-n", "fft", judge.Read(r.fft, func(run *trace.Run) (judge.Measured, error) {
		if !run.Manifest.Verified {
			return judge.Measured{}, fmt.Errorf("the FFT's result is wrong: %s", run.Manifest.Verification)
		}
		return value(float64(fft.DefaultPoints)/1024, "%s", run.Manifest.Verification), nil
	}))
	r.Versus("sh-fft-pattern", "fft beside its baseline", judge.Read(r.fft, together),
		"fft with lanai and ports free for Net less LANai, slots, hdma and lanai for Source, hdma and pci for Dest", r.relieved())
	r.Versus("sh-sig", "fft's signature", judge.Read(r.fft, signature), "firmware without a monitor", func(ctx context.Context) (judge.Measured, error) {
		spec := experiment.DefaultRun("fft")
		spec.Seed, spec.Size, spec.Monitor = r.seed, 1<<14, experiment.BuildOff
		run, err := experiment.Run(ctx, spec, nil)
		if err != nil {
			return judge.Measured{}, err
		}
		return signature(run)
	})
	r.Versus("sh-lim-avg", "fft: packets near their mean", judge.Read(r.fft, misleading), "baseline", judge.Read(r.unloaded, misleading))
}

// raisedShare is from which share of the baseline a stage counts as clearly
// above it.
const raisedShare = 0.25

// raised tells whether the mean of short packets is above baseline by at least
// a quarter and three times its confidence interval, and how far.
func raised(run *trace.Run, stage trace.Stage) (up bool, text string, err error) {
	c, ok := class(run, trace.ClassUnder128, stage)
	if !ok || !c.DeviationNs.OK || !c.DeviationCILoNs.OK {
		return false, "", fmt.Errorf("no deviation of %v for short packets", stage)
	}
	half := (c.DeviationCIHiNs.Value - c.DeviationCILoNs.Value) / 2
	d, base := c.DeviationNs.Value, c.BaselineNs.Value
	return d >= raisedShare*base && d >= 3*half,
		fmt.Sprintf("%v %+.0f %% (%+.2f ± %.2f µs)", stage, 100*d/base, d/1000, half/1000), nil
}

var burstStages = []trace.Stage{trace.Source, trace.Dest, trace.NetMinusLANai}

// together tells whether Source, Dest and Net less LANai of short packets all
// rise at once.
func together(run *trace.Run) (judge.Measured, error) {
	all, text := true, ""
	for _, stage := range burstStages {
		up, words, err := raised(run, stage)
		if err != nil {
			return judge.Measured{}, err
		}
		all = all && up
		text += ", " + words
	}
	return holds(all, "below 128 B%s", text), nil
}

// relieved tells whether any stage is still above its baseline when what it
// waits for has no limit.
func (r *rows) relieved() judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		left, text := false, ""
		for _, x := range []struct {
			stage trace.Stage
			get   func(context.Context) (*trace.Run, error)
		}{{trace.Source, r.fftSource}, {trace.Dest, r.fftDest}, {trace.NetMinusLANai, r.fftNet}} {
			run, err := x.get(ctx)
			if err != nil {
				return judge.Measured{}, err
			}
			up, words, err := raised(run, x.stage)
			if err != nil {
				return judge.Measured{}, err
			}
			left = left || up
			text += ", " + words
		}
		return holds(left, "below 128 B%s", text), nil
	}
}

// signature tells whether a run has what a performance signature consists of:
// for each packet size the number of packets and the mean of each latency, and
// the same by sender, receiver and kind, all of the same packets.
func signature(run *trace.Run) (judge.Measured, error) {
	var bySize, byPair, byKind int64
	bins := 0
	for stage := range trace.NumStages {
		for _, b := range sizeBins(run, stage) {
			if !b.MeanNs.OK {
				return holds(false, "no mean of %v in (%d,%d] B", stage, b.SizeLoBytes, b.SizeHiBytes), nil
			}
			bySize += b.Count
			bins++
		}
	}
	for _, p := range run.Pairs {
		if p.Class == trace.AllSizes && p.Stage < trace.NumStages && p.Kind == trace.AllKinds {
			byPair += p.Count
		}
	}
	for _, c := range run.Classes {
		if c.Kind != trace.AllKinds && !c.First.OK && c.Stage < trace.NumStages {
			byKind += c.Count
		}
	}
	want := int64(trace.NumStages) * run.Manifest.Packets
	return holds(bySize == want && byPair == want && byKind == want && bins > 0,
		"%d packets: %d latencies by size in %d means, %d by sender and receiver, %d by kind", run.Manifest.Packets, bySize, bins, byPair, byKind), nil
}

// nearShare is how close a latency has to be to the mean to be like it.
const nearShare = 0.2

// misleading tells whether there is a latency of short packets whose mean is
// that of few of them: less than a quarter lies within a fifth of it.
func misleading(run *trace.Run) (judge.Measured, error) {
	least, at := math.Inf(1), trace.Stage(0)
	for stage := range trace.NumStages {
		c, ok := class(run, trace.ClassUnder128, stage)
		if !ok {
			return judge.Measured{}, fmt.Errorf("no short packets")
		}
		lo, hi := (1-nearShare)*c.MeanNs.Value, (1+nearShare)*c.MeanNs.Value
		near, all := 0.0, 0.0
		for _, h := range run.Histograms {
			if h.Stage != stage || h.Kind != trace.AllKinds || h.SizeHiBytes > smallBytes {
				continue
			}
			all += float64(h.Count)
			if h.LatencyHiNs.OK && float64(h.LatencyHiNs.Value) > lo && float64(h.LatencyLoNs) < hi {
				near += float64(h.Count)
			}
		}
		if all > 0 && near/all < least {
			least, at = near/all, stage
		}
	}
	return holds(least < 0.25, "%v below 128 B: %.0f %% of packets within a fifth of the mean", at, 100*least), nil
}
