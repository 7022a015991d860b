package shrimp

import (
	"context"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/trace"
)

// shared are the experiments that several rows read.
type shared struct {
	// unloaded is the baseline of the default platform.
	unloaded func(context.Context) (*trace.Run, error)
	// fft is the program of the paper under the full monitor, with the given
	// resources free of contention.
	fft, fftNet, fftSource, fftDest func(context.Context) (*trace.Run, error)
	// perturbed is the monitor's own cost in the message programs.
	perturbed func(context.Context) (*experiment.Perturbation, error)
}

func newShared(seed uint64) shared {
	run := func(free ...experiment.Resource) func(context.Context) (*trace.Run, error) {
		return judge.Once(func(ctx context.Context) (*trace.Run, error) {
			spec := experiment.DefaultRun("fft")
			spec.Seed, spec.Uncontended = seed, free
			return experiment.Run(ctx, spec, nil)
		})
	}
	return shared{
		unloaded: judge.Once(func(ctx context.Context) (*trace.Run, error) {
			return experiment.Baseline(ctx, experiment.BaselineSpec{Platform: experiment.DefaultPlatform, Seed: seed}, nil)
		}),
		fft:       run(),
		fftNet:    run(experiment.LANai, experiment.Ports),
		fftSource: run(experiment.Slots, experiment.HDMA, experiment.LANai),
		fftDest:   run(experiment.HDMA, experiment.PCI),
		perturbed: judge.Once(func(ctx context.Context) (*experiment.Perturbation, error) {
			return experiment.Perturb(ctx, experiment.PerturbSpec{Platform: experiment.DefaultPlatform, Seed: seed, Sizes: rowSizes(), Programs: []string{}}, nil)
		}),
	}
}

// rowSizes are the sizes of the published measurement and more around the
// change from programmed I/O to DMA, where a loss hides most easily.
func rowSizes() []int64 {
	sizes := []int64{4, 8, 16, 32, 48, 64, 68, 96, 128, 132, 144, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896}
	for n := int64(1024); n <= 4<<20; n *= 2 {
		sizes = append(sizes, n)
	}
	return sizes
}

// class returns one latency of one size class of a run, of all packets.
func class(run *trace.Run, name string, stage trace.Stage) (trace.ClassRow, bool) {
	for _, r := range run.Classes {
		if r.Class == name && r.Stage == stage && r.Kind == trace.AllKinds && !r.First.OK {
			return r, true
		}
	}
	return trace.ClassRow{}, false
}

// sizeBins returns the rows of one latency over sizes, of all packets.
func sizeBins(run *trace.Run, stage trace.Stage) []trace.SignatureRow {
	var out []trace.SignatureRow
	for _, r := range run.Signature {
		if r.Stage == stage && r.Kind == trace.AllKinds && !r.First.OK && r.Count > 0 {
			out = append(out, r)
		}
	}
	return out
}
