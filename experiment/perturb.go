package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
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
// with a trace.
func Perturb(ctx context.Context, spec PerturbSpec, watch Watch) (*Perturbation, error) {
	if err := spec.Validate(Known()); err != nil {
		return nil, err
	}
	p, err := platform.Load(spec.Platform)
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
	out := &Perturbation{Platform: p.Name, Seed: spec.Seed, Points: []PerturbPoint{}, Applications: []PerturbApplication{}, Remarks: []string{}}
	firmwares := spec.firmwares()
	steps := int64(len(firmwares) * (len(sizes) + len(programs)))
	done := int64(0)
	for _, build := range firmwares {
		for _, n := range sizes {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			watch.Report(Progress{Stage: fmt.Sprintf("%s, %d B", build, n), Done: done, Total: steps, Unit: "measurements"})
			done++
			points, err := perturbPoint(p, spec.Seed, build, int(n), tests)
			if err != nil {
				return nil, err
			}
			out.Points = append(out.Points, points...)
		}
		for _, name := range programs {
			watch.Report(Progress{Stage: fmt.Sprintf("%s, %s", build, name), Done: done, Total: steps, Unit: "measurements"})
			done++
			app, err := perturbApplication(ctx, spec, build, name)
			if err != nil {
				return nil, err
			}
			out.Applications = append(out.Applications, app)
		}
	}
	out.Remarks = append(out.Remarks, remarks(out)...)
	return out, nil
}

// perturbPoint runs message programs at one size, at least 4 bytes.
func perturbPoint(p *platform.Profile, seed uint64, with firmware, n int, tests []string) ([]PerturbPoint, error) {
	if n < 4 {
		return nil, wrong("sizes", n, "at least 4 bytes")
	}
	spec := DefaultRun("perturb")
	spec.Seed, spec.Build, spec.Trace = seed, with.build, with.trace
	built, err := clusterSpec(spec, p, 2, traffic{kinds: []trace.Kind{trace.Data}})
	if err != nil {
		return nil, err
	}
	var points []PerturbPoint
	for _, test := range tests {
		t, err := measure.Transfer(built, test, n)
		if err != nil {
			return nil, err
		}
		points = append(points, PerturbPoint{
			Build: with.build, Trace: with.trace, Test: test, SizeBytes: int64(n), BandwidthMBps: &t.MBps, OneWayUs: t.OneWayUs, OsUs: t.OsUs,
		})
	}
	return points, nil
}

func perturbApplication(ctx context.Context, spec PerturbSpec, with firmware, name string) (PerturbApplication, error) {
	run := DefaultRun(name)
	run.Platform, run.Seed, run.Build, run.Trace = spec.Platform, spec.Seed, with.build, with.trace
	r, err := execute(ctx, run, platform.Overlay{}, nil)
	if err != nil {
		return PerturbApplication{}, err
	}
	out := r.programs[0].outcome
	if out.wrong != nil {
		return PerturbApplication{}, fmt.Errorf("%s under build %s: %w", name, with, out.wrong)
	}
	app := PerturbApplication{Workload: name, Build: with.build, Trace: with.trace, RunTimeS: out.took.Seconds()}
	for k := range host.Categories {
		var sum sim.Duration
		for _, s := range out.shares {
			sum += s.Time[k]
		}
		app.Shares = append(app.Shares, TimeShare{Name: k.String(), S: sum.Seconds() / float64(len(out.shares))})
	}
	return app, nil
}

// Record returns the figures as a record that knows no model.
func (p *Perturbation) Record() *bench.Perturb {
	out := &bench.Perturb{Platform: p.Platform, Seed: p.Seed, Remarks: p.Remarks}
	for _, x := range p.Points {
		out.Points = append(out.Points, bench.Perturbed{
			Firmware: bench.Firmware{Build: x.Build.String(), Trace: string(x.Trace)}, Test: x.Test, SizeBytes: x.SizeBytes,
			OneWayUs: x.OneWayUs, MBps: x.BandwidthMBps, OsUs: x.OsUs,
		})
	}
	for _, x := range p.Applications {
		a := bench.Application{Firmware: bench.Firmware{Build: x.Build.String(), Trace: string(x.Trace)}, Workload: x.Workload, RunTimeS: x.RunTimeS}
		for _, s := range x.Shares {
			a.Shares = append(a.Shares, bench.Part(s))
		}
		out.Applications = append(out.Applications, a)
	}
	return out
}

// Find returns the point of a test without a trace, or nil.
func (p *Perturbation) Find(build Build, test string, n int64) *PerturbPoint {
	return p.find(firmware{build: build}, test, n)
}

// FindTraced returns the point of a test that traces everything, or nil.
func (p *Perturbation) FindTraced(test string, n int64) *PerturbPoint {
	return p.find(firmware{BuildFull, TraceAll}, test, n)
}

func (p *Perturbation) find(with firmware, test string, n int64) *PerturbPoint {
	for i := range p.Points {
		if q := &p.Points[i]; (firmware{q.Build, q.Trace}) == with && q.Test == test && q.SizeBytes == n {
			return q
		}
	}
	return nil
}

// Loss returns by how much a build lowers a test's bandwidth, in percent of
// that of the build without a monitor, and whether both were measured.
func (p *Perturbation) Loss(build Build, test string, n int64) (pct float64, ok bool) {
	return p.against(build, test, n, func(off, on *PerturbPoint) float64 { return 100 * (1 - *on.BandwidthMBps / *off.BandwidthMBps) })
}

// Added returns by how much a build raises the one-way time, in µs.
func (p *Perturbation) Added(build Build, n int64) (us float64, ok bool) {
	return p.against(build, measure.PingPong, n, func(off, on *PerturbPoint) float64 { return *on.OneWayUs - *off.OneWayUs })
}

// Overhead returns by how much a build raises the send overhead, in µs.
func (p *Perturbation) Overhead(build Build, n int64) (us float64, ok bool) {
	return p.against(build, measure.Stream, n, func(off, on *PerturbPoint) float64 { return *on.OsUs - *off.OsUs })
}

func (p *Perturbation) against(build Build, test string, n int64, f func(off, on *PerturbPoint) float64) (v float64, ok bool) {
	off, on := p.Find(BuildOff, test, n), p.Find(build, test, n)
	if off == nil || on == nil {
		return 0, false
	}
	return f(off, on), true
}

// remarks returns, in words, which published bounds are not met.
func remarks(p *Perturbation) []string {
	var out []string
	for _, pp := range []string{measure.Stream, measure.Simultaneous, measure.PingPong} {
		worst, at := -math.MaxFloat64, int64(0)
		for _, q := range p.Points {
			loss, ok := p.Loss(BuildFull, pp, q.SizeBytes)
			if ok && q.Build == BuildFull && q.Test == pp && loss > worst {
				worst, at = loss, q.SizeBytes
			}
		}
		if at > 0 {
			out = append(out, fmt.Sprintf("%s: the full monitor costs at most %.1f %% of the bandwidth, at %d B", pp, worst, at))
		}
	}
	if off := p.Find(BuildOff, measure.PingPong, 4); off != nil {
		if us, ok := p.Added(BuildFull, 4); ok {
			t := *off.OneWayUs
			out = append(out, fmt.Sprintf(
				"a constant %.1f µs on a one-way time of %.1f µs is %.0f %% of ping-pong bandwidth; to stay within 15 %% the time would have to be %.1f µs",
				us, t, 100*us/(t+us), us*(1-0.15)/0.15))
		}
	}
	return out
}
