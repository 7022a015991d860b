package collect

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/trace"
)

// addLog adds an HdrHistogram log of intervals, each as long as the run, which leave out negative values. It returns
// an error if a tag or a comment is not fit for a log.
func addLog(run *trace.Run, name, comment string, intervals []histo.Interval, negative int64) error {
	for i := range intervals {
		intervals[i].LengthNs = run.Manifest.SimulatedNs
	}
	var b bytes.Buffer
	var about []string
	for _, l := range run.Manifest.Labels() {
		about = append(about, l.String())
	}
	about = append(about, comment)
	if negative > 0 {
		about = append(about, fmt.Sprintf("%s%d negative values, which only errors of clocks make", trace.LeftOut, negative))
	}
	if err := histo.WriteLog(&b, run.Manifest.Began, intervals, about...); err != nil {
		return err
	}
	run.Extra = append(run.Extra, trace.Extra{Name: name, Data: b.Bytes()})
	return nil
}

// latencies are the intervals of the packets' latencies, one for each program, kind and stage with packets, and how
// many negative ones they leave out. Values are in ns.
func latencies(s *histo.Snapshot) (out []histo.Interval, negative int64) {
	for _, l := range s.Latencies() {
		out = append(out, histo.Interval{Tag: l.Label(), Hist: l.Hist})
		if l.AllKinds {
			negative += int64(l.Underflow)
		}
	}
	return out, negative
}

// operations are the intervals of the operations' times and of their steps, in ns, and how many negative ones they
// leave out. A tag of a log has no space and no comma, so that names with them get underscores.
func operations(run *trace.Run) (out []histo.Interval, negative int64) {
	add := func(label string, t analysis.Times) {
		h, below := histo.Values(t.All())
		out, negative = append(out, histo.Interval{Tag: label, Hist: h}), negative+below
	}
	for _, o := range analysis.Operations(run.Spans, run.Steps) {
		label := fmt.Sprintf("tag%d.%s", o.Tag, o.Operation)
		if o.Name != "" {
			label += "." + strings.Join(strings.FieldsFunc(o.Name, func(r rune) bool { return unicode.IsSpace(r) || r == ',' }), "_")
		}
		add(label, o.Duration)
		for _, s := range o.Stages {
			add(label+"."+s.Stage, s.Times)
		}
	}
	return out, negative
}
