package analysis

import "github.com/sigview/sigview/trace"

// Pool adds latencies of more packets to a list, weighted by their counts. The first
// call takes an empty list. Intervals are averaged as if all errors had the same sign,
// so that they are rather too wide than too narrow. Percentiles and variances cannot be
// pooled and stay empty. A pooled mean is weak when all its parts are weak and their
// packets together are few.
func Pool(to, from []trace.Stat) []trace.Stat {
	for _, s := range from {
		i := 0
		for i < len(to) && to[i].Stage != s.Stage {
			i++
		}
		if i == len(to) {
			to = append(to, trace.Stat{Stage: s.Stage, Judged: trace.Judged{Weak: s.Weak}})
		}
		if t := &to[i]; s.Count > 0 {
			weak := t.Weak && s.Weak || t.Count == 0 && s.Weak
			pool(t, s)
			t.Weak = weak && t.Count < weakCount
		}
	}
	return to
}

func pool(t *trace.Stat, s trace.Stat) {
	first := t.Count == 0
	if first || t.BaselineFrom == s.BaselineFrom {
		t.BaselineFrom = s.BaselineFrom
	} else {
		t.BaselineFrom = trace.BaselineMixed
	}
	t.Count += s.Count
	w := float64(s.Count) / float64(t.Count)
	for _, v := range []struct {
		to   *trace.Opt[float64]
		from trace.Opt[float64]
	}{
		{&t.MeanNs, s.MeanNs}, {&t.BaselineNs, s.BaselineNs}, {&t.BySizeNs, s.BySizeNs}, {&t.DeviationNs, s.DeviationNs},
		{&t.CILoNs, s.CILoNs}, {&t.CIHiNs, s.CIHiNs},
		{&t.DeviationCILoNs, s.DeviationCILoNs}, {&t.DeviationCIHiNs, s.DeviationCIHiNs},
	} {
		switch {
		case first:
			*v.to = v.from
		case !v.to.OK || !v.from.OK:
			*v.to = trace.Opt[float64]{}
		default:
			v.to.Value = float64(v.to.Value*(1-w)) + float64(v.from.Value*w)
		}
	}
}
