package shrimp

import (
	"context"
	"fmt"

	"github.com/sigview/sigview/cluster"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/radix"
)

// programs holds the rows of RADIX and of several programs at a time.
func (r *rows) programs() {
	run := func(workload string, gang bool, free ...experiment.Resource) func(context.Context) (*trace.Run, error) {
		return judge.Once(func(ctx context.Context) (*trace.Run, error) {
			spec := experiment.DefaultRun(workload)
			spec.Seed, spec.Gang, spec.Uncontended = r.seed, gang, free
			return experiment.Run(ctx, spec, nil)
		})
	}
	sorted, freeBuses := run("radix", false), run("radix", false, experiment.MemBus, experiment.PCI)
	both, gang := run("fft+radix", false), run("fft+radix", true)

	r.Of("sh-radix-n", "radix", judge.Read(sorted, func(run *trace.Run) (judge.Measured, error) {
		return value(float64(radix.DefaultKeys)/(1<<20), "%s", run.Manifest.Verification), nil
	}))
	r.Versus("sh-radix-src", "radix beside its baseline", judge.Read(sorted, differences), "radix with free memory and I/O buses", judge.Read(freeBuses, differences))
	r.Versus("sh-radix-diff", "time of a release under two speeds of memory", r.pagesPerDiff(1), "written at home", r.pagesPerDiff(0))
	r.Versus("sh-mp-nogang", "two programs on eight nodes", r.turns(false), "gang scheduling", r.turns(true))
	alone := func(f func(fft, radix, both *trace.Run) (judge.Measured, error), together func(context.Context) (*trace.Run, error)) judge.Measure {
		return func(ctx context.Context) (judge.Measured, error) {
			var runs [3]*trace.Run
			for i, get := range []func(context.Context) (*trace.Run, error){r.fft, sorted, together} {
				var err error
				if runs[i], err = get(ctx); err != nil {
					return judge.Measured{}, err
				}
			}
			return f(runs[0], runs[1], runs[2])
		}
	}
	r.Versus("sh-mp-exec", "fft+radix against both alone", alone(longer, both), "gang scheduling", alone(longer, gang))
	r.Versus("sh-mp-both", "fft+radix against both alone", alone(calmer, both), "gang scheduling", alone(calmer, gang))
}

// differences tells whether Source of the messages that carry most of RADIX's
// differences is clearly above its baseline, and by more than Net.
func differences(run *trace.Run) (judge.Measured, error) {
	source, ok1 := class(run, trace.Class128, trace.Source)
	net, ok2 := class(run, trace.Class128, trace.Net)
	if !ok1 || !ok2 || !source.BaselineNs.OK || !net.BaselineNs.OK {
		return judge.Measured{}, fmt.Errorf("no packets of 128 B to 1 KB beside their baseline")
	}
	up := source.DeviationNs.Value / source.BaselineNs.Value
	other := net.DeviationNs.Value / net.BaselineNs.Value
	return holds(up >= raisedShare && up > other, "128 B to 1 KB: Source %+.0f %% (%+.1f µs), Net %+.0f %%, %d packets",
		100*up, source.DeviationNs.Value/1000, 100*other, source.Count), nil
}

// pagesPerDiff is how many pages a host reads over its memory bus to make one
// difference: what a release lasts longer when that bus reads half as fast.
func (r *rows) pagesPerDiff(writer int) judge.Measure {
	return judge.Plain(func() (judge.Measured, error) {
		diffs := uint64(0)
		release := func(readMBps float64) (sim.Duration, error) {
			var took sim.Duration
			m, err := r.shareOn(func(p *platform.Profile) { p.Host.MemRead = sim.MBps(readMBps) }, false, func(t *svm.Thread) {
				if t.Node() != writer {
					return
				}
				t.Lock(0)
				*word(t, 0) = 1
				began := t.Now()
				t.Unlock(0)
				took = t.Now().Sub(began)
			})
			if err != nil {
				return 0, err
			}
			defer m.Engine.Close()
			diffs = m.system.Member(writer).Stats().Diffs
			return took, nil
		}
		const fast, slow = 100.0, 50.0
		a, err := release(fast)
		if err != nil {
			return judge.Measured{}, err
		}
		b, err := release(slow)
		bytes := (b - a).Us() / (1/slow - 1/fast)
		return value(bytes/svm.PageSize, "%.1f µs at %g MB/s, %.1f µs at %g MB/s, %d difference", a.Us(), fast, b.Us(), slow, diffs), err
	})
}

