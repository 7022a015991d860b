package shrimp

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/fft"
	"github.com/sigview/sigview/workloads/gauss"
	"github.com/sigview/sigview/workloads/radix"
)

// The programs that several rows read.
var (
	transform   = program{workload: "fft"}
	sorting     = program{workload: "radix"}
	elimination = program{workload: "gauss"}
	files       = program{workload: "dfs"}
	blind       = program{workload: "dfs", monitor: "off"}
	both        = program{workload: "fft+radix"}
	gang        = program{workload: "fft+radix", gang: true}
)

// baseline holds the rows of unloaded latencies.
func (r *rows) baseline() {
	r.Of("sh-base-src", "baseline", of(r.unloaded, largest(trace.Source)))
	r.Of("sh-base-dest", "baseline", of(r.unloaded, largest(trace.Dest)))
	r.Of("sh-base-netdiff", "baseline", of(r.unloaded, netDifference))
	r.Of("sh-base-sum-d", "baseline", of(r.unloaded, func(run reading) judge.Measured {
		sum := 0.0
		for _, stage := range burstStages {
			sum += run.class(trace.ClassUnder128, stage).MeanNs.Value / 1000
		}
		return value(sum, "means below 128 B")
	}))
}

// programs holds the rows of applications, alone and two at a time.
func (r *rows) programs() {
	row := func(id, experiment string, p program, counter string, c program, f func(reading) judge.Measured) {
		r.Versus(id, experiment, of(r.run(p), f), counter, of(r.run(c), f))
	}
	r.Of("sh-fft-n", "fft", of(r.run(transform), right(fft.DefaultPoints>>10)))
	r.Of("sh-radix-n", "radix", of(r.run(sorting), right(radix.DefaultKeys>>20)))
	r.Of("sh-ge-n", "gauss", of(r.run(elimination), right(gauss.DefaultOrder)))
	r.Versus("sh-fft-pattern", "fft beside its baseline", r.raised(3, [...]string{"", "", ""}),
		"fft with one resource free: slots for Source, hdma for Dest, ports for Net less LANai", r.raised(1, [...]string{"slots", "hdma", "ports"}))
	row("sh-sig", "fft's signature", transform, "firmware without a monitor", program{workload: "fft", size: 1 << 14, monitor: "off"}, signature)
	r.Versus("sh-lim-avg", "fft: packets near their mean", of(r.run(transform), misleading), "baseline", of(r.unloaded, misleading))
	row("sh-svm-if", "fft with operations", program{workload: "fft", size: 1 << 12, trace: experiment.TraceSpans},
		"fft without", program{workload: "fft", size: 1 << 12}, operations)
	row("sh-radix-src", "radix beside its baseline", sorting, "radix with free memory and I/O buses", program{workload: "radix", free: "membus pci"},
		func(run reading) judge.Measured {
			source := run.times(trace.Class128, trace.Source)
			return judge.All(judge.Above(source, judge.Limit(1+raisedShare), 0), judge.Above(source, run.times(trace.Class128, trace.Net), 0))
		})
	row("sh-ge-lat", "gauss beside its baseline", elimination, "gauss, broadcast in firmware", program{workload: "gauss", broadcast: "firmware"},
		func(run reading) judge.Measured {
			very := judge.Limit(3)
			return judge.All(judge.Above(run.times(trace.Class1024, trace.Source), very, 0), judge.Above(run.times(trace.Class1024, trace.LANai), very, 0))
		})
	row("sh-sockets", "dfs", files, "dfs without a monitor", blind, streams)
	r.Versus("sh-apps", "fft, gauss and dfs under one monitor", r.classes(transform, elimination, files),
		"the file system without it", r.classes(transform, elimination, blind))
	gangs := testbed.Spec{Nodes: 8, Monitor: "off", Cluster: func(c *cluster.Spec) { c.Gang = true }}
	r.testbeds("sh-mp-nogang", "two programs on eight nodes", testbed.Spec{Nodes: 8, Monitor: "off"}, "gang scheduling", gangs, takeTurns)
	r.Versus("sh-mp-exec", "fft+radix against both alone", r.beside(both, longer), "gang scheduling", r.beside(gang, longer))
	r.Versus("sh-mp-both", "fft+radix against both alone", r.beside(both, lessContended), "gang scheduling", r.beside(gang, lessContended))
}

// largest measures the largest mean of a latency among the sizes below 128 B, in µs.
// The last size bin includes 128 B. Its packets below 128 B are those of the class
// that no bin before holds.
func largest(stage trace.Stage) func(reading) judge.Measured {
	return func(run reading) judge.Measured {
		all := run.class(trace.ClassUnder128, stage)
		count, sum, most := float64(all.Count), float64(float64(all.Count)*all.MeanNs.Value), 0.0
		for _, p := range analysis.Whole(run.BySize(), 0) {
			if s := p.Stat(stage); p.SizeHiBytes < smallBytes {
				most = max(most, s.MeanNs.Value)
				count, sum = count-float64(s.Count), sum-float64(float64(s.Count)*s.MeanNs.Value)
			}
		}
		return value(max(most, sum/count)/1000, "%.1f µs over all below 128 B", all.MeanNs.Value/1000)
	}
}

