package experiment

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/trace"
)

// collectTrace adds what a traced run has recorded of single packets and
// operations: their tables, what was lost of them, and the operations' times as
// HdrHistograms.
func collectTrace(c *cluster.Cluster, d collected, run *trace.Run) error {
	if d.spec.Trace == TraceNone {
		return nil
	}
	t := c.Trace()
	run.Packets, run.Spans, run.Stages = t.Packets, t.Spans, t.Stages
	m := &run.Manifest
	m.Lost.TraceRecords += int64(t.Lost)
	m.Lost.Unconverted += int64(t.Unconverted)
	m.Lost.Spans += int64(t.Open)
	m.Warnings = append(m.Warnings, "the run was traced: its times include what the trace cost, the baseline's do not")
	if t.Single > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf(
			"of %d packets only one end has a trace record: they were sent again, lost, on their way when recording began or ended, or the other record was lost", t.Single))
	}
	if !d.spec.Trace.Spans() {
		return nil
	}
	log, err := operationLog(run)
	if err != nil {
		return err
	}
	run.Extra = append(run.Extra, trace.Extra{Name: "operations.hlog", Data: log})
	return nil
}

// operationLog is the log of the times of operations and their stages.
func operationLog(run *trace.Run) ([]byte, error) {
	var b bytes.Buffer
	var intervals []histo.Interval
	add := func(label string, t analysis.Times) {
		intervals = append(intervals, histo.Interval{Tag: label, LengthNs: run.Manifest.SimulatedNs, Hist: histo.Values(t.Ns)})
	}
	for _, o := range analysis.Operations(run.Spans, run.Stages) {
		label := fmt.Sprintf("tag%d.%s", o.Tag, o.Operation)
		if o.Name != "" {
			label += "." + strings.Join(strings.FieldsFunc(o.Name, func(r rune) bool { return unicode.IsSpace(r) || r == ',' }), "_")
		}
		add(label, o.Duration)
		for _, s := range o.Stages {
			add(label+"."+s.Stage, s.Times)
		}
	}
	err := histo.WriteLog(&b, intervals, "sigview "+version.Tool(), "values are nanoseconds: operations, and what their stages take of them")
	return b.Bytes(), err
}

// missedPhases warns of phases that were to be recorded and that no program
// came to.
func missedPhases(c *cluster.Cluster, spec RunSpec) []string {
	var out []string
	for _, name := range spec.Phases {
		came := slices.ContainsFunc(c.Nodes, func(n *cluster.Node) bool { return n.Monitor.Came(name) })
		if !came {
			out = append(out, fmt.Sprintf("no program came to a phase %q, which was to be recorded", name))
		}
	}
	return out
}