// turns lets two programs compute on each of eight nodes and tells whether
// nodes change between them independently.
func (r *rows) turns(gang bool) judge.Measure {
	return r.bed(testbed.Spec{Nodes: 8, Monitor: "off", Cluster: func(c *cluster.Spec) { c.Gang = gang }}, func(b *testbed.Bed) judge.Measured {
		const looks = 200
		var first []*host.Context
		for i, n := range b.Nodes {
			for k := range 2 {
				c := n.Host.Go(fmt.Sprintf("program %d on %d", k, i), host.Application, func(c *host.Context) {
					c.Compute(host.Work{Time: 3 * sim.Second})
				})
				if k == 0 {
					first = append(first, c)
				}
			}
		}
		alike := 0
		for range looks {
			b.Rest(23 * sim.Millisecond)
			running := 0
			for _, c := range first {
				if c.Running() {
					running++
				}
			}
			if running == 0 || running == len(first) {
				alike++
			}
		}
		return holds(alike < looks/2, "all nodes run the same program at %d of %d instants", alike, looks)
	})
}

// runTimes returns the run times of a run's programs in seconds.
func runTimes(run *trace.Run) []float64 {
	var out []float64
	for _, t := range run.Manifest.Tags {
		out = append(out, float64(t.RunTimeNs)/1e9)
	}
	return out
}

// longer tells whether programs together take much longer than one after the
// other, most of it waiting for one another's messages.
func longer(fft, radix, both *trace.Run) (judge.Measured, error) {
	apart := runTimes(fft)[0] + runTimes(radix)[0]
	together := 0.0
	for _, t := range runTimes(both) {
		together = max(together, t)
	}
	var waiting, computing int64
	for _, s := range both.Manifest.Shares {
		waiting += s.PageWaitNs + s.LockNs + s.BarrierNs
		computing += s.ComputingNs
	}
	return holds(together > 1.5*apart && waiting > computing, "%.2f s together, %.2f s one after the other; %.1f times as much waiting for pages, locks and barriers as computing",
		together, apart, float64(waiting)/float64(computing)), nil
}

// calmer tells whether packets of both programs meet less contention together
// than alone: less Net and Net less LANai, and less Source in RADIX.
func calmer(fft, radix, both *trace.Run) (judge.Measured, error) {
	ok, text := true, ""
	for _, x := range []struct {
		name  string
		alone *trace.Run
		tag   trace.Tag
		stage trace.Stage
	}{
		{"FFT", fft, 0, trace.Net}, {"RADIX", radix, 1, trace.Net},
		{"FFT", fft, 0, trace.NetMinusLANai}, {"RADIX", radix, 1, trace.NetMinusLANai}, {"RADIX", radix, 1, trace.Source},
	} {
		before, after := excess(x.alone, 0, x.stage), excess(both, x.tag, x.stage)
		ok = ok && after < before
		text += fmt.Sprintf(", %s %v %.2f and %.2f", x.name, x.stage, before, after)
	}
	return holds(ok, "µs above baseline, alone and together%s", text), nil
}

// excess is by how much a latency of a program's packets is above its baseline
// on average over all packets, in µs.
func excess(run *trace.Run, tag trace.Tag, stage trace.Stage) float64 {
	sum, n := 0.0, 0.0
	for _, c := range run.Classes {
		if c.Tag == tag && c.Stage == stage && c.Kind == trace.AllKinds && !c.First.OK && c.DeviationNs.OK {
			sum += float64(float64(c.Count) * c.DeviationNs.Value / 1000)
			n += float64(c.Count)
		}
	}
	return sum / n
}