// netDifference measures Net less LANai of the size bin that is farthest from the
// middle of the published range, in µs.
func netDifference(run reading) judge.Measured {
	const middle = 3.5
	farthest := run.class(trace.ClassUnder128, trace.NetMinusLANai).MeanNs.Value / 1000
	for _, p := range analysis.Whole(run.BySize(), 0) {
		if us := p.Stat(trace.NetMinusLANai).MeanNs.Value / 1000; math.Abs(us-middle) > math.Abs(farthest-middle) {
			farthest = us
		}
	}
	return value(farthest, "the size bin whose mean is farthest from %g µs", middle)
}

// times returns a latency of a size class as a multiple of its baseline.
func (r reading) times(name string, stage trace.Stage) judge.Figure {
	share, _, _ := r.above(name, stage)
	return judge.Fig(fmt.Sprintf("%v of %s over its baseline", stage, name), 1+share)
}

// right measures the size of a program whose result is right.
func right(size float64) func(reading) judge.Measured {
	return func(run reading) judge.Measured { return value(size, "%s", run.Manifest.Verification) }
}

// raisedShare is the least deviation that counts as a clear rise, as a share of the
// baseline.
const raisedShare = 0.25

// burstStages are the latencies that bursts raise.
var burstStages = [...]trace.Stage{trace.Source, trace.Dest, trace.NetMinusLANai}

// raised states that at least so many of Source, Dest and Net less LANai of the FFT's short packets
// deviate clearly, each in a run where other resources are uncontended. Clearly is by a quarter of
// the baseline, by three times half the width of the confidence interval, and by half of the
// deviation with none uncontended.
func (r *rows) raised(least int, free [len(burstStages)]string) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		up, text := 0, ""
		for i, stage := range burstStages {
			_, contended, _ := read(s, r.run(transform)).above(trace.ClassUnder128, stage)
			share, us, half := read(s, r.run(program{workload: "fft", free: free[i]})).above(trace.ClassUnder128, stage)
			if share >= raisedShare && us >= 3*half && us >= contended/2 {
				up++
			}
			text += fmt.Sprintf(", %v %+.0f %% (%+.2f ± %.2f µs)", stage, 100*share, us, half)
		}
		return states(up >= least, "means at least 25 % above the baseline, by three times half the width of the confidence interval, and by half of what they are above it with no resource free", "below 128 B%s", text)
	})
}

// signature states that a run has a complete performance signature: the number of
// packets and the mean of each latency by size, by sender and receiver, and by kind,
// each of all packets.
func signature(run reading) judge.Measured {
	latencies := func(name string, all []analysis.Packets, of func(analysis.Packets) bool) judge.Claim {
		n := int64(0)
		for _, p := range all {
			for stage := range trace.NumStages {
				if s := p.Stat(stage); of(p) && s.MeanNs.OK {
					n += s.Count
				}
			}
		}
		return judge.Near(judge.Fig("latencies "+name, float64(n)), judge.Fig("four of every packet", float64(int64(trace.NumStages)*run.Manifest.Packets)), 0)
	}
	return judge.All(
		latencies("by size", run.BySize(), func(p analysis.Packets) bool { return p.Kind == trace.AllKinds && !p.First.OK }),
		latencies("by sender and receiver", run.ByPair(), func(p analysis.Packets) bool { return p.Kind == trace.AllKinds && p.Class == trace.AllSizes }),
		latencies("by kind", run.ByKind(), func(p analysis.Packets) bool { return p.Kind != trace.AllKinds && !p.First.OK }))
}

// misleading states that there is a latency whose means, each over packets of one
// size bin below 128 B, are those of few packets: less than a quarter lies within a
// fifth of its mean.
func misleading(run reading) judge.Measured {
	const few, close = 25, 0.2
	var near, all [trace.NumStages]float64
	means := map[[2]int64]float64{}
	for _, s := range run.Rows {
		if s.Kind == trace.AllKinds && s.Stage < trace.NumStages {
			means[[2]int64{s.SizeLoBytes, int64(s.Stage)}] = s.MeanNs.Value
		}
	}
	for _, h := range run.Histograms {
		if h.Kind == trace.AllKinds && h.SizeHiBytes <= smallBytes {
			all[h.Stage] += float64(h.Count)
			mean := means[[2]int64{h.SizeLoBytes, int64(h.Stage)}]
			if h.LatencyHiNs.OK && float64(h.LatencyHiNs.Value) > (1-close)*mean && float64(h.LatencyLoNs) < (1+close)*mean {
				near[h.Stage] += float64(h.Count)
			}
		}
	}
	floats.Div(near[:], all[:])
	at := floats.MinIdx(near[:])
	return judge.All(judge.Below(judge.Fig(fmt.Sprintf("packets below 128 B within a fifth of their size's mean of %v", trace.Stage(at)), 100*near[at], "%"), judge.Limit(few, "%"), 0))
}

