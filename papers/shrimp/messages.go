package shrimp

import (
	"context"
	"fmt"
	"strings"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/nx"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/testbed"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/gauss"
)

// messages holds the rows of message passing, of sockets, and of operations of
// several messages.
func (r *rows) messages() {
	run := func(workload string, change func(*experiment.RunSpec)) func(context.Context) (*trace.Run, error) {
		return judge.Once(func(ctx context.Context) (*trace.Run, error) {
			spec := experiment.DefaultRun(workload)
			spec.Seed = r.seed
			if change != nil {
				change(&spec)
			}
			return experiment.Run(ctx, spec, nil)
		})
	}
	elimination := run("gauss", nil)
	once := run("gauss", func(s *experiment.RunSpec) { s.Broadcast = "firmware" })
	files := run("dfs", nil)
	blind := run("dfs", func(s *experiment.RunSpec) { s.Monitor = experiment.BuildOff })

	r.Of("sh-ge-n", "gauss", judge.Read(elimination, func(run *trace.Run) (judge.Measured, error) {
		if !run.Manifest.Verified {
			return judge.Measured{}, fmt.Errorf("gauss: %s", run.Manifest.Verification)
		}
		return value(float64(gauss.DefaultOrder), "%s", run.Manifest.Verification), nil
	}))
	r.Versus("sh-ge-bcast", "requests of one broadcast", r.requests(nx.Separate), "broadcast in firmware", r.requests(nx.Firmware))
	r.Versus("sh-ge-lat", "gauss beside its baseline", judge.Read(elimination, queued), "gauss, broadcast in firmware", judge.Read(once, queued))
	r.Versus("sh-sockets", "dfs", judge.Read(files, fileSystem), "dfs without a monitor", judge.Read(blind, fileSystem))
	r.Versus("sh-svm-if", "fft with operations", r.operations(experiment.TraceSpans), "fft without", r.operations(experiment.TraceNone))
	r.Versus("sh-apps", "fft, gauss and dfs under one monitor", classes(r.fft, elimination, files),
		"the file system without it", classes(r.fft, elimination, blind))
}

// classes counts the applications that ran right and have a signature.
func classes(runs ...func(context.Context) (*trace.Run, error)) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		var names []string
		for _, get := range runs {
			run, err := get(ctx)
			if err != nil {
				return judge.Measured{}, err
			}
			if run.Manifest.Verified && len(run.Signature) > 0 {
				names = append(names, run.Manifest.Workload)
			}
		}
		return value(float64(len(names)), "verified, with a signature: %s", strings.Join(names, ", ")), nil
	}
}

// requests counts the send requests that one broadcast to seven others makes.
func (r *rows) requests(how nx.Broadcast) judge.Measure {
	return r.bed(testbed.Spec{Nodes: 8, Monitor: "off"}, func(b *testbed.Bed) judge.Measured {
		const bytes = 2048
		system, err := b.Messages(nx.Spec{Broadcast: how})
		if !b.Keep(err) {
			return judge.Measured{}
		}
		var before uint64
		others := 0 // packets of requests that are no part of the buffer
		ended, counting := false, false
		b.Tap(func(p *fabric.Packet) {
			if k := p.Header.Meta.Kind; counting && p.Src == 0 && k.CarriesRequest() && k != trace.Broadcast {
				others++
			}
		})
		b.Keep(system.Start(func(p *nx.Process) error {
			buf := p.Alloc(bytes)
			if err := p.Gsync(); err != nil {
				return err
			}
			if p.Node() != 0 {
				return p.Crecv(1, buf, bytes)
			}
			p.Context().Sleep(sim.Millisecond) // what came before has left
			before, counting = b.Nodes[0].VMMC.Stats().Messages, true
			return p.Csend(1, buf, bytes, nx.Any)
		}, func() { ended = true }))
		b.Until(func() bool { return ended })
		b.Rest(sim.Millisecond)
		b.Keep(system.Err())
		sends := b.Nodes[0].VMMC.Stats().Messages - before - uint64(others)
		return value(float64(sends), "%d B from node 0 of 8, beside %d envelopes", bytes, others)
	})
}

// queued tells whether Source and LANai of the rows that are sent to everybody
// are very high: more than three times their baseline.
func queued(run *trace.Run) (judge.Measured, error) {
	const very = 3
	source, ok1 := class(run, trace.Class1024, trace.Source)
	lanai, ok2 := class(run, trace.Class1024, trace.LANai)
	if !ok1 || !ok2 || !source.BaselineNs.OK || !lanai.BaselineNs.OK {
		return judge.Measured{}, fmt.Errorf("no packets of 1 to 4 KB beside their baseline")
	}
	s, l := source.MeanNs.Value/source.BaselineNs.Value, lanai.MeanNs.Value/lanai.BaselineNs.Value
	return holds(s > very && l > very, "1 to 4 KB: Source %.1f times its baseline, LANai %.1f times", s, l), nil
}

// fileSystem tells whether the file system ran on sockets, right, under the monitor.
func fileSystem(run *trace.Run) (judge.Measured, error) {
	packets := int64(0)
	for _, row := range run.Classes {
		if row.Kind == trace.Stream.String() && row.Stage == trace.Source && !row.First.OK {
			packets += row.Count
		}
	}
	return holds(run.Manifest.Verified && packets > 0, "%d packets of streams recorded; %s", packets, run.Manifest.Verification), nil
}

// operations tells whether page fetches, locks and barriers of an FFT were
// followed as operations of several messages.
func (r *rows) operations(what experiment.Trace) judge.Measure {
	return func(ctx context.Context) (judge.Measured, error) {
		spec := experiment.DefaultRun("fft")
		spec.Seed, spec.Trace, spec.Size = r.seed, what, 1<<12
		run, err := experiment.Run(ctx, spec, nil)
		if err != nil {
			return judge.Measured{}, err
		}
		count := map[string]int{}
		for _, s := range run.Spans {
			count[s.Operation]++
		}
		fetches, locks, barriers := count[string(trace.OpPageFetch)], count[string(trace.OpLockAcquire)], count[string(trace.OpBarrier)]
		return holds(fetches > 0 && locks > 0 && barriers > 0, "%d page fetches, %d locks, %d barriers", fetches, locks, barriers), nil
	}
}
