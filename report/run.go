package report

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// Run is what a report of one run shows.
type Run struct {
	Manifest  trace.Manifest
	Signature analysis.Signature
	Diagnosis analysis.Diagnosis
	// Operations is empty unless the run recorded them.
	Operations []analysis.Operation
}

// Of makes the report of a run directory, which carries its own baseline.
func Of(run trace.Run) Run {
	return Against(run, analysis.Of(run))
}

// Against makes the report of a run with a signature held against another
// baseline than the one the directory carries.
func Against(run trace.Run, s analysis.Signature) Run {
	var clock analysis.Clock
	if b := run.Manifest.Clock.MedianBoundNs; b != nil {
		clock.BoundNs = trace.Some(*b)
	}
	return Run{
		Manifest: run.Manifest, Signature: s, Diagnosis: analysis.Diagnose(s, clock),
		Operations: analysis.Operations(run.Spans, run.Stages),
	}
}

// rowKey is what the five latencies of one row have in common.
type rowKey struct {
	trace.Group
	trace.Sizes
	class            string
	sender, receiver int64
}

// row is the latencies of one group of packets.
type row struct {
	rowKey
	stats []trace.Stat
}

// count is the number of packets: that of the stage that recorded most.
func (r row) count() int64 {
	var n int64
	for _, s := range r.stats {
		n = max(n, s.Count)
	}
	return n
}

func (r row) stat(stage trace.Stage) (trace.Stat, bool) {
	for _, s := range r.stats {
		if s.Stage == stage {
			return s, true
		}
	}
	return trace.Stat{}, false
}

// gather puts the rows of a table that differ in the stage only together.
func gather[R any](rows []R, key func(R) rowKey, stat func(R) trace.Stat) []row {
	var out []row
	for _, r := range rows {
		k := key(r)
		if len(out) == 0 || out[len(out)-1].rowKey != k {
			out = append(out, row{rowKey: k})
		}
		last := &out[len(out)-1]
		last.stats = append(last.stats, stat(r))
	}
	return out
}

func bySize(s analysis.Signature) []row {
	return gather(s.Rows,
		func(r trace.SignatureRow) rowKey { return rowKey{Group: r.Group, Sizes: r.Sizes} },
		func(r trace.SignatureRow) trace.Stat { return r.Stat })
}

func byClass(s analysis.Signature) []row {
	return gather(s.Classes,
		func(r trace.ClassRow) rowKey { return rowKey{Group: r.Group, Sizes: r.Sizes, class: r.Class} },
		func(r trace.ClassRow) trace.Stat { return r.Stat })
}

// byPair leaves out the rows of single classes.
func byPair(s analysis.Signature) []row {
	var all []trace.PairRow
	for _, r := range s.Pairs {
		if r.Class == trace.AllSizes {
			all = append(all, r)
		}
	}
	return gather(all,
		func(r trace.PairRow) rowKey { return rowKey{Group: r.Group, sender: r.Sender, receiver: r.Receiver} },
		func(r trace.PairRow) trace.Stat { return r.Stat })
}

// ofTag picks the rows of all kinds and parts together.
func ofTag(rows []row, tag trace.Tag) []row {
	var out []row
	for _, r := range rows {
		if r.Tag == tag && r.Kind == trace.AllKinds && !r.First.OK {
			out = append(out, r)
		}
	}
	return out
}

// program names the program of a tag.
func (r Run) program(tag trace.Tag) string {
	for _, p := range r.Manifest.Tags {
		if p.Tag == tag {
			return p.Name
		}
	}
	return "no name"
}

func (r Run) title() string {
	m := r.Manifest
	return fmt.Sprintf("%s on %s, %d nodes, seed %d", m.Workload, m.Platform.Name, m.Nodes, m.Seed)
}

// facts are the lines under the title.
func (r Run) facts() []string {
	m := r.Manifest
	verdict := "Result verified"
	if !m.Verified {
		verdict = "RESULT NOT VERIFIED"
	}
	if m.Verification != "" {
		verdict += ": " + m.Verification
	}
	return []string{
		verdict + ".",
		fmt.Sprintf("Simulated time %s s, %s packets that carry a host request; %s.",
			strconv.FormatFloat(float64(m.SimulatedNs)/1e9, 'f', 6, 64), analysis.Digits(m.Packets), lost(m.Lost)),
		"Packets of the interfaces' own, in no row below: " + counts(m.FirmwarePackets) + ".",
		clockLine(m.Clock),
		fmt.Sprintf("sigview %s, platform digest %s.", m.ToolVersion, m.Platform.Digest),
	}
}

func clockLine(c trace.ClockQuality) string {
	if c.Estimator == "" {
		return "No global clock."
	}
	text := fmt.Sprintf("Global clock: %s, %d rounds, %d messages", c.Estimator, c.Rounds, c.Messages)
	for _, v := range []struct {
		name string
		ns   *float64
	}{{"typical error bound", c.MedianBoundNs}, {"99th percentile of the error", c.P99ErrorNs}, {"largest error", c.MaxErrorNs}} {
		if v.ns != nil {
			text += fmt.Sprintf(", %s %.2f µs", v.name, *v.ns/1000)
		}
	}
	return text + "."
}

// lost lists what a run lost, and says so when it lost nothing.
func lost(l trace.Lost) string {
	var parts []string
	for _, c := range []struct {
		n    int64
		text string
	}{
		{l.Dropped, "dropped"}, {l.Corrupted, "refused by the check sum"}, {l.Undetected, "corrupted and not noticed"},
		{l.Retransmitted, "sent again"}, {l.Resets, "forward resets"}, {l.Saturated, "counts lost to full counters"},
		{l.TopBin, "latencies in the top bin"}, {l.Negative, "negative latencies"}, {l.Oversize, "beyond the largest size bin"},
		{l.Unconverted, "without a global time"}, {l.NotRecorded, "not recorded"}, {l.TraceRecords, "trace records lost"},
		{l.Spans, "operations cut by the recording's begin or end"},
	} {
		if c.n != 0 {
			parts = append(parts, fmt.Sprintf("%s %s", analysis.Digits(c.n), c.text))
		}
	}
	if len(parts) == 0 {
		return "nothing lost, sent again or saturated"
	}
	return strings.Join(parts, ", ")
}

func counts(m map[string]int64) string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = name + " " + analysis.Digits(m[name])
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}