// operations states that page fetches, locks and barriers are recorded as operations
// of several messages.
func operations(run reading) judge.Measured {
	count := map[string]int{}
	if run.Spans != nil { // a trace
		for s := range run.Spans {
			count[s.Operation]++
		}
	}
	fetches, locks, barriers := count[string(trace.OpPageFetch)], count[string(trace.OpLockAcquire)], count[string(trace.OpBarrier)]
	return states(fetches > 0 && locks > 0 && barriers > 0, "page fetches, locks and barriers are recorded", "%d page fetches, %d locks, %d barriers", fetches, locks, barriers)
}

// streams states that packets of sockets are recorded.
func streams(run reading) judge.Measured {
	some := slices.ContainsFunc(run.ByKind(), func(p analysis.Packets) bool { return p.Kind == trace.Stream.String() && !p.First.OK && p.Count() > 0 })
	return states(some, "packets of streams are recorded", "recorded: %t; %s", some, run.Manifest.Verification)
}

// classes counts the applications that have a signature.
func (r *rows) classes(programs ...program) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		var names []string
		for _, p := range programs {
			if len(read(s, r.run(p)).BySize()) > 0 {
				names = append(names, p.workload)
			}
		}
		return value(float64(len(names)), "verified, with a signature: %s", strings.Join(names, ", "))
	})
}

// takeTurns lets two programs compute on each node. It states that nodes switch between
// them independently.
func takeTurns(b *testbed.Testbed) judge.Measured {
	const looks = 200
	var first []*host.Context
	for _, n := range b.Nodes {
		compute := func(c *host.Context) { c.Compute(host.Work{Time: 3 * sim.Second}) }
		first = append(first, n.Host.Go("program 0", host.Application, compute))
		n.Host.Go("program 1", host.Application, compute)
	}
	alike := 0
	for range looks {
		b.Rest(23 * sim.Millisecond)
		if !slices.ContainsFunc(first, func(c *host.Context) bool { return c.Running() != first[0].Running() }) {
			alike++
		}
	}
	return states(alike < looks/2, "all nodes run the same program at less than half of the instants", "all nodes run the same program at %d of %d instants", alike, looks)
}

// beside makes a measure of FFT and RADIX, each alone and both together.
func (r *rows) beside(together program, f func(fft, radix, both reading) judge.Measured) judge.Measure {
	return judge.Run(func(s *judge.Session) judge.Measured {
		return f(read(s, r.run(transform)), read(s, r.run(sorting)), read(s, r.run(together)))
	})
}

// longer states that programs together take much longer than one after the other,
// and wait longer than they compute.
func longer(fft, radix, both reading) judge.Measured {
	var waiting, computing int64
	for _, s := range both.Manifest.Shares {
		waiting += s.PageWaitNs + s.LockNs + s.BarrierNs
		computing += s.ComputingNs
	}
	return judge.All(
		judge.Above(judge.Fig("run time together", both.runTime(), "s"), judge.Fig("one after the other", fft.runTime()+radix.runTime(), "s"), 50),
		judge.Above(judge.Fig("waiting of all nodes", float64(waiting)/1e9, "s"), judge.Fig("computing", float64(computing)/1e9, "s"), 0))
}

// lessContended states that packets of both programs meet less contention together than
// alone: in Net, in Net less LANai, and in RADIX also in Source.
func lessContended(fft, radix, both reading) judge.Measured {
	var claims []judge.Claim
	less := func(name string, alone reading, tag trace.Tag, stages ...trace.Stage) {
		for _, stage := range stages {
			at := fmt.Sprintf("%v excess of %s", stage, name)
			claims = append(claims, judge.Below(judge.Fig(at+" together", both.excess(tag, stage), "µs"), judge.Fig("alone", alone.excess(0, stage), "µs"), 0))
		}
	}
	less("FFT", fft, 0, trace.Net, trace.NetMinusLANai)
	less("RADIX", radix, 1, trace.Net, trace.NetMinusLANai, trace.Source)
	return judge.All(claims...)
}

// excess returns the mean deviation of a latency over all packets of a program, in
// µs.
func (r reading) excess(tag trace.Tag, stage trace.Stage) float64 {
	s := analysis.Whole(r.ByKind(), tag)[0].Stat(stage)
	if !s.DeviationNs.OK {
		r.Fail("%s: no deviation of %v", r.Manifest.Workload, stage)
	}
	return s.DeviationNs.Value / 1000
}
