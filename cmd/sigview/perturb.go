package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/experiment/flags"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/trace/rundir"
)

func (a *app) perturbCommand() *cobra.Command {
	spec := experiment.PerturbSpec{Platform: experiment.DefaultPlatform, Seed: experiment.DefaultSeed, Traced: true}
	cmd := &cobra.Command{
		Use:   "perturb",
		Short: "Measure the monitor's own cost: five firmware builds and a trace side by side",
		Long: `Runs a stream, a ping-pong and a simultaneous exchange over all message sizes,
and the applications, under five firmware builds: without the monitor, with all
of it, and with its sending, receiving and clock part alone. Trace is the full
monitor that also records every packet and operation.

--tests takes only some of these. -o writes the figures as JSON and Arrow, with plots.`,
		Example: `  sigview perturb --tests pingpong --size 4,256,4K
  sigview perturb --tests applications --workload fft,radix
  sigview perturb -o cost; sigview report cost --format html -o cost.html`,
	}
	fs := cmd.Flags()
	platformFlags(fs, &spec.Platform, &spec.Seed)
	fs.Var(flags.Counts(&spec.Sizes), "size", "message sizes in bytes, K, M and G allowed (default: 4 B to 4 MB)")
	list(cmd, &spec.Tests, "tests", "what is measured (default: all)")
	fs.StringSliceVar(&spec.Programs, "workload", nil, "applications to time (default: all)")
	mustComplete(cmd, "workload", inList(a.complete(workloads)))
	return measuring(a, cmd, &spec, experiment.Perturb, measuredPerturb)
}

// perturbDocument is perturb's JSON document. The stamp hides the record's own seed and
// platform, which are embedded a level deeper.
type perturbDocument struct {
	judge.Stamp
	Builds []experiment.Build `json:"builds"`
	Tests  []string           `json:"tests"`
	report.Perturb
}

// measuredPerturb is the output for what a monitor costs.
func measuredPerturb(p *bench.Perturb) measured {
	return measured{
		name:     "perturb",
		document: perturbDocument{platformStamp(measuredSchema, p.Seed, p.Platform), experiment.Builds(), experiment.PerturbTests(), report.Perturb{Perturb: p}},
		report:   report.Perturb{Perturb: p},
		charts:   report.PerturbCharts(p),
		table: func(w io.Writer) error {
			return rundir.Encode(w, bench.PerturbRows(p), toolLabels(p.Seed)...)
		},
	}
}
