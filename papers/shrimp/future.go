package shrimp

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// future holds the rows of what the paper only plans (shrimp, section 6) and the model
// has.
func (r *rows) future() {
	small := program{workload: "fft", size: 1 << 12}
	traced, fine := small, small
	traced.trace, fine.bins = experiment.TracePackets, 250*sim.Nanosecond
	r.Versus("sh-fw-trace", "fft with a trace of packets", of(r.run(traced), everyPacket), "fft without", of(r.run(small), everyPacket))
	r.Versus("sh-fw-fine", "fft with bins of 250 ns in host memory", of(r.run(fine), finely), "bins in SRAM alone", of(r.run(small), finely))

	drained := testbed.Spec{Cluster: func(c *cluster.Spec) { c.Bins = 250 * sim.Nanosecond }}
	r.testbeds("sh-fw-hostmem", "messages with histograms in host memory", drained, "histograms in SRAM alone", testbed.Spec{}, pushed)
	r.overlaid("sh-fw-idle", "transfers of records to host memory", drained, "a transfer as soon as there is a piece", whenIdle)

	messages, calls := program{workload: "gauss", size: 64, trace: experiment.TraceSpans}, program{workload: "dfs", size: 1, trace: experiment.TraceSpans}
	small.trace = experiment.TraceSpans
	r.Versus("sh-fw-iface", "operations of shared memory, message passing and files", r.interfaces(small, messages, calls),
		"shared memory alone", r.interfaces(small))
	r.Versus("sh-portable", "shared memory, message passing and files under one monitor", r.models("full"),
		"the same in the build without it", r.models("off"))

	one := program{workload: "ocean", size: 66, homes: "single"}
	moved, two := one, program{workload: "lu+lu"}
	together := two
	moved.policy, together.policy = experiment.MigrateHomes, experiment.Coschedule
	r.Versus("sh-fw-adapt", "ocean whose pages all begin on one node, with pages moved while it runs", r.adapts(moved, one),
		"with homes that stay", r.adapts(one, one))
	r.Versus("sh-fw-multi", "two programs, with gang scheduling begun on the monitors' findings", r.adapts(together, two),
		"with hosts that schedule on their own", r.adapts(two, two))
}

// everyPacket states that a run has a record of every packet with its six instants.
func everyPacket(run reading) judge.Measured {
	n := uint64(0)
	if run.Packets != nil {
		for p := range run.Packets {
			if p.T1Ns.OK && p.T6Ns.OK {
				n++
			}
		}
	}
	all := uint64(run.Manifest.Packets)
	return states(n == all && n > 0, "every packet has a record with T1 and T6", "%d records of %d packets, %d lost", n, all, run.Manifest.Lost.TraceRecords)
}

// finely states that all packets are counted in bins below the 1 µs of the interface.
func finely(run reading) judge.Measured {
	rows, width := run.Histograms, int64(math.MaxInt64)
	if run.Fine != nil {
		rows = nil
		for _, f := range run.Fine {
			rows = append(rows, f.HistogramRow)
		}
	}
	count := int64(0)
	for _, h := range rows {
		if h.Stage == trace.Source && h.LatencyHiNs.OK && (run.Fine != nil || h.Kind == trace.AllKinds) {
			width = min(width, h.LatencyHiNs.Value-h.LatencyLoNs)
			count += h.Count
		}
	}
	return states(width < 1000 && count == run.Manifest.Packets, "Source of every packet is counted in a bin narrower than 1 µs",
		"%d of %d packets in bins of %d ns", count, run.Manifest.Packets, width)
}

// pushed states that the histograms are in host memory while programs run: the
// interface brings the records by DMA, and the host loads nothing from it.
func pushed(b *testbed.Testbed) judge.Measured {
	b.Run(b.Each(0, 1, testbed.Mixed(usageMessages), testbed.Quiet))
	counted := int64(0)
	if b.Bins != nil {
		for _, row := range b.Bins.Rows() {
			counted += row.Count
		}
	}
	var loaded uint64
	for _, n := range b.Nodes {
		loaded += n.Host.Stats().Loaded
	}
	// Each packet has four latencies. What is less than a piece waits in SRAM.
	return states(counted > 2*usageMessages && loaded == 0, "most latencies are counted in host memory before the programs end, and no host loads a word from its interface",
		"%d of %d latencies, %d words loaded", counted, 4*usageMessages, loaded)
}

// whenIdle states that every transfer of records began when the interface's
// processor was idle.
func whenIdle(b *testbed.Testbed) judge.Measured {
	b.Run(b.Each(0, 1, testbed.Mixed(usageMessages), testbed.Quiet))
	var s monitor.TraceStats
	for _, n := range b.Nodes {
		t := n.Monitor.TraceStats()
		s.Transfers, s.Urgent = s.Transfers+t.Transfers, s.Urgent+t.Urgent
	}
	return states(s.Transfers > 0 && s.Urgent == 0, "all transfers begin when the processor is idle", "%d transfers, %d of them not when idle", s.Transfers, s.Urgent)
}

// interfaces states that operations of several packets are recorded for shared
// memory, for message passing and for files.
func (r *rows) interfaces(programs ...program) judge.Measure {
	wanted := []trace.Operation{trace.OpPageFetch, trace.OpBroadcast, trace.OpFile}
	return judge.Run(func(s *judge.Session) judge.Measured {
		count := map[string]int{}
		for _, p := range programs {
			for span := range read(s, r.run(p)).Spans {
				count[span.Operation]++
			}
		}
		var seen []string
		for _, o := range wanted {
			seen = append(seen, fmt.Sprintf("%d %s", count[string(o)], o))
		}
		missing := slices.ContainsFunc(wanted, func(o trace.Operation) bool { return count[string(o)] == 0 })
		return states(!missing, fmt.Sprintf("operations %v are all recorded", wanted), "%s", strings.Join(seen, ", "))
	})
}

// models states that a build of the monitor makes a signature of programs of three
// programming models.
func (r *rows) models(build monitor.BuildName) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		n := 0
		for _, p := range []program{{workload: "fft", size: 1 << 12}, {workload: "gauss", size: 64}, {workload: "dfs", size: 1}} {
			p.monitor = build
			if len(read(s, r.run(p)).BySize()) > 0 {
				n++
			}
		}
		return states(n == 3, "programs of all three models have a signature", "%d of 3", n)
	})
}

// adaptsPct is the least decrease of a run time that counts as a bottleneck removed.
const adaptsPct = 10

// adapts states that a run acts on its monitors' findings and takes less time than
// one that does not.
func (r *rows) adapts(adaptive, other program) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		x, y := read(s, r.run(adaptive)), read(s, r.run(other))
		var did []string
		for _, o := range x.Online {
			did = append(did, o.Action)
		}
		return judge.All(judge.True(len(did) > 0, "findings are acted on while the program runs", "%d actions: %s", len(did), strings.Join(did, "; ")),
			judge.Above(judge.Fig("run time without", y.runTime(), "s"), judge.Fig("with", x.runTime(), "s"), adaptsPct))
	})
}
