package collect

import (
	"fmt"
	"math"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/trace"
)

// Run makes the tables of a run directory. It returns an error if the temporary file of marks cannot be read,
// if the baseline cannot be had, or if a name is not fit for a log.
func Run(r Records) (*trace.Run, error) {
	run := &trace.Run{Manifest: r.Manifest, Clock: r.Clock, Online: r.Online, Ports: r.Ports, Pauses: r.Pauses, Flows: r.Flows}
	m := &run.Manifest
	m.SchemaVersion, m.ToolVersion = trace.SchemaVersion, version.Tool()
	r.programs(m)
	r.counts(m)
	m.Clock = r.clock()
	if r.Histograms == nil {
		// The fast model has no packets that could be recorded: that is no fault to warn of.
		if m.Detail == trace.DetailFast {
			return run, nil
		}
		m.Warnings = append(m.Warnings, "the monitor is not part of this firmware build: there is no signature")
		return run, nil
	}
	analysis.AddLosses(&m.Lost, r.Histograms.Losses())
	signature := analysis.Summarize(r.Histograms)
	m.Warnings = analysis.Join(m.Warnings, signature.Warnings)
	run.Histograms = analysis.Histograms(r.Histograms)
	list, negative := latencies(r.Histograms)
	if err := addLog(run, "latency.hlog", "values are nanoseconds, middles of the interface's bins", list, negative); err != nil {
		return nil, err
	}
	if err := r.traced(run); err != nil {
		return nil, err
	}
	if r.Refine != nil {
		r.Refine(&signature)
	}
	signature.Exact(run.Packets)
	// A baseline may cost runs of its own, and is asked for only if there is something to compare.
	if r.Baseline != nil && len(signature.Rows) > 0 {
		base, err := r.Baseline()
		if err != nil {
			return nil, err
		}
		signature = signature.Against(base)
	}
	signature.Store(run)
	return run, nil
}

// programs enters the result of each program. The run is verified if all are right.
func (r *Records) programs(m *trace.Manifest) {
	m.Verified = true
	for i, p := range r.Programs {
		how := p.How
		if p.Wrong != nil {
			how = p.Wrong.Error()
			m.Verified = false
		}
		m.Tags = append(m.Tags, trace.Program{
			Tag: trace.Tag(i), Name: p.Name, RunTimeNs: p.TookNs, Verified: p.Wrong == nil, Verification: how,
		})
		m.Shares = append(m.Shares, p.Shares...)
		if i > 0 {
			m.Verification += "; "
		}
		// One program needs no name.
		if len(r.Programs) > 1 {
			m.Verification += p.Name + ": "
		}
		m.Verification += how
	}
}

// counts adds up the packets of all nodes.
func (r *Records) counts(m *trace.Manifest) {
	m.FirmwarePackets = map[string]int64{}
	for _, n := range r.Nodes {
		m.Packets += int64(n.Packets)
		m.Lost.Retransmitted += int64(n.Retransmitted)
		m.Lost.Corrupted += int64(n.Corrupted)
		m.Lost.Dropped += int64(n.Dropped)
		m.Lost.Unconverted += int64(n.Unconverted)
		m.Lost.NotRecorded += int64(n.NotRecorded)
		for kind, sent := range n.Firmware {
			m.FirmwarePackets[kind.String()] += int64(sent)
		}
	}
}

// clock returns the part of the nodes' conversions to global time whose error is within the bound, and the
// largest error of all, rounded to ns. Both are absent without conversions. Messages and rounds are sums over
// the nodes.
func (r *Records) clock() trace.ClockQuality {
	q := trace.ClockQuality{Estimator: r.Estimator}
	var total, covered uint64
	worst := 0.0
	for _, n := range r.Nodes {
		total += n.Clock.Conversions
		covered += n.Clock.Covered
		worst = max(worst, n.Clock.WorstNs)
		q.Messages += int64(n.Clock.Messages)
		q.Rounds += int64(n.Clock.Rounds)
	}
	if total > 0 {
		// Without conversions both stay absent: 0 would say that none is covered.
		coverage := float64(covered) / float64(total)
		maxNs := math.Round(worst)
		q.BoundCoverage, q.MaxErrorNs = &coverage, &maxNs
	}
	return q
}

// traced adds the records of single packets and operations of a traced run: their
// tables, the number of lost records, and the operations' times as a log.
func (r *Records) traced(run *trace.Run) error {
	if r.Packets == nil && r.Bins == nil && r.Marks == nil {
		return nil
	}
	var logs []trace.Log
	for _, n := range r.Nodes {
		logs = append(logs, n.Log)
	}
	t, err := trace.Combine(r.Packets, r.Marks, logs)
	if err != nil {
		return err
	}
	run.Packets, run.Broken, run.Gaps, run.Spans, run.Steps = t.Packets, t.Broken, t.Gaps, t.Spans, t.Steps
	if r.Bins != nil {
		run.Fine = r.Bins.Rows()
	}
	m := &run.Manifest
	m.Lost.TraceRecords += int64(t.Lost)
	m.Lost.Spans += int64(t.Open)
	if !m.Real() { // whose messages are stamped in any case
		m.Warnings = append(m.Warnings, "the run was traced: its times include the cost of the trace, the baseline's do not")
	}
	if t.Single > 0 && !m.Captured() {
		m.Warnings = append(m.Warnings, fmt.Sprintf(
			"of %d packets only one end has a trace record: they were sent again, lost, on their way when recording began or ended, or the other record was lost", t.Single))
	}
	if r.Marks == nil {
		return nil
	}
	list, negative := operations(run)
	return addLog(run, "operations.hlog", "values are nanoseconds: operations and their steps", list, negative)
}
