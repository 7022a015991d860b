package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/trace"
)

// Mean returns the mean of runs of one specification with several seeds, in the form of a
// run: means of the runs' means, with Student's interval over the runs. Counts are those
// of one run on average, losses those of all. It has no trace and no percentiles. A row
// that some runs lack says so. There has to be a run. The error names the field in which
// two runs differ by more than the seed and the errors of the clock.
func Mean(runs []trace.Run) (trace.Run, error) {
	var manifests []trace.Manifest
	var signatures []Signature
	for _, r := range runs {
		manifests, signatures = append(manifests, r.Manifest), append(signatures, Of(r))
	}
	signature, err := MeanSignature(manifests, signatures)
	if err != nil {
		return trace.Run{}, err
	}
	out := trace.Run{Manifest: meanManifest(runs), Clock: runs[0].Clock}
	signature.Store(&out)
	bins := map[trace.HistogramRow]int{}
	for _, r := range runs {
		for _, h := range r.Histograms {
			key := h
			key.Count = 0
			at, ok := bins[key]
			if !ok {
				at, bins[key] = len(out.Histograms), len(out.Histograms)
				out.Histograms = append(out.Histograms, key)
			}
			out.Histograms[at].Count += h.Count
		}
	}
	return out, nil
}

// MeanSignature is Mean for the signatures of runs with these manifests.
func MeanSignature(of []trace.Manifest, all []Signature) (out Signature, err error) {
	for _, m := range of[1:] {
		for _, d := range Differs(of[0], m) {
			if d.Field != "seeds" && !strings.HasPrefix(d.Field, "clock.") {
				return out, fmt.Errorf("runs with seeds %d and %d differ in %v", of[0].Seed, m.Seed, d)
			}
		}
	}
	out.Real = of[0].Real()
	for _, s := range all {
		out.Warnings = Join(out.Warnings, s.Warnings)
	}
	out.Rows = meanRows(all, func(s Signature) []trace.SignatureRow { return s.Rows }, func(r *trace.SignatureRow) *trace.Stat { return &r.Stat })
	out.Classes = meanRows(all, func(s Signature) []trace.ClassRow { return s.Classes }, func(r *trace.ClassRow) *trace.Stat { return &r.Stat })
	out.Pairs = meanRows(all, func(s Signature) []trace.PairRow { return s.Pairs }, func(r *trace.PairRow) *trace.Stat { return &r.Stat })
	out.Sequences = meanRows(all, func(s Signature) []trace.SequenceRow { return s.Sequences }, func(r *trace.SequenceRow) *trace.Stat { return &r.Stat })
	return out, nil
}

// meanRows merges the rows of the same packets and stage.
func meanRows[R comparable](runs []Signature, rows func(Signature) []R, stat func(*R) *trace.Stat) []R {
	stats := map[R][]trace.Stat{}
	var order []R
	for _, run := range runs {
		for _, r := range rows(run) {
			s := *stat(&r)
			*stat(&r) = trace.Stat{Stage: s.Stage}
			if stats[r] == nil {
				order = append(order, r)
			}
			stats[r] = append(stats[r], s)
		}
	}
	for i, r := range order {
		*stat(&order[i]) = meanStat(stats[r], len(runs))
	}
	return order
}

