package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/internal/parallel"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// PerturbSizes returns the message sizes of the published measurement, 4 B to 4 MB, and
// sizes around the knees.
func PerturbSizes() []int64 {
	sizes := []int64{4, 16, 32, 64, 128, 192, 256, 384, 512, 768}
	for n := int64(1024); n <= 4<<20; n *= 2 {
		sizes = append(sizes, n)
	}
	return sizes
}

// Perturb measures the monitor's own cost under five firmware builds and, if asked for,
// with a trace, on all cores: first applications, which take longest.
func Perturb(ctx context.Context, spec PerturbSpec, watch Watch) (*bench.Perturb, error) {
	p, err := loaded(spec, spec.Platform)
	if err != nil {
		return nil, err
	}
	sizes := spec.Sizes
	if len(sizes) == 0 {
		sizes = PerturbSizes()
	}
	programs := spec.Programs
	if programs == nil && spec.measures(perturbApplications) {
		programs = ownPrograms()
	}
	tests := slices.DeleteFunc(PerturbTests(), func(test string) bool { return !spec.measures(test) })
	if len(tests) == 0 {
		sizes = nil
	}
	out := &bench.Perturb{Platform: p.Name, Seed: spec.Seed, Points: []bench.Perturbed{}, Applications: []bench.Application{}, Remarks: []string{}}
	firmwares := spec.firmwares()
	applications := make([]bench.Application, len(firmwares)*len(programs))
	points := make([][]bench.Perturbed, len(firmwares)*len(sizes))
	count := watch.Counting(len(applications)+len(points), "measurements")
	err = parallel.Each(ctx, len(applications)+len(points), func(i int) (err error) {
		if k := i - len(applications); k >= 0 {
			build, n := firmwares[k/len(sizes)], sizes[k%len(sizes)]
			points[k], err = perturbPoint(p, spec.Seed, build, int(n), tests)
			count(fmt.Sprintf("%s, %d B", build, n))
			return err
		}
		build, name := firmwares[i/len(programs)], programs[i%len(programs)]
		applications[i], err = perturbApplication(ctx, spec, build, name)
		count(fmt.Sprintf("%s, %s", build, name))
		return err
	})
	if err != nil {
		return nil, err
	}
	out.Applications = append(out.Applications, applications...)
	out.Points = append(out.Points, slices.Concat(points...)...)
	out.Remarks = append(out.Remarks, remarks(out)...)
	return out, nil
}

// perturbPoint runs message programs at one size, at least 4 bytes.
func perturbPoint(p *platform.Profile, seed uint64, with firmware, n int, tests []string) ([]bench.Perturbed, error) {
	if n < 4 {
		return nil, wrong("sizes", n, "at least 4 bytes")
	}
	spec := DefaultRun("perturb")
	spec.Seed, spec.Build, spec.Trace = seed, with.build, with.trace
	built, err := clusterSpec(spec, p, 2, traffic{kinds: []trace.Kind{trace.Data}})
	if err != nil {
		return nil, err
	}
	var points []bench.Perturbed
	for _, test := range tests {
		t, err := measure.Transfer(built, test, n)
		if err != nil {
			return nil, err
		}
		points = append(points, bench.Perturbed{
			Firmware: with.record(), Test: test, SizeBytes: int64(n), MBps: &t.MBps, OneWayUs: t.OneWayUs, OsUs: t.OsUs,
		})
	}
	return points, nil
}

func perturbApplication(ctx context.Context, spec PerturbSpec, with firmware, name string) (bench.Application, error) {
	run := DefaultRun(name)
	run.Platform, run.Seed, run.Build, run.Trace = spec.Platform, spec.Seed, with.build, with.trace
	r, err := execute(ctx, run, platform.Overlay{}, nil)
	if err != nil {
		return bench.Application{}, err
	}
	out := r.programs[0].outcome
	if out.wrong != nil {
		return bench.Application{}, fmt.Errorf("%s under build %s: %w", name, with, out.wrong)
	}
	app := bench.Application{Firmware: with.record(), Workload: name, RunTimeS: out.took.Seconds()}
	for k := range host.Categories {
		var sum sim.Duration
		for _, s := range out.shares {
			sum = sum.Plus(s.Time[k])
		}
		app.Shares = append(app.Shares, bench.Part{Name: k.String(), S: sum.Seconds() / float64(len(out.shares))})
	}
	for _, n := range r.cluster.Nodes {
		app.NotRecorded += int64(nodeRecords(n).NotRecorded)
	}
	return app, nil
}

// remarks returns, in words, which published bounds are not met.
func remarks(p *bench.Perturb) []string {
	full := BuildFull.String()
	var out []string
	for _, pp := range []string{measure.Stream, measure.Simultaneous, measure.PingPong} {
		worst, at := -math.MaxFloat64, int64(0)
		for _, q := range p.Points {
			loss, ok := p.Loss(full, pp, q.SizeBytes)
			if ok && q.Build == full && q.Test == pp && loss > worst {
				worst, at = loss, q.SizeBytes
			}
		}
		if at > 0 {
			out = append(out, fmt.Sprintf("%s: the full monitor costs at most %.1f %% of the bandwidth, at %d B", pp, worst, at))
		}
	}
	if off := p.Find(bench.Firmware{Build: BuildOff.String()}, measure.PingPong, 4); off != nil {
		if us, ok := p.Added(full, 4); ok {
			t := *off.OneWayUs
			out = append(out, fmt.Sprintf(
				"a constant %.1f µs on a one-way time of %.1f µs is %.0f %% of ping-pong bandwidth; to stay within 15 %% the time would have to be %.1f µs",
				us, t, 100*us/(t+us), us*(1-0.15)/0.15))
		}
	}
	return out
}
