package experiment

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// collected is what a finished run knows beside its cluster.
type collected struct {
	spec         RunSpec
	profile      *platform.Profile
	nodes        int
	programs     []finished // by tag
	began, ended sim.Time
	clock        []trace.ClockRow
	underWay     bool // the programs have not ended
}

// finished is a program that has run.
type finished struct {
	name string
	outcome
}

// verified reports whether all results are right, and says how they were
// checked or what is wrong.
func (d *collected) verified() (bool, string) {
	ok, how := true, ""
	for i, p := range d.programs {
		if i > 0 {
			how += "; "
		}
		if len(d.programs) > 1 {
			how += p.name + ": "
		}
		how += p.verification()
		ok = ok && p.wrong == nil
	}
	return ok, how
}

func (o *outcome) verification() string {
	if o.wrong != nil {
		return o.wrong.Error()
	}
	return o.how
}

// collect reads the interfaces out and makes the tables of a run directory,
// the signature without its baseline.
func collect(c *cluster.Cluster, d collected) (*trace.Run, error) {
	text, err := json.Marshal(d.spec)
	if err != nil {
		return nil, err
	}
	run := &trace.Run{Clock: d.clock}
	run.Manifest = trace.Manifest{
		SchemaVersion: trace.SchemaVersion,
		ToolVersion:   version.Tool(),
		Seed:          d.spec.Seed,
		Workload:      d.spec.Workload,
		Platform:      trace.Platform{Name: d.profile.Name, Digest: d.profile.Digest()},
		Nodes:         d.nodes,
		Spec:          text,
		SimulatedNs:   int64(d.ended.Sub(d.began) / sim.Nanosecond),
		EventDigest:   fmt.Sprintf("%016x", c.Engine.Digest()),
	}
	m := &run.Manifest
	m.Verified, m.Verification = d.verified()
	for i, p := range d.programs {
		tag := trace.Tag(i)
		m.Tags = append(m.Tags, trace.Program{
			Tag: tag, Name: p.name, RunTimeNs: int64(p.took / sim.Nanosecond),
			Verified: p.wrong == nil, Verification: p.verification(),
		})
		for node, s := range p.shares {
			m.Shares = append(m.Shares, shares(tag, node, s))
		}
	}
	countPackets(c, m)
	m.Warnings = append(m.Warnings, missedPhases(c, d.spec)...)
	m.Clock = clockQuality(c, d.spec)
	read := c.Histograms
	if d.underWay {
		read = c.Peek
	}
	merged, err := read()
	if err != nil {
		return nil, err
	}
	if merged == nil {
		m.Warnings = append(m.Warnings, "the monitor is not part of this firmware build: there is no signature")
		return run, nil
	}
	analysis.AddLosses(&m.Lost, merged.Losses())
	signature, err := analysis.Summarize(merged)
	if err != nil {
		return nil, err
	}
	signature.Store(run)
	run.Histograms = analysis.Histograms(merged)
	log, err := hlog(merged, d)
	if err != nil {
		return nil, err
	}
	run.Extra = append(run.Extra, trace.Extra{Name: "latency.hlog", Data: log})
	return run, collectTrace(c, d, run)
}

func hlog(s *histo.Snapshot, d collected) ([]byte, error) {
	var b bytes.Buffer
	var intervals []histo.Interval
	for _, l := range s.Latencies() {
		intervals = append(intervals, histo.Interval{
			Tag: l.Label(), LengthNs: int64(d.ended.Sub(d.began) / sim.Nanosecond), Hist: l.Hist,
		})
	}
	err := histo.WriteLog(&b, intervals, "sigview "+version.Tool(), "values are nanoseconds, middles of the interface's bins")
	return b.Bytes(), err
}

// shares converts where a node's time has gone. Rounding to nanoseconds is
// settled in the largest share, so that they sum to the run time.
func shares(tag trace.Tag, node int, s host.Shares) trace.Shares {
	ns := func(c ...host.Category) int64 {
		var sum sim.Duration
		for _, k := range c {
			sum += s.Time[k]
		}
		return int64(sum / sim.Nanosecond)
	}
	out := trace.Shares{
		Tag: tag, Node: node, RunTimeNs: int64(s.Elapsed / sim.Nanosecond),
		ComputingNs: ns(host.Computing), PageWaitNs: ns(host.PageWait),
		LockNs: ns(host.LockWait), BarrierNs: ns(host.BarrierWait),
		MessagingNs: ns(host.Messaging), MessageWaitNs: ns(host.MessageWait), ServiceNs: ns(host.Service),
		DescheduledNs: ns(host.Descheduled), MonitorNs: ns(host.Monitor),
	}
	out.ComputingNs += out.RunTimeNs - out.Sum()
	return out
}

// countPackets takes the counts of the fabric and of all control programs.
func countPackets(c *cluster.Cluster, m *trace.Manifest) {
	net := c.Net.Stats()
	m.Lost.Dropped = int64(net.Dropped + net.ResetLost)
	m.Lost.Undetected = int64(net.Undetected)
	m.Lost.Resets = int64(net.Resets)
	m.FirmwarePackets = map[string]int64{}
	for _, n := range c.Nodes {
		s := n.VMMC.Stats()
		m.Packets += int64(s.Packets)
		m.FirmwarePackets[trace.Ack.String()] += int64(s.Acks)
		m.FirmwarePackets[trace.Nack.String()] += int64(s.Nacks)
		m.Lost.Retransmitted += int64(s.Retransmitted)
		m.Lost.Corrupted += int64(s.Corrupt)
		m.Lost.Dropped += int64(n.NIC.Stats().Flushed)
		if n.Monitor == nil {
			continue
		}
		m.Lost.Unconverted += int64(n.Monitor.Stats().Unanchored)
		if k := n.Monitor.Clock(); k != nil {
			sent := k.Stats().Sent
			m.FirmwarePackets[trace.ClockQuery.String()] += int64(sent[trace.ClockQuery])
			m.FirmwarePackets[trace.ClockReply.String()] += int64(sent[trace.ClockReply])
			m.FirmwarePackets[trace.ClockTable.String()] += int64(sent[trace.ClockTable])
		}
	}
}

// clockQuality sums up how Net as measured differs from what it really was.
func clockQuality(c *cluster.Cluster, spec RunSpec) trace.ClockQuality {
	q := trace.ClockQuality{Estimator: string(spec.Clock.Estimator)}
	var total, covered uint64
	var worst sim.Duration
	for _, n := range c.Nodes {
		if n.Monitor == nil {
			continue
		}
		t := n.Monitor.Stats().Truth
		total += t.Conversions
		covered += t.Covered
		worst = max(worst, t.ErrorMax)
		if k := n.Monitor.Clock(); k != nil {
			for _, sent := range k.Stats().Sent {
				q.Messages += int64(sent)
			}
			q.Rounds += int64(k.Rounds())
		}
	}
	if total > 0 {
		coverage := float64(covered) / float64(total)
		maxNs := math.Round(float64(worst) / float64(sim.Nanosecond))
		q.BoundCoverage, q.MaxErrorNs = &coverage, &maxNs
	}
	return q
}
