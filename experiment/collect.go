package experiment

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/collect"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/histo"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// collected is what is known of a run beside the state of its cluster.
type collected struct {
	spec         RunSpec
	profile      *platform.Profile
	nodes        int
	programs     []finished // by tag
	began, ended sim.Time
	clock        []trace.ClockRow
	finders      []finder                          // by tag, and behind them those of all programs
	underWay     bool                              // the programs still run
	costs        *costs                            // of a fast or sampled run
	sampling     *sampling                         // of a sampled run
	baseline     func() (analysis.Baseline, error) // with which the signature is compared; nil: none
}

// finished is a program that has run.
type finished struct {
	name string
	outcome
}

// tables makes the tables of a run directory.
func (d *collected) tables(c *cluster.Cluster) (*trace.Run, error) {
	r, err := d.records(c)
	if err != nil {
		return nil, err
	}
	profile, err := d.profile.Document()
	if err != nil {
		return nil, err
	}
	run, err := collect.Run(r)
	if err == nil {
		run.Extra = append(run.Extra, trace.Extra{Name: trace.PlatformFile, Data: profile})
	}
	if err != nil || d.costs == nil {
		return run, err
	}
	doc, err := d.costs.document()
	run.Extra = append(run.Extra, doc)
	return run, err
}

// addWaits ends the log of waiting, if there is one, and adds its tables.
func addWaits(run *trace.Run, c *cluster.Cluster) error {
	log := c.Waits()
	if log == nil {
		return nil
	}
	a, err := account.Resolve(log)
	if err != nil {
		return fmt.Errorf("the log of waiting: %w", err)
	}
	run.Actors, run.Waits = a.ActorRows(), a.WaitRows()
	if a.Lines() {
		run.Holds = a.HoldRows()
	}
	return nil
}

// records gathers what the nodes of a cluster hold.
func (d *collected) records(c *cluster.Cluster) (r collect.Records, err error) {
	text, err := json.Marshal(d.spec)
	if err != nil {
		return r, err
	}
	at, err := d.profile.At(d.spec.Layer)
	if err != nil {
		return r, err
	}
	warnings := missedPhases(c, d.spec)
	lender := d.profile.Borrowed[at.Layer]
	if d.costs != nil {
		warnings = append(warnings, d.costs.warning(at, d.spec))
	}
	if lender != "" {
		warnings = append(warnings, fmt.Sprintf("layer %s is borrowed: its costs are those of platform %s", at.Layer, lender))
	}
	if d.spec.Only.Any() {
		warnings = append(warnings, fmt.Sprintf("the trace holds selected packets only: %v", d.spec.Only))
	}
	for _, p := range d.programs {
		if p.note != "" {
			warnings = append(warnings, p.note)
		}
	}
	net := c.Net.Stats()
	r = collect.Records{
		Baseline: d.baseline,
		Manifest: trace.Manifest{
			Seed:        d.spec.Seed,
			Workload:    d.spec.Workload,
			Platform:    trace.Platform{Name: d.profile.Name, Digest: d.profile.Digest(), Borrowed: lender},
			Detail:      d.detail(),
			Nodes:       d.nodes,
			Spec:        text,
			SimulatedNs: int64(d.ended.Sub(d.began) / sim.Nanosecond),
			EventDigest: fmt.Sprintf("%016x", c.Engine.Digest()),
			Events:      int64(c.Engine.Events()),
			Lost:        trace.Lost{Dropped: int64(net.Dropped + net.ResetLost), Undetected: int64(net.Undetected), Resets: int64(net.Resets)},
			Warnings:    warnings,
		},
		Estimator: string(d.spec.Clock.Estimator), Clock: d.clock,
		Marks: c.Marks,
	}
	if !d.underWay {
		r.Packets, r.Bins = c.Traced(), c.Bins
	}
	for tag, p := range d.programs {
		out := collect.Program{Name: p.name, TookNs: int64(p.took / sim.Nanosecond), How: p.how, Wrong: p.wrong}
		for node, s := range p.shares {
			out.Shares = append(out.Shares, shares(trace.Tag(tag), node, s))
		}
		r.Programs = append(r.Programs, out)
	}
	r.Online = d.online(c)
	if r.Histograms, err = d.histograms(c); err != nil {
		return r, err
	}
	for _, n := range c.Nodes {
		r.Nodes = append(r.Nodes, nodeRecords(n))
	}
	congestion(&r, c)
	if d.sampling != nil {
		err = d.sampling.enter(&r)
	}
	return r, err
}

// detail is that of the manifest.
func (d *collected) detail() string {
	switch {
	case d.spec.Detail == DetailFast:
		return trace.DetailFast
	case d.sampling != nil && d.sampling.places != nil:
		return trace.DetailSampled
	}
	return ""
}

// nodeRecords gathers what one node has counted and recorded.
func nodeRecords(n *cluster.Node) collect.Node {
	s := n.Layer.Traffic()
	out := collect.Node{
		Packets: s.Packets, Retransmitted: s.Repeated, Corrupted: s.Damaged,
		Firmware: map[trace.Kind]uint64{trace.Ack: s.Acks, trace.Nack: s.Nacks},
	}
	if n.NIC != nil {
		out.Dropped = n.NIC.Stats().Flushed
	}
	m := n.Monitor
	if m == nil {
		return out
	}
	stats := m.Stats()
	out.Unconverted, out.NotRecorded, out.Log = stats.Unanchored, stats.Lost, m.Log()
	out.Clock.Conversions, out.Clock.Covered = stats.Truth.Conversions, stats.Truth.Covered
	out.Clock.WorstNs = float64(stats.Truth.ErrorMax) / float64(sim.Nanosecond)
	if k := m.Clock(); k != nil {
		sent := k.Stats().Sent
		for kind, packets := range sent {
			out.Clock.Messages += packets
			if k.Serves(trace.Kind(kind)) {
				out.Firmware[trace.Kind(kind)] = packets
			}
		}
		out.Clock.Rounds = k.Rounds()
	}
	return out
}

// histograms reads the histograms of all interfaces. It ends recording unless the
// programs still run.
func (d *collected) histograms(c *cluster.Cluster) (*histo.Snapshot, error) {
	if d.underWay {
		return c.Peek()
	}
	return c.Histograms()
}

// shares converts the shares of a node's run time to nanoseconds. The largest share
// takes the rounding error, so that they sum to the run time.
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

// missedPhases warns of phases to be recorded that no program has reached.
func missedPhases(c *cluster.Cluster, spec RunSpec) []string {
	var out []string
	for _, name := range spec.Phases {
		reached := slices.ContainsFunc(c.Nodes, func(n *cluster.Node) bool { return n.Monitor.Reached(name) })
		if !reached {
			out = append(out, fmt.Sprintf("phase %q was to be recorded, but no program reached it", name))
		}
	}
	return out
}