// meanStat returns the mean over runs of what each says of the same packets.
func meanStat(all []trace.Stat, runs int) trace.Stat {
	const why = "of several runs"
	s := trace.Stat{Stage: all[0].Stage}
	s.P50, s.P90, s.P99 = trace.NoPercentile(why), trace.NoPercentile(why), trace.NoPercentile(why)
	s.BaselineFrom, s.BaselineNote, s.Note = all[0].BaselineFrom, all[0].BaselineNote, all[0].Note
	var packets int64
	for _, x := range all {
		packets += x.Count
	}
	s.Count = packets / int64(runs)
	s.Weak = s.Count < weakCount
	mean := over(all, func(x trace.Stat) trace.Opt[float64] { return x.MeanNs })
	if s.MeanNs = mean.opt(); !s.MeanNs.OK {
		return s
	}
	if len(all) < runs {
		s.Note = note(s.Note, fmt.Sprintf("in %d of %d runs", len(all), runs))
	}
	if mean.df > 0 {
		setError(&s, mean.se, mean.df)
	}
	s.BaselineNs = over(all, func(x trace.Stat) trace.Opt[float64] { return x.BaselineNs }).opt()
	s.BySizeNs = over(all, func(x trace.Stat) trace.Opt[float64] { return x.BySizeNs }).opt()
	deviation := over(all, func(x trace.Stat) trace.Opt[float64] { return x.DeviationNs })
	s.DeviationNs = deviation.opt()
	if lo, hi, ok := deviation.interval(); ok {
		s.DeviationCILoNs, s.DeviationCIHiNs = trace.Some(lo), trace.Some(hi)
	}
	return s
}

// meanManifest returns the manifest of several runs: that of the first, with means of
// times and packets, sums of losses, and the largest errors of the clock.
func meanManifest(runs []trace.Run) trace.Manifest {
	m := runs[0].Manifest
	n := int64(len(runs))
	mean := func(of func(trace.Manifest) int64) int64 {
		var sum int64
		for _, r := range runs {
			sum += of(r.Manifest)
		}
		return sum / n
	}
	m.Seeds, m.EventDigest, m.Files, m.Warnings, m.Sampled = nil, "", nil, nil, nil
	m.Lost, m.Verified = trace.Lost{}, true
	for _, r := range runs {
		m.Seeds = append(m.Seeds, r.Manifest.Seed)
		m.Lost = m.Lost.Plus(r.Manifest.Lost)
		if !r.Manifest.Verified && m.Verified {
			m.Verified, m.Verification = false, fmt.Sprintf("seed %d: %s", r.Manifest.Seed, r.Manifest.Verification)
		}
	}
	m.SimulatedNs = mean(func(m trace.Manifest) int64 { return m.SimulatedNs })
	m.Packets = mean(func(m trace.Manifest) int64 { return m.Packets })
	m.FirmwarePackets = map[string]int64{}
	for kind := range runs[0].Manifest.FirmwarePackets {
		m.FirmwarePackets[kind] = mean(func(m trace.Manifest) int64 { return m.FirmwarePackets[kind] })
	}
	m.Tags = slices.Clone(m.Tags)
	for i := range m.Tags {
		m.Tags[i].RunTimeNs = mean(func(m trace.Manifest) int64 { return m.Tags[i].RunTimeNs })
	}
	m.Shares = slices.Clone(m.Shares)
	for i := range m.Shares {
		m.Shares[i].RunTimeNs = mean(func(m trace.Manifest) int64 { return m.Shares[i].RunTimeNs })
		for _, p := range runTimeParts {
			*p.ns(&m.Shares[i]) = mean(func(m trace.Manifest) int64 { return *p.ns(&m.Shares[i]) })
		}
	}
	m.Clock = meanClock(runs)
	return m
}

func meanClock(runs []trace.Run) trace.ClockQuality {
	c := runs[0].Manifest.Clock
	for _, r := range runs[1:] {
		o := r.Manifest.Clock
		for _, v := range []struct {
			to   **float64
			from *float64
			most bool
		}{
			{&c.MaxErrorNs, o.MaxErrorNs, true}, {&c.P99ErrorNs, o.P99ErrorNs, true}, {&c.MedianBoundNs, o.MedianBoundNs, true},
			{&c.BoundCoverage, o.BoundCoverage, false},
		} {
			if *v.to != nil && v.from != nil && cmp.Compare(*v.from, **v.to) > 0 == v.most {
				*v.to = v.from
			}
		}
	}
	return c
}
